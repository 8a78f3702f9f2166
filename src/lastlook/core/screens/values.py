"""How values, names and moments are spelled on a screen.

What runs is spelled in full, over as many lines as it takes. Evidence that has not
changed may be summed up (*3 items*). A secret is never spelled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from itertools import accumulate
from typing import Any, Final

from lastlook.core.evidence import Wire
from lastlook.core.screens.layout import Line, Span, Style, columns, room, values
from lastlook.core.visible import show, visible

MORE: Final = "..."

_BARE: Final = re.compile(r"[^\s\"'(),;\\]+")
_LONG: Final = 4096  # characters, above which a text's length and digest are told


def words(text: str) -> str:
    """Return foreign prose as it is, or in quotes where it could pass for more than prose."""
    tidy = text == visible(text) and text == " ".join(text.split()) and text[:1] not in {"", '"'}
    return text if tidy else show(text)


def name(text: str) -> str:
    """Return a foreign name or ref as it is, or in quotes where it is not one plain word."""
    return text if _BARE.fullmatch(text) and visible(text) == text else show(text)


def who(principal: str) -> str:
    """Return a principal for people: an agent by its name, others with their kind."""
    kind, _, rest = principal.partition(":")
    plain = kind == "agent" and ":" not in rest and name(rest) == rest
    return rest if plain else name(principal)


def moment(at: datetime, zone: tzinfo, *, near: datetime | None = None) -> str:
    """Return a time of day; with the date where that is not the day of `near`."""
    local = at.astimezone(zone)
    if near is not None and near.astimezone(zone).date() != local.date():
        return f"{local:%Y-%m-%d %H:%M:%S}"
    return f"{local:%H:%M:%S}"


def is_container(wire: Wire) -> bool:
    """Tell whether a value is a list or an object, and not one tagged scalar."""
    return isinstance(wire, list | tuple) or (isinstance(wire, dict) and not _tag(wire))


def _tag(wire: Mapping[str, Any]) -> str:
    """Return the tag of a tagged scalar, or an empty text."""
    if len(wire) != 1:
        return ""
    only = next(iter(wire))
    return only if only.startswith("$") and not only.startswith("$$") else ""


def member(key: str) -> str:
    """Return a member's name from its key in typed JSON."""
    return key[1:] if key.startswith("$$") else key


def spell(wire: Wire) -> str:
    """Return a value in full, on one line."""
    if isinstance(wire, list | tuple):
        return f"[{', '.join(spell(item) for item in wire)}]"
    if not isinstance(wire, dict):
        return show(wire)
    if _tag(wire) == "$result":
        step, pointer = wire["$result"]
        return f"(result of step {step}{', ' + visible(pointer) if pointer else ''})"
    if _tag(wire):
        return show(wire)
    return f"{{{', '.join(f'{show(member(key))}: {spell(wire[key])}' for key in sorted(wire))}}}"


def full(wire: Wire, *, column: int, style: Style = "strong") -> list[Line]:
    """Return a value in full, laid out from `column`, nested values over several lines."""
    if not is_container(wire) or not wire or columns(spell(wire)) <= room(column):
        return [*values(Span(spell(wire), style), indent=column), *_measure(wire, column)]
    return [
        line
        for depth, text in _nested(wire)
        for line in values(Span(text, style), indent=column + min(2 * depth, 20))
    ]


def _nested(wire: Wire, depth: int = 0, before: str = "", after: str = "") -> list[tuple[int, str]]:
    """Return the lines of a value with their depths, one member or item a line."""
    if not is_container(wire) or not wire:
        return [(depth, f"{before}{spell(wire)}{after}")]
    listed = not isinstance(wire, dict)
    opening, closing = "[]" if listed else "{}"
    parts = [("", item) for item in wire] if listed else _members(wire)
    lines = [(depth, before + opening)]
    for number, (key, item) in enumerate(parts, 1):
        lines += _nested(item, depth + 1, key, "" if number == len(parts) else ",")
    return [*lines, (depth, closing + after)]


def _members(wire: Mapping[str, Wire]) -> list[tuple[str, Wire]]:
    return [(f"{show(member(key))}: ", wire[key]) for key in sorted(wire)]


def _measure(wire: Wire, column: int) -> list[Line]:
    """Return a note on a long text, so that its end can't hide."""
    if not isinstance(wire, str) or len(wire) <= _LONG:
        return []
    from hashlib import sha256

    digest = sha256(wire.encode("utf-8", "surrogatepass")).hexdigest()
    return values(Span(f"({len(wire):,} characters, sha256 {digest})", "dim"), indent=column)


def short(wire: Wire, most: int) -> str:
    """Return a value on one line of at most `most` columns, its end left out if need be."""
    whole = spell(wire)
    if columns(whole) <= most:
        return whole
    if not is_container(wire):
        return _cut(whole, most - len(MORE)) + MORE
    listed = not isinstance(wire, dict)
    opening, closing = "[]" if listed else "{}"
    parts = [("", item) for item in wire] if listed else _members(wire)
    texts = [key + spell(item) for key, item in parts]
    sizes = accumulate(columns(text) + 2 for text in texts)
    kept = [text for text, size in zip(texts, sizes, strict=True) if size + 5 <= most]
    return f"{opening}{', '.join([*kept, MORE])}{closing}"


def _cut(text: str, most: int) -> str:
    while columns(text) > most:
        text = text[: min(len(text) - 1, most)]
    return text


def summary(wire: Wire) -> str:
    """Return a value in a few words: how much is in it, or the whole of a scalar."""
    if not wire or not is_container(wire):
        return spell(wire)
    return counted(len(wire), "member" if isinstance(wire, dict) else "item")


def counted(number: int, noun: str, several: str = "") -> str:
    """Return a number with its noun, in the plural where that is right."""
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"


def full_moment(at: datetime, zone: tzinfo = UTC) -> str:
    """Return date, time and zone, as in *2026-10-03 14:02:11 UTC*."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M:%S} {local.tzname()}"
