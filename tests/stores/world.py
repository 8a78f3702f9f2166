"""Plans and moves to put into stores, with times that stand still."""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from lastlook.core.lifecycle import Confirmation, Look, Move, NewPlan, State

if TYPE_CHECKING:
    from lastlook.core.lifecycle import PlanRecord
    from lastlook.core.ports import Store

T0 = datetime(2026, 10, 3, 14, 2, 11, 120_000, tzinfo=UTC)
SEAL = "5e" * 32


def at(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def new_plan(plan_id: str = "k7f3", **changes: Any) -> NewPlan:
    given: dict[str, Any] = {
        "id": plan_id,
        "lineage": plan_id.partition(".")[0],
        "number": int(plan_id.partition(".")[2] or 1),
        "follows": None,
        "requested_by": "agent:support",
        "key": None,
        "body": b'{"intent": "Refund order #W1006327"}',
        "seal": SEAL,
        "state": State.PENDING,
        "at": T0,
    }
    return NewPlan(**{**given, **changes})


def yes(plan_id: str = "k7f3", **changes: Any) -> Confirmation:
    given = {"plan": plan_id, "seal": SEAL, "shown": "5f" * 32, "by": "person:ana", "at": at(29)}
    return Confirmation(**{**given, **changes})


def move(record: PlanRecord, to: State, **changes: Any) -> Move:
    """A move from where the plan stands; the changes say what is different."""
    given: dict[str, Any] = {
        "plan": record.id,
        "expect": record.state,
        "expect_epoch": record.epoch,
        "to": to,
        "epoch": record.epoch,
        "step": record.step,
        "at": at(record.rows),
        "by": "lastlook",
    }
    return Move(**{**given, **changes})


def to_confirmed(record: PlanRecord, **changes: Any) -> Move:
    look = Look(moment="at_yes", at=at(28), seen={"orders:#W1": {"status": "delivered"}})
    given = {"by": "person:ana", "confirmation": yes(record.id), "look": look}
    return move(record, State.CONFIRMED, **{**given, **changes})


def to_claimed(record: PlanRecord, **changes: Any) -> Move:
    given = {"epoch": record.epoch + 1, "owner": "host:boot:17", "lease_until": at(90)}
    return move(record, State.CLAIMED, **{**given, **changes})


def to_executing(record: PlanRecord, **changes: Any) -> Move:
    given = {"step": 1, "burn": True, "owner": record.owner, "lease_until": record.lease_until}
    return move(record, State.EXECUTING, **{**given, **changes})


def apply(store: Store, wanted: Move) -> PlanRecord:
    record = store.move(wanted)
    assert record is not None
    return record


def added(store: Store, plan_id: str = "k7f3", **changes: Any) -> PlanRecord:
    record = store.add(new_plan(plan_id, **changes))
    assert record is not None
    return record


def confirmed(store: Store, plan_id: str = "k7f3", **changes: Any) -> PlanRecord:
    return apply(store, to_confirmed(added(store, plan_id, **changes)))


def executing(store: Store, plan_id: str = "k7f3", **changes: Any) -> PlanRecord:
    claimed = apply(store, to_claimed(confirmed(store, plan_id, **changes)))
    return apply(store, to_executing(claimed))


def executed(store: Store, plan_id: str = "k7f3", **changes: Any) -> PlanRecord:
    begun = executing(store, plan_id, **changes)
    return apply(store, move(begun, State.EXECUTED, outcome=b'{"outcome":"executed"}'))


def everything(store: Store) -> tuple[object, ...]:
    """All that a store can tell, to compare it with itself before and after."""
    plans = list(store.plans())
    return plans, list(store.rows()), [list(store.looks(plan.id)) for plan in plans]


def quick_folder() -> str:
    """A private folder where syncs cost little, for tests that write a lot."""
    memory = "/dev/shm"
    return tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None)
