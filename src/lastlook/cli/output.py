"""What the command line prints: screens for people, or one JSON object for programs.

With `--json` standard output holds exactly one JSON object, and everything for people
goes to standard error.
"""

from __future__ import annotations

import json as json_text
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

from lastlook.errors import LastlookError

if TYPE_CHECKING:
    from rich.console import Console

    from lastlook.core.screens.layout import Line, Screen, Style

_STYLES: Final[Mapping[Style, str]] = {
    "head": "bold", "strong": "bold", "good": "green", "bad": "red", "dim": "dim",
}  # fmt: skip

_TO_TYPE: Final = re.compile(r": (?=(?:cd |lastlook |chmod ))")


class Usage(LastlookError):
    """The command line says something that cannot be meant."""


class Output:
    """Where a verb prints.

    Args:
        json: Whether standard output is for one JSON object.

    Attributes:
        quiet: Whether people are told nothing but errors.
        colour: False forbids colours; None leaves it to the terminal.
    """

    def __init__(self, *, json: bool = False) -> None:
        self.json = json
        self.quiet = False
        self.colour: bool | None = None
        self._said = False
        self._stdout = sys.stdout
        if json:
            # What an application prints by itself is for people, too.
            sys.stdout = sys.stderr

    def screen(self, screen: Screen, *, aside: bool = False) -> None:
        """Show a screen; `aside` keeps standard output for what a command prints itself."""
        if not self.quiet:
            self._lines(screen, self._stream(aside=aside))

    def _stream(self, *, aside: bool) -> TextIO:
        return sys.stderr if aside or self.json else sys.stdout

    def columns(self, *, aside: bool = False) -> int | None:
        """Return how many columns the terminal has that a screen goes to; None elsewhere."""
        stream = self._stream(aside=aside)
        try:
            return os.get_terminal_size(stream.fileno()).columns or None
        except (OSError, ValueError):
            return None

    def width(self, *, aside: bool = False) -> int:
        """Return for how many columns a screen is laid out, at most 80."""
        from lastlook.core.screens.layout import WIDTH

        return self.columns(aside=aside) or WIDTH

    def text(self, text: str, *, style: Style = "plain", aside: bool = False) -> None:
        """Show a sentence, broken where the terminal ends, at 80 columns at the latest."""
        from lastlook.core.screens.layout import laid_out
        from lastlook.core.visible import unhidden

        width, said = self.width(aside=aside), unhidden(text)
        self.screen(laid_out(width, lambda: _said(said, style=style)), aside=aside)

    def data(self, data: Mapping[str, Any]) -> None:
        """Print the one JSON object, where JSON is wanted."""
        if self.json and not self._said:
            self._said = True
            _write(self._stdout, json_text.dumps(data, indent=2, allow_nan=False) + "\n")

    def bare(self, text: str) -> None:
        """Print one word for a script, where neither people nor JSON are served."""
        from lastlook.core.visible import unhidden

        if self.quiet and not self.json:
            _write(sys.stdout, unhidden(text) + "\n")

    def error(self, error: LastlookError, *, exit_code: int) -> int:
        """Say what went wrong, where, and what to do; returns `exit_code`."""
        from lastlook.core.screens.layout import laid_out

        width = self.columns(aside=True) or 80
        self._lines(laid_out(width, lambda: _error_lines(error)), sys.stderr)
        said = {"type": type(error).__name__, "what": error.what, "where": error.where}
        self.data({"error": {**said, "fix": error.fix}, "exit": exit_code})
        return exit_code

    def close(self) -> None:
        """Push out what is left; a reader that went away is no error."""
        if self.json:
            sys.stdout = self._stdout
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (BrokenPipeError, ValueError):
                _let_go(stream)

    def _lines(self, screen: Screen, stream: TextIO) -> None:
        screen = _seen(screen)
        if self._in_colours(stream):
            self._coloured(screen, stream)
        else:
            _write(stream, screen.plain() + "\n")

    def _in_colours(self, stream: TextIO) -> bool:
        if self.colour is False or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return False
        return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()

    def _coloured(self, screen: Screen, stream: TextIO) -> None:
        from rich.console import Console
        from rich.text import Text

        console: Console = Console(
            file=stream, force_terminal=True, highlight=False, markup=False, emoji=False,
            soft_wrap=True,
        )  # fmt: skip
        with suppress(BrokenPipeError):
            for line in screen.lines:
                console.print(Text.assemble(*_spans(line)), soft_wrap=True)


def _seen(screen: Screen) -> Screen:
    """Return a screen as it is, but that whatever was overlooked in it can be seen."""
    from lastlook.core.screens.layout import Screen, Span
    from lastlook.core.visible import unhidden

    if all(
        span.text.isascii() and span.text.isprintable() for line in screen.lines for span in line
    ):
        return screen
    return Screen(
        tuple(
            tuple(Span(unhidden(span.text), span.style) for span in line) for line in screen.lines
        )
    )


def _spans(line: Line) -> list[tuple[str, str]]:
    return [(span.text, _STYLES.get(span.style, "")) for span in line]


def _error_lines(error: LastlookError) -> list[Line]:
    from lastlook.core.screens.layout import prose, row
    from lastlook.core.visible import visible

    lines = prose(f"Error: {_sentence(visible(error.what))}", style="bad")
    for label, text in (("where", error.where), ("do", error.fix)):
        if text:
            lines += row(label, _said(visible(text), indent=8), indent=2, column=8, style="dim")
    return lines


def _said(text: str, *, indent: int = 0, style: Style = "plain") -> list[Line]:
    """Return a sentence; a command that it ends with is never broken, so that it can be copied."""
    from lastlook.core.screens.layout import Span, columns, prose, room

    found = _TO_TYPE.search(text)
    if found is None or columns(text) <= room(indent):
        return prose(text, indent=indent, style=style)
    typed = (Span(" " * (indent + 2)), Span(text[found.end() :], style))
    return [*prose(text[: found.end() - 1], indent=indent, style=style), typed]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _write(stream: TextIO, text: str) -> None:
    with suppress(BrokenPipeError):
        stream.write(text)
        stream.flush()


def _let_go(stream: TextIO) -> None:
    """Point a stream without a reader at nothing, so that its end says nothing either."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
