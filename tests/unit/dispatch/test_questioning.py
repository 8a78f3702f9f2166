"""Which fields caused questions that need not have been asked, from a store."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from lastlook import Planning
from lastlook.core.lifecycle import PlanRecord, State
from lastlook.dispatch.questioning import questions
from lastlook.sources import MemorySource
from lastlook.stores.memory import MemoryStore
from tests.scenarios.desk import Desk


class Office(Desk):
    """A desk that books by seats: the person is asked whenever their number changes."""

    def __init__(self, store: Any = None) -> None:
        super().__init__(store or MemoryStore())
        self.change(seats=9)

        @self.look.planner("Book {seats} of {slot_id}")
        def by_seats(plan: Planning, slot_id: str, seats: int) -> None:
            plan.read(f"slots:{slot_id}", "seats", "slot_id")
            plan.step(self.book, slot_id=slot_id, amount=seats)

        self.by_seats = by_seats

    def blocked(self, plan: Any = None, *, yes: bool = True, **changes: Any) -> Any:
        """One plan that is confirmed, blocked by these changes, and its fresh one confirmed."""
        plan = self.confirmed(plan or self.by_seats.propose("slot-42", 2))
        self.change(**changes)
        outcome = self.look.dispatch(plan)
        if yes:
            assert self.look.confirm(outcome.fresh, by="ana").ok
        return outcome

    def found(self) -> list[tuple[str, int, int, str]]:
        return [
            (each.field, each.blocked, each.confirmed, each.instead)
            for each in self.look.questions().fields
        ]


def test_a_number_that_stayed_above_what_was_asked_for_is_spared_by_a_condition() -> None:
    office = Office()
    office.blocked(seats=5)
    office.blocked(seats=3)
    (found,) = office.look.questions().fields
    assert (found.planner, found.source, found.field) == ("by_seats", "slots", "seats")
    assert (found.blocked, found.confirmed, found.instead) == (2, 2, "seats >= 2")


def test_a_block_that_changed_what_runs_was_asked_for_something() -> None:
    office = Office()
    office.blocked(office.proposed(), price=95)
    found = office.look.questions()
    assert (found.blocks, found.confirmed) == (1, 0)
    assert office.found() == [("price", 1, 0, "")]


def test_a_fresh_plan_that_was_rejected_was_no_needless_question() -> None:
    office = Office()
    outcome = office.blocked(yes=False, seats=5)
    office.look.reject(outcome.fresh, by="ana")
    assert office.found() == [("seats", 1, 0, "")]


def test_a_question_that_stands_decides_nothing_yet() -> None:
    office = Office()
    office.blocked(seats=5)
    office.blocked(yes=False, seats=3)
    assert office.found() == [("seats", 2, 1, "seats >= 2")]


def test_a_block_before_the_yes_counts_as_well() -> None:
    office = Office()
    plan = office.by_seats.propose("slot-42", 2)
    office.change(seats=5)
    blocked = office.look.confirm(plan, by="ana")
    assert office.look.confirm(blocked.fresh, by="ana").ok
    assert office.found() == [("seats", 1, 1, "seats >= 2")]


def test_a_block_without_a_fresh_plan_was_no_needless_question() -> None:
    office = Office()
    plan = office.confirmed(office.by_seats.propose("slot-42", 2))
    office.look.world.planners.clear()
    office.change(seats=5)
    assert office.look.dispatch(plan).fresh is None
    assert office.found() == [("seats", 1, 0, "")]


def test_the_values_are_those_of_the_look_that_blocked() -> None:
    office = Office()
    plan = office.confirmed(office.by_seats.propose("slot-42", 2))
    office.change(seats=1)
    renewed = office.look.world.planners.pop("by_seats")
    outcome = office.look.dispatch(plan)
    office.look.world.planners["by_seats"] = renewed
    office.change(seats=5)
    assert outcome.fresh is None
    assert office.look.confirm(office.look.renew(plan), by="ana").ok
    assert office.found() == [("seats", 1, 1, "leave it out")]


class Without(MemoryStore):
    """A store in which something is gone, as after pruning."""

    gone: tuple[str, ...] = ()
    without_looks = False

    def plans(self, states: Any = (), /) -> Any:
        return [
            replace(plan, body=b"") if plan.id in self.gone else plan
            for plan in super().plans(states)
        ]

    def looks(self, plan_id: str, /) -> Any:
        return () if self.without_looks else super().looks(plan_id)


def test_where_looks_are_gone_the_fresh_plan_tells_the_values() -> None:
    store = Without()
    office = Office(store)
    office.blocked(seats=5)
    store.without_looks = True
    assert office.found() == [("seats", 1, 1, "seats >= 2")]


@pytest.mark.parametrize(("which", "planner"), [(0, "(unread)"), (1, "by_seats")])
def test_a_body_that_is_gone_is_said_and_nothing_is_made_up(which: int, planner: str) -> None:
    store = Without()
    office = Office(store)
    outcome = office.blocked(seats=5)
    store.gone = ((outcome.plan.id, outcome.fresh.id)[which],)
    store.without_looks = True
    found = office.look.questions()
    assert (found.blocks, found.confirmed, found.unread) == (1, 0, 1)
    (each,) = found.fields
    assert (each.planner, each.field, each.unread, each.instead) == (planner, "seats", 1, "")
    assert "a plan's body is gone" in found.text()


def test_a_blocked_body_that_is_gone_without_a_fresh_plan_is_unread() -> None:
    store = Without()
    office = Office(store)
    plan = office.confirmed(office.by_seats.propose("slot-42", 2))
    office.look.world.planners.clear()
    office.change(seats=5)
    office.look.dispatch(plan)
    store.gone = (plan.id,)
    assert office.look.questions().unread == 1


def test_a_row_that_somebody_else_wrote_names_no_field() -> None:
    class Odd(MemoryStore):
        data: Any = None

        def rows(self, plan_id: str = "", /) -> Any:
            return [replace(row, data=self.data) for row in super().rows(plan_id)]

    store = Odd()
    office = Office(store)
    office.blocked(seats=5)
    for store.data in (None, 7, {"changed": 3}, {"changed": {"slots:slot-42": "seats"}},
                       {"changed": {"tool:book": ["effect"]}}):  # fmt: skip
        found = office.look.questions()
        assert (found.blocks, found.confirmed, found.fields) == (1, 0, ())


def test_only_the_plans_that_are_asked_for_are_looked_at() -> None:
    office = Office()
    first = office.blocked(seats=5)
    office.blocked(seats=4)
    store = office.look.world.store
    chosen: list[PlanRecord] = [store.get(first.plan.id), store.get(first.fresh.id)]
    assert chosen[1].state is State.CONFIRMED
    assert questions(store, chosen).blocks == 1


def test_members_of_a_query_and_steps_by_hand_are_counted_by_name() -> None:
    source = MemorySource({"a": {"price": 80}})

    @source.query("price")
    def cheap(records: Any) -> Any:
        return dict(records)

    office = Desk(MemoryStore(), sources={"offers": source})

    @office.look.planner("Note what is cheap")
    def note(plan: Planning) -> None:
        plan.query(cheap)
        plan.step(office.book, slot_id="x", amount=1)

    plan = office.confirmed(note.propose())
    source.set("b", {"price": 70})
    office.confirmed(office.look.dispatch(plan).fresh)

    evidence = office.look.read("slots:slot-42", "status")
    step = office.book.step("slot-42", 7)
    plan = office.confirmed(office.look.propose("Book slot-42", [step], evidence=[evidence]))
    office.change(status="held")
    office.confirmed(office.look.dispatch(plan).fresh)

    found = {each.planner: (each.field, each.instead) for each in office.look.questions().fields}
    assert found == {"note": ("members", ""), "(by hand)": ("status", "leave it out")}
