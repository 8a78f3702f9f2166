"""A store in memory: the same rules as on disk, and nothing survives the process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from lastlook.errors import StoreCorrupt, UnknownPlan
from lastlook.stores.rows import data_bytes, data_value, row_digest
from lastlook.stores.rules import (
    checked_move,
    checked_plan,
    first_record,
    first_row,
    moved,
    next_row,
    seen_bytes,
    seen_value,
    stands,
)

if TYPE_CHECKING:
    from lastlook.core.lifecycle import JournalRow, Look, Move, NewPlan, PlanRecord, State

NOT_DURABLE: Final = "a yes does not survive this process"


class MemoryStore:
    """Plans, confirmations and journal of one process, for tests, demos and scripts.

    Safe to use from several threads. After a fork the child has a copy of its own,
    which is no longer the parent's: share a file where processes share plans.

    Args:
        why: Why plans are kept here, for people.
    """

    durable: bool = False
    where: str = "memory"

    def __init__(self, why: str = NOT_DURABLE) -> None:
        self.why = why
        self._lock = Lock()
        self._plans: dict[str, PlanRecord] = {}
        self._followed: set[str] = set()
        self._keys: dict[tuple[str, str], str] = {}
        self._rows: list[tuple[JournalRow, bytes | None]] = []
        self._looks: dict[str, list[tuple[Look, bytes]]] = {}

    def add(self, new: NewPlan, /) -> PlanRecord | None:
        """Insert a plan and its first journal row; None where it is taken already.

        Raises:
            UnknownPlan: The plan that it follows is not here.
        """
        new = checked_plan(new)
        data = data_bytes(new.data)
        row = first_row(new)
        record = first_record(new, row_digest(row, data))
        with self._lock:
            if self._taken(new):
                return None
            self._plans[new.id] = record
            self._rows.append((row, data))
            if new.follows is not None:
                self._followed.add(new.follows)
            elif new.key is not None:
                self._keys[new.requested_by, new.key] = new.id
        return _own(record)

    def _taken(self, new: NewPlan) -> bool:
        if new.follows is not None and new.follows not in self._plans:
            raise _unknown(new.follows)
        return (
            new.id in self._plans
            or new.follows in self._followed
            or (new.follows is None and (new.requested_by, new.key) in self._keys)
        )

    def get(self, plan_id: str, /) -> PlanRecord:
        """Return a plan as it stands; raises `UnknownPlan`."""
        record = self._plans.get(plan_id)
        if record is None:
            raise _unknown(plan_id)
        return _own(record)

    def move(self, move: Move, /) -> PlanRecord | None:
        """Apply `move` if the plan stands as it expects, else return None.

        Raises:
            WrongState: No plan may go from the state it expects to the one it names.
            SealMismatch: It carries a yes for another plan.
        """
        move = checked_move(move)
        data = data_bytes(move.data)
        seen = seen_bytes(move.look)
        with self._lock:
            record = self._plans.get(move.plan)
            if record is None or not stands(record, move):
                return None
            row = next_row(record, move)
            record = moved(record, move, row_digest(row, data))
            self._plans[move.plan] = record
            self._rows.append((row, data))
            if move.look is not None:
                self._looks.setdefault(move.plan, []).append((move.look, seen))
        return _own(record)

    def newest(self, lineage: str, /) -> PlanRecord:
        """Return the newest plan of a lineage; raises `UnknownPlan`."""
        family = [plan for plan in self._all() if plan.lineage == lineage]
        if not family:
            raise _unknown(lineage)
        return _own(max(family, key=lambda plan: plan.number))

    def by_key(self, requested_by: str, key: str, /) -> PlanRecord | None:
        """Return the first plan that this requester proposed under this key."""
        plan_id = self._keys.get((requested_by, key))
        return None if plan_id is None else self.get(plan_id)

    def plans(self, states: Iterable[State] = (), /) -> Sequence[PlanRecord]:
        """Return plans in these states, or all, oldest first."""
        wanted = frozenset(states)
        return [_own(plan) for plan in self._all() if not wanted or plan.state in wanted]

    def unreadable(self) -> Sequence[StoreCorrupt]:
        """Return nothing: what is kept in memory is as it was given."""
        return ()

    def _all(self) -> list[PlanRecord]:
        with self._lock:
            return list(self._plans.values())

    def rows(self, plan_id: str = "", /) -> Iterator[JournalRow]:
        """Return the journal of one plan, or of all in the order of writing."""
        with self._lock:
            rows = list(self._rows)
        for row, data in rows:
            if not plan_id or row.plan == plan_id:
                yield row if data is None else replace(row, data=data_value(data))

    def looks(self, plan_id: str, /) -> Sequence[Look]:
        """Return what was read for this plan, oldest first."""
        with self._lock:
            looks = list(self._looks.get(plan_id, ()))
        return [replace(look, seen=seen_value(seen)) for look, seen in looks]

    def close(self) -> None:
        """Do nothing: there is nothing to give back, and the plans stay."""


def _own(record: PlanRecord) -> PlanRecord:
    """Return the record with salts of its own, so that nobody can change the store's."""
    return replace(record, salts=dict(record.salts)) if record.salts else record


def _unknown(plan_id: str) -> UnknownPlan:
    return UnknownPlan(f"no plan {plan_id} in this store", where="memory")
