"""Proposing: what cannot be meant is a typed error, and then nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from lastlook import ActionPlan, Evidence, Lastlook, Planning, capture, field
from lastlook.core.lifecycle import NewPlan, PlanRecord, State
from lastlook.dispatch.proposing import UnrelatedEvidence
from lastlook.errors import (
    BadArguments,
    BadFormat,
    ConditionNotMet,
    DeclarationError,
    FieldSyntaxError,
    LastlookError,
    NoEvidence,
    NoFields,
    NotAllowed,
    NotDeclared,
    NotRegistered,
    PathNamesNothing,
    SealMismatch,
    StoreBusy,
    TemplateError,
)
from lastlook.stores.memory import MemoryStore
from tests.unit.dispatch.watched import WatchedDesk

# --- bad input through a planner -----------------------------------------------------------------


def read(ref: str, *fields: Any) -> Callable[[WatchedDesk, Planning], object]:
    return lambda desk, plan: plan.read(ref, *fields)


BAD: dict[str, tuple[Callable[[WatchedDesk, Planning], object], type[LastlookError], str, str]] = {
    "an unknown source": (
        read("rooms:r1", "free"), NotRegistered, "no source named 'rooms'", "Registered here: slots"
    ),
    "a text that is no ref": (
        read("slot-42", "status"), TemplateError, "'slot-42' is not a ref", "source:key"
    ),
    "a field that names nothing": (
        read("slots:slot-42", "statsu"), PathNamesNothing, "names nothing", "Did you mean status?"
    ),
    "a path that names nothing": (
        read("slots:slot-42", "/status/deep"), PathNamesNothing, "names nothing", "may be missing"
    ),
    "no fields": (read("slots:slot-42"), NoFields, "", ""),
    "an empty list of fields": (read("slots:slot-42", []), LastlookError, "", ""),
    "a condition that does not hold": (
        read("slots:slot-42", "price >= 100"), ConditionNotMet, "does not hold now: price is 80", ""
    ),
    "one equals sign": (
        read("slots:slot-42", "status = 'available'"), FieldSyntaxError, "", "=="
    ),
    "an operator without a value": (
        read("slots:slot-42", "price >="), FieldSyntaxError, "", ""
    ),
    "an operator in a name": (
        read("slots:slot-42", "a > b"), FieldSyntaxError, "", '"a > b"'
    ),
    "braces in a name": (
        read("slots:slot-42", "{status}"), FieldSyntaxError, "", '"{status}"'
    ),
    "one field twice with two meanings": (
        read("slots:slot-42", "price", "price >= 1"), LastlookError, "", ""
    ),
    "no evidence": (lambda desk, plan: None, NoEvidence, "rests on no evidence", "plan.read"),
    "no reason for no evidence": (
        lambda desk, plan: plan.no_evidence(" "), DeclarationError, "needs a reason", "why"
    ),
    "a field that was not declared": (
        lambda desk, plan: plan.read("slots:slot-42", "status")["price"],
        NotDeclared, "price was not declared", "Declare it",
    ),
    "an absence of what is there": (
        lambda desk, plan: plan.absent("memory:a"), ConditionNotMet, "memory:a exists", ""
    ),
    "an absence that proves nothing": (
        lambda desk, plan: plan.absent("slots:slot-43"), DeclarationError, "no proof", "relied on"
    ),
    "a step of a tool from elsewhere": (
        lambda desk, plan: plan.step(WatchedDesk().book, slot_id="slot-42", amount=1),
        NotRegistered, "not a tool of this Lastlook", "",
    ),
    "a step of a function": (
        lambda desk, plan: plan.step(len, "x"), DeclarationError, "is not a tool", "@look.tool"
    ),
    "an argument that is missing": (
        lambda desk, plan: plan.step(desk.book, slot_id="slot-42"),
        BadArguments, "missing a required argument: 'amount'", "It takes (slot_id: str, amount: int)",
    ),
    "an argument too many": (
        lambda desk, plan: plan.step(desk.book, slot_id="slot-42", amount=1, tip=2),
        BadArguments, "it does not take tip", "It takes",
    ),
    "an argument of another type": (
        lambda desk, plan: plan.step(desk.book, slot_id="slot-42", amount="1"),
        BadArguments, "expected `int`, got `str`", "It takes",
    ),
    "an argument without a canonical form": (
        lambda desk, plan: plan.step(desk.book, slot_id={1, 2}, amount=1),
        BadArguments, "tool book", "",
    ),
    "a result of a step that comes later": (
        lambda desk, plan: plan.step(
            desk.book, slot_id=replace(desk.book.step(slot_id="x", amount=1), number=3).result,
            amount=1,
        ),
        BadArguments, "slot_id is the result of a step that does not run before", ".result",
    ),
    "a result of a step given by hand": (
        lambda desk, plan: plan.step(
            desk.book, slot_id=desk.book.step(slot_id="x", amount=1).result, amount=1
        ),
        BadArguments, "slot_id is the result of a step that does not run before", ".result",
    ),
    "a step that is narrowed to nothing": (
        lambda desk, plan: plan.narrow(plan.step(desk.book, slot_id="a", amount=1)),
        DeclarationError, "can only rest on refs that the plan reads", "The plan reads nothing",
    ),
    "a step that is narrowed to what was not read": (
        lambda desk, plan: (
            plan.read("slots:slot-42", "status"),
            plan.narrow(plan.step(desk.book, slot_id="a", amount=1), "slots:slot-43"),
        ),
        DeclarationError, "it does not read slots:slot-43", "The plan reads slots:slot-42.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("work", "error", "what", "fix"), BAD.values(), ids=BAD)
def test_a_planner_is_refused(
    desk: WatchedDesk, work: Any, error: type[LastlookError], what: str, fix: str
) -> None:
    desk.look.world.sources.add("memory", {"a": 1})

    @desk.look.planner("Try", name="tried")
    def tried(plan: Planning) -> None:
        work(desk, plan)
        plan.step(desk.book, slot_id="slot-42", amount=1)

    with pytest.raises(error) as caught:
        tried.propose()
    assert isinstance(caught.value, LastlookError)
    assert caught.value.what
    assert what in caught.value.what
    assert fix in caught.value.fix
    assert list(desk.look.journal()) == []
    assert desk.effects == []


def test_a_planner_that_names_no_step_is_refused(desk: WatchedDesk) -> None:
    @desk.look.planner("Idle", name="idle")
    def idle(plan: Planning) -> None:
        plan.read("slots:slot-42", "status")

    with pytest.raises(DeclarationError, match="'Idle' has no step") as caught:
        idle.propose()
    assert "plan.step" in caught.value.fix
    assert list(desk.look.journal()) == []


def test_what_a_planner_raises_itself_comes_through_and_nothing_is_stored(
    desk: WatchedDesk,
) -> None:
    @desk.look.planner("Fail", name="fail")
    def fail(plan: Planning) -> None:
        raise ZeroDivisionError("its own")

    with pytest.raises(ZeroDivisionError, match="its own"):
        fail.propose()
    assert list(desk.look.journal()) == []
    desk.book.unguarded(slot_id="a", amount=1)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e15, True, "60", [1]])
def test_a_time_that_a_plan_cannot_be_good_for_is_refused(desk: WatchedDesk, seconds: Any) -> None:
    with pytest.raises(DeclarationError, match="a plan cannot be good for") as caught:
        desk.book_slot.options(expires_in=seconds)
    assert "number of seconds above 0" in caught.value.fix
    with pytest.raises(DeclarationError):
        desk.look.planner("x", expires_in=seconds)


@pytest.mark.parametrize("key", ["", 7, b"k"])
def test_a_key_that_tells_nothing_apart_is_refused(desk: WatchedDesk, key: Any) -> None:
    with pytest.raises(DeclarationError, match="cannot be a proposal's key"):
        desk.book_slot.options(key=key)
    slot = desk.look.read("slots:slot-42", "status")
    with pytest.raises(DeclarationError, match="cannot be a proposal's key"):
        desk.look.propose("i", [desk.book.step("slot-42", 1)], evidence=[slot], key=key)
    assert list(desk.look.journal()) == []


def test_a_requester_that_is_nobody_is_refused(desk: WatchedDesk) -> None:
    with pytest.raises(NotAllowed, match="names nobody"):
        desk.book_slot.options(requested_by="agent: ").propose("slot-42")
    assert list(desk.look.journal()) == []


def test_a_planner_of_another_lastlook_is_refused(desk: WatchedDesk) -> None:
    other = WatchedDesk()
    with pytest.raises(BadArguments, match="planner book_slot belongs to another Lastlook"):
        Lastlook(sources={}).propose_planned(other.book_slot, {}, other.book_slot._options)


# --- bad input by hand ---------------------------------------------------------------------------


def by_hand(desk: WatchedDesk, evidence: Any = None, steps: Any = None, **more: Any) -> ActionPlan:
    if evidence is None:
        evidence = [desk.look.read("slots:slot-42", "status", "price")]
    if steps is None:
        steps = [desk.book.step(slot_id="slot-42", amount=1)]
    return desk.look.propose("Book slot-42", steps, evidence=evidence, **more)


def test_steps_given_by_hand_are_stored_as_given(desk: WatchedDesk) -> None:
    plan = by_hand(desk)
    assert (plan.origin.kind, plan.requested_by) == ("hand", "agent:program")
    assert plan.steps[0].number == 1
    assert plan.steps[0].arguments == {"slot_id": "slot-42", "amount": 1}
    assert len(plan.steps[0].key) == 64


def test_evidence_that_was_captured_without_a_source_is_refused(desk: WatchedDesk) -> None:
    for strange in (capture({"status": "x"}, ["status"]), {"status": "x"}, None):
        with pytest.raises(DeclarationError, match="names no record of a source") as caught:
            by_hand(desk, [strange])
        assert caught.value.fix == "Read it through this Lastlook: look.read(ref, ...)."
    assert list(desk.look.journal()) == []


def test_evidence_of_an_unknown_source_or_another_configuration_is_refused(
    desk: WatchedDesk,
) -> None:
    with pytest.raises(NotRegistered, match="rooms"):
        by_hand(desk, [capture({"free": True}, ["free"], ref="rooms:r1")])
    strange = capture({"status": "x"}, ["status"], ref="slots:slot-42", source_config="0" * 64)
    with pytest.raises(NotRegistered, match="slots:slot-42 is configured in another way here"):
        by_hand(desk, [strange])
    assert list(desk.look.journal()) == []


@pytest.mark.parametrize(
    "changes", [{"fingerprint": "xx9:" + "0" * 64}, {"cells": (("value", 1), ("value", 2))}]
)
def test_evidence_of_an_unknown_scheme_or_that_was_edited_is_refused(
    desk: WatchedDesk, changes: dict[str, Any]
) -> None:
    slot = desk.look.read("slots:slot-42", "status", "price")
    with pytest.raises(BadFormat) as caught:
        by_hand(desk, [replace(slot, **changes)])
    assert "Capture it anew." in caught.value.fix
    assert list(desk.look.journal()) == []


def test_one_record_read_twice_by_hand_is_refused(desk: WatchedDesk) -> None:
    one, two = (desk.look.read("slots:slot-42", name) for name in ("status", "price"))
    with pytest.raises(DeclarationError, match="slots:slot-42 was read twice") as caught:
        by_hand(desk, [one, two])
    assert caught.value.fix == "Read it once, with all the fields that count."
    assert list(desk.look.journal()) == []


def test_secret_evidence_that_lost_its_salt_is_refused(desk: WatchedDesk) -> None:
    slot = desk.look.read("slots:slot-42", field("status").secret)
    by_hand(desk, [slot])
    with pytest.raises(DeclarationError, match="the salt of the secret field"):
        by_hand(desk, [replace(slot)])
    assert len(list(desk.look.journal())) == 1


@pytest.mark.parametrize("why", [None, "", "  "])
def test_no_evidence_by_hand_needs_a_reason(desk: WatchedDesk, why: str | None) -> None:
    with pytest.raises(NoEvidence):
        by_hand(desk, [], no_evidence=why)
    assert list(desk.look.journal()) == []
    assert by_hand(desk, [], no_evidence="nothing can change").no_evidence == "nothing can change"


def test_no_steps_by_hand_are_refused(desk: WatchedDesk) -> None:
    with pytest.raises(DeclarationError, match="has no step"):
        by_hand(desk, steps=[])
    assert list(desk.look.journal()) == []


def test_what_is_no_step_of_this_lastlook_is_refused(desk: WatchedDesk) -> None:
    stray = WatchedDesk()

    @stray.look.tool(writes=[])
    def shout() -> None:
        pass

    @stray.look.tool(writes=[], name="book2")
    def other(room: int) -> None:
        pass

    with pytest.raises(DeclarationError, match="a function is not a step") as caught:
        by_hand(desk, steps=[by_hand])
    assert caught.value.fix == "Make one: tool.step(...)."
    with pytest.raises(NotRegistered, match="tool shout is not a tool of this Lastlook"):
        by_hand(desk, steps=[shout.step()])
    with pytest.raises(BadArguments, match="tool book: object contains unknown field"):
        by_hand(desk, steps=[replace(other.step(1), tool="book")])
    assert list(desk.look.journal()) == []


@pytest.mark.parametrize("intent", ["", "  ", 7, None, ["Book"]])
def test_an_intent_that_is_no_text_or_empty_is_refused(desk: WatchedDesk, intent: Any) -> None:
    slot = desk.look.read("slots:slot-42", "status")
    with pytest.raises(DeclarationError) as caught:
        desk.look.propose(intent, [desk.book.step("slot-42", 1)], evidence=[slot])
    assert caught.value.fix
    assert list(desk.look.journal()) == []


def test_what_could_not_be_read_back_from_the_store_is_refused(desk: WatchedDesk) -> None:
    tool = desk.look.tool(writes=[], name="note")(lambda: None)
    with pytest.raises(DeclarationError, match="the plan holds what none can: Expected `str`"):
        desk.look.propose(5, [tool.step()], no_evidence="none", evidence=[])
    assert list(desk.look.journal()) == []


def test_steps_and_evidence_stand_in_lists(desk: WatchedDesk) -> None:
    slot, step = desk.look.read("slots:slot-42", "status"), desk.book.step("slot-42", 1)
    with pytest.raises(DeclarationError, match="steps is no list") as caught:
        by_hand(desk, steps=step)
    assert caught.value.fix == "Put it into one: steps=[...]."
    for evidence in (slot, "slots:slot-42"):
        with pytest.raises(DeclarationError, match="evidence is no list"):
            by_hand(desk, evidence=evidence)
    assert list(desk.look.journal()) == []


def test_a_step_by_hand_does_not_take_the_result_of_another(desk: WatchedDesk) -> None:
    first = desk.book.step(slot_id="slot-42", amount=1)
    second = desk.book.step(slot_id=first.result, amount=1)
    with pytest.raises(DeclarationError, match="takes the result of another step") as caught:
        by_hand(desk, steps=[first, second])
    assert "planner" in caught.value.fix
    assert list(desk.look.journal()) == []


def test_evidence_for_another_record_than_is_named_warns(desk: WatchedDesk) -> None:
    slot = desk.look.read("slots:slot-42", "status")
    with pytest.warns(UnrelatedEvidence, match="no step names slot-42") as caught:
        desk.look.propose("Book", [desk.book.step("slot-41", 1)], evidence=[slot])
    assert caught[0].filename == __file__


# --- ids and keys --------------------------------------------------------------------------------


class Crowded(MemoryStore):
    """A store in which an id is taken until somebody asks `free_after` times."""

    def __init__(self, free_after: int) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.free_after = free_after

    def add(self, new: NewPlan, /) -> PlanRecord | None:
        self.asked.append(new.id)
        return super().add(new) if len(self.asked) > self.free_after else None


def crowded(free_after: int) -> tuple[WatchedDesk, Crowded]:
    desk, store = WatchedDesk(), Crowded(free_after)
    desk.look.world.__dict__["store"] = store
    return desk, store


def test_an_id_that_is_taken_is_tried_again_and_grows_longer_in_time() -> None:
    desk, store = crowded(25)
    plan = desk.proposed()
    assert [len(name) for name in store.asked] == [4] * 10 + [5] * 10 + [6] * 6
    assert plan.id == plan.lineage == plan.root == store.asked[-1]


def test_a_store_that_takes_no_id_at_all_is_a_typed_error() -> None:
    desk, store = crowded(10**9)
    with pytest.raises(StoreBusy, match="no free id for a plan was found"):
        desk.proposed()
    assert len(store.asked) == 100


def test_two_proposals_at_once_under_one_key_give_one_plan(desk: WatchedDesk) -> None:
    keyed = desk.book_slot.options(key="order-7")
    others: list[ActionPlan] = []

    class Racing(MemoryStore):
        def add(self, new: NewPlan, /) -> PlanRecord | None:
            if not others:
                others.append(None)
                others[0] = keyed.propose("slot-42")
            return super().add(new)

    desk.look.world.__dict__["store"] = store = Racing()
    assert keyed.propose("slot-42") == others[0]
    assert len(store.plans()) == 1


def test_a_key_whose_plan_was_edited_is_a_typed_error(desk: WatchedDesk) -> None:
    keyed = desk.book_slot.options(key="order-7")
    plan = keyed.propose("slot-42")
    desk.store.doctor(plan, body=b"{}")
    with pytest.raises(SealMismatch, match=f"plan {plan.id} differ from its seal"):
        keyed.propose("slot-42")


def test_a_policy_says_yes_with_the_proposal_and_is_in_the_journal() -> None:
    desk = WatchedDesk(confirms={"small": ["note"], "booking": ["book"]})
    plan = desk.proposed()
    record = desk.store.get(plan.id)
    assert record.state is State.CONFIRMED
    assert (record.confirmation.by, record.confirmation.seal) == ("policy:booking", plan.seal)
    assert not plan.requires_confirmation
    assert desk.look.dispatch(plan).ok


def test_what_goes_wrong_at_the_proposal_leaves_reads_as_they_were(desk: WatchedDesk) -> None:
    seen: list[Evidence[Any]] = []

    @desk.look.planner("Careful", name="careful")
    def careful(plan: Planning) -> None:
        for name in ("discount", "price"):
            try:
                seen.append(plan.read("slots:slot-42", name))
            except PathNamesNothing:
                continue
        plan.step(desk.book, slot_id="slot-42", amount=seen[0]["price"])

    plan = careful.propose()
    assert [str(item) for item in plan.evidence[0].fields] == ["price"]
    assert desk.source.reads == ["slot-42"]
