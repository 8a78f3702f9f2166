"""What neighbours of Lastlook do when a record changes after the yes, and what that costs.

Each guards the same call, a booking that is counted, in five worlds; then whole guarded
actions are timed in turns, in one process. Nothing here is a dependency of Lastlook: a
package that is not installed is said not to be, and not measured.

    python -m venv elsewhere && elsewhere/bin/pip install . \
        agentbarrier freshctx agent-coherence langgraph pydantic-ai-slim openai-agents
    elsewhere/bin/python bench/peers.py [--json]
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from lastlook import capture, check
from overhead import FIELDS, least, published
from peer_guards import GUARDS, SLOT, WORLDS, Bookings, Guard, World

TIMED = ("Lastlook", "agentbarrier", "freshctx, the file", "agent-coherence, gate")
"""Those whose whole guarded action is timed: they keep what they did on disk."""

Figures = dict[str, Any]


def installed(package: str) -> str | None:
    """Return the version of a package that is here, empty where none is needed, or None."""
    try:
        return version(package) if package else ""
    except PackageNotFoundError:
        return None


def acted(guard: Guard, world: World) -> Bookings:
    """Return what ran behind this guard, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slots" / "slot-42.json"
        path.parent.mkdir()
        path.write_text(json.dumps(SLOT), encoding="utf-8")
        return guard(path, world)


def worlds() -> Figures:
    """Return for each guard how often the booking ran in each world; None: not measured."""
    found: Figures = {}
    for name, (package, guard) in GUARDS.items():
        here = installed(package)
        ran = None if here is None else [len(acted(guard, world)) for world in WORLDS]
        found[name] = {"package": package, "version": here, "ran": ran}
    return found


def looks() -> dict[str, float]:
    """Return what one look at an unchanged record of two fields costs, record in hand."""
    kept, before, evidence = dict(SLOT), published(SLOT, FIELDS), capture(SLOT, FIELDS)
    times = least(
        {
            "the record, compared with ==": lambda: kept == SLOT,
            "the published four lines": lambda: published(SLOT, FIELDS) == before,
            "Lastlook, check": lambda: check(evidence, SLOT),
        },
        number=1000,
        rounds=60,
    )
    base = times["the published four lines"]
    return {name: round(took / base, 3) for name, took in times.items()}


def actions(rounds: int) -> dict[str, float]:
    """Return what a whole guarded action costs beside one fsync: the middle of many, in turns."""
    taken: dict[str, list[float]] = {"fsync": []}
    for _ in range(rounds):
        taken["fsync"].append(_fsync())
        for name in TIMED:
            package, guard = GUARDS[name]
            if installed(package) is not None:
                ran = acted(guard, WORLDS[0])
                taken.setdefault(name, []).append(ran.ended - ran.began)
    base = median(taken.pop("fsync"))
    return {name: round(median(times) / base, 2) for name, times in taken.items()}


def _fsync() -> float:
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/beside", "wb", 0) as file:
        began = perf_counter()
        file.write(b"x" * 4096)
        os.fsync(file.fileno())
        return perf_counter() - began


def table(found: Figures) -> list[str]:
    """Return the worlds as a Markdown table."""
    lines = [f"| guarded by | version | {' | '.join(world.name for world in WORLDS)} |"]
    lines.append(f"|---|---|{'---|' * len(WORLDS)}")
    for name, each in found.items():
        ran = ["not measured"] * len(WORLDS) if each["ran"] is None else map(_said, each["ran"])
        lines.append(f"| {name} | {each['version'] or ''} | {' | '.join(ran)} |")
    return lines


def _said(times: int) -> str:
    return ("does not run", "runs", "runs twice")[times]


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and return 0."""
    parser = argparse.ArgumentParser(description="Lastlook beside its neighbours.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=25, help="how often each action is timed")
    chosen = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)  # blocks are what is tried here
    found = {"worlds": worlds(), "look": looks(), "action": actions(chosen.rounds)}
    if chosen.json:
        print(json.dumps(found, indent=1))
        return 0
    print("\n".join(table(found["worlds"])))
    print("\none look at an unchanged record, beside the published four lines")
    print("\n".join(f"  {name:34} {ratio:8.3f}" for name, ratio in found["look"].items()))
    print("\na whole guarded action that is kept on disk, beside one fsync")
    print("\n".join(f"  {name:34} {ratio:8.2f}" for name, ratio in found["action"].items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
