from __future__ import annotations

import sys
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from types import MappingProxyType

import msgspec
import pytest

from lastlook.core import filters, wildcards
from lastlook.core.selectors import ABSENT, Match, compile_selector
from lastlook.errors import FieldSyntaxError, NotCanonical

jsonpath = pytest.importorskip("jsonpath")


def _found(selector, record):
    """Return selected values; the empty list where nothing matches."""
    matches = compile_selector(selector)(record)
    return [] if matches is ABSENT else [match.value for match in matches]


# The record of RFC 9535, section 1.5.
STORE = {
    "store": {
        "book": [
            {"category": "reference", "author": "Rees", "title": "Century", "price": 8.95},
            {"category": "fiction", "author": "Waugh", "title": "Sword", "price": 12.99},
            {"category": "fiction", "author": "Melville", "isbn": "0-553", "price": 8.99},
            {"category": "fiction", "author": "Tolkien", "isbn": "0-395", "price": 22.99},
        ],
        "bicycle": {"color": "red", "price": 399},
    }
}


@pytest.mark.parametrize(
    ("selector", "values"),
    [
        ("$.store.book[*].author", ["Rees", "Waugh", "Melville", "Tolkien"]),
        ("$..author", ["Rees", "Waugh", "Melville", "Tolkien"]),
        ("$.store..price", [399, 8.95, 12.99, 8.99, 22.99]),
        ("$..book[2].author", ["Melville"]),
        ("$..book[2].publisher", []),
        ("$..book[-1].author", ["Tolkien"]),
        ("$..book[0,1].author", ["Rees", "Waugh"]),
        ("$..book[:2].author", ["Rees", "Waugh"]),
        ("$..book[::-2].author", ["Waugh", "Tolkien"]),
        ("$..book[::0].author", []),
        ("$.store.bicycle[0:1]", []),
        ("$..book[?@.isbn].author", ["Melville", "Tolkien"]),
        ("$..book[?!@.isbn].author", ["Rees", "Waugh"]),
        ("$..book[?@.price<10].author", ["Rees", "Melville"]),
        ("$..book[?@.price<10 && @.isbn].author", ["Melville"]),
        ("$..book[?@.price>20 || @.price<=8.95].author", ["Rees", "Tolkien"]),
        ("$..book[?@.price>=12.99].author", ["Waugh", "Tolkien"]),
        ("$..book[?@.category!='fiction'].author", ["Rees"]),
        ("$.store.book[?@.price == $.store.book[0].price].author", ["Rees"]),
        ("$.store[?count(@.*) == 2].color", ["red"]),
        ("$.store.book[?length(@.author) == 4].author", ["Rees"]),
        ("$.store.book[?length(@) == 4 && length(@.price) == 4].author", []),
        ("$.store[?length(@) == 4][0].author", ["Rees"]),
        ("$.store.book[?match(@.author, 'T.*n')].author", ["Tolkien"]),
        ("$.store.book[?search(@.author, 'e')].author", ["Rees", "Melville", "Tolkien"]),
        ("$.store.book[?match(@.price, '.*')].author", []),
        ("$.store.book[?match(@.author, '(')].author", []),
        ("$.store.book[?value(@.author) == 'Rees'].title", ["Century"]),
        ("$.store[?value(@..color) == 'red'].color", ["red"]),
        ("$.store[?value(@..price) == 399].color", ["red"]),
    ],
)
def test_a_query_selects_what_the_rfc_says(selector, values):
    assert _found(selector, STORE) == values


@pytest.mark.parametrize(
    ("selector", "record", "values"),
    [
        ("$[?@]", [False, 0, None, "", []], [False, 0, None, "", []]),
        ("$[?!@.a]", [{"a": False}, {}], [{}]),
        ("$[?@ == true]", [1, True], [True]),
        ("$[?@.a == @.b]", [{"a": [1], "b": [True]}, {"a": [1], "b": [1.0]}],
         [{"a": [1], "b": [1.0]}]),
        ("$[?@ == 0.1]", [0.1, Decimal("0.1"), "0.1"], [0.1, Decimal("0.1")]),
        ("$[?@ < 0.3]", [0.1 + 0.2, Decimal("0.29"), True, "0"], [Decimal("0.29")]),
        ("$[?@ < 'b']", ["a", "c", 1, None], ["a"]),
        ("$[?@.x == @.y]", [{}, {"x": None}], [{}]),
        ("$[?@.x < @.y]", [{}, {"x": 1, "y": 2}], [{"x": 1, "y": 2}]),
        ("$[?@.x <= @.y]", [{}, {"x": 1}], [{}]),
        ("$[?@ == null]", [None, 0], [None]),
        ("$.a[0:1]", {"a": "text"}, []),
        ("$..*", {"a": b"xy"}, [b"xy"]),
        ("$[?@.a == $.x]", {"p": {"a": 1}, "x": 1}, [{"a": 1}]),
        ("$[?length(@) == 2]", [b"ab", "ab", [1, 2], {"a": 1}], ["ab", [1, 2]]),
        ("$.*", "[1]", []),
        ("$[?$.a]", {"a": 1, "b": 2}, [1, 2]),
    ],
)  # fmt: skip
def test_a_filter_compares_as_fields_do(selector, record, values):
    found = _found(selector, record)
    assert [repr(value) for value in found] == [repr(value) for value in values]


