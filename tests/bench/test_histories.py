"""The counts on change histories: right on a small history, and the page is what they say."""

from __future__ import annotations

import gzip
import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.meta.tree import ROOT

MEASURED = ROOT / "docs" / "measured"
DAY = 86_400


@pytest.fixture(scope="module")
def histories() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "bench"))
    yield importlib.import_module("histories")
    sys.path.remove(str(ROOT / "bench"))


@pytest.fixture(scope="module")
def committed() -> dict[str, Any]:
    return json.loads((MEASURED / "histories.json").read_text(encoding="utf-8"))


def rows(measured: dict[str, Any], plan: str, unit: str) -> dict[int, dict[str, Any]]:
    return {r["lag"]: r for r in measured["rows"] if (r["plan"], r["unit"]) == (plan, unit)}


def line(days: int, **what: Any) -> dict[str, Any]:
    return {"t": 1_700_000_000 + days * DAY, **what}


LIFE = [
    line(0, set={"a": {"eol": "2030-01-01", "latest": "a.0"}}),
    line(10, set={"a": {"latest": "a.1"}}),
    line(20, set={"a": {"latest": "a.2", "eol": "2031-01-01"}}),
    line(30, set={"a": {"eol": "2023-12-30"}}),
    line(40, **{"del": ["a"]}),
]


def test_each_way_blocks_by_what_it_rests_on(histories: ModuleType) -> None:
    found = rows(histories.measure(histories.MADE_UP, iter(LIFE)), "stay on the line", "versions")
    # Not made on the fourth version: its end is less than 90 days away.
    assert (found[1]["plans"], found[1]["not_made"], found[1]["gone"]) == (3, 1, 0)
    assert {way: share["blocked"] for way, share in found[1]["ways"].items()} == {
        "whole": 3,
        "declared": 2,
        "conditions": 1,
    }
    assert (found[2]["plans"], found[2]["gone"]) == (3, 1)
    assert found[2]["ways"]["conditions"]["blocked"] == 2
    assert found[5]["plans"] == 0
    assert found[5]["ways"]["whole"]["share"] is None


def test_a_plan_is_made_every_day_and_looked_at_later(histories: ModuleType) -> None:
    found = rows(histories.measure(histories.MADE_UP, iter(LIFE)), "stay on the line", "days")
    # Made on days 0 to 29; blocked where the change lies between the plan and the look.
    assert (found[7]["plans"], found[7]["not_made"]) == (30, 4)
    assert {way: share["blocked"] for way, share in found[7]["ways"].items()} == {
        "whole": 21,
        "declared": 14,
        "conditions": 7,
    }
    assert "interval" not in found[7]["ways"]["whole"]


def test_a_history_without_values_counts_names(histories: ModuleType) -> None:
    outages = histories.HISTORIES[-1]
    lines = [
        line(0, new=["x"]),
        line(1, changed={"x": ["LAST_UPDATE"]}),
        line(2, changed={"x": ["CURRENT_ETOR", "CITY"]}),
        line(3, **{"del": ["x"]}),
    ]
    (plan,) = outages.plans
    found = rows(histories.measure(outages, iter(lines)), plan.name, "versions")[1]
    assert (found["plans"], found["gone"]) == (3, 1)
    assert [found["ways"][way]["blocked"] for way in ("whole", "declared")] == [3, 2]
    assert "conditions" not in found["ways"]


def test_a_commit_that_changes_nothing_makes_no_version(histories: ModuleType) -> None:
    lines = [
        line(0, set={"a": {"x": 1}}),
        line(1, set={"a": {"x": 1}}),
        line(2, unset={"a": ["x"]}),
    ]
    known = importlib.import_module("change_histories").versions(lines)
    assert [version.record for version in known["a"]] == [{"x": 1}, {}]


@pytest.mark.parametrize(
    ("hits", "of", "expected"),
    [(0, 10, (0.0, 0.2775)), (10, 10, (0.7225, 1.0)), (5, 10, (0.2366, 0.7634)), (0, 0, (0, 1))],
)
def test_an_interval_is_wilsons(
    histories: ModuleType, hits: int, of: int, expected: tuple[float, float]
) -> None:
    assert histories.wilson(hits, of) == pytest.approx(expected, abs=1e-4)


def test_without_the_folder_it_says_so_and_runs_on_a_made_up_one(
    histories: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("LASTLOOK_DATA", raising=False)
    assert histories.main([]) == 0
    said = capsys.readouterr()
    assert "LASTLOOK_DATA is not set" in said.err
    assert "| made_up | stay on the line | 1 version later | 41 |" in said.out
    assert histories.main([]) == 0
    assert capsys.readouterr() == said


def test_a_folder_is_read_and_what_is_missing_is_said(
    histories: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    lines = "".join(json.dumps(each) + "\n" for each in LIFE)
    (tmp_path / "eol_python.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    monkeypatch.setenv("LASTLOOK_DATA", str(tmp_path))
    assert histories.main(["--json"]) == 0
    said = capsys.readouterr()
    assert [each["history"] for each in json.loads(said.out)["histories"]] == ["eol_python"]
    assert "kev: not in the folder, left out" in said.err


def test_the_page_has_the_tables_of_the_committed_counts(
    histories: ModuleType, committed: dict[str, Any]
) -> None:
    page = (MEASURED / "histories.md").read_text(encoding="utf-8")
    assert histories.placed(page, histories.tables(committed)) == page


def test_the_script_prints_the_page_s_tables(
    histories: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    histories.main(["--summary", str(MEASURED / "histories.json")])
    page = (MEASURED / "histories.md").read_text(encoding="utf-8")
    printed = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert len(printed) == 3
    assert [table for table in printed if table not in page] == []


def test_the_plot_is_drawn_from_the_committed_counts(
    histories: ModuleType, committed: dict[str, Any]
) -> None:
    drawn = (MEASURED / "histories.svg").read_text(encoding="utf-8")
    assert histories.plot(committed) == drawn


def test_the_committed_counts_hold_no_data_of_others(committed: dict[str, Any]) -> None:
    for history in committed["histories"]:
        assert set(history) == {
            *("history", "origin", "from", "to", "records", "versions", "rows"),
        }
        for row in history["rows"]:
            assert set(row) == {"plan", "unit", "lag", "plans", "not_made", "gone", "ways"}


@pytest.mark.slow
@pytest.mark.skipif("LASTLOOK_DATA" not in os.environ, reason="needs the histories")
def test_two_histories_give_the_committed_counts_again(
    histories: ModuleType, committed: dict[str, Any]
) -> None:
    known = {each["history"]: each for each in committed["histories"]}
    folder = Path(os.environ["LASTLOOK_DATA"])
    for history in histories.HISTORIES[1:3]:
        path = folder / f"{history.name}.jsonl.gz"
        measured = histories.measure(history, histories.commits(path))
        assert json.loads(json.dumps(measured)) == known[history.name]
