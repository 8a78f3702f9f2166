"""Asking a person at the terminal, or in a notebook.

The answer is read from the terminal device and never from standard input, so nothing
that is piped into a program counts. What was typed before the question stood on screen
is dropped. There is no default: Enter alone asks again. No terminal, end of input,
Ctrl-C and a time-out all leave the plan as it was.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Final, Literal, Protocol

from lastlook.core.prompt import Answer, LookAgain, Question

if TYPE_CHECKING:
    from lastlook.core.outcome import Outcome
    from lastlook.core.screen import Line, Screen

log = logging.getLogger("lastlook")

TRIES: Final = 20
"""How often one question is put again after an answer that is none."""

NOTHING: Final = Answer(kind="nothing")

_MEANS: Final[dict[str, Literal["yes", "no"]]] = {"y": "yes", "yes": "yes", "n": "no", "no": "no"}
_HINT: Final = "Type y, n or d, then Enter. Enter alone is no answer."
_HINT_AGAIN: Final = "Type l or n, then Enter."
_MORE: Final = "-- more below: Enter goes on, n is no  >"
_TOO_EARLY: Final = "There is more below; y counts after the end."


class Channel(Protocol):
    """Where a person sees lines and types answers.

    Attributes:
        rows: How many lines fit at once; 0 where there is no end to them.
    """

    rows: int

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines."""
        ...

    def read(self, asking: Line, seconds: float | None) -> str | None:
        """Ask, and return the line that was typed since; None where none will come."""
        ...


class TerminalAsker:
    """Asks at the terminal that the program was started from, or in its notebook.

    Args:
        timeout: Seconds after which a question without an answer is given up; None
            waits for as long as it takes.
        zone: The zone of all times of day; the machine's by default.

    Attributes:
        channel: `tty`: how an answer reached the program, for the journal.
    """

    channel = "tty"

    def __init__(self, *, timeout: float | None = None, zone: tzinfo | None = None) -> None:
        self._timeout = timeout
        self._zone = zone or local_zone()
        self._lock = threading.Lock()

    def ask(self, question: Question | LookAgain, /) -> Answer:
        """Show the question in full and wait for the answer; never guess one."""
        with self._lock, _open_channel() as channel:
            if channel is None:
                plan = _plan_id(question)
                log.warning("plan=%s no terminal to ask at, so it has no answer", plan)
                return NOTHING
            try:
                return _Conversation(channel, self._timeout, self._zone).put(question)
            except (KeyboardInterrupt, EOFError, OSError):
                return NOTHING

    def tell(self, outcome: Outcome, /) -> None:
        """Show an outcome; without a terminal there is nobody to show it to."""
        from lastlook.core.screens import outcome_screen

        screen = outcome_screen(outcome, zone=self._zone)
        with self._lock, _open_channel() as channel:
            if channel is not None:
                channel.show([*screen.lines, ()])


def _plan_id(question: Question | LookAgain) -> str:
    from lastlook.core.visible import visible

    plan = question.plan if isinstance(question, Question) else question.blocked.plan
    return visible(plan.id)


class _Conversation:
    """One question, from the first line to an answer."""

    def __init__(self, channel: Channel, timeout: float | None, zone: tzinfo) -> None:
        self._channel = channel
        self._ends = None if timeout is None else time.monotonic() + timeout
        self._zone = zone

    def put(self, question: Question | LookAgain) -> Answer:
        """Show all of it, then take an answer."""
        from lastlook.core.screens import look_again_screen, question_screen

        if isinstance(question, LookAgain):
            return self._look_again(look_again_screen(question, zone=self._zone))
        screen = question_screen(question, zone=self._zone)
        *body, asking = screen.lines
        left = self._page([*body, *_age(question, self._zone)])
        if left is not None:
            return left
        if question.parked:
            self._channel.show([asking])
            return NOTHING
        return self._answer(question, asking)

    def _answer(self, question: Question, asking: Line) -> Answer:
        from lastlook.core.screens import details_screen

        for _ in range(TRIES):
            said = self._read(asking)
            if said is None:
                return NOTHING
            if said in _MEANS:
                return Answer(kind=_MEANS[said], by=principal())
            if said in {"d", "details"}:
                details = details_screen(question.plan, zone=self._zone).lines
                if (left := self._page([*details, ()])) is not None:
                    return left
            else:
                self._say(_HINT)
        return NOTHING

    def _look_again(self, screen: Screen) -> Answer:
        *body, asking = screen.lines
        self._channel.show(body)
        for _ in range(TRIES):
            said = self._read(asking)
            if said is None:
                return NOTHING
            if said in {"l", "look"}:
                return Answer(kind="again", by=principal())
            if said in {"n", "no"}:
                return Answer(kind="no", by=principal())
            self._say(_HINT_AGAIN)
        return NOTHING

    def _page(self, lines: Sequence[Line]) -> Answer | None:
        """Show lines page by page; None where the end was shown."""
        rows = self._channel.rows - 2 if self._channel.rows else len(lines)
        for start in range(0, len(lines), max(rows, 1)):
            if start and (left := self._next_page()) is not None:
                return left
            self._channel.show(lines[start : start + max(rows, 1)])
        return None

    def _next_page(self) -> Answer | None:
        from lastlook.core.screen import Span

        for _ in range(TRIES):
            said = self._read((Span(_MORE, "strong"),))
            if said == "":
                return None
            if said is None:
                return NOTHING
            if _MEANS.get(said) == "no":
                return Answer(kind="no", by=principal())
            self._say(_TOO_EARLY)
        return NOTHING

    def _read(self, asking: Line) -> str | None:
        left = None if self._ends is None else self._ends - time.monotonic()
        said = self._channel.read(asking, left)
        return None if said is None else said.strip().lower()

    def _say(self, text: str) -> None:
        from lastlook.core.screen import Span

        self._channel.show([(Span(text, "dim"),)])


def _age(question: Question, zone: tzinfo) -> list[Line]:
    """Return a line with the date, where the question is not of today."""
    from lastlook.core.screen import Span

    asked = question.plan.created_at.astimezone(zone).date()
    if asked == datetime.now(zone).date():
        return []
    return [(Span(f"This question is from {asked}.", "strong"),)]


def principal() -> str:
    """Return the person at the terminal, as `person:` and the login name.

    The name comes from the operating system, not from the environment.
    """
    try:
        return f"person:{os.getlogin()}"
    except OSError:
        return f"person:{_user_name()}"


def _user_name() -> str:
    try:
        from pwd import getpwuid
    except ImportError:
        return "unknown"
    try:
        return getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def local_zone() -> tzinfo:
    """Return the machine's time zone, by its name where that can be found out."""
    from zoneinfo import ZoneInfo

    name = os.environ.get("TZ", "").removeprefix(":")
    if not name:
        _, _, name = os.path.realpath("/etc/localtime").partition("/zoneinfo/")
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return datetime.now().astimezone().tzinfo or UTC


def _open_channel() -> AbstractContextManager[Channel | None]:
    """Return the notebook, the terminal, or None where there is neither."""
    if _in_notebook():
        from lastlook.terminal_channels import Notebook

        return nullcontext(Notebook())
    try:
        from lastlook.terminal_channels import Tty
    except ImportError:
        return nullcontext(None)
    return Tty.open()


def _in_notebook() -> bool:
    """Tell whether this runs in a Jupyter kernel."""
    if "ipykernel" not in sys.modules:
        return False
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
