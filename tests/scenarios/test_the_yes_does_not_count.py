"""A yes from the wrong one, for the wrong thing, or at the wrong time."""

from __future__ import annotations

import pytest

from lastlook import Planning
from lastlook.core.lifecycle import State
from lastlook.core.outcome import AlreadyUsed, Cancelled, Confirmed, Expired, Rejected
from lastlook.errors import NotAllowed, SealMismatch, UnknownPlan, WrongState
from tests.scenarios.desk import Desk


def test_two_yeses_swapped_between_two_plans_are_both_refused(desk: Desk) -> None:
    first, second = desk.proposed(), desk.proposed()
    with pytest.raises(SealMismatch, match=first.id):
        desk.look.confirm(first.id, seal=second.seal, by="ana")
    with pytest.raises(SealMismatch, match=second.id):
        desk.look.confirm(second.id, seal=first.seal, by="ana")
    assert [desk.state(first), desk.state(second)] == [State.PENDING, State.PENDING]
    assert desk.look.confirm(first.id, seal=first.seal, by="ana").ok


def test_a_bare_id_without_a_seal_is_no_yes(desk: Desk) -> None:
    plan = desk.proposed()
    with pytest.raises(SealMismatch, match="seal"):
        desk.look.confirm(plan.id, by="ana")
    assert desk.state(plan) is State.PENDING


@pytest.mark.parametrize("by", ["agent:support", "policy:all", "", "  "])
def test_only_a_person_says_yes(desk: Desk, by: str) -> None:
    plan = desk.proposed()
    with pytest.raises(NotAllowed):
        desk.look.confirm(plan, by=by)
    assert desk.state(plan) is State.PENDING


def test_a_name_without_a_prefix_is_a_person_and_the_yes_names_what_was_shown(desk: Desk) -> None:
    plan = desk.proposed()
    answer = desk.look.confirm(plan, by="ana")
    assert isinstance(answer, Confirmed)
    yes = answer.confirmation
    assert (yes.plan, yes.seal, yes.by) == (plan.id, plan.seal, "person:ana")
    assert yes.shown
    assert yes.at == desk.clock.now()


def test_the_one_who_asked_may_not_be_the_second_person(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="by_two", two_people=True)
    def by_two(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = by_two.options(requested_by="person:ana").propose("slot-42")
    with pytest.raises(NotAllowed, match="second person"):
        desk.look.confirm(plan, by="ana")
    assert desk.look.confirm(plan, by="bob").ok


def test_only_a_listed_approver_says_yes_also_to_the_fresh_plan(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="approved", approvers=["person:bob"])
    def approved(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = approved.propose("slot-42")
    with pytest.raises(NotAllowed, match="person:bob"):
        desk.look.confirm(plan, by="ana")
    assert desk.look.confirm(plan, by="bob").ok
    desk.change(status="held")
    fresh = desk.look.dispatch(plan).fresh
    assert fresh.approvers == ("person:bob",)
    with pytest.raises(NotAllowed):
        desk.look.confirm(fresh, by="ana")


def test_a_no_beats_a_later_yes(desk: Desk) -> None:
    plan = desk.proposed()
    desk.look.reject(plan, by="ana", why="not on Tuesdays")
    assert isinstance(desk.look.confirm(plan, by="ana"), Rejected)
    assert isinstance(desk.look.dispatch(plan), Rejected)
    assert desk.effects == []


def test_a_no_after_the_yes_comes_too_late_and_says_so(desk: Desk) -> None:
    plan = desk.confirmed()
    with pytest.raises(WrongState, match="has its yes"):
        desk.look.reject(plan, by="ana")
    assert desk.state(plan) is State.CONFIRMED


def test_a_plan_that_was_withdrawn_does_not_run(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.look.cancel(plan)
    assert isinstance(desk.look.dispatch(plan), Cancelled)
    assert desk.effects == []
    with pytest.raises(WrongState):
        desk.look.cancel(plan)


def test_a_plan_that_ran_cannot_be_withdrawn(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.look.dispatch(plan).unwrap()
    with pytest.raises(WrongState, match="has run"):
        desk.look.cancel(plan)


def test_a_second_yes_is_told_that_there_is_one(desk: Desk) -> None:
    plan = desk.confirmed()
    again = desk.look.confirm(plan, by="bob")
    assert isinstance(again, AlreadyUsed)
    assert again.state is State.CONFIRMED
    assert desk.look.world.store.get(plan.id).confirmation.by == "person:ana"


def test_a_yes_after_the_end_does_not_count(desk: Desk) -> None:
    plan = desk.book_slot.options(expires_in=60).propose("slot-42")
    desk.clock.advance(60)
    assert isinstance(desk.look.confirm(plan, by="ana"), Expired)
    assert desk.state(plan) is State.EXPIRED


def test_a_plan_that_expired_between_yes_and_dispatch_does_not_run(desk: Desk) -> None:
    plan = desk.confirmed(desk.book_slot.options(expires_in=60).propose("slot-42"))
    desk.clock.advance(61)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Expired)
    assert desk.state(plan) is State.EXPIRED
    assert desk.effects == []
    desk.clock.set_back(3600)
    assert isinstance(desk.look.dispatch(plan), Expired)


def test_a_plan_is_still_good_in_its_last_second(desk: Desk) -> None:
    plan = desk.confirmed(desk.book_slot.options(expires_in=60).propose("slot-42"))
    desk.clock.advance(59)
    assert desk.look.dispatch(plan).ok


def test_a_clock_set_back_before_the_plan_was_made_does_not_lengthen_it(desk: Desk) -> None:
    plan = desk.confirmed(desk.book_slot.options(expires_in=60).propose("slot-42"))
    desk.clock.set_back(3600)
    assert isinstance(desk.look.dispatch(plan), Expired)
    assert desk.effects == []


def test_a_yes_for_a_plan_that_is_not_there_is_a_typed_error(desk: Desk) -> None:
    with pytest.raises(UnknownPlan):
        desk.look.confirm("zzzz", seal="sha256:00", by="ana")


def test_nobody_answers_and_the_plan_waits_on(desk: Desk) -> None:
    outcome = desk.book_slot.run("slot-42")
    assert not outcome.ok
    assert desk.state(outcome.plan) is State.PENDING
    assert desk.effects == []


def test_a_no_in_the_terminal_rejects(desk: Desk) -> None:
    desk.says("no")
    outcome = desk.book_slot.run("slot-42")
    assert isinstance(outcome, Rejected)
    assert desk.state(outcome.plan) is State.REJECTED
    assert desk.effects == []
