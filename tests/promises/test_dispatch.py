"""The promises about what runs, and what doesn't."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from lastlook import (
    BlockedStale,
    BlockedUnresolvable,
    Executed,
    LastlookError,
    Unsettled,
)
from lastlook.core.outcome import AlreadyUsed, BlockedTampered, InProgress, NotConfirmed, Unknown
from lastlook.errors import NotAllowed, NotRun, SealMismatch
from tests.promises.world import SLOT, world


@pytest.mark.promise("P-001")
@pytest.mark.parametrize(
    "change", [{"status": "unavailable"}, {"price": 95}, {"slot_id": "slot-43"}, {"price": None}]
)
def test_a_changed_field_blocks_with_nothing_done(change: dict[str, object]) -> None:
    here = world()
    plan = here.confirmed()
    here.records["slot-42"].update(change)
    outcome = here.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.changed == {"slots:slot-42": tuple(f"/{name}" for name in change)}
    assert here.booked == []


@pytest.mark.promise("P-002")
@pytest.mark.parametrize("gone", [True, False])
def test_evidence_that_cannot_be_read_blocks_with_nothing_done(*, gone: bool) -> None:
    answers = {"slot-42": dict(SLOT)}

    def read(key: str) -> object:
        if not answers:
            if gone:
                return None
            raise TimeoutError("the calendar does not answer")
        return answers[key]

    here = world(records=read)
    plan = here.confirmed()
    answers.clear()
    outcome = here.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert here.booked == []


@pytest.mark.promise("P-003")
def test_a_blocked_plan_stays_dead_when_the_old_value_returns() -> None:
    here = world()
    plan = here.confirmed()
    here.records["slot-42"]["status"] = "unavailable"
    assert isinstance(here.look.dispatch(plan), BlockedStale)
    here.records["slot-42"]["status"] = "available"
    again = here.look.dispatch(plan)
    assert isinstance(again, AlreadyUsed)
    with pytest.raises(NotRun):
        again.unwrap()
    with pytest.raises(LastlookError):
        here.look.confirm(plan, by="ana").unwrap()
    assert here.booked == []


@pytest.mark.promise("P-004")
def test_of_many_dispatches_of_one_yes_one_runs(tmp_path: Path) -> None:
    store = tmp_path / "plans.db"
    first = world(store=store)
    plan = first.confirmed()
    others = [world(store=store) for _ in range(3)]
    ready = threading.Barrier(4)
    outcomes = []

    def dispatch(here: object) -> None:
        ready.wait(timeout=10)
        outcomes.append(here.look.dispatch(plan.id))

    threads = [threading.Thread(target=dispatch, args=(here,)) for here in (first, *others)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert [type(o) for o in outcomes if isinstance(o, Executed)] == [Executed]
    assert all(isinstance(o, Executed | AlreadyUsed | InProgress) for o in outcomes)
    assert len(outcomes) == 4
    assert sum(len(here.booked) for here in (first, *others)) == 1
    for here in (first, *others):
        here.look.close()


@pytest.mark.promise("P-005")
def test_a_plan_that_was_edited_in_the_store_is_blocked_before_evidence_is_read(
    tmp_path: Path,
) -> None:
    import sqlite3

    store = tmp_path / "plans.db"
    reads = []

    def read(key: str) -> object:
        reads.append(key)
        return dict(SLOT)

    here = world(store=store, records=read)
    plan = here.confirmed()
    here.look.close()
    with sqlite3.connect(store) as raw:
        edited = plan.body.replace(b'"amount":80', b'"amount":81')
        assert edited != plan.body
        tables = [r[0] for r in raw.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        changed = 0
        for table in tables:
            columns = [r[1] for r in raw.execute(f"PRAGMA table_info({table})")]
            for column in columns:
                changed += raw.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (edited, plan.body)
                ).rowcount
    raw.close()
    assert changed == 1
    again = world(store=store, records=read)
    reads.clear()
    outcome = again.look.dispatch(plan.id)
    assert isinstance(outcome, BlockedTampered)
    assert (again.booked, reads) == ([], [])
    again.look.close()


@pytest.mark.promise("P-006")
def test_a_yes_with_another_seal_raises_and_changes_nothing() -> None:
    here = world()
    plan, other = here.propose(), here.propose()
    with pytest.raises(SealMismatch):
        here.look.confirm(plan.id, seal=other.seal, by="ana")
    with pytest.raises((SealMismatch, TypeError)):
        here.look.confirm(plan.id, by="ana")  # type: ignore[call-overload]  # what must not pass
    assert isinstance(here.look.dispatch(plan), NotConfirmed)
    assert here.look.confirm(plan, by="ana").ok


@pytest.mark.promise("P-008")
@pytest.mark.parametrize("by", ["agent:support", "agent:ana"])
def test_an_agent_cannot_say_yes(by: str) -> None:
    here = world()
    plan = here.propose()
    with pytest.raises(NotAllowed):
        here.look.confirm(plan, by=by)
    assert isinstance(here.look.dispatch(plan), NotConfirmed)


@pytest.mark.promise("P-009")
def test_a_tool_that_raises_leaves_unknown_and_is_not_called_again() -> None:
    def cut() -> None:
        raise ConnectionResetError("the line was cut")

    here = world(act=cut)
    plan = here.confirmed()
    outcome = here.look.dispatch(plan)
    assert isinstance(outcome, Unknown)
    assert isinstance(outcome, Unsettled)
    assert isinstance(here.look.dispatch(plan), AlreadyUsed)
    assert here.booked == [("slot-42", 80)]


@pytest.mark.promise("P-016")
def test_an_outcome_is_neither_true_nor_false() -> None:
    here = world()
    for outcome in (here.look.dispatch(here.propose()), here.look.dispatch(here.confirmed())):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(outcome)


@pytest.mark.promise("P-017")
def test_a_field_that_was_not_declared_may_change() -> None:
    here = world()
    plan = here.confirmed()
    here.records["slot-42"].update(note="by the door", seats=4)
    assert here.look.dispatch(plan).unwrap() == ("booked slot-42",)


@pytest.mark.promise("P-018")
def test_a_fresh_plan_has_its_arguments_worked_out_again() -> None:
    here = world()
    plan = here.confirmed()
    here.records["slot-42"]["price"] = 95
    fresh = here.look.dispatch(plan).fresh
    assert fresh.steps[0].arguments["amount"] == 95
    assert here.look.confirm(fresh, by="ana").ok
    assert here.look.dispatch(fresh).ok
    assert here.booked == [("slot-42", 95)]


@pytest.mark.promise("P-019")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a", None, 'note *"a" -> null'),
        (None, "", 'note *null -> ""'),
        ("", ..., 'note *"" -> \\(not there\\)'),
        (80, 95, "note *80 -> 95"),
    ],
)
def test_a_block_shows_old_and_new_with_absent_null_and_empty_told_apart(
    old: object, new: object, said: str
) -> None:
    import re

    here = world(fields=("note",))
    here.records["slot-42"]["note"] = old
    plan = here.confirmed()
    if new is ...:
        del here.records["slot-42"]["note"]
    else:
        here.records["slot-42"]["note"] = new
    text = here.look.dispatch(plan).text()
    assert re.search(said, text), text
