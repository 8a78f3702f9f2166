"""Normalisers: the spellings that a field may declare to be one value.

All work on typed JSON. The order in which they are applied is in format.md.
"""

from __future__ import annotations

from typing import Any

from lastlook.core.canonical import encode
from lastlook.core.typed import instant
from lastlook.errors import NotCanonical


def nfc(wire: Any, *, where: str = "") -> Any:
    """Return a tree with all text and member names in Unicode form C.

    Raises:
        NotCanonical: Two member names of one object become the same.
    """
    from unicodedata import normalize

    if isinstance(wire, str):
        return normalize("NFC", wire)
    if isinstance(wire, list):
        return [nfc(item, where=where) for item in wire]
    if not isinstance(wire, dict):
        return wire
    made = {normalize("NFC", name): nfc(value, where=where) for name, value in wire.items()}
    if len(made) < len(wire):
        raise NotCanonical("two member names are one in Unicode form C", where=where)
    return made


def moment(wire: Any) -> dict[str, str] | None:
    """Return the instant that a text names (RFC 3339), or None where it names none.

    A datetime is an instant already.
    """
    if isinstance(wire, dict) and list(wire) == ["$datetime"]:
        return wire
    text = instant(wire) if isinstance(wire, str) else None
    return None if text is None else {"$datetime": text}


def unordered(items: list[Any]) -> list[Any]:
    """Return the items of a list sorted by their RFC 8785 bytes; repeats stay."""
    return sorted(items, key=encode)
