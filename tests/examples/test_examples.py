"""Each example does what its first lines say, and is run as a program as well."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lastlook import Executed
from lastlook.core.lifecycle import State
from lastlook.core.outcome import NotConfirmed, Partial
from lastlook.errors import NotRun
from lastlook.testing import ScriptedAsker
from tests.examples.conftest import EXAMPLES

SLOT = {"slot_id": "slot-42", "time": "2026-11-03T14:00", "status": "available"}
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.fixture
def slot(tmp_path: Path) -> Path:
    path = tmp_path / "slots" / "slot-42.json"
    path.parent.mkdir()
    path.write_text(json.dumps(SLOT), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_an_example_runs_as_a_program_without_a_terminal(
    name: str, run_example: Any, slot: Path
) -> None:
    done = run_example(name)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.strip()


def test_the_readmes_ten_lines_are_the_quickstart_to_the_letter() -> None:
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    first = re.search(r"^```python\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    assert first is not None
    assert (EXAMPLES / "quickstart.py").read_text(encoding="utf-8") == first[1]


def test_quickstart_books_after_a_yes(load: Any, slot: Path) -> None:
    quickstart = load("quickstart")
    quickstart.look.world.asker = ScriptedAsker("yes")
    outcome = quickstart.book_slot.run("slot-42", "Stand-up")
    assert outcome.unwrap() == ("booked slot-42 for Stand-up",)


def test_quickstart_asks_afresh_when_the_time_moves_and_not_when_it_is_taken(
    load: Any, slot: Path
) -> None:
    quickstart = load("quickstart")

    def moved(_: object) -> str:
        slot.write_text(json.dumps(SLOT | {"time": "2026-11-03T15:00"}), encoding="utf-8")
        return "yes"

    def taken(_: object) -> str:
        slot.write_text(json.dumps(SLOT | {"status": "unavailable"}), encoding="utf-8")
        return "yes"

    quickstart.look.world.asker = ScriptedAsker(moved, taken)
    outcome = quickstart.book_slot.run("slot-42", "Stand-up")
    assert outcome.name == "blocked_stale"
    assert outcome.plan.number == 2
    assert 'only makes sense while status is "available"' in outcome.why_no_fresh


def test_quickstart_without_a_terminal_leaves_the_plan_waiting(
    run_example: Any, slot: Path
) -> None:
    assert "has no yes" in run_example("quickstart").stdout


def test_compare_blocks_where_a_declared_field_changed_and_nowhere_else(
    load: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {run.version: run for run in load("compare").main()}
    assert {name: run.published for name, run in rows.items()} == {
        "v1": "ed3a5680f29c3dae",
        "v2": "94c87157b0f0cba5",
        "v3": "ed3a5680f29c3dae",
    }
    assert {name: run.protected for name, run in rows.items()} == {
        "v1": "EXECUTES",
        "v2": "BLOCKS",
        "v3": "EXECUTES",
    }
    assert [run.bookings_protected for run in rows.values()] == [1, 0, 1]
    assert [run.bookings_unprotected for run in rows.values()] == [1, 1, 1]
    assert rows["v1"].ll1 == rows["v3"].ll1 != rows["v2"].ll1
    assert "person:demo" in capsys.readouterr().out


def test_two_steps_uses_the_result_and_shows_a_stop_halfway(
    load: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, halfway = load("two_steps").main()
    assert whole.unwrap() == ({"reference": "R-W1"}, "letter to kim@example.org about R-W1")
    assert isinstance(halfway, Partial)
    assert [item.tool for item in halfway.done] == ["refund"]
    assert halfway.changed == {"orders:W2": ("/email",)}
    assert "STOPPED HALFWAY" in capsys.readouterr().out


def test_web_app_does_the_three_verbs_in_three_processes_once(run_example: Any) -> None:
    first, *rest = run_example("web_app").stdout.splitlines()
    assert first.startswith("propose  Book slot-42 for Stand-up while ")
    assert rest == [
        "confirm  confirmed",
        "dispatch executed",
        "dispatch already_used",
        "slot-42 Stand-up",
    ]


def test_web_app_takes_no_yes_without_the_right_seal_and_plans_a_reload_once(
    run_example: Any, slot: Path, tmp_path: Path
) -> None:
    folder = str(tmp_path)
    page, again = (json.loads(run_example("web_app", "propose", folder).stdout) for _ in "12")
    assert page == again
    wrong = run_example("web_app", "confirm", folder, page["plan"], "sha256:00", "ana")
    assert wrong.returncode == 1
    assert "seal" in json.loads(wrong.stdout)["error"]
    early = json.loads(run_example("web_app", "dispatch", folder, page["plan"]).stdout)
    assert early["outcome"] == "not_confirmed"
    assert not (tmp_path / "bookings.txt").exists()
    assert run_example("web_app", "dance").returncode != 0


def test_web_app_blocks_in_the_worker_what_changed_after_the_yes(
    run_example: Any, slot: Path, tmp_path: Path
) -> None:
    folder = str(tmp_path)
    page = json.loads(run_example("web_app", "propose", folder).stdout)
    said = run_example("web_app", "confirm", folder, page["plan"], page["seal"], "ana")
    assert json.loads(said.stdout)["outcome"] == "confirmed"
    slot.write_text(json.dumps(SLOT | {"status": "unavailable"}), encoding="utf-8")
    blocked = json.loads(run_example("web_app", "dispatch", folder, page["plan"]).stdout)
    assert blocked["outcome"] == "blocked_stale"
    assert not (tmp_path / "bookings.txt").exists()


@pytest.fixture
def seats(load: Any, tmp_path: Path) -> Any:
    (tmp_path / "12C.json").write_text(json.dumps(load("guarded").SEAT), encoding="utf-8")
    return tmp_path


def test_guarded_buys_after_a_yes_and_raises_without_one(load: Any, seats: Path) -> None:
    buy = load("guarded").make_buy(seats, asker=ScriptedAsker("yes", "no"))
    assert buy("12C", limit=100) == "bought 12C"
    with pytest.raises(NotRun):
        buy("12C", limit=100)
    assert (seats / "bought.txt").read_text(encoding="utf-8") == "12C\n"


def test_guarded_buys_nothing_when_the_price_passes_the_limit_meanwhile(
    load: Any, seats: Path
) -> None:
    def dearer(_: object) -> str:
        seat = json.loads((seats / "12C.json").read_text(encoding="utf-8"))
        (seats / "12C.json").write_text(json.dumps(seat | {"price": 101}), encoding="utf-8")
        return "yes"

    buy = load("guarded").make_buy(seats, asker=ScriptedAsker(dearer))
    with pytest.raises(NotRun, match="price is at most 100"):
        buy("12C", limit=100)
    assert not (seats / "bought.txt").exists()


def test_by_hand_asks_afresh_and_runs_what_carries_no_old_value(load: Any) -> None:
    outcome = load("by_hand").changed_before_dispatch(office="Delft")
    assert isinstance(outcome, Executed)
    assert outcome.plan.number == 2


def test_by_hand_has_no_fresh_plan_for_an_address_that_changed(load: Any) -> None:
    outcome = load("by_hand").changed_before_dispatch(email="kim@elsewhere.example")
    assert outcome.name == "blocked_stale"
    assert outcome.fresh is None
    assert 'to "kim@example.org"' in outcome.why_no_fresh


def test_by_hand_waits_for_a_yes(load: Any, tmp_path: Path) -> None:
    mail = load("by_hand").Mail(tmp_path)
    plan = mail.propose()
    assert isinstance(mail.look.dispatch(plan), NotConfirmed)
    assert mail.look.get(plan.id)[1] is State.PENDING
    assert not mail.sent.exists()
