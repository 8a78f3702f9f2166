"""One pass over a Python value that makes typed JSON of it, or finds what has no form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from lastlook.core.decimals import (
    NoNumber,
    is_whole,
    wire_of_decimal,
    wire_of_float,
    wire_of_int,
)
from lastlook.core.limits import LIMITS
from lastlook.core.objects import ABSENT, declared_names, read_attribute
from lastlook.errors import NotCanonical

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire


class Refused(Exception):
    """A value without a canonical form, and its path, innermost token first."""

    def __init__(self, what: str, *tokens: str) -> None:
        super().__init__(what)
        self.what = what
        self.tokens = list(tokens)


class Walk:
    """One pass over one value, with what it has used of the limits."""

    __slots__ = ("bytes", "nodes", "strict")

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.nodes = 0
        self.bytes = 0

    def wire(self, value: Any, depth: int) -> Wire:
        """Return typed JSON of any value."""
        self.nodes += 1
        if self.nodes > LIMITS.nodes:
            raise Refused(f"there are more than {LIMITS.nodes:,} values")
        make = _MAKERS.get(type(value)) or _maker_of(value)
        return make(self, value, depth)

    def text(self, value: str, _depth: int = 0) -> str:
        """Return a text that has UTF-8, counted."""
        text = value if type(value) is str else str.__str__(value)
        self.take(len(text))
        if text.isascii():
            return text
        try:
            self.take(len(text.encode()) - len(text))
        except UnicodeEncodeError as error:
            what = f"a text holds half a surrogate pair, at character {error.start + 1}"
            raise Refused(what) from None
        return text

    def take(self, size: int) -> None:
        """Count bytes of text."""
        self.bytes += size
        if self.bytes > LIMITS.bytes:
            raise Refused(f"there are more than {LIMITS.bytes:,} bytes of text")

    def constant(self, value: Any, _depth: int) -> Wire:
        """Return null, true or false."""
        return value

    def integer(self, value: int, _depth: int) -> Wire:
        """Return an int, past what a subclass makes of itself."""
        return _number(wire_of_int, int.__int__(value))

    def real(self, value: float, _depth: int) -> Wire:
        """Return a float."""
        exact = float.__float__(value)
        wire = _number(wire_of_float, exact)
        return {"$float": wire} if self.strict and exact.is_integer() else wire

    def precise(self, value: Decimal, _depth: int) -> Wire:
        """Return a Decimal."""
        wire = _number(wire_of_decimal, value)
        return {"$float": wire} if self.strict and is_whole(wire) else wire

    def mapping(self, value: Mapping[Any, Any], depth: int) -> Wire:
        """Return a mapping as an object."""
        return self.members(value.items(), depth)

    def declared(self, value: Any, depth: int) -> Wire:
        """Return an object by the fields that its class declares."""
        kind: type = type(value)
        names = declared_names(kind) or ()
        try:
            pairs = [(name, read_attribute(value, name, "")) for name in names]
        except NotCanonical as error:
            raise Refused(error.what, error.where[1:]) from error
        return self.members([pair for pair in pairs if pair[1] is not ABSENT], depth)

    def members(self, pairs: Any, depth: int) -> Wire:
        """Return names and values as an object."""
        self.deeper(depth)
        made: dict[str, Wire] = {}
        for key, item in pairs:
            name = self.name(key)
            if name in made:
                raise Refused(f"two members have one name, {name!r}")
            try:
                made[name] = self.wire(item, depth + 1)
            except Refused as refused:
                refused.tokens.append(name.removeprefix("$"))
                raise
        return made

    def name(self, key: object) -> str:
        """Return a member's name as typed JSON writes it."""
        if isinstance(key, Enum):
            key = key.value
        if not isinstance(key, str):
            raise Refused(f"a member's name is not a text but of type {type(key).__name__}")
        name = self.text(key)
        return f"${name}" if name.startswith("$") else name

    def items(self, value: list[Any] | tuple[Any, ...], depth: int) -> Wire:
        """Return a list or tuple as an array."""
        self.deeper(depth)
        made: list[Wire] = []
        for item in value:
            try:
                made.append(self.wire(item, depth + 1))
            except Refused as refused:
                refused.tokens.append(str(len(made)))
                raise
        return made

    def deeper(self, depth: int) -> None:
        """Refuse one more level beyond the limit."""
        if depth >= LIMITS.depth:
            raise Refused(f"arrays and objects are more than {LIMITS.depth} deep")

    def member_of_enum(self, value: Enum, depth: int) -> Wire:
        """Return the value of an enum member."""
        return self.wire(value.value, depth)


def _number(make: Callable[[Any], Wire], value: object) -> Wire:
    try:
        return make(value)
    except NoNumber as error:
        raise Refused(str(error)) from None


def _moment(_walk: Walk, value: datetime, _depth: int) -> Wire:
    if value.utcoffset() is None:
        raise Refused("a datetime has no time zone, so it names no instant")
    if getattr(value, "nanosecond", 0):
        raise Refused("a datetime is finer than a microsecond")
    try:
        utc = value.astimezone(UTC)
    except OverflowError:
        raise Refused("a datetime is outside the years 1 to 9999 in UTC") from None
    text = datetime.isoformat(utc.replace(tzinfo=None))
    return {"$datetime": (text.rstrip("0") if "." in text else text) + "Z"}


def _day(_walk: Walk, value: date, _depth: int) -> Wire:
    return {"$date": date.isoformat(value)}


def _octets(walk: Walk, value: bytes, _depth: int) -> Wire:
    from base64 import b64encode

    walk.take(4 * -(-len(value) // 3))
    return {"$bytes": b64encode(value).decode()}


def _identifier(_walk: Walk, value: Any, _depth: int) -> Wire:
    digits = f"{value.int:032x}"
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return {"$uuid": "-".join(parts)}


_Make = Callable[[Walk, Any, int], Any]

_MAKERS: Final[dict[type, _Make]] = {
    type(None): Walk.constant, bool: Walk.constant, int: Walk.integer,
    float: Walk.real, Decimal: Walk.precise, str: Walk.text, datetime: _moment,
    date: _day, bytes: _octets, dict: Walk.mapping, list: Walk.items,
    tuple: Walk.items,
}  # fmt: skip


def _maker_of(value: Any) -> _Make:
    """Return the maker for a value whose class is not itself listed, in format order."""
    from uuid import UUID

    if isinstance(value, Enum):
        return Walk.member_of_enum
    for base in (int, float, Decimal, str, datetime, date, bytes):
        if isinstance(value, base):
            return _MAKERS[base]
    if isinstance(value, UUID):
        return _identifier
    if isinstance(value, Mapping):
        return Walk.mapping
    if isinstance(value, list | tuple):
        return Walk.items
    if isinstance(value, set | frozenset):
        raise Refused("a set has no order; declare the field unordered, or make it a list")
    kind: type = type(value)
    if declared_names(kind) is None:
        raise Refused(f"a value of type {kind.__name__} has no canonical form")
    return Walk.declared
