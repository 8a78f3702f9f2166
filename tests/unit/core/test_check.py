"""The check of one record: Valid, Stale with every cause, or Unresolvable."""

from __future__ import annotations

import msgspec
import pytest

from lastlook.core.check import Stale, Unresolvable, Valid, check, check_reading
from lastlook.core.digests import keyed
from lastlook.core.evidence import (
    Evidence,
    Found,
    NoAccess,
    NoAnswer,
    NotFound,
    capture,
)
from lastlook.core.fields import field
from lastlook.errors import BadFormat, DeclarationError, FieldSyntaxError, NotDeclared

SLOT = {"slot_id": "slot-42", "status": "available", "by": "v1", "seats": 4}


def outcome(before, after, *fields):
    return check(capture(before, fields), after)


def kinds(before, after, *fields):
    result = outcome(before, after, *fields)
    return [change.kind for change in result.changes] if isinstance(result, Stale) else result


def holds(before, after, *fields):
    return isinstance(outcome(before, after, *fields), Valid)


# Valid.


def test_only_declared_fields_count():
    result = outcome(SLOT, {**SLOT, "by": "v2", "new": 1}, "slot_id", "status")
    assert isinstance(result, Valid)
    assert result.fields == 2
    assert result.current == result.captured
    assert result.moved == ()
    assert result.cells == (("value", "slot-42"), ("value", "available"))


class Slot(msgspec.Struct):
    status: str
    seats: int


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ({"x": 20}, {"x": 20.0}, "x"),
        ({"x": {"a": 1, "b": 2}}, {"x": {"b": 2, "a": 1}}, "x"),
        ({"x": [1, 2]}, {"x": (1, 2)}, "x"),
        ({"x": ["b", "a"]}, {"x": ["a", "b"]}, "x (unordered)"),
        ({"x": "Zoe\u0308"}, {"x": "Zo\u00eb"}, "x (nfc)"),
        ({"x": "2026-10-23T10:00:00Z"}, {"x": "2026-10-23T12:00:00+02:00"}, "x (instant)"),
        ({"x": None}, {}, "x (absent_is_null)"),
        ({}, {"x": None}, "x (optional, absent_is_null)"),
        ({}, {}, "x (optional)"),
        ({"x": 1.5}, {"x": 1.5}, "x (strict)"),
        ({"status": "free", "seats": 1}, Slot("free", 2), "status"),
        ({"a": [1, 2]}, {"a": [1, 2]}, "$.a[*]"),
        ({"a": [2, 1]}, {"a": [1, 2]}, "$.a[*] (unordered)"),
        ({"a": []}, {}, "$.a[*] (optional)"),
    ],
    ids=repr,
)
def test_one_value_in_two_spellings_is_valid(before, after, text):
    assert holds(before, after, text)


# Stale, by kind.


