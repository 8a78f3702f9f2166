"""`look.override`: other ports for a while, and what was there before comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lastlook import BlockedStale, Executed, Lastlook, Planning
from lastlook.clock import SystemClock
from lastlook.core.lifecycle import State
from lastlook.errors import DeclarationError, NotRegistered, UnknownPlan
from lastlook.sources import MemorySource, PythonSource
from lastlook.stores.memory import MemoryStore
from lastlook.testing import START, FakeClock, ScriptedAsker, ScriptedSource
from tests.scenarios.desk import SLOT, Desk


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryStore())


def test_a_given_source_is_read_and_the_own_one_is_not(desk: Desk) -> None:
    with desk.look.override(sources={"slots": {"slot-42": SLOT | {"price": 95}}}):
        plan = desk.proposed()
        assert desk.look.confirm(plan, by="ana").ok
        desk.change(price=1)
        assert isinstance(desk.look.dispatch(plan), Executed)
    assert desk.effects == [("book", "slot-42", 95)]
    assert desk.proposed().steps[0].arguments["amount"] == 1


def test_what_is_left_out_stays_as_it_is(desk: Desk) -> None:
    clock = FakeClock()
    clock.advance(60)
    before = (desk.look.world.sources, desk.look.world.store, desk.look.world.asker)
    with desk.look.override(clock=clock):
        world = desk.look.world
        assert (world.sources, world.store, world.asker) == before
        assert desk.proposed().created_at == clock.now()
    assert desk.proposed().created_at == START


def test_a_given_store_keeps_the_plans_and_the_own_one_gets_none(desk: Desk) -> None:
    mine = MemoryStore()
    with desk.look.override(store=mine):
        plan = desk.proposed()
        assert desk.look.get(plan.id)[1] is State.PENDING
    assert mine.get(plan.id).state is State.PENDING
    with pytest.raises(UnknownPlan):
        desk.look.get(plan.id)


def test_a_given_asker_is_asked(desk: Desk) -> None:
    asker = ScriptedAsker("yes")
    with desk.look.override(asker=asker):
        assert isinstance(desk.book_slot.run("slot-42"), Executed)
    assert len(asker.questions) == 1
    assert desk.asker.questions == []


def test_everything_comes_back_after_an_exception(desk: Desk) -> None:
    world = desk.look.world
    before = (world.sources, world.clock, world.store, world.asker)
    with (
        pytest.raises(KeyboardInterrupt),
        desk.look.override(
            sources={"slots": {}}, clock=FakeClock(), store="memory", asker=ScriptedAsker()
        ),
    ):
        after = (world.sources, world.clock, world.store, world.asker)
        assert all(one is not other for one, other in zip(before, after, strict=True))
        raise KeyboardInterrupt
    assert (world.sources, world.clock, world.store, world.asker) == before


def test_the_inner_of_two_holds_and_then_the_outer_again(desk: Desk) -> None:
    def price() -> Any:
        return desk.look.read("slots:slot-42", "price")["price"]

    with desk.look.override(sources={"slots": {"slot-42": {"price": 1}}}):
        with desk.look.override(sources={"slots": {"slot-42": {"price": 2}}}):
            assert price() == 2
        assert price() == 1
    assert price() == 80


def test_a_name_that_is_not_there_is_refused_and_nothing_is_changed(desk: Desk) -> None:
    clock = desk.look.world.clock
    with (
        pytest.raises(NotRegistered, match="no source named 'slot'") as caught,
        desk.look.override(sources={"slot": {}}, clock=SystemClock()),
    ):
        pass
    assert caught.value.fix == "Registered here: slots."
    assert desk.look.world.clock is clock


def test_what_cannot_be_a_source_is_refused(desk: Desk) -> None:
    bad: Any = {"slots": 7}
    with pytest.raises(DeclarationError), desk.look.override(sources=bad):
        pass


def test_a_store_that_was_not_opened_yet_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    look = Lastlook(sources={}, store=path)
    with look.override(store="memory"):
        assert look.pending() == ()
    assert not path.exists()
    assert "store" not in vars(look.world)


def test_a_store_opened_from_a_path_is_closed_and_keeps_its_plans(
    desk: Desk, tmp_path: Path
) -> None:
    with desk.look.override(store=tmp_path / "other.db"):
        plan = desk.proposed()
    with desk.look.override(store=tmp_path / "other.db"):
        assert desk.look.get(plan.id)[0] == plan


def test_a_store_handed_over_is_not_closed(desk: Desk) -> None:
    class Watched(MemoryStore):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    store = Watched()
    with desk.look.override(store=store):
        desk.proposed()
    assert store.closed == 0


def test_a_plan_of_another_configuration_does_not_run_outside(desk: Desk) -> None:
    with desk.look.override(sources={"slots": ScriptedSource(SLOT, name="mine")}):
        plan = desk.confirmed()
    with pytest.raises(NotRegistered, match="configured in another way"):
        desk.look.dispatch(plan)
    assert desk.effects == []


def test_a_plan_from_before_is_looked_at_where_the_given_source_says(desk: Desk) -> None:
    plan = desk.confirmed()
    with desk.look.override(sources={"slots": {"slot-42": SLOT | {"price": 95}}}):
        outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.changed == {"slots:slot-42": ("/price",)}


def with_query(records: dict[str, Any]) -> tuple[Any, MemorySource]:
    source = MemorySource(records)

    @source.query("price")
    def cheap(found: Any, most: int) -> Any:
        return {key: slot for key, slot in found.items() if slot["price"] <= most}

    return cheap, source


def test_a_query_goes_to_its_namesake_at_the_given_source() -> None:
    cheap, source = with_query({"a": {"price": 80}})
    _, other = with_query({"b": {"price": 70}, "c": {"price": 75}})
    look = Lastlook(sources={"slots": source}, store="memory")

    @look.tool(writes=[])
    def note(keys: list[str]) -> None:
        pass

    @look.planner("Note what is cheap")
    def note_cheap(plan: Planning) -> None:
        plan.step(note, keys=[member.key for member in plan.query(cheap, 80)])

    with look.override(sources={"slots": other}):
        with look.override(clock=FakeClock()):
            plan = note_cheap.propose()
        assert plan.steps[0].arguments == {"keys": ["b", "c"]}
        assert look.confirm(plan, by="ana").ok
    with (
        look.override(sources={"slots": PythonSource(lambda _: None)}),
        pytest.raises(NotRegistered, match="no query named 'cheap'"),
    ):
        note_cheap.propose()
    assert note_cheap.propose().steps[0].arguments == {"keys": ["a"]}
