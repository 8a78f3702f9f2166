"""Calls: bound, checked and sealed when they are proposed, and opened as the same values."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict
from uuid import UUID

import msgspec
import pytest

from lastlook.core.plan import open_plan
from lastlook.core.stand_ins import Result
from lastlook.errors import BadArguments, DeclarationError
from lastlook.planning.calls import CallShape
from tests.unit.core.refund import plan, step


def shape(function: Any, skip: int = 0) -> CallShape:
    return CallShape(function, skip=skip, what="tool")


def book(slot_id: str, amount: int = 80, *, note: str | None = None) -> None:
    """Book a slot."""


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (("slot-42",), {}),
        (("slot-42", 80), {}),
        ((), {"amount": 80, "slot_id": "slot-42"}),
        (("slot-42",), {"note": None}),
    ],
)
def test_one_call_has_one_sealed_form_however_it_is_written(args: Any, kwargs: Any) -> None:
    sealed = shape(book).seal(args, kwargs)
    assert sealed == {"slot_id": "slot-42", "amount": 80, "note": None}
    assert list(sealed) == ["slot_id", "amount", "note"]


@pytest.mark.parametrize(
    ("args", "kwargs", "what", "where"),
    [
        ((), {}, "missing a required argument: 'slot_id'", ""),
        (("a", 1, None), {}, "too many positional arguments", ""),
        (("a",), {"slot": 1}, "it does not take slot", ""),
        (("a",), {"slot_id": "b"}, "multiple values for argument 'slot_id'", ""),
        ((1,), {}, "expected `str`, got `int`", "slot_id"),
        (("a", "80"), {}, "expected `int`, got `str`", "amount"),
        (("a", 80.5), {}, "expected `int`, got `float`", "amount"),
        (("a", True), {}, "expected `int`, got `bool`", "amount"),
        (("a",), {"note": 7}, "expected `str | null`, got `int`", "note"),
        (("a", float("nan")), {}, "", "/amount"),
        (("\ud800",), {}, "", "/slot_id"),
        (("a",), {"note": object()}, "", "/note"),
    ],
)
def test_what_it_does_not_take_is_refused_with_place_and_signature(
    args: Any, kwargs: Any, what: str, where: str
) -> None:
    with pytest.raises(BadArguments) as caught:
        shape(book).seal(args, kwargs)
    assert caught.value.what.startswith("tool book: ")
    assert what in caught.value.what
    assert caught.value.where == where
    takes = "It takes (slot_id: str, amount: int = 80, *, note: str | None = None)."
    assert where.startswith("/") or caught.value.fix.endswith(takes)


def test_arguments_by_name_must_be_all_and_no_more() -> None:
    made = shape(book)
    with pytest.raises(BadArguments, match="missing amount, note; does not take tip"):
        made.seal_named({"slot_id": "a", "tip": 1})
    with pytest.raises(BadArguments, match="tool book: does not take tip"):
        made.seal_named({"slot_id": "a", "amount": 1, "note": None, "tip": 1})
    with pytest.raises(BadArguments, match="tool book: missing note"):
        made.seal_named({"slot_id": "a", "amount": 1})


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


@dataclass
class Guest:
    name: str
    age: int


class Room(msgspec.Struct):
    number: int


class Extra(TypedDict):
    bed: bool


def typed(
    amount: Decimal, day: date, at: datetime, key: UUID, raw: bytes, size: Size, guest: Guest,
    room: Room, extra: Extra, pair: tuple[int, str], share: float, kind: Literal["a", "b"],
    small: Annotated[int, msgspec.Meta(le=9)], anything: Any,
) -> None:  # fmt: skip
    """Take one of everything."""


TYPED: dict[str, Any] = {
    "amount": Decimal("19.90"), "day": date(2026, 1, 2), "at": datetime(2026, 1, 2, 3, tzinfo=UTC),
    "key": UUID(int=7), "raw": b"\x00x", "size": Size.LARGE, "guest": Guest("kim", 30),
    "room": Room(4), "extra": {"bed": True}, "pair": (1, "x"), "share": 2.0, "kind": "b",
    "small": 9, "anything": [1, {"$x": None}],
}  # fmt: skip


def test_each_type_comes_back_as_it_was_also_through_the_stored_bytes() -> None:
    sealed = shape(typed).seal((), TYPED)
    stored = open_plan(plan(steps=(step(arguments=sealed),)).body).steps[0].arguments
    for wire in (sealed, stored):
        opened = shape(typed).open(wire)
        assert opened == TYPED
        assert {name: type(value) for name, value in opened.items()} == {
            name: type(value) for name, value in TYPED.items()
        }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", "huge"), ("kind", "c"), ("small", 10), ("pair", (1,)), ("day", "tomorrow"),
        ("guest", {"name": "kim"}), ("room", {"floor": 2}), ("extra", {}),
        ("key", "x"), ("at", "2026"),
    ],
)  # fmt: skip
def test_a_value_outside_its_type_is_refused_at_the_proposal(name: str, value: Any) -> None:
    with pytest.raises(BadArguments) as caught:
        shape(typed).seal((), TYPED | {name: value})
    assert caught.value.where.startswith(name)


@pytest.mark.parametrize("number", [10**20, 10**30, -(10**25), 2**53 + 1, 0])
def test_a_whole_number_of_any_size_is_the_same_in_the_tool(number: int) -> None:
    made = shape(book)
    opened = made.open(made.seal(("a", number), {}))
    assert (type(opened["amount"]), opened["amount"]) == (int, number)


def test_the_schema_is_typed_json_and_names_what_is_required() -> None:
    schema = shape(book).schema
    assert schema["required"] == ["slot_id", "amount", "note"]
    assert schema["properties"]["amount"] == {"type": "integer"}
    assert "$$defs" not in schema
    assert "Guest" in shape(typed).schema["$$defs"]


class Strange:
    pass


def strange(one: Strange, two: int) -> None:
    """Take what cannot be checked, and what can."""


def test_a_type_that_cannot_be_checked_takes_anything_and_the_others_are_checked() -> None:
    made = shape(strange)
    assert made.open(made.seal(("x", 2), {})) == {"one": "x", "two": 2}
    with pytest.raises(BadArguments, match="expected `int`"):
        made.seal(("x", "2"), {})


def test_a_parameter_without_a_type_or_of_an_unknown_one_takes_anything() -> None:
    def odd(one, two: Strange, three: NoSuchName) -> None:  # noqa: F821  # that is the point
        """Take what no checker knows."""

    made = shape(odd)
    assert made.open(made.seal((1, 2, [3]), {})) == {"one": 1, "two": 2, "three": [3]}


def test_of_an_object_that_can_be_called_the_method_has_the_types() -> None:
    class Booker:
        def __call__(self, slot_id: str) -> None:
            """Book a slot."""

    made = shape(Booker())
    assert made.names == ("slot_id",)
    with pytest.raises(BadArguments, match="tool Booker: expected `str`"):
        made.seal((1,), {})


def test_leading_parameters_of_ours_are_not_the_callers() -> None:
    made = CallShape(book, skip=1, what="planner")
    assert made.names == ("amount", "note")


def variadic(*names: str) -> None:
    """Take any number."""


def keywords(**names: str) -> None:
    """Take any names."""


def unnamed(name: str, /) -> None:
    """Take one by its place alone."""


@pytest.mark.parametrize("function", [variadic, keywords, unnamed])
def test_an_argument_that_has_no_name_is_refused_when_it_is_declared(function: Any) -> None:
    with pytest.raises(DeclarationError, match="cannot be given by name") as caught:
        shape(function)
    assert caught.value.fix == "Let the function take plain named arguments."


async def awaits(slot_id: str) -> None:
    """Do nothing until it is awaited."""


def yields(slot_id: str) -> Iterator[str]:
    yield slot_id


async def both(slot_id: str) -> AsyncIterator[str]:
    yield slot_id


class Later:
    async def __call__(self, slot_id: str) -> None:
        """Do nothing until it is awaited."""


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (awaits, "a coroutine function"),
        (functools.partial(awaits), "a coroutine function"),
        (Later(), "a coroutine function"),
        (yields, "a generator function"),
        (both, "an async generator function"),
    ],
)
def test_a_call_that_would_do_nothing_is_refused_when_it_is_declared(
    function: Any, kind: str
) -> None:
    with pytest.raises(DeclarationError, match=f"is {kind}") as caught:
        shape(function)
    assert caught.value.fix == "Write it as a plain function."


# --- beside stand-ins ----------------------------------------------------------------------------


def test_what_is_known_is_checked_now_and_the_rest_when_it_is_there() -> None:
    made = shape(book)
    sealed = made.seal((Result(1)["id"], 5), {})
    assert sealed["slot_id"] == {"$result": [1, "/id"]}
    assert made.open(sealed, [{"id": "slot-42"}])["slot_id"] == "slot-42"
    with pytest.raises(BadArguments, match="expected `str`, got `int`") as caught:
        made.open(sealed, [{"id": 42}])
    assert caught.value.where == "slot_id"


def test_beside_a_stand_in_another_argument_of_a_wrong_type_is_refused_at_once() -> None:
    with pytest.raises(BadArguments, match="expected `int`, got `str`") as caught:
        shape(book).seal((Result(1), "80"), {})
    assert caught.value.where == "amount"


def test_a_value_that_holds_a_stand_in_within_is_checked_when_it_is_there() -> None:
    def go(guests: list[str]) -> None:
        """Go with guests."""

    made = shape(go)
    sealed = made.seal((["kim", Result(1).name],), {})
    assert made.open(sealed, [{"name": "lee"}]) == {"guests": ["kim", "lee"]}
    with pytest.raises(BadArguments):
        made.open(sealed, [{"name": 7}])
