"""`dispatch`, `renew` and `check`: what is done with a stored plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from lastlook.cli import options
from lastlook.cli.acting import ended, watched
from lastlook.cli.context import Context
from lastlook.core.deciding import verdict
from lastlook.core.screens.block import check_lines
from lastlook.core.screens.layout import BLANK, Line, Screen, laid_out, prose
from lastlook.core.screens.outcome import headline
from lastlook.core.screens.values import moment
from lastlook.core.telling import checks_data

if TYPE_CHECKING:
    from datetime import datetime

    from lastlook.core.check import CheckResult
    from lastlook.core.plan import ActionPlan

_EXIT = {"valid": 0, "stale": 3, "unresolvable": 4}
_SAID = {
    "valid": "All of it holds now.",
    "stale": "It would be blocked now: what it rests on has changed.",
    "unresolvable": "It would be blocked now: not all of it can be read.",
}


def dispatch(ctx: typer.Context, plan: options.PlanId) -> int:
    """Look again, and run a plan that has a yes, or block it.

    A yes is used up by it, whatever comes of it.
    """
    context: Context = ctx.obj
    outcome = watched(
        context,
        plan,
        lambda: context.here(plan, "dispatch", lambda: context.look.dispatch(plan)),
    )
    return ended(context, outcome)


def renew(ctx: typer.Context, plan: options.PlanId) -> int:
    """Make, or find, the fresh plan after a block.

    Of a plan that still waits: reads first, and where nothing changed it stays as it is.
    """
    context: Context = ctx.obj
    fresh = context.here(plan, "renew", lambda: context.look.renew(plan))
    from lastlook.cli.showing import proposed

    return proposed(context, fresh)


def check(ctx: typer.Context, plan: options.PlanOrFile) -> int:
    """Look at what a plan rests on now. It counts for nothing: a dispatch looks again.

    Of an evidence file (a name with / or .json, or of a file that is there) each record
    in it is read again. Exits with 0 where all of it holds, 3 where something changed,
    4 where something can't be read.
    """
    context: Context = ctx.obj
    from lastlook.cli.comparing import check_file, names_file

    if names_file(context, plan):
        return check_file(context, plan)
    look = context.look
    stored, state = look.get(plan)
    checks = context.here(plan, "check", lambda: look.check(plan))
    at = look.world.now()
    said = verdict(checks)
    context.output.screen(_screen(context, stored, checks, at))
    context.output.data({
        "plan": plan,
        "state": str(state),
        "verdict": said,
        "checks": checks_data(stored, checks),
        "exit": _EXIT[said],
    })  # fmt: skip
    return _EXIT[said]


def _screen(
    context: Context, plan: ActionPlan, checks: tuple[CheckResult, ...], at: datetime
) -> Screen:
    zone = context.zone

    def lines() -> Iterator[Line]:
        yield from headline("CHECK", plan)
        if not checks:
            yield from prose("It rests on nothing, so there is nothing to look at.")
            return
        yield from prose(f"Looking at {moment(at, zone)}; nothing is done:")
        yield BLANK
        yield from check_lines(plan, checks, at, zone)
        yield BLANK
        yield from prose(_SAID[verdict(checks)])

    return laid_out(context.output.width(), lines)
