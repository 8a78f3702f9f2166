"""Outcomes: four groups, each leaf with its name and exit code, and none of them a boolean."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, get_args

import pytest

from lastlook import capture, check
from lastlook.core import outcome as outcomes
from lastlook.core.check import Stale, Unresolvable
from lastlook.core.lifecycle import Confirmation, State
from lastlook.core.outcome import (
    AlreadyUsed,
    Blocked,
    BlockedStale,
    BlockedTampered,
    BlockedUnresolvable,
    Cancelled,
    Compensated,
    Confirmed,
    ConfirmOutcome,
    DispatchOutcome,
    Done,
    Executed,
    Expired,
    Failed,
    InProgress,
    NotConfirmed,
    Outcome,
    Parked,
    Partial,
    Refused,
    Rejected,
    StoreUnavailable,
    Unknown,
    Unsettled,
)
from lastlook.errors import MayHaveRun, NotExecuted, NotRun
from tests.unit.core.refund import plan

NOW = datetime(2026, 10, 23, 10, 0, tzinfo=UTC)
YES = Confirmation(plan="k7f3", seal=plan().seal, shown="sha256:0", by="person:ana", at=NOW)
STALE = check(capture({"a": 1}, ["a"], ref="orders:#W1006327"), {"a": 2})
SILENT = Unresolvable(ref="contacts:kim", reason="no answer within 2 s")
GONE = Unresolvable(ref="contacts:lee", reason="not found", kind="not_found")

TABLE: list[tuple[Outcome, type[Outcome], str, int]] = [
    (Executed(plan=plan(), results=("R-1",), completed_at=NOW), Executed, "executed", 0),
    (Confirmed(plan=plan(), confirmation=YES), Confirmed, "confirmed", 0),
    (BlockedStale(plan=plan(), checks=(STALE,), at=NOW), Blocked, "blocked_stale", 3),
    (BlockedUnresolvable(plan=plan(), checks=(SILENT, GONE), at=NOW), Blocked,
     "blocked_unresolvable", 4),
    (BlockedTampered(plan=plan(), at=NOW), Blocked, "blocked_tampered", 5),
    (AlreadyUsed(plan=plan(), state=State.EXECUTED, at=NOW), Refused, "already_used", 5),
    (InProgress(plan=plan(), at=NOW, owner="host/7"), Refused, "in_progress", 5),
    (NotConfirmed(plan=plan(), at=NOW), Refused, "not_confirmed", 5),
    (Rejected(plan=plan(), at=NOW, by="person:ana", why="too dear"), Refused, "rejected", 5),
    (Cancelled(plan=plan(), at=NOW), Refused, "cancelled", 5),
    (Parked(plan=plan(), at=NOW), Refused, "parked", 5),
    (Expired(plan=plan(), at=NOW), Refused, "expired", 5),
    (StoreUnavailable(plan=plan(), reason="the disk is full"), Refused, "store_unavailable", 5),
    (Partial(plan=plan(), at=NOW, done=(Done(step=1, tool="refund"),)), Unsettled, "partial", 6),
    (Compensated(plan=plan(), at=NOW), Unsettled, "compensated", 6),
    (Unknown(plan=plan(), at=NOW, reason="it hung up"), Unsettled, "unknown", 6),
    (Failed(plan=plan(), at=NOW, reason="out of stock"), Unsettled, "failed", 7),
]  # fmt: skip
ALL = pytest.mark.parametrize(
    ("outcome", "group", "name", "code"), TABLE, ids=[row[2] for row in TABLE]
)


def test_the_table_holds_every_leaf_of_both_unions() -> None:
    leaves = {*get_args(DispatchOutcome), *get_args(ConfirmOutcome)}
    assert {type(row[0]) for row in TABLE} == leaves
    named = {item for item in vars(outcomes).values() if isinstance(item, type)}
    assert {item for item in named if issubclass(item, Outcome) and item.name} == leaves


@ALL
def test_each_outcome_has_its_group_name_and_exit_code(
    outcome: Outcome, group: type[Outcome], name: str, code: int
) -> None:
    assert isinstance(outcome, group)
    assert (outcome.name, outcome.exit_code) == (name, code)
    assert outcome.action_id == "k7f3"
    assert outcome.ok is (code == 0)


@ALL
def test_an_outcome_is_neither_true_nor_false(
    outcome: Outcome, group: Any, name: str, code: int
) -> None:
    with pytest.raises(TypeError, match=r"neither true nor false: use \.ok"):
        bool(outcome)


@ALL
def test_what_did_not_run_raises_when_unwrapped_and_says_which(
    outcome: Outcome, group: type[Outcome], name: str, code: int
) -> None:
    if isinstance(outcome, Executed):
        assert outcome.unwrap() == ("R-1",)
        return
    with pytest.raises(NotExecuted) as caught:
        outcome.unwrap()
    assert type(caught.value) is (MayHaveRun if group is Unsettled else NotRun)
    assert caught.value.outcome is outcome
    assert str(caught.value) == outcome.text()


@ALL
def test_its_data_is_json_and_names_it(outcome: Outcome, group: Any, name: str, code: int) -> None:
    data = json.loads(json.dumps(outcome.data(), allow_nan=False))
    assert (data["outcome"], data["exit"], data["ok"]) == (name, code, code == 0)
    assert data["tell"]


@ALL
def test_only_what_cannot_have_run_says_that_nothing_was_done(
    outcome: Outcome, group: type[Outcome], name: str, code: int
) -> None:
    if group is Unsettled and name != "failed":
        assert "Nothing was done" not in outcome.text()
    if group is Blocked:
        assert "Nothing was done" in outcome.text()


def test_a_stale_block_gives_its_stale_dependencies_alone() -> None:
    block = BlockedStale(plan=plan(), checks=(SILENT, STALE), at=NOW)
    assert block.stale == (STALE,)
    assert block.changed == {"orders:#W1006327": ("/a",)}


def test_an_unresolvable_block_gives_each_ref_and_reason_in_one_line() -> None:
    block = BlockedUnresolvable(plan=plan(), checks=(SILENT, GONE), at=NOW)
    assert block.unresolvable == (SILENT, GONE)
    assert block.reason == "contacts:kim: no answer within 2 s; contacts:lee: not found"
    assert block.changed == {}


def test_changes_of_one_query_asked_twice_are_put_together() -> None:
    other = check(capture({"b": 1, "a": 1}, ["a", "b"], ref="orders:#W1006327"), {"b": 2, "a": 2})
    assert isinstance(other, Stale)
    block = BlockedStale(plan=plan(), checks=(STALE, other), at=NOW)
    assert block.changed == {"orders:#W1006327": ("/a", "/b")}


def test_what_is_unsettled_names_the_key_of_its_step() -> None:
    assert Unknown(plan=plan(), at=NOW, step=1).key == plan().steps[0].key
