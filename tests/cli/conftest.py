"""A folder with a lastlook.toml, a slot and a command, and the command line in this process."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lastlook.cli import main
from lastlook.testing import ScriptedAsker


class Ran(NamedTuple):
    """One command line: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The one JSON object on standard output, which holds nothing else."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The error that stands in that object."""
        assert self.data["exit"] == self.code
        return self.data["error"]


Run = Callable[..., Ran]

SLOT = {
    "slot_id": "slot-42",
    "time": "2026-11-03T14:00",
    "status": "available",
    "price": 80,
    "last_modified_by": "scheduler-v1",
}
BOOK = """\
#!/bin/sh
echo "booked $*"
echo "$*" >>bookings.txt
"""


class World:
    """A folder with slots/slot-42.json and book.sh, which notes each booking in a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "slots").mkdir(parents=True)
        self.slot()
        self.script("book.sh", BOOK)

    def slot(self, **changes: object) -> None:
        """Write the slot as somebody else would."""
        text = json.dumps(SLOT | changes, indent=2)
        (self.folder / "slots" / "slot-42.json").write_text(text, encoding="utf-8")

    def script(self, name: str, text: str) -> None:
        """Write a program."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def toml(self, text: str) -> None:
        """Write the lastlook.toml."""
        (self.folder / "lastlook.toml").write_text(text, encoding="utf-8")

    @property
    def booked(self) -> list[str]:
        """What was booked: the real effects."""
        path = self.folder / "bookings.txt"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever runs the tests at a terminal is not asked at it, and each test has its store."""
    monkeypatch.setattr("lastlook.terminal_channels.DEVICE", str(tmp_path / "no-terminal"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path / "world")
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process, a person answering what the test says."""

    def go(*words: str, answers: tuple[Any, ...] | None = None) -> Ran:
        capfd.readouterr()
        asker = None if answers is None else ScriptedAsker(*answers)
        code = main(words, asker=asker)
        out, err = capfd.readouterr()
        return Ran(code, out, err)

    return go


@pytest.fixture
def tamper(tmp_path: Path) -> Callable[[str], None]:
    """Run one SQL statement on the user's store, past everything that guards it."""

    def go(sql: str) -> None:
        path = tmp_path / "state" / "lastlook" / "plans.db"
        with sqlite3.connect(path) as raw:
            raw.execute(sql)
        raw.close()

    return go
