"""Proposals that come twice, rest on nothing, or come from a planner that misbehaves."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from lastlook import Planning, capture
from lastlook.core.lifecycle import State
from lastlook.errors import (
    BadArguments,
    ConditionNotMet,
    DeclarationError,
    DuplicateName,
    LastlookError,
    NoEvidence,
    NoFields,
    NotRegistered,
    PathNamesNothing,
)
from tests.scenarios.desk import Desk


def counted(desk: Desk) -> tuple[list[str], Callable[..., object]]:
    runs: list[str] = []

    @desk.look.planner("Book {slot_id}", name="counted")
    def planner(plan: Planning, slot_id: str) -> None:
        runs.append(slot_id)
        plan.read(f"slots:{slot_id}", "status")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    return runs, planner


def test_the_same_key_gives_the_same_plan_and_the_planner_does_not_run_again(desk: Desk) -> None:
    runs, planner = counted(desk)
    keyed = planner.options(key="order-7", requested_by="support")
    first, second = keyed.propose("slot-42"), keyed.propose("slot-42")
    assert first == second
    assert runs == ["slot-42"]
    assert len(desk.look.pending()) == 1


def test_after_a_block_the_same_key_gives_the_fresh_plan(desk: Desk) -> None:
    _, planner = counted(desk)
    keyed = planner.options(key="order-7")
    plan = desk.confirmed(keyed.propose("slot-42"))
    desk.change(status="held")
    fresh = desk.look.dispatch(plan).fresh
    assert keyed.propose("slot-42") == fresh


def test_after_it_ran_the_same_key_gives_the_plan_that_ran_and_no_second_effect(
    desk: Desk,
) -> None:
    _, planner = counted(desk)
    keyed = planner.options(key="order-7")
    plan = desk.confirmed(keyed.propose("slot-42"))
    desk.look.dispatch(plan).unwrap()
    again = keyed.propose("slot-42")
    assert again == plan
    assert not desk.look.dispatch(again).ok
    assert len(desk.effects) == 1


def test_another_planner_under_the_same_key_is_a_typed_error(desk: Desk) -> None:
    _, planner = counted(desk)
    planner.options(key="order-7").propose("slot-42")
    with pytest.raises(BadArguments, match="order-7"):
        desk.book_slot.options(key="order-7").propose("slot-42")


def test_other_arguments_under_the_same_key_are_a_typed_error(desk: Desk) -> None:
    desk.slots["slot-43"] = desk.slots["slot-42"] | {"slot_id": "slot-43"}
    keyed = desk.book_slot.options(key="order-7")
    keyed.propose("slot-42")
    with pytest.raises(BadArguments, match="order-7"):
        keyed.propose("slot-43")


def test_another_requester_may_use_the_same_key(desk: Desk) -> None:
    first = desk.book_slot.options(key="1", requested_by="support").propose("slot-42")
    second = desk.book_slot.options(key="1", requested_by="sales").propose("slot-42")
    assert first.id != second.id
    assert (first.requested_by, second.requested_by) == ("agent:support", "agent:sales")


def test_a_planner_that_calls_a_tool_is_refused_and_nothing_is_done(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="hasty")
    def hasty(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        desk.book.unguarded(slot_id=slot_id, amount=1)

    with pytest.raises(DeclarationError, match=r"plan\.step"):
        hasty.propose("slot-42")
    assert desk.effects == []
    assert list(desk.look.journal()) == []


def test_a_tool_called_directly_says_what_to_do_instead(desk: Desk) -> None:
    with pytest.raises(TypeError, match=r"plan\.step\(book"):
        desk.book(slot_id="slot-42", amount=1)
    assert desk.effects == []


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        (["nothing_of_that_name"], PathNamesNothing),
        (["status == 'unavailable'"], ConditionNotMet),
        ([], NoFields),
        (["status", "status == 'available'"], LastlookError),
        (["status = 'available'"], LastlookError),
    ],
)
def test_evidence_that_cannot_be_meant_is_refused_at_the_proposal(
    desk: Desk, fields: list[str], error: type[Exception]
) -> None:
    @desk.look.planner("Book {slot_id}", name="odd")
    def odd(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", *fields)
        plan.step(desk.book, slot_id=slot_id, amount=1)

    with pytest.raises(error):
        odd.propose("slot-42")
    assert list(desk.look.journal()) == []


def test_a_plan_that_rests_on_nothing_must_say_so(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="careless")
    def careless(plan: Planning, slot_id: str) -> None:
        plan.step(desk.book, slot_id=slot_id, amount=1)

    @desk.look.planner("Book {slot_id}", name="outspoken")
    def outspoken(plan: Planning, slot_id: str) -> None:
        plan.no_evidence("the slot is ours")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    with pytest.raises(NoEvidence):
        careless.propose("slot-42")
    plan = desk.confirmed(outspoken.propose("slot-42"))
    assert plan.no_evidence == "the slot is ours"
    assert desk.look.dispatch(plan).ok


@pytest.mark.parametrize(
    ("args", "kwargs"), [((), {}), ((1,), {}), (("slot-42", "x"), {}), ((), {"slot": "slot-42"})]
)
def test_arguments_that_a_planner_does_not_take_are_refused(
    desk: Desk, args: tuple[object, ...], kwargs: dict[str, object]
) -> None:
    with pytest.raises(BadArguments, match="book_slot"):
        desk.book_slot.propose(*args, **kwargs)


def test_arguments_that_a_tool_does_not_take_are_refused_at_the_proposal(desk: Desk) -> None:
    @desk.look.planner("Book {slot_id}", name="wrong")
    def wrong(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(desk.book, slot_id=slot_id, amount="eighty")

    with pytest.raises(BadArguments, match="book"):
        wrong.propose("slot-42")


def test_an_unknown_source_and_a_bad_ref_are_typed_errors(desk: Desk) -> None:
    with pytest.raises(NotRegistered, match="rooms"):
        desk.look.read("rooms:r1", "free")
    with pytest.raises(LastlookError):
        desk.look.read("no-colon", "free")


def test_a_policy_confirms_a_planners_plan_of_its_tools_alone(
    open_desk: Callable[..., Desk],
) -> None:
    desk = open_desk(confirms={"small things": ["book"]})

    @desk.look.tool(writes=[])
    def shout() -> None:
        desk.effects.append(("shout",))

    @desk.look.planner("Book {slot_id} and shout", name="loud")
    def loud(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(desk.book, slot_id=slot_id, amount=1)
        plan.step(shout)

    plan = desk.proposed()
    assert not plan.requires_confirmation
    assert desk.state(plan) is State.CONFIRMED
    assert [row.by for row in desk.look.journal(plan)] == ["agent:program", "policy:small things"]
    assert desk.look.dispatch(plan).ok
    other = loud.propose("slot-42")
    assert other.requires_confirmation
    assert desk.state(other) is State.PENDING


def test_a_policy_never_confirms_by_hand_or_a_fresh_plan(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(confirms={"small things": ["book"]})
    slot = desk.look.read("slots:slot-42", "status")
    step = desk.book.step(slot_id="slot-42", amount=1)
    hand = desk.look.propose("Book slot-42", [step], evidence=[slot])
    assert hand.requires_confirmation
    assert desk.state(hand) is State.PENDING
    plan = desk.proposed()
    desk.change(price=95)
    fresh = desk.look.dispatch(plan).fresh
    assert fresh.requires_confirmation
    assert desk.state(fresh) is State.PENDING
    assert desk.effects == []


def test_by_hand_the_same_key_gives_the_same_plan(desk: Desk) -> None:
    slot = desk.look.read("slots:slot-42", "status")
    steps = [desk.book.step(slot_id="slot-42", amount=1)]
    first = desk.look.propose("Book slot-42", steps, evidence=[slot], key="7")
    assert desk.look.propose("Book slot-42", steps, evidence=[slot], key="7") == first
    with pytest.raises(BadArguments):
        desk.look.propose("Book another", steps, evidence=[slot], key="7")


def test_by_hand_other_steps_under_the_same_key_are_a_typed_error(desk: Desk) -> None:
    slot = desk.look.read("slots:slot-42", "status")
    cheap, dear = (desk.book.step(slot_id="slot-42", amount=amount) for amount in (1, 1000))
    desk.look.propose("Book slot-42", [cheap], evidence=[slot], key="7")
    with pytest.raises(BadArguments):
        desk.look.propose("Book slot-42", [dear], evidence=[slot], key="7")


class Bell:
    """A thing that can be called, and that no `def` gave a name."""

    def __init__(self) -> None:
        self.rings: list[int] = []

    def __call__(self, times: int) -> None:
        self.rings.append(times)


def test_a_tool_made_of_a_lambda_or_an_object_is_planned_and_run(desk: Desk) -> None:
    bell = Bell()
    ring = desk.look.tool(writes=[], name="ring")(bell)
    note = desk.look.tool(writes=[], name="note")(lambda text: desk.effects.append((text,)))
    slot = desk.look.read("slots:slot-42", "status")
    steps = [ring.step(times=2), note.step(text="rung for slot-42")]
    plan = desk.confirmed(desk.look.propose("Ring", steps, evidence=[slot]))
    desk.look.dispatch(plan).unwrap()
    assert (bell.rings, desk.effects) == ([2], [("rung for slot-42",)])
    with pytest.raises(BadArguments, match="Bell"):
        ring.step(times="twice")


def test_steps_by_hand_that_could_not_run_are_refused(desk: Desk) -> None:
    slot = desk.look.read("slots:slot-42", "status")
    step = desk.book.step(slot_id="slot-42", amount=1)
    strange = msgspec.structs.replace(step, tool="fly")
    later = desk.book.step(slot_id=msgspec.structs.replace(step, number=1).result, amount=1)
    for steps, error in ([strange], NotRegistered), (["book"], DeclarationError), (
        [later], DeclarationError
    ), ([], DeclarationError):  # fmt: skip
        with pytest.raises(error):
            desk.look.propose("Book slot-42", steps, evidence=[slot])
    assert list(desk.look.journal()) == []


def test_evidence_by_hand_that_could_not_be_looked_at_again_is_refused(desk: Desk) -> None:
    step = desk.book.step(slot_id="slot-42", amount=1)
    slot = desk.look.read("slots:slot-42", "status")
    nameless = capture({"status": "available"}, ["status"])
    other = Desk("memory", sources={"rooms": {"slot-42": {"free": True}}})
    elsewhere = other.look.read("rooms:slot-42", "free")
    twice = [slot, desk.look.read("slots:slot-42", "price")]
    for evidence, error in [
        ([nameless], DeclarationError),
        ([elsewhere], NotRegistered),
        (twice, DeclarationError),
        ([], NoEvidence),
    ]:
        with pytest.raises(error):
            desk.look.propose("Book slot-42", [step], evidence=evidence)
    assert list(desk.look.journal()) == []


def test_two_tools_or_planners_of_one_name_are_refused(desk: Desk) -> None:
    with pytest.raises(DuplicateName, match="book"):
        desk._tool()
    with pytest.raises(DuplicateName, match="book_slot"):
        desk.look.planner("Book")(lambda plan: None)
        desk._planner()
