"""Dispatch: claim, check, durable intent, act, record. In this order, each once.

1. claim    CONFIRMED -> CLAIMED, compare and set; who loses gets *in progress*
2. seal     the stored bytes against the seal, and the yes against both
3. check    tools' definitions and all evidence, read after the claim
4. intent   CLAIMED -> EXECUTING(1), the yes burned, durable before the effect
5. act      step by step; before each later step its evidence again
6. record   EXECUTED, or what became of it

Whatever goes wrong before 4 leaves zero effects. Whatever goes wrong after it, other
than a declared *not applied*, is UNKNOWN and is never tried again.
"""

from __future__ import annotations

import json
import logging
from typing import Any, assert_never

from lastlook.core.check import CheckResult, Unresolvable
from lastlook.core.deciding import is_expired, refusal, unread_plan, verdict, yes_counts
from lastlook.core.lifecycle import Look, Move, PlanRecord, State
from lastlook.core.outcome import (
    Blocked,
    BlockedStale,
    BlockedTampered,
    BlockedUnresolvable,
    DispatchOutcome,
    Expired,
    StoreUnavailable,
)
from lastlook.core.outcome_base import changed_by_ref
from lastlook.core.plan import ActionPlan
from lastlook.core.visible import visible
from lastlook.dispatch.acting import Acting, words_of
from lastlook.dispatch.world import World
from lastlook.errors import StoreError
from lastlook.planning.tools import refuse_in_planner

log = logging.getLogger("lastlook")


def dispatch(world: World, plan_id: str) -> DispatchOutcome:
    """Take the last look at a confirmed plan, and run it or block.

    A block is committed before this returns; a fresh plan is not made here.

    Raises:
        UnknownPlan: There is no such plan.
        NotRegistered: This program lacks a tool or source of the plan; the plan is
            as it was.
        DeclarationError: A planner is running here.
    """
    refuse_in_planner(f"dispatched plan {plan_id}")
    try:
        record = world.store.get(plan_id)
        plan = world.plan_of(record)
        if record.state is not State.CONFIRMED:
            return refusal(record, plan or unread_plan(record.id, record.state_at))
        if plan is not None and not _yes_holds(record, plan):
            plan = None  # not what was said yes to: nothing in it is followed or shown
        if plan is not None:
            world.require(plan)
        return _Dispatch(world, record, plan).run()
    except StoreError as error:
        log.warning("plan=%s store_unavailable %s", visible(plan_id), visible(error.what))
        return StoreUnavailable(plan=unread_plan(plan_id, world.now()), reason=str(error))


