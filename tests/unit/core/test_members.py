"""Queries as evidence: their members, compared one by one."""

from __future__ import annotations

import msgspec
import pytest

from lastlook.core.check import Stale, Unresolvable, Valid, check, check_reading
from lastlook.core.digests import keyed
from lastlook.core.evidence import Evidence, Found, NotFound
from lastlook.core.members import capture_members
from lastlook.errors import (
    BadFormat,
    CaptureFailed,
    ConditionNotMet,
    DeclarationError,
    NotCanonical,
    PathNamesNothing,
)

FREE = {"s2": {"at": "10:00", "seats": 2}, "s1": {"at": "09:00", "seats": 4}}


def taken(members=FREE, fields=("at",), **kw):
    return capture_members(members, fields, **{"ref": "slots:free", "cap": 5, **kw})


def kinds(result):
    return [(c.member, c.field, c.kind) for c in result.changes]


def test_members_are_kept_by_key_in_order():
    evidence = taken(params={"day": "2026-10-23"})
    assert [member.key for member in evidence.members] == ["s1", "s2"]
    assert evidence.members[0].cells == (("value", "09:00"),)
    assert (evidence.kind, evidence.params, evidence.cap) == ("query", {"day": "2026-10-23"}, 5)
    assert evidence.cells == evidence.digests == ()


def test_the_same_members_in_another_order_are_valid():
    result = check(taken(), dict(reversed(FREE.items())))
    assert isinstance(result, Valid)
    assert result.moved == ()
    assert isinstance(check(taken(), list(FREE.items())), Valid)
    assert isinstance(check(taken(FREE.items()), FREE), Valid)


def test_the_arguments_are_part_of_the_fingerprint():
    prints = {taken(params=p).fingerprint for p in (None, {}, {"day": 1}, {"day": "1"})}
    assert len(prints) == 4


def test_membership_alone_can_be_evidence():
    evidence = taken(fields=())
    assert isinstance(check(evidence, {"s1": None, "s2": object()}), Valid)
    result = check(evidence, {"s1": None})
    assert kinds(result) == [("s2", "", "member_gone")]
    assert result.changes[0].before == ("value", {})


def test_a_member_that_is_gone_and_one_that_is_new_are_named_with_what_they_held():
    result = check(taken(), {"s1": FREE["s1"], "s3": {"at": "11:00"}})
    assert isinstance(result, Stale)
    assert kinds(result) == [("s2", "", "member_gone"), ("s3", "", "member_new")]
    assert result.changes[0].before == ("value", {"at": "10:00"})
    assert result.changes[0].after == ("absent",)
    assert result.changes[1].after == ("value", {"at": "11:00"})
    assert result.changed == ("",)
    assert result.current == taken({"s1": FREE["s1"], "s3": {"at": "11:00"}}).fingerprint


def test_a_member_that_changed_is_named_by_field():
    after = {"s1": {"at": "09:30"}, "s2": {"at": 10}}
    result = check(taken(), after)
    assert kinds(result) == [("s1", "/at", "member_changed"), ("s2", "/at", "type")]
    assert result.changed == ("/at",)


def test_names_with_a_dollar_sign_stay_names_in_what_is_shown():
    evidence = taken({"k": {"$x": 1}}, ["/$x"])
    result = check(evidence, {})
    (shown,) = result.changes[0].before[1:]
    assert list(shown.values()) == [1]
    assert all(name.startswith("$$") or not name.startswith("$") for name in shown)


@pytest.mark.parametrize(
    ("may", "after", "valid"),
    [
        ("grow", {**FREE, "s3": {"at": "11:00"}}, True),
        ("grow", {"s1": FREE["s1"]}, False),
        ("shrink", {"s1": FREE["s1"]}, True),
        ("shrink", {}, True),
        ("shrink", {**FREE, "s3": {"at": "11:00"}}, False),
        ("grow", {**FREE, "s1": {"at": "x"}, "s3": {"at": 1}}, False),
    ],
)
def test_members_may_come_or_go_where_that_was_declared(may, after, valid):
    result = check(taken(may=may), after)
    assert isinstance(result, Valid) is valid
    if valid:
        assert result.moved == ("",)
        assert result.current != result.captured


