"""Variants: a record with one thing in it changed, in each way that its type allows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from math import isfinite
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from msgspec import UNSET

from lastlook.core.limits import LIMITS
from lastlook.core.objects import ABSENT, declared_names

REORDERED: Final = "in another order"
RESPELT: Final = "the same moment, written otherwise"
DECOMPOSED: Final = "the same text in another Unicode form"
NUMERIC: Final = frozenset({"one more", "one less", "far more", "zero"})

_GONE: Final = object()
_NUMBERS: Final = (int, float, Decimal)

Path = tuple[str | int, ...]


class Variant(NamedTuple):
    """One change of one record.

    Attributes:
        path: Where, as names and indices.
        word: What, for people.
        value: What stands there instead; for `removed` nothing does.
    """

    path: Path
    word: str
    value: object

    def of(self, record: object) -> Any:
        """Return the record with this change; what it was is left as it was."""
        return _put(record, self.path, self.value)


def variants(record: object) -> Iterator[Variant]:
    """Give each change of a record, what is at the top first, always in one order."""
    waiting: deque[tuple[Path, object]] = deque([((), record)])
    for _ in range(LIMITS.nodes):
        if not waiting:
            return
        path, value = waiting.popleft()
        yield from _of(path, value)
        inside = _inside(value) if len(path) < LIMITS.depth else None
        if inside is not None:
            pairs = inside.items() if isinstance(inside, dict) else enumerate(inside)
            waiting.extend(((*path, token), item) for token, item in pairs)


def members(answer: object) -> Iterator[Variant]:
    """Give each change of a query's answer: a member more, one less, and those of each."""
    inside = _inside(answer)
    if isinstance(inside, dict) and inside:
        key = next(iter(inside))
        yield Variant((f"{key}~",), "a member more", inside[key])
    for each in variants(answer):
        if len(each.path) > 1:
            yield each
        elif each.value is _GONE:
            yield Variant(each.path, "a member less", _GONE)


def _inside(value: object) -> dict[str, Any] | list[Any] | None:
    """Return what a value holds, as a dict or list of its own; None where it is a leaf."""
    if isinstance(value, Mapping):
        return {name: item for name, item in value.items() if isinstance(name, str)}
    if isinstance(value, list | tuple):
        return list(value)
    names = declared_names(type(value))
    if names is None:
        return None
    found = {name: getattr(value, name, ABSENT) for name in names}
    return {name: item for name, item in found.items() if item is not ABSENT and item is not UNSET}


def _put(record: object, path: Path, value: object) -> Any:
    if not path:
        return value
    inside: Any = _inside(record)
    token = path[0]
    if len(path) == 1 and value is _GONE:
        del inside[token]
    else:
        below = None if len(path) == 1 else inside[token]
        inside[token] = _put(below, path[1:], value)
    return inside


def _of(path: Path, value: object) -> Iterator[Variant]:
    """Give the changes of one value; of the record itself only those that leave one."""
    for word, other in _others(value.value if isinstance(value, Enum) else value):
        yield Variant(path, word, other)
    if path and value is not None:
        yield Variant(path, "null", None)
    if path and isinstance(path[-1], str):
        yield Variant(path, "removed", _GONE)


def _others(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, bool):
        yield "flipped", not value
    elif isinstance(value, str):
        yield from _texts(value)
    elif isinstance(value, _NUMBERS):
        yield from _numbers(value)
    elif isinstance(value, list | tuple):
        yield from _lists(list(value))
    elif isinstance(value, date):
        yield from _later(value)
    elif isinstance(value, bytes):
        yield "other bytes", value + b"~"
    elif value is None:
        yield "a text", "~"


def _texts(value: str) -> Iterator[tuple[str, object]]:
    yield "another text", _other_text(value)
    if value:
        yield "an empty text", ""
    moment = _moment(value)
    if moment is not None and moment.tzinfo is not None:
        utc = moment.astimezone(UTC).isoformat()
        yield RESPELT, utc if value.endswith(("Z", "z")) else utc.replace("+00:00", "Z")
    apart = normalize("NFD", value)
    if apart != value:
        yield DECOMPOSED, apart


def _other_text(value: str) -> str:
    """Return another text of the same kind: a later time, a greater number, or a longer text."""
    moment = _moment(value)
    for _, later in _later(moment) if moment is not None else ():
        text = later.isoformat()
        return text.replace("+00:00", "Z") if value.endswith("Z") else text
    try:
        number = Decimal(value)
    except InvalidOperation:
        return f"{value}~"
    return str(number + 1) if number.is_finite() else f"{value}~"


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if "-" in value else None
    except ValueError:
        return None


def _later(value: date) -> Iterator[tuple[str, date]]:
    day = timedelta(days=1)
    try:
        yield "another time", value + day
    except OverflowError:
        yield "another time", value - day


def _numbers(value: Any) -> Iterator[tuple[str, object]]:
    if not isfinite(value):
        return
    yield "one more", value + 1
    yield "one less", value - 1
    yield "far more", value * 1000 + 1000
    if value:
        yield "zero", value * 0


def _lists(value: list[Any]) -> Iterator[tuple[str, object]]:
    more = value[-1] if value else "~"
    yield "an item more", [*value, more]
    yield "an item more in front", [more, *value]
    if value:
        yield "without the first item", value[1:]
        yield "without the last item", value[:-1]
    if value[::-1] != value:
        yield REORDERED, value[::-1]
