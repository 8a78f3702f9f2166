"""A command without Python and without configuration."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lastlook.cli.inline import Inline, recipe_of
from lastlook.errors import NoEvidence
from tests.cli.conftest import Run, World

SLOT = "slot=slots/slot-42.json#price,time"


def test_holes_become_arguments_that_are_named_after_them(world: World) -> None:
    recipe, tool = recipe_of(
        Inline(
            command=("./book.sh", "{slot.price}", "at {slot.time}", "{{no hole", "{slot.price}"),
            evidence=(SLOT,), effect="pays {slot.price}", writes=("slots/slot-42.json#status",),
            undo="gives {slot.price} back",
        ),
        folder=str(world.folder), sources=[],
    )  # fmt: skip
    assert recipe.steps[0].arguments == {"price": "{slot.price}", "time": "{slot.time}"}
    assert tool.definition.command.run == (
        "./book.sh", "{price}", "at {time}", "{{no hole", "{price}",
    )  # fmt: skip
    assert tool.definition.effect == "pays {price}"
    assert tool.definition.writes == ("cwd:slots/slot-42.json#status",)
    assert tool.name == "book.sh"


def test_two_holes_of_one_name_stay_two_arguments(world: World) -> None:
    recipe, _ = recipe_of(
        Inline(command=("./book.sh", "{a.id}", "{b.id}", "{a.arg2}"), evidence=("a=x#y", "b=z#y")),
        folder=str(world.folder), sources=[],
    )  # fmt: skip
    assert recipe.steps[0].arguments == {"id": "{a.id}", "arg1": "{b.id}", "arg2": "{a.arg2}"}


def test_a_known_source_is_a_source_and_everything_else_a_file(world: World) -> None:
    recipe, tool = recipe_of(
        Inline(
            command=("./book.sh",), evidence=("./slots//a.json#x", "slots:a#x", "other:a#x", f"{world.folder}/slots/a.json#x"),
            writes=("slots:a#x", "./slots/a.json"),
        ),
        folder=str(world.folder), sources=["slots"],
    )  # fmt: skip
    assert [item.ref for item in recipe.reads] == [
        "cwd:slots/a.json", "slots:a", "cwd:other:a", "cwd:slots/a.json",
    ]  # fmt: skip
    assert tool.definition.writes == ("slots:a#x", "cwd:slots/a.json")


def test_a_command_that_rests_on_nothing_says_why(run: Run, world: World) -> None:
    with pytest.raises(NoEvidence, match="rests on nothing"):
        recipe_of(Inline(command=("ls",)), folder=str(world.folder), sources=[])
    answer = run("run", "--no-evidence", "it only lists", "--", "./book.sh", answers=("yes",))
    assert answer.code == 0


def test_the_intent_is_a_template_and_by_default_what_runs(run: Run, world: World) -> None:
    said = run("propose", "--json", "-e", SLOT, "--", "./book.sh", "{slot.price}", "a b").data
    assert said["plan"]["intent"] == "Run ./book.sh 80 'a b'"
    said = run(
        "propose", "--json", "-e", SLOT, "--intent", "Pay {slot.price}", "--", "./book.sh"
    ).data
    assert said["plan"]["intent"] == "Pay 80"


def test_a_value_from_evidence_is_worked_out_again_in_any_process(run: Run, world: World) -> None:
    plan = run("propose", "--json", "-e", SLOT, "--", "./book.sh", "{slot.price}").data["id"]
    assert run("confirm", plan, answers=("yes",)).code == 0
    world.slot(price=95)
    blocked = run("dispatch", plan)
    assert blocked.code == 3
    assert f"lastlook confirm {plan}.2" in blocked.err
    assert run("confirm", f"{plan}.2", answers=("yes",)).code == 0
    assert run("dispatch", f"{plan}.2").code == 0
    assert world.booked == ["95"]


def test_who_asks_is_the_login_name_or_whom_the_command_line_names(run: Run, world: World) -> None:
    words = ("-e", SLOT, "--", "./book.sh")
    own = run("propose", "--json", *words).data["plan"]["requested_by"]
    assert own.startswith("agent:")
    named = run("propose", "--json", "--asked-by", "support", *words).data["plan"]["requested_by"]
    assert named == "agent:support"


def test_a_plan_of_another_folder_says_the_cd_to_type(
    run: Run, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = run("propose", "--json", "-e", SLOT, "--", "./book.sh").data["id"]
    assert run("confirm", plan, answers=("yes",)).code == 0
    other = tmp_path / "else where"
    other.mkdir()
    monkeypatch.chdir(other)
    for verb in ("dispatch", "check"):
        answer = run("--json", verb, plan)
        assert answer.code == 2
        assert answer.error["type"] == "NotRegistered"
        assert answer.error["fix"] == f"Type: cd {world.folder} && lastlook {verb} {plan}"
    assert world.booked == []
    monkeypatch.chdir(world.folder)
    assert run("dispatch", plan).code == 0


def test_a_plan_whose_files_are_not_where_its_command_runs_has_no_cd(
    run: Run, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (world.folder / "deep").mkdir()
    world.toml(
        '[tools.book]\nrun = ["./book.sh"]\n'
        '[plans.book]\nintent = "x"\nreads = [{ ref = "cwd:a.json", fields = ["x"] }]\n'
        'steps = [{ tool = "book" }]\n'
    )
    (world.folder / "deep" / "a.json").write_text('{"x": 1}', encoding="utf-8")
    monkeypatch.chdir(world.folder / "deep")
    plan = run("propose", "--json", "book").data["id"]
    monkeypatch.chdir(world.folder)
    answer = run("--json", "check", plan)
    assert answer.code == 2
    assert "cd " not in answer.error["fix"]


def test_a_working_directory_that_is_gone_is_a_typed_error(
    run: Run, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        answer = run("--json", "pending")
    finally:
        os.chdir(world.folder)
    assert answer.code == 1
    assert "working directory" in answer.error["what"]


def test_the_default_intent_and_effect_tell_two_vectors_apart(run: Run, world: World) -> None:
    def told(*command: str) -> tuple[str, str]:
        plan = run("propose", "--json", "-e", SLOT, "--", "./book.sh", *command).data["plan"]
        return plan["intent"], plan["estimated_side_effects"][0]["text"]

    world.slot(price="b' 'c")
    two, one = told("a b", "c d"), told("a b' 'c d")
    assert two == ("Run ./book.sh 'a b' 'c d'", "runs ./book.sh 'a b' 'c d'")
    assert one == ("Run ./book.sh \"a b' 'c d\"", "runs ./book.sh \"a b' 'c d\"")
    assert told("a {slot.price} d") == one
