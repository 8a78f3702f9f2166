"""Asking: put the question, take the answer, and go on until it is done or declined."""

from __future__ import annotations

from msgspec.structs import replace

from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    Blocked,
    BlockedUnresolvable,
    Confirmed,
    DispatchOutcome,
    NotConfirmed,
    Rejected,
)
from lastlook.core.plan import ActionPlan
from lastlook.core.prompt import LookAgain, Question
from lastlook.dispatch.confirming import confirm, reject
from lastlook.dispatch.renewing import renew, with_fresh
from lastlook.dispatch.running import dispatch
from lastlook.dispatch.world import World
from lastlook.errors import NoFreshPlan, WrongState
from lastlook.planning.tools import refuse_in_planner


def ask(world: World, plan: ActionPlan) -> DispatchOutcome:
    """Ask about a plan, dispatch it, and ask afresh after each block.

    Returns:
        The last outcome: `NotConfirmed` where nobody answered, `Rejected` after a no.

    Raises:
        DeclarationError: A planner is running here.
    """
    refuse_in_planner(f"asked about plan {plan.id}")
    while True:
        outcome = _once(world, plan)
        if not isinstance(outcome, Blocked):
            return outcome
        if outcome.fresh is None:
            return outcome
        world.asker.tell(outcome)
        plan = outcome.fresh


def _once(world: World, plan: ActionPlan) -> DispatchOutcome:
    """One question, up to an outcome or a block with its fresh plan."""
    record = world.store.get(plan.id)
    if record.state is State.CONFIRMED:
        return _dispatched(world, plan)
    if record.state not in {State.PENDING, State.PARKED}:
        return dispatch(world, plan.id)
    answer = world.asker.ask(_question(world, plan, parked=record.state is State.PARKED))
    if answer.kind == "yes":
        return _confirmed(world, plan, answer.by)
    if answer.kind == "no":
        return _rejected(world, plan, answer.by, answer.why)
    return _unanswered(world, plan)


def _question(world: World, plan: ActionPlan, *, parked: bool) -> Question:
    previous = None
    if plan.follows is not None:
        previous = world.plan_of(world.store.get(plan.follows))
    return Question(
        plan=plan, previous=previous, kept_in_memory=not world.store.durable, parked=parked
    )


def _confirmed(world: World, plan: ActionPlan, by: str) -> DispatchOutcome:
    while True:
        outcome = confirm(world, plan.id, seal=plan.seal, by=by, channel=world.asker.channel)
        if isinstance(outcome, Confirmed):
            return _dispatched(world, plan)
        if isinstance(outcome, Blocked):
            return with_fresh(world, outcome)
        if not (isinstance(outcome, NotConfirmed) and outcome.checks):
            return outcome
        unread = BlockedUnresolvable(plan=plan, checks=outcome.checks, at=world.now())
        if world.asker.ask(LookAgain(blocked=unread)).kind != "again":
            return outcome


def _dispatched(world: World, plan: ActionPlan) -> DispatchOutcome:
    outcome = dispatch(world, plan.id)
    if not isinstance(outcome, Blocked):
        return outcome
    told = with_fresh(world, outcome)
    while isinstance(told, BlockedUnresolvable) and told.fresh is None:
        if world.asker.ask(LookAgain(blocked=told)).kind != "again":
            return told
        told = _looked_again(world, told)
    return told


def _looked_again(world: World, blocked: BlockedUnresolvable) -> BlockedUnresolvable:
    try:
        return replace(blocked, fresh=renew(world, blocked.plan.id), why_no_fresh="")
    except NoFreshPlan as none:
        return replace(blocked, why_no_fresh=none.what)


def _rejected(world: World, plan: ActionPlan, by: str, why: str) -> DispatchOutcome:
    try:
        reject(world, plan.id, by=by, why=why)
    except WrongState:
        return dispatch(world, plan.id)
    return Rejected(plan=plan, by=by, why=why, reason="was rejected", at=world.now())


def _unanswered(world: World, plan: ActionPlan) -> DispatchOutcome:
    record = world.store.get(plan.id)
    if record.state in {State.PENDING, State.PARKED}:
        return NotConfirmed(plan=plan, reason="has no yes: nobody answered", at=record.state_at)
    return dispatch(world, plan.id)
