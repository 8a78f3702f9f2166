"""Refused: one line that says why nothing ran now."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Final

from lastlook.core.deciding import UNANSWERED
from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    AlreadyUsed,
    Cancelled,
    Expired,
    InProgress,
    NotConfirmed,
    Outcome,
    Parked,
    Refused,
    Rejected,
)
from lastlook.core.screens.block import check_lines
from lastlook.core.screens.layout import BLANK, Line, prose
from lastlook.core.screens.values import moment, name, who, words
from lastlook.core.visible import visible

_USED: Final = {
    State.EXECUTED: "it ran",
    State.FAILED: "it came to nothing",
    State.PARTIAL: "it stopped halfway",
    State.COMPENSATED: "it was undone",
    State.UNKNOWN: "it began, and came to no known end",
    State.RESOLVED: "a person settled what came of it",
    State.BLOCKED_STALE: "it was blocked",
    State.BLOCKED_UNRESOLVABLE: "it was blocked",
    State.BLOCKED_TAMPERED: "it was blocked",
}


def refused_lines(outcome: Refused, zone: tzinfo) -> list[Line]:
    """Return the line, and the reason where it says more."""
    said = refusal_text(outcome, zone)
    lines = prose(f"REFUSED  plan {name(outcome.plan.id)} {said}.", style="strong")
    reason = visible(outcome.reason)
    if reason and reason.rstrip(".").lower() not in said.lower():
        lines += prose(f"{reason[:1].upper()}{reason[1:]}{'' if reason.endswith('.') else '.'}")
    if outcome.checks:
        at = outcome.at or outcome.plan.created_at
        lines += [BLANK, *check_lines(outcome.plan, outcome.checks, at, zone)]
    return lines


def refusal_text(outcome: Outcome, zone: tzinfo = UTC) -> str:
    """Return why nothing ran, without the plan and without a full stop."""
    when: datetime | None = getattr(outcome, "at", None)
    time = "" if when is None else moment(when, zone, near=outcome.plan.created_at)
    at = f" at {time}" if time else ""
    match outcome:
        case AlreadyUsed(state=State.CONFIRMED):
            return f"already has its yes{f', since {time}' if time else ''}"
        case AlreadyUsed():
            return f"was already used: {_USED.get(outcome.state, f'it is {outcome.state}')}{at}"
        case InProgress():
            where = f", on {words(outcome.owner)}" if outcome.owner else ""
            return f"is running now{f', since {time}' if time else ''}{where}"
        case NotConfirmed():
            return UNANSWERED if outcome.reason == UNANSWERED else "has no yes"
        case Rejected():
            why = f": {words(outcome.why)}" if outcome.why else ""
            return f"was rejected{f' by {who(outcome.by)}' if outcome.by else ''}{at}{why}"
        case Cancelled():
            return f"was cancelled{at}"
        case Parked():
            return "is parked: too many questions about one thing"
        case Expired():
            return f"has expired{at.removesuffix(':00')}"
        case _:
            return "was not begun: the store could not be written"
