"""Listings of a store in which something is damaged: what can be read, and what can't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lastlook.cli.suggesting import to_type
from lastlook.errors import StoreCorrupt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lastlook.cli.context import Context
    from lastlook.core.lifecycle import JournalRow, PlanRecord
    from lastlook.core.ports import Store


def rows_of(store: Store, records: Sequence[PlanRecord]) -> tuple[list[JournalRow], list[str]]:
    """Return the journal rows of plans, and the ids of those whose rows can't be read."""
    chosen = {record.id for record in records}
    try:
        return [row for row in store.rows() if row.plan in chosen], []
    except StoreCorrupt:
        return _one_by_one(store, records)


def _one_by_one(store: Store, records: Sequence[PlanRecord]) -> tuple[list[JournalRow], list[str]]:
    rows: list[JournalRow] = []
    damaged: list[str] = []
    for record in records:
        try:
            rows += store.rows(record.id)
        except StoreCorrupt:
            damaged.append(record.id)
    return rows, damaged


def unreadable(store: Store) -> list[str]:
    """Return the ids of the plans that can't be read."""
    return [error.where for error in store.unreadable()]


def tell_damaged(context: Context, plans: Iterable[str]) -> None:
    """Name the plans that a listing had to leave out, in whole or in part."""
    from lastlook.core.screens.values import name

    shown = ", ".join(map(name, plans))
    if shown:
        look = to_type(context, "doctor")
        text = f"Damaged, and not shown in full: {shown}. See what is wrong: {look}"
        context.output.text(text, style="bad")
