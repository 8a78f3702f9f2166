"""The log: one line a transition, names and no values, and what wants eyes at WARNING."""

from __future__ import annotations

import logging
from typing import Any, NoReturn

import pytest

from lastlook import ActionPlan, Planning
from lastlook.errors import StoreFull
from lastlook.testing import ScriptedSource
from tests.unit.dispatch.watched import WatchedDesk

VALUES = ("available", "slot-42-held", "3.14", "80", "95", "2026-11-03")


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, logger="lastlook")
    return caplog


def lines(log: pytest.LogCaptureFixture, plan: ActionPlan) -> list[tuple[str, str]]:
    told = [(record.levelname, record.getMessage()) for record in log.records]
    assert {record.name for record in log.records} <= {"lastlook"}
    return [(level, text.replace(f"plan={plan.id}", "plan=k7f3")) for level, text in told]


def test_a_plan_that_runs_is_one_line_a_transition(desk: WatchedDesk, log: Any) -> None:
    plan = desk.confirmed()
    desk.look.dispatch(plan).unwrap()
    assert lines(log, plan) == [
        ("INFO", "plan=k7f3 pending"),
        ("INFO", "plan=k7f3 confirmed"),
        ("INFO", "plan=k7f3 claimed"),
        ("INFO", "plan=k7f3 executing"),
        ("INFO", "plan=k7f3 executed"),
    ]
    assert not any(value in log.text for value in VALUES)


def test_a_block_warns_with_refs_and_fields_as_people_write_them(
    desk: WatchedDesk, log: Any
) -> None:
    plan = desk.confirmed()
    desk.change(price=95, status="slot-42-held")
    log.clear()
    desk.look.dispatch(plan)
    assert lines(log, plan)[1:] == [
        ("WARNING", "plan=k7f3 blocked_stale refs=slots:slot-42 fields=price,status"),
        ("INFO", f"plan={plan.id}.2 pending follows={plan.id}".replace(plan.id, "k7f3", 1)),
    ]
    assert not any(value in log.text for value in VALUES)


def test_what_cannot_be_read_warns_with_its_ref_and_not_its_reason(
    desk: WatchedDesk, log: Any
) -> None:
    plan = desk.confirmed()
    desk.source.then(ValueError("3.14 is no slot"))
    log.clear()
    desk.look.dispatch(plan)
    assert lines(log, plan) == [
        ("INFO", "plan=k7f3 claimed"),
        ("WARNING", "plan=k7f3 blocked_unresolvable refs=slots:slot-42"),
    ]


def test_stale_and_silent_refs_stand_in_one_line(desk: WatchedDesk, log: Any) -> None:
    rooms = ScriptedSource({"free": True}, {"free": True}, RuntimeError("3.14"))
    desk.look.world.sources.add("rooms", rooms)

    @desk.look.planner("Both", name="both")
    def both(plan: Planning) -> None:
        plan.read("rooms:r1", "free")
        plan.read("slots:slot-42", "price")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    plan = desk.confirmed(both.propose())
    desk.change(price=95)
    desk.look.dispatch(plan)
    told = "plan=k7f3 blocked_stale refs=slots:slot-42,rooms:r1 fields=price"
    assert ("WARNING", told) in lines(log, plan)


def test_a_tampered_plan_warns_with_its_name_alone(desk: WatchedDesk, log: Any) -> None:
    plan = desk.confirmed()
    desk.store.doctor(plan, body=b"{}")
    log.clear()
    desk.look.dispatch(plan.id)
    assert lines(log, plan)[-1] == ("WARNING", "plan=k7f3 blocked_tampered")


def test_an_unknown_outcome_warns_and_keeps_the_tools_words_to_itself(
    desk: WatchedDesk, log: Any
) -> None:
    def fail(_: object) -> NoReturn:
        raise ValueError("3.14")

    plan = desk.confirmed()
    desk.on_book = fail
    log.clear()
    desk.look.dispatch(plan)
    assert lines(log, plan)[-1] == ("WARNING", "plan=k7f3 unknown")
    assert "3.14" not in log.text


def test_a_failed_and_a_partial_outcome_warn(desk: WatchedDesk, log: Any) -> None:
    @desk.look.tool(writes=[], not_applied=[LookupError])
    def sell() -> None:
        raise LookupError("3.14")

    @desk.look.planner("Sell", name="sell_it")
    def sell_it(plan: Planning, *, first: bool) -> None:
        plan.read("slots:slot-42", "price")
        if not first:
            plan.step(desk.book, slot_id="slot-42", amount=1)
        plan.step(sell)

    for first, word in ((True, "failed"), (False, "partial")):
        plan = desk.confirmed(sell_it.propose(first=first))
        desk.look.dispatch(plan)
        assert lines(log, plan)[-1] == ("WARNING", f"plan=k7f3 {word}")
    assert "3.14" not in log.text


def test_no_and_taking_back_are_told_without_the_reason(desk: WatchedDesk, log: Any) -> None:
    plan, other = desk.proposed(), desk.proposed()
    log.clear()
    desk.look.reject(plan, by="ana", why="3.14 is too dear")
    desk.look.cancel(other)
    assert lines(log, plan)[0] == ("INFO", "plan=k7f3 rejected")
    assert lines(log, other)[1] == ("INFO", "plan=k7f3 cancelled")
    assert "3.14" not in log.text


def test_a_store_that_cannot_be_used_warns(
    desk: WatchedDesk, log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> NoReturn:
        raise StoreFull("no space is left", where="/somewhere")

    plan = desk.confirmed()
    monkeypatch.setattr(desk.store, "get", full)
    log.clear()
    desk.look.dispatch(plan)
    assert lines(log, plan) == [("WARNING", "plan=k7f3 store_unavailable no space is left")]


def test_a_planner_that_fails_is_named_by_its_error_and_its_words_are_for_debugging(
    desk: WatchedDesk, log: Any
) -> None:
    failing: list[int] = []

    @desk.look.planner("Fail", name="fail")
    def fail(plan: Planning) -> None:
        plan.read("slots:slot-42", "price")
        plan.step(desk.book, slot_id="slot-42", amount=1)
        if failing:
            raise ValueError("3.14")

    plan = desk.confirmed(fail.propose())
    failing.append(1)
    desk.change(price=95)
    log.clear()
    desk.look.dispatch(plan)
    assert lines(log, plan)[-1] == ("WARNING", "plan=k7f3 planning again failed: ValueError")
    assert "3.14" not in log.text
    log.set_level(logging.DEBUG, logger="lastlook")
    desk.look.world.failed(plan.id, "planning again", ValueError("3.14"))
    assert "3.14" in log.text


def test_names_in_the_log_cannot_forge_a_line(desk: WatchedDesk, log: Any) -> None:
    desk.world["a\nplan=zzzz executed"] = {"x\ny": 1}

    @desk.look.planner("Odd", name="odd")
    def odd(plan: Planning) -> None:
        plan.read("slots:a\nplan=zzzz executed", '"x\\ny"')
        plan.step(desk.book, slot_id="slot-42", amount=1)

    plan = desk.confirmed(odd.propose())
    desk.world["a\nplan=zzzz executed"] = {"x\ny": 2}
    desk.look.dispatch(plan)
    assert all("\n" not in record.getMessage() for record in log.records)


def test_what_nobody_listens_to_is_not_put_together(desk: WatchedDesk, log: Any) -> None:
    log.set_level(logging.ERROR, logger="lastlook")
    desk.look.dispatch(desk.confirmed()).unwrap()
    assert log.records == []
