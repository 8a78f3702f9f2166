"""Python objects as records: which names a class declares, and reading one of them.

Only what a class declares counts as a member. Anything else that hangs on an object
(properties, caches, a database session) is neither looked at nor compared.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import UNSET

from lastlook.errors import NotCanonical


class Absent:
    """The type of `ABSENT`: nothing is there, which differs from null and from empty."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()
"""What a selector gives where it names nothing."""


def declared_names(kind: Any) -> tuple[str, ...] | None:
    """Return the names that a class declares as its fields, or None where it declares none.

    Known are `msgspec.Struct`, dataclasses, attrs and pydantic. The names are those of
    the attributes, whatever they are called in JSON.
    """
    return _declared_names(kind)


@lru_cache(maxsize=1024)
def _declared_names(kind: Any) -> tuple[str, ...] | None:
    names = getattr(kind, "__struct_fields__", None)
    if names is not None:
        return tuple(names)
    if hasattr(kind, "__dataclass_fields__"):
        from dataclasses import fields

        return tuple(field.name for field in fields(kind))
    attributes = getattr(kind, "__attrs_attrs__", None)
    if attributes is not None:
        return tuple(attribute.name for attribute in attributes)
    members = getattr(kind, "__pydantic_fields__", None)
    return tuple(members) if isinstance(members, dict) else None


def read_attribute(value: object, name: str, where: str) -> Any:
    """Return a declared attribute, or `ABSENT` where it is not set.

    Args:
        where: The path of `value` in the record, for the error.

    Raises:
        NotCanonical: Reading the attribute raised; `where` is its path.
    """
    try:
        found = getattr(value, name)
    except Exception as error:
        raise NotCanonical(
            f"reading the attribute {name!r} raised {type(error).__name__}",
            where=f"{where}/{escape(name)}",
        ) from error
    return ABSENT if found is UNSET else found


def escape(token: str) -> str:
    """Return a name as a token of a JSON Pointer (RFC 6901, section 3)."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """Return the name that a token of a JSON Pointer stands for (RFC 6901, section 4)."""
    return token.replace("~1", "/").replace("~0", "~")
