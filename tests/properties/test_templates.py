"""Templates and writes keep what is filled in apart from what was written."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lastlook.core.refs import parse_ref, parse_writes
from lastlook.core.templates import Template

pieces = st.sampled_from(["{", "}", "{{", "}}", "{a}", "{b.c}", "#", "##", ":", "\n", "x", "é"])
texts = st.lists(pieces | st.text(max_size=3), max_size=8).map("".join)


def _doubled(text):
    """Return a text as a template that is filled to it: each `{` doubled, and its `}`."""
    made, opened = "", 0
    for char in text:
        if char == "{":
            opened += 1
            made += "{{"
        elif char == "}" and opened:
            opened -= 1
            made += "}}"
        else:
            made += char
    return made


@settings(max_examples=200)
@given(texts)
def test_any_text_can_be_written_as_a_template(text):
    template = Template(_doubled(text))
    assert template.names() == ()
    assert template.fill({}) == text


@settings(max_examples=200)
@given(texts, texts)
def test_a_value_is_put_in_as_it_is(a, b):
    given_values = {"a": a, "b": b}
    assert Template("{a}").fill(given_values) == a
    assert Template("<{a}|{b}>").fill(given_values) == f"<{a}|{b}>"


@settings(max_examples=200)
@given(texts.filter(bool), texts)
def test_a_key_is_put_in_as_it_is_and_can_not_reach_the_fields(key, part):
    written = parse_writes("s:{key}#status,/x/{part}").fill({"key": key, "part": part})
    assert parse_ref(written.ref) == ("s", key)
    assert written.fields[0] == "/status"
    assert written.fields[1].count("/") == 2


@settings(max_examples=200)
@given(texts.filter(bool))
def test_any_key_can_be_written_by_doubling(key):
    doubled = "".join(char * 2 if char in "{}#" else char for char in key)
    assert parse_writes(f"s:{doubled}").fill({}).ref == f"s:{key}"
