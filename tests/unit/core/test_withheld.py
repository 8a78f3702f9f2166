"""What is said of a failed read where a field is secret: the kind of failure, and no more."""

from __future__ import annotations

from typing import Annotated

import pytest

from lastlook.core.check import check_reading
from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound, capture
from lastlook.core.facts import Facts, at_least, fields_of, secret
from lastlook.core.fields import field, parse_field
from lastlook.core.members import capture_members
from lastlook.core.withheld import WITHHELD, told, without_words
from lastlook.errors import (
    ConditionNotMet,
    FieldSyntaxError,
    LastlookError,
    NotCanonical,
    PathNamesNothing,
)

SALTS = {"s:1#/pw": b"x" * 32, "s:all#/pw": b"x" * 32, "s:1#": b"x" * 32}
WORD = "hunter2"


@pytest.fixture
def evidence():
    return capture({"pw": "0", "status": 1}, ["pw (secret)", "status"], ref="s:1", salts=SALTS)


@pytest.mark.parametrize(
    ("reading", "reason"),
    [
        (NotFound(WORD), f"not found; {WITHHELD}"),
        (NotFound(), "not found"),
        (NoAccess(WORD), f"no access; {WITHHELD}"),
        (NoAccess(), "no access"),
        (NoAnswer(WORD), f"no answer; {WITHHELD}"),
        (NoAnswer(), "no answer"),
        (type(WORD, (), {})(), f"no answer; {WITHHELD}"),
        (Found({"pw": {WORD: float("nan")}}), f"the record could not be read; {WITHHELD}"),
        (Found({"pw": "0", "status": {WORD}}), f"the record could not be read; {WITHHELD}"),
    ],
)
def test_of_a_secret_only_the_kind_of_failure_is_told(evidence, reading, reason):
    assert check_reading(evidence, reading, salts=SALTS).reason == reason


def test_without_a_secret_the_words_of_the_source_are_told():
    evidence = capture({"status": 1}, "status", ref="s:1")
    assert check_reading(evidence, NoAnswer("it hangs")).reason == "it hangs"
    assert told("it hangs", "no answer", [field("status")]) == "it hangs"


@pytest.mark.parametrize(
    ("record", "fields", "where"),
    [
        ({"pw": {WORD: "\ud800"}}, ["pw (secret)"], "/pw"),
        ({"pw": {WORD: {"\u00e9": 1, "e\u0301": 2}}}, ["pw (secret, nfc)"], "/pw"),
        ({"pw": "0", "a": {WORD: {1}}}, ["pw (secret)", "a"], "/a"),
        ({"pw": "0", "a": {"b": {WORD: {1}}}}, ["pw (secret)", "a", "/a/b"], "/a/b"),
        ({WORD: "\ud800"}, ["$ (secret)"], ""),
    ],
)
def test_a_capture_that_fails_names_a_declared_field_at_most(record, fields, where):
    with pytest.raises(NotCanonical) as refused:
        capture(record, fields, ref="s:1", salts=SALTS)
    assert refused.value.where == where
    assert WORD not in str(refused.value)
    assert refused.value.__suppress_context__
    assert WITHHELD in str(refused.value)


def test_a_place_is_cut_at_the_nearest_declared_field():
    fields = [field("a"), parse_field("/a/b"), parse_field("pw (secret)")]
    cut = without_words(NotCanonical(WORD, where=f"/a/b/{WORD}"), fields)
    assert (cut.where, WORD in cut.what) == ("/a/b", False)
    assert without_words(NotCanonical(WORD, where=f"/ab/{WORD}"), fields).where == ""


def test_a_record_that_raises_is_not_quoted_and_not_chained():
    class Loud(dict[str, object]):
        def get(self, *_: object) -> object:
            raise ValueError(WORD)

    with pytest.raises(NotCanonical, match=WITHHELD) as refused:
        capture(Loud(), ["pw (secret)"], ref="s:1", salts=SALTS)
    assert refused.value.__cause__ is None
    with pytest.raises(NotCanonical) as told_why:
        capture(Loud(), ["pw"], ref="s:1")
    assert isinstance(told_why.value.__cause__, ValueError)