@pytest.mark.parametrize(
    ("fields", "new", "valid"),
    [
        (["seats >= 2"], {"seats": 2}, True),
        (["seats >= 2"], {"seats": 1}, False),
        (["seats >= 2"], {}, False),
        (["seats >= 2 (optional)"], {}, True),
        (["seats within 1"], {"seats": 99}, True),
        (["seats"], {}, True),
        (["$.seats[*] >= 2 (optional)"], {"seats": [2, 3]}, True),
        (["$.seats[*] >= 2 (optional)"], {"seats": [2, 1]}, False),
        (["at (optional, instant)"], {"at": "soon"}, False),
    ],
)
def test_a_new_member_must_meet_the_conditions(fields, new, valid):
    before = {"s1": {"seats": 4}} if "$" not in fields[0] else {"s1": {}}
    result = check(taken(before, fields, may="grow"), {**before, "s3": new})
    assert isinstance(result, Valid) is valid
    if not valid:
        assert [c.kind for c in result.changes] == ["condition"]


def test_a_field_that_moved_within_its_condition_is_named_once():
    result = check(taken(fields=["seats >= 2"]), {"s1": {"seats": 3}, "s2": {"seats": 9}})
    assert isinstance(result, Valid)
    assert result.moved == ("/seats",)


def test_more_members_than_the_cap_are_never_compared():
    assert len(taken(cap=2).members) == 2
    with pytest.raises(CaptureFailed, match="has more than 1 members"):
        taken(cap=1)
    result = check(taken(cap=2), {**FREE, "s3": {}})
    assert isinstance(result, Unresolvable)
    assert "more than 2 members" in result.reason


def test_a_query_needs_a_cap():
    with pytest.raises(DeclarationError, match="a cap of at least one"):
        taken(cap=0)


def endless():
    n = 0
    while True:
        n += 1
        yield f"s{n}", {}


class Torn(dict):
    def items(self):
        raise OSError("torn")


@pytest.mark.parametrize(
    "answer",
    [None, 5, [1], ["ab"], [("s1", {}), ("s1", {})], {1: {}}, {"\ud800": {}}, {"s1": {"at": float("nan")}},
     Torn(), endless()],
    ids=repr,
)  # fmt: skip
def test_an_answer_that_is_no_set_of_members_is_unresolvable(answer):
    result = check(taken(), answer)
    assert isinstance(result, Unresolvable)
    assert result.kind == "unreadable"


@pytest.mark.parametrize("members", [[("a", {}), ("a", {})], {1: {}}, {"\ud800": {}}])
def test_members_without_a_proper_key_are_refused_at_capture(members):
    with pytest.raises(NotCanonical):
        taken(members, ())


def test_what_capture_refuses_of_a_record_it_refuses_of_a_member():
    with pytest.raises(PathNamesNothing):
        taken(fields=["nothing"])
    with pytest.raises(ConditionNotMet):
        taken(fields=["seats >= 3"])


def test_a_fresh_plan_may_have_members_without_a_field_of_before():
    before = taken()
    after = taken({"s1": {}}, ["at"], previous=before)
    assert after.members[0].cells == (("absent",),)


def test_an_answer_of_nothing_is_evidence_too():
    evidence = taken({}, ["at"])
    assert isinstance(check(evidence, {}), Valid)
    assert isinstance(check(evidence, FREE), Stale)


SALT = bytes(range(32))


def test_secret_fields_of_members_are_neither_kept_nor_told():
    salts = {"slots:free#/seats": SALT}
    evidence = taken(fields=["seats (secret)"], salts=salts)
    assert evidence.members[0].cells == (keyed(SALT, ("value", 4)),)
    result = check_reading(evidence, Found({"s1": {"seats": 5}}), salts=salts)
    assert kinds(result) == [("s1", "/seats", "member_changed"), ("s2", "", "member_gone")]
    assert result.changes[1].before == ("value", {})
    assert check_reading(evidence, NotFound(), salts=salts).kind == "not_found"


def test_a_query_read_back_from_its_json_is_checked_alike():
    evidence = taken()
    again = msgspec.json.decode(msgspec.json.encode(evidence), type=Evidence)
    assert again == evidence
    assert isinstance(check(again, FREE), Valid)
    tree = msgspec.to_builtins(evidence)
    tree["members"][0]["key"] = "s9"
    with pytest.raises(BadFormat, match="damaged"):
        check(msgspec.convert(tree, type=Evidence), FREE)


@pytest.mark.parametrize("spec", ["at", ["at"], ("at",), (t for t in ["at"])])
def test_the_fields_of_members_have_all_spellings(spec):
    assert taken(fields=spec) == taken()
