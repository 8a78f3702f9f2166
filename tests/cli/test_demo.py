"""Whatever the demo prints is what its runs came to, and what the articles say."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path

import pytest

from lastlook.cli.demo import demo_data, demo_parts
from lastlook.cli.demo_runs import BY, FIELDS, REF, Demo, run_demo
from lastlook.cli.demo_shop import RECORDS
from lastlook.core.evidence import capture
from lastlook.core.lifecycle import State
from lastlook.core.outcome import BlockedStale, Executed
from lastlook.core.screens import outcome_screen
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(str(tmp_path_factory.mktemp("demo")))


@pytest.fixture(scope="module")
def text(demo: Demo) -> str:
    return "\n".join(part.plain() for part in demo_parts(demo, zone=UTC))


def test_the_published_comparison_comes_out_as_published(demo: Demo, text: str) -> None:
    v1, v2, v3 = demo.versions
    assert (v1.published, v2.published) == ("ed3a5680f29c3dae", "94c87157b0f0cba5")
    assert v3.published == v1.published
    blocks, passes, unprotected = demo.published
    assert (blocks.captured, blocks.current) == (v1.published, v2.published)
    assert (blocks.word, blocks.booked) == ("BLOCKS", ())
    assert (passes.captured, passes.current) == (v1.published, v3.published)
    assert (passes.word, passes.booked) == ("PASSES", ("booked slot-42",))
    assert (unprotected.protected, unprotected.word) == (False, "EXECUTES")
    assert unprotected.booked == ("booked slot-42",)
    assert demo.holds
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "protected v1 to v2 ed3a5680 vs 94c87157 BLOCKS nothing booked" in lines
    assert "protected v1 to v3 ed3a5680 vs ed3a5680 PASSES booked slot-42" in lines
    assert "unprotected v1 to v2 no look EXECUTES booked slot-42" in lines


def test_the_fingerprints_in_full_are_those_of_the_records(demo: Demo, text: str) -> None:
    for version in demo.versions:
        assert version.record == RECORDS[version.name]
        assert version.full == capture(version.record, FIELDS, ref=REF).fingerprint
        assert version.full in text
    blocks, passes, _ = demo.full
    v1, v2, v3 = demo.versions
    assert (blocks.captured, blocks.current) == (v1.full, v2.full)
    assert (passes.captured, passes.current) == (v1.full, v3.full)
    assert v1.full == v3.full != v2.full


def test_the_amount_was_worked_out_again_and_ran_once(demo: Demo, text: str) -> None:
    priced = demo.priced
    before, after = priced.prices
    assert isinstance(priced.blocked, BlockedStale)
    assert priced.blocked.changed == {REF: ("/price",)}
    assert priced.question.plan.steps[0].arguments["price"] == before
    assert priced.afresh.plan.steps[0].arguments["price"] == after
    assert priced.afresh.previous == priced.question.plan
    assert priced.blocked.fresh == priced.afresh.plan
    assert isinstance(priced.executed, Executed)
    assert priced.executed.plan == priced.afresh.plan
    assert priced.booked == (f"booked slot-42 for {after}",)
    for outcome in (priced.blocked, priced.executed):
        assert outcome_screen(outcome, zone=UTC).plain() in text
    assert f"{before} -> {after}" in text
    assert "worked out again" in text


def test_every_yes_is_the_demos_own_and_it_says_so(demo: Demo, text: str) -> None:
    yeses = [item.confirmation.by for item in demo.records if item.confirmation]
    assert set(yeses) == {BY} == {"person:demo"}
    assert text.count(f"said through the API, as {BY}") == 2


def test_the_journal_is_the_stores_own(demo: Demo, text: str) -> None:
    states = [item.state for item in demo.records]
    assert states.count(State.EXECUTED) == 2
    assert states.count(State.BLOCKED_STALE) == 2
    assert demo.verified in " ".join(text.split())
    assert f"{len(demo.rows)} rows" in demo.verified


def test_the_verb_prints_it_and_leaves_nothing_behind(run: Run) -> None:
    answer = run("demo")
    assert answer.code == 0
    assert answer.err == ""
    (folder,) = (word for word in answer.out.split() if "lastlook-demo-" in word)
    assert not Path(folder).exists()


def test_no_line_of_its_own_is_wider_than_80_columns(demo: Demo) -> None:
    *parts, journal = demo_parts(demo, zone=UTC)
    lines = [line for part in parts for line in part.plain().splitlines()]
    lines[1] = ""  # names the folder, however long its path is
    assert max(map(len, lines)) <= 80
    assert "lastlook init" in journal.plain()


def test_json_gives_the_figures(run: Run, demo: Demo) -> None:
    said = run("demo", "--json")
    assert said.data["holds"] is True
    assert said.data["published"] == json.loads(json.dumps(demo_data(demo)["published"]))
    assert said.data["ll1"] == json.loads(json.dumps(demo_data(demo)["ll1"]))
    assert said.data["priced"]["executed"]["outcome"] == "executed"


def test_slow_waits_after_each_part(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("lastlook.cli.demo.time.sleep", waited.append)
    assert run("demo", "--slow").code == 0
    assert len(waited) >= 4
    assert min(waited) > 0


def test_a_comparison_that_comes_out_otherwise_is_no_success(demo: Demo) -> None:
    from msgspec.structs import replace

    assert not replace(demo, published=demo.published[:2]).holds
    assert not replace(demo, full=demo.full[::-1]).holds
