"""`confirm`, `reject` and `cancel`: what a person, or the requester, says to a question."""

from __future__ import annotations

from typing import Annotated

import typer

from lastlook.cli import options
from lastlook.cli.acting import next_step
from lastlook.cli.context import Context


def confirm(ctx: typer.Context, plan: options.PlanId) -> int:
    """Ask about a stored plan, in the terminal. Nothing runs yet.

    Only a person at a terminal says yes: there is no option for it, and what is piped
    in does not count. What the plan rests on is read first; where it has changed, the
    plan is blocked, and there is a fresh question.
    """
    context: Context = ctx.obj
    from lastlook.core.screens import outcome_screen
    from lastlook.dispatch.asking import ask_for_yes

    world = context.look.world
    seal = world.store.get(plan).seal
    outcome = context.here(plan, "confirm", lambda: ask_for_yes(world, plan, seal=seal))

    context.output.screen(outcome_screen(outcome, zone=context.zone, width=context.output.width()))
    if step := next_step(context, outcome):
        context.output.text(step, style="dim")
    context.output.data(outcome.data())
    return outcome.exit_code


def reject(
    ctx: typer.Context,
    plan: options.PlanId,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")] = "",
) -> int:
    """Say no: the plan will never run."""
    context: Context = ctx.obj
    context.look.reject(plan, by=f"person:{context.login}", why=why)
    return _done(context, plan, "rejected")


def cancel(ctx: typer.Context, plan: options.PlanId) -> int:
    """Withdraw a plan that has not begun."""
    context: Context = ctx.obj
    context.look.cancel(plan, by=f"agent:{context.login}")
    return _done(context, plan, "cancelled")


def _done(context: Context, plan: str, state: str) -> int:
    context.output.text(f"Plan {plan} is {state}; it will never run.")
    context.output.data({"plan": plan, "state": state})
    return 0
