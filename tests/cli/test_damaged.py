"""One damaged plan takes no listing down: the others are shown, and it is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Run, World
from tests.cli.test_exit_codes import proposed

Tamper = Callable[[str], None]

DAMAGE = {
    "an outcome that is no JSON": "outcome = X'FFFE'",
    "a yes by nobody": "yes_by = NULL, yes_at = state_at, yes_seal = 's', yes_shown = 'x'",
    "a yes to nothing shown": "yes_shown = NULL, yes_at = state_at, yes_by = 'b', yes_seal = 's'",
    "a state that is none": "state = 'lost'",
    "a time that is none": "state_at = 'now'",
    "text that is none": "requested_by = CAST(X'FFFE' AS TEXT)",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_the_other_plans_are_listed_and_the_damaged_one_is_named(
    world: World, run: Run, tamper: Tamper, damage: str
) -> None:
    whole, bad = proposed(run), proposed(run)
    tamper(f"UPDATE plans SET {damage} WHERE id = '{bad}'")
    for verb in ("journal", "pending"):
        ran = run(verb)
        assert ran.code == 0
        assert f"  {whole}  " in ran.out
        assert "Damaged, and not shown in full: " in ran.out
        assert "lastlook doctor" in ran.out
        (named,) = run(verb, "--json").data["damaged"]
        assert named == bad or named.startswith("(row ")
    shown = run("show", bad, "--json")
    assert (shown.code, shown.error["type"]) == (1, "StoreCorrupt")
    assert run("show", whole).code == 0
    assert run("journal", "verify").code == 1
    doctor = run("doctor")
    assert (doctor.code, "Traceback" in doctor.err) == (1, False)


@pytest.mark.parametrize(
    ("column", "value"), [("data", "X'FFFE'"), ("state", "'lost'"), ("at", "'now'")]
)
def test_a_damaged_row_costs_the_rows_of_its_plan_alone(
    world: World, run: Run, tamper: Tamper, column: str, value: str
) -> None:
    whole, bad = proposed(run), proposed(run)
    tamper(f"UPDATE journal SET {column} = {value} WHERE plan = '{bad}'")
    ran = run("journal")
    assert ran.code == 0
    assert f"  {whole}  " in ran.out
    assert f"Damaged, and not shown in full: {bad}." in ran.out
    assert "journal damaged" in ran.out
    data = run("journal", "--json", "--rows").data
    assert data["damaged"] == [bad]
    assert {row["plan"] for row in data["rows"]} == {whole}
    assert run("journal", bad, "--json").data["damaged"] == [bad]
    assert run("journal", whole, "--json").data["damaged"] == []
    assert run("show", bad).code == 1


@pytest.mark.parametrize("seen", ["null", "[1]", '[["slots:1"]]', "{}", "7"])
def test_a_damaged_look_is_said_to_be_one(
    world: World, run: Run, tamper: Tamper, seen: str
) -> None:
    plan = proposed(run)
    assert run("confirm", plan, answers=("yes",)).code == 0
    tamper(f"UPDATE looks SET seen = CAST('{seen}' AS BLOB)")
    ran = run("show", plan, "--facts", "--json")
    assert (ran.code, ran.error["type"], ran.error["where"]) == (1, "StoreCorrupt", plan)
    assert run("show", plan).code == 0


def test_a_whole_store_names_nothing_as_damaged(world: World, run: Run) -> None:
    proposed(run)
    assert run("journal", "--json").data["damaged"] == []
    assert "Damaged" not in run("pending").out


@pytest.mark.parametrize("verb", ["show", "confirm", "dispatch", "check", "cancel", "journal"])
def test_a_name_that_is_no_text_is_no_plan(world: World, run: Run, verb: str) -> None:
    proposed(run)
    ran = run(verb, "\udcff\udcfe", "--json")
    assert (ran.code, ran.error["type"]) == (1, "UnknownPlan")