@pytest.mark.parametrize(
    ("before", "after", "text", "kind"),
    [
        ({"x": "a"}, {"x": "b"}, "x", "changed"),
        ({"x": 0.3}, {"x": 0.30000000000000004}, "x", "changed"),
        ({"x": [1, 2]}, {"x": [2, 1]}, "x", "changed"),
        ({"x": ["a", "a", "b"]}, {"x": ["a", "b", "b"]}, "x (unordered)", "changed"),
        ({"x": None}, {"x": "null"}, "x", "changed"),
        ({"x": "3"}, {"x": None}, "x", "changed"),
        ({"x": "3"}, {"x": 3}, "x", "type"),
        ({"x": True}, {"x": 1}, "x", "type"),
        ({"x": 20}, {"x": 20.0}, "x (strict)", "type"),
        ({"x": 1}, {"x": 2**53 + 1}, "x", "changed"),
        ({"x": []}, {"x": {}}, "x", "type"),
        ({"x": {}}, {"x": {"$int": "5"}}, "x", "changed"),
        ({"x": b"a"}, {"x": "a"}, "x", "type"),
        ({"x": None}, {}, "x", "removed"),
        ({"x": 1}, {}, "x (optional)", "removed"),
        ({"x": 1}, [], "x", "removed"),
        ({}, {"x": None}, "x (optional)", "appeared"),
        ({}, {"x": 1}, "x == 1 (optional)", "appeared"),
        ({"x": 1}, {}, "x == 1", "removed"),
        ({"x": "Zoe\u0308"}, {"x": "Zo\u00eb"}, "x", "looks_alike"),
        ({"x": ["a", {"b": "c d"}]}, {"x": ["a", {"b": "c\u00a0d"}]}, "x", "looks_alike"),
        ({"x": "free"}, {"x": "sold"}, "x == 'free'", "condition"),
        ({"x": 3}, {"x": 1}, "x >= 2", "condition"),
        ({"x": 3}, {"x": "3"}, "x >= 2", "type"),
        ({"x": 3}, {"x": True}, "x <= 4", "type"),
        ({"x": 100}, {"x": 106}, "x within 5%", "condition"),
        ({"x": 100}, {"x": None}, "x within 5", "type"),
        ({"x": [1]}, {"x": "1"}, "x (unordered)", "type"),
        ({"x": "2026-10-23T10:00:00Z"}, {"x": "soon"}, "x (instant)", "type"),
        ({"x": "2026-10-23T10:00:00Z"}, {"x": "2026-10-23T10:00:01Z"}, "x (instant)", "changed"),
        ({"a": [{"p": 1}]}, {"a": [{"p": 1}, {"p": 2}]}, "$.a[*].p", "changed"),
        ({"a": [1]}, {"a": []}, "$.a[*]", "removed"),
        ({"a": []}, {"a": [1]}, "$.a[*] (optional)", "appeared"),
        ({"a": [3, 4]}, {"a": [3]}, "$.a[*] >= 2", "removed"),
        ({"a": {"x": 3}}, {"a": {"y": 3}}, "$.a.* >= 2", "removed"),
        ({"a": [3, 4]}, {"a": [3, 1]}, "$.a[*] >= 2", "condition"),
        ({"a": [3, 4]}, {"a": [3, 4, "x"]}, "$.a[*] >= 2", "type"),
        ({"a": [10, 20]}, {"a": [20, 10]}, "$.a[*] within 1", "condition"),
        ({"a": [10]}, {"a": [10, 10]}, "$.a[*] within 1", "condition"),
    ],
    ids=repr,
)
def test_a_change_is_named_with_its_kind(before, after, text, kind):
    assert kinds(before, after, text) == [kind]


def test_every_changed_field_is_named_with_both_values():
    result = outcome(
        SLOT, {"slot_id": "slot-42", "status": "sold"}, "slot_id", "status", "seats >= 2"
    )
    assert isinstance(result, Stale)
    assert result.changed == ("/seats", "/status")
    seats, status = result.changes
    assert (seats.text, seats.kind, seats.before, seats.after) == (
        "seats >= 2", "removed", ("value", 4), ("absent",),
    )  # fmt: skip
    assert (status.kind, status.before, status.after) == (
        "changed", ("value", "available"), ("value", "sold"),
    )  # fmt: skip
    assert result.cells == (("absent",), ("value", "slot-42"), ("value", "sold"))
    assert result.fields == 3


def test_the_current_fingerprint_is_that_of_the_record_now():
    after = {**SLOT, "status": "sold"}
    result = outcome(SLOT, after, "slot_id", "status")
    assert result.captured == capture(SLOT, ["slot_id", "status"]).fingerprint
    assert result.current == capture(after, ["slot_id", "status"]).fingerprint


def test_a_value_that_came_back_is_valid_again():
    evidence = capture(SLOT, ["status"])
    assert isinstance(check(evidence, {**SLOT, "status": "sold"}), Stale)
    assert isinstance(check(evidence, SLOT), Valid)


# Conditions.


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ({"x": 3}, {"x": 7}, "x >= 2"),
        ({"x": "a"}, {"x": "b"}, "x in ['a', 'b']"),
        ({"x": 100}, {"x": 105}, "x within 5%"),
        ({"x": 0.2}, {"x": 0.3}, "x within 0.1"),
        ({"a": [3, 4]}, {"a": [4, 5, 6]}, "$.a[*] >= 2"),
        ({"a": [10, 20]}, {"a": [11, 19]}, "$.a[*] within 1"),
    ],
    ids=repr,
)
def test_a_value_that_moved_within_its_condition_is_valid_and_named(before, after, text):
    evidence = capture(before, [text])
    result = check(evidence, after)
    assert isinstance(result, Valid)
    assert result.moved == (evidence.fields[0].selector,)
    assert result.current == capture(after, [text]).fingerprint != result.captured
    assert result.cells == capture(after, [text]).cells


