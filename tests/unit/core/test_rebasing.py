"""Re-basing: what the plan's own steps wrote, said or left unsaid, and what others wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from lastlook import capture, field
from lastlook.core.check import Stale, Valid, check, check_reading
from lastlook.core.evidence import Evidence, Found
from lastlook.core.members import capture_members
from lastlook.core.plan import Write
from lastlook.core.rebasing import Rebased, covers, overlaps, rebase

REF = "orders:W1"
ORDER = {
    "status": "paid",
    "amount": 80,
    "payment": {"to": "kim", "amount": 80, "parts": [{"n": 1}, {"n": 2}]},
}


def rested(*fields: Any, record: object = ORDER, **more: Any) -> Evidence[Any]:
    return capture(record, list(fields or ("status", "amount")), ref=REF, **more)


def written(
    evidence: Evidence[Any],
    said: Mapping[str, Any],
    *declared: str,
    whole: bool = False,
    salts: Mapping[str, bytes] | None = None,
) -> tuple[Evidence[Any] | None, tuple[str, ...]]:
    """One step over one record: what is looked at afterwards, and what is left out."""
    rebased = Rebased([evidence], salts)
    writes = [Write(ref=REF, fields=declared)] if declared or whole else []
    left = rebased.add(writes, {REF: said} if said else {})
    after = rebase([evidence], rebased)
    return (after[0] if after else None), left


def test_without_a_write_the_evidence_is_the_same() -> None:
    evidence = rested()
    assert written(evidence, {}) == (evidence, ())
    rebased = Rebased([evidence])
    rebased.add([Write(ref="orders:W2")], {"orders:W2": {"/status": "x"}})
    assert rebase([evidence], rebased)[0] is evidence


def test_a_said_value_is_compared_and_the_rest_stays() -> None:
    after, left = written(rested(), {"/status": "refunded"}, "/status")
    assert left == ()
    assert after is not None
    assert isinstance(check(after, ORDER | {"status": "refunded"}), Valid)
    other = check(after, ORDER | {"status": "disputed", "amount": 81})
    assert isinstance(other, Stale)
    assert other.changed == ("/amount", "/status")


def test_a_said_value_is_compared_for_equality_whatever_the_rule_was() -> None:
    after, _ = written(rested("amount >= 1"), {"/amount": 5}, "/amount")
    assert after is not None
    assert isinstance(check(after, {"amount": 5}), Valid)
    assert isinstance(check(after, {"amount": 6}), Stale)


def test_an_unsaid_value_is_left_out_and_told() -> None:
    after, left = written(rested(), {}, "/status")
    assert left == (f"{REF}#/status",)
    assert after is not None
    assert [str(item) for item in after.fields] == ["amount"]


def test_a_write_of_the_whole_record_without_a_word_leaves_nothing_of_it() -> None:
    assert written(rested(), {}, whole=True) == (None, (REF,))


def test_a_write_of_the_whole_record_that_says_a_part_leaves_the_rest_out_and_tells_it() -> None:
    after, left = written(rested(), {"/status": "refunded"}, whole=True)
    assert left == (REF,)
    assert after is not None
    assert [str(item) for item in after.fields] == ["status"]
    assert isinstance(check(after, {"status": "refunded", "amount": 7}), Valid)


def test_a_whole_record_that_is_said_gives_every_field_its_value() -> None:
    after, left = written(rested(), {"": {"status": "refunded", "amount": 7}}, whole=True)
    assert left == ()
    assert after is not None
    assert isinstance(check(after, {"status": "refunded", "amount": 7}), Valid)
    assert isinstance(check(after, {"status": "refunded", "amount": 80}), Stale)


def test_a_field_that_is_missing_in_what_was_said_must_be_gone() -> None:
    after, _ = written(rested(), {"": {"status": "refunded"}}, whole=True)
    assert after is not None
    assert isinstance(check(after, {"status": "refunded"}), Valid)
    assert isinstance(check(after, {"status": "refunded", "amount": 80}), Stale)


def test_a_part_that_was_said_is_put_into_what_was_captured() -> None:
    after, left = written(rested("payment"), {"/payment/amount": 5}, "/payment/amount")
    assert left == ()
    assert after is not None
    now = ORDER["payment"] | {"amount": 5}
    assert isinstance(check(after, {"payment": now}), Valid)
    assert isinstance(check(after, {"payment": now | {"to": "lee"}}), Stale)


def test_a_part_may_be_an_element_or_a_new_member() -> None:
    after, left = written(rested("payment"), {"/payment/parts/1/n": 9, "/payment/at": "now"})
    assert left == ()
    assert after is not None
    now = ORDER["payment"] | {"parts": [{"n": 1}, {"n": 9}], "at": "now"}
    assert isinstance(check(after, {"payment": now}), Valid)
    after, _ = written(rested("payment"), {"/payment/parts/0": "gone"})
    assert after is not None
    assert isinstance(check(after, {"payment": ORDER["payment"] | {"parts": ["gone", {"n": 2}]}}),
                      Valid)  # fmt: skip


@pytest.mark.parametrize(
    "selector", ["/payment/parts/2", "/payment/to/x", "/payment/parts/-", "/payment/x/y"]
)
def test_a_part_that_has_no_place_in_what_was_captured_is_left_out_and_told(selector: str) -> None:
    assert written(rested("payment", "status"), {selector: 1})[1] == (f"{REF}#/payment",)


@pytest.mark.parametrize("rule", ["payment (nfc)", "$.payment", "$.payment.parts[*].n"])
def test_a_field_that_holds_more_than_was_said_under_a_rule_is_left_out_and_told(rule: str) -> None:
    after, left = written(rested(rule, "status"), {"/payment/parts/0/n": 5})
    assert after is not None
    assert [str(item) for item in after.fields] == ["status"]
    assert left == (f"{REF}#{field('payment').selector if 'nfc' in rule else rule}",)


def test_what_is_written_later_counts() -> None:
    evidence = rested("payment", "status")
    rebased = Rebased([evidence])
    steps = [{"/status": "a"}, {"/status": "b"}, {"/payment": {"to": "lee"}}, {"/payment/to": "jo"}]
    for said in steps:
        assert rebased.add([], {REF: said}) == ()
    after = rebase([evidence], rebased)[0]
    assert isinstance(check(after, {"status": "b", "payment": {"to": "jo"}}), Valid)
    assert rebased.add([Write(ref=REF, fields=("/status",))], {}) == (f"{REF}#/status",)
    assert [str(item) for item in rebase([evidence], rebased)[0].fields] == ["payment"]
    rebased.add([], {REF: {"/status": "c"}})
    after = rebase([evidence], rebased)[0]
    assert isinstance(check(after, {"status": "c", "payment": {"to": "jo"}}), Valid)


def test_a_later_write_of_a_whole_takes_the_place_of_its_parts() -> None:
    evidence = rested("/payment/to")
    rebased = Rebased([evidence])
    rebased.add([], {REF: {"/payment/to": "lee"}})
    rebased.add([], {REF: {"/payment": {"to": "jo"}}})
    assert isinstance(check(rebase([evidence], rebased)[0], {"payment": {"to": "jo"}}), Valid)


def test_a_secret_that_was_said_is_compared_and_stays_secret() -> None:
    salts = {f"{REF}#/status": bytes(32)}
    evidence = rested(field("status").secret, salts=salts)
    after, left = written(evidence, {"/status": "refunded"}, "/status", salts=salts)
    assert left == ()
    assert after is not None
    assert "refunded" not in repr(after)
    for status, kind in (("refunded", Valid), ("disputed", Stale)):
        assert isinstance(check_reading(after, Found({"status": status}), salts=salts), kind)


def test_a_secret_that_was_left_unsaid_is_left_out() -> None:
    salts = {f"{REF}#/status": bytes(32)}
    evidence = rested(field("status").secret, "amount", salts=salts)
    after, left = written(evidence, {}, "/status", salts=salts)
    assert left == (f"{REF}#/status",)
    assert after is not None
    assert [item.selector for item in after.fields] == ["/amount"]


@pytest.mark.parametrize("said", [{}, {"": {"status": "new"}}])
def test_an_absence_that_the_plan_ended_itself_is_left_out_and_told(said: dict[str, Any]) -> None:
    evidence: Evidence[Any] = capture(None, (), kind="absence", ref=REF)
    assert written(evidence, said, whole=True) == (None, (REF,))


def test_a_query_is_left_out_where_it_was_declared_itself_and_else_stays() -> None:
    query = capture_members({"W1": ORDER}, ["status"], ref="orders:open", cap=9)
    assert Rebased([query]).apply(query) is query
    rebased = Rebased([query])
    rebased.add([Write(ref=REF, fields=("/status",))], {})
    assert rebase([query], rebased) == [query]
    assert rebased.add([Write(ref="orders:open")], {}) == ("orders:open",)
    assert rebase([query], rebased) == []


@pytest.mark.parametrize(
    ("write", "wanted", "over", "touch"),
    [
        ("/a", "/a", True, True),
        ("/a", "/a/b", True, True),
        ("/a/b", "/a", False, True),
        ("", "/a", True, True),
        ("/a", "", False, True),
        ("", "", True, True),
        ("/a", "/ab", False, False),
        ("/ab", "/a", False, False),
        ("/a/b", "/a/c", False, False),
        ("/a~1b", "/a", False, False),
        ("/a", "$.a", False, True),
        ("/a/b", "$.a[*].c", False, True),
        ("/b", "$.a[*]", False, False),
        ("/ä", "$.ä[*]", False, True),
        ("/a\U0001f600", "$.a\U0001f600[*]", False, True),
        ("/a", "$.a\U0001f600[*]", False, False),
        ("/a", "$['a'][*]", False, True),
        ("/b", "$['a'][*]", False, True),
        ("/b", "$..a", False, True),
        ("/b", "$[0]", False, True),
        ("", "$.a[*]", False, True),
        ("/a~1b", "$['a/b']", False, True),
        ("$.a", "/a", False, True),
        ("$.a", "/b", False, False),
        ("$.a", "$.b", False, False),
    ],
)
def test_a_write_covers_what_lies_in_it_and_touches_what_it_may_change(
    write: str, wanted: str, over: bool, touch: bool
) -> None:
    assert covers(write, wanted) is over
    assert overlaps(write, wanted) is touch
