"""Selectors: what a field looks at in a record, compiled once.

Three kinds: the empty text is the whole record; a text that begins with `/` is a JSON
Pointer (RFC 6901); one that begins with `$` is a JSONPath (RFC 9535). Pointers and
singular JSONPath queries name at most one value and are followed here. Other queries,
the *wildcards*, need the extra `jsonpath` (see `wildcards.py`), loaded when one is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from lastlook.core.objects import (
    ABSENT,
    Absent,
    declared_names,
    escape,
    read_attribute,
    unescape,
)
from lastlook.core.scan import Unbalanced, outside
from lastlook.errors import FieldSyntaxError

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

LONGEST = 4096
"""Characters that a selector may have."""

_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_INDEX = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")

_S = r"[ \t\n\r]*"
_NAME = r"[A-Za-z_\u0080-\U0010ffff][0-9A-Za-z_\u0080-\U0010ffff]*"
_ESCAPE = (
    r"[bfnrt/\\]"
    r"|u(?:[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2}"
    r"|[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})"
)
_DOUBLE = rf'"(?:[^\x00-\x1f"\\]|\\(?:"|{_ESCAPE}))*"'
_SINGLE = rf"'(?:[^\x00-\x1f'\\]|\\(?:'|{_ESCAPE}))*'"
_INT = r"0|-?[1-9][0-9]*"
_SEGMENT = rf"{_S}(?:\.({_NAME})|\[{_S}(?:({_DOUBLE})|({_SINGLE})|({_INT})){_S}\])"
_OUTLINE = rf"(?:{_S}(?:\.\.?(?:{_NAME}|\*)|(?:\.\.)?\[))*"
# Compiled at first use: most programs never write a JSONPath, and this takes 10 ms.
_compiled = lru_cache(maxsize=2)(re.compile)
_INT_LIMIT = 2**53  # RFC 9535, section 2.1: the integers that I-JSON keeps exactly

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


def check_selector(selector: str) -> None:
    """Refuse a text that can be no selector; a wildcard is read no further than its outline.

    Raises:
        FieldSyntaxError: `fix` shows a right spelling where there is one.
    """
    if len(selector) > LONGEST:
        raise FieldSyntaxError(f"a selector has more than {LONGEST} characters")
    if _SURROGATE.search(selector):
        raise FieldSyntaxError("a selector holds half a surrogate pair", where=repr(selector))
    if selector.startswith("$"):
        _check_outline(selector)
    elif not _POINTER.fullmatch(selector):
        raise FieldSyntaxError(
            f"{selector!r} is neither a JSON Pointer nor a JSONPath",
            fix=f"Write {'/' + escape(selector.removeprefix('/'))!r}.",
        )


def _check_outline(path: str) -> None:
    if path == "$":
        raise FieldSyntaxError(
            "the whole record is the empty selector", fix='Write selector="", or field("$").'
        )
    try:
        outer = "".join(path[at] for at in outside(path, 1))
    except Unbalanced as error:
        raise FieldSyntaxError(
            f"{path!r} is not a JSONPath: {path[error.at]!r} has no partner",
            where=f"character {error.at + 1}",
        ) from None
    if not _compiled(_OUTLINE).fullmatch(outer):
        raise FieldSyntaxError(
            f"{path!r} is not a JSONPath",
            fix="Put a member name that is not a plain word in brackets and quotes: $['a b'].",
        )


@lru_cache(maxsize=4096)
def tokens_of(selector: str) -> tuple[str | int, ...] | None:
    """Return the names and indices that a pointer or singular query follows.

    A pointer's tokens are all text: whether `0` is a name or an index is up to the record
    (RFC 6901, section 4). In a singular query names and indices differ. Other JSONPaths
    give None.

    Raises:
        FieldSyntaxError: `selector` is neither.
    """
    check_selector(selector)
    if not selector.startswith("$"):
        return tuple(unescape(token) for token in selector.split("/")[1:])
    tokens: list[str | int] = []
    at = 1
    while at < len(selector):
        segment = _compiled(_SEGMENT).match(selector, at)
        if segment is None:
            return None
        tokens.append(_token(*segment.groups()))
        at = segment.end()
    if any(isinstance(token, int) and abs(token) >= _INT_LIMIT for token in tokens):
        raise FieldSyntaxError(f"an index in {selector!r} is beyond the integers of I-JSON")
    return tuple(tokens)


def _token(name: str | None, double: str | None, single: str | None, index: str) -> str | int:
    if name is not None:
        return name
    if double is not None:
        return str(json.loads(double))
    if single is None:
        return int(index[:20])
    inner = single[1:-1].replace("\\'", "'").replace('"', '\\"')
    return str(json.loads(f'"{inner}"'))


def is_wildcard(selector: str) -> bool:
    """Return whether a selector may name several values (RFC 9535, section 2.3.5.1).

    Raises:
        FieldSyntaxError: `selector` cannot be read.
    """
    return tokens_of(selector) is None


def pointer_to(tokens: tuple[str | int, ...]) -> str:
    """Return names and indices as a JSON Pointer."""
    return "".join(f"/{escape(str(token))}" for token in tokens)


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
        if not pointer or not _INDEX.fullmatch(token):
            return ABSENT
        token = int(token)
    return value[token] if -len(value) <= token < len(value) else ABSENT


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
