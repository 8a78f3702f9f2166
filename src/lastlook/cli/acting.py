"""What `run` and `dispatch` share: acting, being interrupted, and saying how it ended."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from lastlook.cli.suggesting import to_type
from lastlook.core.lifecycle import PlanRecord, State
from lastlook.core.outcome import Blocked, Confirmed, NotConfirmed, Outcome
from lastlook.errors import StoreError

if TYPE_CHECKING:
    from lastlook.cli.context import Context

BEGUN: Final = frozenset(
    {State.EXECUTING, State.EXECUTED, State.FAILED, State.PARTIAL, State.COMPENSATED, State.UNKNOWN}
)
MAY_HAVE_RUN: Final = 6
_ENDS: Final = "It was kept in memory alone, and ends with this command."


class Interrupted(Struct, frozen=True):
    """Ctrl-C came after a plan had begun.

    Attributes:
        record: The plan as it stands.
    """

    record: PlanRecord


def watched(context: Context, plan_id: str, work: Callable[[], Any]) -> Any:
    """Do some work; after Ctrl-C find out whether anything had begun.

    Returns:
        What the work returned, or `Interrupted` where something had begun.

    Raises:
        KeyboardInterrupt: Nothing had begun.
    """
    was = _stands(context, plan_id)
    try:
        result = work()
        context.interrupts.hold(MAY_HAVE_RUN)
    except KeyboardInterrupt:
        # From here on Ctrl-C is only noted, so that what may have run is always told.
        context.interrupts.hold(MAY_HAVE_RUN)
        record = context.store.newest(context.store.get(plan_id).lineage)
        if record.state not in BEGUN or (was and (record.id, record.rows) == (was.id, was.rows)):
            raise
        return Interrupted(record)
    return result


def _stands(context: Context, plan_id: str) -> PlanRecord | None:
    """Return a plan as it stands before, or None where the store can't say just now."""
    with suppress(StoreError):
        return context.store.get(plan_id)
    return None


def ended(context: Context, outcome: Outcome | Interrupted) -> int:
    """Say how it ended, and return the exit code."""
    output = context.output
    if isinstance(outcome, Interrupted):
        return _interrupted(context, outcome.record)
    from lastlook.core.screens import outcome_screen

    output.screen(
        outcome_screen(outcome, zone=context.zone, width=output.width(aside=True)), aside=True
    )
    if step := next_step(context, outcome):
        output.text(step, style="dim", aside=True)
    output.data(outcome.data())
    return outcome.exit_code


def next_step(context: Context, outcome: Outcome) -> str:
    """Return what can be typed next, or an empty text."""
    if not context.store.durable:
        return _ENDS if isinstance(outcome, NotConfirmed | Blocked) else ""
    if isinstance(outcome, Confirmed):
        return f"Run it: {to_type(context, 'dispatch', outcome.plan.id)}"
    if isinstance(outcome, Blocked) and outcome.fresh is not None:
        return f"Look at it and say yes or no: {to_type(context, 'confirm', outcome.fresh.id)}"
    if isinstance(outcome, NotConfirmed):
        return f"It waits for a yes from a terminal: {to_type(context, 'confirm', outcome.plan.id)}"
    return ""


def _interrupted(context: Context, record: PlanRecord) -> int:
    from msgspec import json

    show = to_type(context, "show", record.id)
    context.output.text(
        f"UNKNOWN  plan {record.id} had begun when it was interrupted. Look at what it did "
        f"before anything is done again: {show}",
        style="strong",
        aside=True,
    )
    said = {} if record.outcome is None else json.decode(record.outcome)
    context.output.data({"outcome": "unknown", "plan": record.id, **said, "exit": MAY_HAVE_RUN})
    return MAY_HAVE_RUN
