"""Where a person is: the terminal device, or the notebook that the program runs in."""

from __future__ import annotations

import locale
import os
import select
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from lastlook.core.screens.layout import LEAST, WIDTH, text_of

if TYPE_CHECKING:
    from lastlook.core.screens.layout import Line, Span

DEVICE: Final = "/dev/tty"

_COLOURS: Final = {"head": "1", "strong": "1", "good": "32", "bad": "31", "dim": "2"}
_ROWS: Final = 24  # of a terminal that does not say
_LFLAG: Final = 3
_IFLAG: Final = 0


class Tty:
    """The terminal device: shows lines, and reads what is typed after they stood there.

    Attributes:
        rows: How many lines fit at once.
        columns: How many columns a line may have.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._encoding = locale.getencoding()
        self._colours = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.rows, self.columns = _size(fd)

    @staticmethod
    @contextmanager
    def open() -> Iterator[Tty | None]:
        """Give the terminal of this process; None where there is none, or not for us.

        A process in the background would be stopped by the system when it reads.
        """
        try:
            fd = os.open(DEVICE, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            yield None
            return
        try:
            with _lines_typed(fd) as ours:
                yield Tty(fd) if ours else None
        finally:
            os.close(fd)

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines, and wait until they stand on the screen."""
        self._write("".join(f"{self._styled(line)}\n" for line in lines))

    def read(self, asking: Line, seconds: float | None) -> str | None:
        """Ask, drop what was typed before, and return the next line; None for no answer."""
        self._write(f"{self._styled(asking)} ")
        self._drop_input()
        typed = ""
        try:
            typed = self._line(seconds)
        finally:
            if not typed.endswith("\n"):  # the end of input, of time, or Ctrl-C
                self._drop_input()
                self._write("\n")
        return typed if typed.endswith("\n") else None

    def _drop_input(self) -> None:
        try:
            termios.tcdrain(self._fd)
            termios.tcflush(self._fd, termios.TCIFLUSH)
        except termios.error as error:
            raise OSError(*error.args) from error

    def _line(self, seconds: float | None) -> str:
        """Return what is typed up to Enter; without it at the end of input or of time."""
        left = None if seconds is None else max(seconds, 0)
        ready, _, _ = select.select([self._fd], [], [], left)
        return os.read(self._fd, 4096).decode(errors="replace") if ready else ""

    def _styled(self, line: Line) -> str:
        return "".join(self._span(span) for span in line) if self._colours else text_of(line)

    def _span(self, span: Span) -> str:
        colour = _COLOURS.get(span.style)
        return f"\x1b[{colour}m{span.text}\x1b[0m" if colour else span.text

    def _write(self, text: str) -> None:
        data = text.encode(self._encoding, "backslashreplace")
        while data:
            data = data[os.write(self._fd, data) :]


def _size(fd: int) -> tuple[int, int]:
    """Return how many lines fit, and how many columns they may have."""
    try:
        size = os.get_terminal_size(fd)
    except OSError:
        return _ROWS, WIDTH
    rows, columns = size.lines or _ROWS, size.columns or WIDTH
    # What is laid out for more columns than there are takes two lines for one.
    return (rows if columns >= LEAST else rows // 2), columns


@contextmanager
def _lines_typed(fd: int) -> Iterator[bool]:
    """Let the terminal hand over whole lines, echoed, for as long as we ask.

    Gives whether the terminal is ours: we are not in the background.
    """
    before: list[Any] | None = None
    with suppress(OSError, termios.error):
        if os.tcgetpgrp(fd) == os.getpgrp():
            before = termios.tcgetattr(fd)
            termios.tcsetattr(fd, termios.TCSADRAIN, _line_mode(before))
    try:
        yield before is not None
    finally:
        if before is not None:
            with suppress(termios.error):
                termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _line_mode(attributes: Sequence[Any]) -> list[Any]:
    lines = [*attributes]
    lines[_LFLAG] |= termios.ICANON | termios.ECHO | termios.ISIG
    lines[_IFLAG] |= termios.ICRNL
    return lines


class Notebook:
    """The cell of a notebook: shows text, and asks in the box below it.

    The box belongs to one question, so nothing can be typed ahead.

    Attributes:
        rows: 0: a cell scrolls.
        columns: As many as a screen is laid out for.
    """

    rows = 0
    columns = WIDTH

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines in the cell."""
        print("\n".join(text_of(line) for line in lines))  # noqa: T201  # a cell's only output

    def read(self, asking: Line, seconds: float | None) -> str | None:
        """Ask in the box. A notebook has no time-out; once it has passed, no answer counts."""
        began = time.monotonic()
        try:
            typed = input(f"{text_of(asking)} ")
        except Exception:  # noqa: BLE001  # a kernel without a person raises its own kind
            return None
        return None if seconds is not None and time.monotonic() - began > seconds else typed