class _Dispatch:
    """One dispatch of one plan, up to the intent; `Acting` goes on from there."""

    def __init__(self, world: World, record: PlanRecord, plan: ActionPlan | None) -> None:
        self._world = world
        self._record = record
        self._sound = plan is not None
        self._plan = plan or unread_plan(record.id, record.state_at)

    def run(self) -> DispatchOutcome:
        """Go through the order at the head of this module."""
        if self._sound and is_expired(self._plan, self._world.now):
            return self._expire()
        before = self._record
        claimed = self._move(State.CLAIMED, epoch=before.epoch + 1)
        if claimed is None:
            return self._overtaken()
        # The same bytes under the same seal need not be hashed and read again.
        self._sound = self._sound and (claimed.body, claimed.seal) == (before.body, before.seal)
        self._record = claimed
        try:
            return self._checked()
        except BaseException:
            self._release()
            raise

    def _checked(self) -> DispatchOutcome:
        if not self._seal_holds():
            return self._block(BlockedTampered, State.BLOCKED_TAMPERED, ())
        began = self._world.clock.monotonic()
        checks = self._look()
        self._at = self._world.now()
        match verdict(checks):
            case "stale":
                return self._block(BlockedStale, State.BLOCKED_STALE, checks)
            case "unresolvable":
                return self._block(BlockedUnresolvable, State.BLOCKED_UNRESOLVABLE, checks)
            case "valid" if is_expired(self._plan, self._world.now):
                return self._expire()
            case "valid":
                return self._intend(checks, began)
            case _ as unreachable:
                assert_never(unreachable)

    def _seal_holds(self) -> bool:
        """Compare the claimed bytes with the seal, and the yes with both."""
        plan = self._plan if self._sound else self._world.plan_of(self._record)
        if plan is None or not _yes_holds(self._record, plan):
            return False
        self._plan = plan
        return True

    def _look(self) -> tuple[CheckResult, ...]:
        """Look at the tools and at all evidence. What goes wrong in here blocks."""
        world, plan = self._world, self._plan
        try:
            changed = world.changed_tools(plan)
            return changed + world.look(plan.evidence, self._record.salts)
        except Exception as error:  # noqa: BLE001  # whatever fails in a look blocks
            world.failed(plan.id, "the look", error)
            reason = f"the look itself failed: {words_of(error)}"
            return (Unresolvable(ref="lastlook", reason=reason),)

    def _intend(self, checks: tuple[CheckResult, ...], began: float) -> DispatchOutcome:
        """Write down, durably, that step 1 begins, and use the yes up."""
        look = look_of("before_step_1", self._at, checks)
        fields = sum(getattr(item, "fields", 0) for item in checks)
        record = self._move(
            State.EXECUTING, step=1, burn=True, look=look,
            data={"sources": len(checks), "fields": fields},
        )  # fmt: skip
        if record is None:
            return self._overtaken()
        self._record = record
        return Acting(self._world, record, self._plan, checks, began).run()

    def _block(
        self, kind: type[Blocked], state: State, checks: tuple[CheckResult, ...]
    ) -> DispatchOutcome:
        at = self._world.now()
        yes = self._record.confirmation
        blocked: Any = kind(
            plan=self._plan, checks=checks, at=at, confirmed_at=yes.at if yes else None
        )
        look = look_of("before_step_1", at, checks) if checks else None
        moved = self._move(state, look=look, data=names_of(checks), outcome=blocked)
        if moved is None:
            return self._overtaken()
        return blocked  # type: ignore[no-any-return]  # one of the three leaves

    def _expire(self) -> DispatchOutcome:
        moved = self._move(State.EXPIRED)
        if moved is None:
            return self._overtaken()
        return Expired(plan=self._plan, reason="has expired", at=self._plan.expires_at)

    def _overtaken(self) -> DispatchOutcome:
        """Somebody else moved the plan first: say how it stands now."""
        record = self._world.store.get(self._record.id)
        return refusal(record, self._world.plan_of(record) or self._plan)

    def _release(self) -> None:
        """Give the claim back, where it is still ours; the yes is not used up."""
        if self._record.state is not State.CLAIMED:
            return
        try:
            self._move(State.CONFIRMED)
        except StoreError as error:
            log.warning("plan=%s claim not released: %s", self._record.id, visible(error.what))

    def _move(
        self,
        to: State,
        *,
        epoch: int | None = None,
        step: int = 0,
        burn: bool = False,
        look: Look | None = None,
        data: Any = None,
        outcome: Blocked | None = None,
    ) -> PlanRecord | None:
        held = to in {State.CLAIMED, State.EXECUTING}
        return self._world.move(
            Move(
                plan=self._record.id,
                expect=self._record.state,
                expect_epoch=self._record.epoch,
                to=to,
                epoch=self._record.epoch if epoch is None else epoch,
                step=step,
                at=self._world.now(),
                by="lastlook",
                owner=(self._record.owner or self._world.owner) if held else None,
                data=data,
                burn=burn,
                look=look,
                outcome=None if outcome is None else _bytes(outcome),
            )
        )


def _yes_holds(record: PlanRecord, plan: ActionPlan) -> bool:
    """Tell whether the yes is whole, for this plan and these bytes, and not used up."""
    yes = record.confirmation
    if yes is None or record.burned_at is not None:
        return False
    whole = yes.seal == record.seal and yes.plan == record.id and yes.shown
    return bool(whole) and yes_counts(plan, yes.by)


def look_of(moment: str, at: Any, checks: tuple[CheckResult, ...]) -> Look:
    """Return what was read, to be kept beside the plan."""
    seen = [[item.ref, list(getattr(item, "cells", ()))] for item in checks]
    return Look(moment=moment, at=at, seen=seen)


def names_of(checks: tuple[CheckResult, ...]) -> dict[str, Any]:
    """Return what a journal row says of a block: refs and fields, and no value."""
    return {
        "changed": {ref: list(fields) for ref, fields in changed_by_ref(checks).items()},
        "unreadable": {item.ref: item.kind for item in checks if isinstance(item, Unresolvable)},
    }


def _bytes(outcome: Blocked) -> bytes:
    return json.dumps(outcome.data(), allow_nan=False).encode()
