"""Reading typed JSON: back to Python values, and refusing what only looks like it."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from lastlook.core.decimals import (
    NoNumber,
    is_whole,
    wire_of_decimal,
    wire_of_float,
    wire_of_int,
)
from lastlook.core.objects import escape
from lastlook.errors import NotCanonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from lastlook.core.evidence import Wire

_RFC3339 = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2})(?:\.([0-9]+))?"
    r"(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_INT = re.compile(r"-?[1-9][0-9]*")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]*[1-9]")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def instant(text: str) -> str | None:
    """Return an RFC 3339 time in UTC, with every digit of its fraction that counts.

    Wanted are `T`, and `Z` or an offset; second 60 is refused. None is returned for a
    text that is no such time, or leaves the years 1 to 9999.
    """
    found = _RFC3339.fullmatch(text)
    if found is None:
        return None
    wall, fraction, sign, hours, minutes = found.groups()
    try:
        moment = datetime.fromisoformat(wall)
        if sign:
            offset = timedelta(hours=int(hours), minutes=int(minutes))
            moment = moment - offset if sign == "+" else moment + offset
    except (ValueError, OverflowError):
        return None
    kept = (fraction or "").rstrip("0")
    return f"{moment.isoformat()}{'.' * bool(kept)}{kept}Z"


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text[:26].rstrip("Z")).replace(tzinfo=UTC)


def _octets(text: str) -> bytes:
    from base64 import b64decode

    return b64decode(text, validate=True)


def _identifier(text: str) -> object:
    from uuid import UUID

    return UUID(text)


def _float(wire: Wire) -> object:
    return Decimal(wire["$int"]) if isinstance(wire, dict) else float(wire)


_READERS: Final[dict[str, Callable[[Any], object]]] = {
    "$int": lambda digits: int(Decimal(digits)),
    "$decimal": Decimal,
    "$datetime": _moment,
    "$date": date.fromisoformat,
    "$bytes": _octets,
    "$uuid": _identifier,
    "$float": _float,
}


def from_wire(wire: Wire) -> Any:
    """Return typed JSON as Python values: dict, list, Decimal, datetime in UTC, ...

    A whole number is an int, however large. An instant finer than a microsecond is cut to microseconds. Where the tree may come
    from elsewhere, read it with `parse_wire` or `check_wire` first.

    Raises:
        NotCanonical: It holds a `$` name that stands for no value.
    """
    if isinstance(wire, list):
        return [from_wire(item) for item in wire]
    if isinstance(wire, float) and 1e21 <= abs(wire) < math.inf:
        return int(Decimal(repr(wire)))  # RFC 8785 writes it with an exponent; it is whole
    if not isinstance(wire, dict):
        return wire
    tag = _tag(wire)
    if tag is None:
        return {_bare(name): from_wire(item) for name, item in wire.items()}
    if tag not in _READERS:
        raise NotCanonical(f"{tag!r} stands for no value")
    return _READERS[tag](wire[tag])


def check_wire(tree: Any, *, where: str = "") -> Wire:
    """Return a parsed JSON tree as typed JSON, or refuse it.

    Each value has one spelling: `{"$int": "5"}` is refused, since 5 is a JSON number.

    Raises:
        NotCanonical: A `$` name is unknown, or does not hold what it must.
    """
    if isinstance(tree, list):
        return [check_wire(item, where=f"{where}/{i}") for i, item in enumerate(tree)]
    if isinstance(tree, dict):
        tag = _tag(tree, where)
        if tag is not None:
            return _check_tag(tag, tree[tag], where)
        return {name: check_wire(item, where=f"{where}/{escape(_bare(name))}")
                for name, item in tree.items()}  # fmt: skip
    try:
        return _check_leaf(tree)
    except ValueError as error:
        raise NotCanonical(f"this is not typed JSON: {error}", where=where) from None


def _check_leaf(value: Any) -> Wire:
    if value is None or isinstance(value, bool | str):
        return value
    if not isinstance(value, int | float):
        raise NoNumber(f"a value is of type {type(value).__name__}")
    wire = wire_of_int(value) if isinstance(value, int) else wire_of_float(value)
    if isinstance(wire, dict):
        raise NoNumber(f"no double writes {value}, which needs a tag")
    return wire


def _tag(tree: dict[str, Any], where: str = "") -> str | None:
    """Return the tag of a tagged value, or None for an object of members."""
    tags = [name for name in tree if name.startswith("$") and not name.startswith("$$")]
    if not tags:
        return None
    if len(tree) > 1:
        raise NotCanonical(f"{tags[0]!r} does not stand alone in its object", where=where)
    return tags[0]


def _bare(name: str) -> str:
    return name.removeprefix("$")


def _check_tag(tag: str, inner: Any, where: str) -> Wire:
    try:
        right = tag in _SPELLED and _SPELLED[tag](inner)
    except (ValueError, TypeError, KeyError, ArithmeticError):
        right = False
    if not right:
        raise NotCanonical(f"a value tagged {tag!r} is not one of typed JSON", where=where)
    return {tag: inner}


def _is_float(inner: Any) -> bool:
    return bool(check_wire(inner) == inner) and is_whole(inner)


def _is_bytes(inner: Any) -> bool:
    from base64 import b64encode

    return bool(b64encode(_octets(inner)).decode() == inner)


def _is_result(inner: Any) -> bool:
    step, pointer = inner
    return type(step) is int and step > 0 and isinstance(pointer, str)


_SPELLED: Final[dict[str, Callable[[Any], bool]]] = {
    "$int": lambda text: (
        bool(_INT.fullmatch(text)) and wire_of_decimal(Decimal(text)) == {"$int": text}
    ),
    "$decimal": lambda text: (
        bool(_DECIMAL.fullmatch(text)) and wire_of_decimal(Decimal(text)) == {"$decimal": text}
    ),
    "$datetime": lambda text: instant(text) == text,
    "$date": lambda text: date.fromisoformat(text).isoformat() == text,
    "$bytes": _is_bytes,
    "$uuid": lambda text: bool(_UUID.fullmatch(text)),
    "$float": _is_float,
    "$result": _is_result,
}
