from __future__ import annotations

import enum
from collections import OrderedDict, UserDict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar, NamedTuple
from uuid import UUID

import msgspec
import pytest

from lastlook.core.canonical import LIMITS, canonical_bytes, encode, freeze, to_wire
from lastlook.errors import NotCanonical


class Colour(enum.Enum):
    RED = "red"
    FIVE = 5


class Level(enum.IntEnum):
    HIGH = 2


class Point(msgspec.Struct):
    x: int
    y: int | msgspec.UnsetType = msgspec.UNSET


@dataclass
class Seat:
    number: str
    free: bool = True
    rows: ClassVar[int] = 30
    hidden: list[int] = field(default_factory=list, repr=False)


class Pair(NamedTuple):
    a: int
    b: int


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "other"


class Whole(int):
    def __int__(self) -> int:
        return 99


class Nanos(datetime):
    nanosecond = 7


class Endless(tzinfo):
    def utcoffset(self, _):
        raise OSError("no zone file")


CAIRO = timezone(timedelta(hours=2))

TAKEN = [
    (None, None),
    (True, True),
    (7, 7),
    (7.0, 7),
    (-0.0, 0),
    (1.5, 1.5),
    (Decimal("1.50"), 1.5),
    ("a", "a"),
    ([1, (2, 3)], [1, [2, 3]]),
    ({"a": {"b": 1}}, {"a": {"b": 1}}),
    ({"$a": 1, "$$b": 2}, {"$$a": 1, "$$$b": 2}),
    (datetime(2026, 10, 23, 12, 0, 0, 120000, CAIRO), {"$datetime": "2026-10-23T10:00:00.12Z"}),
    (datetime(2026, 10, 23, 10, tzinfo=UTC), {"$datetime": "2026-10-23T10:00:00Z"}),
    (datetime(1, 1, 1, tzinfo=UTC), {"$datetime": "0001-01-01T00:00:00Z"}),
    (date(2026, 10, 3), {"$date": "2026-10-03"}),
    (b"\x00\x01\xff", {"$bytes": "AAH/"}),
    (UUID(int=1), {"$uuid": "00000000-0000-0000-0000-000000000001"}),
    (Colour.RED, "red"),
    (Colour.FIVE, 5),
    (Level.HIGH, 2),
    ({Colour.RED: 1}, {"red": 1}),
    (Text("kept"), "kept"),
    (Whole(3), 3),
    (OrderedDict(a=1), {"a": 1}),
    (MappingProxyType({"a": 1}), {"a": 1}),
    (UserDict(a=1), {"a": 1}),
    (Pair(1, 2), [1, 2]),
    (Point(x=1), {"x": 1}),
    (Point(x=1, y=2), {"x": 1, "y": 2}),
    (Seat("12C"), {"number": "12C", "free": True, "hidden": []}),
]


@pytest.mark.parametrize(("value", "wire"), TAKEN, ids=lambda value: repr(value)[:40])
def test_a_value_becomes_typed_json(value, wire):
    made = to_wire(value)
    assert made == wire
    assert type(made) is type(wire)


class Raises:
    __struct_fields__ = ("x",)

    @property
    def x(self):
        raise RuntimeError("gone")


class BadMapping(UserDict):
    def items(self):
        raise KeyError("torn")


REFUSED = [
    (float("nan"), "", "nan is not a number"),
    (float("-inf"), "", "-inf is not a number"),
    (Decimal("NaN"), "", "NaN is not a number"),
    ({"a": [1, Decimal("sNaN")]}, "/a/1", "sNaN is not a number"),
    (10**4300, "", "more than 4300 digits"),
    (-(10**9000), "", "more than 4300 digits"),
    (Decimal("1E+4300"), "", "more than 4300 digits"),
    (Decimal("1E-4300"), "", "more than 4300 digits"),
    ({"a/b": {"m~n": "\ud800"}}, "/a~1b/m~0n", "half a surrogate pair, at character 1"),
    ({"\udc00": 1}, "", "half a surrogate pair"),
    ({1: 2}, "", "a member's name is not a text but of type int"),
    ({"a": {None: 2}}, "/a", "not a text but of type NoneType"),
    ({"red": 1, Colour.RED: 2}, "", "two members have one name, 'red'"),
    ({"x": datetime(2026, 10, 23)}, "/x", "no time zone"),
    (Nanos(2026, 10, 23, tzinfo=UTC), "", "finer than a microsecond"),
    (datetime(1, 1, 1, tzinfo=CAIRO), "", "outside the years 1 to 9999"),
    (datetime(2026, 1, 1, tzinfo=Endless()), "", "could not be read: OSError"),
    ({1, 2}, "", "a set has no order"),
    ([frozenset()], "/0", "a set has no order"),
    (timedelta(1), "", "a value of type timedelta has no canonical form"),
    ({"$a": object()}, "/$a", "a value of type object has no canonical form"),
    (bytearray(b"x"), "", "a value of type bytearray has no canonical form"),
    ({"p": Raises()}, "/p/x", "reading the attribute 'x' raised RuntimeError"),
    (BadMapping(), "", "could not be read: KeyError"),
]


