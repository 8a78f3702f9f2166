"""States of a plan, the legal transitions, and who may make them.

A transition is a `Move`: what must be true of the stored plan, what becomes of it,
and the one journal row that is written with it. Stores apply moves; nothing else
changes a plan.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from lastlook.errors import WrongState


class State(StrEnum):
    """Where a plan stands. All but the first five are final, or wait for a person."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    CLAIMED = "claimed"
    EXECUTING = "executing"
    PARKED = "parked"
    EXECUTED = "executed"
    FAILED = "failed"
    PARTIAL = "partial"
    COMPENSATED = "compensated"
    UNKNOWN = "unknown"
    RESOLVED = "resolved"
    BLOCKED_STALE = "blocked_stale"
    BLOCKED_UNRESOLVABLE = "blocked_unresolvable"
    BLOCKED_TAMPERED = "blocked_tampered"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


_S = State
_BLOCKS = frozenset({_S.BLOCKED_STALE, _S.BLOCKED_UNRESOLVABLE, _S.BLOCKED_TAMPERED})
_ENDINGS = frozenset({_S.EXECUTED, _S.FAILED, _S.PARTIAL, _S.COMPENSATED, _S.UNKNOWN})

LEGAL: Final[dict[State, frozenset[State]]] = {
    _S.PENDING: frozenset(
        {_S.CONFIRMED, _S.REJECTED, _S.CANCELLED, _S.EXPIRED, _S.BLOCKED_STALE, _S.BLOCKED_TAMPERED}
    ),
    _S.CONFIRMED: frozenset({_S.CLAIMED, _S.CANCELLED, _S.EXPIRED}),
    _S.CLAIMED: frozenset({_S.CONFIRMED, _S.EXECUTING, _S.CANCELLED, _S.EXPIRED}) | _BLOCKS,
    _S.EXECUTING: frozenset({_S.EXECUTING, _S.BLOCKED_STALE}) | _ENDINGS,
    _S.PARKED: frozenset({_S.CANCELLED, _S.EXPIRED}),
    _S.UNKNOWN: frozenset({_S.RESOLVED}),
}
"""From each state, the states that may follow. A state that is missing is final."""


class Confirmation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A yes: to which plan, to which bytes, to what was shown, by whom and when.

    `key_id` and `mac` are null until confirmations are keyed.
    """

    plan: str
    seal: str
    shown: str
    by: str
    at: datetime
    key_id: str | None = None
    mac: str | None = None


class Look(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was read for a plan at one moment: `at_yes`, `before_step_1`, ...

    `seen` is typed JSON: for each ref, its check result with the cells now.
    """

    moment: str
    at: datetime
    seen: Any


class PlanRecord(Struct, frozen=True, kw_only=True):
    """A plan as the store holds it.

    Attributes:
        body: The sealed bytes.
        seal: The digest that was taken of them when the plan was made.
        epoch: Counts claims; a dispatcher of an older epoch can't write any more.
        step: The step that is under way or was last begun; 0 before the first.
        owner: Who holds the claim (host, boot, process), or None.
        lease_until: Until when that claim is good without a sign of life.
        confirmation: The yes, or None.
        burned_at: When the yes was used up by an intent, or None.
        outcome: The last outcome as JSON, or None.
        salts: The salts of secret fields, `ref#selector` to 32 bytes; never in
            the body.
        rows: How many journal rows the plan has, and `head`, the newest's digest.
    """

    id: str
    lineage: str
    number: int
    follows: str | None
    requested_by: str
    key: str | None
    body: bytes
    seal: str
    state: State
    state_at: datetime
    epoch: int = 0
    step: int = 0
    owner: str | None = None
    lease_until: datetime | None = None
    confirmation: Confirmation | None = None
    burned_at: datetime | None = None
    outcome: bytes | None = None
    salts: dict[str, bytes] = {}
    rows: int = 0
    head: str = ""


class NewPlan(Struct, frozen=True, kw_only=True):
    """A plan to insert, and the words of its first journal row.

    Within one store these are unique: `id`; `follows` where it is not None (a
    blocked plan has at most one fresh plan); `(requested_by, key)` where `key` is
    not None and `follows` is None.
    """

    id: str
    lineage: str
    number: int
    follows: str | None
    requested_by: str
    key: str | None
    body: bytes
    seal: str
    state: State
    at: datetime
    salts: dict[str, bytes] = {}
    data: Any = None


class Move(Struct, frozen=True, kw_only=True):
    """One transition, to be applied only where the plan stands as expected.

    Attributes:
        expect: The state that the plan must be in, with `expect_epoch`.
        to: The state it gets, with `epoch` and `step`.
        at: When, for plan and journal row.
        by: The principal, or `lastlook` for the machinery itself.
        data: What the journal row says besides; names and digests only.
        owner, lease_until: What the plan's become.
        confirmation: Set where the move is a yes.
        burn: Whether the move uses the yes up; refused where it is used already.
        look: What was read, kept beside the plan.
        outcome: The outcome as JSON.
    """

    plan: str
    expect: State
    expect_epoch: int
    to: State
    epoch: int
    step: int
    at: datetime
    by: str
    data: Any = None
    owner: str | None = None
    lease_until: datetime | None = None
    confirmation: Confirmation | None = None
    burn: bool = False
    look: Look | None = None
    outcome: bytes | None = None


class JournalRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of the journal: one transition of one plan.

    Attributes:
        row: Counts the plan's rows from 1.
        was, state: The state before (None for the first) and after.
        data: Names and digests that belong to the transition.
        key_id: The key of the digest; None where it is a plain SHA-256.
        prev: The digest of the plan's row before, or an empty text.
    """

    plan: str
    row: int
    at: datetime
    was: State | None
    state: State
    by: str
    epoch: int
    step: int
    data: Any = None
    key_id: str | None = None
    prev: str = ""


def legal(was: State, to: State) -> None:
    """Refuse a transition that is not in `LEGAL`.

    Raises:
        WrongState: `to` may not follow `was`.
    """
    if to not in LEGAL.get(was, frozenset()):
        raise WrongState(f"a plan that is {was} cannot become {to}")