def test_each_location_stands_once_with_path_and_indices_in_order():
    record = {"b": [{"p": 1}, {"p": 2}], "a": [[{"p": 3}]], "a]": {"p": 4}}
    assert compile_selector("$..['p','p']")(record) == [
        Match(["a", None, None, "p"], (0, 0), 3),
        Match(["a]", "p"], (), 4),
        Match(["b", None, "p"], (0,), 1),
        Match(["b", None, "p"], (1,), 2),
    ]


def test_matches_are_sorted_by_index_as_numbers():
    matches = compile_selector("$[*]")(list(range(12)))
    assert [match.indices[0] for match in matches] == list(range(12))


def test_an_index_from_the_end_has_the_place_it_names():
    assert compile_selector("$..[-1]")([1, 2]) == [Match([None], (1,), 2)]


class Line(msgspec.Struct):
    price: int
    note: str | msgspec.UnsetType = msgspec.UNSET


class Level(Enum):
    HIGH = "high"


def test_objects_mappings_and_tuples_are_followed_as_they_are():
    when = datetime(2026, 1, 1, tzinfo=UTC)
    record = MappingProxyType({"lines": (Line(price=3), Line(price=5)), "at": when})
    assert _found("$.lines[*].price", record) == [3, 5]
    assert _found("$.lines[0][*]", record) == [3]
    assert _found("$.lines[?length(@) == 1].price", record) == [3, 5]
    assert _found("$[?@ == 'high']", [Level.HIGH, "low"]) == [Level.HIGH]
    assert _found("$[?value(@.*) == 'high']", [[Level.HIGH]]) == [[Level.HIGH]]
    assert _found("$.*", record) == [when, record["lines"]]


def test_an_attribute_that_raises_is_refused_only_where_the_query_comes_by():
    class Broken(msgspec.Struct):
        good: int
        bad: int

    broken = Broken(good=1, bad=2)
    del broken.bad
    assert _found("$[*].good", [broken]) == [1]
    with pytest.raises(NotCanonical) as caught:
        _found("$[0].*", [broken])
    assert caught.value.where == "/0/bad"


def test_a_member_name_that_is_no_text_is_refused():
    with pytest.raises(NotCanonical) as caught:
        _found("$.a.*", {"a": {1: 2}})
    assert caught.value.where == "/a"


def test_a_record_that_is_too_deep_or_turns_in_circles_is_refused():
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(NotCanonical, match="deep"):
        _found("$..a", circle)


def test_a_query_that_looks_at_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(wildcards, "VISITS", 100)
    assert len(_found("$[*]", list(range(100)))) == 100
    with pytest.raises(NotCanonical, match="looks at more than"):
        _found("$[*]", list(range(101)))


def test_a_pattern_that_does_not_end_is_refused(monkeypatch):
    monkeypatch.setattr(filters, "PATTERN_SECONDS", 0.02)
    with pytest.raises(NotCanonical, match="too long"):
        _found("$[?match(@, '(a|aa)+')]", ["a" * 60 + "b"])


@pytest.mark.parametrize(
    "selector",
    ["$.a[", "$[?@.a == ]", "$[?nope(@)]", "$[?count(1) == 1]", "$[?@.*== 1]", "$[*]['\\x']",
     "$[1:2:3:4]", "$[?true]", "$[?" + "(" * 1500 + "@" + ")" * 1500 + "]"],
)  # fmt: skip
def test_what_is_no_query_is_refused_when_it_is_compiled(selector):
    with pytest.raises(FieldSyntaxError):
        compile_selector(selector)


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jsonpath", None)
    with pytest.raises(FieldSyntaxError) as caught:
        compile_selector("$.without.extra[*]")
    assert "pip install 'lastlook[jsonpath]'" in caught.value.fix
    assert compile_selector("$.without.extra")({"without": {"extra": 1}}) == 1


def test_half_of_the_extra_is_not_enough(monkeypatch):
    monkeypatch.setattr("jsonpath.env.REGEX_AVAILABLE", False)
    with pytest.raises(FieldSyntaxError) as caught:
        compile_selector("$.half.of.it[*]")
    assert "regex and iregexp-check" in caught.value.what
