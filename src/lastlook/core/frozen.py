"""Frozen trees: typed JSON that a plan hands out and nobody can change.

They are dicts and lists to everything that reads them; what would change one raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire


def _refuse(*_args: object, **_kwargs: object) -> NoReturn:
    raise TypeError("what a plan holds can't be changed: it was sealed; make a copy")


class FrozenDict(dict[str, Any]):
    """A dict that can't be changed. A copy of it can."""

    __slots__ = ()

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        from copy import deepcopy

        return {name: deepcopy(item, memo) for name, item in self.items()}


class FrozenList(list[Any]):
    """A list that can't be changed. A copy of it can."""

    __slots__ = ()

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        from copy import deepcopy

        return [deepcopy(item, memo) for item in self]


def frozen(wire: Wire) -> Wire:
    """Return a tree that equals this one and can't be changed."""
    if isinstance(wire, dict):
        return FrozenDict({name: frozen(item) for name, item in wire.items()})
    if isinstance(wire, list):
        return FrozenList([frozen(item) for item in wire])
    if isinstance(wire, tuple):
        return tuple([frozen(item) for item in wire])
    return wire
