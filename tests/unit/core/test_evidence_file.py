"""Evidence as one JSON text: every kind comes back as it was, and no other is let in."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastlook.core.evidence import capture
from lastlook.core.evidence_file import LIMITS, evidence_text, open_evidence
from lastlook.core.fields import field
from lastlook.core.members import capture_members
from lastlook.errors import BadFormat, DeclarationError, FieldSyntaxError
from tests.properties.values import VALUES

AT = datetime(2026, 11, 3, 14, 0, tzinfo=UTC)
ORDER = {"lines": [{"price": 1}, {"price": 2.5}], "tags": ["b", "a"], "big": 10**30, "$x": "é"}


def record(**about: Any) -> Any:
    return capture(
        ORDER,
        ["$.lines[*].price", "tags (unordered)", "big", '"$x"', "gone (optional)"],
        ref="orders:W1",
        captured_at=AT,
        **about,
    )


def absence() -> Any:
    return capture(None, (), kind="absence", ref="orders:W2", captured_at=AT)


def query(fields: Any = ("price within 5%",), **params: object) -> Any:
    return capture_members(
        {"a": {"price": 1}, "b": {"price": 2}},
        fields,
        ref="orders:open",
        params=params,
        cap=10,
        may="grow",
    )


KEPT = {
    "a record": record(version='"v1"', source_config="0" * 64, consistency="eventual"),
    "an absence": absence(),
    "a query": query(day="2026-11-03", most=10**30),
    "a query of keys alone": query(()),
}


@pytest.mark.parametrize("what", KEPT)
def test_each_kind_comes_back_as_it_was(what: str) -> None:
    text = evidence_text([KEPT[what]])
    (back,) = open_evidence(text)
    assert back == KEPT[what]
    assert evidence_text([back]) == text
    assert text.isascii()


def test_all_kinds_stand_in_one_text_in_their_order() -> None:
    kept = (*KEPT.values(), query(day="2026-11-04"))
    with pytest.raises(DeclarationError, match="twice"):
        evidence_text([*kept, absence()])
    kept = (KEPT["a record"], KEPT["an absence"], query(day="1"), query(day="2"))
    assert open_evidence(evidence_text(kept)) == kept


def test_what_came_back_cannot_be_changed() -> None:
    back, members = open_evidence(evidence_text([record(), query()]))
    with pytest.raises(TypeError):
        back.cells[0][1].append(1)
    with pytest.raises(TypeError):
        members.params["day"] = 1


@settings(max_examples=100, deadline=None)
@given(VALUES, st.sampled_from(["$", "a (optional)", "a (optional, nfc)", "$.*.a (optional)"]))
def test_any_value_comes_back_as_it_was(document: Any, text: str) -> None:
    kept = capture({"a": document}, text, ref="s:a", captured_at=AT)
    assert open_evidence(evidence_text([kept])) == (kept,)


Edit = Callable[[dict[str, Any]], object]

EDITS: dict[str, tuple[str, Edit]] = {
    "an absence with digests": ("an absence", lambda e: e.update(digests=["ll1:0"])),
    "an absence with cells": ("an absence", lambda e: e.update(cells=[["absent"]])),
    "a record with members": ("a record", lambda e: e.update(members=[])),
    "a record that may grow": ("a record", lambda e: e.update(may="grow")),
    "a query without a cap": ("a query", lambda e: e.update(cap=0)),
    "a query below its cap": ("a query", lambda e: e.update(cap=1)),
    "a query without arguments": ("a query", lambda e: e.pop("params")),
    "a query with cells": ("a query", lambda e: e.update(cells=[["absent"]])),
    "a query with other arguments": ("a query", lambda e: e["params"].update(day="2026-11-04")),
    "members out of order": ("a query", lambda e: e["members"].reverse()),
    "a member less": ("a query", lambda e: e["members"].pop()),
    "a member's value": ("a query", lambda e: e["members"][0]["cells"][0].__setitem__(1, 5)),
    "a match that is none": ("a record", lambda e: e["cells"][0][1].__setitem__(0, 1)),
    "a match of one": ("a record", lambda e: e["cells"][0][1].__setitem__(0, [[]])),
    "a match without a path": ("a record", lambda e: e["cells"][0][1].__setitem__(0, ["p", 1])),
    "a path of numbers": ("a record", lambda e: e["cells"][0][1].__setitem__(0, [[1], 1])),
    "a wildcard with one value": ("a record", lambda e: e["cells"][0].__setitem__(1, 1)),
    "a digest less": ("a record", lambda e: e["digests"].pop()),
    "a value with no spelling": ("a record", lambda e: e["cells"][1].__setitem__(1, 2**80 + 1)),
}


@pytest.mark.parametrize("how", EDITS)
def test_what_no_capture_would_have_made_is_refused(how: str) -> None:
    what, edit = EDITS[how]
    tree = json.loads(evidence_text([KEPT[what]]))
    edited = copy.deepcopy(tree)
    edit(edited["evidence"][0])
    if how != "a record with members":  # an empty list is what stands there anyway
        assert edited != tree
    else:
        edited["evidence"][0]["members"] = [{"key": "a", "cells": []}]
    with pytest.raises(BadFormat) as caught:
        open_evidence(json.dumps(edited).encode())
    assert caught.value.what
    assert caught.value.fix


def test_a_wildcard_without_its_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = json.loads(evidence_text([record()]))
    tree["evidence"][0]["fields"][0]["selector"] = "$.never.compiled[*].price"
    monkeypatch.setitem(sys.modules, "jsonpath", None)
    with pytest.raises(FieldSyntaxError) as caught:
        open_evidence(json.dumps(tree).encode(), name="a.json")
    assert caught.value.where == "a.json, evidence 1, orders:W1"
    assert "lastlook[jsonpath]" in caught.value.fix


def test_a_text_beyond_the_limits_is_refused_before_it_is_written() -> None:
    long = [capture({"a": "x" * 4_000_000}, "a", ref=f"s:{n}") for n in range(9)]
    with pytest.raises(BadFormat, match=f"more than {LIMITS.bytes:,} bytes"):
        evidence_text(long)


def test_a_hidden_character_stands_in_the_open() -> None:
    kept = capture({"a": "x\u200by\u202ez"}, field("a"), ref="s:\u200b")
    text = evidence_text([kept])
    assert b"\\u200b" in text
    assert text.isascii()
