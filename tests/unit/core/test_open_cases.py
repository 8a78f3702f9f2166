"""The open cases, small inputs from what users of comparable systems reported."""

from __future__ import annotations

import json
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

from lastlook import Stale, Unresolvable, Valid, capture, check
from lastlook.core.check import check_reading
from lastlook.core.evidence import IndexedField, NoAnswer, NotFound
from lastlook.core.fields import field
from lastlook.errors import NoFields, PathNamesNothing

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "vectors" / "open.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
BY_ID = {case["id"]: case for case in CASES}


def declared(case):
    rules = case.get("rules", {})
    return [getattr(field(text), rules[text]) if text in rules else text for text in case["fields"]]


def result_of(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndexedField)
        evidence = capture(case["before"], declared(case))
    if case["after_read"] == "ok":
        return check(evidence, case["after"])
    reading = {"not_found": NotFound(), "timeout": NoAnswer("no answer within 2 s")}
    return check_reading(evidence, reading[case["after_read"]])


def word(case):
    try:
        result = result_of(case)
    except (PathNamesNothing, NoFields):
        return "capture_refused", None
    return {Valid: "valid", Stale: "stale", Unresolvable: "unresolvable"}[type(result)], result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_an_open_case_comes_out_right(case):
    if any("*" in text or "?" in text for text in case["fields"]) and not find_spec("jsonpath"):
        pytest.skip("the extra jsonpath is not installed")
    outcome, result = word(case)
    assert outcome in case["accept"]
    if case["after_read"] == "ok" and outcome in {"valid", "stale"} and "changed" in case:
        assert list(getattr(result, "changed", ())) == case["changed"]


def test_there_are_25_cases():
    assert len(BY_ID) == 25


def test_a_gone_member_is_stale_and_said_to_be_removed():
    assert [change.kind for change in result_of(BY_ID["oc16"]).changes] == ["removed"]


def test_a_difference_of_unicode_form_is_said_to_print_alike():
    assert [change.kind for change in result_of(BY_ID["oc12"]).changes] == ["looks_alike"]


def test_a_text_that_became_a_number_is_said_to_have_another_type():
    assert [change.kind for change in result_of(BY_ID["oc05"]).changes] == ["type"]


@pytest.mark.parametrize("case_id", ["oc18", "oc19"])
def test_what_would_protect_nothing_is_refused_at_capture(case_id):
    assert word(BY_ID[case_id])[0] == "capture_refused"


def test_a_place_in_an_array_draws_a_warning():
    with pytest.warns(IndexedField, match="counts on a place in an array"):
        capture(BY_ID["oc22"]["before"], BY_ID["oc22"]["fields"])


def test_a_record_that_is_gone_and_one_that_is_silent_are_told_apart():
    assert result_of(BY_ID["oc17"]).kind == "not_found"
    assert result_of(BY_ID["oc24"]).kind == "no_answer"
