"""Renewing: a fresh question after a block, in a transaction of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, assert_never

import msgspec

from lastlook.core.check import CheckResult, Stale, Unresolvable
from lastlook.core.deciding import carried_value, verdict
from lastlook.core.evidence import Evidence
from lastlook.core.lifecycle import PlanRecord, State
from lastlook.core.outcome import Blocked, BlockedTampered
from lastlook.core.plan import ActionPlan
from lastlook.core.screens.fields import asked_of, demand, field_of, label
from lastlook.dispatch.confirming import block_pending
from lastlook.dispatch.proposing import readable
from lastlook.dispatch.world import World, log
from lastlook.errors import ConditionNotMet, LastlookError, NoFreshPlan
from lastlook.planning.drafts import Draft, Place, finish, planned, with_tools
from lastlook.planning.planning import Planning
from lastlook.planning.reads import Reads
from lastlook.planning.recipes import draft_of_recipe

B = TypeVar("B", bound=Blocked)

CAP: Final = 5
"""Fresh plans of one lineage that may be confirmed; a further one is parked."""

PLANNER_SECONDS: Final = 30.0
_RENEWABLE = {State.BLOCKED_STALE, State.BLOCKED_UNRESOLVABLE}
_LIVE = {State.PENDING, State.CONFIRMED, State.CLAIMED, State.EXECUTING, State.PARKED}


def renew(world: World, plan_id: str) -> ActionPlan:
    """Return the live fresh plan of a blocked one, made now where there is none.

    Where the fresh plan was blocked as well, it is that one's, and so on.

    Of a pending plan: reads first; where the evidence has changed, that plan is
    blocked and a fresh one made, otherwise it is returned as it is.

    Raises:
        NoFreshPlan: There is none, and why.
        UnknownPlan: There is no such plan.
        SealMismatch: The stored bytes are not those that were sealed.
    """
    record = world.store.newest(world.store.get(plan_id).lineage)
    plan = readable(world, record)
    if record.id != plan_id and record.state in _LIVE:
        return plan
    if record.state is State.PENDING:
        return _renew_pending(world, record, plan)
    if record.state not in _RENEWABLE:
        raise NoFreshPlan(f"plan {plan.id} is {record.state}; only a blocked plan is renewed")
    return make_fresh(world, plan, _look(world, record, plan))


def with_fresh(world: World, blocked: B) -> B:
    """Return a block with its fresh plan, or with the reason that there is none.

    Whatever goes wrong here is that reason: the block itself is committed already.
    What was tampered with is not planned from again.
    """
    if isinstance(blocked, BlockedTampered):
        why = "the stored plan is not what was sealed. Ask the agent to plan again."
        return msgspec.structs.replace(blocked, why_no_fresh=why)
    try:
        fresh = make_fresh(world, blocked.plan, blocked.checks)
    except NoFreshPlan as none:
        return msgspec.structs.replace(blocked, why_no_fresh=none.what)
    except LastlookError as error:
        return msgspec.structs.replace(blocked, why_no_fresh=str(error))
    return msgspec.structs.replace(blocked, fresh=fresh)


def make_fresh(world: World, plan: ActionPlan, checks: Sequence[CheckResult]) -> ActionPlan:
    """Make the fresh plan of a blocked one from what its records hold now.

    Raises:
        NoFreshPlan: A condition fails, a source does not read, a hand-made argument
            carries an old value, or the planner raises.
    """
    _refuse_unreadable(checks)
    _refuse_failed_condition(plan, checks)
    draft = _draft_again(world, plan, checks)
    place = Place(
        id=f"{plan.lineage}.{plan.number + 1}", lineage=plan.lineage, number=plan.number + 1,
        follows=plan.id, requested_by=plan.requested_by, at=world.now(),
        parked=plan.number > CAP,
    )  # fmt: skip
    fresh, new = finish(draft, place)
    if world.store.add(new) is None:
        return readable(world, world.store.newest(plan.lineage))
    log.info("plan=%s %s follows=%s", fresh.id, new.state, plan.id)
    return fresh


def _renew_pending(world: World, record: PlanRecord, plan: ActionPlan) -> ActionPlan:
    checks = _look(world, record, plan)
    found = verdict(checks)
    if found == "valid":
        return plan
    if found == "unresolvable":
        _refuse_unreadable(checks)
    block_pending(world, record, plan, checks)
    blocked = world.store.get(plan.id)
    if blocked.state is not State.BLOCKED_STALE:
        raise NoFreshPlan(f"plan {plan.id} is {blocked.state}; only a blocked plan is renewed")
    return make_fresh(world, plan, checks)


def _look(world: World, record: PlanRecord, plan: ActionPlan) -> tuple[CheckResult, ...]:
    world.require_sources(plan)
    return world.look(plan.evidence, record.salts)


def _refuse_unreadable(checks: Sequence[CheckResult]) -> None:
    silent = [item for item in checks if isinstance(item, Unresolvable)]
    if not silent:
        return
    refs = ", ".join(item.ref for item in silent)
    if all(item.kind == "not_found" for item in silent):
        raise NoFreshPlan(f"{refs} is gone. Plan again, or leave it.")
    raise NoFreshPlan(f"{refs} could not be read. Look again, or leave it.")


def _refuse_failed_condition(plan: ActionPlan, checks: Sequence[CheckResult]) -> None:
    evidence = {item.ref: item for item in plan.evidence}
    for item in checks:
        for change in item.changes if isinstance(item, Stale) else ():
            failed = field_of(evidence.get(item.ref), change.field)
            # A literal stays what it is; what `within` compares with is captured anew.
            if change.kind == "condition" and failed is not None and demand(failed):
                raise NoFreshPlan(f"this plan only makes sense while {asked_of(failed)}.")


def _draft_again(world: World, plan: ActionPlan, checks: Sequence[CheckResult]) -> Draft:
    try:
        match plan.origin.kind:
            case "planner":
                return within(PLANNER_SECONDS, lambda: _planned_again(world, plan))
            case "template":
                return draft_of_recipe(world, plan)
            case _:
                return _by_hand_again(world, plan, checks)
    except NoFreshPlan:
        raise
    except ConditionNotMet as error:
        raise NoFreshPlan(f"this plan makes no sense now: {error.what}.") from error
    except Exception as error:
        world.failed(plan.id, "planning again", error)
        words = str(error) if isinstance(error, LastlookError) else type(error).__name__
        raise NoFreshPlan(f"planning again failed: {words}") from error


def _planned_again(world: World, plan: ActionPlan) -> Draft:
    planner = world.planners.get(plan.origin.name)
    if planner is None:
        raise NoFreshPlan(
            f"planner {plan.origin.name} is not registered here. Ask the agent to plan again."
        )
    planning = Planning(world, world.tools, plan.evidence)
    draft = planner.draft(plan.origin.arguments, planning, _seconds(plan))
    return msgspec.structs.replace(draft, two_people=plan.two_people, approvers=plan.approvers)


def _by_hand_again(world: World, plan: ActionPlan, checks: Sequence[CheckResult]) -> Draft:
    if found := carried_value(plan, checks):
        argument, selector = found
        raise NoFreshPlan(
            f"{argument} was taken from a value that changed ({label(selector)}). "
            "Ask the agent to plan again."
        )
    reads = Reads(world, plan.evidence)
    for item in plan.evidence:
        _again(world, reads, item)
    steps = [
        planned(world.tool(plan.tool(step.tool)), step.arguments, step.number)
        for step in plan.steps
    ]
    parts = with_tools(steps, {item.name: world.tool(item) for item in plan.tools})
    if parts["tools"] == plan.tools:
        parts["effects"] = plan.estimated_side_effects  # by hand as well
    return Draft(
        intent=plan.intent, origin=plan.origin, evidence=tuple(reads.evidence.values()),
        no_evidence=plan.no_evidence, salts=reads.salts, two_people=plan.two_people,
        approvers=plan.approvers, expires_in=_seconds(plan), **parts,
    )  # fmt: skip


def _again(world: World, reads: Reads, item: Evidence[Any]) -> None:
    match item.kind:
        case "record":
            reads.record(item.ref, item.fields)
        case "absence":
            reads.absence(item.ref)
        case "query":
            reads.query(world.named_query(item.ref), item.params)
        case _ as unreachable:
            assert_never(unreachable)


def _seconds(plan: ActionPlan) -> float | None:
    if plan.expires_at is None:
        return None
    return (plan.expires_at - plan.created_at).total_seconds()


def within(seconds: float, work: Callable[[], Draft]) -> Draft:
    """Run a planner on a thread and wait for it for so long; what comes later is dropped."""
    done: list[Draft | BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001  # raised again on the caller's thread
            done.append(error)

    thread = threading.Thread(target=run, name="lastlook-planner", daemon=True)
    thread.start()
    thread.join(seconds)
    if not done:
        raise NoFreshPlan(f"the planner did not come back within {seconds:g} s.")
    made = done[0]
    if isinstance(made, Exception):
        raise made
    if isinstance(made, BaseException):
        raise NoFreshPlan(f"planning again failed: {type(made).__name__}") from made
    return made
