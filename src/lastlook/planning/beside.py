"""A record beside its evidence: what was read and not declared, while a plan is being made."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lastlook.core.canonical import to_wire
from lastlook.core.evidence import Wire
from lastlook.core.objects import declared_names
from lastlook.core.places import Place
from lastlook.core.visible import show
from lastlook.errors import NotCanonical

_MOST: Final = 5000  # values of one record that are looked at


class Beside:
    """A record as it was read, with the evidence that was taken of it: for this hint alone.

    It is in nothing that is stored or shown, and goes when the evidence goes.

    Attributes:
        records: The record; of a query its members.
    """

    __slots__ = ("records",)

    def __init__(self, records: Iterable[object]) -> None:
        self.records = tuple(records)

    def __repr__(self) -> str:
        return "<a record, as it was read>"


def leaves(value: object, *, is_wire: bool = False) -> Iterator[tuple[Place, str]]:
    """Give the scalars in a value as bare text, with their places; null and bools aside."""
    waiting: deque[tuple[Place, object]] = deque([((), value)])
    for _ in range(_MOST):
        if not waiting:
            return
        path, item = waiting.popleft()
        inside = None if is_wire and _is_tagged(item) else _inside(item)
        if inside is not None:
            waiting.extend(((*path, token), part) for token, part in inside)
        elif text := _bare(item, is_wire=is_wire):
            yield path, text


def _inside(value: object) -> Iterable[tuple[str | int, object]] | None:
    if isinstance(value, Mapping):
        return [(name, part) for name, part in value.items() if isinstance(name, str)]
    if isinstance(value, list | tuple):
        return enumerate(value)
    names = declared_names(type(value))
    return None if names is None else [(name, getattr(value, name, None)) for name in names]


def _is_tagged(wire: Wire) -> bool:
    return isinstance(wire, Mapping) and len(wire) == 1 and next(iter(wire)).startswith("$")


def _bare(value: object, *, is_wire: bool) -> str:
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool):
        return ""
    try:
        return show(value if is_wire else to_wire(value))
    except NotCanonical:
        return ""
