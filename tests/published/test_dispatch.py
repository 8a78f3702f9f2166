"""The two checkpoints, the three outcomes, and the comparison, as the articles state them."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from lastlook import Act
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedTampered,
    Confirmed,
    NotConfirmed,
    Partial,
    Rejected,
    Unknown,
)
from lastlook.dispatch.proposing import UnrelatedEvidence
from lastlook.errors import (
    BadArguments,
    DeclarationError,
    MayHaveRun,
    NoEvidence,
    NotAllowed,
    NotRegistered,
    NotRun,
    SealMismatch,
    WrongState,
)
from lastlook.published import (
    ActionDispatcher,
    ActionPlan,
    BlockedStale,
    BlockedUnresolvable,
    EvidenceStore,
    Executed,
    PlannedStep,
    PreDispatchValidator,
    StalePlan,
    StepExecutor,
)
from lastlook.sources import NoAnswer
from lastlook.testing import ScriptedSource
from tests.published.conftest import Calendar


@pytest.mark.parametrize(
    ("version", "protected"), [("v1", "EXECUTES"), ("v2", "BLOCKS"), ("v3", "EXECUTES")]
)
def test_the_comparison_protected_blocks_and_unprotected_executes_regardless(
    calendar: Calendar, version: str, protected: str
) -> None:
    plan = calendar.confirmed()
    calendar.put(version)
    outcome = calendar.dispatcher.dispatch(plan)
    assert isinstance(outcome, BlockedStale if protected == "BLOCKS" else Executed)
    assert len(calendar.booked) == (0 if protected == "BLOCKS" else 1)
    calendar.booked.clear()
    for step in plan.steps:
        assert calendar.executor.execute(step) == "booked slot-42"
    assert len(calendar.booked) == 1


def test_executed_names_the_action_and_when_it_was_complete(calendar: Calendar) -> None:
    plan = calendar.confirmed()
    calendar.clock.advance(5)
    outcome = calendar.dispatcher.dispatch(plan)
    assert isinstance(outcome, Executed)
    assert outcome.action_id == "book-42"
    assert outcome.completed_at == calendar.clock.now()
    assert outcome.results == ("booked slot-42",)


def test_blocked_stale_names_the_action_and_the_dependencies(calendar: Calendar) -> None:
    plan = calendar.confirmed()
    calendar.put("v2")
    outcome = calendar.dispatcher.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.action_id == "book-42"
    (stale,) = outcome.stale_dependencies
    assert (stale.source_id, stale.changed_fields) == ("slots:slot-42", ("status",))
    assert outcome.unresolvable_dependencies == ()
    assert calendar.booked == []


def test_blocked_unresolvable_names_the_action_and_the_reason(calendar: Calendar) -> None:
    plan = calendar.confirmed()
    (calendar.folder / "slot-42.json").unlink()
    outcome = calendar.dispatcher.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.action_id == "book-42"
    assert outcome.reason == "slots:slot-42: not found"
    assert outcome.fresh is None
    assert "gone" in outcome.why_no_fresh
    assert calendar.asked == []
    assert calendar.booked == []


def test_stale_and_unresolvable_together_are_blocked_and_both_reported() -> None:
    people = ScriptedSource({"name": "Kim"})
    slots = {"a": {"status": "free"}}
    store = EvidenceStore({"people": people, "slots": slots})
    ran: list[str] = []
    plan = ActionPlan(
        action_id="1",
        intent="Meet Kim",
        steps=[PlannedStep(tool="meet", arguments={"who": "kim", "where": "a"})],
        evidence_dependencies=[
            store.capture("people:kim", ["name"]),
            store.capture("slots:a", ["status"]),
        ],
    )
    dispatcher = ActionDispatcher(
        PreDispatchValidator(store), StepExecutor({"meet": lambda who, where: ran.append(who)})
    )
    assert dispatcher.confirm(plan, by="ana").ok
    people.then(NoAnswer("the line is dead"))
    slots["a"] = {"status": "taken"}
    outcome = dispatcher.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert [item.source_id for item in outcome.stale_dependencies] == ["slots:a"]
    assert [item.reason for item in outcome.unresolvable_dependencies] == ["the line is dead"]
    assert ran == []


def test_the_check_is_made_at_dispatch_before_any_side_effect(calendar: Calendar) -> None:
    plan = calendar.confirmed(
        steps=[
            PlannedStep(tool="tell", arguments={"text": "first"}),
            PlannedStep(tool="book", arguments={"slot_id": "slot-42", "title": "x"}),
        ]
    )
    calendar.put("v2")
    assert isinstance(calendar.dispatcher.dispatch(plan), BlockedStale)
    assert calendar.booked == []


def test_the_first_checkpoint_is_the_yes(calendar: Calendar) -> None:
    plan = calendar.plan()
    calendar.put("v2")
    answer = calendar.dispatcher.confirm(plan, by="ana")
    assert isinstance(answer, BlockedStale)
    with pytest.raises(NotRun) as caught:
        calendar.dispatcher.dispatch(plan)
    assert isinstance(caught.value.outcome, AlreadyUsed)
    assert calendar.booked == []


def test_a_yes_over_what_cannot_be_read_does_not_count_and_may_come_later(
    calendar: Calendar,
) -> None:
    plan = calendar.plan()
    (calendar.folder / "slot-42.json").unlink()
    with pytest.raises(NotRun) as caught:
        calendar.dispatcher.confirm(plan, by="ana")
    assert isinstance(caught.value.outcome, NotConfirmed)
    calendar.put("v1")
    assert isinstance(calendar.dispatcher.confirm(plan, by="ana"), Confirmed)


def test_a_block_is_logged_and_a_fresh_question_asked_and_the_original_discarded(
    calendar: Calendar, caplog: pytest.LogCaptureFixture
) -> None:
    plan = calendar.confirmed()
    calendar.put("v2")
    with caplog.at_level(logging.WARNING, logger="lastlook"):
        outcome = calendar.dispatcher.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line == "plan=book-42 blocked_stale refs=slots:slot-42 fields=status"
    ((fresh, stale),) = calendar.asked
    assert fresh == outcome.fresh
    assert stale == outcome.stale_plan
    assert fresh.action_id == "book-42.2"
    assert fresh.steps == plan.steps
    assert fresh.estimated_side_effects == plan.estimated_side_effects
    now = calendar.evidence.capture("slots:slot-42", ["slot_id", "status"])
    assert fresh.evidence_dependencies[0].fingerprint == now.fingerprint
    calendar.put("v1")
    with pytest.raises(NotRun, match="was already used"):
        calendar.dispatcher.dispatch(plan)
    with pytest.raises(NotRun):
        calendar.dispatcher.confirm(plan, by="ana")
    assert calendar.booked == []


def test_the_fresh_plan_takes_a_yes_of_its_own_and_then_runs(calendar: Calendar) -> None:
    plan = calendar.confirmed()
    calendar.put("v2")
    fresh = calendar.dispatcher.dispatch(plan).fresh
    assert fresh is not None
    with pytest.raises(NotRun, match="has no yes"):
        calendar.dispatcher.dispatch(fresh)
    assert calendar.dispatcher.confirm(fresh, by="ana").ok
    assert isinstance(calendar.dispatcher.dispatch(fresh), Executed)
    assert len(calendar.booked) == 1


def test_no_fresh_plan_where_an_argument_was_taken_from_what_changed(calendar: Calendar) -> None:
    steps = [
        PlannedStep(tool="tell", arguments={"text": "available"}),
        PlannedStep(tool="tell", arguments={"text": "that was slot-42"}),
    ]
    plan = calendar.confirmed(steps=steps)
    calendar.put("v2")
    outcome = calendar.dispatcher.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.fresh is None
    assert 'text "available" was taken from a value that changed' in outcome.why_no_fresh
    assert calendar.asked == []


def test_a_stale_plan_says_why_and_when_it_was_read_and_found_out(calendar: Calendar) -> None:
    captured = calendar.clock.now()
    plan = calendar.confirmed()
    calendar.clock.advance(90)
    calendar.put("v2")
    outcome = calendar.dispatcher.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.stale_plan == StalePlan(
        reason="slots:slot-42: status changed",
        captured_at=captured,
        detected_at=calendar.clock.now(),
    )


def test_a_plan_runs_once_however_often_it_is_dispatched(calendar: Calendar) -> None:
    plan = calendar.confirmed()
    assert isinstance(calendar.dispatcher.dispatch(plan), Executed)
    for _ in range(2):
        with pytest.raises(NotRun, match="was already used: it ran") as caught:
            calendar.dispatcher.dispatch(plan)
        assert isinstance(caught.value.outcome, AlreadyUsed)
    assert len(calendar.booked) == 1


def test_a_plan_without_a_yes_does_not_run(calendar: Calendar) -> None:
    plan = calendar.plan()
    with pytest.raises(NotRun, match="has no yes"):
        calendar.dispatcher.dispatch(plan)
    assert calendar.booked == []
    assert calendar.dispatcher.confirm(plan, by="ana").ok
    assert isinstance(calendar.dispatcher.dispatch(plan), Executed)


def test_a_plan_does_not_free_itself_of_the_question(calendar: Calendar) -> None:
    plan = calendar.plan(requires_confirmation=False)
    with pytest.raises(DeclarationError, match="free itself"):
        calendar.dispatcher.dispatch(plan)
    assert calendar.booked == []


def test_a_no_is_final(calendar: Calendar) -> None:
    plan = calendar.plan()
    calendar.dispatcher.reject(plan, by="ana", why="not on Tuesdays")
    with pytest.raises(NotRun) as caught:
        calendar.dispatcher.dispatch(plan)
    assert isinstance(caught.value.outcome, Rejected)
    with pytest.raises(WrongState):
        calendar.dispatcher.reject(plan, by="ana")
    assert calendar.booked == []


def test_an_agent_does_not_say_yes(calendar: Calendar) -> None:
    with pytest.raises(NotAllowed):
        calendar.dispatcher.confirm(calendar.plan(), by="agent:helper")


def test_a_tool_that_raises_may_have_run(calendar: Calendar) -> None:
    def fail(**_: object) -> None:
        raise OSError("the line went dead")

    calendar.executor.tools["book"] = fail
    plan = calendar.confirmed()
    with pytest.raises(MayHaveRun) as caught:
        calendar.dispatcher.dispatch(plan)
    assert isinstance(caught.value.outcome, Unknown)


def test_a_second_step_is_not_stopped_by_what_the_first_says_it_writes(
    calendar: Calendar,
) -> None:
    steps = [
        PlannedStep(tool="book", arguments={"slot_id": "slot-42", "title": "x"}),
        PlannedStep(tool="tell", arguments={"text": "done"}),
    ]
    plan = calendar.confirmed(steps=steps, estimated_side_effects=["books", "tells", "twice"])
    effects = calendar.dispatcher.look.get("book-42")[0].estimated_side_effects
    assert [effect.text for effect in effects] == ["books", "tells; twice"]

    def book(slot_id: str, title: str) -> None:
        calendar.put("v2")

    calendar.executor.tools["book"] = book
    assert isinstance(calendar.dispatcher.dispatch(plan), Executed)
    assert calendar.booked == [{"told": "done"}]


def test_a_second_step_is_stopped_by_others_and_the_outcome_lists_the_first(
    calendar: Calendar,
) -> None:
    steps = [
        PlannedStep(tool="tell", arguments={"text": "done"}),
        PlannedStep(tool="book", arguments={"slot_id": "slot-42", "title": "x"}),
    ]
    plan = calendar.confirmed(steps=steps)
    calendar.executor.tools["tell"] = lambda text: calendar.put("v2")
    with pytest.raises(MayHaveRun) as caught:
        calendar.dispatcher.dispatch(plan)
    assert isinstance(caught.value.outcome, Partial)
    assert calendar.booked == []


def test_another_plan_under_the_same_action_id_is_refused(calendar: Calendar) -> None:
    calendar.confirmed()
    other = calendar.plan(intent="Book slot-42 for a party")
    with pytest.raises(SealMismatch, match="book-42"):
        calendar.dispatcher.dispatch(other)
    dearer = calendar.plan(
        steps=[PlannedStep(tool="book", arguments={"slot_id": "slot-42", "title": "Party"})]
    )
    with pytest.raises(SealMismatch):
        calendar.dispatcher.confirm(dearer, by="ana")
    assert calendar.booked == []


def test_stored_bytes_that_were_edited_do_not_run(calendar: Calendar) -> None:
    from msgspec.structs import replace

    plan = calendar.confirmed()
    plans: Any = calendar.dispatcher.look.world.store
    record = plans.get("book-42")
    plans._plans["book-42"] = replace(record, body=record.body.replace(b"Stand-up", b"Party---"))
    with pytest.raises(NotRun) as caught:
        calendar.dispatcher.dispatch(plan)
    assert isinstance(caught.value.outcome, BlockedTampered)
    assert StalePlan.of(caught.value.outcome).captured_at is None
    assert calendar.booked == []


def test_another_process_over_one_store_knows_the_plan(calendar: Calendar, tmp_path: Path) -> None:
    first, second = (calendar.opened(tmp_path / "plans.db") for _ in range(2))
    plan = calendar.plan()
    assert first.confirm(plan, by="ana").ok
    assert isinstance(second.dispatch(plan), Executed)
    with pytest.raises(NotRun):
        first.dispatch(plan)
    rows = [row.state.value for row in first.look.journal("book-42")]
    assert rows == ["pending", "confirmed", "claimed", "executing", "executed"]
    first.look.close()
    second.look.close()


@pytest.mark.parametrize("action_id", ["", "book.2", "a b", "x" * 65, "book\n42"])
def test_an_action_id_that_could_be_taken_for_another_is_refused(
    calendar: Calendar, action_id: str
) -> None:
    with pytest.raises(DeclarationError, match="action id"):
        calendar.dispatcher.confirm(calendar.plan(action_id), by="ana")


def test_a_plan_without_evidence_steps_or_a_known_tool_is_refused(calendar: Calendar) -> None:
    with pytest.raises(NoEvidence):
        calendar.dispatcher.confirm(calendar.plan(evidence_dependencies=[]), by="ana")
    with pytest.raises(DeclarationError, match="no step"):
        calendar.dispatcher.confirm(calendar.plan(steps=[]), by="ana")
    stranger = calendar.plan(steps=[PlannedStep(tool="fly")])
    with pytest.raises(NotRegistered, match="fly"):
        calendar.dispatcher.confirm(stranger, by="ana")
    odd = calendar.plan(steps=[PlannedStep(tool="book", arguments={"slot": 1})])
    with pytest.raises(BadArguments, match="slot_id"):
        calendar.dispatcher.confirm(odd, by="ana")


def test_a_function_that_takes_an_act_belongs_to_the_full_api(calendar: Calendar) -> None:
    def book(act: Act, slot_id: str) -> None:
        calendar.booked.append({"slot_id": slot_id})

    with pytest.raises(DeclarationError, match="Act"):
        ActionDispatcher(calendar.validator, StepExecutor({"book": book}))


def test_a_published_outcome_is_no_boolean(calendar: Calendar) -> None:
    plan = calendar.confirmed()
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(calendar.dispatcher.dispatch(plan))


def test_an_executor_of_ones_own_runs_the_steps(calendar: Calendar) -> None:
    class Counting(StepExecutor):
        runs = 0

        def execute(self, step: PlannedStep) -> Any:
            self.runs += 1
            return super().execute(step)

    executor = Counting({"book": calendar.book})
    dispatcher = ActionDispatcher(calendar.validator, executor)
    plan = calendar.plan()
    dispatcher.confirm(plan, by="ana")
    assert isinstance(dispatcher.dispatch(plan), Executed)
    assert executor.runs == 1


def test_evidence_for_another_record_than_the_steps_name_is_warned_of() -> None:
    store = EvidenceStore({"slots": {"slot-41": {"status": "free"}}})
    plan = ActionPlan(
        action_id="1",
        intent="Book slot-42",
        steps=[PlannedStep(tool="book", arguments={"slot_id": "slot-42"})],
        evidence_dependencies=[store.capture("slots:slot-41", ["status"])],
    )
    dispatcher = ActionDispatcher(
        PreDispatchValidator(store), StepExecutor({"book": lambda slot_id: slot_id})
    )
    with pytest.warns(UnrelatedEvidence, match="slot-41") as warned:
        dispatcher.confirm(plan, by="ana")
    assert warned[0].filename == __file__


def test_one_record_named_twice_is_refused(calendar: Calendar) -> None:
    twice = [calendar.evidence.capture("slots:slot-42", [name]) for name in ("status", "time")]
    with pytest.raises(DeclarationError, match="twice"):
        calendar.dispatcher.confirm(calendar.plan(evidence_dependencies=twice), by="ana")


def test_a_fresh_plan_over_a_secret_takes_its_yes_and_runs() -> None:
    slots = {"s": {"pin": "open sesame", "room": "R1"}}
    store = EvidenceStore({"slots": slots})
    plan = ActionPlan(
        action_id="1",
        intent="Open s",
        steps=[PlannedStep(tool="open", arguments={"slot_id": "s"})],
        evidence_dependencies=[store.capture("slots:s", ["pin (secret)", "room"])],
    )
    dispatcher = ActionDispatcher(
        PreDispatchValidator(store), StepExecutor({"open": lambda slot_id: slot_id})
    )
    assert dispatcher.confirm(plan, by="ana").ok
    slots["s"] = slots["s"] | {"pin": "open barley"}
    blocked = dispatcher.dispatch(plan)
    assert isinstance(blocked, BlockedStale)
    assert blocked.stale_dependencies[0].changed_fields == ("pin",)
    assert blocked.fresh is not None
    assert dispatcher.confirm(blocked.fresh, by="ana").ok
    assert dispatcher.dispatch(blocked.fresh).results == ("s",)


def test_a_tool_that_came_after_the_dispatcher_is_not_run(calendar: Calendar) -> None:
    ran: list[str] = []
    calendar.executor.tools["late"] = lambda: ran.append("late")
    with pytest.raises(NotRegistered, match="late"):
        calendar.dispatcher.dispatch(calendar.plan(steps=[PlannedStep(tool="late")]))
    with pytest.raises(NotRegistered, match="fly"):
        calendar.executor.execute(PlannedStep(tool="fly"))
    assert ran == []