def test_a_slip_in_a_name_is_not_corrected_from_a_record_with_a_secret():
    record = {"hunter2": 1, "pw": 1}
    with pytest.raises(PathNamesNothing) as refused:
        capture(record, ["$ (secret)", "hunter3"], ref="s:1", salts=SALTS)
    assert WORD not in str(refused.value)
    with pytest.raises(PathNamesNothing, match="Did you mean hunter2"):
        capture(record, ["hunter3"], ref="s:1")


@pytest.mark.parametrize("members", [[(f"{WORD}\ud800", {})], [(WORD, {}), (WORD, {})]])
def test_members_that_cannot_be_read_are_not_named_beside_a_secret(members):
    with pytest.raises(NotCanonical) as refused:
        capture_members(members, ["pw (secret)"], ref="s:all", cap=9, salts=SALTS)
    assert WORD not in str(refused.value)
    with pytest.raises(NotCanonical) as plain:
        capture_members(members, ["pw"], ref="s:all", cap=9)
    assert WITHHELD not in str(plain.value)


def test_a_condition_on_another_field_is_still_told_in_full():
    with pytest.raises(ConditionNotMet, match=r'status is "taken"'):
        capture(
            {"pw": WORD, "status": "taken"},
            ["pw (secret)", 'status == "free"'],
            ref="s:1",
            salts=SALTS,
        )


def test_a_class_of_facts_repeats_no_literal_of_a_secret_attribute():
    class Door(Facts):
        pin: Annotated[str, at_least("hunter2"), secret]

    with pytest.raises(FieldSyntaxError) as refused:
        fields_of(Door)
    assert WORD not in str(refused.value)


SPELLINGS = [
    "pw == 'hunter2' (secret",
    "pw = 'hunter2' (secret)",
    "pw == hunter2 (secret)",
    "pw >= 'hunter2' (secret)",
    "pw in 'hunter2' (Secret)",
    "pw == 'hunter2 (secret)",
    "pw == {hunter2} (unordered, secret)",
    "$.pw[?@ == 'hunter2' (secret)",
]


@pytest.mark.parametrize("text", SPELLINGS)
@pytest.mark.parametrize("read", [parse_field, field])
def test_a_text_that_may_be_secret_is_never_repeated(read, text):
    with pytest.raises(LastlookError) as refused:
        read(text)
    assert WORD not in str(refused.value)
    assert refused.value.__suppress_context__


@pytest.mark.parametrize(
    "make",
    [
        lambda: field("pw").secret.at_least(WORD),
        lambda: field("pw").secret.unordered.equals(WORD),
        lambda: field("pw").secret.instant.equals(WORD),
        lambda: field("pw").secret.equals({WORD: float("nan")}),
        lambda: field("pw").secret.nfc.equals({WORD: {"\u00e9": 1, "e\u0301": 2}}),
        lambda: field("pw").secret.equals(WORD).equals(1),
        lambda: type(field("pw"))(selector="/pw", rule={WORD: WORD[::-1]}, is_secret=True),
    ],
)
def test_a_literal_of_a_secret_field_is_never_repeated(make):
    with pytest.raises(LastlookError) as refused:
        make()
    assert WORD not in str(refused.value) or "a rule has no" in str(refused.value)
    assert WORD[::-1] not in str(refused.value)


def test_without_a_secret_the_literal_that_is_wrong_is_repeated():
    with pytest.raises(LastlookError, match="needs a number, not 'hunter2'"):
        field("pw").at_least(WORD)
    with pytest.raises(NotCanonical) as refused:
        field("pw").equals({WORD: float("nan")})
    assert refused.value.where == f"/{WORD}"
