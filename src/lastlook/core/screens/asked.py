"""Questions by the field that caused them, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastlook.core.asked import FieldQuestions, Questions
from lastlook.core.screens.layout import Line, Screen, Span, Style, columns, prose
from lastlook.core.screens.lists import place_lines
from lastlook.core.screens.values import counted
from lastlook.core.visible import visible

_HEAD: Final = ("FIELD", "OF", "BLOCKED", "FOR NOTHING", "WOULD HAVE SPARED THEM")
_NONE: Final = "No plan was blocked because evidence had changed."


def asked_screen(questions: Questions, *, where: str = "", why: str = "") -> Screen:
    """Return which fields blocked, how often for nothing, and what would have spared that.

    Args:
        questions: What was counted.
        where: The store's place, for the last line.
        why: Why it is that place.
    """
    rows = [_row(item) for item in questions.fields]
    widths = [max(columns(row[at]) for row in (_HEAD, *rows)) for at in range(len(_HEAD))]
    lines = [_line(row, widths, "plain") for row in rows]
    head = [_line(_HEAD, widths, "head")] if rows else []
    return Screen((*head, *lines, *prose(_summary(questions)), *place_lines(where, why)))


def _row(item: FieldQuestions) -> tuple[str, ...]:
    times = f"{item.confirmed:,}" + (f" ({item.unread:,} unread)" if item.unread else "")
    of = f"{item.source}, {item.planner}"
    return (visible(item.field), visible(of), f"{item.blocked:,}", times, visible(item.instead))


def _line(cells: Sequence[str], widths: Sequence[int], style: Style) -> Line:
    padded = [
        cell + " " * (width - columns(cell)) for cell, width in zip(cells, widths, strict=True)
    ]
    return (Span("  ".join(padded).rstrip(), style),)


def _summary(questions: Questions) -> str:
    if not questions.blocks:
        return _NONE
    text = (
        f"{counted(questions.blocks, 'block')}; after {questions.confirmed:,} of them the fresh "
        "plan was confirmed, with nothing different in what runs."
    )
    if questions.unread:
        text += f" Of {questions.unread:,} that can't be told any more: a plan's body is gone."
    return text
