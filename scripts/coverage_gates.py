"""Hold what was measured against what must be reached, part by part.

Reads the JSON report of coverage.py. Where a part must be whole, one line or branch left out is
named and fails; so does a part in which nothing was measured.

    python scripts/coverage_gates.py coverage.json
"""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple


class Gate(NamedTuple):
    """One part of the source and the least share of lines and branches that tests must reach."""

    part: str
    percent: float


GATES = (
    Gate("src/lastlook/core/", 100.0),
    Gate("src/lastlook/dispatch/", 100.0),
    Gate("src/lastlook/", 90.0),
)


def main(path: str) -> int:
    """Print a line for each gate, and what is missing below a failed one; 1 if one failed."""
    with open(path, encoding="utf-8") as report:
        files: dict[str, Any] = json.load(report)["files"]
    failed = [gate for gate in GATES if not passes(gate, files)]
    return 1 if failed else 0


def passes(gate: Gate, files: dict[str, Any]) -> bool:
    """Tell whether `gate` holds, and print how near it is."""
    part = {name: entry for name, entry in files.items() if gate.part in name.replace("\\", "/")}
    if not part:
        print(f"coverage  {gate.part:24} nothing was measured")
        return False
    reached = share(part)
    good = reached >= gate.percent
    word = "ok" if good else "TOO LOW"
    print(f"coverage  {gate.part:24} {reached:6.2f}% of {gate.percent:.0f}%  {word}")
    if not good:
        for name, entry in sorted(part.items()):
            if missing := gaps(entry):
                print(f"    {name}: {', '.join(missing)}")
    return good


def share(part: dict[str, Any]) -> float:
    """Give the share of lines and branches together that were reached, in percent."""
    all_of_them = reached = 0
    for entry in part.values():
        summary = entry["summary"]
        all_of_them += summary["num_statements"] + summary["num_branches"]
        reached += summary["covered_lines"] + summary["covered_branches"]
    return 100.0 * reached / all_of_them if all_of_them else 100.0


def gaps(entry: dict[str, Any]) -> list[str]:
    """Name the lines that were not reached, and the other branches that were not taken."""
    lines = sorted(entry["missing_lines"])
    runs: list[list[int]] = []
    for line in lines:
        if runs and runs[-1][1] == line - 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    branches = [
        f"{start} -> {'exit' if end < 0 else end}"
        for start, end in entry["missing_branches"]
        if start not in lines and end not in lines
    ]
    return [f"{a}-{b}" if a < b else str(a) for a, b in runs] + branches


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
