"""Asking at a real terminal: only a line typed after the question is an answer."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 20.0
ROOT = Path(__file__).parents[2]


class Terminal:
    """A pseudo terminal, and a program that asks at it."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        self.path = os.ttyname(self.slave)
        self.seen = ""
        self._child: subprocess.Popen[str] | None = None
        self.size(60)

    def size(self, rows: int, columns: int = 100) -> None:
        termios.tcsetwinsize(self.slave, (rows, columns))

    def start(self, what: str = "", timeout: float | None = PATIENCE, **more: Any) -> None:
        env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "TERM": "xterm"}
        given = {"tty": self.path, "what": what, "timeout": timeout}
        given |= {key: more.pop(key) for key in list(more) if key in given}
        self._child = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("child.py")), json.dumps(given)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env={**env, **more},
        )  # fmt: skip
        assert self.child.stdout is not None
        assert self.child.stdout.readline() == "ready\n", self.child.communicate(timeout=5)

    @property
    def child(self) -> subprocess.Popen[str]:
        assert self._child is not None
        return self._child

    def go(self, piped: str = "") -> None:
        """Let the program ask, with this on its standard input."""
        assert self.child.stdin is not None
        self.child.stdin.write(f"go\n{piped}")
        self.child.stdin.flush()

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait_for(self, text: str, times: int = 1) -> None:
        ends = time.monotonic() + PATIENCE
        while self.seen.count(text) < times:
            left = ends - time.monotonic()
            assert left > 0, f"{text!r} did not come: {self.seen}"
            if select.select([self.master], [], [], left)[0]:
                self.seen += os.read(self.master, 65536).decode()

    def asked(self, times: int = 1) -> None:
        """Wait until a question stands on screen, for the so-manieth time."""
        self.wait_for("  >", times)

    def say(self, line: str, then: str = "", times: int = 1) -> None:
        """Type a line until it has its effect, as it may come before the input is dropped."""
        ends = time.monotonic() + PATIENCE
        while not self._happened(then, times):
            assert time.monotonic() < ends, f"{line!r} had no effect: {self.seen}"
            self.type(line)
            self._listen(0.5, then, times)

    def _happened(self, then: str, times: int) -> bool:
        return self.seen.count(then) >= times if then else self.child.poll() is not None

    def _listen(self, seconds: float, then: str, times: int) -> None:
        ends = time.monotonic() + seconds
        while not self._happened(then, times) and (left := ends - time.monotonic()) > 0:
            if select.select([self.master], [], [], min(left, 0.05))[0]:
                self.seen += os.read(self.master, 65536).decode()

    def answer(self) -> dict[str, str]:
        out, error = self.child.communicate(timeout=PATIENCE)
        assert "Traceback" not in error, error
        found: dict[str, str] = json.loads(out.strip().splitlines()[-1])
        return {**found, "stderr": error}

    def drain(self) -> str:
        while select.select([self.master], [], [], 0)[0]:
            self.seen += os.read(self.master, 65536).decode()
        return self.seen

    def close(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.communicate(timeout=PATIENCE)
        for fd in (self.master, self.slave):
            if fd >= 0:
                os.close(fd)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.close()


def test_a_yes_typed_after_the_question_is_a_yes_of_the_person_logged_in(
    terminal: Terminal,
) -> None:
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say("y\n")
    answer = terminal.answer()
    assert answer["kind"] == "yes"
    assert answer["by"].startswith("person:")
    assert answer["by"] != "person:"
    assert "WILL RUN" in terminal.drain()


def test_a_no_is_a_no(terminal: Terminal) -> None:
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say("No \n")
    assert terminal.answer()["kind"] == "no"


def test_the_name_comes_from_the_system_and_not_from_the_environment(terminal: Terminal) -> None:
    terminal.start(LOGNAME="boss", USER="boss", USERNAME="boss", LNAME="boss")
    terminal.go()
    terminal.asked()
    terminal.say("y\n")
    assert terminal.answer()["by"] != "person:boss"


def test_what_was_typed_before_the_question_is_dropped(terminal: Terminal) -> None:
    terminal.start()
    terminal.type("y\ny\ny\ny")
    terminal.go()
    terminal.asked()
    terminal.say("n\n")
    assert terminal.answer()["kind"] == "no"
    assert "Enter alone" not in terminal.drain()


def test_what_was_typed_before_the_question_is_no_answer_at_the_end_of_time(
    terminal: Terminal,
) -> None:
    terminal.start(timeout=0.3)
    terminal.type("y\n" * 50)
    terminal.go()
    assert terminal.answer()["kind"] == "nothing"


def test_yes_piped_into_the_program_does_not_count(terminal: Terminal) -> None:
    terminal.start(timeout=0.3)
    terminal.go("y\n" * 1000)
    assert terminal.answer()["kind"] == "nothing"


def test_enter_alone_asks_again_and_the_next_line_counts(terminal: Terminal) -> None:
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say("\n", "Enter alone is no answer.")
    terminal.asked(2)
    terminal.say("yes please\n", "Enter alone is no answer.", 2)
    terminal.asked(3)
    terminal.say("y\n")
    assert terminal.answer()["kind"] == "yes"


def test_enter_held_down_is_given_up_at_last(terminal: Terminal) -> None:
    terminal.start()
    terminal.go()
    for turn in range(1, 20):
        terminal.asked(turn)
        terminal.say("\n", "Enter alone is no answer.", turn)
    terminal.say("\n")
    assert terminal.answer()["kind"] == "nothing"
    assert terminal.drain().count("Enter alone is no answer.") == 20


@pytest.mark.parametrize("typed", ["\x03", "\x04", "y\x04\x04", "y\x03"])
def test_ctrl_c_and_the_end_of_input_are_no_answer(terminal: Terminal, typed: str) -> None:
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say(typed)
    assert terminal.answer()["kind"] == "nothing"


def test_turnpasses_and_there_is_no_answer(terminal: Terminal) -> None:
    terminal.start(timeout=0.2)
    terminal.go()
    answer = terminal.answer()
    assert (answer["kind"], answer["by"]) == ("nothing", "")


def test_without_a_terminal_there_is_no_answer_and_a_warning(terminal: Terminal) -> None:
    terminal.start(tty="")
    terminal.go("y\n")
    answer = terminal.answer()
    assert answer["kind"] == "nothing"
    assert "plan=k7f3 no terminal to ask at, so it has no answer" in answer["stderr"]


def test_in_the_background_nobody_is_asked(terminal: Terminal) -> None:
    terminal.start("background")
    terminal.go("y\n")
    assert terminal.answer()["kind"] == "nothing"


def test_a_terminal_that_goes_away_is_no_answer(terminal: Terminal) -> None:
    terminal.start()
    terminal.go()
    terminal.asked()
    os.close(terminal.slave)
    os.close(terminal.master)
    terminal.master = terminal.slave = -1
    assert terminal.answer()["kind"] == "nothing"


def test_a_long_question_is_shown_in_pages_and_a_yes_counts_after_the_end(
    terminal: Terminal,
) -> None:
    terminal.size(10)
    terminal.start()
    terminal.go()
    terminal.asked()
    assert "THIS YES HOLDS" not in terminal.seen
    terminal.say("y\n", "There is more below; y counts after the end.")
    terminal.asked(2)
    terminal.say("\n", "THIS YES HOLDS")
    terminal.asked(3)
    terminal.say("\n", "d details  >")
    terminal.say("y\n")
    assert terminal.answer()["kind"] == "yes"


@pytest.mark.parametrize(("typed", "kind"), [("n\n", "no"), ("\x04", "nothing")])
def test_a_long_question_can_be_left_before_its_end(
    terminal: Terminal, typed: str, kind: str
) -> None:
    terminal.size(10, 60)
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say(typed)
    assert terminal.answer()["kind"] == kind
    assert "y yes" not in terminal.drain()


def test_a_terminal_of_unknown_size_is_taken_for_a_usual_one(terminal: Terminal) -> None:
    terminal.size(0, 0)
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say("y\n")
    assert terminal.answer()["kind"] == "yes"


def test_details_are_shown_and_the_question_asked_again(terminal: Terminal) -> None:
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say("d\n", "EVIDENCE")
    terminal.asked(2)
    terminal.say("y\n")
    assert terminal.answer()["kind"] == "yes"


def test_details_in_pages_can_be_left_with_a_no(terminal: Terminal) -> None:
    terminal.size(24)
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say("d\n", "-- more below")
    terminal.say("n\n")
    assert terminal.answer()["kind"] == "no"


@pytest.mark.parametrize(("typed", "kind"), [("l\n", "again"), ("n\n", "no"), ("\x04", "nothing")])
def test_after_a_failed_read_one_can_look_again_and_not_say_yes(
    terminal: Terminal, typed: str, kind: str
) -> None:
    terminal.start("look again")
    terminal.go()
    terminal.asked()
    terminal.say("y\n", "Type l or n, then Enter.")
    terminal.asked(2)
    terminal.say(typed)
    assert terminal.answer()["kind"] == kind


def test_the_offer_to_look_again_ends_too(terminal: Terminal) -> None:
    terminal.start("look again")
    terminal.go()
    for turn in range(1, 20):
        terminal.asked(turn)
        terminal.say("\n", "Type l or n, then Enter.", turn)
    terminal.say("\n")
    assert terminal.answer()["kind"] == "nothing"


def test_a_parked_plan_is_shown_and_not_asked_about(terminal: Terminal) -> None:
    terminal.start("parked")
    terminal.go()
    assert terminal.answer()["kind"] == "nothing"
    assert "It can't be confirmed." in terminal.drain()


def test_a_question_of_another_day_says_so(terminal: Terminal) -> None:
    terminal.start("old")
    terminal.go()
    terminal.asked()
    terminal.say("y\n")
    assert "This question is from 2026-10-03." in terminal.drain()
    assert terminal.answer()["kind"] == "yes"


def test_an_outcome_is_shown(terminal: Terminal) -> None:
    terminal.start("tell")
    terminal.go()
    assert terminal.child.wait(PATIENCE) == 0
    assert "There is no new question: no." in terminal.drain()


def test_without_a_terminal_an_outcome_is_shown_to_nobody(terminal: Terminal) -> None:
    terminal.start("tell", tty="")
    terminal.go()
    assert terminal.child.wait(PATIENCE) == 0


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours_no_escape_is_written_whatever_the_plan_holds(
    terminal: Terminal, plain: dict[str, str]
) -> None:
    terminal.start("hostile", **plain)
    terminal.go()
    terminal.asked()
    terminal.say("y\n")
    assert terminal.answer()["kind"] == "yes"
    shown = terminal.drain()
    assert "\\u{1B}[2J" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_colours_are_the_only_escapes(terminal: Terminal) -> None:
    terminal.start("hostile")
    terminal.go()
    terminal.asked()
    terminal.say("y\n")
    assert terminal.answer()["kind"] == "yes"
    parts = terminal.drain().split("\x1b[")[1:]
    assert parts
    assert {part.partition("m")[0] for part in parts} <= {"0", "1", "2", "31", "32"}


def test_a_terminal_in_raw_mode_hands_over_lines_and_is_given_back_as_it_was(
    terminal: Terminal,
) -> None:
    tty.setraw(terminal.slave)
    before = termios.tcgetattr(terminal.slave)
    terminal.start()
    terminal.go()
    terminal.asked()
    terminal.say("y\r")
    assert terminal.answer()["kind"] == "yes"
    assert termios.tcgetattr(terminal.slave) == before


def test_what_an_encoding_lacks_is_written_as_an_escape(terminal: Terminal) -> None:
    terminal.start("odd letters", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    terminal.go()
    terminal.asked()
    terminal.say("y\n")
    assert terminal.answer()["kind"] == "yes"
    assert "Pay \\u6f22" in terminal.drain()
