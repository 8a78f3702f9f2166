"""The text of a field reads back as that field, whatever stands in it."""

from __future__ import annotations

import string
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastlook.core.fields import Field, field, parse_field
from lastlook.core.fieldtext import OPERATORS, WORDS, quote
from lastlook.core.objects import escape
from lastlook.core.selectors import check_selector
from lastlook.errors import FieldSyntaxError

# Pieces that the grammar has a use for, beside whatever else a record's names may hold.
PIECES = [
    " ", "  ", "$", "/", "~", "~0", "~1", "\\", '"', "'", "[", "]", "(", ")", "{", "}", "=",
    "<", ">", "!", "#", ",", ".", "%", "\n", "\t", "\x00", "\u00a0", "\u2028", "\u202e",
    "\U0001f600", "e\u0301", "0", "-", "null", "true", " (optional)", " (secret, nfc)",
    *(f" {symbol} " for symbol in OPERATORS), *OPERATORS, *WORDS,
]  # fmt: skip
names = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=6).map("".join)
pointers = st.lists(names, max_size=3).map(lambda parts: "".join(f"/{escape(p)}" for p in parts))
queries = st.sampled_from(
    ["$.a", "$['a == b']", "$.l[*].p", "$..a", "$.l[?@.k == 'x in [1]'].p", "$ .a\n['(b)']",
     '$["\\"", \'\\\'\']', "$.in", "$.within[0]", "$.l[?@.a >= 2 && search(@.b, '[)]')]"],
)  # fmt: skip
selectors = pointers | queries

numbers = (
    st.integers(min_value=-(10**30), max_value=10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False, places=25, max_value=Decimal(10) ** 20)
)
scalars = st.none() | st.booleans() | numbers | names | st.datetimes(timezones=st.timezones())
values = st.recursive(
    scalars | st.dates() | st.binary(max_size=4) | st.uuids(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
MARKS = ("unordered", "instant", "strict", "nfc", "absent_is_null")


@st.composite
def fields(draw):
    """Return any field that can be made; parts that don't go together are left out."""
    made = Field(selector=draw(selectors))
    marks = draw(st.lists(st.sampled_from((*MARKS, "optional", "secret")), max_size=3))
    steps = [*(lambda it, mark=mark: getattr(it, mark) for mark in marks)]
    steps.append(draw(_comparisons()))
    for step in steps:
        try:
            made = step(made)
        except FieldSyntaxError:
            continue
    return made


@st.composite
def _comparisons(draw):
    name = draw(st.sampled_from(["", "equals", "at_least", "at_most", "one_of", "within", "%"]))
    if name in {"at_least", "at_most", "within"}:
        number = draw(numbers)
        return lambda it: getattr(it, name)(number)
    if name == "%":
        share = draw(numbers)
        return lambda it: it.within(percent=share)
    if name == "one_of":
        several = draw(st.lists(values, min_size=1, max_size=3))
        return lambda it: it.one_of(*several)
    value = draw(values)
    return (lambda it: it.equals(value)) if name else (lambda it: it)


@settings(max_examples=200)
@given(fields())
def test_a_field_reads_back_from_its_text(made):
    read = parse_field(str(made))
    assert read == made
    assert str(read) == str(made)


@settings(max_examples=100)
@given(fields())
def test_a_field_reads_back_from_its_stored_form(made):
    assert msgspec.json.decode(msgspec.json.encode(made), type=Field) == made


@settings(max_examples=200)
@given(pointers)
def test_every_pointer_has_a_text_of_its_own(pointer):
    made = Field(selector=pointer)
    assert parse_field(str(made)).selector == pointer
    assert field(str(made)) == made


@settings(max_examples=200)
@given(names)
def test_a_quoted_name_is_that_name_unless_it_is_a_pointer(name):
    text = quote(name)
    if name.startswith("/"):
        return
    assert parse_field(text).selector == "/" + escape(name)


@settings(max_examples=200)
@given(names | st.text(string.printable, max_size=30))
def test_any_text_is_a_field_or_refused_with_advice(text):
    try:
        made = parse_field(text)
    except FieldSyntaxError as error:
        assert error.what  # noqa: PT017  # that it is this error, and says something, is the point
        return
    assert parse_field(str(made)) == made


@settings(max_examples=100)
@given(names.map(lambda name: "$" + name))
def test_any_text_after_a_dollar_is_a_query_that_prints_or_is_refused(selector):
    try:
        check_selector(selector)
    except FieldSyntaxError:
        return
    assert parse_field(str(Field(selector=selector).optional)).selector == selector


def test_the_words_and_operators_are_those_of_the_format():
    assert WORDS == (
        "optional", "secret", "nfc", "unordered", "strict", "instant", "absent_is_null",
    )  # fmt: skip
    assert list(OPERATORS) == ["==", ">=", "<=", "in", "within"]


@pytest.mark.parametrize("symbol", OPERATORS)
def test_a_name_that_is_an_operator_needs_no_quotes_unless_it_holds_a_sign(symbol):
    assert str(parse_field(quote(symbol))) == (symbol if symbol.isalpha() else quote(symbol))
