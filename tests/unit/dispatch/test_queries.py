"""Evidence by query, from the planner to the last look, over records in memory and functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lastlook import ActionPlan, Lastlook, Planning, field
from lastlook.core.check import Stale, Unresolvable, Valid
from lastlook.core.lifecycle import State
from lastlook.core.outcome import BlockedStale, BlockedUnresolvable, Executed
from lastlook.errors import (
    BadArguments,
    CaptureFailed,
    ConditionNotMet,
    DuplicateName,
    NotCanonical,
    PathNamesNothing,
)
from lastlook.sources import MemorySource, PythonSource
from lastlook.stores.memory import MemoryStore
from lastlook.testing import FakeClock

ROOMS = {
    "r1": {"floor": 1, "free": True, "seats": 4},
    "r2": {"floor": 1, "free": True, "seats": 8},
    "r3": {"floor": 2, "free": True, "seats": 2},
}
REF = "rooms:on_floor"


class House:
    """A program whose plans rest on the rooms of a floor; `made` says of which source.

    Two houses over one store and one dict of rooms are two processes of one program.
    """

    def __init__(
        self,
        made: str,
        store: MemoryStore,
        rooms: dict[str, Any],
        fields: Any = ("free",),
        **options: Any,
    ) -> None:
        self.rooms = rooms
        self.effects: list[Any] = []
        self.asked: list[int] = []
        source = MemorySource(rooms) if made == "memory" else PythonSource(_read, blocking=False)
        self.look = Lastlook(sources={"rooms": source}, store=store, clock=FakeClock())
        fields = fields if isinstance(fields, tuple) else (fields,)

        def pick(floor: int) -> dict[str, Any]:
            self.asked.append(floor)
            return {key: room for key, room in self.rooms.items() if room["floor"] == floor}

        if made == "memory":
            self.on_floor = source.query(*fields, name="on_floor", **options)(
                lambda records, floor: pick(floor)
            )
        else:
            self.on_floor = source.query(*fields, name="on_floor", **options)(pick)

        @self.look.tool(writes=[])
        def book(room: str) -> None:
            self.effects.append(room)

        @self.look.planner("Book a room on floor {floor}")
        def book_one(plan: Planning, floor: int) -> None:
            members = plan.query(self.on_floor, floor)
            free = [room.key for room in members if "free" not in room or room["free"]]
            plan.step(book, room=free[0])

        self.book_one = book_one

    def confirmed(self, floor: int = 1) -> ActionPlan:
        plan = self.book_one.propose(floor)
        assert self.look.confirm(plan, by="ana").ok
        return plan

    def change(self, key: str, **changes: Any) -> None:
        self.rooms[key] = self.rooms[key] | changes


def _read(key: str) -> object:
    raise AssertionError(f"nobody reads {key} by its key")


@pytest.fixture(params=["memory", "python"])
def made(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def build(made: str) -> Callable[..., House]:
    store, rooms = MemoryStore(), {key: dict(room) for key, room in ROOMS.items()}
    return lambda *args, **options: House(made, store, rooms, *args, **options)


def test_what_holds_runs_and_is_asked_at_the_yes_and_right_before_it_runs(build: Any) -> None:
    house = build()
    plan = house.confirmed()
    assert house.asked == [1, 1]
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, Executed)
    assert house.asked == [1, 1, 1]
    assert house.effects == ["r1"]
    (result,) = outcome.checks
    assert isinstance(result, Valid)
    assert (result.ref, result.fields) == (REF, 1)


def test_the_question_and_its_arguments_are_sealed_and_nothing_of_its_text(build: Any) -> None:
    (evidence,) = build().book_one.propose(1).evidence
    assert (evidence.kind, evidence.ref, evidence.params) == ("query", REF, {"floor": 1})
    assert [member.key for member in evidence.members] == ["r1", "r2"]
    assert (evidence.cap, evidence.may) == (1000, "")


def test_what_was_not_asked_for_may_change(build: Any) -> None:
    house = build()
    plan = house.confirmed()
    house.change("r3", free=False)
    house.change("r1", seats=99)
    assert house.look.dispatch(plan).ok


def test_a_member_that_changed_is_named_with_old_and_new(build: Any) -> None:
    house = build()
    plan = house.confirmed()
    house.change("r2", free=False)
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    (change,) = outcome.stale[0].changes
    assert (change.member, change.field, change.kind) == ("r2", "/free", "member_changed")
    assert (change.before, change.after) == (("value", True), ("value", False))
    assert "r2" in outcome.text()
    assert house.effects == []


@pytest.mark.parametrize("may", ["", "grow", "shrink"])
@pytest.mark.parametrize("what", ["grow", "shrink"])
def test_members_come_and_go_only_where_that_was_said(build: Any, may: Any, what: str) -> None:
    house = build(may=may)
    plan = house.confirmed()
    if what == "grow":
        house.rooms["r0"] = {"floor": 1, "free": True}
    else:
        del house.rooms["r2"]
    outcome = house.look.dispatch(plan)
    if may == what:
        assert outcome.ok
        return
    assert isinstance(outcome, BlockedStale)
    (change,) = outcome.stale[0].changes
    assert (change.member, change.kind) == (
        ("r0", "member_new") if what == "grow" else ("r2", "member_gone")
    )
    assert outcome.fresh is not None
    assert [member.key for member in outcome.fresh.evidence[0].members] == (
        ["r0", "r1", "r2"] if what == "grow" else ["r1"]
    )


def test_a_member_that_may_come_must_meet_the_condition(build: Any) -> None:
    house = build("free == true", may="grow")
    plan = house.confirmed()
    house.rooms["r0"] = {"floor": 1, "free": False}
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.stale[0].changes[0].kind == "condition"
    assert outcome.why_no_fresh == "this plan only makes sense while free is true."


def test_membership_alone_counts_where_no_field_does(build: Any) -> None:
    house = build(())
    plan = house.confirmed()
    house.change("r1", free=False)
    assert house.look.dispatch(plan).ok
    plan = house.confirmed()
    house.change("r1", floor=3)
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert [change.kind for change in outcome.stale[0].changes] == ["member_gone"]


def test_more_members_than_the_cap_are_no_plan_and_later_a_block(build: Any) -> None:
    house = build(cap=2)
    plan = house.confirmed()
    house.rooms["r4"] = {"floor": 1, "free": True}
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.reason == f"{REF}: query on_floor has more than 2 members"
    rows = len(list(house.look.journal()))
    with pytest.raises(CaptureFailed, match="has more than 2 members") as caught:
        house.book_one.propose(1)
    assert caught.value.where == REF
    assert len(list(house.look.journal())) == rows
    assert house.effects == []


def test_another_process_with_the_same_sources_looks_and_runs(build: Any) -> None:
    one, two = build(), build()
    plan = one.confirmed()
    assert two.look.dispatch(plan.id).ok
    assert (one.effects, two.effects) == ([], ["r1"])
    assert two.asked == [1]


def test_another_process_blocks_and_plans_again(build: Any) -> None:
    one, two = build(), build()
    plan = one.confirmed()
    one.change("r1", free=False)
    outcome = two.look.dispatch(plan.id)
    assert isinstance(outcome, BlockedStale)
    assert outcome.fresh is not None
    assert outcome.fresh.steps[0].arguments == {"room": "r2"}


def test_an_empty_answer_is_evidence_too(build: Any) -> None:
    house = build()

    @house.look.planner("Close floor {floor}", name="close_floor")
    def close_floor(plan: Planning, floor: int) -> None:
        assert plan.query(house.on_floor, floor) == []
        plan.step(house.look.tools["book"], room="none")

    plan = close_floor.propose(7)
    assert house.look.confirm(plan, by="ana").ok
    house.rooms["r9"] = {"floor": 7, "free": True}
    assert isinstance(house.look.dispatch(plan), BlockedStale)


@pytest.mark.parametrize("what", ["raises", "gives a list", "gives no text as key"])
def test_a_query_that_goes_wrong_is_no_answer_and_blocks(build: Any, what: str) -> None:
    house = build()
    plan = house.confirmed()
    if what == "raises":
        house.rooms["r1"] = 7
    elif what == "gives a list":
        house.on_floor.function = lambda *_, **__: [1]
    else:
        house.rooms[1] = house.rooms["r1"]
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert isinstance(outcome.checks[0], Unresolvable)
    assert house.effects == []
    assert "could not be read" in outcome.why_no_fresh


@pytest.mark.parametrize(
    ("fields", "error"),
    [("statsu", PathNamesNothing), ("seats >= 5", ConditionNotMet), ("raw", NotCanonical)],
)
def test_members_that_cannot_be_captured_are_no_plan(build: Any, fields: str, error: Any) -> None:
    house = build(fields)
    house.change("r1", raw={1, 2})
    house.change("r2", raw=1)
    with pytest.raises(error):
        house.book_one.propose(1)
    assert list(house.look.journal()) == []


@pytest.mark.parametrize("args", [(), (1, 2)])
def test_arguments_that_a_query_does_not_take_are_refused(build: Any, args: Any) -> None:
    house = build()

    @house.look.planner("x", name="wrong")
    def wrong(plan: Planning) -> None:
        plan.query(house.on_floor, *args)

    with pytest.raises(BadArguments, match="query") as caught:
        wrong.propose()
    assert caught.value.fix.startswith("It takes (floor")


def test_two_queries_of_one_name_are_refused(build: Any) -> None:
    house = build()
    with pytest.raises(DuplicateName, match="already a query named 'on_floor'"):
        house.look.world.sources["rooms"].query(name="on_floor")(lambda *_: {})


def test_one_query_asked_twice_in_a_run_is_asked_once(build: Any) -> None:
    house = build()

    @house.look.planner("Twice", name="twice")
    def twice(plan: Planning) -> None:
        plan.query(house.on_floor, 1)
        plan.query(house.on_floor, 1)
        plan.step(house.look.tools["book"], room="r1")

    assert len(twice.propose().evidence) == 1
    assert house.asked == [1]


def both_floors(house: House, *, narrowed: bool = False) -> ActionPlan:
    @house.look.planner("Both floors", name=f"both_{narrowed}")
    def both(plan: Planning) -> None:
        plan.query(house.on_floor, 1)
        plan.query(house.on_floor, 2)
        step = plan.step(house.look.tools["book"], room="r1")
        if narrowed:
            plan.step(house.look.tools["book"], room="r2")
            plan.narrow(step, REF)

    plan = both.propose()
    assert house.look.confirm(plan, by="ana").ok
    return plan


def test_one_query_with_two_arguments_is_two_pieces_of_evidence(build: Any) -> None:
    house = build()
    plan = both_floors(house)
    assert [item.params for item in plan.evidence] == [{"floor": 1}, {"floor": 2}]
    house.change("r1", free=False)
    house.rooms["r4"] = {"floor": 2, "free": True}
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert [type(item) for item in outcome.checks] == [Stale, Stale]
    assert outcome.changed == {REF: ("/free", "")}
    (row,) = [row for row in house.look.journal(plan) if row.state is State.BLOCKED_STALE]
    assert row.data["changed"] == {REF: ["/free", ""]}


def test_a_step_narrowed_to_a_query_still_rests_on_it(build: Any) -> None:
    house = build()
    plan = both_floors(house, narrowed=True)
    assert plan.steps[0].evidence == (REF,)
    assert plan.evidence_of(plan.steps[0]) == plan.evidence


def test_a_member_that_lost_a_field_is_asked_about_afresh(build: Any) -> None:
    house = build("free", may="shrink")
    plan = house.confirmed()
    house.rooms["r2"] = {"floor": 1}
    outcome = house.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.stale[0].changes[0].kind == "removed"
    assert outcome.fresh is not None
    with pytest.raises(PathNamesNothing):
        house.book_one.propose(1)


def test_secret_fields_of_members_are_compared_and_never_told(build: Any) -> None:
    house = build(field("free").secret)
    house.change("r1", free="zulu-a")
    house.change("r2", free="zulu-b")

    @house.look.planner("Any", name="any_room")
    def any_room(plan: Planning) -> None:
        plan.query(house.on_floor, 1)
        plan.step(house.look.tools["book"], room="r1")

    for changed in (False, True):
        plan = any_room.propose()
        assert house.look.confirm(plan, by="ana").ok
        if changed:
            house.change("r2", free="zulu-c")
        outcome = house.look.dispatch(plan)
        assert outcome.ok is not changed
        told = plan.body.decode() + repr(plan) + outcome.text() + repr(outcome.data())
        assert "zulu" not in told
