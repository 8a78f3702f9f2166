"""`confirm`, `reject` and `cancel`: what a person, or the requester, says to a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from lastlook.cli import options
from lastlook.cli.acting import next_step
from lastlook.cli.context import Context
from lastlook.core.deciding import refusal
from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    Blocked,
    BlockedUnresolvable,
    NotConfirmed,
    Outcome,
    Rejected,
)
from lastlook.core.prompt import Answer, LookAgain, Question
from lastlook.errors import WrongState

if TYPE_CHECKING:
    from lastlook.core.lifecycle import PlanRecord
    from lastlook.core.plan import ActionPlan
    from lastlook.dispatch.world import World

_ASKABLE = frozenset({State.PENDING, State.PARKED})


def confirm(ctx: typer.Context, plan: options.PlanId) -> int:
    """Ask about a stored plan, in the terminal. Nothing runs yet.

    Only a person at a terminal says yes: there is no option for it, and what is piped
    in does not count. What the plan rests on is read first; where it has changed, the
    plan is blocked, and there is a fresh question.
    """
    context: Context = ctx.obj
    outcome = context.here(plan, "confirm", lambda: _asked(context, plan))
    from lastlook.core.screens import outcome_screen

    context.output.screen(outcome_screen(outcome, zone=context.zone))
    if step := next_step(outcome):
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


def _asked(context: Context, plan_id: str) -> Outcome:
    """Ask until there is a yes, a no, or nobody to ask."""
    world = context.look.world
    while True:
        outcome = _once(world, world.store.get(plan_id))
        if not isinstance(outcome, Blocked) or outcome.fresh is None:
            return outcome
        world.asker.tell(outcome)
        plan_id = outcome.fresh.id


def _once(world: World, record: PlanRecord) -> Outcome:
    plan = world.plan_of(record)
    if plan is None or record.state not in _ASKABLE:
        # Nothing is asked, so this must not become a yes: a policy may never give one.
        return _confirmed(world, record, "policy:nobody")
    world.require(plan)
    answer = world.asker.ask(_question(world, record, plan))
    if answer.kind == "yes":
        return _confirmed(world, record, answer.by)
    if answer.kind == "no":
        return _rejected(world, plan, answer)
    return NotConfirmed(plan=plan, reason="has no yes: nobody answered", at=record.state_at)


def _rejected(world: World, plan: ActionPlan, answer: Answer) -> Outcome:
    from lastlook.dispatch.confirming import reject as say_no

    try:
        say_no(world, plan.id, by=answer.by, why=answer.why)
    except WrongState:
        return refusal(world.store.get(plan.id), plan)
    return Rejected(plan=plan, by=answer.by, why=answer.why, reason="was rejected", at=world.now())


def _question(world: World, record: PlanRecord, plan: ActionPlan) -> Question:
    previous = None if plan.follows is None else world.plan_of(world.store.get(plan.follows))
    return Question(
        plan=plan, previous=previous, kept_in_memory=not world.store.durable,
        parked=record.state is State.PARKED,
    )  # fmt: skip


def _confirmed(world: World, record: PlanRecord, by: str) -> Outcome:
    """Take the yes; while something can't be read, offer to look again."""
    from lastlook.dispatch.confirming import confirm as say_yes
    from lastlook.dispatch.renewing import with_fresh

    while True:
        channel = world.asker.channel
        outcome: Any = say_yes(world, record.id, seal=record.seal, by=by, channel=channel)
        if isinstance(outcome, Blocked):
            fresh: Outcome = with_fresh(world, outcome)
            return fresh
        if not (isinstance(outcome, NotConfirmed) and outcome.checks):
            said: Outcome = outcome
            return said
        unread = BlockedUnresolvable(plan=outcome.plan, checks=outcome.checks, at=world.now())
        if world.asker.ask(LookAgain(blocked=unread)).kind != "again":
            return outcome
