"""The world of one Lastlook: what is registered, who owns a claim, and what is looked at."""

from __future__ import annotations

import os
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from lastlook import Lastlook, Planning, Valid, capture
from lastlook.core.evidence import Found
from lastlook.core.lifecycle import State
from lastlook.core.plan import ToolDefinition, seal_of
from lastlook.core.ports import Source
from lastlook.errors import BadFormat, DuplicateName, NotRegistered, StoreFull
from lastlook.sources import MemorySource
from lastlook.sources.queries import QueryRead
from lastlook.testing import ScriptedSource
from tests.unit.dispatch.watched import WatchedDesk


def test_the_owner_is_this_host_and_process_and_remade_in_a_child(desk: WatchedDesk) -> None:
    world = desk.look.world
    host, _, pid = world.owner.rpartition("/")
    assert host
    assert pid == str(os.getpid())
    world.__dict__["_owner"] = (os.getpid() + 1, "somewhere/1")
    assert world.owner == f"{host}/{os.getpid()}"


def test_the_store_is_opened_at_the_first_proposal_and_once() -> None:
    opened: list[object] = []
    desk = WatchedDesk()
    desk.look.world._open_store = lambda: opened.append(1) or desk.store
    assert opened == []
    desk.proposed()
    desk.proposed()
    assert opened == [1]


@pytest.mark.parametrize("what", ["tool", "planner"])
def test_two_of_one_name_are_refused_with_advice(desk: WatchedDesk, what: str) -> None:
    def again(*_: object) -> None:
        """Declare one of the same name."""

    with pytest.raises(DuplicateName, match=f"there is a {what} named book") as caught:
        if what == "tool":
            desk.look.tool(writes=[], name="book")(lambda: None)
        else:
            desk.look.planner("x", name="book_slot")(lambda plan: None)
    assert caught.value.fix == 'Give this one another: name="...".'
    assert desk.look.tools["book"] is desk.book


def test_a_tool_that_is_not_here_says_where_to_go(desk: WatchedDesk) -> None:
    with pytest.raises(NotRegistered, match="tool pay is not registered here") as caught:
        desk.look.world.tool(ToolDefinition(name="pay"))
    assert "--app module:name" in caught.value.fix


def test_a_command_is_made_from_its_sealed_definition_where_commands_are_known(
    desk: WatchedDesk,
) -> None:
    definition = ToolDefinition(name="book", kind="command")
    assert desk.look.world.tool(definition) is desk.book
    desk.look.world.command_tool = lambda sealed: (sealed, "made")
    assert desk.look.world.tool(definition) == (definition, "made")
    assert desk.look.world.tool(desk.book.definition) is desk.book


def test_a_stored_plan_of_other_bytes_or_another_id_is_none(desk: WatchedDesk) -> None:
    plan, other = desk.proposed(), desk.proposed()
    record = desk.store.get(plan.id)
    assert desk.look.world.plan_of(record) == plan
    assert desk.look.world.plan_of(replace(record, body=other.body)) is None
    assert desk.look.world.plan_of(replace(record, body=other.body, seal=other.seal)) is None
    assert desk.look.world.plan_of(replace(record, body=b"{}", seal=seal_of(b"{}"))) is None
    with pytest.raises(BadFormat):
        desk.look.world._open(b"{}")


