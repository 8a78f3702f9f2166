from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from lastlook.core.canonical import from_wire, to_wire
from lastlook.core.typed import check_wire, instant
from lastlook.errors import NotCanonical

BACK = [
    ({"$int": "9007199254740993"}, 9007199254740993),
    ({"$decimal": "0.10000000000000000001"}, Decimal("0.10000000000000000001")),
    ({"$datetime": "2026-10-23T10:00:00.5Z"}, datetime(2026, 10, 23, 10, 0, 0, 500000, UTC)),
    ({"$datetime": "2026-10-23T10:00:00Z"}, datetime(2026, 10, 23, 10, tzinfo=UTC)),
    ({"$date": "2026-10-23"}, date(2026, 10, 23)),
    ({"$bytes": "AAH/"}, b"\x00\x01\xff"),
    ({"$uuid": "00000000-0000-0000-0000-000000000001"}, UUID(int=1)),
    ([None, True, 1, 1.5, "x"], [None, True, 1, 1.5, "x"]),
    ({"$$a": {"$$$b": 1}, "c": 2}, {"$a": {"$$b": 1}, "c": 2}),
]


@pytest.mark.parametrize(("wire", "value"), BACK, ids=repr)
def test_typed_json_comes_back_as_the_value_it_was(wire, value):
    assert from_wire(wire) == value
    assert to_wire(value) == wire
    assert check_wire(wire) == wire


def test_a_whole_float_comes_back_as_a_float():
    back = from_wire({"$float": 20})
    assert (back, type(back)) == (20.0, float)
    assert from_wire({"$float": {"$int": "9007199254740993"}}) == Decimal(9007199254740993)


def test_an_instant_is_cut_to_microseconds():
    cut = from_wire({"$datetime": "2026-10-23T10:00:00.123456789Z"})
    assert cut == datetime(2026, 10, 23, 10, 0, 0, 123456, UTC)


@pytest.mark.parametrize("wire", [{"$x": 1}, {"$result": [1, ""]}, {"$": 1}], ids=repr)
def test_a_name_that_stands_for_no_value_is_refused(wire):
    with pytest.raises(NotCanonical, match="stands for no value"):
        from_wire(wire)


TAKEN = [
    ({"$result": [1, "/id"]}, {"$result": [1, "/id"]}),
    ({"$float": 20}, {"$float": 20}),
    ({"$float": 1e300}, {"$float": 1e300}),
    ({"$float": {"$int": "9007199254740993"}}, {"$float": {"$int": "9007199254740993"}}),
    ({"$datetime": "2026-10-23T10:00:00.123456789Z"}, {"$datetime": "2026-10-23T10:00:00.123456789Z"}),
    ([1.0, -0.0, 10**21, 10**23], [1, 0, 1e21, 1e23]),
    ({"$$date": "x"}, {"$$date": "x"}),
]  # fmt: skip


@pytest.mark.parametrize(("tree", "wire"), TAKEN, ids=repr)
def test_a_parsed_tree_is_taken_as_typed_json(tree, wire):
    made = check_wire(tree)
    assert made == wire
    assert list(map(type, made)) == list(map(type, wire))


REFUSED = [
    ({"$x": 1}, ""),
    ({"a": [{"$int": "5"}]}, "/a/0"),
    ({"$int": "09007199254740993"}, ""),
    ({"$int": 9007199254740993}, ""),
    ({"$int": "9007199254740993", "b": 1}, ""),
    ({"$$a": {"$b": 1, "c": 2}}, "/$a"),
    ({"$decimal": "1.50"}, ""),
    ({"$decimal": "0.1"}, ""),
    ({"$decimal": "1e5"}, ""),
    ({"$decimal": "0." + "0" * 5000 + "1"}, ""),
    ({"$datetime": "2026-10-23T10:00:00+00:00"}, ""),
    ({"$datetime": "2026-10-23T10:00:00.50Z"}, ""),
    ({"$datetime": None}, ""),
    ({"$date": "20261023"}, ""),
    ({"$date": "2026-13-01"}, ""),
    ({"$bytes": "AAH"}, ""),
    ({"$bytes": "AAH_"}, ""),
    ({"$bytes": 5}, ""),
    ({"$uuid": "00000000-0000-0000-0000-00000000000A"}, ""),
    ({"$float": 20.5}, ""),
    ({"$float": True}, ""),
    ({"$float": {"$x": 1}}, ""),
    ({"$result": [0, ""]}, ""),
    ({"$result": [1]}, ""),
    ({"$result": [True, ""]}, ""),
    ({"$result": [1, 2]}, ""),
    ([2**53 + 1], "/0"),
    ({"a": float("nan")}, "/a"),
    ({"a": b"x"}, "/a"),
]


@pytest.mark.parametrize(("tree", "where"), REFUSED, ids=lambda value: repr(value)[:50])
def test_what_only_looks_like_typed_json_is_refused(tree, where):
    with pytest.raises(NotCanonical) as caught:
        check_wire(tree)
    assert caught.value.where == where


INSTANTS = [
    ("2026-10-23T10:00:00Z", "2026-10-23T10:00:00Z"),
    ("2026-10-23T12:00:00+02:00", "2026-10-23T10:00:00Z"),
    ("2026-10-22T22:30:00-11:30", "2026-10-23T10:00:00Z"),
    ("2026-10-23T10:00:00.000Z", "2026-10-23T10:00:00Z"),
    ("2026-10-23T10:00:00.1234567890123450Z", "2026-10-23T10:00:00.123456789012345Z"),
    ("2026-10-23T10:00:00-00:00", "2026-10-23T10:00:00Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("2026-10-23T10:00:00", None),
    ("2026-10-23t10:00:00z", None),
    ("2026-10-23 10:00:00Z", None),
    ("2026-10-23T10:00:60Z", None),
    ("2026-02-30T10:00:00Z", None),
    ("2026-10-23T24:00:00Z", None),
    ("2026-10-23T10:00:00+24:00", None),
    ("2026-10-23T10:00:00.Z", None),
    ("2026-10-23T10:00:00Z\n", None),
    ("٢026-10-23T10:00:00Z", None),
    ("0000-01-01T00:00:00Z", None),
    ("0001-01-01T00:00:00+01:00", None),
    ("9999-12-31T23:59:59-01:00", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "utc"), INSTANTS)
def test_a_text_names_an_instant_or_none(text, utc):
    assert instant(text) == utc


@pytest.mark.parametrize("number", [10**21, 10**22, 10**30, -(10**300), 5 * 10**25])
def test_a_whole_number_stays_the_number_it_was_however_large(number: int) -> None:
    back = from_wire(to_wire(number))
    assert (type(back), back) == (int, number)
