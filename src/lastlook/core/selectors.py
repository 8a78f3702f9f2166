"""Selectors: what a field looks at in a record, compiled once.

Three kinds: the empty text is the whole record; a text that begins with `/` is a JSON
Pointer (RFC 6901); one that begins with `$` is a JSONPath (RFC 9535). Pointers and
singular JSONPath queries name at most one value and are followed here. Other queries,
the *wildcards*, need the extra `jsonpath` (see `wildcards.py`), loaded when one is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from lastlook.core.objects import ABSENT, Absent, declared_names, read_attribute
from lastlook.core.paths import check_selector, is_wildcard, pointer_to, tokens_of

__all__ = [
    "ABSENT",
    "Absent",
    "Match",
    "check_selector",
    "child",
    "compile_selector",
    "has_bare_index",
    "is_wildcard",
    "pointer_to",
    "tokens_of",
]

Select = Callable[[object], Any]


class Match(NamedTuple):
    """One value that a wildcard selected, and where.

    Attributes:
        path: Member names from the root; None stands for an array index.
        indices: The array indices on the way, in order.
        value: The selected Python value.
    """

    path: list[str | None]
    indices: tuple[int, ...]
    value: Any


@lru_cache(maxsize=4096)
def compile_selector(selector: str) -> Select:
    """Return a function from a record to what the selector names in it.

    The function gives the selected Python value, or `ABSENT`. Of a wildcard it gives the
    list of `Match`, each location once, sorted by path and then by indices; or `ABSENT`
    where nothing matches.

    The function raises `NotCanonical` where an attribute on the way cannot be read, or a
    wildcard meets a record beyond the limits.

    Raises:
        FieldSyntaxError: The selector cannot be read, or needs an extra that is missing.
    """
    tokens = tokens_of(selector)
    if tokens is None:
        from lastlook.core.wildcards import compile_wildcard

        return compile_wildcard(selector)
    follow = _follow(tokens, pointer=not selector.startswith("$"))
    match tokens:
        case (str(name),):
            return _one_name(name, follow)
        case (str(first), str(second)):
            return _two_names(first, second, follow)
        case _:
            return follow


def _one_name(name: str, follow: Select) -> Select:
    def select(record: object) -> Any:
        if type(record) is dict:
            return record.get(name, ABSENT)
        return follow(record)

    return select


def _two_names(first: str, second: str, follow: Select) -> Select:
    def select(record: object) -> Any:
        if type(record) is dict:
            inner = record.get(first, ABSENT)
            if type(inner) is dict:
                return inner.get(second, ABSENT)
        return follow(record)

    return select


def _follow(tokens: tuple[str | int, ...], *, pointer: bool) -> Select:
    def select(record: object) -> Any:
        value: Any = record
        for depth, token in enumerate(tokens):
            value = child(value, token, tokens[:depth], pointer=pointer)
            if value is ABSENT:
                return ABSENT
        return value

    return select


def child(
    value: Any, token: str | int, before: tuple[str | int, ...], *, pointer: bool = False
) -> Any:
    """Return the member or item that one token names, or `ABSENT`.

    Args:
        value: A mapping, list, tuple, or an object with declared fields.
        token: A name or an index.
        before: The tokens that led here, for the path in an error.
        pointer: Whether a text may be an index too, as in a JSON Pointer.
    """
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, Mapping):
        return value.get(token, ABSENT) if isinstance(token, str) else ABSENT
    if isinstance(value, list | tuple):
        return _item(value, token, pointer=pointer)
    if isinstance(token, str) and token in (declared_names(type(value)) or ()):
        return read_attribute(value, token, pointer_to(before))
    return ABSENT


def _item(value: list[Any] | tuple[Any, ...], token: str | int, *, pointer: bool) -> Any:
    if isinstance(token, str):
        if not pointer or not _is_index(token):
            return ABSENT
        token = int(token)
    return value[token] if -len(value) <= token < len(value) else ABSENT


def _is_index(text: str) -> bool:
    """Tell whether a token is an array index (RFC 6901, section 4)."""
    digits = text.isascii() and text.isdigit() and len(text) < 17
    return digits and (text == "0" or not text.startswith("0"))


def has_bare_index(selector: str, record: object) -> bool:
    """Return whether a selector counts on a place in an array of this record.

    Such a field follows the place, not the element: after an insertion in front it looks
    at a different one. A wildcard never counts on a place.
    """
    value: Any = record
    before: tuple[str | int, ...] = ()
    pointer = not selector.startswith("$")
    for token in tokens_of(selector) or ():
        found = child(value, token, before, pointer=pointer)
        if found is ABSENT or isinstance(value, list | tuple):
            return found is not ABSENT
        value = found
        before += (token,)
    return False
