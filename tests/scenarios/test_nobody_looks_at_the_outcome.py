"""An outcome that is taken for a boolean, not unwrapped, or met as an exception."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from lastlook import Lastlook
from lastlook.core.lifecycle import State
from lastlook.errors import MayHaveRun, NotRun
from tests.scenarios.desk import Desk


def test_an_outcome_is_no_boolean(desk: Desk) -> None:
    plan = desk.proposed()
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(desk.look.dispatch(plan))
    with pytest.raises(TypeError, match=r"\.ok"):
        bool(desk.look.confirm(plan, by="ana"))
    with pytest.raises(TypeError, match="unwrap"):
        assert desk.look.dispatch(plan)
    assert desk.state(plan) is State.EXECUTED


def test_a_refusal_unwrapped_raises_that_nothing_ran(desk: Desk) -> None:
    outcome = desk.look.dispatch(desk.proposed())
    with pytest.raises(NotRun, match="has no yes") as caught:
        outcome.unwrap()
    assert caught.value.outcome is outcome


def test_a_block_unwrapped_raises_that_nothing_ran_and_what_changed(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.change(status="unavailable")
    outcome = desk.look.dispatch(plan)
    with pytest.raises(NotRun, match="unavailable") as caught:
        outcome.unwrap()
    assert caught.value.outcome is outcome


class Guard:
    """A guarded function over the desk's slots."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.raises: BaseException | None = None
        look: Lastlook = desk.look

        @look.guarded(
            "Buy {slot_id} for {amount}",
            rests_on={"slots:{slot_id}": ["status == 'available'", "price <= {amount}"]},
            writes=["slots:{slot_id}#status"],
        )
        def buy(slot_id: str, amount: int) -> str:
            """Buy a slot."""
            desk.effects.append(("buy", slot_id, amount))
            if self.raises is not None:
                raise self.raises
            return f"bought {slot_id}"

        self.buy: Any = buy


@pytest.fixture
def guard(desk: Desk) -> Guard:
    return Guard(desk)


def test_a_guarded_call_asks_and_returns_what_the_function_returns(guard: Guard) -> None:
    guard.desk.says("yes")
    assert guard.buy("slot-42", 100) == "bought slot-42"
    (question,) = guard.desk.asker.questions
    assert question.plan.intent == "Buy slot-42 for 100"
    assert guard.buy.__doc__ == "Buy a slot."


@pytest.mark.parametrize("answer", ["no", "nothing"])
def test_a_guarded_call_without_a_yes_raises_that_nothing_ran(guard: Guard, answer: str) -> None:
    guard.desk.says(answer)
    with pytest.raises(NotRun):
        guard.buy("slot-42", 100)
    assert guard.desk.effects == []


def test_a_guarded_call_whose_slot_is_taken_meanwhile_raises_that_nothing_ran(
    guard: Guard,
) -> None:
    def taken(_: object) -> str:
        guard.desk.change(status="unavailable")
        return "yes"

    guard.desk.says(taken)
    with pytest.raises(NotRun, match="only makes sense while"):
        guard.buy("slot-42", 100)
    assert guard.desk.effects == []


def test_a_guarded_function_that_raises_may_have_run(guard: Guard) -> None:
    guard.desk.says("yes")
    guard.raises = OSError("gone")
    with pytest.raises(MayHaveRun):
        guard.buy("slot-42", 100)
    assert len(guard.desk.effects) == 1


def test_a_guarded_condition_is_filled_with_the_argument(guard: Guard) -> None:
    with pytest.raises(ValueError, match="price"):
        guard.buy("slot-42", 10)
    assert guard.desk.asker.questions == []


def test_a_retry_round_a_dispatch_does_not_run_it_twice(desk: Desk) -> None:
    plan = desk.confirmed()

    def break_down(_: object) -> NoReturn:
        raise TimeoutError("too slow")

    desk.on_book = break_down
    outcomes = [desk.look.dispatch(plan) for _ in range(3)]
    assert [outcome.name for outcome in outcomes] == ["unknown", "already_used", "already_used"]
    assert len(desk.effects) == 1
