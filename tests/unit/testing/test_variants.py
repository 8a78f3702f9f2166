"""Variants: each changes one thing, leaves the record as it was, and is another record."""

from __future__ import annotations

import copy
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.core.canonical import canonical_bytes
from lastlook.testing.variants import members, variants


class Colour(Enum):
    RED = "red"


class Slot(msgspec.Struct):
    price: int
    note: str | msgspec.UnsetType = msgspec.UNSET


def of(record: Any, path: tuple[str | int, ...]) -> dict[str, Any]:
    """By word, the record with each change at one place."""
    return {each.word: each.of(record) for each in variants(record) if each.path == path}


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (True, {"flipped": False}),
        (2, {"one more": 3, "one less": 1, "far more": 3000, "zero": 0}),
        (0, {"one more": 1, "one less": -1, "far more": 1000}),
        (Decimal("1.5"), {"one more": Decimal("2.5"), "one less": Decimal("0.5"),
                          "far more": Decimal("2500.0"), "zero": Decimal(0)}),
        (float("nan"), {}),
        ("free", {"another text": "free~", "an empty text": ""}),
        ("", {"another text": "~"}),
        ("80.5", {"another text": "81.5", "an empty text": ""}),
        ("NaN", {"another text": "NaN~", "an empty text": ""}),
        ("2026-10-03T14:00:00Z", {
            "another text": "2026-10-04T14:00:00Z", "an empty text": "",
            "the same moment, written otherwise": "2026-10-03T14:00:00+00:00",
        }),
        ("2026-10-03T16:00:00+02:00", {
            "another text": "2026-10-04T16:00:00+02:00", "an empty text": "",
            "the same moment, written otherwise": "2026-10-03T14:00:00Z",
        }),
        ("9999-12-31", {"another text": "9999-12-30T00:00:00", "an empty text": ""}),
        ("a-b", {"another text": "a-b~", "an empty text": ""}),
        ("\u00e9", {
            "another text": "\u00e9~", "an empty text": "",
            "the same text in another Unicode form": "e\u0301",
        }),
        (None, {"a text": "~"}),
        (b"x", {"other bytes": b"x~"}),
        (date(2026, 1, 1), {"another time": date(2026, 1, 2)}),
        (datetime(2026, 1, 1, tzinfo=UTC), {"another time": datetime(2026, 1, 2, tzinfo=UTC)}),
        (UUID(int=1), {}),
        (Colour.RED, {"another text": "red~", "an empty text": ""}),
        ([1, 2], {
            "an item more": [1, 2, 2], "an item more in front": [2, 1, 2],
            "without the first item": [2], "without the last item": [1],
            "in another order": [2, 1],
        }),
        ((), {"an item more": ["~"], "an item more in front": ["~"]}),
    ],
)  # fmt: skip
def test_a_value_is_changed_as_its_type_allows(value: Any, others: dict[str, Any]) -> None:
    made = of({"x": value}, ("x",))
    assert made.pop("null", {"x": None}) == {"x": None}
    assert made.pop("removed") == {}
    assert made == {word: {"x": other} for word, other in others.items()}


def test_what_is_at_the_top_comes_first() -> None:
    record = {"a": {"b": [{"c": 1}]}, "d": True}
    depths = [len(each.path) for each in variants(record)]
    assert depths == sorted(depths)
    assert of(record, ("a", "b", 0, "c"))["zero"] == {"a": {"b": [{"c": 0}]}, "d": True}
    assert of(record, ("a",))["removed"] == {"d": True}


def test_an_item_is_set_to_null_and_never_taken_out_by_itself() -> None:
    assert of({"a": [1]}, ("a", 0)).keys() == {"one more", "one less", "far more", "zero", "null"}


def test_objects_with_declared_fields_are_changed_by_field() -> None:
    assert of(Slot(price=2), ("price",))["zero"] == {"price": 0}
    assert of({"x": Slot(price=2)}, ("x",)).keys() == {"null", "removed"}


def test_a_record_that_is_a_value_has_its_changes_and_stays() -> None:
    assert of(7, ()) == {"one more": 8, "one less": 6, "far more": 8000, "zero": 0}
    assert of([], ()).keys() == {"an item more", "an item more in front"}


def test_a_record_without_end_comes_to_an_end() -> None:
    record: dict[str, Any] = {"x": 1}
    record["self"] = record
    assert max(len(each.path) for each in variants(record)) <= 66


def test_a_query_has_a_member_more_and_one_less() -> None:
    answer = {"a": {"x": 1}, "b": {"x": 2}}
    made = [(each.path, each.word) for each in members(answer)]
    assert made[0] == (("a~",), "a member more")
    assert [path for path, word in made if word == "a member less"] == [("a",), ("b",)]
    assert (("b", "x"), "zero") in made
    assert list(members({})) == []
    assert next(iter(members(answer))).of(answer)["a~"] == {"x": 1}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**6) | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=4))
def test_each_change_makes_another_record_and_leaves_the_first(record: dict[str, Any]) -> None:
    before = copy.deepcopy(record)
    was = canonical_bytes(record)
    for each in variants(record):
        assert canonical_bytes(each.of(record)) != was, each
    assert record == before
