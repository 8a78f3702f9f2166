"""Guarded functions: declared once, and each call asks, looks again, and runs or raises."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook import Lastlook, field
from lastlook.core.lifecycle import State
from lastlook.core.outcome import BlockedStale, Executed, NotConfirmed
from lastlook.errors import (
    BadArguments,
    CaptureFailed,
    ConditionNotMet,
    DeclarationError,
    LastlookError,
    NoEvidence,
    NoFields,
    NotRun,
)
from lastlook.planning.guarded import Guarded
from lastlook.testing import FakeClock, ScriptedAsker


class Shop:
    def __init__(self, *answers: object) -> None:
        self.orders: dict[str, Any] = {
            "W1": {"status": "paid", "amount": 80, "items": ["lamp"], "owner": {"name": "kim"}}
        }
        self.done: list[Any] = []
        self.asker = ScriptedAsker(*answers)
        self.look = Lastlook(
            sources={"orders": self.orders}, store="memory", clock=FakeClock(), asker=self.asker
        )

    def guard(self, rests_on: Any, intent: str = "Refund {order_id}", **more: Any) -> Any:
        @self.look.guarded(intent, rests_on=rests_on, writes=["orders:{order_id}#status"], **more)
        def refund(order_id: str, amount: int, limit: int = 100) -> str:
            """Refund an order."""
            self.done.append((order_id, amount))
            return f"refunded {order_id}"

        return refund

    def change(self, **changes: Any) -> None:
        self.orders["W1"] = self.orders["W1"] | changes


RESTS = {"orders:{order_id}": ["status == 'paid'", "amount"]}


def test_a_call_asks_and_returns_what_the_function_returns() -> None:
    shop = Shop("yes")
    refund = shop.guard(RESTS)
    assert refund("W1", 80) == "refunded W1"
    (question,) = shop.asker.questions
    assert question.plan.intent == "Refund W1"
    assert question.plan.origin.kind == "guarded"
    assert question.plan.origin.arguments == {"order_id": "W1", "amount": 80, "limit": 100}
    assert shop.done == [("W1", 80)]


def test_it_keeps_the_name_and_the_words_of_the_function() -> None:
    refund = Shop().guard(RESTS)
    assert isinstance(refund, Guarded)
    assert (refund.__name__, refund.__doc__) == ("refund", "Refund an order.")


def test_a_call_without_a_yes_raises_with_its_outcome() -> None:
    shop = Shop("nothing")
    with pytest.raises(NotRun) as caught:
        shop.guard(RESTS)("W1", 80)
    assert isinstance(caught.value.outcome, NotConfirmed)
    assert shop.done == []


def test_propose_stores_a_question_and_run_gives_the_outcome() -> None:
    shop = Shop("yes")
    refund = shop.guard(RESTS)
    plan = refund.propose("W1", amount=80)
    assert shop.look.get(plan.id)[1] is State.PENDING
    assert plan.requested_by == "agent:program"
    assert isinstance(refund.run("W1", 80), Executed)
    assert shop.done == [("W1", 80)]


@pytest.mark.filterwarnings("ignore::lastlook.planning.undeclared.UndeclaredValue")
@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ("status", ["status"]),
        (field("amount").at_most(90), ["amount <= 90"]),
        (["status", field("amount").at_least(1)], ["amount >= 1", "status"]),
        (("amount <= {limit}",), ["amount <= 100"]),
        ("amount == {amount}", ["amount == 80"]),
        (["/owner/name"], ["/owner/name"]),
    ],
)
def test_fields_stand_in_any_spelling_and_are_filled_with_typed_arguments(
    fields: Any, shown: list[str]
) -> None:
    plan = Shop().guard({"orders:{order_id}": fields}).propose("W1", 80)
    assert [str(item) for item in plan.evidence[0].fields] == shown


def test_refs_that_come_to_one_record_are_one_piece_of_evidence() -> None:
    shop = Shop()
    refund = shop.guard({"orders:{order_id}": "status", "orders:W1": "amount"})
    (evidence,) = refund.propose("W1", 80).evidence
    assert [str(item) for item in evidence.fields] == ["amount", "status"]


@pytest.mark.filterwarnings("ignore::lastlook.planning.undeclared.UndeclaredValue")
def test_after_a_block_the_arguments_stay_where_nothing_was_carried() -> None:
    shop = Shop("yes")

    def item_added(_: object) -> str:
        shop.change(items=["lamp", "sofa"])
        return "yes"

    refund = shop.guard({"orders:{order_id}": ["items"]})
    shop.asker._answers[:] = [item_added, "yes"]
    outcome = refund.run("W1", 80)
    assert isinstance(outcome, Executed)
    assert outcome.plan.number == 2
    assert shop.done == [("W1", 80)]


def test_after_a_block_an_argument_that_was_carried_leaves_no_question() -> None:
    shop = Shop()
    refund = shop.guard({"orders:{order_id}": ["amount"]})

    def other_amount(_: object) -> str:
        shop.change(amount=70)
        return "yes"

    shop.asker._answers[:] = [other_amount]
    outcome = refund.run("W1", 80)
    assert isinstance(outcome, BlockedStale)
    assert outcome.why_no_fresh == (
        "amount 80 was taken from a value that changed (amount). Ask the agent to plan again."
    )
    assert shop.done == []


@pytest.mark.parametrize(
    ("rests_on", "error"),
    [
        ({}, NoEvidence),
        ({"orders:{order_id}": []}, NoFields),
        ({"orders:{order_id}": "status == 'open'"}, ConditionNotMet),
        ({"orders:{order_id}x": "status"}, CaptureFailed),
        ({"orders:{order_id}": "amount <= {nothing}"}, LastlookError),
    ],
)
def test_a_call_that_cannot_be_meant_raises_and_stores_nothing(
    rests_on: Any, error: type[Exception]
) -> None:
    shop = Shop("yes")
    refund = shop.guard(rests_on)
    with pytest.raises(error):
        refund("W1", 80)
    assert list(shop.look.journal()) == []
    assert shop.asker.questions == []
    assert shop.done == []


@pytest.mark.parametrize(
    ("rests_on", "intent"),
    [({"orders:{order}": "status"}, "Refund"), ({"orders:W1": "status"}, "Refund {order}")],
)
def test_names_that_are_no_arguments_are_refused_when_declared(rests_on: Any, intent: str) -> None:
    with pytest.raises(DeclarationError, match="name order, which is not an argument") as caught:
        Shop().guard(rests_on, intent)
    assert caught.value.fix == "Its arguments are order_id, amount, limit."


def test_a_function_without_arguments_says_so() -> None:
    with pytest.raises(DeclarationError) as caught:
        Shop().look.guarded("Do {x}", rests_on={"orders:W1": "status"}, writes=[])(lambda: None)
    assert caught.value.fix == "Its arguments are none."


def test_arguments_it_does_not_take_are_refused_before_anything_is_read() -> None:
    shop = Shop("yes")
    refund = shop.guard(RESTS)
    for args in ((), ("W1",), ("W1", "80"), ("W1", 80, 1, 2)):
        with pytest.raises(BadArguments):
            refund(*args)
    assert list(shop.look.journal()) == []


def test_its_words_are_those_of_its_tool() -> None:
    shop = Shop()
    refund = shop.guard(
        RESTS, effect="pays {amount}", undo="take it back", version="3", not_applied=[KeyError],
        name="pay_back",
    )  # fmt: skip
    plan = refund.propose("W1", 80)
    made = plan.tool("pay_back")
    assert (made.version, made.not_applied) == ("3", ("KeyError",))
    effect = plan.estimated_side_effects[0]
    assert (effect.text, effect.undo) == ("pays 80", "take it back")
