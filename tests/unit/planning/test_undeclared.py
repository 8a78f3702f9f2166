"""A value in a plan that a record has in a field nobody declared: a hint, and no value in it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from lastlook import Lastlook, Planning
from lastlook.core.fields import field
from lastlook.planning.beside import Beside, leaves
from lastlook.planning.undeclared import UndeclaredValue
from lastlook.sources import MemorySource, PythonSource

ORDER = {
    "id": "#W1",
    "status": "delivered",
    "total": Decimal("2577.53"),
    "items": [{"sku": "sku-7", "price": 40}, {"sku": "sku-8", "price": 60}],
    "card": {"id": "card-4998"},
    "n": 7,
    "gift": True,
    "note": None,
}


class Shop:
    """One order, a tool that takes anything, and whatever the test proposes."""

    def __init__(self, record: Any = ORDER, **sources: Any) -> None:
        self.look = Lastlook(sources={"orders": {"#W1": record}, **sources}, store="memory")

        @self.look.tool(writes=["orders:{order_id}"])
        def refund(order_id: str, amount: Any = None, to: Any = None) -> None:
            pass

        self.refund = refund

    def planner(self, intent: str, plans: Callable[..., None]) -> Any:
        @self.look.planner(intent, name="p")
        def made(plan: Planning, order_id: str, amount: Any = None) -> None:
            plans(plan, order_id, amount)

        return made


def hints(work: Callable[[], object]) -> list[str]:
    """What was hinted at, and that it was hinted at this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    assert all(each.category is UndeclaredValue for each in caught)
    assert {each.filename for each in caught} <= {__file__}
    return [str(each.message) for each in caught]


def proposed(*fields: Any, intent: str = "Refund {order_id}", record: Any = ORDER, **args: Any):
    """The hints of one plan that reads these fields of the order."""
    shop = Shop(record)

    def plans(plan: Planning, order_id: str, _: Any) -> None:
        plan.read(f"orders:{order_id}", *fields)
        plan.step(shop.refund, order_id=order_id, **args)

    made = shop.planner(intent, plans)
    return hints(lambda: made.propose("#W1"))


def test_an_argument_that_a_field_holds_which_is_not_declared_is_hinted_at() -> None:
    (hint,) = proposed("status", amount=2577.53)
    assert hint == (
        "refund: amount holds a value that orders:#W1 has in total, which is not declared: "
        "if it was taken from there, declare that field"
    )


@pytest.mark.parametrize(
    "fields",
    [("total",), ("total <= 3000",), ("$",), (field("total").secret,), ("status", "total")],
)
def test_a_declared_field_holds_its_value(fields: tuple[Any, ...]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="refund: amount 2577.53 may be taken")
        shop = Shop()
        evidence = shop.look.read("orders:#W1", *fields)
        step = shop.refund.step("#W1", Decimal("2577.53"))
        shop.look.propose("Refund #W1", [step], evidence=[evidence])


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ("2577.53", "total"),
        (["sku-8"], "$.items[*].sku"),
        ({"to": {"card": "card-4998"}}, "/card/id"),
        (60, "$.items[*].price"),
    ],
)
def test_parts_of_arguments_and_of_records_are_compared(value: Any, where: str) -> None:
    (hint,) = proposed("status", to=value)
    assert hint.startswith(f"refund: to holds a value that orders:#W1 has in {where}, which")


def test_a_wildcard_holds_what_it_matches() -> None:
    pytest.importorskip("jsonpath")
    assert proposed("$.items[*].price", amount=60) == []
    assert len(proposed("$.items[*].price", to="sku-8")) == 1


@pytest.mark.parametrize(
    "value", [None, True, "", 7, "7", "ab", "#W1", "W1", "#w1", -7, "other", 0.5]
)
def test_what_says_little_or_names_the_record_is_no_hint(value: Any) -> None:
    record = ORDER | {"a": "ab", "b": "W1", "c": -7, "d": "#W1", "e": "#w1"}
    assert proposed("status", record=record, to=value) == []


def test_no_hint_holds_a_value() -> None:
    made = proposed("status", amount=2577.53, to="card-4998")
    assert len(made) == 2
    assert "2577" not in str(made)
    assert "4998" not in str(made)


def test_more_fields_than_three_are_counted() -> None:
    record = {"status": "x1"} | {f"f{n}": "same" for n in range(5)}
    (hint,) = proposed("status", record=record, to="same")
    assert "has in f0 or f1 or f2 or 2 more, which" in hint


def test_what_a_planner_was_called_with_counts_in_the_intent_once() -> None:
    shop = Shop()

    def plans(plan: Planning, order_id: str, amount: Any) -> None:
        plan.read(f"orders:{order_id}", "status")
        plan.step(shop.refund, order_id=order_id)

    made = shop.planner("Refund {amount} of {order_id}", plans)
    (hint,) = hints(lambda: made.propose("#W1", 2577.53))
    assert hint.startswith("the intent holds a value that orders:#W1 has in total")
    assert hints(lambda: made.propose("#W1", 12.5)) == []


