"""Asking: what the person says, what happens under her eyes, and how it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook import ActionPlan, Planning
from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedStale,
    BlockedTampered,
    BlockedUnresolvable,
    Cancelled,
    Confirmed,
    Executed,
    NotConfirmed,
    Parked,
    Rejected,
)
from lastlook.core.prompt import Answer, LookAgain, Question
from lastlook.dispatch.asking import ask_for_yes
from lastlook.errors import NotAllowed, NotRegistered, SealMismatch
from lastlook.testing import ScriptedSource
from tests.unit.dispatch.watched import WatchedDesk


def silence(desk: WatchedDesk) -> None:
    desk.source.then(ScriptedSource().read)


def speech(desk: WatchedDesk, **changes: Any) -> None:
    desk.change(**changes)
    desk.source.then(desk._read)


def asked(desk: WatchedDesk) -> list[str]:
    return [type(question).__name__ for question in desk.asker.questions]


def test_a_yes_runs_it_and_the_question_is_made_from_the_plan(desk: WatchedDesk) -> None:
    desk.says("yes")
    plan = desk.proposed()
    assert isinstance(desk.look.ask(plan), Executed)
    assert desk.asker.questions == [Question(plan=plan, kept_in_memory=True)]
    assert desk.asker.outcomes == []
    assert desk.store.get(plan.id).confirmation.by == "person:ana"


@pytest.mark.parametrize("said", ["nothing", "again"])
def test_what_is_not_a_yes_or_a_no_leaves_the_plan_waiting(desk: WatchedDesk, said: str) -> None:
    desk.says(said)
    plan = desk.proposed()
    outcome = desk.look.ask(plan)
    assert isinstance(outcome, NotConfirmed)
    assert outcome.reason == "has no yes: nobody answered"
    assert desk.state(plan) is State.PENDING
    assert desk.effects == []


def test_a_no_rejects_and_says_by_whom_and_why(desk: WatchedDesk) -> None:
    desk.says(Answer(kind="no", by="person:ana", why="too dear"))
    plan = desk.proposed()
    outcome = desk.look.ask(plan)
    assert isinstance(outcome, Rejected)
    assert (outcome.by, outcome.why) == ("person:ana", "too dear")
    assert desk.state(plan) is State.REJECTED


def test_a_plan_that_has_its_yes_is_not_asked_about_again(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    assert isinstance(desk.look.ask(plan), Executed)
    assert desk.asker.questions == []


def test_a_plan_that_came_to_its_end_is_not_asked_about(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.look.dispatch(plan)
    assert isinstance(desk.look.ask(plan), AlreadyUsed)
    assert desk.asker.questions == []
    assert len(desk.effects) == 1


def test_a_block_is_told_and_asked_afresh_with_the_one_before_beside_it(desk: WatchedDesk) -> None:
    def meanwhile(_: object) -> str:
        desk.change(price=95)
        return "yes"

    desk.says(meanwhile, "yes")
    plan = desk.proposed()
    outcome = desk.look.ask(plan)
    assert isinstance(outcome, Executed)
    assert outcome.plan.follows == plan.id
    second = desk.asker.questions[1]
    assert isinstance(second, Question)
    assert second.previous == plan
    assert [type(told) for told in desk.asker.outcomes] == [BlockedStale]
    assert desk.effects == [("book", "slot-42", 95)]


def test_a_block_without_a_fresh_plan_ends_it(desk: WatchedDesk) -> None:
    @desk.look.planner("If", name="if_free")
    def if_free(plan: Planning) -> None:
        plan.read("slots:slot-42", "status == 'available'")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    def taken(_: object) -> str:
        desk.change(status="held")
        return "yes"

    desk.says(taken)
    outcome = desk.look.ask(if_free.propose())
    assert isinstance(outcome, BlockedStale)
    assert len(desk.asker.questions) == 1


def test_a_parked_plan_is_shown_and_takes_no_yes(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, state=State.PARKED)
    desk.says("yes")
    assert isinstance(desk.look.ask(plan), Parked)
    (question,) = desk.asker.questions
    assert isinstance(question, Question)
    assert question.parked
    assert isinstance(desk.look.ask(plan), NotConfirmed)


@pytest.mark.parametrize("answer", ["yes", "no", "nothing"])
def test_what_somebody_else_decides_under_her_eyes_stands(desk: WatchedDesk, answer: str) -> None:
    plan = desk.proposed()

    def withdrawn(_: object) -> str:
        desk.look.cancel(plan)
        return answer

    desk.says(withdrawn)
    assert isinstance(desk.look.ask(plan), Cancelled)
    assert desk.effects == []


@pytest.mark.parametrize("answer", ["no", "nothing"])
def test_a_yes_from_elsewhere_runs_nothing_where_she_does_not_say_yes(
    desk: WatchedDesk, answer: str
) -> None:
    plan = desk.proposed()

    def confirmed_elsewhere(_: object) -> str:
        desk.look.confirm(plan, by="bo")
        return answer

    desk.says(confirmed_elsewhere)
    outcome = desk.look.ask(plan)
    assert isinstance(outcome, AlreadyUsed)
    assert outcome.reason == "already has its yes"
    assert desk.state(plan) is State.CONFIRMED
    assert desk.effects == []


def test_nobody_is_asked_about_a_plan_that_could_not_run_here(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.look.world.tools.clear()
    desk.says("yes")
    with pytest.raises(NotRegistered):
        desk.look.ask(plan)
    assert desk.asker.questions == []
    assert desk.state(plan) is State.PENDING


def test_nobody_is_asked_about_a_plan_that_was_edited_in_the_store(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, body=b"{}")
    desk.says("yes")
    assert isinstance(desk.look.ask(plan), BlockedTampered)
    assert desk.asker.questions == []
    assert desk.effects == []


def test_asking_for_a_yes_alone_runs_nothing_and_asks_afresh_after_a_block(
    desk: WatchedDesk,
) -> None:
    def meanwhile(_: object) -> str:
        desk.change(price=95)
        return "yes"

    desk.says(meanwhile, "yes")
    plan = desk.proposed()
    outcome = ask_for_yes(desk.look.world, plan.id, seal=plan.seal)
    assert isinstance(outcome, Confirmed)
    assert outcome.plan.follows == plan.id
    assert [type(told) for told in desk.asker.outcomes] == [BlockedStale]
    assert desk.effects == []


def test_asking_for_a_yes_about_a_plan_that_has_one_says_so(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    outcome = ask_for_yes(desk.look.world, plan.id, seal=plan.seal)
    assert isinstance(outcome, AlreadyUsed)
    assert desk.asker.questions == []
    assert desk.effects == []


def test_a_yes_of_an_agent_at_the_terminal_is_no_yes(desk: WatchedDesk) -> None:
    desk.says(Answer(kind="yes", by="agent:bot"))
    plan = desk.proposed()
    with pytest.raises(NotAllowed):
        desk.look.ask(plan)
    assert desk.state(plan) is State.PENDING


def test_another_plan_under_the_same_id_is_not_asked_about_as_this_one(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    other = WatchedDesk().proposed()
    desk.says("yes")
    strange = ActionPlan(
        id=plan.id, lineage=plan.lineage, root=plan.root, intent=other.intent,
        requested_by=other.requested_by, steps=other.steps, created_at=other.created_at,
    )  # fmt: skip
    with pytest.raises(SealMismatch):
        desk.look.ask(strange)
    assert desk.state(plan) is State.PENDING


# --- what cannot be read -------------------------------------------------------------------------


def test_what_cannot_be_read_at_the_yes_may_be_looked_at_again_and_the_yes_counts(
    desk: WatchedDesk,
) -> None:
    def goes_silent(_: object) -> str:
        silence(desk)
        return "yes"

    def speaks_again(question: object) -> str:
        speech(desk)
        return "again"

    desk.says(goes_silent, speaks_again)
    assert isinstance(desk.look.ask(desk.proposed()), Executed)
    assert asked(desk) == ["Question", "LookAgain"]
    offer = desk.asker.questions[1]
    assert isinstance(offer, LookAgain)
    assert isinstance(offer.blocked, BlockedUnresolvable)
    assert offer.blocked.checks[0].ref == "slots:slot-42"


@pytest.mark.parametrize("answer", ["nothing", "no", "yes"])
def test_what_stays_unread_at_the_yes_is_left_and_the_plan_waits(
    desk: WatchedDesk, answer: str
) -> None:
    def goes_silent(_: object) -> str:
        silence(desk)
        return "yes"

    desk.says(goes_silent, "again", answer)
    plan = desk.proposed()
    outcome = desk.look.ask(plan)
    assert isinstance(outcome, NotConfirmed)
    assert outcome.checks
    assert asked(desk) == ["Question", "LookAgain", "LookAgain"]
    assert desk.state(plan) is State.PENDING
    assert desk.effects == []


def test_what_cannot_be_read_at_the_last_look_is_asked_afresh_once_it_reads(
    desk: WatchedDesk,
) -> None:
    plan = desk.confirmed()
    silence(desk)

    def speaks_again(_: object) -> str:
        speech(desk, price=95)
        return "again"

    desk.says("again", speaks_again, "yes")
    outcome = desk.look.ask(plan)
    assert isinstance(outcome, Executed)
    assert asked(desk) == ["LookAgain", "LookAgain", "Question"]
    assert outcome.plan.follows == plan.id
    assert desk.effects == [("book", "slot-42", 95)]
    second = desk.asker.questions[1]
    assert isinstance(second, LookAgain)
    assert "could not be read" in second.blocked.why_no_fresh


def test_a_block_that_cannot_be_read_and_is_left_stays_a_block(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    silence(desk)
    desk.says("nothing")
    outcome = desk.look.ask(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.fresh is None
    assert desk.state(plan) is State.BLOCKED_UNRESOLVABLE
    assert desk.effects == []


def test_a_fresh_plan_whose_blocked_one_was_edited_is_asked_about_alone(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.change(price=95)
    fresh = desk.look.dispatch(plan).fresh
    desk.store.doctor(plan, body=b"{}")
    desk.says("yes")
    assert desk.look.ask(fresh).ok
    (question,) = desk.asker.questions
    assert isinstance(question, Question)
    assert question.previous is None
