"""The plan: one document, its bytes, its seal, and the keys of its steps."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from lastlook import ActionPlan
from lastlook.core.canonical import encode
from lastlook.core.plan import (
    PLAN_FORMAT,
    PlannedStep,
    SideEffect,
    ToolDefinition,
    idempotency_key,
    open_plan,
    plan_bytes,
    seal_of,
)
from lastlook.errors import BadFormat
from tests.unit.core.refund import REF, evidence, plan, step


def test_the_bytes_are_typed_json_in_rfc_8785_and_hold_every_attribute() -> None:
    body = plan().body
    tree = json.loads(body)
    assert encode(tree) == body
    assert set(tree) == set(ActionPlan.__struct_fields__)
    assert tree["format"] == PLAN_FORMAT == "lastlook:plan/1"


def test_the_seal_is_sha_256_over_a_tag_and_the_stored_bytes() -> None:
    body = plan().body
    digest = hashlib.sha256(b"lastlook:seal/1\n" + body).hexdigest()
    assert plan().seal == seal_of(body) == f"sha256:{digest}"


def test_a_plan_read_back_keeps_the_bytes_that_it_was_read_from() -> None:
    body = plan_bytes(plan())
    assert open_plan(body) == plan()
    assert open_plan(body).body is body


def test_a_plan_made_anew_has_its_own_bytes_and_seal() -> None:
    other = replace(plan(), intent="Refund another")
    assert other.body != plan().body
    assert other.seal != plan().seal
    assert other.body is other.body


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"not JSON",
        b"\xff\xfe",
        b"[" * 100_000,
        plan().body[:-1],
        plan().body + b"{}",
        plan().body.replace(b'"lastlook:plan/1"', b'"lastlook:plan/2"'),
        plan().body.replace(b'"lastlook:plan/1"', b"null"),
        plan().body.replace(b'"intent":', b'"purpose":'),
        plan().body.replace(b'{"approvers"', b'{"also":1,"approvers"'),
        plan().body.replace(b'"number":1', b'"number":"1"'),
        plan().body.replace(b"Refund order", b"\xff\xff"),
    ],
    ids=lambda body: body[:24].decode("latin-1"),
)
def test_bytes_of_another_format_are_refused_with_advice(body: bytes) -> None:
    assert body != plan().body
    with pytest.raises(BadFormat, match="the stored plan cannot be read") as caught:
        open_plan(body)
    assert "lastlook doctor" in caught.value.fix


@pytest.mark.parametrize("kind", ["planner", "template", "guarded", "hand"])
def test_the_origin_tells_how_a_fresh_one_is_made_and_no_other_way_is_known(kind: Any) -> None:
    origin = replace(plan().origin, kind=kind)
    assert open_plan(replace(plan(), origin=origin).body).origin.kind == kind
    strange = plan().body.replace(b'"kind":"planner"', b'"kind":"magic"')
    with pytest.raises(BadFormat):
        open_plan(strange)


def test_it_goes_by_its_published_names_too() -> None:
    assert plan().action_id == "k7f3"
    assert plan().evidence_dependencies == plan().evidence


def test_a_tool_is_found_by_name_and_one_that_is_not_used_is_not() -> None:
    assert plan().tool("refund") == plan().tools[0]
    with pytest.raises(KeyError, match="book"):
        plan().tool("book")


def test_a_step_rests_on_all_evidence_unless_it_is_narrowed() -> None:
    both = plan(evidence=(evidence(), evidence(ref="orders:#W2")))
    assert both.evidence_of(step()) == both.evidence
    assert [item.ref for item in both.evidence_of(step(evidence=("orders:#W2",)))] == ["orders:#W2"]
    assert [item.ref for item in both.evidence_of(step(evidence=(REF,)))] == [REF]


def test_a_plan_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        plan().intent = "Refund everything"


KEY = idempotency_key("k7f3", 1, "refund", {"amount": 80, "to": "kim"})


def test_the_key_is_sha_256_over_a_tag_and_what_makes_the_attempt() -> None:
    text = b'lastlook:key/1\n["k7f3",1,"refund",{"amount":80,"to":"kim"}]'
    assert hashlib.sha256(text).hexdigest() == KEY


def test_the_key_does_not_depend_on_the_order_of_the_arguments() -> None:
    assert idempotency_key("k7f3", 1, "refund", {"to": "kim", "amount": 80}) == KEY


@pytest.mark.parametrize(
    ("root", "number", "tool", "arguments"),
    [
        ("k7f3.2", 1, "refund", {"amount": 80, "to": "kim"}),
        ("k7f3", 2, "refund", {"amount": 80, "to": "kim"}),
        ("k7f3", 1, "pay", {"amount": 80, "to": "kim"}),
        ("k7f3", 1, "refund", {"amount": 81, "to": "kim"}),
        ("k7f3", 1, "refund", {"amount": "80", "to": "kim"}),
        ("k7f3", 1, "refund", {"amount": 80}),
        ("k7f3", 1, "refund", {"amount": {"$result": [1, ""]}, "to": "kim"}),
    ],
)
def test_another_attempt_step_tool_or_argument_has_another_key(
    root: str, number: int, tool: str, arguments: dict[str, Any]
) -> None:
    assert idempotency_key(root, number, tool, arguments) != KEY


@pytest.mark.parametrize("kind", [ToolDefinition, PlannedStep, SideEffect])
def test_parts_of_a_plan_take_no_member_that_is_not_theirs(kind: Any) -> None:
    given = {"name": "x", "number": 1, "tool": "x", "arguments": {}, "step": 1, "text": "x"}
    mine = {name: value for name, value in given.items() if name in kind.__struct_fields__}
    assert msgspec.convert(mine, kind)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert(mine | {"also": 1}, kind)
