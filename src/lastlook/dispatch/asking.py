"""Asking: put the question, take the answer, and go on until it is done or declined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from msgspec.structs import replace

from lastlook.core.deciding import UNANSWERED
from lastlook.core.lifecycle import PlanRecord, State
from lastlook.core.outcome import (
    Blocked,
    BlockedUnresolvable,
    Confirmed,
    ConfirmOutcome,
    DispatchOutcome,
    NotConfirmed,
    Outcome,
    Rejected,
)
from lastlook.core.plan import ActionPlan
from lastlook.core.prompt import Answer, LookAgain, Question
from lastlook.dispatch.confirming import confirm, refusal_of_yes, reject
from lastlook.dispatch.renewing import renew, with_fresh
from lastlook.dispatch.running import dispatch
from lastlook.dispatch.world import World
from lastlook.errors import NoFreshPlan, WrongState
from lastlook.planning.tools import refuse_in_planner

T = TypeVar("T", bound=Outcome)

ASKABLE: Final = frozenset({State.PENDING, State.PARKED})
"""Where a plan can be asked about; of a parked one the question is shown alone."""

_NOBODY: Final = "policy:nobody"  # no policy may say yes to a question


def ask(world: World, plan: ActionPlan) -> DispatchOutcome:
    """Ask about a plan, dispatch it, and ask afresh after each block.

    Returns:
        The last outcome: `NotConfirmed` where nobody answered, `Rejected` after a no.

    Raises:
        DeclarationError: A planner is running here.
        SealMismatch: The stored plan is another one than this.
        NotRegistered: A tool or a source of the plan is missing here.
    """
    refuse_in_planner(f"asked about plan {plan.id}")
    return _until_settled(world, plan.id, plan.seal, _asked_and_run)


def ask_for_yes(world: World, plan_id: str, *, seal: str) -> ConfirmOutcome:
    """Ask about a plan up to a yes, afresh after each block; nothing is dispatched.

    Args:
        seal: That of the plan that is meant.

    Returns:
        `Confirmed`, or why there is no yes: `NotConfirmed` where nobody answered,
        `Rejected` after a no, a block without a fresh plan, or what became of the plan
        before.

    Raises:
        SealMismatch: The stored plan is another one.
        NotRegistered: A tool or a source of the plan is missing here.
    """
    return _until_settled(world, plan_id, seal, _asked)


def _until_settled(
    world: World, plan_id: str, seal: str, once: Callable[[World, str, str], T]
) -> T:
    while True:
        outcome = once(world, plan_id, seal)
        if not isinstance(outcome, Blocked) or outcome.fresh is None:
            return outcome
        world.asker.tell(outcome)
        plan_id, seal = outcome.fresh.id, outcome.fresh.seal


def _asked_and_run(world: World, plan_id: str, seal: str) -> DispatchOutcome:
    """One question where one is due, up to an outcome or a block with its fresh plan."""
    if world.store.get(plan_id).state in ASKABLE:
        outcome = _asked(world, plan_id, seal)
        if not isinstance(outcome, Confirmed):
            return outcome
    return _dispatched(world, plan_id)


def _asked(world: World, plan_id: str, seal: str) -> ConfirmOutcome:
    """One question, up to a yes, a refusal, or a block with its fresh plan."""
    record = world.store.get(plan_id)
    plan = world.plan_of(record)
    if plan is None or record.state not in ASKABLE or record.seal != seal:
        # Nobody is asked, and `confirm` says why there can be no yes.
        return confirm(world, plan_id, seal=seal, by=_NOBODY)
    world.require(plan)
    answer = world.asker.ask(_question(world, record, plan))
    if answer.kind == "yes":
        return _confirmed(world, plan, answer.by)
    if answer.kind == "no":
        return _rejected(world, plan, answer)
    return _unanswered(world, plan)


def _question(world: World, record: PlanRecord, plan: ActionPlan) -> Question:
    previous = None if plan.follows is None else world.plan_of(world.store.get(plan.follows))
    return Question(
        plan=plan, previous=previous, kept_in_memory=not world.store.durable,
        parked=record.state is State.PARKED,
    )  # fmt: skip


def _confirmed(world: World, plan: ActionPlan, by: str) -> ConfirmOutcome:
    """Take the yes; while something can't be read, offer to look again."""
    while True:
        outcome = confirm(world, plan.id, seal=plan.seal, by=by, channel=world.asker.channel)
        if isinstance(outcome, Blocked):
            return with_fresh(world, outcome)
        if not (isinstance(outcome, NotConfirmed) and outcome.checks):
            return outcome
        unread = BlockedUnresolvable(plan=plan, checks=outcome.checks, at=world.now())
        if world.asker.ask(LookAgain(blocked=unread)).kind != "again":
            return outcome


def _rejected(world: World, plan: ActionPlan, answer: Answer) -> ConfirmOutcome:
    try:
        reject(world, plan.id, by=answer.by, why=answer.why)
    except WrongState:
        return refusal_of_yes(world.store.get(plan.id), plan)
    return Rejected(plan=plan, by=answer.by, why=answer.why, reason="was rejected", at=world.now())


def _unanswered(world: World, plan: ActionPlan) -> ConfirmOutcome:
    record = world.store.get(plan.id)
    if record.state in ASKABLE:
        return NotConfirmed(plan=plan, reason=UNANSWERED, at=record.state_at)
    return refusal_of_yes(record, plan)


def _dispatched(world: World, plan_id: str) -> DispatchOutcome:
    outcome = dispatch(world, plan_id)
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
