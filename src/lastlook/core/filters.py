"""What filters in a JSONPath compare and match (RFC 9535, sections 2.3.5.2 and 2.4).

Values are compared as fields are: by their canonical bytes, numbers by their decimal
value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from lastlook.core.canonical import encode, to_wire
from lastlook.core.decimals import ratio
from lastlook.core.objects import ABSENT
from lastlook.errors import NotCanonical

PATTERN_SECONDS: Final = 1.0
"""How long one `match()` or `search()` may take; there are patterns that never end."""


def _equal(left: Any, right: Any) -> bool:
    if left is ABSENT or right is ABSENT:
        return left is right
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return encode(to_wire(left)) == encode(to_wire(right))


def _less(left: Any, right: Any) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left < right
    if left is ABSENT or right is ABSENT:
        return False
    first, second = ratio(to_wire(left)), ratio(to_wire(right))
    if first is None or second is None:
        return False
    return first[0] * second[1] < second[0] * first[1]


COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": _equal,
    "!=": lambda left, right: not _equal(left, right),
    "<": _less,
    ">": lambda left, right: _less(right, left),
    "<=": lambda left, right: _less(left, right) or _equal(left, right),
    ">=": lambda left, right: _less(right, left) or _equal(left, right),
}
"""By operator, what it says of two values; `ABSENT` is what RFC 9535 calls Nothing."""


def matches(text: Any, pattern: Any, *, whole: bool) -> bool:
    """Return whether a text, or a part of it, matches an I-Regexp (RFC 9485).

    Raises:
        NotCanonical: It takes longer than `PATTERN_SECONDS`.
    """
    compiled = _pattern(pattern) if isinstance(text, str) and isinstance(pattern, str) else None
    if compiled is None:
        return False
    look = compiled.fullmatch if whole else compiled.search
    try:
        return look(text, timeout=PATTERN_SECONDS) is not None
    except TimeoutError:
        raise NotCanonical(
            f"the pattern {pattern!r} takes too long", fix="Write one that repeats less."
        ) from None


@lru_cache(maxsize=256)
def _pattern(text: str) -> Any:
    """Return an I-Regexp (RFC 9485) compiled, or None where the text is none."""
    from jsonpath.function_extensions import Match as MatchFunction

    return MatchFunction().check_cache(text)
