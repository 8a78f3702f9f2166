"""The verbs that ask, at a real terminal: what a person sees, types, and gets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.at_terminal import PATIENCE, ROOT, AtTerminal
from tests.cli.conftest import Run, World

BOOK = ("-e", "slot=slots/slot-42.json#price", "--", "./book.sh", "slot-42", "{slot.price}")
ASKING = "d details"


def test_a_yes_runs_the_command(world: World) -> None:
    with AtTerminal("run", *BOOK, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        assert "Run this?" in terminal.seen
        terminal.say("y\n", "EXECUTED")
        assert terminal.ends() == 0
    assert world.booked == ["slot-42 80"]


def test_a_change_meanwhile_blocks_and_is_asked_afresh_with_the_new_amount(world: World) -> None:
    with AtTerminal("run", *BOOK, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        world.slot(price=95)
        terminal.say("y\n", "Run this instead?")
        assert "80 -> 95" in terminal.seen
        assert world.booked == []
        terminal.say("y\n", "EXECUTED")
        assert terminal.ends() == 0
    assert world.booked == ["slot-42 95"]


def test_a_no_rejects(world: World, run: Run) -> None:
    with AtTerminal("run", *BOOK, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        assert terminal.ends("n\n") == 5
        assert "was rejected" in terminal.seen
    assert world.booked == []
    assert run("journal", "--json").data["plans"][0]["state"] == "rejected"


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 5)])
def test_an_end_without_an_answer_leaves_the_plan_pending(
    world: World, run: Run, key: str, code: int
) -> None:
    with AtTerminal("run", *BOOK, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        assert terminal.ends(key) == code
        assert "Traceback" not in terminal.seen
    (waiting,) = run("pending", "--json").data["pending"]
    assert waiting["record"]["state"] == "pending"
    assert world.booked == []


def test_ctrl_c_is_told_in_one_sentence_and_the_line_to_type(world: World) -> None:
    with AtTerminal("run", *BOOK, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        assert terminal.ends("\x03") == 130
    _, _, after = terminal.seen.partition("^C")
    first, second = after.replace("^C", "").strip("\n").splitlines()
    assert first.startswith("REFUSED  plan ")
    assert first.endswith(" has no yes: nobody answered.")
    assert second.startswith("It waits for a yes from a terminal: lastlook confirm ")


@pytest.mark.parametrize("columns", [60, 40])
def test_everything_fits_a_terminal_that_is_narrow(world: World, run: Run, columns: int) -> None:
    more = ("--intent", "Book the slot that everybody wants " * 3)
    words = ("--store", "x.db", "run", *more, *BOOK)
    with AtTerminal(*words, folder=world.folder, columns=columns) as terminal:
        terminal.wait_for(ASKING)
        world.slot(price=95)
        terminal.say("y\n", "Run this instead?")
        terminal.say("d\n", "EVIDENCE")
        assert terminal.ends("n\n") == 5
    assert wide(terminal.seen, columns) == []
    plan = run("--store", "x.db", "journal", "--json").data["plans"][0]["id"]
    for verb in (("show", plan, "--facts"), ("check", plan), ("journal",), ("journal", "--rows"),
                 ("pending",), ("doctor",)):  # fmt: skip
        with AtTerminal("--store", "x.db", *verb, folder=world.folder, columns=columns) as terminal:
            terminal.ends()
        assert wide(terminal.seen, columns) == []


def wide(seen: str, columns: int) -> list[str]:
    """The lines that do not fit, but for paths and commands, which stay whole."""
    lines = seen.splitlines()
    return [
        line for line in lines
        if len(line) > columns and not ("x.db" in line or "lastlook " in line)
    ]  # fmt: skip


def test_enter_alone_is_no_answer(world: World) -> None:
    with AtTerminal("run", *BOOK, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        terminal.say("\n", "Enter alone is no answer")
        assert terminal.ends("n\n") == 5
    assert world.booked == []


def test_confirm_asks_here_and_another_process_dispatches(world: World, run: Run) -> None:
    plan = run("propose", "--json", *BOOK).data["id"]
    with AtTerminal("confirm", plan, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        terminal.say("y\n", f"lastlook dispatch {plan}")
        assert terminal.ends() == 0
    assert world.booked == []
    assert run("dispatch", plan).code == 0
    assert world.booked == ["slot-42 80"]


def test_what_is_piped_in_is_no_answer(world: World) -> None:
    read, write = os.pipe()
    os.write(write, b"y\n" * 100)
    os.close(write)
    with AtTerminal("run", *BOOK, folder=world.folder, stdin=read) as terminal:
        os.close(read)
        terminal.wait_for(ASKING)
        assert terminal.ends("n\n") == 5
    assert world.booked == []


def test_without_a_terminal_nobody_can_say_yes(world: World) -> None:
    words = [sys.executable, "-c", "import sys; from lastlook.cli import main; sys.exit(main())"]
    answer = subprocess.run(
        [*words, "run", *BOOK], cwd=world.folder, input="y\n" * 100, capture_output=True,
        text=True, start_new_session=True, timeout=PATIENCE, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert answer.returncode == 5
    assert "lastlook confirm" in answer.stderr
    assert world.booked == []


def test_ctrl_c_after_the_command_began_is_unknown(world: World, run: Run) -> None:
    os.mkfifo(world.folder / "never")
    world.script("book.sh", "#!/bin/sh\necho half >>bookings.txt; echo it-began; read x <never\n")
    with AtTerminal("run", *BOOK, folder=world.folder) as terminal:
        terminal.wait_for(ASKING)
        terminal.say("y\n", "it-began\n")
        assert terminal.ends("\x03") == 6
        assert "UNKNOWN" in terminal.seen
        assert "Traceback" not in terminal.seen
    assert run("journal", "--json").data["plans"][0]["state"] == "unknown"
    assert world.booked == ["half"]


def test_a_screen_is_coloured_at_a_terminal_and_plain_elsewhere(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("propose", *BOOK)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m" in run("pending").out
    assert "\x1b" not in run("pending", "--no-color").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("pending").out


def test_the_demo_fits_80_columns_at_a_terminal(tmp_path: Path) -> None:
    with AtTerminal("demo", folder=tmp_path) as terminal:
        assert terminal.ends() == 0
        assert "ed3a5680 vs 94c87157" in terminal.seen
