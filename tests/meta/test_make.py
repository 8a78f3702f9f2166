"""What `make` offers, and the gates it holds coverage to."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.tree import ROOT, tracked

TARGETS = "bench clean conformance cov demo docs format help imports injective lint lock package quick setup test test-all types"


def test_make_alone_lists_every_target() -> None:
    answer = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert sorted(re.findall(r"^  make ([a-z-]+)", answer.stdout, re.MULTILINE)) == TARGETS.split()


@pytest.mark.parametrize("target", ["demo", "test", "lint", "types", "docs", "bench", "lock"])
def test_a_target_passes_its_arguments_on(target: str) -> None:
    answer = subprocess.run(
        ["make", "--no-print-directory", "-n", target, "ARGS=--some-option"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--some-option" in answer.stdout


def test_every_script_can_be_run_and_read_by_its_shell() -> None:
    scripts = [
        p for p in tracked() if p.read_bytes().startswith((b"#!/bin/sh", b"#!/usr/bin/env b"))
    ]
    assert {p.name for p in scripts} >= {"setup", "test", "lock", "package", "run"}
    for path in scripts:
        shell = "bash" if "bash" in path.read_text(encoding="utf-8").split("\n")[0] else "sh"
        subprocess.run([shell, "-n", str(path)], check=True)
        assert path.stat().st_mode & 0o100, path


def entry(
    lines: int = 10, reached: int = 10, branches: int = 4, taken: int = 4
) -> dict[str, object]:
    return {
        "summary": {
            "num_statements": lines,
            "covered_lines": reached,
            "num_branches": branches,
            "covered_branches": taken,
        },
        "missing_lines": list(range(1, lines - reached + 1)),
        "missing_branches": [[9, -1]] * (branches - taken),
    }


WHOLE = {
    "src/lastlook/core/check.py": entry(),
    "src/lastlook/dispatch/acting.py": entry(),
    "src/lastlook/app.py": entry(),
}


@pytest.mark.parametrize(
    ("files", "code", "said"),
    [
        (WHOLE, 0, "src/lastlook/core/       100.00% of 100%  ok"),
        (WHOLE | {"src/lastlook/core/check.py": entry(taken=3)}, 1, "check.py: 9 -> exit"),
        (WHOLE | {"src/lastlook/core/check.py": entry(reached=8)}, 1, "check.py: 1-2\n"),
        (WHOLE | {"src/lastlook/app.py": entry(reached=2)}, 1, "of 90%  TOO LOW"),
        (WHOLE | {"src/lastlook/app.py": entry(reached=9)}, 0, "of 90%  ok"),
        ({"src/lastlook/app.py": entry()}, 1, "nothing was measured"),
    ],
)
def test_a_gate_holds_its_part_and_names_what_is_missing(
    tmp_path: Path, files: dict[str, object], code: int, said: str
) -> None:
    report = tmp_path / "coverage.json"
    report.write_text(json.dumps({"files": files}), encoding="utf-8")
    answer = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "coverage_gates.py"), str(report)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == code
    assert said in answer.stdout
