"""Decisions over a plan as it stands: what is refused, who may say yes, what was carried."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lastlook import capture, check, field
from lastlook.core.check import Change, CheckResult, Stale, Unresolvable
from lastlook.core.deciding import (
    carried_value,
    is_expired,
    may_approve,
    may_confirm_by_policy,
    principal,
    refusal,
    unread_plan,
    verdict,
)
from lastlook.core.lifecycle import PlanRecord, State
from lastlook.core.outcome import (
    AlreadyUsed,
    Cancelled,
    Expired,
    InProgress,
    NotConfirmed,
    Parked,
    Refused,
    Rejected,
)
from lastlook.core.plan import ActionPlan, PlannedStep, ToolDefinition
from lastlook.core.tool_change import changed_tool
from lastlook.errors import NotAllowed

NOW = datetime(2026, 10, 23, 10, 0, tzinfo=UTC)


def plan(**more: Any) -> ActionPlan:
    given: dict[str, Any] = {"requested_by": "agent:support", "steps": (), **more}
    return ActionPlan(id="k7f3", lineage="k7f3", root="k7f3", intent="i", created_at=NOW, **given)


def record(state: State, owner: str | None = None) -> PlanRecord:
    return PlanRecord(
        id="k7f3", lineage="k7f3", number=1, follows=None, requested_by="agent:support", key=None,
        body=b"", seal="", state=state, state_at=NOW, owner=owner,
    )  # fmt: skip


def changed(was: object, now: object, *fields: Any, ref: str = "slots:slot-42") -> CheckResult:
    return check(capture(was, list(fields), ref=ref), now)


VALID = changed({"a": 1}, {"a": 1}, "a")
STALE = changed({"a": 1}, {"a": 2}, "a")
SILENT = Unresolvable(ref="slots:slot-42", reason="no answer")


@pytest.mark.parametrize(
    ("checks", "says"),
    [
        ([], "valid"),
        ([VALID, VALID], "valid"),
        ([VALID, SILENT], "unresolvable"),
        ([STALE, SILENT], "stale"),
        ([SILENT, STALE], "stale"),
    ],
)
def test_one_that_does_not_hold_decides_and_stale_is_the_headline(
    checks: list[CheckResult], says: str
) -> None:
    assert verdict(checks) == says


REFUSALS = {
    State.PENDING: NotConfirmed, State.CLAIMED: InProgress, State.EXECUTING: InProgress,
    State.REJECTED: Rejected, State.CANCELLED: Cancelled, State.EXPIRED: Expired,
    State.PARKED: Parked,
}  # fmt: skip


@pytest.mark.parametrize("state", [state for state in State if state is not State.CONFIRMED])
def test_every_state_but_confirmed_has_its_refusal(state: State) -> None:
    refused: Refused = refusal(record(state, owner="host/1"), plan())
    assert type(refused) is REFUSALS.get(state, AlreadyUsed)
    assert (refused.plan, refused.at) == (plan(), NOW)
    assert refused.reason
    if isinstance(refused, AlreadyUsed):
        assert refused.state is state
    if isinstance(refused, InProgress):
        assert refused.owner == "host/1"


def test_a_plan_in_progress_without_an_owner_is_still_in_progress() -> None:
    refused = refusal(record(State.CLAIMED), plan())
    assert isinstance(refused, InProgress)
    assert refused.owner == ""


def test_a_plan_that_cannot_be_read_is_told_by_its_id_alone() -> None:
    stands_for = unread_plan("k7f3.2", NOW)
    assert (stands_for.id, stands_for.lineage, stands_for.steps) == ("k7f3.2", "k7f3", ())
    assert stands_for.intent == "(the stored plan cannot be read)"


@pytest.mark.parametrize(
    ("expires", "now", "gone"),
    [
        (None, 10**9, False),
        (60, 0, False),
        (60, 59.9, False),
        (60, 60, True),
        (60, 61, True),
        (60, -1, True),
    ],
)
def test_a_plan_is_good_from_its_making_until_right_before_its_end(
    expires: float | None, now: float, gone: bool
) -> None:
    ends = None if expires is None else NOW + timedelta(seconds=expires)
    assert is_expired(plan(expires_at=ends), lambda: NOW + timedelta(seconds=now)) is gone


@pytest.mark.parametrize(
    ("name", "default", "made"),
    [
        ("ana", "person", "person:ana"),
        ("support", "agent", "agent:support"),
        ("person:ana", "agent", "person:ana"),
        ("policy:small things", "person", "policy:small things"),
        ("Agent:bot", "person", "agent:bot"),
        (" agent : bot ", "person", "agent:bot"),
        ("mailto:ana@example.org", "person", "person:mailto:ana@example.org"),
        ("agent", "person", "person:agent"),
    ],
)
def test_a_name_without_a_prefix_gets_the_default_one(name: str, default: Any, made: str) -> None:
    assert principal(name, default=default) == made


@pytest.mark.parametrize(
    "name", ["", "  ", "person:", "agent: ", "\u200b", "person:\u2800", "-", None, 7]
)
def test_a_yes_of_nobody_is_refused(name: Any) -> None:
    with pytest.raises(NotAllowed, match="names nobody") as caught:
        principal(name, default="person")
    assert caught.value.fix


@pytest.mark.parametrize("by", ["agent:support", "policy:small things"])
def test_only_a_person_says_yes(by: str) -> None:
    with pytest.raises(NotAllowed, match=f"{by} may not say yes: only a person may"):
        may_approve(plan(), by)


def test_a_second_person_is_not_the_one_who_asked() -> None:
    for asked in ("person:ana", "agent:ana"):
        with pytest.raises(NotAllowed, match="it takes a second person"):
            may_approve(plan(two_people=True, requested_by=asked), "person:ana")
    may_approve(plan(two_people=True, requested_by="person:ana"), "person:ben")
    may_approve(plan(requested_by="person:ana"), "person:ana")


def test_where_approvers_are_listed_nobody_else_says_yes() -> None:
    listed = plan(approvers=("person:ana", "person:ben"))
    may_approve(listed, "person:ben")
    with pytest.raises(NotAllowed, match="person:kim is not among the approvers") as caught:
        may_approve(listed, "person:kim")
    assert caught.value.fix == "They are person:ana, person:ben."


def test_a_policy_confirms_only_where_all_tools_stand_in_that_one_policy() -> None:
    policies = {"small": frozenset({"note"}), "rooms": frozenset({"book", "note"})}
    assert may_confirm_by_policy(policies, ["note", "note"]) == "small"
    assert may_confirm_by_policy(policies, ["note", "book"]) == "rooms"
    assert not may_confirm_by_policy(policies, ["book", "pay"])
    assert not may_confirm_by_policy(policies, [])
    assert not may_confirm_by_policy({}, ["book"])


def by_hand(**arguments: Any) -> ActionPlan:
    return plan(steps=(PlannedStep(number=1, tool="book", arguments=arguments),))


@pytest.mark.parametrize(
    ("was", "now", "argument", "found"),
    [
        (80, 95, 80, "argument 80"),
        ("free", "held", "free", 'argument "free"'),
        ({"amount": 80}, {"amount": 95}, {"to": ["kim", 80]}, "argument 80"),
        ([1, 7], [1], 7, "argument 7"),
        ({"$int": "99999999999999999999"}, 1, {"$int": "99999999999999999999"},
         "argument 99999999999999999999"),
    ],
)  # fmt: skip
def test_an_argument_that_carries_an_old_value_is_found(
    was: Any, now: Any, argument: Any, found: str
) -> None:
    change = Change(field="/a", text="a", before=("value", was), after=("value", now))
    stale = Stale(ref="r:1", changed=("/a",), changes=(change,), captured="", current="", fields=1)
    assert carried_value(by_hand(argument=argument), [stale]) == (found, "/a")


@pytest.mark.parametrize(
    ("was", "now", "argument"),
    [
        (80, 95, 95),
        (80, 95, "80"),
        (True, False, True),
        (None, 1, None),
        ("", "x", ""),
        ([1, 7], [7, 1, 2], 7),
        ({"80": 1}, {"80": 2}, 80),
    ],
)
def test_what_is_not_an_old_value_or_tells_nothing_is_not_carried(
    was: Any, now: Any, argument: Any
) -> None:
    stale = changed({"a": was}, {"a": now}, "a")
    assert isinstance(stale, Stale)
    assert carried_value(by_hand(argument=argument), [stale]) is None


def test_a_value_of_a_field_that_went_is_carried_and_one_that_came_is_not() -> None:
    gone = changed({"a": 80, "b": 1}, {"b": 1}, field("a").optional, "b")
    came = changed({"b": 1}, {"a": 80, "b": 1}, field("a").optional, "b")
    assert carried_value(by_hand(amount=80), [gone]) == ("amount 80", "/a")
    assert carried_value(by_hand(amount=80), [came]) is None


def test_what_holds_or_is_silent_carries_nothing() -> None:
    assert carried_value(by_hand(amount=1), [VALID, SILENT]) is None
    assert carried_value(by_hand(amount=1), [SILENT, STALE]) == ("amount 1", "/a")


def test_the_paths_of_a_wildcard_are_no_values() -> None:
    stale = changed({"lines": [{"price": 3}]}, {"lines": []}, "$.lines[*].price")
    assert carried_value(by_hand(what="price"), [stale]) is None
    assert carried_value(by_hand(what=3), [stale]) == ("what 3", "$.lines[*].price")


def test_a_tool_that_changed_carries_nothing() -> None:
    tool = ToolDefinition(name="book", version="1")
    stale = changed_tool(tool, ToolDefinition(name="book", version="2"))
    assert carried_value(by_hand(floor="1"), [stale]) is None
