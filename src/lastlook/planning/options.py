"""What goes with a planner's proposals besides its arguments."""

from __future__ import annotations

from msgspec import Struct


class Rules(Struct, frozen=True, kw_only=True):
    """Who may say yes to a planner's plans, and for how long (seconds) they are good."""

    two_people: bool = False
    approvers: tuple[str, ...] = ()
    expires_in: float | None = None


class Options(Struct, frozen=True, kw_only=True):
    """What one proposal adds: the requester, a key of the requester's own, an expiry."""

    key: str | None = None
    requested_by: str = ""
    expires_in: float | None = None
