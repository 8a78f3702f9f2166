"""Bad input gets a typed error or the right outcome, and nothing is done."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, World
from tests.cli.test_exit_codes import BOOK, confirmed, proposed

Spoil = Callable[[Path], object]


def linked(path: Path) -> None:
    path.rename(path.with_name("other.json"))
    path.symlink_to(path.with_name("other.json"))


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def written(text: str) -> Spoil:
    return lambda path: path.write_text(text, encoding="utf-8")


SPOILS: dict[str, Spoil] = {
    "malformed": written('{"status": "available",}'),
    "a name twice": written('{"status": "available", "status": "available"}'),
    "not a number": written('{"status": NaN}'),
    "deep": written("[" * 500 + "]" * 500),
    "huge": written('{"status": "' + "x" * 5_000_000 + '"}'),
    "empty": written(""),
    "a byte-order mark": written('\ufeff{"status": "available"}'),
    "no text": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "a link": linked,
    "a pipe": piped,
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("how", SPOILS)
def test_a_file_that_cannot_be_read_makes_no_plan(run: Run, world: World, how: str) -> None:
    SPOILS[how](world.folder / "slots" / "slot-42.json")
    answer = run("--json", "run", *BOOK, answers=("yes",))
    assert (answer.code, answer.error["type"]) == (1, "CaptureFailed")
    assert answer.error["where"]
    assert world.booked == []


@pytest.mark.parametrize("how", SPOILS)
def test_a_file_that_cannot_be_read_any_more_blocks(run: Run, world: World, how: str) -> None:
    plan = confirmed(run)
    SPOILS[how](world.folder / "slots" / "slot-42.json")
    answer = run("dispatch", plan, "--json")
    assert (answer.code, answer.data["outcome"]) == (4, "blocked_unresolvable")
    assert world.booked == []


@pytest.mark.parametrize(
    ("evidence", "kind"),
    [
        ("slots/slot-42.json", "NoFields"),
        ("slots/slot-42.json#", "NoFields"),
        ("#status", "TemplateError"),
        ("slots/slot-42.json#status = 'available'", "FieldSyntaxError"),
        ("slots/slot-42.json#{status}", "FieldSyntaxError"),
        ("slots/slot-42.json#price > 3", "FieldSyntaxError"),
        ("slots/slot-42.json#status,status", "FieldSyntaxError"),
        ("slots/slot-42.json#statuss", "PathNamesNothing"),
        ("slots/slot-42.json#time.hour", "PathNamesNothing"),
        ("slots/slot-42.json#price within 5% (unordered)", "FieldSyntaxError"),
        ("slots/{x}.json#status", "TemplateError"),
        ("../world/slots/slot-42.json#status", "CaptureFailed"),
        ("/etc/hostname#status", "CaptureFailed"),
        ("slots/slot-42#status", "CaptureFailed"),
        ("slots/slot-42.json#status in ['booked']", "ConditionNotMet"),
    ],
)
def test_evidence_that_cannot_be_meant_is_a_typed_error(
    run: Run, world: World, evidence: str, kind: str
) -> None:
    answer = run("--json", "run", "-e", evidence, "--", "./book.sh", answers=("yes",))
    assert (answer.code, answer.error["type"]) == (1, kind), answer.err
    assert answer.error["what"]
    assert world.booked == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("./nope",), "DeclarationError"),
        (("nosuch-program",), "DeclarationError"),
        (("slots",), "DeclarationError"),
        (("./book.sh", "{slot}"), "TemplateError"),
        (("./book.sh", "{x.y}"), "TemplateError"),
        (("{x.y}",), "DeclarationError"),
        (("./book.sh", "{slot.status}", "{slot.nope}"), "TemplateError"),
    ],
)
def test_a_command_that_cannot_be_meant_is_a_typed_error(
    run: Run, world: World, words: tuple[str, ...], kind: str
) -> None:
    evidence = "slot=slots/slot-42.json#status"
    answer = run("--json", "run", "-e", evidence, "--", *words, answers=("yes",))
    assert (answer.code, answer.error["type"]) == (1, kind), answer.err
    assert world.booked == []


@pytest.mark.parametrize("writes", ["#status", "a#b#c", "slots/{x.y}.json"])
def test_writes_that_cannot_be_meant_are_a_typed_error(run: Run, world: World, writes: str) -> None:
    answer = run("--json", "run", "--writes", writes, *BOOK, answers=("yes",))
    assert answer.code == 1, answer.err
    assert world.booked == []


def test_a_value_that_would_be_an_option_is_refused(run: Run, world: World) -> None:
    world.slot(time="--force")
    words = ("-e", "slot=slots/slot-42.json#time", "--", "./book.sh", "{slot.time}")
    answer = run("--json", "run", *words, answers=("yes",))
    assert (answer.code, answer.error["type"]) == (1, "BadArguments")


def test_a_block_is_for_good_also_when_the_evidence_returns(run: Run, world: World) -> None:
    plan = confirmed(run)
    world.slot(status="unavailable")
    assert run("dispatch", plan).code == 3
    world.slot()
    for verb in ("dispatch", "confirm"):
        answer = run(verb, plan, "--json", answers=("yes",))
        assert (answer.code, answer.data["outcome"]) == (5, "already_used")
    assert world.booked == []


def test_an_edited_command_blocks_and_is_named(run: Run, world: World) -> None:
    plan = confirmed(run)
    world.script("book.sh", "#!/bin/sh\necho other >>bookings.txt\n")
    answer = run("dispatch", plan, "--json")
    assert (answer.code, answer.data["changed"]) == (
        3,
        {"tool:book.sh": ["/command/files/./book.sh"]},
    )
    assert world.booked == []


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (lambda path: path.write_bytes(b"no database" * 1000), "StoreCorrupt"),
        (lambda path: path.unlink() or path.mkdir(), "StoreError"),
    ],
)
def test_a_store_that_cannot_be_used_is_a_typed_error(
    run: Run, world: World, tmp_path: Path, spoil: Spoil, kind: str
) -> None:
    plan = confirmed(run)
    path = tmp_path / "state" / "lastlook" / "plans.db"
    for extra in ("-wal", "-shm"):
        path.with_name(path.name + extra).unlink(missing_ok=True)
    spoil(path)
    for words in (("pending",), ("journal",), ("show", plan), ("propose", *BOOK)):
        answer = run("--json", *words)
        assert answer.code == 1, words
        assert answer.error["type"].startswith("Store"), answer.error
    refused = run("--json", "dispatch", plan)
    assert (refused.code, refused.data["outcome"]) == (5, "store_unavailable")
    assert world.booked == []


def test_a_store_of_a_later_version_is_not_touched(
    run: Run, world: World, tamper: Callable[[str], None]
) -> None:
    proposed(run)
    tamper("UPDATE meta SET value = '999'")
    answer = run("--json", "pending")
    assert (answer.code, answer.error["type"]) == (1, "StoreTooNew")
    assert run("doctor").code == 1


def test_a_configuration_that_cannot_be_read_is_a_typed_error(run: Run, world: World) -> None:
    world.toml("plans = ")
    for words in (("pending",), ("run", *BOOK), ("propose", "book")):
        answer = run("--json", *words, answers=("yes",))
        assert (answer.code, answer.error["type"]) == (1, "DeclarationError")
        assert "lastlook.toml" in answer.error["where"]
    assert run("--json", "--config", "nope.toml", "pending").code == 1
