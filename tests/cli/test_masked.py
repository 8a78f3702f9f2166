"""Whatever is printed, nothing in it steers the terminal: neither arguments nor what is stored."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run, World
from tests.cli.test_exit_codes import proposed

ODD = "\x1b[2J\u202eevil\u200b\x07"
BYTES = "\udcff\udcfe"  # as Python hands on what is no UTF-8


def hidden(ran: Ran) -> list[str]:
    return [char for char in ran.out + ran.err if not char.isprintable() and char != "\n"]


COMMANDS = [
    ("init", ODD), ("show", ODD), ("show", BYTES), ("confirm", ODD), ("reject", ODD),
    ("cancel", ODD), ("dispatch", ODD), ("dispatch", BYTES), ("renew", ODD), ("check", ODD),
    ("journal", ODD), ("journal", BYTES), ("journal", "--state", ODD), ("journal", "--since", ODD),
    ("run", ODD), ("run", "-e", ODD, "--", ODD), ("propose", ODD, "k=1"), ("propose", f"--{ODD}"),
    ("propose", "-e", f"slots/slot-42.json#{ODD}", "--", "./book.sh"),
    ("propose", "-e", f"{ODD}#status", "--", "./book.sh"),
    ("propose", "--no-evidence", ODD, "--intent", ODD, "--", "./book.sh", ODD, "{slot.x}"),
    ("--store", f"{ODD}.db", "pending"), ("--store", f"{ODD}.db", "doctor"),
    ("--app", f"{ODD}:look", "pending"), ("--config", ODD, "pending"), (ODD,), (f"--{ODD}", "show"),
    ("-v", "--store", f"{ODD}.db", "propose", "--no-evidence", "x", "--intent", ODD, "--asked-by",
     ODD, "--", "./book.sh", ODD),
    ("-q", "propose", "--no-evidence", "x", "--intent", ODD, "--", "./book.sh", ODD),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=[" ".join(map(ascii, w))[:60] for w in COMMANDS])
@pytest.mark.parametrize("json", [False, True])
def test_what_stands_on_the_command_line_is_never_printed_as_it_is(
    world: World, run: Run, words: tuple[str, ...], json: bool
) -> None:
    ran = run(*words, *(["--json"] if json and "--" not in words else []))
    assert hidden(ran) == []
    assert "Traceback" not in ran.err


def test_what_was_written_and_where_is_told_visibly(world: World, run: Run) -> None:
    ran = run("init", "a\x1b[2Jb")
    assert ran.code == 0
    assert "cd a\\u{1B}[2Jb" in ran.out


YES = "UPDATE plans SET yes_shown = :odd, yes_by = :odd, yes_seal = :odd, yes_at = state_at"
STORED = {
    "a yes": (YES,),
    "the id": ("UPDATE plans SET id = :odd", "UPDATE journal SET plan = :odd"),
    "the key of a row": ("UPDATE journal SET key_id = :odd",),
    "who did it": ('UPDATE journal SET "by" = :odd',),
    "who asked": ("UPDATE plans SET requested_by = :odd, owner = :odd",),
    "the seal": ("UPDATE plans SET seal = :odd",),
}


@pytest.mark.parametrize("statements", STORED.values(), ids=STORED)
def test_what_is_stored_is_never_printed_as_it_is(
    world: World, run: Run, tmp_path: Path, statements: tuple[str, ...]
) -> None:
    plan = proposed(run)
    with sqlite3.connect(tmp_path / "state" / "lastlook" / "plans.db") as raw:
        for statement in statements:
            raw.execute(statement, {"odd": ODD})
    raw.close()
    for words in (
        ("show", plan), ("show", ODD), ("show", plan, "--facts"), ("journal",), ("doctor",),
        ("journal", "--rows"), ("journal", "verify"), ("pending",), ("check", ODD), ("check", plan),
        ("dispatch", plan), ("cancel", ODD), ("confirm", plan),
    ):  # fmt: skip
        ran = run(*words)
        assert hidden(ran) == [], words
        assert "Traceback" not in ran.err
