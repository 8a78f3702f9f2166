"""One yes, more than one dispatch: in turn, at once, from elsewhere, or with no yes at all."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from lastlook.core.lifecycle import State
from lastlook.core.outcome import AlreadyUsed, InProgress, NotConfirmed, Outcome
from lastlook.errors import UnknownPlan
from tests.scenarios.desk import Desk


def test_a_second_dispatch_is_told_that_it_ran(desk: Desk) -> None:
    plan = desk.confirmed()
    assert desk.look.dispatch(plan).ok
    again = desk.look.dispatch(plan)
    assert isinstance(again, AlreadyUsed)
    assert again.state is State.EXECUTED
    assert "was already used: it ran" in again.text()
    assert len(desk.effects) == 1


def test_a_dispatch_before_a_yes_runs_nothing_and_the_yes_may_still_come(desk: Desk) -> None:
    plan = desk.proposed()
    early = desk.look.dispatch(plan)
    assert isinstance(early, NotConfirmed)
    assert desk.effects == []
    assert desk.state(plan) is State.PENDING
    desk.confirmed(plan)
    assert desk.look.dispatch(plan).ok


def test_another_process_over_the_same_store_does_not_run_it_again(
    desk: Desk, open_desk: Callable[..., Desk]
) -> None:
    plan = desk.confirmed()
    other = open_desk(desk.slots, clock=desk.clock)
    assert other.look.dispatch(plan.id).ok
    assert isinstance(desk.look.dispatch(plan), AlreadyUsed)
    assert (desk.effects, other.effects) == ([], [("book", "slot-42", 80)])


def test_a_dispatch_from_inside_the_tool_is_in_progress(desk: Desk) -> None:
    plan = desk.confirmed()
    inner: list[Outcome] = []
    desk.on_book = lambda _: inner.append(desk.look.dispatch(plan))
    assert desk.look.dispatch(plan).ok
    assert isinstance(inner[0], InProgress)
    assert inner[0].owner
    assert len(desk.effects) == 1


def test_many_threads_at_once_and_one_effect(desk: Desk) -> None:
    plan = desk.confirmed()
    gate = threading.Barrier(8)
    outcomes: list[Outcome] = []

    def dispatch() -> None:
        gate.wait()
        outcomes.append(desk.look.dispatch(plan))

    threads = [threading.Thread(target=dispatch) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 8
    assert [outcome.ok for outcome in outcomes].count(True) == 1
    rest = [outcome for outcome in outcomes if not outcome.ok]
    assert all(isinstance(outcome, AlreadyUsed | InProgress) for outcome in rest)
    assert len(desk.effects) == 1


def test_a_plan_that_is_not_there_is_a_typed_error(desk: Desk) -> None:
    with pytest.raises(UnknownPlan, match="zzzz"):
        desk.look.dispatch("zzzz")


def test_the_key_is_the_same_for_tool_and_outcome_and_names_the_step(desk: Desk) -> None:
    plan = desk.confirmed()
    keys: list[tuple[str, str]] = []
    desk.on_book = lambda act: keys.append((act.plan, act.key))
    desk.look.dispatch(plan).unwrap()
    assert keys == [(plan.id, plan.steps[0].key)]
    assert len(plan.steps[0].key) == 64


def test_the_tool_is_given_what_was_checked_and_not_what_was_captured(desk: Desk) -> None:
    seen: list[object] = []

    @desk.look.planner("Book {slot_id} below a limit", name="below")
    def below(plan: object, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "price <= 100")
        plan.step(desk.book, slot_id=slot_id, amount=100)

    plan = desk.confirmed(below.propose("slot-42"))
    desk.change(price=95)
    desk.on_book = lambda act: seen.append(act.checked["slots:slot-42"]["price"])
    outcome = desk.look.dispatch(plan)
    assert outcome.ok
    assert seen == [95]
    assert outcome.checks[0].moved == ("/price",)
