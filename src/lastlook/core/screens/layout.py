"""A screen as data: lines of styled spans, laid out for 80 columns.

Words carry the meaning; a style is a hint for a channel that has colours. Nothing here
makes foreign text safe: what comes in has been through `visible()` or `show()`.

How lines are broken loses nothing. A *value* is broken only where the line is full.
*Prose* is broken at a single space, and then the line is never full. So two different
texts never look the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias
from unicodedata import category, east_asian_width

from msgspec import Struct

Style: TypeAlias = Literal["plain", "head", "good", "bad", "dim", "strong", "label"]

WIDTH: Final = 80
"""Columns of a screen."""

EDGE: Final = 74
"""Where what stands on the right ends."""

_PROSE: Final = WIDTH - 2  # a line that is broken at a space stays under this


class Span(Struct, frozen=True):
    """A piece of text in one style."""

    text: str
    style: Style = "plain"


Line: TypeAlias = tuple[Span, ...]


class Screen(Struct, frozen=True):
    """What a person is shown.

    Attributes:
        lines: The lines from the top, each a tuple of spans.
    """

    lines: tuple[Line, ...]

    def plain(self) -> str:
        """Return the text alone, lines joined by newlines, without one at the end."""
        return "\n".join(text_of(line) for line in self.lines)


def text_of(line: Line) -> str:
    """Return a line without its styles."""
    return "".join(span.text for span in line)


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes, wide characters counting two."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


@lru_cache(maxsize=4096)
def _width(char: str) -> int:
    if category(char) in {"Mn", "Me"}:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


BLANK: Final[Line] = ()


def prose(text: str, *, indent: int = 0, style: Style = "plain") -> list[Line]:
    """Return a sentence, broken at spaces, later lines two columns further in."""
    lines = []
    deep, start = indent, 0
    while (full := _fit(text, start, WIDTH - deep)) < len(text):
        space = text.rfind(" ", start + 1, _fit(text, start, _PROSE - deep) + 1)
        end = space if space > 0 else full
        lines.append(_indented(deep, Span(text[start:end], style)))
        deep, start = indent + 2, end + (space > 0)
    return [*lines, _indented(deep, Span(text[start:], style))]


def _fit(text: str, start: int, room: int) -> int:
    """Return the index up to which a text, from `start` on, goes into `room` columns."""
    used = 0
    for at in range(start, len(text)):
        used += _width(text[at])
        if used > room:
            return at
    return len(text)


def _indented(indent: int, *spans: Span) -> Line:
    kept = tuple(span for span in spans if span.text)
    return (Span(" " * indent), *kept) if indent and kept else kept


def values(*spans: Span, indent: int) -> list[Line]:
    """Return spans broken wherever the line is full, all lines at one indent."""
    lines: list[Line] = []
    line: list[Span] = []
    room = WIDTH - indent
    for span in spans:
        start = 0
        while (end := _fit(span.text, start, room)) < len(span.text):
            line.append(Span(span.text[start:end], span.style))
            lines.append(_indented(indent, *line))
            line, start, room = [], end, WIDTH - indent
        line.append(Span(span.text[start:], span.style))
        room -= columns(span.text[start:])
    return [*lines, _indented(indent, *line)]


def row(
    label: str, rest: Sequence[Line], *, indent: int, column: int, style: Style = "label"
) -> list[Line]:
    """Put a label before the first of the lines, which are laid out from `column`.

    A label that reaches the column stands on lines of its own.
    """
    used = indent + columns(label)
    if used >= column or not rest:
        return [*values(Span(label, style), indent=indent), *rest]
    first = rest[0][1:]
    gap = Span(" " * (column - used) if first else "")
    return [_indented(indent, Span(label, style), gap, *first), *rest[1:]]


def beside(
    label: str, *spans: Span, indent: int, column: int, gap: int = 1, style: Style = "label"
) -> list[Line]:
    """Put a label and spans on one line, the spans further to the right of a longer label."""
    column = label_column([label], indent=indent, least=column, most=36, gap=gap)
    return row(label, values(*spans, indent=column), indent=indent, column=column, style=style)


def between(left: Sequence[Span], right: str, *, style: Style = "dim") -> list[Line]:
    """Put one thing at the left and one at the right edge; on two lines if need be."""
    used = sum(columns(span.text) for span in left)
    space = EDGE - used - columns(right)
    if space >= 2:
        return [(*left, Span(" " * space), Span(right, style))]
    return [*values(*left, indent=0), (Span("  "), Span(right, style))]


def label_column(labels: Iterable[str], *, indent: int, least: int, most: int, gap: int) -> int:
    """Return the column where values begin, so that most labels stand beside theirs."""
    longest = max((columns(label) for label in labels if columns(label) <= most), default=0)
    return max(least, indent + longest + gap)
