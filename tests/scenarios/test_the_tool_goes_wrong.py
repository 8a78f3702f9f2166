"""The tool raises, gives up, or is interrupted."""

from __future__ import annotations

from typing import NoReturn

import pytest

from lastlook import BlockedUnresolvable, Planning
from lastlook.core.lifecycle import State
from lastlook.core.outcome import AlreadyUsed, Failed, Partial, Unknown
from lastlook.errors import MayHaveRun
from tests.scenarios.desk import Desk


class OutOfStock(Exception):
    """The shop's promise that nothing was sold."""


def interrupt(_: object) -> NoReturn:
    raise KeyboardInterrupt


def fail(_: object) -> NoReturn:
    raise ConnectionResetError("the line went dead")


def test_a_tool_that_raises_is_unknown_and_never_tried_again(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.on_book = fail
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Unknown)
    assert "ConnectionResetError: the line went dead" in outcome.reason
    assert outcome.key == plan.steps[0].key
    assert desk.state(plan) is State.UNKNOWN
    desk.on_book = lambda _: None
    again = desk.look.dispatch(plan)
    assert isinstance(again, AlreadyUsed)
    assert again.state is State.UNKNOWN
    assert len(desk.effects) == 1


def test_unknown_says_what_to_look_at_and_never_that_nothing_was_done(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.on_book = fail
    text = desk.look.dispatch(plan).text()
    assert text.startswith("UNKNOWN")
    assert "NOT RUN" not in text
    assert "Nothing was done" not in text
    assert "slots:slot-42" in text
    assert plan.steps[0].key in text.replace("\n", "").replace(" ", "")


def test_unknown_unwrapped_raises_that_it_may_have_run(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.on_book = fail
    outcome = desk.look.dispatch(plan)
    with pytest.raises(MayHaveRun) as caught:
        outcome.unwrap()
    assert caught.value.outcome is outcome


def test_a_declared_not_applied_is_failed_and_nothing_was_done(desk: Desk) -> None:
    @desk.look.tool(writes=[], not_applied=[OutOfStock])
    def buy(what: str) -> None:
        raise OutOfStock(what)

    @desk.look.planner("Buy {what}")
    def buy_it(plan: Planning, what: str) -> None:
        plan.read("slots:slot-42", "status")
        plan.step(buy, what=what)

    plan = desk.confirmed(buy_it.propose("a puzzle"))
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Failed)
    assert "OutOfStock" in outcome.reason
    assert outcome.done == ()
    assert desk.state(plan) is State.FAILED
    assert isinstance(desk.look.dispatch(plan), AlreadyUsed)


def test_not_applied_at_the_second_step_is_partial_and_lists_the_first(desk: Desk) -> None:
    @desk.look.tool(writes=[], not_applied=[OutOfStock])
    def buy(what: str) -> None:
        raise OutOfStock(what)

    @desk.look.planner("Book and buy {what}")
    def both(plan: Planning, what: str) -> None:
        plan.read("slots:slot-42", "status")
        plan.step(desk.book, slot_id="slot-42", amount=1)
        plan.step(buy, what=what)

    plan = desk.confirmed(both.propose("a puzzle"))
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert [item.tool for item in outcome.done] == ["book"]
    assert outcome.step == 2
    assert desk.state(plan) is State.PARTIAL
    assert "STOPPED HALFWAY" in outcome.text()


def test_an_undeclared_error_at_the_second_step_is_unknown_and_lists_the_first(
    desk: Desk,
) -> None:
    @desk.look.tool(writes=[])
    def buy(what: str) -> None:
        raise OutOfStock(what)

    @desk.look.planner("Book and buy {what}")
    def both(plan: Planning, what: str) -> None:
        plan.read("slots:slot-42", "status")
        plan.step(desk.book, slot_id="slot-42", amount=1)
        plan.step(buy, what=what)

    outcome = desk.look.dispatch(desk.confirmed(both.propose("a puzzle")))
    assert isinstance(outcome, Unknown)
    assert ([item.step for item in outcome.done], outcome.step) == ([1], 2)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_the_tool_is_recorded_as_unknown_and_raised_on(
    desk: Desk, error: type[BaseException]
) -> None:
    def stop(_: object) -> NoReturn:
        raise error

    plan = desk.confirmed()
    desk.on_book = stop
    with pytest.raises(error):
        desk.look.dispatch(plan)
    assert desk.state(plan) is State.UNKNOWN
    assert isinstance(desk.look.dispatch(plan), AlreadyUsed)
    assert len(desk.effects) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_during_the_look_gives_the_claim_back_and_the_yes_still_stands(
    desk: Desk, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = desk.confirmed()

    def stop(*_: object) -> NoReturn:
        raise error

    source = desk.look.world.sources["slots"]
    with monkeypatch.context() as patch:
        patch.setattr(source, "read", stop)
        with pytest.raises(error):
            desk.look.dispatch(plan)
    assert desk.effects == []
    assert desk.state(plan) is State.CONFIRMED
    assert desk.states(plan)[-2:] == ["claimed", "confirmed"]
    assert desk.look.dispatch(plan).ok
    assert len(desk.effects) == 1


def test_a_result_that_a_later_step_cannot_take_stops_before_it(desk: Desk) -> None:
    sold: list[int] = []

    @desk.look.tool(writes=[])
    def sell(number: int) -> None:
        sold.append(number)

    @desk.look.planner("Book and sell")
    def both(plan: Planning) -> None:
        plan.read("slots:slot-42", "price")
        booked = plan.step(desk.book, slot_id="slot-42", amount=1)
        plan.step(sell, number=booked.result)

    outcome = desk.look.dispatch(desk.confirmed(both.propose()))
    assert isinstance(outcome, Partial)
    assert "never began" in outcome.reason
    assert sold == []


def test_a_result_without_a_canonical_form_is_still_a_result(desk: Desk) -> None:
    thing = object()

    @desk.look.tool(writes=[])
    def build() -> object:
        return thing

    @desk.look.planner("Build")
    def build_it(plan: Planning) -> None:
        plan.read("slots:slot-42", "status")
        plan.step(build)

    plan = desk.confirmed(build_it.propose())
    outcome = desk.look.dispatch(plan)
    assert outcome.unwrap() == (thing,)
    assert desk.state(plan) is State.EXECUTED


def boom(*_: object) -> NoReturn:
    raise RuntimeError("no thread could be started")


def test_a_look_that_fails_in_itself_blocks_with_zero_effects(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = desk.confirmed()
    monkeypatch.setattr(desk.look.world, "look", boom)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.reason.startswith("lastlook: the look itself failed: RuntimeError")
    assert desk.effects == []


def test_a_look_that_fails_in_itself_between_two_steps_stops_halfway(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    @desk.look.planner("Book {slot_id} twice", name="twice")
    def twice(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "slot_id")
        plan.step(desk.book, slot_id=slot_id, amount=1)
        plan.step(desk.book, slot_id=slot_id, amount=2)

    plan = desk.confirmed(twice.propose("slot-42"))
    desk.on_book = lambda _: monkeypatch.setattr(desk.look.world, "look", boom)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert "the look itself failed" in outcome.reason
    assert desk.effects == [("book", "slot-42", 1)]


class Unprintable(Exception):
    """An error whose words are an error."""

    def __str__(self) -> str:
        raise ValueError("no words")


def test_an_error_without_words_is_still_unknown_and_recorded(desk: Desk) -> None:
    def fail_without_words(_: object) -> NoReturn:
        raise Unprintable

    plan = desk.confirmed()
    desk.on_book = fail_without_words
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Unknown)
    assert "Unprintable" in outcome.reason
    assert desk.state(plan) is State.UNKNOWN
