"""What Lastlook costs beside the published four lines.

Each figure is a ratio of two times that were taken in one process, in turns, the least
of many: what else the machine does then falls on both. `--json` prints one object.

A group of figures is a function that takes no arguments and returns names with numbers;
add it to `GROUPS`, and its limit, where it has one, to `LIMITS`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from dispatching import dispatch_figures, import_figures, sqlite_figures
from lastlook.core.check import Stale, Valid, check
from lastlook.core.evidence import Evidence, capture

RECORD = {
    "slot_id": "slot-42",
    "time": "2026-10-23T10:00:00Z",
    "status": "available",
    "last_modified_by": "scheduler-v1",
}
FIELDS = ["slot_id", "status"]

LIMITS: dict[str, float] = {
    "validate_vs_published": 0.5,
    "capture_vs_published": 1.5,
    "per_dependency_10000_vs_100": 1.3,
    "dispatch_vs_published": 15,
    "import_ms": 60,
}
"""What a figure may be at most."""


def published(record: Mapping[str, Any], fields: list[str]) -> str:
    """Return the fingerprint as the published sketch takes it: four lines, a dict in."""
    selected = {f: record.get(f) for f in fields}
    payload = json.dumps(selected, sort_keys=True)
    return hashlib.sha256(payload.encode()).hexdigest()[:16]


def least(
    tried: Mapping[str, Callable[[], object]], *, number: int, rounds: int
) -> dict[str, float]:
    """Return the least seconds that one call of each took, called in turns.

    Args:
        tried: Functions by name.
        number: Calls of one function in one turn.
        rounds: Turns.
    """
    best = dict.fromkeys(tried, float("inf"))
    turn = range(number)
    for _ in range(rounds):
        for name, function in tried.items():
            began = perf_counter()
            for _ in turn:
                function()
            best[name] = min(best[name], (perf_counter() - began) / number)
    return best


def core_figures() -> dict[str, float]:
    """Return what a check and a capture of one dependency cost."""
    evidence = capture(RECORD, FIELDS)
    changed = {**RECORD, "status": "unavailable"}
    assert isinstance(check(evidence, RECORD), Valid)
    assert isinstance(check(evidence, changed), Stale)
    times = least(
        {
            "published": lambda: published(RECORD, FIELDS),
            "validate": lambda: check(evidence, RECORD),
            "validate_changed": lambda: check(evidence, changed),
            "capture": lambda: capture(RECORD, FIELDS),
        },
        number=1000,
        rounds=60,
    )
    return {
        "published_us": times["published"] * 1e6,
        "validate_us": times["validate"] * 1e6,
        "capture_us": times["capture"] * 1e6,
        "validate_vs_published": times["validate"] / times["published"],
        "validate_changed_vs_published": times["validate_changed"] / times["published"],
        "capture_vs_published": times["capture"] / times["published"],
    }


def scaling_figures() -> dict[str, float]:
    """Return what a dependency costs among 10,000, beside one among 100.

    Captured, and checked for the first time, which verifies the evidence too.
    """
    records = [{**RECORD, "slot_id": f"slot-{n}"} for n in range(10_000)]

    def dependencies(count: int, best: list[float]) -> None:
        """Capture and check this many, and note the least time of each slice of 500."""
        evidence: list[Evidence[Any]] = []
        for at, begin in enumerate([*range(0, count, 500)] * 2):
            chosen = range(begin, min(begin + 500, count))
            began = perf_counter()
            if len(evidence) < count:
                evidence += [capture(records[n], FIELDS, ref=f"slots:{n}") for n in chosen]
            else:
                results = [check(evidence[n], records[n]) for n in chosen]
                assert all(isinstance(result, Valid) for result in results)
            best[at] = min(best[at], perf_counter() - began)

    times = {100: [float("inf")] * 2, 10_000: [float("inf")] * 40}
    for _ in range(12):
        dependencies(10_000, times[10_000])
        for _ in range(20):
            dependencies(100, times[100])
    few, many = sum(times[100]) / 100, sum(times[10_000]) / 10_000
    return {
        "first_check_and_capture_us": few * 1e6,
        "per_dependency_10000_vs_100": many / few,
    }


GROUPS: list[Callable[[], dict[str, float]]] = [
    core_figures,
    scaling_figures,
    lambda: dispatch_figures(RECORD, lambda: published(RECORD, FIELDS)),
    lambda: sqlite_figures(RECORD),
    import_figures,
]
"""What is measured, in this order."""


def lines(figures: Mapping[str, float]) -> list[str]:
    """Return the figures for people, each with its limit where it has one."""
    shown = []
    for name, value in figures.items():
        limit = LIMITS.get(name)
        kept = "" if limit is None else f"   at most {limit:g}: {'yes' if value <= limit else 'NO'}"
        shown.append(f"{name:34} {value:10.3f}{kept}")
    return shown


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and return 0; with `--check`, 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description="What Lastlook costs.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--check", action="store_true", help="fail where a limit is passed")
    chosen = parser.parse_args(arguments)
    figures: dict[str, float] = {}
    for group in GROUPS:
        figures |= group()
    print(json.dumps(figures, indent=2) if chosen.json else "\n".join(lines(figures)))
    passed = [name for name, limit in LIMITS.items() if figures.get(name, 0) > limit]
    return 1 if chosen.check and passed else 0


if __name__ == "__main__":
    sys.exit(main())