def test_two_looks_at_one_record_read_it_once(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.events.clear()
    one = plan.evidence[0]
    checks = desk.look.world.look([one, one], {})
    assert [type(item) for item in checks] == [Valid, Valid]
    assert desk.events == ["read slot-42"]
    assert desk.look.world.look([], {}) == ()


def queried(desk: WatchedDesk) -> tuple[MemorySource, Any]:
    rooms = MemorySource({"r1": {"floor": 1, "free": True}})
    desk.look.world.sources.add("rooms", rooms)

    @rooms.query("free")
    def on_floor(records: Any, floor: int) -> Any:
        return {key: room for key, room in records.items() if room["floor"] == floor}

    @desk.look.planner("Ask", name="ask_rooms")
    def ask_rooms(plan: Planning) -> None:
        plan.query(on_floor, 1)
        plan.step(desk.book, slot_id="slot-42", amount=1)

    return rooms, ask_rooms


def test_a_query_that_is_not_here_is_a_typed_error_before_the_claim(desk: WatchedDesk) -> None:
    rooms, planner = queried(desk)
    plan = desk.confirmed(planner.propose())
    rooms._queries._queries.clear()
    for verb in (desk.look.dispatch, desk.look.check):
        with pytest.raises(NotRegistered, match="no query named 'on_floor'") as caught:
            verb(plan)
        assert caught.value.fix == "There are none."
    assert desk.state(plan) is State.CONFIRMED


def test_a_source_that_has_no_queries_here_is_a_typed_error(desk: WatchedDesk) -> None:
    _, planner = queried(desk)
    plan = desk.confirmed(planner.propose())
    desk.look.world.sources._sources["rooms"] = ScriptedSource({})
    with pytest.raises(NotRegistered, match="a ScriptedSource has no queries") as caught:
        desk.look.dispatch(plan)
    assert "MemorySource" in caught.value.fix
    assert desk.state(plan) is State.CONFIRMED


def test_an_interrupt_in_a_query_comes_through_and_gives_the_claim_back(
    desk: WatchedDesk,
) -> None:
    def stop(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    rooms, planner = queried(desk)
    plan = desk.confirmed(planner.propose())
    rooms.named("on_floor").function = stop
    with pytest.raises(KeyboardInterrupt):
        desk.look.dispatch(plan)
    assert desk.state(plan) is State.CONFIRMED
    assert desk.effects == []


def test_a_query_is_read_in_the_shape_of_its_source(desk: WatchedDesk) -> None:
    rooms, _ = queried(desk)
    read = QueryRead(rooms, "on_floor", {"floor": 1})
    assert isinstance(read, Source)
    assert read.describe() == rooms.describe()
    assert read.read("") == Found({"r1": {"floor": 1, "free": True}})


def test_a_query_of_a_source_from_elsewhere_is_refused_at_the_proposal(desk: WatchedDesk) -> None:
    elsewhere = MemorySource({})

    @elsewhere.query("free")
    def anything(records: Any) -> Any:
        return records

    @desk.look.planner("Ask", name="ask_elsewhere")
    def ask_elsewhere(plan: Planning) -> None:
        plan.query(anything)

    with pytest.raises(NotRegistered, match="the source of query anything is not registered here"):
        ask_elsewhere.propose()
    assert list(desk.look.journal()) == []


def test_traits_of_a_ref_are_those_of_its_source(desk: WatchedDesk) -> None:
    desk.look.world.sources.add(
        "rooms", ScriptedSource(consistency="eventual", absence_is_proof=True, name="rooms")
    )
    traits = desk.look.world.traits("rooms:r1")
    assert (traits.consistency, traits.absence_is_proof) == ("eventual", True)
    assert traits.config == desk.look.world.sources.config("rooms")
    assert traits.config != desk.look.world.traits("slots:slot-42").config


def test_evidence_keeps_what_its_source_promises(desk: WatchedDesk) -> None:
    desk.look.world.sources.add("rooms", ScriptedSource({"free": True}, consistency="session"))
    room = desk.look.read("rooms:r1", "free")
    assert (room.consistency, room.captured_at) == ("session", desk.clock.now())
    assert room.source_config == desk.look.world.sources.config("rooms")
    assert capture({"free": True}, ["free"], ref="rooms:r1").fingerprint == room.fingerprint


def test_a_move_that_another_made_first_is_not_logged(
    desk: WatchedDesk, caplog: pytest.LogCaptureFixture
) -> None:
    plan = desk.proposed()
    caplog.set_level("INFO", logger="lastlook")
    desk.store.before(State.CONFIRMED, lambda: desk.look.cancel(plan))
    desk.look.confirm(plan, by="ana")
    assert caplog.messages == [f"plan={plan.id} cancelled"]


def test_a_store_error_does_not_come_out_of_a_dispatch(
    desk: WatchedDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreFull("no space is left")

    plan = desk.confirmed()
    monkeypatch.setattr(desk.store, "move", full)
    assert desk.look.dispatch(plan).name == "store_unavailable"
    assert desk.effects == []


def test_two_lastlooks_share_nothing_but_what_they_are_given() -> None:
    one, two = Lastlook(sources={"a": {}}, store="memory"), Lastlook(sources={}, store="memory")
    assert "a" not in two.world.sources
    assert one.world.store is not two.world.store
    one.tool(writes=[], name="book")(lambda: None)
    assert "book" not in two.tools
