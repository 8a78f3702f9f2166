"""Reading selectors: JSON Pointers (RFC 6901), and JSONPaths (RFC 9535) as far as needed.

A JSONPath that names at most one value is read here to its tokens. Of any other only the
outline is checked; `wildcards.py` reads it, with the extra `jsonpath`, when it is used.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from lastlook.core.objects import escape, unescape
from lastlook.core.scan import Unbalanced, outside
from lastlook.errors import FieldSyntaxError

LONGEST = 4096
"""Characters that a selector may have."""


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


def check_selector(selector: str) -> None:
    """Refuse a text that can be no selector; a wildcard is read no further than its outline.

    Raises:
        FieldSyntaxError: `fix` shows a right spelling where there is one.
    """
    if len(selector) > LONGEST:
        raise FieldSyntaxError(f"a selector has more than {LONGEST} characters")
    try:
        selector.encode()
    except UnicodeEncodeError as error:
        raise FieldSyntaxError(
            "a selector holds half a surrogate pair", where=f"character {error.start + 1}"
        ) from None
    if selector.startswith("$"):
        _check_outline(selector)
    elif not _is_pointer(selector):
        raise FieldSyntaxError(
            f"{selector!r} is neither a JSON Pointer nor a JSONPath",
            fix=f"Write {'/' + escape(selector.removeprefix('/'))!r}.",
        )


def _is_pointer(text: str) -> bool:
    """Tell whether a text is a JSON Pointer (RFC 6901, section 3)."""
    if text and not text.startswith("/"):
        return False
    return text.count("~") == text.count("~0") + text.count("~1")


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
