"""Whatever differs between two pieces of evidence is named, whether or not it may."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook.core.differences import Note, between, reading_of, since
from lastlook.core.evidence import Found, NoAnswer, NotFound, capture
from lastlook.core.members import capture_members
from lastlook.core.results import Stale, Unresolvable, Valid

SLOT = {"status": "free", "price": 80, "tags": ["a", "b"], "lines": [{"n": 1}, {"n": 2}]}


def of(record: Any, *fields: str, ref: str = "s:1", **about: Any) -> Any:
    return capture(record, fields, ref=ref, **about)


def members(rows: dict[str, Any], *fields: str, **params: object) -> Any:
    return capture_members(rows, fields, ref="s:open", params=params, cap=9)


def kinds(found: Any) -> dict[str, str]:
    (check,) = found.checks
    assert isinstance(check, Stale)
    assert check.changed == tuple(dict.fromkeys(each.field for each in check.changes))
    return {f"{each.member}{each.field}": each.kind for each in check.changes}


def test_the_same_is_equal() -> None:
    one = of(SLOT, "status == 'free'", "price within 5%", "tags (unordered)")
    found = between([one], [one])
    assert found.verdict == "equal"
    assert found.notes == ()
    assert isinstance(found.checks[0], Valid)


@pytest.mark.parametrize(
    ("field", "now", "kind"),
    [
        ("price within 50%", {"price": 81}, "changed"),
        ("price >= 1", {"price": 81}, "changed"),
        ("status in ['free', 'held']", {"status": "held"}, "changed"),
        ("status", {"status": None}, "changed"),
        ("status", {"status": 3}, "type"),
        ("status", {"status": "fre\u200be"}, "looks_alike"),
        ("$.lines[*].n", {"lines": [{"n": 1}]}, "changed"),
        ("tags", {"tags": ["b", "a"]}, "changed"),
        ("gone (optional)", {"gone": 1}, "appeared"),
    ],
)
def test_a_value_that_may_move_differs_too(field: str, now: dict[str, Any], kind: str) -> None:
    before, after = of(SLOT, field), of(SLOT | now, field)
    for found in (
        between([before], [after]),
        since([before], [reading_of(before, Found(SLOT | now))]),
    ):
        assert found.verdict == "different"
        assert list(kinds(found).values()) == [kind]


def test_a_field_that_went_is_removed() -> None:
    before = of(SLOT, "price", "status")
    found = since([before], [reading_of(before, Found({"status": "free"}))])
    assert kinds(found) == {"/price": "removed"}


def test_what_the_marks_make_the_same_is_equal() -> None:
    before = of(SLOT, "tags (unordered)")
    now = Found(SLOT | {"tags": ["b", "a"]})
    assert since([before], [reading_of(before, now)]).verdict == "equal"


def test_a_list_that_became_a_text_differs_and_is_no_error() -> None:
    before = of(SLOT, "tags (unordered)")
    found = since([before], [reading_of(before, Found(SLOT | {"tags": "a"}))])
    assert kinds(found) == {"/tags": "type"}


def test_refs_and_fields_on_one_side_are_named() -> None:
    found = between(
        [of(SLOT, "status", "price"), of(SLOT, "price", ref="s:2")],
        [of(SLOT, "status", "tags"), of(SLOT, "price", ref="s:3")],
    )
    assert found.verdict == "different"
    assert set(found.notes) == {
        Note(kind="only_before", ref="s:2"),
        Note(kind="only_after", ref="s:3"),
        Note(kind="only_before", ref="s:1", field="price"),
        Note(kind="only_after", ref="s:1", field="tags"),
    }
    assert [check.fields for check in found.checks] == [1]


def test_a_field_declared_in_two_ways_differs_and_its_values_are_compared_where_they_can_be() -> (
    None
):
    before = of(SLOT, "price <= 90", "tags")
    after = of(SLOT | {"price": 95}, "price <= 99", "tags (unordered)")
    found = between([before], [after])
    assert {note.field: (note.before, note.after) for note in found.notes} == {
        "price": ("price <= 90", "price <= 99"),
        "tags": ("tags", "tags (unordered)"),
    }
    assert kinds(found) == {"/price": "changed"}


def test_where_no_field_can_be_compared_only_the_note_is_left() -> None:
    found = between([of(SLOT, "tags")], [of(SLOT, "tags (unordered)")])
    assert (found.checks, found.evidence) == ((), ())
    assert found.verdict == "different"


def test_another_configuration_of_the_source_is_told_and_is_no_difference() -> None:
    here, there = (of(SLOT, "price", source_config=c) for c in ("a", "b"))
    found = between([here], [there])
    assert found.notes == (Note(kind="source", ref="s:1"),)
    assert found.verdict == "equal"


def test_an_absence_beside_a_record_is_of_another_kind() -> None:
    gone = capture(None, (), kind="absence", ref="s:1")
    found = between([gone], [of(SLOT, "price")])
    assert found.notes == (Note(kind="kind", ref="s:1", before="absence", after="record"),)
    assert found.verdict == "different"
    assert between([gone], [gone]).verdict == "equal"


def test_an_absence_is_looked_at_now() -> None:
    gone = capture(None, (), kind="absence", ref="s:1")
    still = reading_of(gone, NotFound(), absence_is_proof=True)
    assert since([gone], [still]).verdict == "equal"
    assert since([gone], [reading_of(gone, Found(SLOT))]).verdict == "different"
    assert since([gone], [reading_of(gone, NotFound())]).verdict == "unresolvable"


def test_what_cannot_be_read_is_neither_equal_nor_different() -> None:
    one, two = of(SLOT, "price"), of(SLOT, "price", ref="s:2")
    silent = reading_of(one, NoAnswer("too late"))
    assert isinstance(silent, Unresolvable)
    assert since([one], [silent]).verdict == "unresolvable"
    dearer = reading_of(two, Found(SLOT | {"price": 95}))
    assert since([one, two], [silent, dearer]).verdict == "different"


def test_members_that_went_came_or_changed_are_named() -> None:
    before = members({"a": {"n": 1}, "b": {"n": 2}, "c": {"n": 3}}, "n", day="1")
    after = {"a": {"n": 1}, "b": {"n": 5}, "d": {"n": 4}}
    want = {"b/n": "member_changed", "c": "member_gone", "d": "member_new"}
    assert kinds(between([before], [members(after, "n", day="1")])) == want
    assert kinds(since([before], [reading_of(before, Found(after))])) == want


def test_members_that_may_move_differ_too() -> None:
    before = capture_members(
        {"a": {"n": 1}}, ("n >= 0",), ref="s:open", params={}, cap=9, may="grow"
    )
    found = since([before], [reading_of(before, Found({"a": {"n": 2}, "b": {"n": 3}}))])
    assert kinds(found) == {"a/n": "member_changed", "b": "member_new"}
    (check,) = found.checks
    assert check.captured != check.current
    same = since([before], [reading_of(before, Found({"a": {"n": 1}}))])
    assert same.verdict == "equal"


def test_a_question_is_known_by_its_arguments() -> None:
    one, other = members({"a": {}}, day="1"), members({"b": {}}, day="2")
    found = between([one], [other])
    assert [note.kind for note in found.notes] == ["only_before", "only_after"]


def test_members_that_cannot_be_taken_are_unresolvable() -> None:
    before = members({"a": {"t": ["x"]}}, "t (unordered)")
    assert isinstance(reading_of(before, Found({"a": {"t": "x"}})), Unresolvable)
