"""The store fails: before anything ran, in between, and after the act."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook.core.lifecycle import Move, PlanRecord, State
from lastlook.core.outcome import InProgress, Partial, StoreUnavailable, Unknown
from lastlook.errors import StoreBusy, StoreError, StoreFull
from lastlook.stores.memory import MemoryStore
from tests.scenarios.desk import Desk
from tests.scenarios.test_stopped_halfway import Shop


class FailingStore(MemoryStore):
    """A store that fails at what it is told to fail at: a verb, or a move to a state."""

    def __init__(self) -> None:
        super().__init__()
        self.fails: set[Any] = set()

    def _may_fail(self, what: object) -> None:
        if what in self.fails:
            raise StoreFull("no space is left on the disk", where="memory")

    def add(self, new: Any, /) -> PlanRecord | None:
        self._may_fail("add")
        return super().add(new)

    def get(self, plan_id: str, /) -> PlanRecord:
        self._may_fail("get")
        return super().get(plan_id)

    def move(self, move: Move, /) -> PlanRecord | None:
        self._may_fail(move.to)
        self._may_fail((move.to, move.step))
        return super().move(move)


@pytest.fixture
def store() -> FailingStore:
    return FailingStore()


def test_a_proposal_that_cannot_be_stored_is_a_typed_error(desk: Desk, store: Any) -> None:
    store.fails = {"add"}
    with pytest.raises(StoreError):
        desk.proposed()


def test_a_yes_that_cannot_be_stored_does_not_count(desk: Desk, store: Any) -> None:
    plan = desk.proposed()
    store.fails = {State.CONFIRMED}
    assert isinstance(desk.look.confirm(plan, by="ana"), StoreUnavailable)
    store.fails = set()
    assert desk.state(plan) is State.PENDING


@pytest.mark.parametrize("where", ["get", State.CLAIMED, State.EXECUTING])
def test_nothing_runs_where_the_intent_cannot_be_written(
    desk: Desk, store: Any, where: object
) -> None:
    plan = desk.confirmed()
    store.fails = {where}
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, StoreUnavailable)
    assert "no space" in outcome.reason
    assert desk.effects == []
    store.fails = set()
    assert desk.state(plan) is State.CONFIRMED
    assert desk.look.dispatch(plan).ok
    assert len(desk.effects) == 1


def test_a_block_that_cannot_be_written_still_runs_nothing(desk: Desk, store: Any) -> None:
    plan = desk.confirmed()
    desk.change(status="unavailable")
    store.fails = {State.BLOCKED_STALE}
    assert isinstance(desk.look.dispatch(plan), StoreUnavailable)
    assert desk.effects == []


def test_what_ran_and_could_not_be_recorded_is_unknown_and_never_runs_again(
    desk: Desk, store: Any
) -> None:
    plan = desk.confirmed()
    store.fails = {State.EXECUTED}
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Unknown)
    assert "executed" in outcome.reason
    assert len(desk.effects) == 1
    store.fails = set()
    assert not desk.look.dispatch(plan).ok
    assert len(desk.effects) == 1


def test_a_store_that_fails_between_two_steps_stops_and_tells_what_was_done(
    desk: Desk, store: Any
) -> None:
    shop = Shop(desk)
    plan = shop.confirmed()
    store.fails = {(State.EXECUTING, 2)}
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Partial | Unknown)
    assert [item.tool for item in outcome.done] == ["refund"]
    assert desk.effects == [("refund", "W1", 80)]


def test_a_fresh_plan_that_cannot_be_stored_leaves_the_block(desk: Desk, store: Any) -> None:
    plan = desk.confirmed()
    desk.change(price=95)
    store.fails = {"add"}
    outcome = desk.look.dispatch(plan)
    assert outcome.name == "blocked_stale"
    assert outcome.fresh is None
    assert "no space" in outcome.why_no_fresh
    store.fails = set()
    assert desk.look.renew(plan).follows == plan.id


def test_a_store_that_is_busy_says_so_and_the_plan_is_as_it_was(desk: Desk, store: Any) -> None:
    plan = desk.confirmed()

    def busy(*_: object) -> None:
        raise StoreBusy("another process holds the store for too long")

    store._may_fail = busy
    assert isinstance(desk.look.dispatch(plan), StoreUnavailable)
    del store._may_fail
    assert desk.look.dispatch(plan).ok


def test_a_claim_that_cannot_be_given_back_stays_a_claim(
    desk: Desk, store: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    plan = desk.confirmed()

    def stop(*_: object) -> None:
        store.fails = {State.CONFIRMED}
        raise KeyboardInterrupt

    monkeypatch.setattr(desk.look.world.sources["slots"], "read", stop)
    with pytest.raises(KeyboardInterrupt):
        desk.look.dispatch(plan)
    assert "claim not released" in caplog.text
    assert desk.state(plan) is State.CLAIMED
    assert isinstance(desk.look.dispatch(plan), InProgress)
    assert desk.effects == []
    desk.look.cancel(plan)
    assert desk.state(plan) is State.CANCELLED


def test_a_store_where_every_id_is_taken_is_a_typed_error(desk: Desk) -> None:
    desk.look.world.new_id = lambda _: "k7f3"
    assert desk.proposed().id == "k7f3"
    with pytest.raises(StoreBusy, match="no free id"):
        desk.proposed()
