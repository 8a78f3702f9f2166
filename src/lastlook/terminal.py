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
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from lastlook.core.prompt import Answer, LookAgain, Question
from lastlook.terminal_conversation import Conversation

if TYPE_CHECKING:
    from lastlook.core.outcome import Outcome
    from lastlook.terminal_conversation import Channel

log = logging.getLogger("lastlook")


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
                return Answer(kind="nothing")
            try:
                talk = Conversation(channel, timeout=self._timeout, zone=self._zone, by=principal)
                return talk.put(question)
            except (KeyboardInterrupt, EOFError, OSError):
                return Answer(kind="nothing")

    def tell(self, outcome: Outcome, /) -> None:
        """Show an outcome; without a terminal there is nobody to show it to."""
        from lastlook.core.screens import outcome_screen

        with self._lock, suppress(OSError), _open_channel() as channel:
            if channel is not None:
                screen = outcome_screen(outcome, zone=self._zone, width=channel.columns)
                channel.show([(), *screen.lines, ()])


def _plan_id(question: Question | LookAgain) -> str:
    from lastlook.core.visible import visible

    plan = question.plan if isinstance(question, Question) else question.blocked.plan
    return visible(plan.id)


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
