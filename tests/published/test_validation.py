"""What a check says, dependency by dependency, under the published names."""

from __future__ import annotations

import pytest

from lastlook.errors import CaptureFailed, DeclarationError, NotRegistered
from lastlook.published import (
    ActionPlan,
    EvidenceStore,
    PlannedStep,
    PreDispatchValidator,
    Stale,
    Unresolvable,
    Valid,
)
from lastlook.sources import NoAnswer
from lastlook.testing import START, ScriptedSource
from tests.published.conftest import FIELDS, Calendar


def test_a_dependency_names_source_fields_fingerprint_and_time(calendar: Calendar) -> None:
    held = calendar.evidence.capture("slots:slot-42", ["status", "slot_id"])
    assert held.source_id == "slots:slot-42"
    assert held.fields == ("slot_id", "status")
    assert held.fingerprint == calendar.evidence.fingerprint_now("slots:slot-42", FIELDS)
    assert held.captured_at == START


def test_a_plan_names_what_the_articles_say_it_names(calendar: Calendar) -> None:
    plan = calendar.plan()
    assert plan.action_id == "book-42"
    assert plan.intent == "Book slot-42 for Stand-up"
    assert [step.tool for step in plan.steps] == ["book"]
    assert [item.source_id for item in plan.evidence_dependencies] == ["slots:slot-42"]
    assert plan.estimated_side_effects == ("books slot-42 for Stand-up",)
    assert plan.requires_confirmation


def test_nothing_changed_is_valid(calendar: Calendar) -> None:
    assert calendar.validator.validate(calendar.plan()) == [Valid(source_id="slots:slot-42")]


def test_a_declared_field_that_changed_is_stale_with_both_fingerprints(
    calendar: Calendar,
) -> None:
    plan = calendar.plan()
    calendar.put("v2")
    (result,) = calendar.validator.validate(plan)
    assert isinstance(result, Stale)
    assert (result.source_id, result.changed_fields) == ("slots:slot-42", ("status",))
    assert result.captured_fingerprint == plan.evidence_dependencies[0].fingerprint
    assert result.current_fingerprint == calendar.evidence.fingerprint_now("slots:slot-42", FIELDS)
    assert result.captured_fingerprint != result.current_fingerprint
    assert (result.changes[0].before, result.changes[0].after) == (
        ("value", "available"),
        ("value", "unavailable"),
    )


def test_a_field_that_was_not_declared_does_not_count(calendar: Calendar) -> None:
    plan = calendar.plan()
    before = calendar.evidence.fingerprint_now("slots:slot-42", FIELDS)
    calendar.put("v3")
    assert calendar.validator.validate(plan) == [Valid(source_id="slots:slot-42")]
    assert calendar.evidence.fingerprint_now("slots:slot-42", FIELDS) == before


def test_a_source_that_is_gone_is_unresolvable_with_its_reason(calendar: Calendar) -> None:
    plan = calendar.plan()
    (calendar.folder / "slot-42.json").unlink()
    (result,) = calendar.validator.validate(plan)
    assert result == Unresolvable(source_id="slots:slot-42", reason="not found")


def test_every_dependency_has_its_result_and_none_hides_another() -> None:
    slots = {"a": {"status": "free"}, "b": {"status": "free"}}
    people = ScriptedSource({"name": "Kim"})
    store = EvidenceStore({"people": people, "slots": slots})
    refs = {"people:kim": "name", "slots:a": "status", "slots:b": "status"}
    plan = ActionPlan(
        action_id="1",
        intent="Meet Kim",
        steps=[PlannedStep(tool="meet")],
        evidence_dependencies=[store.capture(ref, [name]) for ref, name in refs.items()],
    )
    people.then(NoAnswer("the line is dead"))
    slots["a"] = {"status": "taken"}
    results = PreDispatchValidator(store).validate(plan)
    assert [type(item) for item in results] == [Unresolvable, Stale, Valid]
    assert [item.source_id for item in results] == list(refs)


def test_the_fields_that_changed_are_told_from_the_values_that_were_kept() -> None:
    slots = {"a": {"status": "free", "price": 1, "room": "R1"}}
    store = EvidenceStore({"slots": slots})
    held = store.capture("slots:a", ["status", "price", "room"])
    assert store.diff_fields(held) == ()
    slots["a"] = {"status": "taken", "price": 2, "room": "R1"}
    assert store.diff_fields(held) == ("price", "status")


def test_nothing_is_said_of_a_record_that_cannot_be_read() -> None:
    slots = {"a": {"status": "free"}}
    store = EvidenceStore({"slots": slots})
    held = store.capture("slots:a", ["status"])
    slots.clear()
    with pytest.raises(CaptureFailed):
        store.diff_fields(held)
    with pytest.raises(CaptureFailed):
        store.fingerprint_now("slots:a", ["status"])


def test_one_text_is_one_field() -> None:
    store = EvidenceStore({"slots": {"a": {"status": "free"}}})
    assert store.capture("slots:a", "status").fields == ("status",)


@pytest.mark.parametrize("fields", [[], ["no_such_member"], ["status == 'taken'"]])
def test_evidence_that_protects_nothing_is_refused(fields: list[str]) -> None:
    store = EvidenceStore({"slots": {"a": {"status": "free"}}})
    with pytest.raises(DeclarationError):
        store.capture("slots:a", fields)


def test_an_unknown_source_is_a_typed_error() -> None:
    with pytest.raises(NotRegistered):
        EvidenceStore({}).capture("slots:a", ["status"])


def test_a_secret_field_is_compared_and_never_kept_in_plain() -> None:
    slots = {"a": {"pin": "open sesame"}}
    store = EvidenceStore({"slots": slots})
    held = store.capture("slots:a", ["pin (secret)"])
    assert "sesame" not in repr(held)
    assert store.diff_fields(held) == ()
    slots["a"] = {"pin": "open barley"}
    assert store.diff_fields(held) == ("pin",)
