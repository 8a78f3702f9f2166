from __future__ import annotations

import json
import sys

import pytest

from lastlook.core.canonical import LIMITS, Limits
from lastlook.core.jsontext import parse_json, parse_wire
from lastlook.errors import BadJSON, NotCanonical

TAKEN = [
    (b'{"a": [1, 2.5, -0, true, null, "x"]}', {"a": [1, 2.5, 0, True, None, "x"]}),
    (' \t\r\n{"a":\n1}\n', {"a": 1}),
    (b"9007199254740993", 9007199254740993),
    (b"1E400".replace(b"400", b"2"), 100.0),
    (b"0e-5000", 0.0),
    (b"-0.0", 0.0),
    (b"0.10000000000000000001", 0.1),
    (b'"\\ud83d\\ude00"', "\U0001f600"),
    ('"\U0001f600"', "\U0001f600"),
    (b'"\\u0000"', "\x00"),
    (b'"\x7f"', "\x7f"),
    (b"[]", []),
]


@pytest.mark.parametrize(("text", "value"), TAKEN, ids=repr)
def test_strict_json_is_read(text, value):
    made = parse_json(text)
    assert made == value
    assert type(made) is type(value)


REFUSED = [
    (b"", "not JSON", "line 1, column 1"),
    (b"{'a': 1}", "not JSON", "line 1, column 2"),
    (b'{"a": 1,}', "not JSON", "line 1, column"),
    (b'{"a": 1}\n{}', "not JSON: Extra data", "line 2, column 1"),
    (b"01", "not JSON", "line 1, column 2"),
    (b'"a\nb"', "not JSON", "line 1, column 3"),
    (b'"\\x41"', "not JSON", ""),
    (b"// x\n1", "not JSON", ""),
    (b"NaN", "NaN is not JSON", ""),
    (b"[-Infinity]", "-Infinity is not JSON", ""),
    (b'{"a": 1, "b": 2, "a": 1}', 'the member "a" stands twice in one object', ""),
    ('{"\u200b": 1, "\\u200b": 1}'.encode(), 'the member "\\u{200B}" stands twice', ""),
    (b"[1e400]", "a number is too large for a double", ""),
    (b"-1e400", "too large", ""),
    (b"1e-400", "a number is not 0 but too small for a double", ""),
    (b"-0.00001E-400", "too small", ""),
    (b"1" * 4301, "more than 4300 digits", ""),
    (b"-" + b"1" * 4301, "more than 4300 digits", ""),
    (b"0." + b"1" * 4300, "more than 4300 digits", ""),
    (b"\xef\xbb\xbf{}", "begins with a byte-order mark", ""),
    ("\ufeff{}", "begins with a byte-order mark", ""),
    (b'{"a": "\xff"}', "not UTF-8", "byte 8"),
    (b'"\xed\xa0\x80"', "not UTF-8", "byte 2"),
    ('"\ud800"', "half a surrogate pair", "character 2"),
    (b'"\\ud800"', "half a surrogate pair", ""),
    (b'[{"x": ["\\uDFFF"]}]', "half a surrogate pair", ""),
    (b'{"\\udc00": 1}', "half a surrogate pair", ""),
]


@pytest.mark.parametrize(("text", "what", "where"), REFUSED, ids=lambda value: repr(value)[:40])
def test_what_two_readers_could_take_differently_is_refused(text, what, where):
    with pytest.raises(BadJSON) as caught:
        parse_json(text)
    assert what in caught.value.what
    assert where in caught.value.where


def test_a_pair_written_as_escapes_is_a_text_among_others():
    assert parse_json(b'{"a": 1, "b": ["\\uD83D\\uDE00", null]}') == {
        "a": 1,
        "b": ["\U0001f600", None],
    }


def test_nesting_is_counted_before_the_parser_recurses():
    deep = "[" * LIMITS.depth + "]" * LIMITS.depth
    assert json.loads(deep) == parse_json(deep)
    with pytest.raises(BadJSON, match="more than 64 deep"):
        parse_json("[" + deep + "]")
    with pytest.raises(BadJSON, match="more than 64 deep"):
        parse_json('{"a":' * 100_000)


def test_brackets_in_texts_are_not_nesting():
    text = json.dumps(["[" * 100, '\\"[{' * 50, "]"] * 3)
    assert parse_json(text) == json.loads(text)
    assert parse_json(json.dumps([[]] * 200)) == [[]] * 200


def test_a_text_that_the_parser_cannot_nest_is_refused():
    deep = 400_000
    with pytest.raises(BadJSON, match="nests too deep"):
        parse_json("[" * deep + "]" * deep, limits=Limits(depth=10**6, nodes=10**7))


def test_values_are_counted():
    fits = json.dumps([0] * (LIMITS.nodes - 1))
    assert len(parse_json(fits)) == LIMITS.nodes - 1
    for more in ([0] * LIMITS.nodes, {str(n): [n] for n in range(LIMITS.nodes // 2)}):
        with pytest.raises(BadJSON, match="more than 100,000 values"):
            parse_json(json.dumps(more))
    commas = json.dumps([",,,,"] * (LIMITS.nodes // 5))
    assert len(parse_json(commas)) == LIMITS.nodes // 5


def test_bytes_are_counted():
    text = b'"' + b"x" * (LIMITS.bytes - 2) + b'"'
    assert len(parse_json(text)) == LIMITS.bytes - 2
    with pytest.raises(BadJSON, match="more than 4,194,304 bytes"):
        parse_json(text + b" ")


def test_4300_digits_are_read_whatever_the_interpreter_allows():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert parse_json(b"1" * 4300) % 10**6 == 111111
    finally:
        sys.set_int_max_str_digits(before)


def test_typed_json_is_read_as_typed_json():
    assert parse_wire(b'{"a": {"$date": "2026-10-23"}, "b": 1.0}') == {
        "a": {"$date": "2026-10-23"},
        "b": 1,
    }


def test_text_that_is_not_typed_json_is_refused():
    with pytest.raises(NotCanonical, match="tagged '\\$x'"):
        parse_wire(b'{"$x": 1}')
    with pytest.raises(BadJSON):
        parse_wire(b'{"a": 1, "a": 1}')


def test_typed_json_may_hold_many_values():
    many = json.dumps([[0] * 1000] * 150)
    assert len(parse_wire(many)) == 150
