"""Typed JSON, and its one canonical text.

Typed JSON is JSON in which `{"$int": ...}`, `{"$decimal": ...}`, `{"$datetime": ...}`,
`{"$date": ...}`, `{"$bytes": ...}` and `{"$uuid": ...}` stand for values that JSON has
no form for. A member whose own name begins with `$` is written with one more `$`. Its
bytes are those of RFC 8785, the JSON Canonicalization Scheme; JSON without `$` names is
unchanged by it. What has no single right form is refused with its path and a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from lastlook.core.decimals import (
    DIGITS,
    NoNumber,
    is_whole,
    wire_of_decimal,
    wire_of_float,
    wire_of_int,
)
from lastlook.core.jcs import encode, encode_text
from lastlook.core.objects import ABSENT, declared_names, escape, read_attribute
from lastlook.core.typed import from_wire
from lastlook.errors import NotCanonical

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire

__all__ = [
    "LIMITS",
    "Limits",
    "canonical_bytes",
    "encode",
    "encode_text",
    "freeze",
    "from_wire",
    "to_wire",
]


class Limits(Struct, frozen=True, kw_only=True):
    """How large one value may be; beyond it, it is refused.

    Attributes:
        depth: Arrays and objects inside each other.
        nodes: Values in all, names not counted.
        bytes: UTF-8 bytes of all texts and names together, or of a JSON text.
        digits: Digits of one number.
    """

    depth: int = 64
    nodes: int = 100_000
    bytes: int = 4 * 2**20
    digits: int = DIGITS


LIMITS: Final = Limits()
"""The limits for what is read from a source."""


class _Refused(Exception):
    """A value without a canonical form, and its path, innermost token first."""

    def __init__(self, what: str, *tokens: str) -> None:
        super().__init__(what)
        self.what = what
        self.tokens = list(tokens)


def to_wire(value: object, *, where: str = "", strict: bool = False) -> Wire:
    """Return a Python value as typed JSON, copied to the last leaf.

    Taken are None, bool, int, float, Decimal, str, aware datetime, date, bytes, UUID,
    mappings with text keys, lists, tuples, enum members (by their value), and objects by
    the fields that their class declares.

    Args:
        value: What to write.
        where: The path of `value` as a JSON Pointer, for the error.
        strict: Whether an integral value that came as float or Decimal is marked.

    Raises:
        NotCanonical: `value`, or something in it, has no canonical form; `where` says
            which.
    """
    try:
        return _Walk(strict=strict).wire(value, 0)
    except _Refused as refused:
        path = "".join(f"/{escape(token)}" for token in reversed(refused.tokens))
        raise NotCanonical(refused.what, where=where + path) from None
    except Exception as error:
        what = f"the value could not be read: {type(error).__name__}"
        raise NotCanonical(what, where=where) from error


class _Walk:
    """One pass over one value, with what it has used of the limits."""

    __slots__ = ("bytes", "nodes", "strict")

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.nodes = 0
        self.bytes = 0

    def wire(self, value: Any, depth: int) -> Wire:
        self.nodes += 1
        if self.nodes > LIMITS.nodes:
            raise _Refused(f"there are more than {LIMITS.nodes:,} values")
        make = _MAKERS.get(type(value)) or _maker_of(value)
        return make(self, value, depth)

    def text(self, value: str, _depth: int = 0) -> str:
        text = value if type(value) is str else str.__str__(value)
        try:
            self.bytes += len(text) if text.isascii() else len(text.encode())
        except UnicodeEncodeError as error:
            what = f"a text holds half a surrogate pair, at character {error.start + 1}"
            raise _Refused(what) from None
        if self.bytes > LIMITS.bytes:
            raise _Refused(f"there are more than {LIMITS.bytes:,} bytes of text")
        return text

    def constant(self, value: Any, _depth: int) -> Wire:
        return value

    def integer(self, value: int, _depth: int) -> Wire:
        return _number(wire_of_int, int.__int__(value))

    def real(self, value: float, _depth: int) -> Wire:
        exact = float.__float__(value)
        wire = _number(wire_of_float, exact)
        return {"$float": wire} if self.strict and exact.is_integer() else wire

    def precise(self, value: Decimal, _depth: int) -> Wire:
        wire = _number(wire_of_decimal, value)
        return {"$float": wire} if self.strict and is_whole(wire) else wire

    def mapping(self, value: Mapping[Any, Any], depth: int) -> Wire:
        return self.members(value.items(), depth)

    def declared(self, value: Any, depth: int) -> Wire:
        kind: type = type(value)
        names = declared_names(kind) or ()
        try:
            pairs = [(name, read_attribute(value, name, "")) for name in names]
        except NotCanonical as error:
            raise _Refused(error.what, error.where[1:]) from error
        return self.members([pair for pair in pairs if pair[1] is not ABSENT], depth)

    def members(self, pairs: Any, depth: int) -> Wire:
        self.deeper(depth)
        made: dict[str, Wire] = {}
        for key, item in pairs:
            name = self.name(key)
            if name in made:
                raise _Refused(f"two members have one name, {name!r}")
            try:
                made[name] = self.wire(item, depth + 1)
            except _Refused as refused:
                refused.tokens.append(name.removeprefix("$"))
                raise
        return made

    def name(self, key: object) -> str:
        if isinstance(key, Enum):
            key = key.value
        if not isinstance(key, str):
            raise _Refused(f"a member's name is not a text but of type {type(key).__name__}")
        name = self.text(key)
        return f"${name}" if name.startswith("$") else name

    def items(self, value: list[Any] | tuple[Any, ...], depth: int) -> Wire:
        self.deeper(depth)
        made: list[Wire] = []
        for item in value:
            try:
                made.append(self.wire(item, depth + 1))
            except _Refused as refused:
                refused.tokens.append(str(len(made)))
                raise
        return made

    def deeper(self, depth: int) -> None:
        if depth >= LIMITS.depth:
            raise _Refused(f"arrays and objects are more than {LIMITS.depth} deep")

    def member_of_enum(self, value: Enum, depth: int) -> Wire:
        return self.wire(value.value, depth)


def _number(make: Callable[[Any], Wire], value: object) -> Wire:
    try:
        return make(value)
    except NoNumber as error:
        raise _Refused(str(error)) from None


def _moment(_walk: _Walk, value: datetime, _depth: int) -> Wire:
    if value.utcoffset() is None:
        raise _Refused("a datetime has no time zone, so it names no instant")
    if getattr(value, "nanosecond", 0):
        raise _Refused("a datetime is finer than a microsecond")
    try:
        utc = value.astimezone(UTC)
    except OverflowError:
        raise _Refused("a datetime is outside the years 1 to 9999 in UTC") from None
    text = datetime.isoformat(utc.replace(tzinfo=None))
    return {"$datetime": (text.rstrip("0") if "." in text else text) + "Z"}


def _day(_walk: _Walk, value: date, _depth: int) -> Wire:
    return {"$date": date.isoformat(value)}


def _octets(walk: _Walk, value: bytes, _depth: int) -> Wire:
    from base64 import b64encode

    return {"$bytes": walk.text(b64encode(value).decode())}


def _identifier(_walk: _Walk, value: Any, _depth: int) -> Wire:
    digits = f"{value.int:032x}"
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return {"$uuid": "-".join(parts)}


_Make = Callable[[_Walk, Any, int], Any]

_MAKERS: Final[dict[type, _Make]] = {
    type(None): _Walk.constant, bool: _Walk.constant, int: _Walk.integer,
    float: _Walk.real, Decimal: _Walk.precise, str: _Walk.text, datetime: _moment,
    date: _day, bytes: _octets, dict: _Walk.mapping, list: _Walk.items,
    tuple: _Walk.items,
}  # fmt: skip


def _maker_of(value: Any) -> _Make:
    """Return the maker for a value whose class is not itself listed, in format order."""
    from uuid import UUID

    if isinstance(value, Enum):
        return _Walk.member_of_enum
    for base in (int, float, Decimal, str, datetime, date, bytes):
        if isinstance(value, base):
            return _MAKERS[base]
    if isinstance(value, UUID):
        return _identifier
    if isinstance(value, Mapping):
        return _Walk.mapping
    if isinstance(value, list | tuple):
        return _Walk.items
    if isinstance(value, set | frozenset):
        raise _Refused("a set has no order; declare the field unordered, or make it a list")
    kind: type = type(value)
    if declared_names(kind) is None:
        raise _Refused(f"a value of type {kind.__name__} has no canonical form")
    return _Walk.declared


def canonical_bytes(value: object) -> bytes:
    """Return the canonical bytes of a Python value.

    Raises:
        NotCanonical: It has no canonical form.
    """
    return encode(to_wire(value))


def freeze(value: Any) -> Any:
    """Return a copy in which no mapping and no list can be changed.

    Mappings become read-only views of a fresh dict, lists become tuples.
    """
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    return value
