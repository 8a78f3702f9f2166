"""The verbs before a dispatch: confirm, reject, cancel."""

from __future__ import annotations

import json
from typing import Any, assert_never

from lastlook.core.check import CheckResult
from lastlook.core.deciding import (
    Refusal,
    is_expired,
    may_approve,
    principal,
    refusal,
    standing,
    unread_plan,
    verdict,
)
from lastlook.core.lifecycle import Confirmation, Move, PlanRecord, State
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedStale,
    BlockedTampered,
    Confirmed,
    ConfirmOutcome,
    Expired,
    NotConfirmed,
    StoreUnavailable,
)
from lastlook.core.plan import ActionPlan
from lastlook.core.screens import shown_digest
from lastlook.dispatch.running import look_of, names_of
from lastlook.dispatch.world import World
from lastlook.errors import SealMismatch, StoreError, WrongState
from lastlook.planning.given import must_be_text
from lastlook.planning.tools import refuse_in_planner


def confirm(world: World, plan_id: str, *, seal: str, by: str, channel: str = "") -> ConfirmOutcome:
    """Take a yes: read first, and let it count only where everything still holds.

    Args:
        channel: How the yes reached the program, for the journal: `tty`. Empty where a
            program states it.

    Raises:
        SealMismatch: The yes names another seal than the stored plan's.
        NotAllowed: `by` may not approve this plan.
        NotRegistered: A source of the plan is missing here.
        UnknownPlan: There is no such plan.
        DeclarationError: A planner is running: planners only read.
    """
    refuse_in_planner(f"confirmed plan {plan_id}")
    try:
        return _confirm(world, plan_id, seal, principal(by, default="person"), channel)
    except StoreError as error:
        plan = unread_plan(plan_id, world.now())
        return StoreUnavailable(plan=plan, reason=str(error))


def _confirm(world: World, plan_id: str, seal: str, by: str, channel: str) -> ConfirmOutcome:
    record = world.store.get(plan_id)
    if seal != record.seal:
        raise SealMismatch(
            f"this yes is for another plan than {plan_id}: the seals differ",
            fix="Show the person the stored plan, and take the yes for that.",
        )
    plan = world.plan_of(record)
    if record.state is not State.PENDING:
        return refusal_of_yes(record, plan or unread_plan(plan_id, record.state_at))
    if plan is None:
        return _tampered(world, record)
    may_approve(plan, by)
    if is_expired(plan, world.now):
        return _expired(world, record, plan)
    world.require_sources(plan)
    checks = world.look(plan.evidence, record.salts)
    if is_expired(plan, world.now):
        return _expired(world, record, plan)
    return _settle(world, record, plan, checks, by, channel)


def _expired(world: World, record: PlanRecord, plan: ActionPlan) -> Expired | Refusal:
    if world.move(_move(world, record, State.EXPIRED)) is None:
        return refusal_of_yes(world.store.get(plan.id), plan)
    return Expired(plan=plan, reason="has expired", at=plan.expires_at)


def _settle(
    world: World,
    record: PlanRecord,
    plan: ActionPlan,
    checks: tuple[CheckResult, ...],
    by: str,
    channel: str,
) -> ConfirmOutcome:
    at = world.now()
    match verdict(checks):
        case "unresolvable":
            return NotConfirmed(plan=plan, checks=checks, reason="could not be looked at", at=at)
        case "stale":
            return block_pending(world, record, plan, checks)
        case "valid":
            shown = shown_digest(plan)
            data = {"seal": record.seal, "shown": shown} | ({"channel": channel} if channel else {})
            yes = Confirmation(plan=plan.id, seal=record.seal, shown=shown, by=by, at=at)
            look = look_of("at_yes", at, checks)
            moved = world.move(
                _move(world, record, State.CONFIRMED, by=by, confirmation=yes, look=look,
                      data=data)
            )  # fmt: skip
            if moved is None:
                return refusal_of_yes(world.store.get(plan.id), plan)
            return Confirmed(plan=plan, checks=checks, confirmation=yes)
        case _ as unreachable:
            assert_never(unreachable)


def refusal_of_yes(record: PlanRecord, plan: ActionPlan) -> Refusal:
    """Return why a yes comes too late: the plan as it stands."""
    if record.state is State.CONFIRMED:
        return AlreadyUsed(
            plan=plan, state=record.state, at=record.state_at, reason="already has its yes"
        )
    return refusal(record, plan)


def block_pending(
    world: World, record: PlanRecord, plan: ActionPlan, checks: tuple[CheckResult, ...]
) -> BlockedStale | Refusal:
    """Block a pending plan whose evidence has changed, and return the outcome."""
    at = world.now()
    blocked = BlockedStale(plan=plan, checks=checks, at=at)
    moved = world.move(
        _move(world, record, State.BLOCKED_STALE, look=look_of("before_yes", at, checks),
              data=names_of(checks), outcome=json.dumps(blocked.data()).encode())
    )  # fmt: skip
    return blocked if moved is not None else refusal_of_yes(world.store.get(plan.id), plan)


def _tampered(world: World, record: PlanRecord) -> ConfirmOutcome:
    unread = unread_plan(record.id, record.state_at)
    if world.move(_move(world, record, State.BLOCKED_TAMPERED)) is None:
        return refusal_of_yes(world.store.get(record.id), unread)
    return BlockedTampered(plan=unread, at=world.now())


def reject(world: World, plan_id: str, *, by: str, why: str) -> None:
    """Take a no: the plan will never run.

    Raises:
        WrongState: The plan is not pending any more.
        UnknownPlan: There is no such plan.
        DeclarationError: The reason is no text.
    """
    refuse_in_planner(f"rejected plan {plan_id}")
    must_be_text(why, "why")
    _end(world, plan_id, State.REJECTED, principal(by, default="person"), {"why": why})


def cancel(world: World, plan_id: str, *, by: str) -> None:
    """Withdraw a plan that has not begun.

    Raises:
        WrongState: It has begun, or has come to its end.
        UnknownPlan: There is no such plan.
    """
    refuse_in_planner(f"cancelled plan {plan_id}")
    _end(world, plan_id, State.CANCELLED, principal(by, default="agent"), None)


_MAY_END = {
    State.REJECTED: {State.PENDING},
    State.CANCELLED: {State.PENDING, State.CONFIRMED, State.CLAIMED, State.PARKED},
}


def _end(world: World, plan_id: str, to: State, by: str, data: Any) -> None:
    record = world.store.get(plan_id)
    # Somebody may move the plan in between, to where this can still be done.
    while record.state in _MAY_END[to]:
        if world.move(_move(world, record, to, by=by, data=data)) is not None:
            return
        record = world.store.get(plan_id)
    may_cancel = to is State.REJECTED and record.state in _MAY_END[State.CANCELLED]
    fix = "It can be cancelled." if may_cancel else ""
    raise WrongState(f"plan {plan_id} {standing(record.state)}, and can't be {to} now", fix=fix)


def _move(
    world: World, record: PlanRecord, to: State, *, by: str = "lastlook", **more: Any
) -> Move:
    return Move(
        plan=record.id, expect=record.state, expect_epoch=record.epoch, to=to,
        epoch=record.epoch, step=record.step, at=world.now(), by=by, **more,
    )  # fmt: skip
