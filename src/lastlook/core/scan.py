"""Reading past quotes and brackets: the one lexical rule that fields, refs and paths share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSES = {"]": "[", ")": "(", "}": "{"}


class Unbalanced(ValueError):
    """A quote or a bracket is not closed, or closed without being opened.

    Attributes:
        at: The index of the quote or bracket.
    """

    def __init__(self, at: int) -> None:
        self.at = at
        super().__init__(at)


def outside(text: str, start: int = 0) -> Iterator[int]:
    """Yield the index of each character outside of quotes and brackets.

    Strings stand in `"..."` or `'...'` with a backslash before what is escaped; brackets
    are `[]`, `()` and `{}`. Of an outer string or bracket only the opening is yielded.

    Raises:
        Unbalanced: A quote or bracket has no partner.
    """
    at, end = start, len(text)
    stack: list[int] = []
    while at < end:
        char = text[at]
        if not stack and char not in _CLOSES:
            yield at
        if char in "\"'":
            at = _closing_quote(text, at)
        elif char in "[({":
            stack.append(at)
        elif char in _CLOSES and (not stack or text[stack.pop()] != _CLOSES[char]):
            raise Unbalanced(at)
        at += 1
    if stack:
        raise Unbalanced(stack[-1])


def split_outside(text: str, separator: str) -> list[str]:
    """Split at each `separator` (one character) outside of quotes and brackets.

    Raises:
        Unbalanced: A quote or bracket has no partner.
    """
    cuts = [at for at in outside(text) if text[at] == separator]
    starts = [0, *(at + 1 for at in cuts)]
    return [text[start:end] for start, end in zip(starts, [*cuts, len(text)], strict=True)]


def balanced(text: str) -> bool:
    """Return whether every quote and bracket in `text` has its partner."""
    try:
        for _ in outside(text):
            pass
    except Unbalanced:
        return False
    return True


def depth(text: str) -> int:
    """Return how deep brackets stand in each other, quotes left aside.

    Raises:
        Unbalanced: A quote has no partner.
    """
    at, deep, deepest = 0, 0, 0
    while at < len(text):
        if text[at] in "\"'":
            at = _closing_quote(text, at)
        deep += (text[at] in "[({") - (text[at] in _CLOSES)
        deepest = max(deepest, deep)
        at += 1
    return deepest


def _closing_quote(text: str, opening: int) -> int:
    quote = text[opening]
    at, end = opening + 1, len(text)
    while at < end:
        if text[at] == quote:
            return at
        at += 2 if text[at] == "\\" else 1
    raise Unbalanced(opening)
