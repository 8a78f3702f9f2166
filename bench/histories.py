"""How often a plan would have been blocked, on change histories of public records.

For each history and each plan made on it, three ways to look again: at the whole record, at
the declared fields, and by conditions. A plan is made on one version of a record and looked
at again 1, 2 and 5 versions later; and made at the same hour of every day and looked at again
1, 7 and 30 days later (outages: every hour; 1, 6 and 24 hours later). Every look is the library's own `capture` and `check`.

    LASTLOOK_DATA=folder python bench/histories.py [--json]
    python bench/histories.py --summary docs/measured/histories.json     # the tables again
    LASTLOOK_DATA=folder python bench/histories.py --write docs/measured
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from change_histories import (
    DAY,
    HISTORIES,
    MADE_UP,
    Commit,
    History,
    Plan,
    Version,
    commits,
    counted,
    made_up,
    versions,
)
from history_plot import plot
from lastlook.core.check import Stale, Valid, check
from lastlook.core.evidence import Evidence, capture
from lastlook.errors import ConditionNotMet, PathNamesNothing

WAYS = ("whole", "declared", "conditions")
COLUMNS = (
    *("history", "plan", "looked at again", "plans", "gone"),
    *("whole record", "declared fields", "conditions"),
)
VERSION_LAGS = (1, 2, 5)
EPOCH = date(1970, 1, 1).toordinal()

Row = dict[str, Any]
Summary = dict[str, Any]


class Looks:
    """The looks at one record for one plan, each taken once however often it is asked for."""

    def __init__(self, plan: Plan, way: str, record: list[Version]) -> None:
        self.plan, self.way = plan, way
        self._views = [
            counted(version.record) if version.record and way == "conditions" else version.record
            for version in record
        ]
        self._fields_on: dict[tuple[int, int], tuple[str, ...]] = {}
        self._evidence: dict[tuple[int, tuple[str, ...]], Evidence[Any] | None] = {}
        self._results: dict[tuple[int, tuple[str, ...], int], str] = {}

    def result(self, planned: int, moment: int, looked: int) -> str:
        """Return `valid`, `stale`, `gone`, or `unplanned` where no such plan can be made.

        Args:
            planned: The version that the plan is made on.
            moment: When it is made (seconds since 1970).
            looked: The version that is there when it is looked at again.
        """
        fields = self._declared(planned, EPOCH + moment // DAY)
        key = (planned, fields, looked)
        if key not in self._results:
            self._results[key] = self._look(planned, fields, looked)
        return self._results[key]

    def _look(self, planned: int, fields: tuple[str, ...], looked: int) -> str:
        if (planned, fields) not in self._evidence:
            self._evidence[planned, fields] = self._capture(planned, fields)
        evidence = self._evidence[planned, fields]
        if evidence is None:
            return "unplanned"
        now = self._views[looked]
        if now is None:
            return "gone"
        result = check(evidence, now)
        assert isinstance(result, Valid | Stale), result
        return "valid" if isinstance(result, Valid) else "stale"

    def _capture(self, planned: int, fields: tuple[str, ...]) -> Evidence[Any] | None:
        try:
            return capture(self._views[planned], fields) if fields else None
        except (ConditionNotMet, PathNamesNothing):
            return None

    def _declared(self, planned: int, today: int) -> tuple[str, ...]:
        if self.way == "whole":
            return ("$",)
        if self.way == "declared":
            return self.plan.declared
        if (planned, today) not in self._fields_on:
            self._fields_on[planned, today] = self._conditions(planned, today)
        return self._fields_on[planned, today]

    def _conditions(self, planned: int, today: int) -> tuple[str, ...]:
        assert self.plan.conditions is not None
        try:
            return self.plan.conditions(self._views[planned] or {}, today)
        except (KeyError, TypeError):  # a date that is not there, or is none
            return ()


def pairs(
    record: list[Version], lag: int, begin: int, end: int, step: int
) -> Iterator[tuple[int, int, int]]:
    """Yield which version a plan is made on, when, and which one is there when it is looked at.

    Args:
        record: The versions of one record.
        lag: How much later it is looked at: versions, or steps of time.
        begin: The first moment.
        end: The last moment.
        step: Seconds between two plans; 0 where plans are made on each version.
    """
    if not step:
        for planned in range(len(record) - lag):
            if record[planned].record is not None:
                yield planned, record[planned].since, planned + lag
        return
    times = [version.since for version in record]
    for moment in range(begin, end - lag * step + 1, step):
        planned = bisect_right(times, moment) - 1
        if planned >= 0 and record[planned].record is not None:
            yield planned, moment, bisect_right(times, moment + lag * step) - 1


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    z = 1.959964
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def row(plan: Plan, unit: str, lag: int, seen: Counter[tuple[str, ...]], ways: list[str]) -> Row:
    """Return one line of the tables.

    Args:
        plan: The plan.
        unit: What `lag` counts.
        lag: How much later it is looked at again.
        seen: How often the ways had these results. It counts only where the plan can be made
            in every way, so that all ways are counted over the same plans.
        ways: The ways, in the order of the results.
    """
    made = {results: times for results, times in seen.items() if "unplanned" not in results}
    plans = sum(made.values())
    shares: dict[str, Any] = {}
    for number, way in enumerate(ways):
        blocked = sum(n for results, n in made.items() if results[number] != "valid")
        shares[way] = {"blocked": blocked, "share": round(blocked / plans, 4) if plans else None}
        if unit == "versions":
            shares[way]["interval"] = [round(end, 4) for end in wilson(blocked, plans)]
    return {
        "plan": plan.name,
        "unit": unit,
        "lag": lag,
        "plans": plans,
        "not_made": seen.total() - plans,
        "gone": sum(n for results, n in made.items() if "gone" in results),
        "ways": shares,
    }


def measure(history: History, lines: Iterator[Commit]) -> Row:
    """Return all counts for one history."""
    records = versions(lines)
    times = [version.since for record in records.values() for version in record]
    begin, end = min(times), max(times)
    tried = [(plan, unit, lag) for plan in history.plans for unit, lags in (
        ("versions", VERSION_LAGS), (history.unit, history.lags)) for lag in lags]  # fmt: skip
    looks = {
        (plan.name, way): [Looks(plan, way, record) for record in records.values()]
        for plan in history.plans
        for way in (WAYS if plan.conditions else WAYS[:2])
    }
    rows = []
    for plan, unit, lag in tried:
        ways = [way for name, way in looks if name == plan.name]
        step = 0 if unit == "versions" else history.step
        seen = Counter(
            tuple(looks[plan.name, way][number].result(*pair) for way in ways)
            for number, record in enumerate(records.values())
            for pair in pairs(record, lag, begin, end, step)
        )
        rows.append(row(plan, unit, lag, seen, ways))
    return {
        "history": history.name,
        "origin": history.origin,
        "from": f"{datetime.fromtimestamp(begin, UTC):%Y-%m-%d}",
        "to": f"{datetime.fromtimestamp(end, UTC):%Y-%m-%d}",
        "records": len(records),
        "versions": sum(version.record is not None for v in records.values() for version in v),
        "rows": rows,
    }


def table(summary: Summary, *, versions: bool) -> list[str]:
    """Return the Markdown table of one kind of lag."""
    lines = [
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
    ]
    for history in summary["histories"]:
        for each in history["rows"]:
            if (each["unit"] == "versions") == versions:
                name = history["history"].removesuffix("_changed_fields_only")
                first = [name, each["plan"], _later(each["lag"], each["unit"])]
                cells = [_cell(each["ways"].get(way)) for way in WAYS]
                numbers = [str(each["plans"]), str(each["gone"])]
                lines.append(f"| {' | '.join([*first, *numbers, *cells])} |")
    return lines


def _later(lag: int, unit: str) -> str:
    return f"{lag} {unit if lag > 1 else unit.removesuffix('s')} later"


def _cell(way: dict[str, Any] | None) -> str:
    if way is None:
        return "not tried"
    if way["share"] is None:
        return "no plan"
    said = f"{way['blocked']}, {_percent(way['share'], way['blocked'])}"
    if "interval" in way:
        low, high = (_percent(end) for end in way["interval"])
        said += f" ({low} to {high})"
    return said


def _percent(share: float, of: int = 0) -> str:
    if of and share < 0.001:
        return "under 0.1%"
    return f"{share * 100:.1f}".removesuffix(".0") + "%"


def described(summary: Summary) -> list[str]:
    """Return the Markdown table of the histories themselves."""
    lines = ["| history | from | records | versions | first commit | last commit |"]
    lines.append("|---|---|---|---|---|---|")
    for each in summary["histories"]:
        named = ("history", "origin", "records", "versions", "from", "to")
        lines.append(f"| {' | '.join(str(each[name]) for name in named)} |")
    return lines


def tables(summary: Summary) -> dict[str, str]:
    """Return the three tables by the names that their places on the page have."""
    return {
        "histories": "\n".join(described(summary)),
        "versions": "\n".join(table(summary, versions=True)),
        "time": "\n".join(table(summary, versions=False)),
    }


def placed(page: str, parts: dict[str, str]) -> str:
    """Return the page with each table in its place, between its two comments."""
    for name, text in parts.items():
        begin, end = f"<!-- table: {name} -->", f"<!-- end: {name} -->"
        place = re.compile(f"(?s){re.escape(begin)}.*?{re.escape(end)}")
        assert place.search(page), f"the page has no place for the table {name}"
        page = place.sub(lambda _, t=f"{begin}\n{text}\n{end}": t, page)  # type: ignore[misc]
    return page


def everything(folder: str | None) -> Summary:
    """Return the counts of every history in the folder; of a made-up one without a folder."""
    if not folder:
        say("LASTLOOK_DATA is not set: this is one small made-up history, not the measurement.")
        return {"made_up": True, "histories": [measure(MADE_UP, made_up())]}
    found = []
    for history in HISTORIES:
        path = Path(folder) / f"{history.name}.jsonl.gz"
        if not path.is_file():
            say(f"{history.name}: not in the folder, left out")
            continue
        say(f"{history.name} ...")
        found.append(measure(history, commits(path)))
    return {"made_up": False, "histories": found}


def write(summary: Summary, folder: Path) -> None:
    """Write the summary, the plot, and the tables into the page that is there."""
    page = folder / "histories.md"
    page.write_text(placed(page.read_text("utf-8"), tables(summary)), encoding="utf-8")
    (folder / "histories.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    (folder / "histories.svg").write_text(plot(summary), encoding="utf-8")


def say(words: str) -> None:
    """Tell the person how far it is, beside what is printed."""
    print(words, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Measure or read a summary, print it, and return 0."""
    parser = argparse.ArgumentParser(description="How often a plan would have been blocked.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--summary", type=Path, metavar="FILE", help="print this one, don't measure"
    )
    parser.add_argument(
        "--write", type=Path, metavar="FOLDER", help="put page and plot right there"
    )
    chosen = parser.parse_args(arguments)
    if chosen.summary:
        summary = json.loads(chosen.summary.read_text("utf-8"))
    else:
        summary = everything(os.environ.get("LASTLOOK_DATA"))
    if chosen.write and not summary["made_up"]:
        write(summary, chosen.write)
    if chosen.json:
        print(json.dumps(summary, indent=1))
    else:
        print("\n\n".join(tables(summary).values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
