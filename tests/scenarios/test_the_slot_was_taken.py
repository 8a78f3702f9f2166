"""The world moves between the question, the yes and the dispatch."""

from __future__ import annotations

from lastlook import BlockedStale, BlockedUnresolvable, Executed, Stale, Unresolvable, Valid
from lastlook.core.lifecycle import State
from lastlook.core.outcome import AlreadyUsed, Confirmed
from lastlook.sources import NoAnswer
from lastlook.testing import ScriptedSource
from tests.scenarios.desk import Desk


def test_nothing_changes_and_it_runs_once(desk: Desk) -> None:
    plan = desk.confirmed()
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Executed)
    assert outcome.unwrap() == ("booked slot-42",)
    assert outcome.action_id == plan.id
    assert outcome.completed_at == desk.clock.now()
    assert desk.effects == [("book", "slot-42", 80)]
    assert desk.states(plan) == ["pending", "confirmed", "claimed", "executing", "executed"]


def test_taken_between_yes_and_dispatch_blocks_with_zero_effects(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.clock.advance(60)
    desk.change(status="unavailable")
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert desk.effects == []
    assert outcome.changed == {"slots:slot-42": ("/status",)}
    (stale,) = outcome.stale
    (change,) = stale.changes
    assert (change.text, change.before, change.after) == (
        "status",
        ("value", "available"),
        ("value", "unavailable"),
    )
    assert stale.captured != stale.current
    assert desk.states(plan) == ["pending", "confirmed", "claimed", "blocked_stale"]
    assert outcome.fresh is not None
    assert desk.state(outcome.fresh) is State.PENDING


def test_the_block_tells_old_and_new_and_that_nothing_was_done(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.change(status="unavailable")
    text = desk.look.dispatch(plan).text()
    assert text.startswith("NOT RUN  Book slot-42")
    assert '"available" -> "unavailable"' in text
    assert "Nothing was done. That yes is used up" in text


def test_taken_between_question_and_yes_blocks_at_the_yes(desk: Desk) -> None:
    plan = desk.proposed()
    desk.change(status="unavailable")
    answer = desk.look.confirm(plan, by="ana")
    assert isinstance(answer, BlockedStale)
    assert answer.changed == {"slots:slot-42": ("/status",)}
    assert answer.fresh is not None
    assert desk.states(plan) == ["pending", "blocked_stale"]
    assert isinstance(desk.look.dispatch(plan), AlreadyUsed)
    assert desk.effects == []


def test_an_irrelevant_field_changes_and_it_runs(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.change(last_modified_by="scheduler-v2", note="rescheduled twice")
    outcome = desk.look.dispatch(plan)
    assert outcome.ok
    assert outcome.changed == {}
    assert len(desk.effects) == 1


def test_a_field_is_removed_and_named_as_gone(desk: Desk) -> None:
    plan = desk.confirmed()
    del desk.slots["slot-42"]["status"]
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    (change,) = outcome.stale[0].changes
    assert (change.kind, change.after) == ("removed", ("absent",))
    assert desk.effects == []


def test_the_record_is_gone_and_there_is_no_new_question(desk: Desk) -> None:
    plan = desk.confirmed()
    del desk.slots["slot-42"]
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    (gone,) = outcome.unresolvable
    assert (gone.ref, gone.kind) == ("slots:slot-42", "not_found")
    assert outcome.fresh is None
    assert "slots:slot-42 is gone" in outcome.why_no_fresh
    assert desk.effects == []


def test_changed_and_changed_back_before_dispatch_runs(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.change(status="unavailable")
    assert isinstance(desk.look.check(plan)[0], Stale)
    desk.change(status="available")
    assert desk.look.dispatch(plan).ok
    assert len(desk.effects) == 1


def test_changed_back_after_a_block_the_plan_stays_dead(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.change(status="unavailable")
    assert isinstance(desk.look.dispatch(plan), BlockedStale)
    desk.change(status="available")
    again = desk.look.dispatch(plan)
    assert isinstance(again, AlreadyUsed)
    assert again.state is State.BLOCKED_STALE
    assert not isinstance(desk.look.confirm(plan, by="ana"), Confirmed)
    assert desk.effects == []


def test_two_plans_for_one_slot_and_the_second_is_blocked_by_the_first(desk: Desk) -> None:
    first, second = desk.confirmed(), desk.confirmed()
    desk.on_book = lambda _: desk.change(status="unavailable")
    assert desk.look.dispatch(first).ok
    assert isinstance(desk.look.dispatch(second), BlockedStale)
    assert len(desk.effects) == 1


def test_every_cause_is_reported_whatever_the_order(desk: Desk) -> None:
    people = ScriptedSource({"name": "Kim"})
    desk.look.world.sources.add("people", people)
    desk.look.world.sources.add("rooms", {"r1": {"free": True}})

    @desk.look.planner("Book {slot_id} with Kim", name="with_kim")
    def with_kim(plan: object, slot_id: str) -> None:
        plan.read("people:kim", "name")
        plan.read(f"slots:{slot_id}", "status")
        plan.read("rooms:r1", "free")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    plan = with_kim.propose("slot-42")
    desk.confirmed(plan)
    people.then(NoAnswer("the line is dead"))
    desk.change(status="unavailable")
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert [type(item) for item in outcome.checks] == [Unresolvable, Stale, Valid]
    assert [item.ref for item in outcome.checks] == ["people:kim", "slots:slot-42", "rooms:r1"]
    assert outcome.fresh is None
    assert "people:kim could not be read" in outcome.why_no_fresh
    assert desk.effects == []


def test_a_check_is_a_preview_that_changes_nothing(desk: Desk) -> None:
    plan = desk.confirmed()
    desk.change(status="unavailable")
    assert isinstance(desk.look.check(plan)[0], Stale)
    assert desk.state(plan) is State.CONFIRMED
    assert desk.states(plan) == ["pending", "confirmed"]
