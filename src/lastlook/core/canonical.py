"""Typed JSON, and its one canonical text.

Typed JSON is JSON in which `{"$int": ...}`, `{"$decimal": ...}`, `{"$datetime": ...}`,
`{"$date": ...}`, `{"$bytes": ...}` and `{"$uuid": ...}` stand for values that JSON has
no form for. A member whose own name begins with `$` is written with one more `$`. Its
bytes are those of RFC 8785, the JSON Canonicalization Scheme; JSON without `$` names is
unchanged by it. What has no single right form is refused with its path and a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lastlook.core.jcs import encode, encode_text
from lastlook.core.limits import LIMITS, Limits
from lastlook.core.objects import escape
from lastlook.core.typed import from_wire
from lastlook.core.walk import Refused, Walk
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
        return Walk(strict=strict).wire(value, 0)
    except Refused as refused:
        path = "".join(f"/{escape(token)}" for token in reversed(refused.tokens))
        raise NotCanonical(refused.what, where=where + path) from None
    except Exception as error:
        what = f"the value could not be read: {type(error).__name__}"
        raise NotCanonical(what, where=where) from error


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
