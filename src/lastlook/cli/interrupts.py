"""Ctrl-C: the first ends what is under way, and none ends in a traceback.

Python raises it between any two instructions, so also while a first one is dealt with or
the store is closed. What must not be torn is put under `hold`: from then on Ctrl-C is
noted, and nothing is raised any more; who presses it again later leaves at once.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED: Final = 130
_NOT_RUN: Final = 5
GRACE: Final = 0.25
"""Seconds after one that was raised in which further ones are only noted."""

PATIENCE: Final = 2.0
"""Seconds under `hold` in which all are only noted; the next one after them leaves at once."""


_TELLS: Final = frozenset(
    {"run", "dispatch", "confirm", "reject", "cancel", "propose", "renew", "init"}
)
"""Verbs that leave something behind: their exit code says what, also after Ctrl-C."""


class Closes(Protocol):
    """What is given back at the end."""

    def close(self) -> None:
        """Give back what is held."""
        ...


class Interrupts:
    """What is done about Ctrl-C during one command line.

    Args:
        whole: Whether the command line is the whole program, and not called by another.

    Attributes:
        noted: How often Ctrl-C came.
    """

    def __init__(self, *, whole: bool) -> None:
        self.noted = 0
        self._whole = whole
        self._held_since: float | None = None
        self._leave_with = INTERRUPTED
        self._quiet_until = 0.0
        self._before: Any = None

    def begin(self) -> None:
        """Take Ctrl-C over, unless the program has a handler of its own or this is no main thread."""
        with suppress(ValueError):
            before = signal.getsignal(signal.SIGINT)
            if before is signal.default_int_handler:
                signal.signal(signal.SIGINT, self.handle)
                self._before = before
        if self._whole:
            sys.unraisablehook = _quiet(sys.unraisablehook)
            # At its very end Python gives the signal back to the system, which would kill us.
            atexit.register(_ignore)

    def handle(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        """Note Ctrl-C, and raise it where nothing would be torn by that."""
        self.noted += 1
        now = time.monotonic()
        if self._held_since is not None:
            if self._whole and now > self._held_since + PATIENCE:
                os._exit(self._leave_with)
        elif now >= self._quiet_until:
            self._quiet_until = now + GRACE
            raise KeyboardInterrupt

    def hold(self, leave_with: int = INTERRUPTED) -> None:
        """Raise no more: what follows is short, and says what became of everything.

        Args:
            leave_with: The exit code for who does not wait for it.
        """
        self._leave_with = leave_with
        if self._held_since is None:
            self._held_since = time.monotonic()

    def closed(self, part: Closes) -> None:
        """Close something; a Ctrl-C that is raised in there is noted like any other."""
        try:
            part.close()
        except KeyboardInterrupt:
            self.noted += 1

    def exit_code(self, code: int, *, verb: str) -> int:
        """Return the exit code of a verb that came to its end, after whatever Ctrl-C came."""
        return after_interrupt(code, verb=verb) if self.noted else code

    def end(self) -> None:
        """Give the handler back; where this is the whole program it stays until the end."""
        if self._before is not None and not self._whole:
            with suppress(ValueError):
                signal.signal(signal.SIGINT, self._before)


def after_interrupt(code: int | None, *, verb: str) -> int:
    """Return the exit code of a verb, or of one that came to no end, after Ctrl-C."""
    unsaid = code is None or code == _NOT_RUN or (code == 0 and verb not in _TELLS)
    return INTERRUPTED if unsaid else code or 0


def _ignore() -> None:
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _quiet(before: Any) -> Any:
    """Return a hook that says nothing of a Ctrl-C inside of a finalizer."""

    def hook(unraisable: Any) -> None:
        if unraisable.exc_type is not KeyboardInterrupt:
            before(unraisable)

    return hook
