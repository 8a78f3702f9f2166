from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated

import msgspec
import pytest

import lastlook.fields as public
from lastlook.core.facts import (
    Condition,
    Facts,
    absent_is_null,
    at_least,
    at_most,
    equals,
    fields_of,
    instant,
    make,
    nfc,
    one_of,
    secret,
    strict,
    unordered,
    within,
)
from lastlook.core.fields import as_fields, field
from lastlook.core.objects import ABSENT
from lastlook.errors import CaptureFailed, DeclarationError, NoFields


class Item(msgspec.Struct):
    name: str
    price: Decimal


class Payment(Facts):
    amount: Annotated[Decimal, at_most(100)]
    at: Annotated[datetime, instant]


class Order(Facts):
    status: Annotated[str, one_of("delivered", "returned")]
    payment: Payment
    items: list[Item]
    note: str | None = None


class Everything(Facts):
    a: Annotated[str, equals("x")]
    b: Annotated[int, at_least(1)]
    c: Annotated[int, within(5)]
    d: Annotated[int, within(percent=5)]
    e: Annotated[str, secret]
    f: Annotated[list[int], unordered]
    g: Annotated[float, strict]
    h: Annotated[str, nfc, equals("e\u0301")]
    i: Annotated[str | None, absent_is_null]


class Renamed(Facts, rename="camel"):
    first_name: str
    total: Annotated[Decimal, field("/payment/amount").at_least(1)]
    prices: Annotated[tuple[Decimal, ...], field("$.items[*].price")]
    odd: Annotated[int, "a note for people", msgspec.Meta(ge=0)] = msgspec.field(name="a/b")


def _texts(cls):
    return [str(each) for each in fields_of(cls)]


def test_each_attribute_is_a_field_in_its_order():
    assert _texts(Order) == [
        'status in ["delivered", "returned"]', "/payment/amount <= 100", "/payment/at (instant)",
        "items", "note (optional)",
    ]  # fmt: skip


def test_annotations_say_what_calls_say():
    assert _texts(Everything) == [
        'a == "x"', "b >= 1", "c within 5", "d within 5%", "e (secret)", "f (unordered)",
        "g (strict)", 'h == "\u00e9" (nfc)', "i (absent_is_null)",
    ]  # fmt: skip


def test_a_field_is_named_as_the_record_names_it():
    assert _texts(Renamed) == ["firstName", "/payment/amount >= 1", "$.items[*].price", "/a~1b"]


def test_a_class_is_one_spelling_among_others():
    assert [str(each) for each in as_fields([Payment, "status"])] == [
        "amount <= 100", "at (instant)", "status",
    ]  # fmt: skip


ORDER = {
    "/status": "delivered",
    "/payment/amount": 0.1,
    "/payment/at": datetime(2026, 1, 1, tzinfo=UTC),
    "/items": [{"name": "Pen", "price": 0.2, "stock": 3}],
}


def test_captured_values_come_back_typed():
    order = make(Order, ORDER)
    assert order == Order(
        status="delivered",
        payment=Payment(amount=Decimal("0.1"), at=datetime(2026, 1, 1, tzinfo=UTC)),
        items=[Item(name="Pen", price=Decimal("0.2"))],
    )
    assert order.payment.amount + order.items[0].price == Decimal("0.3")


def test_an_optional_member_that_is_absent_has_its_default():
    assert make(Order, ORDER | {"/note": ABSENT}).note is None
    assert make(Order, ORDER | {"/note": "x"}).note == "x"


def test_renamed_and_placed_members_are_found():
    made = make(
        Renamed,
        {"/firstName": "Ana", "/payment/amount": 3, "$.items[*].price": [0.1, 0.2], "/a~1b": 1},
    )
    assert made.first_name == "Ana"
    assert made.total == 3
    assert sum(made.prices) == Decimal("0.3")
    assert made.odd == 1


@pytest.mark.parametrize(
    ("values", "where"),
    [
        (ORDER | {"/status": 3}, "/status"),
        (ORDER | {"/items": [{"name": "Pen", "price": "dear"}]}, "/items/0/price"),
        ({}, "/payment"),
    ],
)
def test_a_record_of_another_shape_is_refused_with_its_place(values, where):
    with pytest.raises(CaptureFailed) as caught:
        make(Order, values)
    assert caught.value.where == where


def test_a_class_without_attributes_protects_nothing():
    class Empty(Facts):
        pass

    with pytest.raises(NoFields):
        fields_of(Empty)


def test_a_class_that_is_no_facts_is_refused():
    with pytest.raises(DeclarationError, match="int declares no fields"):
        as_fields(int)


def _with_default():
    class Outer(Facts):
        inner: Payment = Payment(amount=Decimal(1), at=datetime(2026, 1, 1, tzinfo=UTC))

    return Outer


def _with_condition():
    class Outer(Facts):
        inner: Annotated[Payment, secret]

    return Outer


def _with_query_below():
    class Outer(Facts):
        inner: Renamed

    return Outer


@pytest.mark.parametrize("declare", [_with_default, _with_condition, _with_query_below])
def test_what_a_nested_class_can_not_say_is_refused(declare):
    with pytest.raises(DeclarationError):
        fields_of(declare())


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (one_of("a", "b"), "one_of('a', 'b')"),
        (equals(1), "equals(1)"),
        (at_least(1), "at_least(1)"),
        (at_most(1), "at_most(1)"),
        (within(1), "within(1)"),
        (within(percent=1), "within(percent=1)"),
        (secret, "secret"),
    ],
)
def test_a_condition_shows_how_it_is_written(condition, text):
    assert repr(condition) == text


def test_the_public_module_offers_what_is_declared_here():
    assert all(hasattr(public, name) for name in public.__all__)
    assert isinstance(public.instant, Condition)
