"""The promises about what a dispatch can leave behind, and about where a plan may run."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from lastlook import Lastlook, Planning
from lastlook.core.lifecycle import State
from lastlook.errors import LastlookError, NotRegistered, WrongState
from lastlook.outcomes import (
    AlreadyUsed,
    BlockedStale,
    Cancelled,
    Confirmed,
    Executed,
    InProgress,
    Unknown,
)
from lastlook.sources import Found, JsonFiles
from lastlook.testing import ScriptedSource
from tests.promises.world import SLOT, World, world

DIES = """
import os, pathlib, sys
from tests.promises.world import SLOT, world

dies_in, store = sys.argv[1:]
reads = []

def slot(key):
    reads.append(key)
    if dies_in == "look" and len(reads) == 3:      # the proposal, the yes, the dispatch
        os._exit(9)
    return dict(SLOT)

here = world(records=slot, store=store, act=lambda: os._exit(9))
plan = here.confirmed()
pathlib.Path(store + ".id").write_text(plan.id)
here.look.dispatch(plan)
"""


def dispatcher_dies(dies_in: str, folder: Path) -> tuple[World, str]:
    """Let a process die in the midst of a dispatch; its store here, and the plan's id."""
    store = folder / "plans.db"
    child = subprocess.run(
        [sys.executable, "-c", DIES, dies_in, str(store)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=60,
        check=False,
    )
    assert child.returncode == 9, child.stderr

    def slot(_key: str) -> dict[str, Any]:
        return dict(SLOT)

    slot.__qualname__ = "slot"  # the source by the name that it had there
    return world(records=slot, store=store), (folder / "plans.db.id").read_text()


@pytest.mark.promise("P-022")
@pytest.mark.parametrize(("dies_in", "state"), [("look", State.CLAIMED), ("act", State.EXECUTING)])
def test_what_a_dead_dispatcher_left_is_run_by_nobody_else(
    tmp_path: Path, dies_in: str, state: State
) -> None:
    here, plan_id = dispatcher_dies(dies_in, tmp_path)
    assert here.look.get(plan_id)[1] is state
    assert isinstance(here.look.dispatch(plan_id), InProgress)
    assert here.look.get(plan_id)[1] is state
    assert here.booked == []
    if state is State.EXECUTING:
        with pytest.raises(WrongState):
            here.look.cancel(plan_id)
    else:
        here.look.cancel(plan_id)
        assert isinstance(here.look.dispatch(plan_id), Cancelled)
    here.look.close()


@pytest.mark.promise("P-023")
def test_a_claimed_plan_that_is_cancelled_runs_nothing_though_its_dispatcher_lives() -> None:
    def cancelled_meanwhile(_key: str) -> Found:
        assert here.look.get(plan.id)[1] is State.CLAIMED
        here.look.cancel(plan)
        return Found(dict(SLOT))

    here = world(records=ScriptedSource(dict(SLOT), dict(SLOT), cancelled_meanwhile))
    plan = here.confirmed()
    assert isinstance(here.look.dispatch(plan), Cancelled)
    assert here.booked == []


@pytest.mark.promise("P-025")
def test_a_proposal_under_a_name_that_was_used_is_the_unknown_plan_itself() -> None:
    look = Lastlook(sources={"slots": {"slot-42": dict(SLOT)}}, store="memory")

    @look.tool(writes=["slots:{slot_id}"])
    def book(slot_id: str) -> None:
        raise TimeoutError

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(book, slot_id=slot_id)

    plan = book_slot.options(key="order-1").propose("slot-42")
    look.confirm(plan, by="ana")
    assert isinstance(look.dispatch(plan), Unknown)
    assert book_slot.options(key="order-1").propose("slot-42").id == plan.id
    assert isinstance(look.dispatch(plan), AlreadyUsed)
    other = book_slot.options(key="order-2").propose("slot-42")
    assert other.id != plan.id
    assert other.steps[0].key != plan.steps[0].key


@pytest.mark.parametrize("verb", ["cancel", "reject", "renew", "confirm"])
def test_no_verb_closes_an_unknown_outcome(verb: str) -> None:
    def fails() -> None:
        raise TimeoutError

    here = world(act=fails)
    plan = here.confirmed()
    assert isinstance(here.look.dispatch(plan), Unknown)
    by = {"by": "ana"} if verb in {"confirm", "reject"} else {}
    with suppress(LastlookError):  # whatever it says, the plan stays as it is
        getattr(here.look, verb)(plan, **by)
    assert here.look.get(plan.id)[1] is State.UNKNOWN
    assert len(here.booked) == 1


@pytest.mark.promise("P-020")
def test_a_change_between_the_looks_blocks_and_says_when_the_yes_was_given() -> None:
    here = world()
    first = here.propose()
    here.records["slot-42"]["price"] = 81
    at_the_yes = here.look.confirm(first, by="ana")
    assert isinstance(at_the_yes, BlockedStale)
    assert "You said yes" not in at_the_yes.text()
    plan = at_the_yes.fresh
    assert plan is not None
    assert isinstance(here.look.confirm(plan, by="ana"), Confirmed)
    here.records["slot-42"]["price"] = 82
    after_the_yes = here.look.dispatch(plan)
    assert isinstance(after_the_yes, BlockedStale)
    assert "You said yes at " in after_the_yes.text()
    assert "That yes is used up" in after_the_yes.text()
    assert here.booked == []


@pytest.mark.promise("P-021")
def test_a_worker_that_was_started_elsewhere_is_refused_with_a_relative_path_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slots = tmp_path / "web" / "slots"
    slots.mkdir(parents=True)
    (slots / "slot-42.json").write_text('{"slot_id": "slot-42", "status": "available"}', "utf-8")
    elsewhere = tmp_path / "cron"
    elsewhere.mkdir()

    def started_in(folder: Path, root: Any) -> World:
        monkeypatch.chdir(folder)
        fields = ("slot_id", "status == 'available'")
        return world(records=JsonFiles(root), store=tmp_path / "plans.db", fields=fields)

    for root, outcome in ((slots, Executed), ("slots", NotRegistered)):
        web = started_in(tmp_path / "web", root)
        plan = web.confirmed()
        worker = started_in(elsewhere, root)
        if outcome is NotRegistered:
            with pytest.raises(NotRegistered, match="configured in another way"):
                worker.look.dispatch(plan.id)
            assert web.look.get(plan.id)[1] is State.CONFIRMED
        else:
            assert isinstance(worker.look.dispatch(plan.id), outcome)
        web.look.close()
        worker.look.close()


@pytest.mark.promise("P-024")
@pytest.mark.parametrize(
    ("declared", "outcome"),
    [
        ({}, Executed),
        ({"version": "2"}, BlockedStale),
        ({"effect": "books twice"}, BlockedStale),
        ({"undo": "cancel it"}, BlockedStale),
        ({"writes": ["slots:slot-42"]}, BlockedStale),
        ({"not_applied": [ValueError]}, BlockedStale),
        ({"doc": "Book, and pay."}, BlockedStale),
    ],
)
def test_new_code_is_not_seen_and_a_new_declaration_makes_the_plan_stale(
    tmp_path: Path, declared: dict[str, Any], outcome: type
) -> None:
    def program(code: str, doc: str = "", writes: Any = (), **declared: Any) -> tuple[Any, ...]:
        look = Lastlook(sources={"slots": {"slot-42": dict(SLOT)}}, store=tmp_path / "plans.db")

        def book() -> str:
            return code

        book.__doc__ = doc
        tool = look.tool(writes=writes, **declared)(book)

        @look.planner("Book")
        def book_slot(plan: Planning) -> None:
            plan.read("slots:slot-42", "status")
            plan.step(tool)

        return look, book_slot

    before, planner = program("old code")
    plan = planner.propose()
    before.confirm(plan, by="ana")
    after, _ = program("new code", **declared)
    came = after.dispatch(plan.id)
    assert isinstance(came, outcome)
    if isinstance(came, Executed):
        assert came.results == ("new code",)
    else:
        assert list(came.changed) == ["tool:book"]
    before.close()
    after.close()
