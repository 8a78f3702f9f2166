"""`Lastlook` itself: what it is made of, and what its verbs give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lastlook import Lastlook, Planning, Stale, Valid
from lastlook.aio import AsyncLastlook
from lastlook.clock import SystemClock
from lastlook.core.lifecycle import State
from lastlook.errors import (
    BadArguments,
    CaptureFailed,
    DeclarationError,
    NoFields,
    NotRegistered,
    SealMismatch,
    UnknownPlan,
)
from lastlook.stores.memory import MemoryStore
from lastlook.terminal import TerminalAsker
from tests.scenarios.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryStore())


@pytest.mark.parametrize(
    ("sources", "error"),
    [
        ({"Slots": {}}, DeclarationError),
        ({"tool": {}}, DeclarationError),
        ({"cwd": {}}, DeclarationError),
        ({"slots": 7}, DeclarationError),
        ({"slots": MemoryStore}, DeclarationError),
    ],
)
def test_what_cannot_be_a_source_is_refused_at_once(sources: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Lastlook(sources=sources)


def test_a_policy_takes_a_list_of_tools_by_name_or_itself(desk: Desk) -> None:
    look = Lastlook(sources={}, confirms={"p": [desk.book, "note"], "q": ()})
    assert look.world.policies == {"p": frozenset({"book", "note"}), "q": frozenset()}
    with pytest.raises(DeclarationError, match="takes a list of tools") as caught:
        Lastlook(sources={}, confirms={"p": "book"})
    assert caught.value.fix == "Write ['book']."


def test_nothing_is_opened_before_it_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "below" / "plans.db"
    look = Lastlook(sources={"slots": {"a": {"x": 1}}}, store=path)
    look.read("slots:a", "x")
    look.close()
    assert not path.parent.exists()
    assert look.pending() == ()
    assert look.world.store.where == str(path)
    assert path.exists()
    look.close()


def test_a_store_that_is_given_is_used_as_it_is() -> None:
    store = MemoryStore()
    assert Lastlook(sources={}, store=store).world.store is store


def test_without_a_clock_it_is_the_machines() -> None:
    assert isinstance(Lastlook(sources={}).world.clock, SystemClock)


def test_without_an_asker_it_is_the_terminal() -> None:
    assert isinstance(Lastlook(sources={}).world.asker, TerminalAsker)


def test_a_plan_is_got_back_with_its_state(desk: Desk) -> None:
    plan = desk.proposed()
    assert desk.look.get(plan.id) == (plan, State.PENDING)
    desk.confirmed(plan)
    assert desk.look.get(plan.id) == (plan, State.CONFIRMED)


@pytest.mark.parametrize("verb", ["get", "check", "dispatch", "renew", "cancel"])
def test_a_plan_that_is_not_there_is_a_typed_error(desk: Desk, verb: str) -> None:
    with pytest.raises(UnknownPlan, match="no plan zzzz"):
        getattr(desk.look, verb)("zzzz")
    with pytest.raises(UnknownPlan):
        desk.look.reject("zzzz", by="ana")
    with pytest.raises(UnknownPlan):
        desk.look.confirm("zzzz", seal="sha256:0", by="ana")


def test_a_bare_id_is_no_yes(desk: Desk) -> None:
    plan = desk.proposed()
    with pytest.raises(
        SealMismatch, match=f"a yes to {plan.id} must name the plan's seal"
    ) as error:
        desk.look.confirm(plan.id, by="ana")
    assert error.value.fix
    assert desk.state(plan) is State.PENDING


def test_pending_are_the_questions_and_the_parked_ones_oldest_first(desk: Desk) -> None:
    one, two, three, four = (desk.proposed() for _ in range(4))
    desk.confirmed(two)
    plans = desk.store._plans
    plans[three.id] = replace(plans[three.id], state=State.PARKED)
    plans[four.id] = replace(plans[four.id], body=b"{}")
    assert desk.look.pending() == (one, three)


def test_the_journal_is_of_one_plan_or_of_all(desk: Desk) -> None:
    one, two = desk.proposed(), desk.proposed()
    desk.confirmed(one)
    rows = list(desk.look.journal())
    assert [(row.plan, row.state) for row in rows] == [
        (one.id, State.PENDING), (two.id, State.PENDING), (one.id, State.CONFIRMED),
    ]  # fmt: skip
    assert list(desk.look.journal(one)) == list(desk.look.journal(one.id)) == [rows[0], rows[2]]


def test_a_check_is_a_preview_that_counts_for_nothing(desk: Desk) -> None:
    plan = desk.proposed()
    assert [type(item) for item in desk.look.check(plan)] == [Valid]
    desk.change(price=95)
    assert [type(item) for item in desk.look.check(plan.id)] == [Stale]
    assert desk.states(plan) == ["pending"]


def test_a_read_is_evidence_with_its_values(desk: Desk) -> None:
    slot = desk.look.read("slots:slot-42", "status", "price >= 10")
    assert (slot.ref, slot["status"], slot["price"]) == ("slots:slot-42", "available", 80)
    with pytest.raises(NoFields):
        desk.look.read("slots:slot-42")
    with pytest.raises(CaptureFailed, match="slots:zzz does not exist"):
        desk.look.read("slots:zzz", "status")
    with pytest.raises(NotRegistered):
        desk.look.read("rooms:r1", "status")


def test_two_reads_stand_for_themselves(desk: Desk) -> None:
    one = desk.look.read("slots:slot-42", "status")
    desk.change(status="held")
    two = desk.look.read("slots:slot-42", "price")
    assert [str(item) for item in two.fields] == ["price"]
    assert one["status"] == "available"


@pytest.mark.parametrize("what", [None, 7, b"k7f3"])
def test_what_is_no_plan_is_a_typed_error(desk: Desk, what: Any) -> None:
    for verb in (desk.look.dispatch, desk.look.check, desk.look.renew, desk.look.cancel):
        with pytest.raises(BadArguments, match="is neither a plan nor a plan's id") as caught:
            verb(what)
        assert caught.value.fix


def test_the_async_face_is_of_the_same_object(desk: Desk) -> None:
    assert isinstance(desk.look.aio, AsyncLastlook)
    assert desk.look.aio._look is desk.look


def test_what_planners_read_through_is_the_world(desk: Desk) -> None:
    assert desk.look.reader is desk.look.world
    assert desk.look.tools == {"book": desk.book}


def test_a_planner_of_no_lastlook_cannot_be_declared_twice(desk: Desk) -> None:
    with pytest.raises(DeclarationError):
        desk.look.planner("Again", name="book_slot")(_again)


def _again(plan: Planning) -> None:
    """Do nothing."""
