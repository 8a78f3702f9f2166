"""The published agent, in small: a slot is booked through the system's own calendar.

    python examples/calendar_agent.py

The agent never writes into a calendar. It hands over a pre-filled event, as an iCalendar
file (RFC 5545) for a desktop and as an intent for Android, and the person saves it there.
So the last look comes right before that hand-over: where the slot changed meanwhile, no
event is made, and a StalePlan(reason, captured_at, detected_at) is put before the person.
Nobody is asked here: the yes comes through the API, as person:demo.
"""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from lastlook import (
    Act,
    ActionPlan,
    BlockedStale,
    BlockedUnresolvable,
    JsonFiles,
    Lastlook,
    Planning,
)
from lastlook.clock import SystemClock
from lastlook.core.ports import Clock
from lastlook.published import StalePlan

SLOT = {
    "slot_id": "slot-42",
    "time": "2026-10-23T10:00:00Z",
    "status": "available",
    "last_modified_by": "scheduler-v1",
}
EVENTS = "content://com.android.calendar/events"


class Event(NamedTuple):
    """An event as the calendar is asked to show it; nothing is saved yet."""

    uid: str
    title: str
    begins: datetime
    ends: datetime


class HandedOver(NamedTuple):
    """What the system's calendar is opened with."""

    ics: Path
    intent: str


class CalendarAgent:
    """An agent over a folder of slots; events go to `outbox`."""

    def __init__(self, folder: Path, *, clock: Clock | None = None, store: Any = "memory") -> None:
        self.slots = folder / "slots"
        self.outbox = folder / "outbox"
        self.slots.mkdir(exist_ok=True)
        self.outbox.mkdir(exist_ok=True)
        clock = clock or SystemClock()
        self.look = Lastlook(sources={"slots": JsonFiles(self.slots)}, store=store, clock=clock)

        @self.look.tool(
            writes=[],
            effect="opens the calendar with {title}, {begins}, {minutes} minutes; you save it",
            undo="close the calendar without saving",
        )
        def open_calendar(act: Act, title: str, begins: str, minutes: int) -> dict[str, str]:
            """Hand a pre-filled event to the system's calendar."""
            start = instant(begins)
            # The same key, and so the same event, however often the calendar is opened.
            event = Event(act.key, title, start, start + timedelta(minutes=minutes))
            path = self.outbox / f"{act.key[:16]}.ics"
            path.write_bytes(ics(event, stamp=clock.now()))
            return {"ics": str(path), "intent": insert_intent(event)}

        @self.look.planner("Book {slot_id} for {title}")
        def book_slot(plan: Planning, slot_id: str, title: str) -> None:
            refuse_controls(title)
            slot = plan.read(f"slots:{slot_id}", "slot_id", "status == 'available'", "time")
            plan.step(open_calendar, title=title, begins=slot["time"], minutes=30)

        self.book_slot = book_slot

    def hand_over(self, plan: ActionPlan) -> HandedOver | StalePlan:
        """Take the last look, and open the calendar or say what is stale.

        Where there is a fresh question, `look.renew(plan)` returns it.

        Raises:
            NotRun, MayHaveRun: It is neither, as for a plan that was used before.
        """
        outcome = self.look.dispatch(plan)
        if isinstance(outcome, BlockedStale | BlockedUnresolvable):
            return StalePlan.of(outcome)
        (made,) = outcome.unwrap()
        return HandedOver(Path(made["ics"]), made["intent"])


def ics(event: Event, *, stamp: datetime) -> bytes:
    """Return the event as an iCalendar file: CRLF, folded at 75 octets (RFC 5545 3.1)."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Lastlook//Calendar agent//EN",
        "BEGIN:VEVENT",
        f"UID:{event.uid}",
        f"DTSTAMP:{utc(stamp)}",
        f"DTSTART:{utc(event.begins)}",
        f"DTEND:{utc(event.ends)}",
        f"SUMMARY:{escaped(event.title)}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return b"".join(folded(line) for line in lines)


def insert_intent(event: Event) -> str:
    """Return Android's `ACTION_INSERT` for the event, as `Intent.toUri` writes it."""
    extras = [
        f"l.beginTime={milliseconds(event.begins)}",
        f"l.endTime={milliseconds(event.ends)}",
        f"S.title={quote(event.title, safe=_PLAIN)}",
    ]
    data = EVENTS.removeprefix("content:")
    head = f"intent:{data}#Intent;scheme=content;action=android.intent.action.INSERT"
    return ";".join([head, *extras, "end"])


_PLAIN = "_-!.~'()*"  # what Uri.encode leaves as it is, beside letters and digits


def escaped(text: str) -> str:
    """Return a TEXT value (RFC 5545 3.3.11)."""
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,")):
        text = text.replace(plain, written)
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")


def folded(line: str) -> bytes:
    """Return a content line, folded so that no character is cut in two."""
    parts, rest, room = [], line.encode(), 75
    while len(rest) > room:
        cut = room
        while rest[cut] & 0xC0 == 0x80:  # in the middle of a character
            cut -= 1
        parts.append(rest[:cut])
        rest, room = rest[cut:], 74  # the space that marks the fold is one octet
    return b"\r\n ".join([*parts, rest]) + b"\r\n"


def refuse_controls(text: str) -> None:
    """Refuse what no TEXT value may hold, while there is only a plan."""
    if any((ord(c) < 32 and c not in "\t\r\n") or ord(c) == 127 for c in text):
        raise ValueError(f"{text!r} holds a control character")


def instant(text: str) -> datetime:
    """Return a time of day with its zone; one without could be many instants."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text!r} names no zone")
    return at


def utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def milliseconds(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def main() -> None:
    print("each yes is given through the API, as person:demo\n")
    for change in ({}, {"status": "unavailable"}, {"last_modified_by": "scheduler-v2"}):
        with tempfile.TemporaryDirectory() as folder:
            agent = CalendarAgent(Path(folder))
            slot = agent.slots / "slot-42.json"
            slot.write_text(json.dumps(SLOT), encoding="utf-8")
            plan = agent.book_slot.propose("slot-42", "Stand-up; bring coffee, please")
            agent.look.confirm(plan, by="demo")
            slot.write_text(json.dumps(SLOT | change), encoding="utf-8")
            print(f"-- after the yes: {change or 'nothing changes'}")
            came = agent.hand_over(plan)
            if isinstance(came, HandedOver):
                print(came.intent)
                print(came.ics.read_text(encoding="utf-8"))
            else:
                print(came, "\n")


if __name__ == "__main__":
    main()
