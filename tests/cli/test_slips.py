"""A slip at the command line gets the line to type, with the options that were given."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run, World
from tests.cli.test_app import SHOP
from tests.cli.test_exit_codes import BOOK, proposed

SLOT = "slots/slot-42.json"


@pytest.fixture
def shop(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """An application whose plans are kept in memory, as `memory:look`, and one with a file."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    in_memory = SHOP.replace('"shop.db"', '"memory"').replace('"yes"', "")
    for name, text in (("in_memory", in_memory), ("silent", SHOP.replace('"yes"', ""))):
        (world.folder / f"{name}.py").write_text(text, encoding="utf-8")
    yield world
    for name in ("in_memory", "silent"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("verb", ["run", "propose"])
def test_a_condition_that_the_shell_took_apart_gets_the_line_to_type(
    run: Run, world: World, verb: str
) -> None:
    answer = run(
        "--json", verb, "-e", f"{SLOT}#status", "==", "available", "--", "./book.sh", "a b"
    )
    assert (answer.code, answer.error["type"]) == (2, "Usage")
    assert "single quotes" in answer.error["fix"]
    line = answer.error["fix"].partition(": ")[2]
    assert line == (
        f"lastlook --json {verb} -e '{SLOT}#status == \"available\"' -- ./book.sh 'a b'"
    )


@pytest.mark.parametrize(
    ("apart", "whole"),
    [
        (("==", "80"), "== 80"),
        (("==",), "=="),
        (("within", "5%"), "within 5%"),
        (("in", "[a,b]", "--writes", "x.json"), "in [a,b]"),
    ],
)
def test_each_comparison_is_put_together_again(
    run: Run, world: World, apart: tuple[str, ...], whole: str
) -> None:
    answer = run("--json", "run", f"--evidence={SLOT}#price", *apart, "--", "./book.sh")
    assert f"-e '{SLOT}#price {whole}'" in answer.error["fix"]


def test_fields_that_the_shell_took_apart_are_put_together_again(run: Run, world: World) -> None:
    answer = run("--json", "run", "-e", f"{SLOT}#time,", "price", "--", "./book.sh")
    assert f"-e '{SLOT}#time, price' -- ./book.sh" in answer.error["fix"]


def test_another_word_before_the_dashes_is_named(run: Run, world: World) -> None:
    answer = run("--json", "run", "-e", f"{SLOT}#time", "book", "--", "./book.sh")
    assert "'book' stands before --" in answer.error["what"]
    answer = run("--json", "run", "-e", f"{SLOT}#time", "./book.sh", "x")
    assert answer.error["fix"] == "Put -- before the command: -- ./book.sh x"


@pytest.mark.parametrize(
    ("hole", "what", "fix"),
    [
        (
            "{slot.time}",
            "{slot.time} names nothing: no evidence is called slot",
            f"There is {{other.price}}. Name the evidence: -e 'slot={SLOT}#time'.",
        ),
        ("{time}", "{time} names nothing", f"-e 'slot={SLOT}#time'."),
    ],
)
def test_a_hole_without_evidence_gets_the_name_to_give(
    run: Run, world: World, hole: str, what: str, fix: str
) -> None:
    evidence = ("-e", f"{SLOT}#time", "-e", f"other={SLOT}#price")
    answer = run("--json", "run", *evidence, "--", "./book.sh", hole)
    assert answer.error["type"] == "TemplateError"
    assert what in answer.error["what"]
    assert fix in answer.error["fix"]


def test_a_hole_of_named_evidence_lists_what_there_is(run: Run, world: World) -> None:
    answer = run("--json", "run", "-e", f"slot={SLOT}#time", "--", "./book.sh", "{other.x}")
    assert answer.error["fix"] == "There is {slot.time}. A brace that is text is doubled: {{."
    answer = run("--json", "run", "--no-evidence", "none", "--", "./book.sh", "{other.x}")
    assert "Say what it rests on" in answer.error["fix"]


def test_a_record_that_is_not_there_says_which_file_and_what_is_near(
    run: Run, world: World
) -> None:
    answer = run("--json", "run", "-e", "slots/slot-43.json#status", "--", "./book.sh")
    assert answer.error["type"] == "CaptureFailed"
    assert f"There is no file {world.folder}/slots/slot-43.json." in answer.error["fix"]
    assert f"Near it: {SLOT}." in answer.error["fix"]
    assert "absent = true" in answer.error["fix"]
    answer = run("--json", "run", "-e", "slotz:slot-42#status", "--", "./book.sh")
    assert answer.error["fix"].startswith("There is no source slotz here: there is none but files.")
    answer = run("--json", "run", "-e", "slotz/slot-42.json#status", "--", "./book.sh")
    assert f"There is no folder {world.folder}/slotz." in answer.error["fix"]


def test_a_record_of_the_toml_that_is_not_there_is_told_by_its_ref(run: Run, world: World) -> None:
    (world.folder / "all.json").write_text('{"a": {}}', encoding="utf-8")
    world.toml(
        '[sources.slots]\nkind = "files"\nroot = "slots"\n'
        '[sources.all]\nkind = "files"\nroot = "all.json"\nrecords = ""\n'
        '[tools.book]\nrun = ["./book.sh"]\n'
        '[plans.book]\nintent = "Book"\nargs = { ref = "string" }\n'
        'reads = [{ ref = "slots:{ref}", fields = ["status"] }]\nsteps = [{ tool = "book" }]\n'
        '[plans.one]\nintent = "Book"\n'
        'reads = [{ ref = "all:b", fields = ["status"] }]\nsteps = [{ tool = "book" }]\n'
    )
    answer = run("--json", "run", "book", "ref=slot-41")
    assert (
        f"no file {world.folder}/slots/slot-41.json. Near it: slots:slot-42."
        in (answer.error["fix"])
    )
    answer = run("--json", "run", "one")
    assert f"Looked in {world.folder}/all.json. " in answer.error["fix"]


def test_a_source_without_files_says_how_to_rest_on_absence(run: Run, shop: World) -> None:
    text = SHOP.replace('JsonFiles("slots")', "{}").replace("shop.db", "bare.db")
    (shop.folder / "bare.py").write_text(text, encoding="utf-8")
    words = ("--app", "bare:look", "--json", "run", "-e", "slots:a#status", "--", "./book.sh")
    answer = run(*words)
    assert answer.error["fix"].startswith("A plan of lastlook.toml that rests on there being none")


def test_a_line_to_type_is_never_broken(run: Run, world: World) -> None:
    folder = "a-folder-of-a-name-that-is-long/" * 3
    answer = run("--store", f"{folder}x.db", "run", "-e", f"{SLOT}#status", "==", "free",
                 "--", "./book.sh")  # fmt: skip
    assert answer.err.splitlines()[1:] == [
        "  do    Put all of it in single quotes:",
        f"          lastlook --store {folder}x.db run -e '{SLOT}#status == \"free\"' -- ./book.sh",
    ]


@pytest.mark.parametrize(
    ("how", "what", "fix"),
    [
        ("gone", "there is no program ./book.sh.", ""),
        ("mode", "./book.sh is not executable.", "chmod +x ./book.sh"),
    ],
)
def test_a_program_that_is_gone_is_told_from_one_that_may_not_run(
    run: Run, world: World, how: str, what: str, fix: str
) -> None:
    path = world.folder / "book.sh"
    if how == "gone":
        path.unlink()
    else:
        path.chmod(0o644)
    answer = run("run", "--no-evidence", "none", "--", "./book.sh")
    assert f"Error: {what}\n" in answer.err
    assert fix in answer.err


@pytest.mark.parametrize("toml", [True, False])
def test_a_command_without_its_dashes_gets_them(run: Run, world: World, toml: bool) -> None:
    if toml:
        world.toml("")
    answer = run("--json", "run", "./book.sh", "a b")
    assert (answer.code, answer.error["type"]) == (2, "NotRegistered")
    assert answer.error["fix"] == (
        "A command stands after --, behind what it rests on: -e REF#FIELD -- ./book.sh 'a b'"
    )


@pytest.mark.parametrize("verb", ["run", "propose"])
def test_a_missing_argument_gets_the_verb_that_was_typed(
    run: Run, world: World, shop: World, verb: str
) -> None:
    app = run("--json", "--app", "silent:look", verb, "book_slot")
    assert app.error["fix"] == (
        f"Type: lastlook --app silent:look {verb} book_slot slot_id=STRING seats=INTEGER"
    )
    run("init", "there")
    config = ("--config", "there/lastlook.toml")
    own = run("--json", *config, verb, "book")
    assert own.error["fix"] == (
        f"Type: lastlook --config there/lastlook.toml {verb} book slot_id=STRING"
    )


def test_a_question_for_later_is_refused_where_its_store_ends_with_the_command(
    run: Run, shop: World
) -> None:
    words = ("--app", "in_memory:look", "--json", "propose", "book_slot", "slot_id=slot-42")
    answer = run(*words)
    assert (answer.code, answer.error["type"]) == (2, "Usage")
    assert 'store="plans.db"' in answer.error["fix"]
    assert answer.error["fix"].endswith(
        "or ask at once: lastlook --app in_memory:look --json run book_slot slot_id=slot-42"
    )
    answer = run("--store", "memory", "--json", "propose", *BOOK)
    assert (answer.code, answer.error["type"]) == (2, "Usage")
    assert "--store says so" in answer.error["fix"]


def test_a_question_in_memory_is_asked_at_once_and_no_later_command_is_named(
    run: Run, shop: World
) -> None:
    answer = run("--app", "in_memory:look", "run", "book_slot", "slot_id=slot-42")
    assert answer.code == 5
    assert "lastlook" not in answer.err.replace("--app in_memory:look", "")
    assert "kept in memory alone, and ends with this command" in answer.err


def test_every_command_that_is_named_has_the_options_of_this_one(
    run: Run, shop: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = ("--app", "silent:look")
    assert (
        "lastlook --app silent:look confirm" in run(*app, "run", "book_slot", "slot_id=slot-42").err
    )
    assert (
        "lastlook --app silent:look confirm"
        in run(*app, "propose", "book_slot", "slot_id=slot-42").out
    )
    store = ("--store", "my plans.db")
    plan = proposed(run, *store, *BOOK)
    assert f"lastlook --store 'my plans.db' confirm {plan}" in run(*store, "renew", plan).out
    said = run(*store, "confirm", plan, answers=("yes",)).out
    assert f"lastlook --store 'my plans.db' dispatch {plan}" in said
    monkeypatch.chdir(tmp_path)
    elsewhere = run("--store", str(shop.folder / "my plans.db"), "--json", "dispatch", plan)
    assert elsewhere.error["fix"] == (
        f"Type: cd {shop.folder} && lastlook --store '{shop.folder}/my plans.db' dispatch {plan}"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("-e", "slots/slot-42.json#pin", "==", "hunter2", "(secret)", "--", "./book.sh"),
        ("-e", "slots/slot-42.json#time,", "pin == 'hunter2' (secret)", "--", "./book.sh"),
        ("-e", "slots/slot-42.json#price == 'hunter2' (secret)", "--", "./book.sh", "{slot.time}"),
        ("-e", "slot=slots/slot-42.json#price == 'hunter2' (secret)", "--", "./book.sh", "{time}"),
        ("-e", "slots/slot-42.json#price == 'hunter2' (secret", "--", "./book.sh"),
        ("-e", "slots/slot-42.json#price == 'hunter2' (secret)", "--", "./book.sh"),
    ],
)
def test_a_slip_beside_a_secret_literal_does_not_repeat_it(
    world: World, run: Run, words: tuple[str, ...]
) -> None:
    ran = run("propose", "--json", *words)
    assert ran.code != 0
    assert "hunter2" not in ran.out + ran.err


def test_a_hole_is_named_without_the_condition_of_its_field(world: World, run: Run) -> None:
    read = 'slot=slots/slot-42.json#status == "available",$'
    ran = run("propose", "--json", "-e", read, "--", "./book.sh", "{slott.status}")
    assert "{slot.status}" in ran.error["fix"]
    assert "{slot.FIELD}" in ran.error["fix"]
