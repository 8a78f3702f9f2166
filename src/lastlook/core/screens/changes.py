"""What is different between two values: lists by item, objects by member."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from lastlook.core.canonical import encode
from lastlook.core.evidence import Wire
from lastlook.core.look_alikes import first_difference
from lastlook.core.screens.layout import Line, Span, Style, columns, prose, room, row, values
from lastlook.core.screens.values import is_container, member, short, spell, summary
from lastlook.core.visible import looks_alike, show

INDENT: Final = 22
_COLUMN: Final = 29
_MOST: Final = 20  # entries of one kind; the rest is counted
_STYLES: Final[dict[str, Style]] = {"gone": "bad", "new": "good"}
ALIKE: Final = "look the same; differ in hidden or look-alike characters: "


class Entry(NamedTuple):
    """One difference inside of a value: a word or a member's name, and what it was and is."""

    word: str
    text: str


def arrow(before: str, after: str) -> str:
    """Return *before -> after*."""
    return f"{before} -> {after}"


def alike_lines(before: Wire, after: Wire, *, indent: int) -> list[Line]:
    """Return a note where two texts look the same and are not."""
    if not (isinstance(before, str) and isinstance(after, str) and looks_alike(before, after)):
        return []
    return prose(ALIKE + first_difference(before, after), indent=indent, style="bad")


def inside(before: Wire, after: Wire, *, ordered: bool = True) -> list[Line]:
    """Return the lines that say what is different inside of two lists or two objects."""
    if isinstance(before, dict) and isinstance(after, dict):
        if is_container(before) and is_container(after):
            return _lines(_members(before, after))
        return []
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        return _lines(_items(before, after, ordered=ordered))
    return []


def _lines(entries: Iterable[Entry | list[Line]]) -> list[Line]:
    lines: list[Line] = []
    for entry in entries:
        if isinstance(entry, list):
            lines += entry
            continue
        rest = values(Span(entry.text), indent=_COLUMN)
        style = _STYLES.get(entry.word, "label")
        lines += row(entry.word, rest, indent=INDENT, column=_COLUMN, style=style)
    return lines


def _members(
    before: Mapping[str, Wire], after: Mapping[str, Wire], path: str = ""
) -> list[Entry | list[Line]]:
    """Compare two objects member by member, objects inside of them too."""
    entries: list[Entry | list[Line]] = []
    for key in sorted(before.keys() | after.keys()):
        place = path + show(member(key))
        if key not in after:
            entries.append(Entry("gone", f"{place}: {_item(before[key], place)}"))
        elif key not in before:
            entries.append(Entry("new", f"{place}: {_item(after[key], place)}"))
        elif encode(before[key]) != encode(after[key]):
            entries += _member(before[key], after[key], place)
    return entries


def _member(before: Wire, after: Wire, place: str) -> list[Entry | list[Line]]:
    both = is_container(before) and is_container(after)
    if both and isinstance(before, dict) and isinstance(after, dict):
        return _members(before, after, f"{place} / ")
    entries: list[Entry | list[Line]] = [
        Entry("other", f"{place}: {arrow(summary(before), summary(after))}")
    ]
    if both and isinstance(before, list) and isinstance(after, list):
        entries += _items(before, after)
    return [*entries, alike_lines(before, after, indent=_COLUMN)]


def _item(wire: Wire, place: str = "") -> str:
    if not is_container(wire):
        return spell(wire)
    return short(wire, max(room(_COLUMN) - columns(place) - 2 * bool(place), 20))


def _items(
    before: Sequence[Wire], after: Sequence[Wire], *, ordered: bool = True
) -> list[Entry | list[Line]]:
    """Compare two lists: which items are gone, which are new, which have moved."""
    gone, new, pairs = _matched(before, after)
    moved = _moved(pairs) if ordered else []
    place = "place 1234 -> 1234"
    return [
        *_some("gone", len(gone), [_item(before[at]) for at in gone[:_MOST]]),
        *_some("new", len(new), [_item(after[at]) for at in new[:_MOST]]),
        *_some("moved", len(moved), [
            f"place {was + 1} -> {now + 1}: {_item(before[was], place)}"
            for was, now in moved[:_MOST]
        ]),
    ]  # fmt: skip


def _some(word: str, count: int, texts: Sequence[str]) -> list[Entry | list[Line]]:
    entries: list[Entry | list[Line]] = [Entry(word, text) for text in texts]
    if count > len(texts):
        entries.append(Entry(word, f"... and {count - len(texts):,} more"))
    return entries


def _matched(
    before: Sequence[Wire], after: Sequence[Wire]
) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    """Pair equal items; return the places that are gone, new, and paired."""
    free: dict[bytes, deque[int]] = {}
    for at, item in enumerate(after):
        free.setdefault(encode(item), deque()).append(at)
    gone: list[int] = []
    pairs: list[tuple[int, int]] = []
    for at, item in enumerate(before):
        places = free.get(encode(item))
        if places:
            pairs.append((at, places.popleft()))
        else:
            gone.append(at)
    return gone, sorted(at for places in free.values() for at in places), pairs


def _moved(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the fewest pairs that explain the new order: all but a longest rising row."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for index, (_, now) in enumerate(pairs):
        place = bisect_left(ends, now)
        before.append(at_end[place - 1] if place else -1)
        ends[place : place + 1] = [now]
        at_end[place : place + 1] = [index]
    stayed: set[int] = set()
    index = at_end[-1] if at_end else -1
    while index >= 0:
        stayed.add(index)
        index = before[index]
    return [pair for index, pair in enumerate(pairs) if index not in stayed]
