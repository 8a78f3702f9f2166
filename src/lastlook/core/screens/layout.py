"""A screen as data: lines of styled spans, laid out for 80 columns or fewer.

Words carry the meaning; a style is a hint for a channel that has colours. Nothing here
makes foreign text safe: what comes in has been through `visible()` or `show()`.

How many columns there are is said once, where a screen is made (`laid_out`), and holds
for all of its parts.

How lines are broken loses nothing. A *value* is broken only where the line is full.
*Prose* is broken at a single space, and then the line is never full. So two different
texts never look the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from functools import lru_cache
from typing import Final, Literal, TypeAlias
from unicodedata import category, east_asian_width

from msgspec import Struct

Style: TypeAlias = Literal["plain", "head", "good", "bad", "dim", "strong", "label"]

WIDTH: Final = 80
"""Columns of a screen, unless there are fewer; more are not used."""

LEAST: Final = 40
"""Columns below which a screen is not laid out more narrowly."""

_MARGIN: Final = 6  # columns to the right of what stands on the right
_NEEDED: Final = 18  # columns that are left to a text, however far in it would stand
_SLACK: Final = 2  # a line that is broken at a space stays under the width by this

_COLUMNS: ContextVar[int] = ContextVar("columns", default=WIDTH)


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


def laid_out(width: int, lines: Callable[[], Iterable[Line]]) -> Screen:
    """Return a screen of the lines that are made for so many columns, 40 to 80."""
    token = _COLUMNS.set(max(LEAST, min(width, WIDTH)))
    try:
        return Screen(tuple(lines()))
    finally:
        _COLUMNS.reset(token)


def room(column: int = 0) -> int:
    """Return how many columns a line has from `column` on, on the screen being laid out."""
    return _COLUMNS.get() - column


def _at(column: int) -> int:
    """Return where a text stands that would stand at `column`, had it the room."""
    return min(column, room(_NEEDED))


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
    return flow(Span(text, style), indent=indent)


def flow(*spans: Span, indent: int = 0) -> list[Line]:
    """Return a sentence of several styles, broken as `prose` is."""
    text = "".join(span.text for span in spans)
    lines = []
    indent = _at(indent)
    deep, start = indent, 0
    while (full := _fit(text, start, room(deep))) < len(text):
        space = text.rfind(" ", start + 1, _fit(text, start, room(deep) - _SLACK) + 1)
        end = space if space > 0 else full
        lines.append(_indented(deep, *_cut(spans, start, end)))
        deep, start = indent + 2, end + (space > 0)
    return [*lines, _indented(deep, *_cut(spans, start, len(text)))]


def _cut(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """Return what lies from `start` to `end` of the texts of spans, in their styles."""
    parts, at = [], 0
    for span in spans:
        parts.append(Span(span.text[max(start - at, 0) : max(end - at, 0)], span.style))
        at += len(span.text)
    return parts


def _fit(text: str, start: int, most: int) -> int:
    """Return the index up to which a text, from `start` on, goes into `most` columns."""
    used = 0
    for at in range(start, len(text)):
        used += _width(text[at])
        if used > most:
            return at
    return len(text)


def pieces(text: str, most: int) -> list[str]:
    """Return a text in parts of at most `most` columns, broken at spaces where there are any."""
    parts, start = [], 0
    while (full := _fit(text, start, most)) < len(text):
        space = text.rfind(" ", start + 1, full + 1)
        end = space if space > 0 else max(full, start + 1)
        parts.append(text[start:end])
        start = end + (space > 0)
    return [*parts, text[start:]]


def _indented(indent: int, *spans: Span) -> Line:
    kept = tuple(span for span in spans if span.text)
    return (Span(" " * indent), *kept) if indent and kept else kept


def values(*spans: Span, indent: int) -> list[Line]:
    """Return spans broken wherever the line is full, all lines at one indent."""
    lines: list[Line] = []
    line: list[Span] = []
    indent = _at(indent)
    left = room(indent)
    for span in spans:
        start = 0
        while (end := _fit(span.text, start, left)) < len(span.text):
            line.append(Span(span.text[start:end], span.style))
            lines.append(_indented(indent, *line))
            line, start, left = [], end, room(indent)
        line.append(Span(span.text[start:], span.style))
        left -= columns(span.text[start:])
    return [*lines, _indented(indent, *line)]


def row(
    label: str, rest: Sequence[Line], *, indent: int, column: int, style: Style = "label"
) -> list[Line]:
    """Put a label before the first of the lines, which are laid out from `column`.

    A label that reaches the column stands on lines of its own.
    """
    column, used = _at(column), indent + columns(label)
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
    """Put one thing at the left and one at the right edge; on lines of their own if need be."""
    used = sum(columns(span.text) for span in left)
    edge = room(_MARGIN)
    space = edge - used - columns(right)
    if space >= 2:
        return [(*left, Span(" " * space), Span(right, style))]
    if columns(right) > edge - 2:
        return [*flow(*left), *values(Span(right, style), indent=2)]
    return [*flow(*left), _indented(edge - columns(right), Span(right, style))]


def label_column(labels: Iterable[str], *, indent: int, least: int, most: int, gap: int) -> int:
    """Return the column where values begin, so that most labels stand beside theirs."""
    longest = max((columns(label) for label in labels if columns(label) <= most), default=0)
    return max(least, indent + longest + gap)
