"""Typed JSON: every value has one text, and every text one value."""

from __future__ import annotations

import json
import math
from datetime import UTC, date
from decimal import Decimal

from hypothesis import assume, given
from hypothesis import strategies as st

from lastlook.core.canonical import canonical_bytes, encode, from_wire, to_wire
from lastlook.core.decimals import json_number, ratio
from lastlook.core.jsontext import parse_json, parse_wire
from lastlook.core.typed import check_wire, instant
from lastlook.errors import NotCanonical
from tests.properties.values import DECIMALS, FLOATS, INTS, JSON, MOMENTS, NAMES, VALUES


@given(VALUES)
def test_the_bytes_of_a_value_read_back_as_its_typed_json(value):
    wire = to_wire(value)
    text = encode(wire)
    again = parse_wire(text)
    assert again == wire
    assert encode(again) == text
    assert check_wire(wire) == wire


@given(VALUES)
def test_what_comes_back_from_typed_json_is_the_same_value(value):
    wire = to_wire(value)
    assert encode(to_wire(from_wire(wire))) == encode(wire)


@given(VALUES, VALUES)
def test_two_values_share_their_bytes_only_where_they_share_their_typed_json(one, other):
    assert (canonical_bytes(one) == canonical_bytes(other)) == (
        repr_typed(to_wire(one)) == repr_typed(to_wire(other))
    )


def repr_typed(wire):
    """Write a tree so that types and boundaries show, member order aside."""
    if isinstance(wire, dict):
        return "{" + ",".join(sorted(f"{k!r}:{repr_typed(v)}" for k, v in wire.items())) + "}"
    if isinstance(wire, list):
        return "[" + ",".join(map(repr_typed, wire)) + "]"
    return repr(wire)


@given(JSON)
def test_the_bytes_are_json_and_any_reader_reads_the_same_value(value):
    assume("$" not in json.dumps(value))
    assert json.loads(canonical_bytes(value), parse_int=float) == value


@given(JSON)
def test_member_order_and_white_space_never_matter(value):
    text = json.dumps(value, indent=3)
    assert canonical_bytes(parse_json(text)) == canonical_bytes(value)
    assert canonical_bytes(reverse(value)) == canonical_bytes(value)


def reverse(value):
    if isinstance(value, dict):
        return {name: reverse(value[name]) for name in reversed(value)}
    return [reverse(item) for item in value] if isinstance(value, list) else value


@given(st.dictionaries(NAMES, st.none(), max_size=8))
def test_names_are_sorted_by_utf_16_code_units(value):
    names = list(json.loads(canonical_bytes(value)))
    assert names == sorted(names, key=lambda name: name.encode("utf-16-be"))


@given(FLOATS)
def test_a_double_is_its_shortest_text_and_that_text_reads_back_as_it(value):
    text = json_number(value)
    assert float(text) == value
    digits = text.partition("e")[0].replace(".", "").strip("-0")
    assert (
        len(digits) <= len(repr(value).partition("e")[0].replace(".", "").strip("-0")) or not value
    )
    assert Decimal(text) == Decimal(repr(value))


@given(st.one_of(INTS, FLOATS, DECIMALS), st.one_of(INTS, FLOATS, DECIMALS))
def test_numbers_share_their_bytes_exactly_where_they_are_one_number(one, other):
    assert (canonical_bytes(one) == canonical_bytes(other)) == (exact(one) == exact(other))


def exact(number):
    return Decimal(repr(number) if isinstance(number, float) else number)


@given(st.one_of(INTS, FLOATS, DECIMALS))
def test_a_numbers_ratio_is_its_value(number):
    top, bottom = ratio(to_wire(number))
    assert (top, bottom) == exact(number).as_integer_ratio()


@given(FLOATS, INTS)
def test_all_python_spellings_of_a_whole_number_are_one(value, whole):
    assert canonical_bytes(whole) == canonical_bytes(Decimal(whole))
    if value == math.floor(value) and abs(value) <= 2**53:
        assert canonical_bytes(value) == canonical_bytes(int(value))


@given(MOMENTS)
def test_an_instant_is_one_in_every_zone(moment):
    here = to_wire(moment)
    assert here == to_wire(moment.astimezone(UTC))
    assert here["$datetime"] == instant(moment.isoformat()) or moment.utcoffset().seconds % 60


@given(st.dates(), MOMENTS)
def test_a_day_is_never_an_instant(day, moment):
    assert canonical_bytes(day) != canonical_bytes(moment)
    assert isinstance(from_wire(to_wire(day)), date)


HOSTILE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["$int", "$decimal", "$datetime", "$date", "$bytes", "$uuid",
                                       "$float", "$result", "$x", "$$int", "a"]), inner, max_size=2),
    max_leaves=8,
)  # fmt: skip


@given(HOSTILE)
def test_a_parsed_tree_is_typed_json_with_one_spelling_or_refused(tree):
    try:
        wire = check_wire(tree)
    except NotCanonical:
        return
    assert check_wire(wire) == wire
    assert parse_wire(encode(wire)) == wire


@given(st.binary(max_size=40) | st.text(alphabet='{}[]",:\\u0dD8e+-.1 ', max_size=40))
def test_no_text_raises_anything_but_bad_json(data):
    try:
        value = parse_json(data)
    except NotCanonical:
        return
    assert canonical_bytes(value)
