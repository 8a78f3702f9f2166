"""In the terminal: what could not be read is looked at again, or left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lastlook import BlockedUnresolvable, Planning
from lastlook.core.lifecycle import State
from lastlook.core.outcome import NotConfirmed, Parked, Rejected
from lastlook.core.prompt import LookAgain, Question
from lastlook.sources import NoAnswer
from lastlook.testing import ScriptedSource
from tests.scenarios.desk import Desk

KIM = {"name": "Kim"}
SILENT = NoAnswer("the line is dead")


class Phone:
    """A desk that calls Kim, whose number may not answer."""

    def __init__(self, desk: Desk, people: ScriptedSource) -> None:
        self.desk = desk
        self.people = people
        self.look = desk.look

        @desk.look.planner("Book {slot_id} for Kim", name="for_kim")
        def for_kim(plan: Planning, slot_id: str) -> None:
            plan.read("people:kim", "name")
            plan.step(desk.book, slot_id=slot_id, amount=1)

        self.for_kim = for_kim

    def yes(self, *answers: object) -> Callable[[object], str]:
        """A yes, after which the number gives these answers."""

        def said(_: object) -> str:
            self.people.then(*answers)
            return "yes"

        return said

    def again(self, *answers: object) -> Callable[[object], str]:
        def said(_: object) -> str:
            self.people.then(*answers)
            return "again"

        return said


@pytest.fixture
def phone(open_desk: Callable[..., Desk]) -> Phone:
    people = ScriptedSource(KIM)
    return Phone(open_desk(sources={"people": people}), people)


def kinds(phone: Phone) -> list[type]:
    return [type(item) for item in phone.desk.asker.questions]


def test_at_the_yes_looking_again_takes_the_same_yes(phone: Phone) -> None:
    phone.desk.says(phone.yes(SILENT), phone.again(SILENT), phone.again(KIM))
    outcome = phone.for_kim.run("slot-42")
    assert outcome.ok
    assert outcome.plan.number == 1
    assert kinds(phone) == [Question, LookAgain, LookAgain]
    assert len(phone.desk.effects) == 1


def test_at_the_yes_leaving_it_leaves_the_plan_waiting(phone: Phone) -> None:
    phone.desk.says(phone.yes(SILENT), "no")
    outcome = phone.for_kim.run("slot-42")
    assert isinstance(outcome, NotConfirmed)
    assert outcome.checks
    assert phone.desk.state(outcome.plan) is State.PENDING
    assert phone.desk.effects == []


def test_at_dispatch_looking_again_asks_a_fresh_question(phone: Phone) -> None:
    phone.desk.says(phone.yes(KIM, SILENT), phone.again(SILENT), phone.again(KIM), "yes")
    outcome = phone.for_kim.run("slot-42")
    assert outcome.ok
    assert outcome.plan.number == 2
    assert kinds(phone) == [Question, LookAgain, LookAgain, Question]
    assert len(phone.desk.effects) == 1


def test_at_dispatch_leaving_it_leaves_the_block(phone: Phone) -> None:
    phone.desk.says(phone.yes(KIM, SILENT), "nothing")
    outcome = phone.for_kim.run("slot-42")
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.fresh is None
    assert phone.desk.effects == []


def test_a_plan_that_has_its_yes_is_not_asked_about_again(phone: Phone) -> None:
    plan = phone.desk.confirmed(phone.for_kim.propose("slot-42"))
    assert phone.look.ask(plan).ok
    assert phone.desk.asker.questions == []


def test_a_plan_that_ran_is_not_asked_about_again(phone: Phone) -> None:
    plan = phone.desk.confirmed(phone.for_kim.propose("slot-42"))
    phone.look.dispatch(plan).unwrap()
    assert phone.look.ask(plan).name == "already_used"
    assert phone.desk.asker.questions == []
    assert len(phone.desk.effects) == 1


def test_a_no_that_comes_after_anothers_no_is_told_of_it(phone: Phone) -> None:
    def no_after_bob(question: Question) -> str:
        phone.look.reject(question.plan, by="bob")
        return "no"

    phone.desk.says(no_after_bob)
    assert isinstance(phone.for_kim.run("slot-42"), Rejected)


def test_silence_after_anothers_yes_and_dispatch_is_told_of_it(phone: Phone) -> None:
    def nothing_while_bob_runs_it(question: Question) -> str:
        phone.look.confirm(question.plan, by="bob")
        phone.look.dispatch(question.plan)
        return "nothing"

    phone.desk.says(nothing_while_bob_runs_it)
    assert phone.for_kim.run("slot-42").name == "already_used"
    assert len(phone.desk.effects) == 1


def test_a_parked_plan_is_shown_and_takes_no_yes(desk: Desk) -> None:
    plan = desk.proposed()
    for price in range(100, 106):
        desk.confirmed(plan)
        desk.change(price=price)
        fresh = desk.look.dispatch(plan).fresh
        assert fresh is not None
        plan = fresh
    desk.says("yes")
    assert isinstance(desk.look.ask(plan), Parked)
    assert desk.asker.questions[0].parked
    assert desk.effects == []
