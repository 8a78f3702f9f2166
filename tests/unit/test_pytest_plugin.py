"""The fixtures for pytest: found by an entry point, made anew, and nobody's who doesn't ask."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

from tests.meta.tree import ROOT

USED = """\
import pytest

from lastlook import Executed, Lastlook, Planning

slots = {"slot-42": {"status": "available"}}
look = Lastlook(sources={"slots": slots})


@look.tool(writes=["slots:{slot_id}"])
def book(slot_id: str) -> str:
    return f"booked {slot_id}"


@look.planner("Book {slot_id}", expires_in=60)
def book_slot(plan: Planning, slot_id: str) -> None:
    plan.read(f"slots:{slot_id}", "status == 'available'")
    plan.step(book, slot_id=slot_id)


@pytest.fixture
def quiet_look(look_clock, look_asker, memory_store):
    with look.override(clock=look_clock, asker=look_asker, store=memory_store):
        yield look


def test_a_yes_books(quiet_look, look_asker):
    look_asker.then("yes")
    assert isinstance(book_slot.run("slot-42"), Executed)


def test_nobody_answers_by_default(quiet_look, memory_store):
    assert not book_slot.run("slot-42").ok
    assert len(memory_store.plans()) == 1


def test_the_clock_is_the_tests(quiet_look, look_clock):
    plan = book_slot.propose("slot-42")
    look_clock.advance(61)
    assert quiet_look.confirm(plan, by="ana").name == "expired"
"""


def pytest_run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a program and a folder of its own."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_a_test_file_uses_clock_person_and_store(tmp_path: Path) -> None:
    (tmp_path / "test_booking.py").write_text(USED, encoding="utf-8")
    ran = pytest_run(tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert "3 passed" in ran.stdout


def test_a_file_that_names_none_runs_without_any(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text("def test_it():\n    pass\n", encoding="utf-8")
    ran = pytest_run(tmp_path, "--setup-show")
    assert ran.returncode == 0, ran.stdout
    assert "look_" not in ran.stdout


def test_pytest_finds_the_plugin_by_its_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]["pytest11"]
    assert points == {"lastlook": "lastlook.pytest_plugin"}
    plugin = import_module(points["lastlook"])
    for name in ("look_clock", "look_asker", "memory_store"):
        assert getattr(plugin, name).__doc__
