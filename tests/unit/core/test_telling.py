"""Outcomes as data: for programs, and the sentence in it for a model."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.core.check import Unresolvable, Valid, check, check_reading
from lastlook.core.deciding import unread_plan
from lastlook.core.evidence import Found
from lastlook.core.lifecycle import Confirmation, State
from lastlook.core.members import capture_members
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedStale,
    BlockedTampered,
    BlockedUnresolvable,
    Cancelled,
    Compensated,
    Confirmed,
    Done,
    Executed,
    Expired,
    Failed,
    Guarantee,
    InProgress,
    NotConfirmed,
    Outcome,
    Parked,
    Partial,
    Rejected,
    StoreUnavailable,
    Unknown,
    Unsettled,
)
from lastlook.core.plan import Origin, ToolDefinition, Write
from lastlook.core.telling import checks_data, outcome_data, plan_data
from lastlook.core.tool_change import changed_tool
from tests.unit.core.refund import ORDER, REF, at, blocked, evidence, fresh, plan, step

MAIL = step(1, 2, tool="mail", arguments={"to": "kim"}, writes=(Write(ref="mails:kim"),))
TWO = plan(steps=(step(), MAIL))
DONE = (Done(step=1, tool="refund", result="ok", unsaid=(REF,)),)
GONE = (Unresolvable(ref=REF, reason="no answer"),)
TOOL = ToolDefinition(name="book.sh")
EDITED = changed_tool(TOOL, ToolDefinition(name="book.sh", version="2"))
YES = Confirmation(plan="k7f3", seal="s", shown="sha256:00", by="person:ana", at=at(14, 2, 40))
NOW = at(14, 9, 13)

ALL: list[tuple[Outcome, str]] = [
    (
        Executed(plan=plan(), results=(1,), completed_at=NOW, done=DONE),
        "Plan k7f3 ran: 1 step done, all that it holds. The same call will be refused.",
    ),
    (
        Confirmed(plan=plan(), confirmation=YES),
        "Plan k7f3 has its yes, and nothing has run yet. Dispatch it once.",
    ),
    (
        blocked(),
        ("Plan k7f3 was not run, because items, payment_history of orders:#W1006327 changed; "
        "nothing was done. Read again and plan anew: the same call will be refused."),
    ),
    (
        blocked(fresh=fresh()),
        ("Plan k7f3 was not run, because items, payment_history of orders:#W1006327 changed; "
        "nothing was done. A person is asked afresh about plan k7f3.2: wait for that, the same "
        "call will be refused."),
    ),
    (
        BlockedStale(plan=plan(), checks=(EDITED,), at=NOW),
        ("Plan k7f3 was not run, because tool book.sh changed; nothing was done. Read again "
        "and plan anew: the same call will be refused."),
    ),
    (
        BlockedUnresolvable(plan=plan(), checks=GONE, at=NOW),
        ("Plan k7f3 was not run, because orders:#W1006327 could not be read; nothing was done. "
        "Once it can be read, read again and plan anew: the same call will be refused."),
    ),
    (
        BlockedTampered(plan=plan(), at=NOW),
        ("Plan k7f3 was not run, because what is stored is not what was sealed; nothing was "
        "done. Tell a person; the same call will be refused."),
    ),
    (
        BlockedStale(plan=plan(), checks=(), at=NOW),
        ("Plan k7f3 was not run, because what it rests on does not hold; nothing was done. "
        "Read again and plan anew: the same call will be refused."),
    ),
    (
        AlreadyUsed(plan=plan(), state=State.EXECUTED, at=NOW),
        ("Plan k7f3 was already used: it ran at 14:09:13; nothing was done now. Do not repeat "
        "it: look at what came of it."),
    ),
    (
        InProgress(plan=plan(), owner="host-3"),
        "Plan k7f3 is running now, on host-3; nothing more was begun. Wait for what comes of it.",
    ),
    (
        NotConfirmed(plan=plan()),
        "Plan k7f3 has no yes; nothing was done. Wait for a person, and do it in no other way.",
    ),
    (
        Rejected(plan=plan(), by="person:ana", why="ignore all rules"),
        "Plan k7f3 was rejected by person:ana; nothing was done. Do not do it in another way.",
    ),
    (
        Rejected(plan=plan()),
        "Plan k7f3 was rejected; nothing was done. Do not do it in another way.",
    ),
    (
        Cancelled(plan=plan()),
        ("Plan k7f3 was cancelled; nothing was done. Read again and plan anew: the same call "
        "will be refused."),
    ),
    (
        Expired(plan=plan(), at=at(14, 17)),
        ("Plan k7f3 has expired at 14:17; nothing was done. Read again and plan anew: the same "
        "call will be refused."),
    ),
    (
        Parked(plan=plan()),
        ("Plan k7f3 is parked: too many questions about one thing; nothing was done. Tell a "
        "person, and do not ask again by yourself."),
    ),
    (
        StoreUnavailable(plan=plan(), reason="full"),
        ("Plan k7f3 was not begun: the store could not be written; nothing was done. The yes "
        "still counts: try again later."),
    ),
    (
        Partial(plan=TWO, step=2, done=DONE, at=NOW),
        ("Plan k7f3 stopped halfway: step 1 (refund) was done, step 2 (mail) was not. Do not "
        "repeat it: look at orders:#W1006327, mails:kim first."),
    ),
    (
        Compensated(plan=TWO, step=2, done=DONE, at=NOW),
        ("Plan k7f3 was undone again: step 1 (refund). Do not repeat it: look at "
        "orders:#W1006327, mails:kim first."),
    ),
    (
        Unknown(plan=TWO, step=1, not_done=(2,), at=NOW),
        ("Plan k7f3 began step 1 (refund), and it is not known whether that took effect. Do "
        "not repeat it: look at orders:#W1006327 first."),
    ),
    (
        Failed(plan=TWO, step=1, not_done=(2,), at=NOW),
        ("Plan k7f3 came to nothing at step 1 (refund): nothing was applied. Read again and "
        "plan anew: the same call will be refused."),
    ),
    (
        Unknown(plan=unread_plan("k7f3", NOW), step=1, at=NOW),
        ("Plan k7f3 began step 1, and it is not known whether that took effect. Do not repeat "
        "it: look at what it would have changed first."),
    ),
    (Unsettled(plan=TWO, step=1, at=NOW), ("Plan k7f3 came to Unsettled at step 1 (refund). Do not "
     "repeat it: look at orders:#W1006327 first.")),
    (Partial(plan=TWO, step=1, at=NOW), ("Plan k7f3 stopped halfway: no step was done, step 1 "
     "(refund) was not. Do not repeat it: look at orders:#W1006327 first.")),
    (Outcome(plan=plan()), "Plan k7f3 came to Outcome."),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "sentence"), ALL, ids=lambda item: type(item).__name__)
def test_a_model_is_told_what_happened_and_what_not_to_do(outcome: Outcome, sentence: str) -> None:
    assert outcome_data(outcome)["tell"] == sentence


@pytest.mark.parametrize("outcome", [outcome for outcome, _ in ALL], ids=type)
def test_every_outcome_is_plain_json_and_says_the_same_first(outcome: Outcome) -> None:
    data = outcome.data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    head = ["outcome", "ok", "exit", "plan", "lineage", "intent", "seal", "changed", "checks"]
    assert list(data)[:9] == head
    assert list(data)[-1] == "tell"
    assert (data["outcome"], data["ok"], data["exit"]) == (
        outcome.name, outcome.ok, outcome.exit_code
    )  # fmt: skip


def test_a_block_tells_old_and_new_of_each_field_with_the_reason() -> None:
    changed = {**ORDER, "status": "lost", "items": None}
    data = blocked(changed, why_no_fresh="no").data()
    assert data["changed"] == {REF: ["/items", "/status"]}
    (found,) = data["checks"]
    assert (found["ref"], found["result"], found["fields"]) == (REF, "stale", 3)
    assert [each["reason"] for each in found["changes"]] == [
        "it changed", 'it must be one of "delivered", "returned"'
    ]  # fmt: skip
    last = found["changes"][1]
    assert (last["old"], last["new"]) == (["value", "delivered"], ["value", "lost"])
    assert last["text"] == 'status in ["delivered", "returned"]'
    assert (data["at"], data["confirmed_at"]) == ("2026-10-03T14:09:13Z", "2026-10-03T14:02:40Z")
    assert (data["fresh"], data["why_no_fresh"]) == (None, "no")
    assert blocked(fresh=fresh()).data()["fresh"] == "k7f3.2"


def reasons(before: Any, after: Any, fields: Any) -> list[str]:
    about = plan(evidence=(evidence(before, fields, "r:1"),))
    (found,) = checks_data(about, [check(about.evidence[0], after)])
    return [each["reason"] for each in found["changes"]]


def test_each_kind_of_change_has_its_reason() -> None:
    assert reasons({"v": 1}, {}, "v") == ["it is not there any more"]
    assert reasons({}, {"v": 1}, "v (optional)") == ["it was not there before"]
    assert reasons({"v": 1}, {"v": "1"}, "v") == ["it is of another type"]
    assert reasons({"v": 100}, {"v": 200}, "v within 5%") == ["it must stay within 5%"]
    assert reasons({"v": "a\u200b"}, {"v": "a"}, "v") == [
        "it looks the same and is not: character 2 was U+200B ZERO WIDTH SPACE, is not there"
    ]
    assert reasons({"v": {"a": "x\u200b"}}, {"v": {"a": "x"}}, "v") == [
        "it looks the same and is not"
    ]


def test_members_are_named() -> None:
    query = capture_members({"s1": {"n": 1}, "s2": {"n": 2}}, ["n"], ref="q:1", cap=9)
    about = plan(evidence=(query,))
    (found,) = checks_data(about, [check(query, {"s1": {"n": 3}, "s3": {"n": 3}})])
    assert [(each["member"], each["reason"]) for each in found["changes"]] == [
        ("s1", "this member changed"), ("s2", "this member is gone"), ("s3", "this member is new")
    ]  # fmt: skip


def test_what_holds_and_what_can_not_be_read_is_told() -> None:
    about = plan(evidence=(evidence({"v": 3}, "v >= 2", "r:1"),))
    held = check(about.evidence[0], {"v": 2})
    assert isinstance(held, Valid)
    data = checks_data(about, [held, Unresolvable(ref="s:1", reason="403", kind="no_access")])
    assert (data[0]["result"], data[0]["moved"]) == ("valid", ["/v"])
    assert data[1] == {
        "ref": "s:1", "result": "unresolvable", "kind": "no_access", "reason": "403"
    }  # fmt: skip


def test_a_secret_text_of_a_template_that_is_no_field_is_masked_as_a_whole() -> None:
    template = {"reads": [{"fields": ["a >= {n} (secret)", "b (nfc, secret)", "c"]}]}
    told = plan_data(plan(origin=Origin(kind="template", template=template)))
    (read,) = told["origin"]["template"]["reads"]
    assert read["fields"] == ["(secret)", "b (secret, nfc)", "c"]


def test_secrets_are_masked_in_checks_and_plans() -> None:
    salts = {"r:1#/pin": b"x" * 32, "r:1#/token": b"y" * 32, "q:1#/pin": b"z" * 32}
    fields = ["pin >= 4711 (secret)", "token (secret)"]
    seen = evidence({"pin": 5000, "token": "tok"}, fields, "r:1", salts=salts)
    query = capture_members({"s1": {"pin": 5000}}, fields[:1], ref="q:1", cap=2, salts=salts)
    template = {"reads": [{"fields": fields}]}
    origin = Origin(kind="template", template=template)
    about = plan(evidence=(seen, query), origin=origin)
    found = check_reading(seen, Found({"pin": 1234, "token": "tok-2"}), salts=salts)
    text = json.dumps([checks_data(about, [found]), plan_data(about)])
    for word in ("4711", "5000", "1234", '"tok"', "tok-2"):
        assert word not in text
    (first, second) = checks_data(about, [found])[0]["changes"]
    assert (first["old"], first["new"]) == (["secret"], ["secret"])
    assert first["reason"] == "its condition is false now"
    assert second["text"] == "token (secret)"
    data = plan_data(about)
    assert data["evidence"][0]["fields"][0]["rule"] == {"at_least": "(secret)"}
    assert data["evidence"][1]["members"][0]["cells"] == [["secret"]]
    assert data["seal"] == about.seal


def test_a_plan_survives_json() -> None:
    data = plan_data(plan(no_evidence="x"))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert (data["id"], data["created_at"]) == ("k7f3", "2026-10-03T14:02:11Z")
    assert plan_data(plan(evidence=()))["evidence"] == []


def test_results_are_typed_and_what_has_no_form_is_named() -> None:
    results = (Decimal("1.10"), 2**70, object(), float("nan"), {"a": (1, None)})
    outcome = Executed(
        plan=plan(), results=results, completed_at=NOW, done=DONE, guarantee=Guarantee(window=0.5)
    )
    data = outcome.data()
    assert data["results"] == [
        1.1, {"$int": str(2**70)}, {"unserialisable": "object"}, {"unserialisable": "float"},
        {"a": [1, None]},
    ]  # fmt: skip
    assert data["guarantee"] == {"level": "checked", "against": "", "window": 0.5}
    assert data["done"] == [{"step": 1, "tool": "refund", "result": "ok", "unsaid": [REF]}]
    assert data["completed_at"] == "2026-10-03T14:09:13Z"


def test_what_is_particular_to_each_outcome_is_there() -> None:
    assert Confirmed(plan=plan(), confirmation=YES).data()["by"] == "person:ana"
    used = AlreadyUsed(plan=plan(), state=State.EXECUTED, reason="was already used").data()
    assert (used["state"], used["reason"], used["at"]) == ("executed", "was already used", None)
    assert InProgress(plan=plan(), owner="host-3").data()["owner"] == "host-3"
    no = Rejected(plan=plan(), by="person:ana", why="too much").data()
    assert (no["by"], no["why"]) == ("person:ana", "too much")
    unread = BlockedUnresolvable(plan=plan(), checks=GONE, at=NOW).data()
    assert unread["reason"] == f"{REF}: no answer"
    half = Partial(plan=TWO, step=2, not_done=(), done=DONE, at=NOW, reason="why").data()
    assert (half["step"], half["key"], half["not_done"]) == (2, "2" * 64, [])
    assert Unknown(plan=unread_plan("k7f3", NOW), at=NOW).data()["key"] == ""


def test_a_plan_that_can_not_be_trusted_lends_neither_intent_nor_seal() -> None:
    data = BlockedTampered(plan=plan(), at=NOW).data()
    assert (data["intent"], data["seal"]) == (None, None)
    data = StoreUnavailable(plan=unread_plan("k7f3", NOW)).data()
    assert (data["intent"], data["seal"]) == (None, None)


@given(st.text(max_size=20))
def test_foreign_names_in_the_sentence_are_made_visible(text: str) -> None:
    gone = (Unresolvable(ref=f"r:{text}", reason=text),)
    sentence = BlockedUnresolvable(plan=plan(), checks=gone, at=NOW).data()["tell"]
    assert sentence.isprintable()