def test_a_condition_that_holds_with_the_same_value_has_not_moved():
    assert outcome({"x": 3}, {"x": 3.0}, "x >= 2").moved == ()


# Unresolvable.


@pytest.mark.parametrize(
    ("reading", "kind", "reason"),
    [
        (NotFound(), "not_found", "not found"),
        (NoAccess("403"), "no_access", "403"),
        (NoAnswer("no answer within 2 s"), "no_answer", "no answer within 2 s"),
        ({"status": "available"}, "no_answer", "answered with a dict, which is no reading"),
        (None, "no_answer", "NoneType"),
    ],
)
def test_only_a_value_can_be_valid(reading, kind, reason):
    evidence = capture(SLOT, ["status"], ref="slots:slot-42")
    result = check_reading(evidence, reading)
    assert isinstance(result, Unresolvable)
    assert (result.ref, result.kind) == ("slots:slot-42", kind)
    assert reason in result.reason


def test_a_found_record_is_checked():
    evidence = capture(SLOT, ["status"], ref="slots:slot-42")
    assert isinstance(check_reading(evidence, Found(SLOT)), Valid)
    assert isinstance(check_reading(evidence, Found({})), Stale)


class Hostile:
    """A record that does what it is told when it is read."""

    __struct_fields__ = ("status",)

    def __init__(self, act):
        self.act = act

    @property
    def status(self):
        return self.act()


def raises(error):
    def act():
        raise error

    return act


class Shout(Exception):
    def __str__(self):
        raise RuntimeError("even its text raises")


class Sly(str):
    __slots__ = ()

    def __eq__(self, other):
        raise ZeroDivisionError

    __hash__ = str.__hash__


class SlyKey(str):
    __slots__ = ()

    def __hash__(self):
        return hash("status")

    def __eq__(self, other):
        raise ZeroDivisionError


class Liar(dict):
    def get(self, *_):
        raise KeyboardInterrupt if self.get is None else LookupError("liar")


class Angry:
    """An object that raises whatever is asked of it, its class too."""

    def __getattribute__(self, name):
        raise ZeroDivisionError(name)


def endless():
    value = []
    for _ in range(100):
        value = [value]
    return value


