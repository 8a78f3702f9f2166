"""Secret fields: compared, and in no question, outcome, log, journal or stored plan."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from lastlook import BlockedStale, BlockedUnresolvable, JsonFiles, Planning
from lastlook.core.evidence import NoAccess, NoAnswer, NotFound
from lastlook.core.prompt import Question
from lastlook.core.screens import question_screen
from lastlook.core.withheld import WITHHELD
from lastlook.errors import CaptureFailed, LastlookError
from lastlook.sources import PythonSource
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


class Raises(dict[str, object]):
    """A record whose own code tells what is in it."""

    def get(self, name: object, _: object = None, /) -> object:
        raise ValueError(f"no {name} beside {WORD}")


WORD = "hunter2"
TEXTS = {
    "a member twice": f'{{"pin": {{"{WORD}": 1, "{WORD}": 2}}}}',
    "too large": '{"pin": 9876501234567e400}',
    "too small": '{"pin": 9876501234567e-400}',
    "half a pair": f'{{"pin": {{"{WORD}": "\\ud800"}}}}',
    "half a pair in a name": f'{{"pin": {{"{WORD}\\ud800": 1}}}}',
    "no JSON": f'{{"pin": {WORD}}}',
}
RECORDS = {
    "half a pair": {"pin": {WORD: "x\ud800"}},
    "not a number": {"pin": {WORD: float("nan")}},
    "a name that is no text": {"pin": {WORD: {7: 1}}},
    "one name in form C": {"pin": {WORD: {"é": 1, "e\u0301": 2}}},
    "a set": {"pin": {WORD: {1}}},
    "its own words": Raises(pin=WORD),
}
SECRETS = (WORD, "9876501234567")


def told_by(desk: Desk, *more: object) -> list[str]:
    """All that was told and kept, less what tells nothing of a secret."""
    store = desk.look.world.store
    kept = [text for plan in store.plans() for text in (plan, plan.body, plan.outcome)]
    looks = [store.looks(plan.id) for plan in store.plans()]
    told = [str(item) for item in (*more, *kept, *looks, *desk.look.journal())]
    return [text for text in told if any(secret in text for secret in SECRETS)]


def opener(desk: Desk, source: str) -> Any:
    @desk.look.planner("Open it", name=f"open_{source}")
    def open_it(plan: Planning) -> None:
        plan.read(f"{source}:1", "pin (secret, nfc)", "status")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    return open_it


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_file_that_cannot_be_read_any_more_tells_nothing_of_a_secret(
    open_desk: Any, tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    desk = open_desk(sources={"safe": JsonFiles(tmp_path)})
    file = tmp_path / "1.json"
    file.write_text('{"pin": "0000", "status": "open"}')
    open_it = opener(desk, "safe")
    plan = desk.confirmed(open_it.propose())
    file.write_text(text)
    with caplog.at_level(logging.DEBUG, logger="lastlook"):
        checks = desk.look.check(plan)
        outcome = desk.look.dispatch(plan)
        with pytest.raises(CaptureFailed) as refused:
            open_it.propose()
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.reason == f"safe:1: no answer; {WITHHELD}"
    more = checks, outcome, outcome.text(), json.dumps(outcome.data()), refused.value, caplog.text
    assert told_by(desk, *more) == []


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_record_without_a_canonical_form_tells_nothing_of_a_secret(
    open_desk: Any, record: Any, caplog: pytest.LogCaptureFixture
) -> None:
    world: dict[str, Any] = {"1": {"pin": "0000", "status": "open"}}
    desk = open_desk(sources={"safe": PythonSource(world.__getitem__)})
    open_it = opener(desk, "safe")
    plan = desk.confirmed(open_it.propose())
    world["1"] = record
    with caplog.at_level(logging.DEBUG, logger="lastlook"):
        outcome = desk.look.dispatch(plan)
        with pytest.raises(LastlookError) as refused:
            open_it.propose()
    assert isinstance(outcome, BlockedUnresolvable)
    assert WITHHELD in outcome.reason
    more = outcome, outcome.text(), json.dumps(outcome.data()), refused.value, caplog.text
    assert told_by(desk, *more) == []
    assert WITHHELD in str(refused.value)


def test_a_source_that_speaks_of_a_secret_is_not_quoted(open_desk: Any) -> None:
    world: dict[str, Any] = {"1": {"pin": "0000", "status": "open"}}
    desk = open_desk(sources={"safe": PythonSource(world.__getitem__)})
    open_it = opener(desk, "safe")
    for answer, kind in [
        (NoAccess(f"{WORD} is wrong"), "no access"),
        (NotFound(f"no {WORD} here"), "not found"),
        (NoAnswer(f"{WORD} timed out"), "no answer"),
    ]:
        world["1"] = {"pin": "0000", "status": "open"}
        plan = desk.confirmed(open_it.propose())
        world["1"] = answer
        outcome = desk.look.dispatch(plan)
        assert outcome.reason == f"safe:1: {kind}; {WITHHELD}"
        with pytest.raises(CaptureFailed) as refused:
            open_it.propose()
        assert told_by(desk, outcome.text(), json.dumps(outcome.data()), refused.value) == []
