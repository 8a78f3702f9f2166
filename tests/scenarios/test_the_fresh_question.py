"""After a block: a question that was worked out again, or the reason that there is none."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from lastlook import ActionPlan, Blocked, BlockedStale, Planning
from lastlook.core.lifecycle import State
from lastlook.core.outcome import NotConfirmed, Parked
from lastlook.dispatch import renewing
from lastlook.errors import LastlookError, NoFreshPlan
from tests.scenarios.desk import Desk


def blocked(desk: Desk, plan: ActionPlan, **changes: Any) -> Blocked:
    desk.confirmed(plan)
    desk.change(**changes)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    return outcome


def test_an_argument_taken_from_evidence_is_worked_out_again(desk: Desk) -> None:
    plan = desk.proposed()
    fresh = blocked(desk, plan, price=95).fresh
    assert fresh is not None
    assert (fresh.id, fresh.follows, fresh.lineage) == (f"{plan.id}.2", plan.id, plan.id)
    assert fresh.steps[0].arguments["amount"] == 95
    assert isinstance(desk.look.dispatch(fresh), NotConfirmed)
    desk.confirmed(fresh)
    assert desk.look.dispatch(fresh).ok
    assert desk.effects == [("book", "slot-42", 95)]


def test_the_old_yes_does_not_pay_for_the_fresh_plan(desk: Desk) -> None:
    plan = desk.proposed()
    fresh = blocked(desk, plan, price=95).fresh
    with pytest.raises(LastlookError, match="seal"):
        desk.look.confirm(fresh.id, seal=plan.seal, by="ana")


def test_a_condition_that_fails_makes_a_question_pointless(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="if_free")
    def if_free(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status == 'available'")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = if_free.propose("slot-42")
    outcome = blocked(desk, plan, status="unavailable")
    assert outcome.fresh is None
    assert outcome.why_no_fresh == 'this plan only makes sense while status is "available".'
    with pytest.raises(NoFreshPlan, match="only makes sense while"):
        desk.look.renew(plan)


def test_a_blocked_plan_is_renewed_once_its_condition_holds_again(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="if_free")
    def if_free(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status == 'available'")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = if_free.propose("slot-42")
    blocked(desk, plan, status="unavailable")
    desk.change(status="available")
    fresh = desk.look.renew(plan)
    assert desk.state(fresh) is State.PENDING
    assert desk.state(plan) is State.BLOCKED_STALE


def by_hand(desk: Desk, amount: int) -> ActionPlan:
    slot = desk.look.read("slots:slot-42", "status", "price")
    return desk.look.propose(
        "Book slot-42", [desk.book.step(slot_id="slot-42", amount=amount)], evidence=[slot]
    )


def test_a_value_carried_by_hand_that_changed_has_no_fresh_plan_and_names_both(
    desk: Desk,
) -> None:
    outcome = blocked(desk, by_hand(desk, 80), price=95)
    assert outcome.fresh is None
    assert "amount 80" in outcome.why_no_fresh
    assert "price" in outcome.why_no_fresh
    assert "plan again" in outcome.why_no_fresh


def test_steps_by_hand_that_carry_nothing_are_asked_about_again_as_they_are(desk: Desk) -> None:
    plan = by_hand(desk, 70)
    fresh = blocked(desk, plan, price=95).fresh
    assert fresh is not None
    assert fresh.steps[0].arguments == plan.steps[0].arguments
    assert fresh.evidence != plan.evidence
    desk.confirmed(fresh)
    assert desk.look.dispatch(fresh).ok


def test_a_value_by_hand_is_only_carried_if_its_field_changed(desk: Desk) -> None:
    assert blocked(desk, by_hand(desk, 80), status="held").fresh is not None


def test_a_planner_that_raises_leaves_the_block_and_says_why(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="touchy")
    def touchy(plan: Planning, slot_id: str) -> None:
        slot = plan.read(f"slots:{slot_id}", "status")
        if slot["status"] == "broken":
            raise RuntimeError("never seen that")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = touchy.propose("slot-42")
    outcome = blocked(desk, plan, status="broken")
    assert outcome.fresh is None
    assert outcome.why_no_fresh.startswith("planning again failed: RuntimeError")
    assert desk.state(plan) is State.BLOCKED_STALE
    assert desk.effects == []


def test_a_planner_that_names_no_step_any_more_has_no_fresh_plan(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="picky")
    def picky(plan: Planning, slot_id: str) -> None:
        if plan.read(f"slots:{slot_id}", "status")["status"] == "available":
            plan.step(desk.book, slot_id=slot_id, amount=1)

    outcome = blocked(desk, picky.propose("slot-42"), status="held")
    assert outcome.fresh is None
    assert "no step" in outcome.why_no_fresh


def test_a_block_has_one_live_fresh_plan_however_often_it_is_asked_for(desk: Desk) -> None:
    plan = desk.proposed()
    fresh = blocked(desk, plan, price=95).fresh
    assert fresh is not None
    assert desk.look.renew(plan) == fresh
    assert desk.look.renew(plan.id) == fresh
    assert [item.id for item in desk.look.pending()] == [fresh.id]


def test_a_field_that_went_missing_may_be_absent_in_the_fresh_plan_alone(desk: Desk) -> None:
    @desk.look.planner("Note {slot_id}", name="note")
    def note(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "last_modified_by")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = desk.confirmed(note.propose("slot-42"))
    del desk.slots["slot-42"]["last_modified_by"]
    fresh = desk.look.dispatch(plan).fresh
    assert fresh is not None
    assert fresh.evidence[0].cells == (("absent",),)
    with pytest.raises(LastlookError, match="last_modified_by"):
        note.propose("slot-42")


def test_after_five_fresh_plans_the_sixth_is_parked_and_takes_no_yes(desk: Desk) -> None:
    plan = desk.proposed()
    for price in range(100, 105):
        fresh = blocked(desk, plan, price=price).fresh
        assert fresh is not None
        assert desk.state(fresh) is State.PENDING
        plan = fresh
    parked = blocked(desk, plan, price=105).fresh
    assert parked is not None
    assert parked.number == 7
    assert desk.state(parked) is State.PARKED
    assert isinstance(desk.look.confirm(parked, by="ana"), Parked)
    assert isinstance(desk.look.dispatch(parked), Parked)
    assert desk.effects == []
    desk.look.cancel(parked)
    assert desk.state(parked) is State.CANCELLED


def test_a_pending_plan_is_renewed_only_if_its_evidence_changed(desk: Desk) -> None:
    plan = desk.proposed()
    assert desk.look.renew(plan) == plan
    desk.change(price=95)
    fresh = desk.look.renew(plan)
    assert fresh.follows == plan.id
    assert desk.state(plan) is State.BLOCKED_STALE


def test_a_plan_that_ran_is_not_renewed(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.look.dispatch(plan).unwrap()
    with pytest.raises(NoFreshPlan, match="executed"):
        desk.look.renew(plan)


def test_the_expiry_of_a_fresh_plan_runs_anew(desk: Desk) -> None:
    plan = desk.book_slot.options(expires_in=60).propose("slot-42")
    desk.confirmed(plan)
    desk.clock.advance(50)
    desk.change(price=95)
    fresh = desk.look.dispatch(plan).fresh
    assert (fresh.expires_at - desk.clock.now()).total_seconds() == 60


def test_run_asks_afresh_until_it_is_done(desk: Desk) -> None:
    def yes_while_the_price_goes_up(_: object) -> str:
        desk.change(price=95)
        return "yes"

    desk.says(yes_while_the_price_goes_up, "yes")
    outcome = desk.book_slot.run("slot-42")
    assert outcome.ok
    assert desk.effects == [("book", "slot-42", 95)]
    assert [type(item) for item in desk.asker.outcomes] == [BlockedStale]
    first, second = desk.asker.questions
    assert second.previous == first.plan
    assert second.plan.number == 2


def test_run_stops_at_a_no_to_the_fresh_question(desk: Desk) -> None:
    def yes_while_it_is_taken(_: object) -> str:
        desk.change(status="unavailable")
        return "yes"

    desk.says(yes_while_it_is_taken, "no")
    outcome = desk.book_slot.run("slot-42")
    assert not outcome.ok
    assert desk.state(outcome.plan) is State.REJECTED
    assert desk.effects == []


def test_a_planner_that_hangs_leaves_the_block_and_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renewing, "PLANNER_SECONDS", 0.05)
    go_on = threading.Event()

    @desk.look.planner("Book {slot_id}", name="slow")
    def slow(plan: Planning, slot_id: str) -> None:
        if plan.read(f"slots:{slot_id}", "status")["status"] != "available":
            go_on.wait(30)
        plan.step(desk.book, slot_id=slot_id, amount=1)

    outcome = blocked(desk, slow.propose("slot-42"), status="held")
    go_on.set()
    assert outcome.fresh is None
    assert "did not come back within 0.05 s" in outcome.why_no_fresh


def test_a_planner_that_leaves_the_program_leaves_the_block(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="leaving")
    def leaving(plan: Planning, slot_id: str) -> None:
        if plan.read(f"slots:{slot_id}", "status")["status"] != "available":
            raise SystemExit
        plan.step(desk.book, slot_id=slot_id, amount=1)

    outcome = blocked(desk, leaving.propose("slot-42"), status="held")
    assert outcome.why_no_fresh == "planning again failed: SystemExit"


def test_a_pending_plan_whose_record_is_gone_is_not_renewed(desk: Desk) -> None:
    plan = desk.proposed()
    slot = desk.slots.pop("slot-42")
    with pytest.raises(NoFreshPlan, match="is gone"):
        desk.look.renew(plan)
    assert desk.state(plan) is State.PENDING
    desk.slots["slot-42"] = slot
    assert desk.look.renew(plan) == plan
