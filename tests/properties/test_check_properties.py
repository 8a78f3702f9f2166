"""Check: Valid exactly where each declared field has the same canonical form."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lastlook.core.canonical import canonical_bytes
from lastlook.core.check import Stale, Unresolvable, Valid, check
from lastlook.core.evidence import Evidence, capture
from lastlook.errors import LastlookError
from tests.properties.values import VALUES

SMALL = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from([0.0, 1.0, 0.5, 1e21]),
    st.sampled_from(["", "a", "1", "null", "true"]), st.just([]), st.just({}),
)  # fmt: skip
NAMES = ["a", "b", "$c", "/d", "e~f"]
RECORDS = st.dictionaries(st.sampled_from(NAMES), SMALL | VALUES, max_size=5)
FIELDS = [f'"{name}" (optional)' if name != "/d" else "/~1d (optional)" for name in NAMES]


def same(one, other, name):
    if (name in one) != (name in other):
        return False
    return name not in one or canonical_bytes(one[name]) == canonical_bytes(other[name])


@given(RECORDS, RECORDS)
def test_a_check_is_valid_exactly_where_every_field_has_the_same_bytes(before, after):
    evidence = capture(before, FIELDS)
    expected = {name for name in NAMES if not same(before, after, name)}
    for result in (check(evidence, after), check(evidence, after)):
        if expected:
            assert isinstance(result, Stale)
            named = {each[1:].replace("~1", "/").replace("~0", "~") for each in result.changed}
            assert named == expected
            assert result.captured != result.current
        else:
            assert isinstance(result, Valid)
            assert result.captured == result.current
    assert (result.current == evidence.fingerprint) == (not expected)


@given(RECORDS, RECORDS)
def test_the_current_fingerprint_is_the_one_that_capture_would_make(before, after):
    assert check(capture(before, FIELDS), after).current == capture(after, FIELDS).fingerprint


@given(RECORDS)
def test_evidence_read_back_from_json_is_the_same_evidence(record):
    evidence = capture(record, FIELDS, ref="s:k")
    again = msgspec.json.decode(msgspec.json.encode(evidence), type=Evidence)
    assert again == evidence
    assert isinstance(check(again, record), Valid)


@given(
    RECORDS, st.sampled_from([">= 1", "<= 1", 'in [1, "a", null]', "== 0.5", "within 1"]), RECORDS
)
def test_a_condition_alone_decides_where_there_is_one(before, condition, after):
    text = f"a {condition}"
    try:
        evidence = capture(before, [text])
    except LastlookError:
        return
    result = check(evidence, after)
    if isinstance(result, Valid):
        assert (result.current != result.captured) == bool(result.moved)
    if "within" not in condition:
        try:
            capture(after, [text])
            holds = True
        except LastlookError:
            holds = False
        assert isinstance(result, Valid) is holds


class Angry:
    """An object that raises whatever is asked of it, but what Python itself asks."""

    def __getattribute__(self, name):
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        raise ZeroDivisionError(name)


ANY = st.one_of(
    VALUES, st.text(max_size=5), st.floats(), st.just(Angry()), st.builds(object),
    st.sets(st.integers(), max_size=2), st.just({"a": Angry()}), st.just({"a": float("nan")}),
    st.just(Angry), st.dictionaries(st.integers() | st.text(max_size=1), VALUES, max_size=3),
)  # fmt: skip


@given(RECORDS, ANY)
def test_a_check_never_raises_whatever_the_record_is(before, record):
    result = check(capture(before, FIELDS), record)
    assert isinstance(result, Valid | Stale | Unresolvable)
