"""Several dispatchers of one plan: whoever is first, there is one effect."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedStale,
    Confirmed,
    Executed,
    InProgress,
    Outcome,
    Rejected,
)
from lastlook.errors import WrongState
from lastlook.stores.memory import MemoryStore
from tests.scenarios.desk import SLOT, Desk

PATIENCE = 60


@pytest.fixture(params=["memory", "sqlite"])
def desks(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    """Two programs over one store and one world, each with its own connection."""
    store: Any = MemoryStore() if request.param == "memory" else tmp_path / "plans.db"
    slots = {"slot-42": dict(SLOT)}
    one, two = Desk(store, slots), Desk(store, slots)
    two.effects = one.effects
    yield one, two
    for desk in (one, two):
        desk.look.close()


def at_once(*work: Callable[[], Any]) -> list[Any]:
    """Run all of it on threads that start together; an exception is a result too."""
    gate = threading.Barrier(len(work))
    results: list[Any] = [None] * len(work)

    def run(place: int) -> None:
        gate.wait(PATIENCE)
        try:
            results[place] = work[place]()
        except Exception as error:  # noqa: BLE001  # looked at by the test
            results[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    return results


def names(outcomes: list[Outcome]) -> list[str]:
    return sorted(outcome.name for outcome in outcomes)


def test_two_programs_dispatch_one_plan_and_it_runs_once(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    plan = one.confirmed()
    outcomes = at_once(lambda: one.look.dispatch(plan.id), lambda: two.look.dispatch(plan.id))
    (loser,) = [outcome for outcome in outcomes if not isinstance(outcome, Executed)]
    assert isinstance(loser, AlreadyUsed | InProgress)
    assert len(one.effects) == 1
    states = one.states(plan)
    assert states == ["pending", "confirmed", "claimed", "executing", "executed"]


def test_while_one_acts_the_other_is_told_that_it_is_in_progress(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    plan = one.confirmed()
    begun, told = threading.Event(), threading.Event()

    def act(_: object) -> None:
        begun.set()
        assert told.wait(PATIENCE)

    def other() -> Outcome:
        assert begun.wait(PATIENCE)
        try:
            return two.look.dispatch(plan.id)
        finally:
            told.set()

    one.on_book = act
    first, second = at_once(lambda: one.look.dispatch(plan.id), other)
    assert isinstance(first, Executed)
    assert isinstance(second, InProgress)
    assert second.owner == one.look.world.owner
    assert len(one.effects) == 1


def test_a_plan_is_blocked_once_and_has_one_fresh_plan(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    plan = one.confirmed()
    one.change(price=95)
    outcomes = at_once(lambda: one.look.dispatch(plan.id), lambda: two.look.dispatch(plan.id))
    assert names(outcomes) in (["already_used", "blocked_stale"], ["blocked_stale", "in_progress"])
    assert one.effects == []
    newest = one.look.world.store.newest(plan.lineage)
    assert (newest.number, newest.follows) == (2, plan.id)


def test_two_renew_one_blocked_plan_and_get_the_same(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    plan = one.confirmed()
    planners = [desk.look.world.planners.pop("book_slot") for desk in desks]
    one.change(price=95)
    blocked = one.look.dispatch(plan)
    assert isinstance(blocked, BlockedStale)
    assert blocked.fresh is None
    for desk, planner in zip(desks, planners, strict=True):
        desk.look.world.add_planner(planner)
    fresh = at_once(lambda: one.look.renew(plan), lambda: two.look.renew(plan))
    assert fresh[0] == fresh[1]
    assert one.look.world.store.newest(plan.lineage).number == 2


def test_of_a_yes_and_a_no_at_once_one_stands(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    plan = one.proposed()
    yes, no = at_once(
        lambda: one.look.confirm(plan, by="ana"), lambda: two.look.reject(plan, by="ben")
    )
    if isinstance(yes, Confirmed):
        assert isinstance(no, WrongState)
        assert one.state(plan) is State.CONFIRMED
    else:
        assert isinstance(yes, Rejected)
        assert no is None
        assert one.state(plan) is State.REJECTED


def test_a_withdrawal_and_a_dispatch_at_once_never_leave_both(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    plan = one.confirmed()
    ran, withdrawn = at_once(lambda: one.look.dispatch(plan), lambda: two.look.cancel(plan))
    assert len(one.effects) == (1 if isinstance(ran, Executed) else 0)
    assert isinstance(ran, Executed) is isinstance(withdrawn, WrongState)
    assert one.state(plan) is (State.EXECUTED if isinstance(ran, Executed) else State.CANCELLED)


def test_two_proposals_under_one_key_give_one_plan(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    made = at_once(
        *(
            lambda d=desk: d.book_slot.options(key="order-7").propose("slot-42")
            for desk in (one, two)
        )
    )
    assert made[0] == made[1]
    assert len(one.look.pending()) == 1
