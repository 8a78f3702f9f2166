"""The published agent: an event handed over right after the last look, or a stale plan."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.errors import NotRun
from lastlook.published import StalePlan
from lastlook.testing import START, FakeClock
from tests.examples.conftest import EXAMPLES

TEN = datetime(2026, 10, 23, 10, tzinfo=UTC)


class Office:
    """The example's agent over one slot, with Ana's yes at hand."""

    def __init__(self, module: Any, folder: Path) -> None:
        self.module = module
        self.clock = FakeClock()
        self.agent = module.CalendarAgent(folder, clock=self.clock)
        self.put()

    def put(self, **changes: Any) -> None:
        path = self.agent.slots / "slot-42.json"
        path.write_text(json.dumps(self.module.SLOT | changes), encoding="utf-8")

    def confirmed(self, title: str = "Stand-up") -> Any:
        plan = self.agent.book_slot.propose("slot-42", title)
        assert self.agent.look.confirm(plan, by="ana").ok
        return plan

    def events(self) -> list[Path]:
        return sorted(self.agent.outbox.iterdir())


@pytest.fixture
def office(load: Any, tmp_path: Path) -> Office:
    return Office(load("calendar_agent"), tmp_path)


def test_an_event_is_handed_over_where_nothing_changed(office: Office) -> None:
    plan = office.confirmed()
    office.clock.advance(60)
    made = office.agent.hand_over(plan)
    assert office.events() == [made.ics]
    assert made.ics.read_bytes() == (
        b"BEGIN:VCALENDAR\r\n"
        b"VERSION:2.0\r\n"
        b"PRODID:-//Lastlook//Calendar agent//EN\r\n"
        b"BEGIN:VEVENT\r\n"
        b"UID:" + plan.steps[0].key.encode() + b"\r\n"
        b"DTSTAMP:20261023T100100Z\r\n"
        b"DTSTART:20261023T100000Z\r\n"
        b"DTEND:20261023T103000Z\r\n"
        b"SUMMARY:Stand-up\r\n"
        b"END:VEVENT\r\n"
        b"END:VCALENDAR\r\n"
    )
    assert made.intent == (
        "intent://com.android.calendar/events#Intent;scheme=content;"
        "action=android.intent.action.INSERT;"
        "l.beginTime=1792749600000;l.endTime=1792751400000;S.title=Stand-up;end"
    )


def test_a_slot_that_was_taken_surfaces_a_stale_plan_and_no_event(office: Office) -> None:
    plan = office.confirmed()
    office.clock.advance(90)
    office.put(status="unavailable")
    came = office.agent.hand_over(plan)
    assert came == StalePlan(
        reason="slots:slot-42: status changed",
        captured_at=START,
        detected_at=START + timedelta(seconds=90),
    )
    assert office.events() == []


def test_a_slot_that_is_gone_surfaces_a_stale_plan_and_no_event(office: Office) -> None:
    plan = office.confirmed()
    (office.agent.slots / "slot-42.json").unlink()
    came = office.agent.hand_over(plan)
    assert isinstance(came, StalePlan)
    assert came.reason == "slots:slot-42: not found"
    assert office.events() == []


def test_another_scheduler_that_touched_the_slot_stops_nothing(office: Office) -> None:
    plan = office.confirmed()
    office.put(last_modified_by="scheduler-v2")
    assert office.events() == []
    office.agent.hand_over(plan)
    assert len(office.events()) == 1


def test_a_slot_that_moved_is_asked_about_afresh_with_its_new_time(office: Office) -> None:
    plan = office.confirmed()
    office.put(time="2026-10-23T14:00:00+02:00")
    came = office.agent.hand_over(plan)
    assert isinstance(came, StalePlan)
    assert came.reason == "slots:slot-42: time changed"
    fresh = office.agent.look.renew(plan)
    assert office.agent.look.confirm(fresh, by="ana").ok
    made = office.agent.hand_over(fresh)
    assert b"DTSTART:20261023T120000Z\r\n" in made.ics.read_bytes()


def test_a_plan_opens_the_calendar_once(office: Office) -> None:
    plan = office.confirmed()
    office.agent.hand_over(plan)
    with pytest.raises(NotRun, match="was already used"):
        office.agent.hand_over(plan)
    assert len(office.events()) == 1


def test_the_person_is_told_that_the_event_is_not_saved_yet(office: Office) -> None:
    (effect,) = office.confirmed().estimated_side_effects
    assert effect.text.endswith("you save it")
    assert effect.undo == "close the calendar without saving"


@pytest.mark.parametrize("title", ["bell \x07", "nul \0", "del \x7f"])
def test_a_title_that_no_calendar_takes_is_refused_while_it_is_a_plan(
    office: Office, title: str
) -> None:
    with pytest.raises(ValueError, match="control character"):
        office.agent.book_slot.propose("slot-42", title)


def test_a_time_without_a_zone_is_no_instant(office: Office) -> None:
    with pytest.raises(ValueError, match="zone"):
        office.module.instant("2026-10-23T10:00:00")


def test_a_title_cannot_add_a_line_or_an_extra(office: Office) -> None:
    title = "Lunch\r\nATTENDEE:mailto:eve@example.org\n;S.title=x;end, a\\b"
    made = office.agent.hand_over(office.confirmed(title))
    lines = unfolded(made.ics.read_bytes())
    assert not any(line.startswith("ATTENDEE") for line in lines)
    (summary,) = [line for line in lines if line.startswith("SUMMARY:")]
    assert summary == (
        "SUMMARY:Lunch\\nATTENDEE:mailto:eve@example.org\\n\\;S.title=x\\;end\\, a\\\\b"
    )
    assert made.intent.count(";S.title=") == 1
    assert made.intent.endswith(";end")
    assert unquote(made.intent.rsplit(";S.title=")[1].removesuffix(";end")) == title


def unfolded(data: bytes) -> list[str]:
    """Return the content lines of an iCalendar file, as a reader takes them (RFC 5545 3.1)."""
    assert data.endswith(b"\r\n")
    return data.replace(b"\r\n ", b"").decode().removesuffix("\r\n").split("\r\n")


def unescaped(text: str) -> str:
    """Return a TEXT value as a reader takes it (RFC 5545 3.3.11)."""
    plain, escape = "", False
    for letter in text:
        if escape:
            plain += {"n": "\n", "N": "\n"}.get(letter, letter)
        elif letter != "\\":
            plain += letter
        escape = letter == "\\" and not escape
    return plain


source: dict[str, Any] = {"__name__": "calendar_agent_for_properties"}
exec((EXAMPLES / "calendar_agent.py").read_text(encoding="utf-8"), source)

TITLES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.just("\n"))


@given(title=TITLES)
def test_every_title_is_read_back_from_folded_lines_of_75_octets(title: str) -> None:
    event = source["Event"]("uid", title, TEN, TEN + timedelta(minutes=30))
    data = source["ics"](event, stamp=TEN)
    raw = data.split(b"\r\n")
    assert all(len(line) <= 75 for line in raw)
    assert all(line.decode() is not None for line in raw)
    (summary,) = [line for line in unfolded(data) if line.startswith("SUMMARY:")]
    assert unescaped(summary.removeprefix("SUMMARY:")) == title


@given(title=TITLES)
def test_every_title_is_read_back_from_the_intent(title: str) -> None:
    event = source["Event"]("uid", title, TEN, TEN + timedelta(minutes=30))
    head, *extras = source["insert_intent"](event).split("#Intent;")[1].split(";")
    assert head == "scheme=content"
    assert extras[-1] == "end"
    named = dict(extra.split("=", 1) for extra in extras[:-1])
    assert list(named) == ["action", "l.beginTime", "l.endTime", "S.title"]
    assert unquote(named["S.title"]) == title
