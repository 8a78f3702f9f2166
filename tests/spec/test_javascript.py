"""The second implementation, in JavaScript, agrees with the library byte for byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.conformance import GROUPS, Program, examine, vectors
from lastlook.conformance.answers import answer
from tests.spec.node import SECOND, node


@pytest.fixture(scope="module")
def second():
    with Program([node(), str(SECOND)], seconds=60) as program:
        yield program


@pytest.mark.parametrize("group", GROUPS)
def test_the_second_implementation_answers_every_vector_to_the_byte(second, group):
    report = examine(second.ask, vectors(group))
    assert [(failure.title, failure.why) for failure in report.failures] == []


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
NUMBERS = st.one_of(
    st.integers(-(10**25), 10**25).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True),
)
LEAVES = st.one_of(NUMBERS, st.sampled_from(["null", "true", "false"]), TEXT.map(json.dumps))


def containers(inner):
    members = st.lists(st.tuples(TEXT.map(json.dumps), inner), max_size=4)
    return st.one_of(
        st.lists(inner, max_size=4).map(lambda items: f"[{','.join(items)}]"),
        members.map(lambda pairs: f"{{{','.join(f'{name}: {item}' for name, item in pairs)}}}"),
    )


TREES = st.recursive(LEAVES, containers, max_leaves=12)


def agree(second, request):
    assert second.ask(request) == answer(request)


@given(TREES, st.booleans())
def test_both_take_any_json_alike(second, text, strict):
    agree(second, {"op": "json", "text": text, "strict": strict})


TAGS = ["$int", "$decimal", "$datetime", "$date", "$bytes", "$uuid", "$float", "$x", "$$int"]
DATES = st.from_regex(
    r"(0000|0001|2024|2026|9999)-[01][0-9]-[0-3][0-9]"
    r"(T[0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{1,8})?(Z|[+-][0-2][0-9]:[0-5][0-9]))?",
    fullmatch=True,
)
TAGGED = st.tuples(
    st.sampled_from(TAGS), st.one_of(NUMBERS.map(json.dumps), NUMBERS, DATES.map(json.dumps))
).map(lambda pair: f'{{"{pair[0]}":{pair[1]}}}')


@given(st.recursive(st.one_of(LEAVES, TAGGED), containers, max_leaves=6))
def test_both_take_any_typed_json_alike(second, text):
    agree(second, {"op": "typed", "text": text})


NAMES = st.one_of(TEXT, st.sampled_from(["x", "/a/b~1", '"a b"', "$", "$.a[0]", "$.a[*]"]))
LITERALS = st.one_of(LEAVES, TAGGED, TREES, TEXT.map(lambda text: f"'{text}'"))
WORDS = st.sampled_from(
    ["", "", " (optional)", " (secret, nfc)", " (unordered)", " (instant)", " (strict)"]
)
SIGNS = st.sampled_from([" == ", " >= ", " <= ", " in ", " within ", " =", ""])


@given(NAMES, SIGNS, LITERALS, WORDS)
def test_both_read_and_print_any_text_of_a_field_alike(second, name, sign, literal, words):
    agree(second, {"op": "field", "text": f"{name}{sign}{literal if sign else ''}{words}"})


@given(st.text("ab=<>in withn'\"[](){}$./~%5,*@?!:\\ ", max_size=14))
def test_both_read_any_jumble_of_signs_alike(second, text):
    if not text.startswith("$"):  # of a wildcard the library reads the outline first
        agree(second, {"op": "field", "text": text})


MARKS = st.sampled_from(["", " (strict)", " (nfc)", " (optional)", " (unordered)", " (instant)"])


@given(
    TREES, st.sampled_from(["$", "/0", "$[0]", "$[*]", "$..*", "/a", "$.*.*", "$[?@ > 0]"]), MARKS
)
def test_both_give_any_record_the_same_fingerprint(second, text, selector, marks):
    typed = answer({"op": "json", "text": text, "strict": True})
    if "bytes" in typed:
        agree(second, {
            "op": "capture", "kind": "record", "ref": "any:é", "record": typed["bytes"],
            "fields": [selector + marks],
        })  # fmt: skip


@given(DATES)
def test_both_name_the_same_instant(second, text):
    record = json.dumps({"a": text})
    fields = ["a (instant)"]
    agree(
        second, {"op": "capture", "kind": "record", "ref": "", "record": record, "fields": fields}
    )
