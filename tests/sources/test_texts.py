"""TOML and YAML: nothing guessed, nothing shared, and hostile texts refused in good time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.core.canonical import LIMITS
from lastlook.errors import BadJSON
from lastlook.sources.texts import SLOW_BYTES, parse_text


def toml(text: str | bytes) -> Any:
    return parse_text("x.toml", text.encode() if isinstance(text, str) else text, LIMITS)


def yaml(text: str | bytes) -> Any:
    return parse_text("x.yaml", text.encode() if isinstance(text, str) else text, LIMITS)


# --- YAML ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None), ("NULL", None),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("y", "y"), ("tRUE", "tRUE"),
        ("2026-10-23", "2026-10-23"), ("2026-10-23T10:00:00Z", "2026-10-23T10:00:00Z"),
        ("12:30", "12:30"), ("1_000", "1_000"), ("0b11", "0b11"),
        ("42", 42), ("-7", -7), ("+7", 7), ("0123", 123), ("0o17", 15), ("0xff", 255),
        ("1.5", 1.5), ("1e3", 1000.0), (".5", 0.5), ("3.", 3.0), ("-0.0", 0.0),
        ("'42'", "42"), ('"true"', "true"), ("!!str 42", "42"), ('!!int "42"', 42),
        ("!!float 3", 3.0), ("! 42", "42"), ("<<", "<<"), ("=", "="),
        ("|\n  two\n  lines\n", "two\nlines\n"),
        ("[1, a, [b]]", [1, "a", ["b"]]), ("{a: {b: 1}}", {"a": {"b": 1}}),
        ("- 1\n- two\n", [1, "two"]), ("!!map {a: 1}", {"a": 1}), ("!!seq [1]", [1]),
    ],
)  # fmt: skip
def test_yaml_scalars_are_read_by_the_core_schema(text: str, value: object) -> None:
    got = yaml(f"value: {text}\n" if "- " not in text else f"value:\n{text}")["value"]
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("# only a comment\n", "empty"),
        ("a: &x 1\nb: *x\n", "alias"),
        ("a: &x {b: 1}\nc: {<<: *x}\n", "alias"),
        ("a: &x [*x]\n", "alias"),
        ("a: 1\nb: 2\na: 3\n", "twice"),
        ("{a: 1, 'a': 2}", "twice"),
        ("1: one\n", "not text"),
        ("null: one\n", "not text"),
        ("? [a]\n: one\n", "not text"),
        ("a: 1\n---\nb: 2\n", "second document"),
        ("a: 1\n...\n---\n", "second document"),
        ("a: !!timestamp 2026-10-23\n", "tag"),
        ("a: !!binary aGk=\n", "tag"),
        ("a: !!set {x}\n", "tag"),
        ("a: !!omap [x: 1]\n", "tag"),
        ("a: !!python/object/apply:os.system [id]\n", "tag"),
        ("a: !mine 1\n", "tag"),
        ("a: !!int x\n", "tag"),
        ("a: !!bool 1\n", "tag"),
        ("a: !!seq {b: 1}\n", "tag"),
        ("a: .nan\n", "finite"),
        ("a: -.inf\n", "finite"),
        ("a: 1e999\n", "finite"),
        ("a: 1e-999\n", "too small"),
        ("a: " + "9" * 5000 + "\n", "digits"),
        ("a: 0x" + "f" * 5000 + "\n", "digits"),
        ('a: "\\ud800"\n', "surrogate"),
        ("a: [1\n", "not YAML"),
        ("a: b: c\n", "not YAML"),
        ("\ta: 1\n", "not YAML"),
        ("a: \x01\n", "not YAML"),
        ("[" * 100 + "]" * 100, "deep"),
        ("[" * 50_000, "deep"),
        ("- " * 50_000, "deep"),
        ("a: " + "{b: " * 80, "deep"),
    ],
    ids=lambda text: ascii(text[:24]),
)
def test_yaml_that_could_mean_two_things_or_do_harm_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadJSON, match=words):
        yaml(text)


def test_a_yaml_error_names_line_and_column() -> None:
    with pytest.raises(BadJSON) as caught:
        yaml("a: 1\nb: 2\na: 3\n")
    assert caught.value.where == "line 3, column 1"
    with pytest.raises(BadJSON) as caught:
        yaml("a: 1\nb: [\n")
    assert caught.value.where == "line 3, column 1"


plain = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=["C"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(plain, inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_json_text_means_the_same_when_it_is_read_as_yaml(value: object) -> None:
    # PyYAML wants the name of a member within 1,024 characters and on one line; these are.
    assert yaml(json.dumps(value, ensure_ascii=False)) == value


# --- TOML ----------------------------------------------------------------------------------------


def test_toml_is_read_with_its_types() -> None:
    assert toml('a = 1\nb = "x"\nc = [1.5, true]\n[d]\ne = "f"\n') == {
        "a": 1, "b": "x", "c": [1.5, True], "d": {"e": "f"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = 1\na = 2\n", "not TOML"),
        ("a = \n", "not TOML"),
        ("a = nan\n", "finite"),
        ("a = -inf\n", "finite"),
        ("a = 1e999\n", "finite"),
        ("a = 0.1e-999\n", "too small"),
        ("a = 1" + "0" * 5000 + "\n", "not TOML"),
        ('a = "\\ud800"\n', "not TOML"),
        ("a = " + "[" * 60_000, "deep"),
        ("a." * 60_000 + "b = 1", "deep"),
        ("[" + "a." * 60_000 + "b]\n", "deep"),
        ('"a".' * 30_000 + "b = 1", "deep"),
        ("\ufeffa = 1\n", "byte-order"),
    ],
    ids=lambda text: ascii(text[:24]),
)
def test_toml_that_could_mean_two_things_or_do_harm_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadJSON, match=words):
        toml(text)


def test_many_lines_with_few_dots_are_not_deep() -> None:
    text = "".join(f'key_{number} = "One. Two. Three."\n' for number in range(2_000))
    assert len(toml(text)) == 2_000


@pytest.mark.parametrize("read", [toml, yaml])
def test_bytes_that_are_no_utf8_are_refused_with_their_place(read: Any) -> None:
    with pytest.raises(BadJSON, match="UTF-8") as caught:
        read(b"a = '\xff'")
    assert caught.value.where == "byte 5"


@pytest.mark.parametrize("read", [toml, yaml])
def test_slow_formats_are_read_up_to_their_own_size(read: Any) -> None:
    with pytest.raises(BadJSON, match="131,072"):
        read(b"#" * (SLOW_BYTES + 1))


@pytest.mark.parametrize(("text", "value"), [("0.0", 0.0), ("-0e5", 0.0), ("0e-999", 0.0)])
def test_a_zero_that_is_written_as_zero_is_zero(text: str, value: float) -> None:
    assert toml(f"a = {text}\n") == {"a": value}