@pytest.mark.parametrize(("value", "where", "what"), REFUSED, ids=[r[2] for r in REFUSED])
def test_a_value_without_one_form_is_refused_with_its_path(value, where, what):
    with pytest.raises(NotCanonical) as caught:
        to_wire(value)
    assert what in caught.value.what
    assert caught.value.where == where


def test_the_path_begins_where_the_caller_says():
    with pytest.raises(NotCanonical) as caught:
        to_wire({"a": object()}, where="/plan")
    assert caught.value.where == "/plan/a"


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_64_levels_are_taken_and_65_are_not():
    assert to_wire(nested(LIMITS.depth)) == nested(LIMITS.depth)
    with pytest.raises(NotCanonical, match="more than 64 deep"):
        to_wire(nested(LIMITS.depth + 1))


def test_a_list_that_holds_itself_is_refused():
    value = []
    value.append({"self": value})
    with pytest.raises(NotCanonical, match="more than 64 deep"):
        to_wire(value)


def test_a_hundred_thousand_values_are_taken_and_one_more_is_not():
    assert len(to_wire([0] * (LIMITS.nodes - 1))) == LIMITS.nodes - 1
    with pytest.raises(NotCanonical, match="more than 100,000 values"):
        to_wire([0] * LIMITS.nodes)


def test_four_mebibytes_of_text_are_taken_and_one_byte_more_is_not():
    half = "x" * (LIMITS.bytes // 2)
    assert to_wire([half, half]) == [half, half]
    with pytest.raises(NotCanonical, match="more than 4,194,304 bytes"):
        to_wire([half, half, "é"])
    with pytest.raises(NotCanonical, match="more than 4,194,304 bytes"):
        to_wire(b"x" * LIMITS.bytes)


STRICT = [
    (20.0, {"$float": 20}),
    (20, 20),
    (-0.0, {"$float": 0}),
    (20.5, 20.5),
    (Decimal("20.00"), {"$float": 20}),
    (Decimal("20.5"), 20.5),
    (1e300, {"$float": 1e300}),
    (Decimal("1E300"), {"$float": 1e300}),
    (Decimal("9007199254740993"), {"$float": {"$int": "9007199254740993"}}),
    (Decimal("0.10000000000000000001"), {"$decimal": "0.10000000000000000001"}),
    ([1.0, {"a": 2.0}], [{"$float": 1}, {"a": {"$float": 2}}]),
]


@pytest.mark.parametrize(("value", "wire"), STRICT, ids=repr)
def test_strict_keeps_what_came_as_a_float(value, wire):
    assert to_wire(value, strict=True) == wire


def test_the_result_shares_nothing_with_the_value():
    value = {"a": [1, {"b": 2}]}
    made = to_wire(value)
    value["a"][1]["b"] = 3
    assert made == {"a": [1, {"b": 2}]}


ENCODED = [
    ({"b": 1, "a": [True, None, "x"]}, b'{"a":[true,null,"x"],"b":1}'),
    ((1, 2), b"[1,2]"),
    (1e21, b"1e+21"),
    (1.0, b"1"),
    ([1.0, {"a": -0.0}], b'[1,{"a":0}]'),
    (1e16, b"10000000000000000"),
    (1e-5, b"0.00001"),
    (1.5e-7, b"1.5e-7"),
    (1e-10, b"1e-10"),
    (-2.5e-9, b"-2.5e-9"),
    ({"x": 1e-5, "y": [None, False, "é"]}, '{"x":0.00001,"y":[null,false,"é"]}'.encode()),
    ("e-0", b'"e-0"'),
    ('\u20ac\x00\n"\\/\x7f', b'"\xe2\x82\xac\\u0000\\n\\"\\\\/\x7f"'),
    ({"\ue000": 1, "\U0001f600": 2}, '{"\U0001f600":2,"\ue000":1}'.encode()),
    ({"é": 1, "z": 2}, '{"z":2,"é":1}'.encode()),
    ({}, b"{}"),
]


@pytest.mark.parametrize(("wire", "text"), ENCODED, ids=repr)
def test_a_tree_has_the_bytes_of_rfc_8785(wire, text):
    assert encode(wire) == text


@pytest.mark.parametrize(
    "wire",
    [float("nan"), [float("inf")], object(), {"a": b"x"}, "\ud800", {"\udfff": 1}, {1: 1e-5}],
    ids=repr,
)
def test_what_is_not_typed_json_is_not_encoded(wire):
    with pytest.raises(NotCanonical, match="not typed JSON"):
        encode(wire)


def test_a_tree_without_end_is_not_encoded():
    tree = []
    tree.append(tree)
    with pytest.raises(NotCanonical, match="not typed JSON"):
        encode(tree)


def test_equal_numbers_have_equal_bytes():
    assert {canonical_bytes(v) for v in (10**20, 1e20, Decimal("1E20"))} == {b"1" + b"0" * 20}


def test_what_is_frozen_cannot_be_changed():
    value = {"a": [1, {"b": 2}]}
    frozen = freeze(value)
    value["a"].append(3)
    assert frozen == {"a": (1, {"b": 2})}
    with pytest.raises(TypeError):
        frozen["a"][1]["b"] = 3
