"""Views: declared fields by name, and only those."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lastlook.core.canonical import freeze, from_wire
from lastlook.core.fields import Field, field
from lastlook.errors import NotDeclared

if TYPE_CHECKING:
    from lastlook.core.evidence import Cell


class View(Mapping[str, Any]):
    """The declared fields of one record, read-only, by the name they were declared with.

    A field that is declared and not in the record is not a key; a field that was not
    declared raises `NotDeclared`, so that nothing is used that nothing protects. Of a
    wildcard the value is the tuple of what it matched.
    """

    __slots__ = ("_cells", "_fields", "_ref")

    def __init__(self, ref: str, fields: Sequence[Field], cells: Sequence[Cell]) -> None:
        self._ref = ref
        self._fields = {item.selector: item for item in fields}
        self._cells = {item.selector: cell for item, cell in zip(fields, cells, strict=True)}

    def __getitem__(self, name: str) -> Any:
        selector = self._declared(name)
        cell = self._cells[selector]
        if cell[0] == "absent":
            raise NotDeclared(f"{name} is declared, but {self._ref or 'the record'} has none")
        if cell[0] == "secret":
            raise NotDeclared(
                f"{name} is secret: its value is not kept", fix="Let the tool read it itself."
            )
        if self._fields[selector].is_wildcard:
            return freeze([from_wire(value) for _, value in cell[1]])
        return freeze(from_wire(cell[1]))

    def _declared(self, name: str) -> str:
        selector = _selector(name)
        if selector not in self._cells:
            raise NotDeclared(
                f"{name} was not declared for {self._ref or 'this evidence'}",
                fix=f"Declare it where the record is read: ..., {name!r}).",
            )
        return selector

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        cell = self._cells.get(_selector(name))
        return cell is not None and bool(cell[0] == "value")

    def __iter__(self) -> Iterator[str]:
        return (item for item, cell in self._cells.items() if cell[0] == "value")

    def __len__(self) -> int:
        return sum(cell[0] == "value" for cell in self._cells.values())

    def __repr__(self) -> str:
        return f"<{self._ref or 'record'}: {', '.join(self._cells)}>"


@lru_cache(maxsize=4096)
def _selector(name: str) -> str:
    return field(name).selector
