"""Change histories of public records, and the plans that `histories.py` makes on them.

A history is a file of JSON lines, one a commit: `t` is when (seconds since 1970), `set` and
`unset` are what changed in which record, `del` are records that went. One history has only
the names of the changed fields (`new`, `changed`, `del`). The files are other people's data;
they are read where the environment variable LASTLOOK_DATA says, and nothing of them is kept.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

DAY = 86_400
HOUR = 3_600

Record = dict[str, Any]
Commit = dict[str, Any]


class Version(NamedTuple):
    """A record from a moment on; `record` is None where it is gone."""

    since: int
    record: Record | None


class Plan(NamedTuple):
    """What somebody might plan on a record, and what that plan would rest on.

    `conditions` gives the fields in the form for conditions, from the record as `counted`
    returns it and the day on which the plan is made; none at all where it makes no sense on that
    day. Without it there are no values to compare.
    """

    name: str
    declared: tuple[str, ...]
    conditions: Callable[[Record, int], tuple[str, ...]] | None = None


class History(NamedTuple):
    """One file and what is tried on it."""

    name: str
    origin: str
    plans: tuple[Plan, ...]
    step: int = DAY
    lags: tuple[int, ...] = (1, 7, 30)

    @property
    def unit(self) -> str:
        """The word for one step of time."""
        return "days" if self.step == DAY else "hours"


def counted(record: Record) -> Record:
    """Return the record with its days as numbers too, as a source for conditions gives them.

    `eol` is a date, `False` (no end is announced) or `True` (it has ended).
    """
    more: Record = {}
    for name in ("startDate", "endDate", "cfpEndDate", "dueDate", "eol"):
        if name in record:
            more[f"{name}_day"] = _day(str(record[name]))
    return record | more


def _day(text: str) -> int | None:
    if text in {"True", "False"}:
        return 0 if text == "True" else date.max.toordinal()
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        return None


def _travel(record: Record, today: int) -> tuple[str, ...]:
    """Booked from the day before the first to the day after the last; not for the past."""
    first, last = record["startDate_day"], record["endDate_day"]
    if first <= today:
        return ()
    return "city", f"startDate_day >= {first - 1}", f"endDate_day <= {last + 1}"


def _talk(record: Record, today: int) -> tuple[str, ...]:
    if record["cfpEndDate_day"] <= today:
        return ()
    return "cfpUrl", f"cfpEndDate_day >= {today + 1}"


def _keep(record: Record, today: int) -> tuple[str, ...]:
    if record["eol_day"] < today + 90:
        return ()
    return (f"eol_day >= {today + 90}",)


def _install(record: Record, today: int) -> tuple[str, ...]:
    if record["eol_day"] <= today:
        return ()
    return "latest", f"eol_day >= {today + 1}"


def _defer(record: Record, _today: int) -> tuple[str, ...]:
    return 'knownRansomwareCampaignUse == "Unknown"', f"dueDate_day >= {record['dueDate_day']}"


CONFERENCES = (
    Plan("travel to it", ("city", "country", "startDate", "endDate"), _travel),
    Plan("propose a talk", ("cfpUrl", "cfpEndDate"), _talk),
)
RELEASES = (
    Plan("stay on the line", ("eol",), _keep),
    Plan("install the latest patch", ("latest", "eol"), _install),
)
DEFERRED = ("knownRansomwareCampaignUse", "dueDate", "requiredAction")

HISTORIES = (
    History("conf_general_2020", "tech-conferences/conference-data", CONFERENCES),
    History("conf_general_2023", "tech-conferences/conference-data", CONFERENCES),
    History("eol_python", "endoflife-date/endoflife.date", RELEASES),
    History("eol_nodejs", "endoflife-date/endoflife.date", RELEASES),
    History("eol_kubernetes", "endoflife-date/endoflife.date", RELEASES),
    History("kev", "cisagov/kev-data", (Plan("patch at the next window", DEFERRED, _defer),)),
    History(
        "pge_outages_changed_fields_only",
        "simonw/pge-outages",
        (Plan("say when the power is back", ("CURRENT_ETOR", "CREW_CURRENT_STATUS")),),
        step=HOUR,
        lags=(1, 6, 24),
    ),
)
"""What is measured, in this order."""

MADE_UP = History("made_up", "made up for this benchmark", RELEASES)
"""What is measured where there are no files, to show that the script works."""


def made_up() -> Iterator[Commit]:
    """Yield a history that nobody lived: three release lines over a year."""
    begin = 1_735_689_600
    lines = {
        name: {"eol": "2027-10-01", "latest": f"{name}.0", "releaseCycle": name}
        for name in ("1", "2", "3")
    }
    yield {"t": begin, "set": lines}
    for week in range(1, 40):
        name = str(week % 3 + 1)
        yield {"t": begin + week * 7 * DAY, "set": {name: {"latest": f"{name}.{week}"}}}
    yield {"t": begin + 280 * DAY, "set": {"2": {"eol": "2026-01-01"}}}
    yield {"t": begin + 300 * DAY, "del": ["1"]}


def commits(path: Path) -> Iterator[Commit]:
    """Yield the lines of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def versions(lines: Iterable[Commit]) -> dict[str, list[Version]]:
    """Return the versions of every record, oldest first; two neighbours always differ."""
    known: dict[str, list[Version]] = {}
    for line in lines:
        for key, record in _changed(line, known).items():
            before = known.setdefault(key, [])
            if before and before[-1].record == record:
                continue
            before.append(Version(line["t"], record))
    return known


def _changed(line: Commit, known: dict[str, list[Version]]) -> dict[str, Record | None]:
    """Return what one commit made of the records that it names."""
    now: dict[str, Record | None] = {}

    def current(key: str) -> Record:
        there = now[key] if key in now else known[key][-1].record if key in known else None
        return dict(there or {})

    for key in line.get("new", ()):
        now[key] = dict.fromkeys(NAMED, 0)
    for key, names in line.get("changed", {}).items():
        was = current(key)
        now[key] = was | {name: was.get(name, 0) + 1 for name in names}
    for key, values in line.get("set", {}).items():
        now[key] = current(key) | values
    for key, names in line.get("unset", {}).items():
        now[key] = {name: value for name, value in current(key).items() if name not in names}
    return now | dict.fromkeys(line.get("del", ()))


NAMED = ("CURRENT_ETOR", "CREW_CURRENT_STATUS", "LAST_UPDATE")
"""What every record of the history without values has from the start.

A value stands for it: how often its name was among the changed. So a value that went back to
an earlier one counts as changed.
"""
