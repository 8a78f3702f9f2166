"""What `drift` found, as data and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from lastlook.core.screens.values import counted
from lastlook.core.visible import visible

ALTERS: Final = "ALTERS"

_HEAD: Final = ("RECORD", "FIELD", "CHANGE", ALTERS, "TO DO")
_MOST: Final = 3  # changes that are named; the rest is counted


class Finding(Struct, frozen=True, kw_only=True):
    """One field of one record whose declaration is to be looked at. It holds no values.

    Attributes:
        record: The ref; of a query `source:name`.
        field: The field, as a declaration spells it.
        changes: What was changed, in words.
        alters: What comes out different: `intent`, `steps`, `refs`, `conditions`, an
            argument as `tool: name`, an error as `raises ConditionNotMet`. Empty where
            nothing does.
        fix: What to declare.
    """

    record: str
    field: str
    changes: tuple[str, ...]
    alters: tuple[str, ...]
    fix: str

    def __repr__(self) -> str:
        return f"<{' | '.join(self.cells())}>"

    def cells(self) -> tuple[str, ...]:
        """Return the finding as one row of the table."""
        more = len(self.changes) - _MOST
        changes = [*self.changes[:_MOST], *([f"and {more} more"] if more > 0 else [])]
        alters = ", ".join(self.alters) or "nothing"
        cells = (self.record, self.field, ", ".join(changes), alters, self.fix)
        return tuple(visible(cell) for cell in cells)


class DriftReport(Struct, frozen=True, kw_only=True):
    """What `drift` found.

    Attributes:
        planner: The planner's name.
        records: The refs of what it read, in the order of the reads.
        tried: How many changes were tried, one at a time.
        left_out: How many more there are at least, where there are too many.
        missing: Fields whose changes alter the plan, and nothing blocks: declare them.
        needless: Fields whose changes block, and the plan stays as it was: a question
            for nothing, unless the person decides by them.
    """

    planner: str
    records: tuple[str, ...]
    tried: int
    left_out: int
    missing: tuple[Finding, ...]
    needless: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether no field is missing and none is needless."""
        return not self.missing and not self.needless

    def text(self) -> str:
        """Return the report as a table."""
        parts = [self._summary()]
        if self.left_out:
            parts.append(f"At least {counted(self.left_out, 'change')} more were left out.")
        if self.missing:
            parts.append("\nMISSING: these alter the plan, and nothing blocks")
            parts += _table([each.cells() for each in self.missing])
        if self.needless:
            parts.append("\nNEEDLESS: these block, and the plan stays as it was")
            parts += _table([each.cells() for each in self.needless], ALTERS)
        return "\n".join(parts)

    def _summary(self) -> str:
        counts = f"{len(self.missing)} missing, {len(self.needless)} needless"
        tried = f"{counted(len(self.records), 'record')}, {counted(self.tried, 'change')} tried"
        return f"drift of {visible(self.planner)}: {counts}; {tried}"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        found = [*self.missing, *self.needless]
        return f"<{self._summary()}{''.join(f'; {each!r}' for each in found)}>"


def _table(rows: Sequence[tuple[str, ...]], without: str = "") -> list[str]:
    columns = [each for each in zip(_HEAD, *rows, strict=True) if each[0] != without]
    padded = [[cell.ljust(max(map(len, column))) for cell in column] for column in columns]
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]
