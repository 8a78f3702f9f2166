"""Capture: what is kept, and all that is refused."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

import msgspec
import pytest

from lastlook.core.cells import FieldSet, Part, field_set
from lastlook.core.digests import field_digest, keyed, start, whole_digest
from lastlook.core.evidence import Evidence, IndexedField, assemble, capture
from lastlook.core.facts import Facts, at_least
from lastlook.core.fields import as_fields, field
from lastlook.errors import (
    ConditionNotMet,
    DeclarationError,
    FieldSyntaxError,
    NoFields,
    NotCanonical,
    PathNamesNothing,
)

SLOT = {"slot_id": "slot-42", "status": "available", "seats": 4, "tags": ["a", "b"], "gone": None}


class Slot(Facts):
    status: str
    seats: Annotated[int, at_least(2)]


def cell(record, text, **kw):
    (made,) = capture(record, [text], **kw).cells
    return made


def test_only_the_declared_fields_are_kept():
    evidence = capture(SLOT, ["status", "slot_id"], ref="slots:slot-42", version="7")
    assert [each.selector for each in evidence.fields] == ["/slot_id", "/status"]
    assert evidence.cells == (("value", "slot-42"), ("value", "available"))
    assert "available" not in repr(evidence.fields)
    assert (evidence.ref, evidence.version, evidence.kind) == ("slots:slot-42", "7", "record")


def test_what_is_kept_is_a_copy():
    record = {"tags": ["a", {"b": 1}]}
    evidence = capture(record, ["tags"])
    record["tags"][1]["b"] = 2
    assert evidence.cells == (("value", ["a", {"b": 1}]),)


def test_all_spellings_of_fields_make_the_same_evidence():
    texts = capture(SLOT, ["status", "seats >= 2"])
    for spelled in (
        [field("seats").at_least(2), "status"],
        Slot,
        (each for each in ("status", "seats >= 2")),
        ("seats >= 2", field("status")),
        [["status", ["seats >= 2"]]],
        as_fields(["status", "seats >= 2"]),
    ):
        assert capture(SLOT, spelled) == texts
    assert capture(SLOT, "status").fields == (field("status"),)
    assert capture(SLOT, field("status")).fields == (field("status"),)


def test_evidence_survives_its_json():
    at = datetime(2026, 10, 23, 10, tzinfo=UTC)
    record = {"a": Decimal("0.10000000000000000001"), "b": UUID(int=1), "c": 10**20, "d": [1e-7]}
    evidence = capture(record, ["a", "b", "c", "d"], captured_at=at, ref="x:y")
    text = msgspec.json.encode(evidence)
    assert msgspec.json.decode(text, type=Evidence) == evidence


def test_absent_null_and_empty_are_three_observations():
    made = {
        capture(record, ["x (optional)"]).fingerprint
        for record in ({}, {"x": None}, {"x": ""}, {"x": []}, {"x": {}}, {"x": 0}, {"x": False})
    }
    assert len(made) == 7


def test_the_short_way_and_the_long_way_make_one_fingerprint():
    for value in (None, True, False, 0, -5, 2**53, "x", "é", "x" * 5000, '\x00"\\'):
        short, long = capture({"x": value}, ["x"]), capture({"y": {"x": value}}, ["$['y'].x"])
        text = field_set(["x"]).parts[0].text(("value", value))
        assert short.fingerprint == whole_digest(start("record", ""), [text])
        assert short.digests == (field_digest(start("record", ""), text),)
        assert short.cells == long.cells == (("value", value),)


# What is refused.


def test_no_fields_are_refused():
    with pytest.raises(NoFields):
        capture(SLOT, [])


@pytest.mark.parametrize("spec", [None, 5, [None]])
def test_what_declares_no_field_is_refused(spec):
    with pytest.raises(FieldSyntaxError):
        capture(SLOT, spec)


NOTHING = [
    ({"status": 1}, "staus", "/staus", "Did you mean status?"),
    ({"a": {"b": 1}}, "a.b", "/a.b", "For a member of a member, write /a/b"),
    ({"x": 1}, "a.b", "/a.b", "declare that it may be missing: a.b (optional)"),
    ({"a": {"b": 1}}, "/a/c", "/a/c", "(optional)"),
    ([1], "x", "/x", "x (optional)"),
    ({"a\u200bb": 1}, "ab", "/ab", "Did you mean a\\u{200B}b?"),
    ({}, "$.a", "$.a", "$.a (optional)"),
    ({5: 1}, "5", "/5", "5 (optional)"),
    ({"x": None}, "/x/y", "/x/y", "optional"),
    ("text", "x", "/x", "optional"),
    ({}, "x (absent_is_null)", "/x", "optional, absent_is_null"),
    ({}, "x == 1", "/x", "x == 1 (optional)"),
]


@pytest.mark.parametrize(("record", "text", "where", "fix"), NOTHING, ids=lambda v: repr(v)[:30])
def test_a_field_that_names_nothing_is_refused(record, text, where, fix):
    with pytest.raises(PathNamesNothing) as caught:
        capture(record, [text])
    assert caught.value.where == where
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    "text", ["x (optional)", "x == 1 (optional)", "x within 5% (optional)", "x (optional, instant)"]
)
def test_an_optional_field_may_be_absent(text):
    assert cell({}, text) == ("absent",)


def test_absent_counts_as_null_where_declared():
    assert cell({}, "x (optional, absent_is_null)") == ("value", None)
    with pytest.raises(ConditionNotMet):
        capture({}, ["x == 1 (optional, absent_is_null)"])


NOT_MET = [
    (
        {"status": "sold"},
        "status == 'free'",
        'status == "free" does not hold now: status is "sold"',
    ),
    ({"seats": 1}, "seats >= 2", "seats >= 2 does not hold now: seats is 1"),
    ({"seats": "3"}, "seats >= 2", 'seats is "3"'),
    ({"p": 201}, "p <= 200", "p is 201"),
    ({"t": None}, "t in ['a', 'b']", "t is null"),
    ({"t": ["x" * 500]}, "t == 1", 't is ["' + "x" * 75 + "..."),
]


@pytest.mark.parametrize(("record", "text", "what"), NOT_MET)
def test_a_condition_must_hold_at_capture(record, text, what):
    with pytest.raises(ConditionNotMet) as caught:
        capture(record, [text])
    assert what in caught.value.what


UNMEANT = [
    ({"x": "a"}, "x (unordered)", 'x is not a list: it is "a"'),
    ({"x": {"$int": 1}}, "x (unordered)", "x is not a list"),
    ({"x": "soon"}, "x (instant)", 'x is not a time as RFC 3339 writes it, with T and a zone: it is "soon"'),
    ({"x": 5}, "x (instant)", "x is not a time"),
    ({"x": "a"}, "x within 1", 'x: "a" is not a number, so nothing is near it'),
    ({"x": 0}, "x within 5%", "x: 0 is 0, and a share of 0 is only 0"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "text", "what"), UNMEANT)
def test_a_field_that_cannot_be_meant_of_such_a_value_is_refused(record, text, what):
    with pytest.raises(DeclarationError) as caught:
        capture(record, [text])
    assert what in caught.value.what
    assert not isinstance(caught.value, ConditionNotMet)


class Hostile:
    __struct_fields__ = ("x",)

    @property
    def x(self):
        raise KeyError("no session")


class NoGet(dict):
    def get(self, *_):
        raise MemoryError


@pytest.mark.parametrize(
    ("record", "where"),
    [({"x": float("nan")}, "/x"), ({"x": {"y": [object()]}}, "/x/y/0"), ({"x": "\ud800"}, "/x"),
     ({"x": {1}}, "/x"), (Hostile(), "/x"), (NoGet(), "")],
)  # fmt: skip
def test_a_value_without_a_canonical_form_is_refused(record, where):
    with pytest.raises(NotCanonical) as caught:
        capture(record, ["x"])
    assert caught.value.where == where


def test_a_value_beyond_the_limit_is_refused():
    with pytest.raises(NotCanonical, match="more than 4,194,304 characters"):
        capture({"x": "\x00" * (2**20)}, ["x"])


# Normalisers.


NORMAL = [
    ({"x": "Zoe\u0308"}, "x (nfc)", "Zo\u00eb"),
    ({"x": {"e\u0301": ["e\u0301"]}}, "x (nfc)", {"\u00e9": ["\u00e9"]}),
    ({"x": "2026-10-23T12:00:00+02:00"}, "x (instant)", {"$datetime": "2026-10-23T10:00:00Z"}),
    ({"x": datetime(2026, 10, 23, tzinfo=UTC)}, "x (instant)", {"$datetime": "2026-10-23T00:00:00Z"}),
    ({"x": [2, 10, "a", 2]}, "x (unordered)", ["a", 10, 2, 2]),
    ({"x": {"b", "a"}}, "x (unordered)", ["a", "b"]),
    ({"x": frozenset([3, 1])}, "x (unordered)", [1, 3]),
    ({"x": (2, 1)}, "x (unordered)", [1, 2]),
    ({"x": [[2, 1], [1]]}, "x (unordered)", [[1], [2, 1]]),
    ({"x": [20.0, 20]}, "x (strict)", [{"$float": 20}, 20]),
    ({"x": [1.0, "e\u0301"]}, "x (nfc, strict, unordered)", ["\u00e9", {"$float": 1}]),
    ({"x": None}, "x (absent_is_null)", None),
]  # fmt: skip


@pytest.mark.parametrize(("record", "text", "wire"), NORMAL, ids=lambda v: repr(v)[:40])
def test_a_normaliser_makes_one_spelling(record, text, wire):
    assert cell(record, text) == ("value", wire)


def test_names_that_form_c_makes_one_are_refused():
    with pytest.raises(NotCanonical, match="one in Unicode form C") as caught:
        capture({"x": {"\u00e9": 1, "e\u0301": 2}}, ["x (nfc)"])
    assert caught.value.where == "/x"


def test_conditions_look_at_the_normalised_value():
    assert cell({"x": "Zoe\u0308"}, "x == 'Zo\u00eb' (nfc)") == ("value", "Zo\u00eb")
    capture({"x": "2026-10-23T12:00:00+02:00"}, [field("x").instant.equals("2026-10-23T10:00:00Z")])


# Wildcards.


GUESTS = {"g": [{"n": "b", "s": 3}, {"n": "a"}, {"n": "c", "s": 4}]}


def test_a_wildcard_keeps_paths_and_values_in_order():
    assert cell(GUESTS, "$.g[*].n") == (
        "value",
        [[["g", None, "n"], "b"], [["g", None, "n"], "a"], [["g", None, "n"], "c"]],
    )
    assert cell(GUESTS, "$.g[*].n (unordered)")[1][0] == [["g", None, "n"], "a"]


def test_a_wildcard_that_matches_nothing_is_absent():
    with pytest.raises(PathNamesNothing):
        capture(GUESTS, ["$.h[*]"])
    assert cell(GUESTS, "$.h[*] (optional)") == ("absent",)


def test_every_match_must_hold_at_capture():
    assert cell(GUESTS, "$.g[*].s >= 3")[0] == "value"
    with pytest.raises(ConditionNotMet):
        capture(GUESTS, ["$.g[*].s >= 4"])
    with pytest.raises(DeclarationError, match="share of 0"):
        capture({"g": [1, 0]}, ["$.g[*] within 5%"])


def test_a_match_of_the_wrong_type_is_refused():
    times = ["2026-10-23T10:00:00Z", "soon"]
    with pytest.raises(DeclarationError, match="not a time"):
        capture({"t": times}, ["$.t[*] (instant)"])
    assert cell({"t": times[:1]}, "$.t[*] (instant)") == (
        "value",
        [[["t", None], {"$datetime": "2026-10-23T10:00:00Z"}]],
    )


def test_form_c_applies_to_the_paths_of_matches():
    made = cell({"e\u0301": {"p": 1}, "z": {"p": 2}, "f": {"p": 3}}, "$.*.p (nfc)")
    assert [path for path, _ in made[1]] == [["f", "p"], ["z", "p"], ["\u00e9", "p"]]
    with pytest.raises(NotCanonical, match="one in Unicode form C"):
        capture({"e\u0301": {"p": 1}, "\u00e9": {"p": 2}}, ["$.*.p (nfc)"])


def test_places_of_one_path_are_no_twins():
    assert len(cell({"a": [1, 2]}, "$.a[*] (nfc)")[1]) == 2


# Places.


def test_a_place_in_an_array_draws_a_warning_and_a_name_does_not():
    with pytest.warns(IndexedField, match="counts on a place in an array"):
        capture({"a": [1]}, ["/a/0"])
    with pytest.warns(IndexedField):
        capture({"a": [1]}, ["$.a[-1]"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        capture({"a": {"0": 1}}, ["/a/0"])
        capture({"a1": 1}, ["a1"])


def test_a_record_that_raises_on_the_way_to_a_place_is_refused():
    with pytest.raises(NotCanonical, match="could not be read: MemoryError"):
        capture(NoGet(), ["/a/0"])


# Secrets.


SALT = bytes(range(32))


def test_a_secret_is_kept_as_a_keyed_digest():
    salts = {"people:kim#/pin": SALT}
    made = cell({"pin": "1234"}, "pin (secret)", ref="people:kim", salts=salts)
    assert made == keyed(SALT, ("value", "1234"))
    assert made[0] == "secret"
    absent = cell({}, "pin (optional, secret)", ref="people:kim", salts=salts)
    assert absent == keyed(SALT, ("absent",))


def test_the_pure_functions_refuse_a_secret():
    with pytest.raises(DeclarationError, match="the pure functions keep no salt"):
        capture({"pin": 1}, ["pin (secret)"])


@pytest.mark.parametrize("salts", [{}, {"#/pin": b"short"}, {"#/pin": "x" * 32}, {"/pin": SALT}])
def test_a_secret_without_its_salt_is_refused(salts):
    with pytest.raises(DeclarationError, match="salt of the secret field"):
        capture({"pin": 1}, ["pin (secret)"], salts=salts)


def test_an_error_never_tells_a_secret():
    salts = {"#/pin": SALT}
    with pytest.raises(ConditionNotMet) as caught:
        capture({"pin": "4711"}, ["pin == '0815' (secret)"], salts=salts)
    assert "4711" not in str(caught.value)
    assert "0815" not in str(caught.value)
    with pytest.raises(DeclarationError) as typed:
        capture({"pin": "4711"}, ["pin (secret, unordered)"], salts=salts)
    assert "4711" not in str(typed.value)


# Fresh plans, absences, assembly.


def test_a_fresh_plan_may_capture_absent_what_its_predecessor_had():
    before = capture({"x": 1, "y": 2}, ["x", "y"], ref="a:b")
    after = capture({"y": 2}, ["x", "y"], ref="a:b", previous=before)
    assert after.cells == (("absent",), ("value", 2))
    again = capture({"y": 2}, ["x", "y"], ref="a:b", previous=after)
    assert again == after


def test_only_what_it_had_may_be_absent():
    before = capture({"x": 1}, ["x"], ref="a:b")
    for fields, ref in ((["z"], "a:b"), (["x"], "a:c")):
        with pytest.raises(PathNamesNothing):
            capture({}, fields, ref=ref, previous=before)
    with pytest.raises(ConditionNotMet, match="x is \\(not there\\)"):
        capture({}, ["x == 1"], ref="a:b", previous=before)


def test_the_absence_of_a_record_is_evidence_without_fields():
    made = capture(None, (), kind="absence", ref="slots:x")
    assert (made.kind, made.fields, made.cells, made.digests) == ("absence", (), (), ())
    assert made.fingerprint != capture(None, (), kind="absence", ref="slots:y").fingerprint
    for fields in (["x"], "x", field("x"), Slot):
        with pytest.raises(DeclarationError, match="absence of a record has no fields"):
            capture(None, fields, kind="absence")


def test_evidence_is_put_together_again_with_other_cells():
    base = capture({"x": 1, "y": 2}, ["x", "y == 2"], ref="a:b", version="3")
    made = assemble(base, [(field("z"), ["value", 5]), (field("x"), ("absent",))])
    assert made.cells == (("absent",), ("value", 5))
    assert (made.ref, made.version) == ("a:b", "3")
    same = capture({"x": 1, "y": 2}, ["x", "y == 2"], ref="a:b", version="3")
    assert assemble(base, zip(base.fields, base.cells, strict=True)) == same


# Compiled fields.


def test_a_set_of_fields_is_compiled_once():
    assert field_set(["a", "b"]) is field_set(("a", "b"))
    assert field_set(as_fields("a")) is field_set(as_fields("a"))


def test_a_part_knows_whether_its_field_must_stay():
    assert Part(field("x")).fixed
    assert not Part(field("x").within(1)).fixed
    assert not Part(field("x").equals(1)).fixed


@pytest.mark.parametrize("value", ["x" * 4096, "é", 2**53 + 1, 1.5, [1], Decimal(1)])
def test_the_short_way_leaves_the_rest_to_the_long_way(value):
    assert field_set(["x"]).scalars({"x": value}) is None
    assert field_set(["x (nfc)"]).scalars({"x": "a"}) is None


def test_an_empty_set_reads_nothing():
    assert FieldSet(()).scalars({"x": 1}) == ([], [])
