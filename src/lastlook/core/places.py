"""Places in records, as a declaration spells them: `price`, `/owner/name`, `$.lines[*].price`."""

from __future__ import annotations

from json import dumps
from typing import Final

from lastlook.core.fieldtext import print_selector
from lastlook.core.paths import pointer_to, tokens_of

ALL: Final = -1
"""Stands for every index of an array in a pattern."""

Place = tuple[str | int, ...]


def pattern(path: Place) -> Place:
    """Return a path with `ALL` in the place of its array indices."""
    return tuple(ALL if isinstance(token, int) else token for token in path)


def spelled(place: Place) -> str:
    """Return a pattern as a field's text: a name, a pointer, or a JSONPath over arrays."""
    if ALL not in place:
        return print_selector(pointer_to(place))
    return f"${''.join(map(_segment, place))}"


def _segment(token: str | int) -> str:
    if token == ALL:
        return "[*]"
    name = str(token)
    return f".{name}" if name.isidentifier() and name.isascii() else f"[{dumps(name)}]"


def last_name(selector: str) -> str:
    """Return the last member's name that a selector names, or an empty text."""
    tokens = tokens_of(selector) or ()
    return next((token for token in reversed(tokens) if isinstance(token, str)), "")
