"""What must be a type error is one, and what must not be isn't.

Each file in cases/ is checked by `mypy --strict`, never run. `# E: code` at the end of a line says
that mypy reports an error of this code there, `# R: type` what it reveals; anything else fails.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from mypy import api

from tests.meta.tree import ROOT

CASES = sorted(Path(__file__).with_name("cases").glob("*.py"))
EXPECTED = re.compile(r"#\s*(?P<kind>[ER]): (?P<what>.+?)\s*$")
REPORTED = re.compile(
    r"^(?P<file>[^:]+\.py):(?P<line>\d+): (?P<kind>error|note): (?P<text>.*?)"
    r"(?:  \[(?P<code>[\w-]+)\])?$"
)
REVEALED = re.compile(r'^Revealed type is "(?P<type>.*)"$')


class Finding(NamedTuple):
    """One line of one case, and what is said about it: an error's code or a revealed type."""

    line: int
    kind: str
    what: str


def expected(case: Path) -> set[Finding]:
    return {
        Finding(number, found["kind"], what.strip())
        for number, line in enumerate(case.read_text(encoding="utf-8").splitlines(), 1)
        if (found := EXPECTED.search(line))
        for what in (found["what"].split(", ") if found["kind"] == "E" else [found["what"]])
    }


@cache
def report() -> str:
    """What mypy says about all cases, in one run."""
    out, err, _ = api.run(
        [
            "--strict",
            "--config-file=",
            f"--cache-dir={ROOT / '.mypy_cache' / 'cases'}",
            "--python-version=3.11",
            "--no-error-summary",
            "--no-pretty",
            "--hide-error-context",
            "--show-error-codes",
            "--enable-error-code=exhaustive-match",
            "--follow-imports=silent",
            *map(str, CASES),
        ]
    )
    assert err == ""
    return out


def found(case: Path) -> set[Finding]:
    findings = set()
    for line in report().splitlines():
        hit = REPORTED.match(line)
        if not hit or Path(hit["file"]).name != case.name:
            continue
        if hit["kind"] == "error":
            findings.add(Finding(int(hit["line"]), "E", hit["code"] or hit["text"]))
        elif revealed := REVEALED.match(hit["text"]):
            findings.add(Finding(int(hit["line"]), "R", short(revealed["type"])))
    return findings


def short(name: str) -> str:
    """A type without the modules it comes from."""
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z])", "", name)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_type_checker_sees_what_the_case_says(case: Path) -> None:
    said = "\n".join(line for line in report().splitlines() if case.name in line)
    assert sorted(found(case)) == sorted(expected(case)), said


def test_every_case_says_something_that_must_be_an_error_or_a_type() -> None:
    assert CASES
    assert [case.name for case in CASES if not expected(case)] == []