def test_the_words_of_a_template_are_no_values() -> None:
    assert proposed("total", intent="Refund the delivered {order_id}") == []


def test_an_argument_of_intent_and_step_is_told_of_the_step() -> None:
    shop = Shop()

    def plans(plan: Planning, order_id: str, amount: Any) -> None:
        plan.read(f"orders:{order_id}", "status")
        plan.step(shop.refund, order_id=order_id, amount=amount)

    made = shop.planner("Refund {amount}", plans)
    (hint,) = hints(lambda: made.propose("#W1", 2577.53))
    assert hint.startswith("refund: amount")


def test_an_intent_by_hand_may_quote_any_field() -> None:
    shop = Shop()
    evidence = shop.look.read("orders:#W1", "total")

    def propose(intent: str) -> list[str]:
        step = shop.refund.step("#W1")
        return hints(lambda: shop.look.propose(intent, [step], evidence=[evidence]))

    (hint,) = propose("Refund #W1 to card-4998")
    assert hint.startswith("the intent holds a value that orders:#W1 has in /card/id")
    assert propose("Refund 2577.53 of #W1, undelivered, to card-49980") == []


def test_a_guarded_call_is_looked_at_too() -> None:
    shop = Shop()

    @shop.look.guarded("Pay {amount}", rests_on={"orders:#W1": ["status"]}, writes=[])
    def pay(amount: Any) -> None:
        pass

    (hint,) = hints(lambda: pay.propose(2577.53))
    assert hint.startswith("pay: amount")


def test_the_members_of_a_query_are_looked_at_and_its_arguments_are_not() -> None:
    source = MemorySource({"a": {"price": 80, "room": "r-101", "max": 100}})

    @source.query("price")
    def cheap(records: Any, most: int) -> Any:
        return dict(records)

    shop = Shop(slots=source)

    def plans(plan: Planning, order_id: str, amount: Any) -> None:
        (member,) = plan.query(cheap, 100)
        plan.step(shop.refund, order_id=order_id, amount=member["price"], to=amount)

    made = shop.planner("Book", plans)
    assert hints(lambda: made.propose("#W1")) == []
    assert hints(lambda: made.propose("#W1", 100)) == []
    (hint,) = hints(lambda: made.propose("#W1", "r-101"))
    assert hint.startswith("refund: to holds a value that slots:cheap has in room")


def test_a_field_of_another_record_protects_the_value() -> None:
    shop = Shop(cards={"c": {"number": "card-4998"}})

    def plans(plan: Planning, order_id: str, _: Any) -> None:
        plan.read(f"orders:{order_id}", "status")
        plan.read("cards:c", "number")
        plan.step(shop.refund, order_id=order_id, to="card-4998")

    assert hints(lambda: shop.planner("Refund", plans).propose("#W1")) == []


def test_a_plan_that_rests_on_nothing_has_nothing_beside_it() -> None:
    shop = Shop()

    def plans(plan: Planning, order_id: str, _: Any) -> None:
        plan.no_evidence("it only adds")
        plan.step(shop.refund, order_id=order_id, amount=2577.53)

    assert hints(lambda: shop.planner("Refund", plans).propose("#W1")) == []


class Odd(msgspec.Struct):
    status: str
    card: str
    missing: Any = msgspec.UNSET
    handle: Any = None


def test_a_record_that_is_an_object_is_looked_at_by_its_declared_fields() -> None:
    odd = Odd(status="x", card="card-4998", handle=object())
    look = Lastlook(sources={"orders": PythonSource(lambda _: odd)}, store="memory")

    @look.tool(writes=[])
    def refund(to: str) -> None:
        pass

    @look.planner("Refund")
    def made(plan: Planning) -> None:
        plan.read("orders:1", "status")
        plan.step(refund, to="card-4998")

    (hint,) = hints(made.propose)
    assert "orders:1 has in card, which" in hint


def test_a_record_whose_own_code_raises_is_no_reason_for_an_error() -> None:
    class Raising(dict):
        def items(self) -> Any:
            raise RuntimeError("no")

    shop = Shop()
    evidence = shop.look.read("orders:#W1", "status")
    evidence.__dict__["beside"] = Beside([Raising(x=1)])
    step = shop.refund.step("#W1", 2577.53)
    assert hints(lambda: shop.look.propose("Refund", [step], evidence=[evidence])) == []


def test_what_is_kept_beside_is_in_nothing_stored_or_shown() -> None:
    shop = Shop()
    evidence = shop.look.read("orders:#W1", "status")
    assert "card" not in repr(evidence) + repr(evidence.__dict__["beside"])
    plan = shop.look.propose("Refund", [shop.refund.step("#W1")], evidence=[evidence])
    assert b"card" not in plan.body
    assert all("beside" not in item.__dict__ for item in plan.evidence)


def test_a_record_without_end_is_looked_at_up_to_a_limit() -> None:
    record: dict[str, Any] = {"x": "word"}
    record["again"] = record
    assert 1 <= len(list(leaves(record))) < 5000


def test_a_declared_field_that_is_not_there_holds_nothing() -> None:
    assert len(proposed("voucher (optional)", amount=2577.53)) == 1