@pytest.mark.parametrize(
    "record",
    [
        Hostile(raises(ValueError("boom"))),
        Hostile(raises(RecursionError())),
        Hostile(raises(MemoryError())),
        Hostile(raises(Shout())),
        Hostile(raises(NotDeclared("made to look like ours"))),
        Hostile(lambda: float("nan")),
        Hostile(endless),
        Hostile(lambda: {"a": object()}),
        Hostile(lambda: "\ud800"),
        Hostile(lambda: [{1}]),
        Hostile(Angry),
        Hostile(lambda: [Angry()]),
        Hostile(lambda: "x" * (5 * 2**20)),
        {SlyKey("other"): 1},
        Liar(status="available"),
        {"status": float("inf")},
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_record_that_cannot_be_read_is_unresolvable_and_nothing_raises(record):
    for text in ("status", "status in ['available']", "status (unordered, optional)"):
        before = {"status": ["a"]} if "unordered" in text else SLOT
        result = check(capture(before, [text]), record)
        assert isinstance(result, Unresolvable)
        assert result.kind == "unreadable"
        assert result.reason


def test_a_record_that_raises_at_its_class_is_unresolvable():
    assert check(capture(SLOT, ["status"]), Angry()).kind == "unreadable"


def test_the_place_of_a_value_without_a_form_is_said():
    result = outcome({"a": {"b": 1}}, {"a": {"b": float("nan")}}, "a")
    assert "(at /a/b)" in result.reason


def test_a_text_that_redefines_equality_is_compared_as_the_text_it_is():
    assert holds(SLOT, {"status": Sly("available")}, "status")
    assert kinds(SLOT, {"status": Sly("sold")}, "status") == ["changed"]


def test_a_number_that_compares_equal_to_all_is_not_believed():
    class Always(int):
        def __eq__(self, other):
            return True

        __hash__ = int.__hash__

    assert kinds({"x": 5}, {"x": Always(6)}, "x") == ["changed"]


def test_a_value_that_differs_at_each_look_is_never_valid_by_luck():
    values = iter(["available", "sold", "sold"])
    assert isinstance(check(capture(SLOT, ["status"]), Hostile(lambda: next(values))), Valid)
    assert isinstance(check(capture(SLOT, ["status"]), Hostile(lambda: next(values))), Stale)


# Absence.


def test_absence_is_valid_only_where_not_found_is_proof():
    evidence = capture(None, (), kind="absence", ref="slots:x")
    proven = check_reading(evidence, NotFound(), absence_is_proof=True)
    assert isinstance(proven, Valid)
    assert proven.current == evidence.fingerprint
    unproven = check_reading(evidence, NotFound())
    assert isinstance(unproven, Unresolvable)
    assert unproven.kind == "not_found"
    assert isinstance(check_reading(evidence, NoAnswer(), absence_is_proof=True), Unresolvable)


def test_a_record_that_appeared_makes_its_absence_stale():
    evidence = capture(None, (), kind="absence", ref="slots:x")
    result = check_reading(evidence, Found({"secret": 1}), absence_is_proof=True)
    assert isinstance(result, Stale)
    assert result.changed == ("",)
    assert [(c.kind, c.before, c.text) for c in result.changes] == [("appeared", ("absent",), "$")]
    assert "secret" not in repr(result)
    assert isinstance(check(evidence, None), Stale)


# Secrets.

SALT = bytes(range(32))
SALTS = {"people:kim#/pin": SALT, "people:kim#$.pins[*]": SALT}


def secret(record, text):
    return capture(record, [text], ref="people:kim", salts=SALTS)


def look(evidence, record):
    return check_reading(evidence, Found(record), salts=SALTS)


def test_a_secret_is_compared_by_its_keyed_digest():
    evidence = secret({"pin": "4711"}, "pin (secret)")
    assert isinstance(look(evidence, {"pin": "4711"}), Valid)
    result = look(evidence, {"pin": "0815"})
    assert isinstance(result, Stale)
    (change,) = result.changes
    assert (change.kind, change.after) == ("changed", keyed(SALT, ("value", "0815")))
    assert "0815" not in repr(result)


@pytest.mark.parametrize(
    ("before", "after", "text", "kind"),
    [
        ({"pin": 1}, {}, "pin (secret)", "removed"),
        ({}, {"pin": 1}, "pin (optional, secret)", "appeared"),
        ({"pin": "a"}, {"pin": 1}, "pin (secret)", "changed"),
        ({"pin": [1]}, {"pin": 1}, "pin (secret, unordered)", "type"),
        ({"pin": 3}, {"pin": 1}, "pin >= 2 (secret)", "condition"),
        ({"pins": [3, 4]}, {"pins": [4, 4]}, "$.pins[*] >= 2 (secret)", "changed"),
        ({"pins": [3]}, {"pins": [4]}, "$.pins[*] (secret)", "changed"),
    ],
    ids=repr,
)
def test_a_secret_that_changed_is_named_and_not_told(before, after, text, kind):
    result = look(secret(before, text), after)
    assert [change.kind for change in result.changes] == [kind]
    assert all(
        cell[0] == "secret" for change in result.changes for cell in (change.before, change.after)
    )


@pytest.mark.parametrize(
    ("before", "after", "text", "moved"),
    [
        ({}, {}, "pin (optional, secret)", ()),
        ({"pin": 3}, {"pin": 4}, "pin >= 2 (secret)", ("/pin",)),
        ({"pins": [3, 4]}, {"pins": [3, 4]}, "$.pins[*] >= 2 (secret)", ()),
    ],
    ids=repr,
)
def test_a_secret_may_hold(before, after, text, moved):
    result = look(secret(before, text), after)
    assert isinstance(result, Valid)
    assert result.moved == moved


def test_the_literal_of_a_secret_condition_is_not_told():
    result = look(secret({"pin": "4711"}, "pin == '4711' (secret)"), {"pin": "0815"})
    assert [change.kind for change in result.changes] == ["condition"]
    assert "4711" not in repr(result)


def test_the_pure_check_refuses_a_secret():
    evidence = secret({"pin": "4711"}, "pin (secret)")
    with pytest.raises(DeclarationError, match="the pure functions keep no salt"):
        check(evidence, {"pin": "4711"})
    with pytest.raises(DeclarationError):
        check_reading(evidence, Found({"pin": "4711"}))


def test_a_lost_salt_makes_a_secret_unresolvable():
    evidence = secret({"pin": "4711"}, "pin (secret)")
    result = check_reading(evidence, Found({"pin": "4711"}), salts={})
    assert isinstance(result, Unresolvable)
    assert "salt" in result.reason


# Evidence that is not what it was.


def stored(evidence, **changes):
    tree = msgspec.to_builtins(evidence)
    return msgspec.convert({**tree, **changes}, type=Evidence)


GOOD = capture(SLOT, ["slot_id", "status"], ref="slots:slot-42")


def test_evidence_read_back_is_checked_alike():
    again = msgspec.json.decode(msgspec.json.encode(GOOD), type=Evidence)
    assert isinstance(check(again, SLOT), Valid)
    assert isinstance(check(again, SLOT), Valid)
    assert check(again, {**SLOT, "status": "x"}) == check(GOOD, {**SLOT, "status": "x"})


@pytest.mark.parametrize(
    "mark", ["ed3a5680f29c3dae", "ll2:" + "0" * 64, "ll1", "", "freshctx16:ed3a5680f29c3dae"]
)
def test_an_unknown_scheme_is_never_compared(mark):
    with pytest.raises(BadFormat, match="only ll1 is compared"):
        check(stored(GOOD, fingerprint=mark), SLOT)


DAMAGED = [
    {"fingerprint": "ll1:" + "0" * 64},
    {"cells": [["value", "slot-42"], ["value", "sold"]]},
    {"cells": [["value", "slot-42"]]},
    {"cells": [["value", "slot-42"], ["value"]]},
    {"cells": [["value", "slot-42"], []]},
    {"cells": [["value", "slot-42"], ["maybe", 1]]},
    {"cells": [["value", "slot-42"], [["value"], 1]]},
    {"cells": [["value", "slot-42"], ["secret", "00"]]},
    {"cells": [["value", "slot-42"], ["value", float("nan")]]},
    {"ref": "slots:slot-43"},
    {"kind": "absence"},
    {"kind": "query"},
    {"params": {}},
    {"fields": [{"selector": "/slot_id"}]},
    {"fields": [{"selector": "/slot_id"}, {"selector": "/state"}]},
    {"fields": [], "cells": []},
]


@pytest.mark.parametrize("changes", DAMAGED, ids=repr)
def test_evidence_edited_by_hand_is_refused(changes):
    evidence = stored(GOOD, **changes)
    for _ in range(2):
        with pytest.raises(BadFormat, match="damaged"):
            check(evidence, SLOT)
    with pytest.raises(BadFormat):
        check_reading(evidence, NotFound())


def test_a_record_without_fields_is_refused_even_with_its_own_fingerprint():
    nothing = capture(None, (), kind="absence", ref="a:b")
    empty = stored(nothing, kind="record")
    from lastlook.core.digests import start, whole_digest

    forged = stored(empty, fingerprint=whole_digest(start("record", "a:b"), ()))
    with pytest.raises(BadFormat, match="damaged"):
        check(forged, {"anything": 1})


def test_a_wildcard_whose_extra_is_missing_is_unresolvable(monkeypatch):
    evidence = stored(capture({"a": [1]}, ["$.a[*]"]))

    def missing(_):
        raise FieldSyntaxError("needs the extra jsonpath")

    monkeypatch.setattr("lastlook.core.opened.field_set", missing)
    result = check(evidence, {"a": [1]})
    assert isinstance(result, Unresolvable)
    assert "jsonpath" in result.reason


def test_a_changed_copy_of_evidence_is_opened_anew():
    check(GOOD, SLOT)
    other = msgspec.structs.replace(GOOD, fingerprint="ll1:" + "0" * 64)
    with pytest.raises(BadFormat):
        check(other, SLOT)


def test_the_whole_record_can_be_a_field():
    assert holds({"a": 1}, {"a": 1.0}, "$")
    assert outcome({"a": 1}, {"a": 1, "b": 2}, field("$")).changed == ("",)
