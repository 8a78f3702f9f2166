"""Secret fields: compared, and in no question, outcome, log, journal or stored plan."""

from __future__ import annotations

import json
import logging

import pytest

from lastlook import BlockedStale, Planning
from lastlook.core.prompt import Question
from lastlook.core.screens import question_screen
from lastlook.errors import LastlookError
from tests.scenarios.desk import Desk

OLD, NEW = "open sesame", "open barley"


def propose(desk: Desk) -> object:
    desk.change(pin=OLD)

    @desk.look.planner("Open {slot_id}", name="open_it")
    def open_it(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "pin (secret)", "status")
        plan.step(desk.book, slot_id=slot_id, amount=1)

    return open_it.propose("slot-42")


def test_a_secret_that_changed_blocks_and_neither_value_is_told(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="lastlook"):
        plan = propose(desk)
        question = question_screen(Question(plan=plan)).plain()
        desk.confirmed(plan)
        desk.change(pin=NEW)
        outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert outcome.changed == {"slots:slot-42": ("/pin",)}
    fresh = outcome.fresh
    rows = [str(row) for row in desk.look.journal()]
    record = desk.look.world.store.get(plan.id)
    told = [
        question, outcome.text(), json.dumps(outcome.data()), repr(outcome), caplog.text,
        *rows, str(record.body), str(fresh.body), str(record.outcome),
        str(desk.look.world.store.looks(plan.id)),
    ]  # fmt: skip
    assert [text for text in told if OLD in text or NEW in text] == []
    assert desk.effects == []


def test_a_secret_that_did_not_change_runs_in_another_process_too(
    desk: Desk, open_desk: object
) -> None:
    plan = propose(desk)
    desk.confirmed(plan)
    other = open_desk(desk.slots, clock=desk.clock)
    assert other.look.dispatch(plan.id).ok


def test_a_secret_is_no_value_that_a_planner_can_hand_on(desk: Desk) -> None:
    desk.change(pin=OLD)

    @desk.look.planner("Open {slot_id}", name="leak")
    def leak(plan: Planning, slot_id: str) -> None:
        slot = plan.read(f"slots:{slot_id}", "pin (secret)")
        plan.step(desk.book, slot_id=slot["pin"], amount=1)

    with pytest.raises(LastlookError, match="secret"):
        leak.propose("slot-42")
