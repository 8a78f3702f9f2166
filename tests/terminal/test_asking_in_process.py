"""Asking in a notebook, who the person is, and what time it is there."""

from __future__ import annotations

import builtins
import os
import pwd
import sys
import termios
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lastlook.core.check import Unresolvable
from lastlook.core.outcome import BlockedUnresolvable
from lastlook.core.ports import Asker
from lastlook.core.prompt import LookAgain, Question
from lastlook.core.screens.layout import Line, Span, text_of
from lastlook.terminal import TerminalAsker, local_zone, principal
from lastlook.terminal_channels import Tty
from lastlook.terminal_conversation import Conversation
from tests.unit.core.refund import at, blocked, plan

ASKED = Question(plan=plan())


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Pretend to run in a Jupyter kernel whose box is filled in as told."""

    def make(*typed: Any, kernel: bool = True) -> list[str]:
        prompts: list[str] = []
        answers = list(typed)

        def fill_in(prompt: str = "") -> str:
            prompts.append(prompt)
            answer = answers.pop(0)
            if isinstance(answer, str):
                return answer
            raise answer

        shell = SimpleNamespace(kernel=1) if kernel else SimpleNamespace()
        monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
        monkeypatch.setattr(builtins, "input", fill_in)
        return prompts

    return make


@pytest.fixture
def no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastlook.terminal_channels.DEVICE", "/nowhere/tty")


def test_a_notebook_asks_in_its_box(
    notebook: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = notebook("", "d", "y")
    answer = TerminalAsker(zone=UTC).ask(ASKED)
    assert answer.kind == "yes"
    assert prompts == ["Run this?   y yes   n no   d details  > "] * 3
    shown = capsys.readouterr().out
    assert "WILL RUN" in shown
    assert "EVIDENCE" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("ending", [KeyboardInterrupt(), EOFError(), NotImplementedError()])
def test_a_notebook_without_a_person_gives_no_answer(
    notebook: Callable[..., list[str]], ending: BaseException
) -> None:
    notebook(ending)
    assert TerminalAsker(zone=UTC).ask(ASKED).kind == "nothing"


def test_an_answer_in_a_notebook_that_comes_too_late_is_none(
    notebook: Callable[..., list[str]],
) -> None:
    notebook("y")
    assert TerminalAsker(zone=UTC, timeout=-1).ask(ASKED).kind == "nothing"


def test_a_notebook_shows_an_outcome(
    notebook: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    notebook()
    TerminalAsker(zone=UTC).tell(blocked())
    assert capsys.readouterr().out.startswith("\nNOT RUN  Refund")


@pytest.mark.usefixtures("no_device")
def test_a_shell_without_a_kernel_is_no_notebook(
    notebook: Callable[..., list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    prompts = notebook("y", kernel=False)
    assert TerminalAsker(zone=UTC).ask(ASKED).kind == "nothing"
    assert prompts == []
    assert "no terminal to ask at" in caplog.text
    TerminalAsker(zone=UTC).tell(blocked())


def test_a_terminal_that_went_away_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []

    def gone(_: object, lines: object) -> None:
        tried.append(lines)
        raise OSError

    master, slave = os.openpty()
    monkeypatch.setattr("lastlook.terminal_channels.DEVICE", os.ttyname(slave))
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp())
    monkeypatch.setattr(Tty, "show", gone)
    TerminalAsker(zone=UTC).tell(blocked())
    assert len(tried) == 1
    os.close(master)
    os.close(slave)


def test_a_platform_without_terminals_has_nobody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lastlook.terminal_channels", None)
    assert TerminalAsker(zone=UTC).ask(ASKED).kind == "nothing"


def test_the_person_is_the_login_or_else_the_user_or_else_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise OSError

    def unknown(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(os, "getlogin", lambda: "ana")
    assert principal() == "person:ana"
    monkeypatch.setattr(os, "getlogin", fails)
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_name="bo"))
    assert principal() == "person:bo"
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert principal() == f"person:{os.getuid()}"
    monkeypatch.setitem(sys.modules, "pwd", None)
    assert principal() == "person:unknown"


@pytest.mark.parametrize("name", ["Europe/Berlin", ":Europe/Berlin"])
def test_the_zone_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TZ", name)
    assert local_zone() == ZoneInfo("Europe/Berlin")


def test_the_zone_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(os.path, "realpath", lambda _: "/usr/share/zoneinfo/Europe/Berlin")
    assert local_zone() == ZoneInfo("Europe/Berlin")
    monkeypatch.setattr(os.path, "realpath", lambda path: path)
    now = datetime.now(UTC)
    assert now.astimezone(local_zone()).utcoffset() == now.astimezone().utcoffset()


def test_a_zone_of_the_environment_that_is_none_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    assert local_zone().utcoffset(datetime.now()) is not None
    monkeypatch.setenv("TZ", "../../etc/passwd")
    assert local_zone() is not None


def test_a_terminal_asker_is_an_asker() -> None:
    asker: Asker = TerminalAsker(zone=UTC)
    assert asker.ask
    assert TerminalAsker.channel == "tty"


class Typed:
    """A channel of few rows, and what is typed into it."""

    def __init__(self, *typed: str, rows: int = 0, columns: int = 80) -> None:
        self.rows = rows
        self.columns = columns
        self.pages: list[str] = []
        self._typed = list(typed)

    def show(self, lines: Sequence[Line]) -> None:
        self.pages.append("\n".join(text_of(line) for line in lines))

    def read(self, asking: Line, seconds: float | None) -> str | None:
        assert seconds is None or seconds > 0
        self.pages.append(text_of(asking))
        return self._typed.pop(0) if self._typed else None


def put(channel: Typed, question: Any = ASKED) -> str:
    return Conversation(channel, timeout=60, zone=UTC, by=lambda: "person:ana").put(question).kind


AGAIN = LookAgain(
    blocked=BlockedUnresolvable(
        plan=plan(), checks=(Unresolvable(ref="a:1", reason="no answer"),), at=at(14, 9)
    )
)


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        (["y"], "yes"),
        ([" YES "], "yes"),
        (["n"], "no"),
        (["yes please", "no"], "no"),
        (["d", "y"], "yes"),
        ([], "nothing"),
        (["x"] * 20 + ["y"], "nothing"),
    ],
)
def test_only_a_whole_line_of_yes_or_no_is_an_answer(typed: list[str], kind: str) -> None:
    assert put(Typed(*typed)) == kind


@pytest.mark.parametrize(
    ("typed", "kind"),
    [(["l"], "again"), (["n"], "no"), (["y", "l"], "again"), ([], "nothing"),
     (["y"] * 20 + ["l"], "nothing")],
)  # fmt: skip
def test_after_a_failed_read_there_is_no_yes(typed: list[str], kind: str) -> None:
    assert put(Typed(*typed), AGAIN) == kind


@pytest.mark.parametrize("width", [60, 40])
def test_what_is_shown_fits_the_terminal(width: int) -> None:
    for question, typed in ((ASKED, ["x", "d", "y"]), (AGAIN, ["x", "l"])):
        channel = Typed(*typed, columns=width)
        put(channel, question)
        lines = "\n".join(channel.pages).splitlines()
        assert max(map(len, lines)) <= width
        assert max(map(len, lines)) > width - 10
    parked = Typed(columns=40)
    put(parked, Question(plan=plan(), parked=True))
    assert max(len(line) for page in parked.pages for line in page.splitlines()) <= 40


def test_only_a_question_of_another_day_says_of_which() -> None:
    old, new = Typed("y"), Typed("y")
    put(old)
    put(new, Question(plan=plan(created_at=datetime.now(UTC))))
    assert "This question is from 2026-10-03." in old.pages[0]
    assert "This question is from" not in new.pages[0]


def test_a_parked_question_reads_nothing() -> None:
    channel = Typed("y")
    assert put(channel, Question(plan=plan(), parked=True)) == "nothing"
    assert channel.pages[-1].startswith("Parked: ")


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        (["", "", "y"], "yes"),
        (["y", "", "", "y"], "yes"),
        (["n"], "no"),
        (["", "no"], "no"),
        ([], "nothing"),
        (["y"] * 20, "nothing"),
        (["", "", "d", "n"], "no"),
        (["", "", "d", *[""] * 9, "y"], "yes"),
    ],
)
def test_a_yes_counts_after_the_last_page_only(typed: list[str], kind: str) -> None:
    channel = Typed(*typed, rows=10)
    assert put(channel) == kind
    asked = [page for page in channel.pages if page.startswith("Run this?")]
    assert bool(asked) == (typed[:2] == ["", ""] or typed[1:3] == ["", ""])


class TestTty:
    """The terminal device, over a pseudo terminal of our own."""

    @pytest.fixture
    def pair(self) -> Any:
        master, slave = os.openpty()
        yield master, slave
        os.close(master)
        os.close(slave)

    def test_a_line_is_read_and_what_came_before_it_dropped(
        self, pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("NO_COLOR", "1")
        master, slave = pair
        os.write(master, b"early\n")
        typed: list[str | None] = []
        terminal = Tty(slave)
        flushed = threading.Event()
        drop = terminal._drop_input

        def drop_and_tell() -> None:
            drop()
            flushed.set()

        monkeypatch.setattr(terminal, "_drop_input", drop_and_tell)
        reader = threading.Thread(target=lambda: typed.append(terminal.read((Span("?"),), 10)))
        reader.start()
        assert flushed.wait(10)
        os.write(master, b"late\n")
        reader.join(10)
        assert typed == ["late\n"]

    @pytest.mark.parametrize(
        ("size", "fits"),
        [((50, 100), (50, 100)), ((50, 60), (50, 60)), ((50, 30), (25, 30)), ((0, 0), (24, 80))],
    )
    def test_a_terminal_says_how_much_fits(
        self, pair: tuple[int, int], size: tuple[int, int], fits: tuple[int, int]
    ) -> None:
        termios.tcsetwinsize(pair[1], size)
        terminal = Tty(pair[1])
        assert (terminal.rows, terminal.columns) == fits

    def test_ctrl_c_ends_the_line_and_drops_what_was_typed(
        self, pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stopped(seconds: float | None) -> str:
            raise KeyboardInterrupt

        monkeypatch.setenv("NO_COLOR", "1")
        terminal = Tty(pair[1])
        monkeypatch.setattr(terminal, "_line", stopped)
        with pytest.raises(KeyboardInterrupt):
            terminal.read((Span("Run this?"),), 10)
        assert os.read(pair[0], 100) == b"Run this? \r\n"

    def test_nothing_is_typed_in_time(self, pair: tuple[int, int]) -> None:
        assert Tty(pair[1]).read((Span("?"),), 0) is None

    def test_a_file_is_no_terminal(self) -> None:
        reads, writes = os.pipe()
        try:
            terminal = Tty(writes)
            assert (terminal.rows, terminal.columns) == (24, 80)
            with pytest.raises(OSError, match="Inappropriate"):
                terminal.read((Span("?"),), 0)
        finally:
            os.close(reads)
            os.close(writes)

    def test_a_terminal_that_is_not_our_own_is_not_asked_at(
        self, pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("lastlook.terminal_channels.DEVICE", os.ttyname(pair[1]))
        with Tty.open() as terminal:
            assert terminal is None

    def test_a_terminal_of_our_own_is_put_into_lines_and_back(
        self, pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("lastlook.terminal_channels.DEVICE", os.ttyname(pair[1]))
        monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp())
        with Tty.open() as terminal:
            assert terminal is not None
            terminal.show([(Span("good", "good"), Span(" plain"))])
        assert b"\x1b[32mgood\x1b[0m plain" in os.read(pair[0], 100)
