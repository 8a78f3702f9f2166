"""The public fingerprint, and the published schemes."""

from __future__ import annotations

import json
import warnings
from collections import OrderedDict
from pathlib import Path

import pytest

from lastlook.core.evidence import capture
from lastlook.core.fingerprint import fingerprint
from lastlook.core.schemes import PublishedScheme, published
from lastlook.errors import BadFormat, DeclarationError, NoFields, NotCanonical, PathNamesNothing

PUBLISHED = json.loads(
    (Path(__file__).parents[2] / "vectors" / "published-fingerprints.json").read_text("utf-8")
)
SLOT = {"slot_id": "slot-42", "status": "available", "seats": 4}


def under(scheme, record, fields):
    with pytest.warns(PublishedScheme, match=scheme):
        return fingerprint(record, fields, scheme=scheme)


def test_a_fingerprint_is_that_of_the_evidence():
    assert (
        fingerprint(SLOT, ["status", "seats >= 2"])
        == capture(SLOT, ["status", "seats >= 2"]).fingerprint
    )
    assert fingerprint(SLOT, "status").startswith("ll1:")
    assert len(fingerprint(SLOT, "status")) == 4 + 64


def test_the_default_draws_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fingerprint(SLOT, "status")


def test_what_would_protect_nothing_has_no_fingerprint():
    with pytest.raises(PathNamesNothing):
        fingerprint(SLOT, ["staus"])
    with pytest.raises(NoFields):
        fingerprint(SLOT, [])


@pytest.mark.parametrize("scheme", ["", "ll2", "LL1", "sha256"])
def test_an_unknown_scheme_is_refused(scheme):
    with pytest.raises(BadFormat, match="no scheme") as caught:
        fingerprint(SLOT, "status", scheme=scheme)
    assert "ll1, freshctx16, starebrain16" in caught.value.fix


@pytest.mark.parametrize(
    "case", PUBLISHED["freshctx16"]["vectors"], ids=lambda c: str(c["record"])[:70]
)
def test_freshctx16_is_reproduced(case):
    assert under("freshctx16", case["record"], case["fields"]) == case["fingerprint"]


JVM = {
    "{slot_id=slot-42, status=available}": {"slot_id": "slot-42", "status": "available"},
    "{slot_id=slot-42, status=unavailable}": {"status": "unavailable", "slot_id": "slot-42"},
    "{d=1.0E10, f=0.1, l=[1, 2, true], m={a=x, b=1}, n=null}": {
        "n": None, "d": 1e10, "f": 0.1, "l": [1, 2, True], "m": {"a": "x", "b": 1},
    },
    "{d=1.0}": {"d": 1.0},
    "{d=1.0E-5}": {"d": 1e-5},
    "{d=1.23456789125E8}": {"d": 123456789.125},
}  # fmt: skip


@pytest.mark.parametrize("case", PUBLISHED["starebrain16"]["vectors"], ids=lambda c: c["text"])
def test_starebrain16_is_reproduced(case):
    record = JVM[case["text"]]
    assert under("starebrain16", record, list(record)) == case["fingerprint"]


def test_a_published_fingerprint_does_not_tell_two_records_apart_and_ll1_does():
    case = PUBLISHED["collision"]
    fields = ["slot_id", "status", "title"]
    for each in (case["a"], case["b"]):
        assert under("freshctx16", each, fields) == case["fingerprint"]
    assert fingerprint(case["a"], fields) != fingerprint(case["b"], fields)


def test_the_published_schemes_take_a_missing_member_for_null():
    for scheme in ("freshctx16", "starebrain16"):
        assert under(scheme, {}, ["x"]) == under(scheme, {"x": None}, ["x"])


@pytest.mark.parametrize("text", ["/a/b", "x >= 2", "x (nfc)", "x (secret)", "$", "$.a[*]"])
def test_the_published_schemes_know_names_only(text):
    with (
        pytest.warns(PublishedScheme),
        pytest.raises(DeclarationError, match="names of members only"),
    ):
        published({"x": 1}, [text], "freshctx16")


def test_freshctx16_refuses_what_json_has_no_form_for():
    loop = []
    loop.append(loop)
    for value in (float("nan"), object(), {1: 2, "a": 3}, loop):
        with pytest.warns(PublishedScheme), pytest.raises(NotCanonical, match="no form under"):
            published({"x": value}, ["x"], "freshctx16")


def text_of(value):
    from lastlook.core.schemes import _jvm

    return _jvm(value)


DOUBLES = [
    (0.0, "0.0"), (-0.0, "-0.0"), (0.001, "0.001"), (0.00099, "9.9E-4"), (0.1, "0.1"),
    (-12.5, "-12.5"), (100.0, "100.0"), (9999999.0, "9999999.0"), (1e7, "1.0E7"),
    (12345678.9, "1.23456789E7"), (1e-5, "1.0E-5"), (0.0123, "0.0123"),
    (1.7976931348623157e308, "1.7976931348623157E308"), (-1e21, "-1.0E21"), (2e-3, "0.002"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), DOUBLES, ids=repr)
def test_a_double_is_written_as_the_jvm_writes_it(value, text):
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "null"), (True, "true"), (False, "false"), (10**30, "1" + "0" * 30), ("null", "null"),
     (["a, b", ("c",)], "[a, b, [c]]"), (OrderedDict(b=1, a=[]), "{b=1, a=[]}"), ({}, "{}")],
    ids=repr,
)  # fmt: skip
def test_a_value_is_written_as_the_jvm_writes_it(value, text):
    assert text_of(value) == text


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), b"x", {1: 2}, {"a": object()}], ids=repr
)
def test_starebrain16_refuses_what_it_has_no_text_for(value):
    with pytest.warns(PublishedScheme), pytest.raises(NotCanonical):
        published({"x": value}, ["x"], "starebrain16")


@pytest.mark.parametrize(
    "record",
    [
        {"a": "1, b=2", "b": "3"},
        {"a": "1", "b": "2, b=3"},
        {"a": "1", "b": "2, c=3", "c": "4"},
        {"a": ["x", "b=y"], "b": "z"},
        {"a": {"x": 1, "b": 2}, "b": 3},
        {"a": ", b=, b=", "b": ""},
    ],
    ids=repr,
)
def test_starebrain16_refuses_a_text_that_could_be_read_in_two_ways(record):
    with pytest.warns(PublishedScheme), pytest.raises(NotCanonical, match="more than one way"):
        published(record, list(record), "starebrain16")


@pytest.mark.parametrize(
    "record",
    [{"a": "1, c=2", "b": "3"}, {"a": "b=2", "b": ","}, {"a": "x"}, {"b": "1, a=2", "a": "0"},
     {"\U0001f600": 1, "\ue000": 2}],
    ids=ascii,
)  # fmt: skip
def test_starebrain16_takes_a_text_that_can_be_read_in_one_way(record):
    assert len(under("starebrain16", record, list(record))) == 16


def test_many_marks_in_a_value_do_not_take_for_ever():
    record = {"a": ", b=" * 50_000, "b": ", c=" * 50_000, "c": 1}
    with pytest.warns(PublishedScheme), pytest.raises(NotCanonical, match="more than one way"):
        published(record, list(record), "starebrain16")
