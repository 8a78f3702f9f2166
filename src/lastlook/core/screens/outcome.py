"""What came of it: one screen for every outcome."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import Final

from lastlook.core.check import Unresolvable
from lastlook.core.outcome import (
    Blocked,
    BlockedTampered,
    BlockedUnresolvable,
    Confirmed,
    Executed,
    Outcome,
    Refused,
    Unsettled,
)
from lastlook.core.plan import ActionPlan
from lastlook.core.prompt import LookAgain
from lastlook.core.screens.block import check_lines
from lastlook.core.screens.ending import (
    HEADLINES,
    confirmed_lines,
    executed_lines,
    unsettled_lines,
)
from lastlook.core.screens.layout import (
    BLANK,
    WIDTH,
    Line,
    Screen,
    Span,
    between,
    laid_out,
    prose,
)
from lastlook.core.screens.refused import refused_lines
from lastlook.core.screens.values import moment, name, words
from lastlook.core.visible import visible

_TAMPERED: Final = "What is stored is not what was sealed, so it is not shown here."


def outcome_screen(outcome: Outcome, *, zone: tzinfo = UTC, width: int = WIDTH) -> Screen:
    """Return an outcome as it is told to a person.

    Args:
        outcome: Any outcome, of `confirm` or of `dispatch`.
        zone: The zone of all times of day.
        width: Columns, 40 to 80.
    """
    return laid_out(width, lambda: _lines(outcome, zone))


def _lines(outcome: Outcome, zone: tzinfo) -> list[Line]:
    match outcome:
        case Blocked():
            return _blocked(outcome, zone)
        case Refused():
            return refused_lines(outcome, zone)
        case Executed():
            lines = executed_lines(outcome, zone)
        case Confirmed():
            lines = confirmed_lines(outcome, zone)
        case Unsettled():
            lines = unsettled_lines(outcome, zone)
        case _:
            raise TypeError(f"{type(outcome).__name__} is no outcome that can be told")
    return [*headline(HEADLINES[outcome.name], outcome.plan), *lines]


def look_again_screen(question: LookAgain, *, zone: tzinfo = UTC, width: int = WIDTH) -> Screen:
    """Return the offer after a read that failed, the line that asks last."""
    return laid_out(width, lambda: _offered(question, zone))


def _offered(question: LookAgain, zone: tzinfo) -> list[Line]:
    blocked = question.blocked
    lines = [*_found(blocked, zone), *_nothing_done(blocked)]
    kinds = {item.kind for item in blocked.checks if isinstance(item, Unresolvable)}
    if kinds == {"not_found"}:
        lines += prose("Look again where it should be there, or leave it and plan again.")
    return [*lines, (Span("l look again   n leave it  >", "strong"),)]


def headline(text: str, plan: ActionPlan) -> list[Line]:
    """Return the first line: what happened, to what, and which plan that is."""
    left = (Span(text, "head"), Span("  "), Span(words(plan.intent)))
    return between(left, f"plan {name(plan.id)}")


def _blocked(outcome: Blocked, zone: tzinfo) -> list[Line]:
    if isinstance(outcome, BlockedTampered):
        return _tampered(outcome)
    return [*_found(outcome, zone), *_nothing_done(outcome), *no_fresh_lines(outcome)]


def _found(outcome: Blocked, zone: tzinfo) -> list[Line]:
    plan = outcome.plan
    lines = [*headline("NOT RUN", plan), *_when(outcome, zone), BLANK]
    return [*lines, *check_lines(plan, outcome.checks, outcome.at, zone), BLANK]


def _tampered(outcome: BlockedTampered) -> list[Line]:
    head = (Span("NOT RUN", "head"), Span(f"  plan {name(outcome.plan.id)}"))
    return [
        head,
        *prose(f"{visible(outcome.reason[:1].upper() + outcome.reason[1:])}."),
        *prose(_TAMPERED),
        BLANK,
        *prose(f"Nothing was done; plan {name(outcome.plan.id)} will never run."),
        *no_fresh_lines(outcome),
    ]


def _when(outcome: Blocked, zone: tzinfo) -> list[Line]:
    looked = f"Looking again at {moment(outcome.at, zone)}, before anything ran:"
    if outcome.confirmed_at is None:
        return prose(looked)
    said = moment(outcome.confirmed_at, zone, near=outcome.at)
    return prose(f"You said yes at {said}. {looked}")


def _nothing_done(outcome: Blocked) -> list[Line]:
    never = f"plan {name(outcome.plan.id)} will never run."
    if outcome.confirmed_at is None:
        if isinstance(outcome, BlockedUnresolvable):
            return prose("Nothing was done. A yes over what can't be read is not possible.")
        return prose(f"Nothing was done; {never}")
    return prose(f"Nothing was done. That yes is used up; {never}")


def no_fresh_lines(outcome: Blocked) -> list[Line]:
    """Return the one line that says whether there is a new question, or why not."""
    if outcome.fresh is not None:
        return prose(f"There is a new question: plan {name(outcome.fresh.id)}.")
    why = visible(outcome.why_no_fresh)
    if not why and isinstance(outcome, BlockedUnresolvable):
        return []
    why = why or "none was made"
    return prose(f"There is no new question: {why}{'' if why.endswith(('.', '!', '?')) else '.'}")
