"""Plans that rest on there being nothing, or on a set of records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lastlook import BlockedStale, BlockedUnresolvable, Planning
from lastlook.errors import ConditionNotMet, DeclarationError, LastlookError
from lastlook.sources import MemorySource, NotFound, PythonSource
from tests.scenarios.desk import Desk


class Registrar:
    """Books a name that nobody has, and a room on a day with few meetings."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.names: dict[str, Any] = {}
        self.meetings: dict[str, Any] = {"m1": {"day": "mon", "room": "R1"}}
        source = MemorySource(self.meetings)
        desk.look.world.sources.add("names", self.names)
        desk.look.world.sources.add("meetings", source)

        @desk.look.tool(writes=[])
        def register(name: str) -> None:
            desk.effects.append(("register", name))

        @source.query("room")
        def on_day(meetings: Any, day: str) -> dict[str, Any]:
            return {key: item for key, item in meetings.items() if item["day"] == day}

        @desk.look.planner("Register {name}", name="register_name")
        def register_name(plan: Planning, name: str) -> None:
            plan.absent(f"names:{name}")
            plan.step(register, name=name)

        @desk.look.planner("Register {name} on {day}", name="register_day")
        def register_day(plan: Planning, name: str, day: str) -> None:
            others = plan.query(on_day, day)
            plan.step(register, name=f"{name}-{len(others)}")

        self.register_name, self.register_day = register_name, register_day


@pytest.fixture
def registrar(desk: Desk) -> Registrar:
    return Registrar(desk)


def test_a_name_that_is_still_free_is_registered(registrar: Registrar) -> None:
    desk = registrar.desk
    plan = desk.confirmed(registrar.register_name.propose("lee"))
    assert desk.look.dispatch(plan).ok
    assert desk.effects == [("register", "lee")]


def test_a_name_that_was_taken_meanwhile_blocks_and_there_is_no_new_question(
    registrar: Registrar,
) -> None:
    desk = registrar.desk
    plan = desk.confirmed(registrar.register_name.propose("lee"))
    registrar.names["lee"] = {"owner": "somebody"}
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.stale[0].changes[0].kind == "appeared"
    assert outcome.fresh is None
    assert "names:lee exists" in outcome.why_no_fresh
    assert desk.effects == []


def test_a_name_that_is_taken_already_is_no_plan(registrar: Registrar) -> None:
    registrar.names["lee"] = {}
    with pytest.raises(ConditionNotMet, match="names:lee exists"):
        registrar.register_name.propose("lee")


def test_absence_needs_a_source_whose_not_found_proves_it(desk: Desk) -> None:
    desk.look.world.sources.add("web", PythonSource(lambda _: NotFound(), blocking=False))

    @desk.look.planner("Register {name}", name="by_web")
    def by_web(plan: Planning, name: str) -> None:
        plan.absent(f"web:{name}")
        plan.step(desk.book, slot_id=name, amount=1)

    with pytest.raises(DeclarationError, match="no proof"):
        by_web.propose("lee")


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "new": lambda meetings: meetings.update(m2={"day": "mon", "room": "R2"}),
    "gone": lambda meetings: meetings.clear(),
    "changed": lambda meetings: meetings.update(m1={"day": "mon", "room": "R9"}),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_set_that_changed_blocks_and_names_the_member(registrar: Registrar, kind: str) -> None:
    desk = registrar.desk
    plan = desk.confirmed(registrar.register_day.propose("x", "mon"))
    CHANGES[kind](registrar.meetings)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    (change,) = outcome.stale[0].changes
    assert change.kind == f"member_{kind}"
    assert change.member == ("m2" if kind == "new" else "m1")
    assert desk.effects == []
    assert outcome.fresh is not None
    desk.confirmed(outcome.fresh)
    assert desk.look.dispatch(outcome.fresh).ok
    assert desk.effects == [("register", f"x-{len(registrar.meetings)}")]


def test_members_outside_the_set_do_not_count(registrar: Registrar) -> None:
    desk = registrar.desk
    plan = desk.confirmed(registrar.register_day.propose("x", "mon"))
    registrar.meetings["m7"] = {"day": "tue", "room": "R1"}
    registrar.meetings["m1"] = {"day": "mon", "room": "R1", "note": "new"}
    assert desk.look.dispatch(plan).ok


def test_a_query_that_fails_at_dispatch_blocks(registrar: Registrar) -> None:
    desk = registrar.desk
    plan = desk.confirmed(registrar.register_day.propose("x", "mon"))
    registrar.meetings["m9"] = {"no": "day"}
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert "meetings:on_day" in outcome.reason
    assert desk.effects == []


def test_a_query_that_fails_at_the_proposal_is_no_plan(registrar: Registrar) -> None:
    registrar.meetings["m9"] = {"no": "day"}
    with pytest.raises(LastlookError, match="meetings:on_day"):
        registrar.register_day.propose("x", "mon")
    assert list(registrar.desk.look.journal()) == []


def test_by_hand_absence_and_sets_are_read_again_for_the_fresh_plan(registrar: Registrar) -> None:
    desk = registrar.desk
    evidence = [
        *registrar.register_name.propose("lee").evidence,
        *registrar.register_day.propose("x", "mon").evidence,
        desk.look.read("slots:slot-42", "status"),
    ]
    steps = [desk.book.step(slot_id="lee on_day slot-42", amount=1)]
    plan = desk.confirmed(desk.look.propose("Register lee", steps, evidence=evidence))
    desk.change(status="held")
    fresh = desk.look.dispatch(plan).fresh
    assert fresh is not None
    assert [item.kind for item in fresh.evidence] == ["absence", "query", "record"]
    desk.confirmed(fresh)
    registrar.meetings["m2"] = {"day": "mon", "room": "R2"}
    outcome = desk.look.dispatch(fresh)
    assert outcome.changed.keys() == {"meetings:on_day"}
    assert desk.effects == []
