"""The evidence cannot be read: gone, forbidden, silent, or not a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lastlook import BlockedStale, BlockedUnresolvable, LastlookError, Planning, Unresolvable
from lastlook.core.lifecycle import State
from lastlook.core.outcome import NotConfirmed
from lastlook.errors import CaptureFailed
from lastlook.sources import Found, NoAccess, NoAnswer, NotFound
from lastlook.testing import Hang, ScriptedSource
from tests.scenarios.desk import Desk

KIM = {"email": "kim@example.org"}

WRONG = {
    "raises": OSError("unplugged"),
    "gone": NotFound(),
    "forbidden": NoAccess("403"),
    "silent": NoAnswer("no route to host"),
    "wrong_type": "a text and not a record",
    "none": None,
    "not_canonical": Found({"email": float("nan")}),
}


@pytest.fixture
def people() -> ScriptedSource:
    return ScriptedSource(KIM)


@pytest.fixture
def office(open_desk: Callable[..., Desk], people: ScriptedSource) -> Desk:
    desk = open_desk(sources={"people": people})

    @desk.look.tool(writes=[])
    def send(to: str) -> str:
        desk.effects.append(("send", to))
        return "sent"

    @desk.look.planner("Write to {who}")
    def write_to(plan: Planning, who: str) -> None:
        kim = plan.read(f"people:{who}", "email")
        plan.step(send, to=kim["email"])

    desk.book_slot = write_to
    return desk


def proposed(office: Desk) -> Any:
    return office.book_slot.propose("kim")


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_at_dispatch_it_blocks_with_zero_effects(
    office: Desk, people: ScriptedSource, answer: object
) -> None:
    plan = office.confirmed(proposed(office))
    people.then(answer)
    outcome = office.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert office.effects == []
    assert outcome.reason.startswith("people:kim: ")
    assert outcome.fresh is None
    assert outcome.why_no_fresh
    assert office.state(plan) is State.BLOCKED_UNRESOLVABLE


def test_a_record_that_became_something_else_has_lost_its_fields(
    office: Desk, people: ScriptedSource
) -> None:
    plan = office.confirmed(proposed(office))
    people.then(Found(["kim@example.org"]))
    outcome = office.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.stale[0].changes[0].kind == "removed"
    assert office.effects == []


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_at_the_proposal_there_is_no_plan(
    office: Desk, people: ScriptedSource, answer: object
) -> None:
    people.then(answer)
    with pytest.raises(LastlookError):
        proposed(office)
    assert list(office.look.journal()) == []


@pytest.mark.parametrize("name", ["raises", "gone", "forbidden", "silent", "wrong_type"])
def test_at_the_proposal_the_reason_is_given(
    office: Desk, people: ScriptedSource, name: str
) -> None:
    people.then(WRONG[name])
    with pytest.raises(CaptureFailed, match="people:kim"):
        proposed(office)


@pytest.mark.parametrize("name", ["raises", "gone", "forbidden", "silent", "wrong_type"])
def test_at_the_yes_it_is_refused_and_the_plan_waits_on(
    office: Desk, people: ScriptedSource, name: str
) -> None:
    plan = proposed(office)
    people.then(WRONG[name])
    answer = office.look.confirm(plan, by="ana")
    assert isinstance(answer, NotConfirmed)
    assert isinstance(answer.checks[0], Unresolvable)
    assert office.state(plan) is State.PENDING
    people.then(KIM)
    office.confirmed(plan)
    assert office.look.dispatch(plan).ok
    assert office.effects == [("send", "kim@example.org")]


def test_a_source_that_hangs_is_no_answer_and_blocks(open_desk: Callable[..., Desk]) -> None:
    hang = Hang(then=KIM)
    people = ScriptedSource(KIM, KIM, hang, timeout=0.05)
    desk = open_desk(sources={"people": people})

    @desk.look.tool(writes=[])
    def send(to: str) -> None:
        desk.effects.append(("send", to))

    @desk.look.planner("Write to {who}")
    def write_to(plan: Planning, who: str) -> None:
        plan.step(send, to=plan.read(f"people:{who}", "email")["email"])

    plan = desk.confirmed(write_to.propose("kim"))
    outcome = desk.look.dispatch(plan)
    hang.release()
    assert isinstance(outcome, BlockedUnresolvable)
    assert "no answer within" in outcome.reason
    assert desk.effects == []


def test_an_answer_that_comes_late_does_not_bring_the_plan_back(
    open_desk: Callable[..., Desk],
) -> None:
    hang = Hang(then=KIM)
    people = ScriptedSource(KIM, KIM, hang, timeout=0.05)
    desk = open_desk(sources={"people": people})

    @desk.look.planner("Book {slot_id} for {who}", name="for_somebody")
    def for_somebody(plan: Planning, slot_id: str, who: str) -> None:
        plan.read(f"people:{who}", "email")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = desk.confirmed(for_somebody.propose("slot-42", "kim"))
    assert isinstance(desk.look.dispatch(plan), BlockedUnresolvable)
    hang.release()
    assert desk.state(plan) is State.BLOCKED_UNRESOLVABLE
    assert desk.effects == []


def test_look_again_gives_a_fresh_plan_once_the_source_answers(
    office: Desk, people: ScriptedSource
) -> None:
    plan = office.confirmed(proposed(office))
    people.then(NoAnswer("rebooting"))
    outcome = office.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    people.then(KIM)
    fresh = office.look.renew(plan)
    assert fresh.id == f"{plan.id}.2"
    assert office.state(fresh) is State.PENDING
    office.confirmed(fresh)
    assert office.look.dispatch(fresh).ok
    assert len(office.effects) == 1
