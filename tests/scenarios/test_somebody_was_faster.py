"""Somebody else moves the plan while it is looked at, or while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from lastlook import ActionPlan, Planning
from lastlook.core.lifecycle import Move, State
from lastlook.core.outcome import (
    AlreadyUsed,
    Cancelled,
    Confirmed,
    Outcome,
    Partial,
    Rejected,
    Unknown,
)
from lastlook.errors import NoFreshPlan, WrongState
from lastlook.testing import ScriptedSource
from tests.scenarios.desk import Desk

KIM = {"name": "Kim"}


class Busy:
    """A desk whose plans rest on Kim, and something that happens while Kim is read."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.people = ScriptedSource(KIM)
        desk.look.world.sources.add("people", self.people)

        @desk.look.planner("Book {slot_id} for Kim", name="for_kim")
        def for_kim(plan: Planning, slot_id: str) -> None:
            plan.read("people:kim", "name")
            plan.step(desk.book, slot_id=slot_id, amount=1)

        self.for_kim = for_kim

    def during_the_look(self, happens: Callable[[], object], record: Any = KIM) -> None:
        def read(_: str) -> Any:
            self.people.then(record)
            happens()
            return record

        self.people.then(read)


@pytest.fixture
def busy(desk: Desk) -> Busy:
    return Busy(desk)


def test_withdrawn_during_the_last_look_it_does_not_run(busy: Busy) -> None:
    plan = busy.desk.confirmed(busy.for_kim.propose("slot-42"))
    busy.during_the_look(lambda: busy.desk.look.cancel(plan))
    assert isinstance(busy.desk.look.dispatch(plan), Cancelled)
    assert busy.desk.effects == []
    assert busy.desk.states(plan)[-2:] == ["claimed", "cancelled"]


def test_withdrawn_during_a_look_that_finds_a_change_it_stays_withdrawn(busy: Busy) -> None:
    plan = busy.desk.confirmed(busy.for_kim.propose("slot-42"))
    busy.during_the_look(lambda: busy.desk.look.cancel(plan), {"name": "Lee"})
    assert isinstance(busy.desk.look.dispatch(plan), Cancelled)
    assert busy.desk.state(plan) is State.CANCELLED


def test_rejected_while_another_says_yes_the_no_stands(busy: Busy) -> None:
    plan = busy.for_kim.propose("slot-42")
    busy.during_the_look(lambda: busy.desk.look.reject(plan, by="bob", why="no"))
    assert isinstance(busy.desk.look.confirm(plan, by="ana"), Rejected)
    assert busy.desk.state(plan) is State.REJECTED


def test_two_say_yes_at_once_and_one_of_them_counts(busy: Busy) -> None:
    plan = busy.for_kim.propose("slot-42")
    answers: list[Outcome] = []
    busy.during_the_look(lambda: answers.append(busy.desk.look.confirm(plan, by="bob")))
    late = busy.desk.look.confirm(plan, by="ana")
    assert isinstance(answers[0], Confirmed)
    assert isinstance(late, AlreadyUsed)
    assert busy.desk.look.world.store.get(plan.id).confirmation.by == "person:bob"


def test_rejected_while_a_yes_finds_a_change_the_no_stands(busy: Busy) -> None:
    plan = busy.for_kim.propose("slot-42")
    busy.during_the_look(lambda: busy.desk.look.reject(plan, by="bob"), {"name": "Lee"})
    assert isinstance(busy.desk.look.confirm(plan, by="ana"), Rejected)
    assert busy.desk.look.pending() == ()


def taken_over(desk: Desk, plan: ActionPlan) -> None:
    """What recovery does with a plan whose owner it holds for dead."""
    record = desk.look.world.store.get(plan.id)
    move = Move(
        plan=plan.id,
        expect=State.EXECUTING,
        expect_epoch=record.epoch,
        to=State.UNKNOWN,
        epoch=record.epoch + 1,
        step=record.step,
        at=desk.clock.now(),
        by="lastlook",
    )
    assert desk.look.world.store.move(move) is not None


def test_taken_over_while_it_runs_the_end_is_unknown_and_not_overwritten(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.on_book = lambda _: taken_over(desk, plan)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Unknown)
    assert "taken over" in outcome.reason
    assert desk.state(plan) is State.UNKNOWN
    assert len(desk.effects) == 1


def test_taken_over_between_two_steps_the_second_does_not_begin(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id} twice", name="twice")
    def twice(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "slot_id")
        plan.step(desk.book, slot_id=slot_id, amount=1)
        plan.step(desk.book, slot_id=slot_id, amount=2)

    plan = desk.confirmed(twice.propose("slot-42"))
    desk.on_book = lambda _: taken_over(desk, plan)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Partial | Unknown)
    assert [item.step for item in outcome.done] == [1]
    assert desk.effects == [("book", "slot-42", 1)]
    assert desk.state(plan) is State.UNKNOWN


def test_many_renew_one_block_at_once_and_get_one_fresh_plan(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.change(status="held")
    desk.look.dispatch(plan)
    blocked = desk.look.renew(plan)
    desk.confirmed(blocked)
    desk.change(status="available")
    gate = threading.Barrier(4)
    fresh: list[ActionPlan] = []
    del desk.look.world.planners["book_slot"]
    desk.look.dispatch(blocked)
    desk.book_slot = desk._planner()

    def renew() -> None:
        gate.wait()
        fresh.append(desk.look.renew(blocked))

    threads = [threading.Thread(target=renew) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [item.id for item in fresh] == [f"{plan.id}.3"] * 4
    assert len({item.seal for item in fresh}) == 1
    assert [item.id for item in desk.look.pending()] == [f"{plan.id}.3"]


@pytest.mark.parametrize("confirmed", [True, False])
def test_withdrawn_in_the_moment_it_expires_it_stays_withdrawn(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, *, confirmed: bool
) -> None:
    plan = desk.book_slot.options(expires_in=60).propose("slot-42")
    if confirmed:
        desk.confirmed(plan)
    desk.clock.advance(61)
    late = desk.clock.now()

    def now() -> Any:
        monkeypatch.undo()
        desk.look.cancel(plan)
        return late

    monkeypatch.setattr(desk.look.world, "now", now)
    verb = desk.look.dispatch if confirmed else lambda item: desk.look.confirm(item, by="ana")
    assert isinstance(verb(plan), Cancelled)
    assert desk.state(plan) is State.CANCELLED


def test_confirmed_in_the_moment_it_is_rejected_the_no_comes_too_late(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = desk.proposed()
    now = desk.clock.now()

    def confirm_first() -> Any:
        monkeypatch.undo()
        desk.confirmed(plan)
        return now

    monkeypatch.setattr(desk.look.world, "now", confirm_first)
    with pytest.raises(WrongState, match="has its yes"):
        desk.look.reject(plan, by="bob")
    assert desk.state(plan) is State.CONFIRMED


def test_rejected_while_it_is_renewed_there_is_no_fresh_plan(busy: Busy) -> None:
    plan = busy.for_kim.propose("slot-42")
    busy.during_the_look(lambda: busy.desk.look.reject(plan, by="bob"), {"name": "Lee"})
    with pytest.raises(NoFreshPlan, match="rejected"):
        busy.desk.look.renew(plan)
    assert busy.desk.look.pending() == ()
