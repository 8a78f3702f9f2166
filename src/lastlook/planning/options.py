"""What goes with a planner's proposals besides its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from lastlook.core.deciding import principal
from lastlook.errors import DeclarationError

LONGEST: Final = 100 * 365 * 86_400.0
"""The most seconds for which a plan may be good."""


class Rules(Struct, frozen=True, kw_only=True):
    """Who may say yes to a planner's plans, and for how long (seconds) they are good."""

    two_people: bool = False
    approvers: tuple[str, ...] = ()
    expires_in: float | None = None

    def __post_init__(self) -> None:
        check_seconds(self.expires_in)
        if not isinstance(self.two_people, bool):
            raise DeclarationError(
                f"two_people is True or False, not {self.two_people!r}",
                fix="Write two_people=True where the requester may not say yes.",
            )


class Options(Struct, frozen=True, kw_only=True):
    """What one proposal adds: the requester, a key of the requester's own, an expiry."""

    key: str | None = None
    requested_by: str = ""
    expires_in: float | None = None

    def __post_init__(self) -> None:
        check_seconds(self.expires_in)
        check_key(self.key)


def check_seconds(seconds: object) -> None:
    """Refuse a time that a plan can't be good for.

    Raises:
        DeclarationError: It is no number above 0, or beyond `LONGEST`.
    """
    if seconds is None:
        return
    number = seconds if isinstance(seconds, int | float) else 0
    if isinstance(seconds, bool) or not 0 < number <= LONGEST:
        raise DeclarationError(
            f"a plan cannot be good for {seconds!r} seconds",
            fix="Give expires_in as a number of seconds above 0, or leave it out.",
        )


def check_key(key: object) -> None:
    """Refuse a key that can't tell one proposal from another.

    Raises:
        DeclarationError: It is no text, or an empty one.
    """
    if key is not None and (not isinstance(key, str) or not key):
        raise DeclarationError(
            f"{key!r} cannot be a proposal's key", fix="Give a text, or leave it out."
        )


def approvers_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return approvers with their prefix: `ana` is `person:ana`.

    Raises:
        DeclarationError: One of them is not a person, or a text stands for the list.
        NotAllowed: One of them is an empty text.
    """
    given: object = names
    listed = None if isinstance(given, str) or not isinstance(given, Sequence) else given
    made = tuple(principal(name, default="person") for name in listed or ())
    if listed is None or not all(name.startswith("person:") for name in made):
        raise DeclarationError(
            f"{names!r} cannot be the approvers: only persons say yes",
            fix='Give a list, as in approvers=["ana"].',
        )
    return made


def policies_of(confirms: object) -> dict[str, frozenset[str]]:
    """Return by policy the names of the tools whose plans it confirms.

    Args:
        confirms: By the policy's name, a list of tools or of their names.

    Raises:
        DeclarationError: It is something else.
    """
    if confirms is None:
        return {}
    if not isinstance(confirms, Mapping) or not all(isinstance(name, str) for name in confirms):
        raise _no_policies(confirms)
    return {name: _tools_of(tools) for name, tools in confirms.items()}


def _tools_of(tools: object) -> frozenset[str]:
    if isinstance(tools, str):
        raise DeclarationError(
            f"confirms takes a list of tools, not the text {tools!r}", fix=f"Write [{tools!r}]."
        )
    if not isinstance(tools, Iterable):
        raise _no_policies(tools)
    listed = list(tools)
    names = [tool if isinstance(tool, str) else getattr(tool, "name", None) for tool in listed]
    known = [name for name in names if isinstance(name, str)]
    if len(known) < len(names):
        raise _no_policies(listed)
    return frozenset(known)


def _no_policies(given: object) -> DeclarationError:
    return DeclarationError(
        f"confirms takes a list of tools by the policy's name, not {given!r}",
        fix='Write it as in confirms={"small amounts": [refund]}.',
    )
