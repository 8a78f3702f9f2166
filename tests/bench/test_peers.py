"""The comparison page is what the script says of those that are always here."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.meta.tree import ROOT

PAGE = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def peers() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "bench"))
    yield importlib.import_module("peers")
    sys.path.remove(str(ROOT / "bench"))


@pytest.fixture
def alone(peers: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script where no other package is installed, whatever is here."""
    monkeypatch.setattr(peers, "installed", lambda package: None if package else "")
    return peers


@pytest.mark.slow
def test_the_rows_that_need_no_other_package_are_as_the_page_has_them(alone: ModuleType) -> None:
    rows = [row for row in alone.table(alone.worlds()) if "not measured" not in row]
    assert len(rows) == 2 + 4
    assert [row for row in rows if row not in PAGE.splitlines()] == []


@pytest.mark.slow
def test_a_package_that_is_not_here_is_said_not_to_be_measured(alone: ModuleType) -> None:
    found = alone.worlds()
    assert found["Lastlook"]["ran"] == [1, 1, 0, 0, 1]
    assert found["agentbarrier"]["ran"] is None
    (row,) = [row for row in alone.table(found) if row.startswith("| agentbarrier ")]
    assert row.count("not measured") == len(alone.WORLDS)


def test_every_guard_of_the_script_has_its_row_on_the_page(peers: ModuleType) -> None:
    assert [name for name in peers.GUARDS if f"\n| {name} |" not in PAGE] == []


def test_a_package_is_known_by_its_version(peers: ModuleType) -> None:
    assert peers.installed("msgspec")
    assert peers.installed("") == ""
    assert peers.installed("no-such-package-is-here") is None


@pytest.mark.slow
def test_it_runs_and_prints_ratios(
    alone: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alone.logging, "disable", lambda _: None)
    monkeypatch.setattr(alone, "looks", lambda: {"Lastlook, check": 0.1})
    assert alone.main(["--rounds", "1"]) == 0
    said = capsys.readouterr().out
    assert "beside one fsync" in said
    assert "Lastlook, check                       0.100" in said
