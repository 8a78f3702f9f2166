"""The store on disk: one SQLite file, shared by the processes of one machine."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lastlook.core.lifecycle import State
from lastlook.errors import StoreCorrupt, StoreFull
from lastlook.stores.driver import BUSY_MS
from lastlook.stores.location import short
from lastlook.stores.rules import checked_move, checked_plan

if TYPE_CHECKING:
    from types import ModuleType

    from lastlook.core.lifecycle import JournalRow, Look, Move, NewPlan, PlanRecord
    from lastlook.stores.sql import SqlPlans

log = logging.getLogger("lastlook")


class SqliteStore:
    """Plans, confirmations and journal in one SQLite file.

    The file is opened, and made if need be, when the store is first used. Safe to use
    from several threads, each of which gets a connection, and after a fork, where the
    child gets connections of its own.

    Args:
        path: Where the file is; relative to the working directory of now.
        why: Why it is there, for people.
        hidden: Whether to keep its folder out of version control.
        driver: SQLite's module; by default `pysqlite3`, else the standard library's.
        busy_ms: How long to wait for another process, in milliseconds.

    Every method raises a `StoreError` where the file can't be used: `StoreBusy`,
    `StoreTooNew`, `StoreCorrupt`, `StoreReadOnly`, `StoreFull`, or that class itself.
    Then nothing was changed, and the cause is the error that SQLite gave.
    """

    durable: bool = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        why: str = "given by the program",
        hidden: bool = False,
        driver: ModuleType | None = None,
        busy_ms: int = BUSY_MS,
    ) -> None:
        self.path = os.path.abspath(os.fspath(path))
        self.where = short(self.path)
        self.why = why
        self._hidden = hidden
        self._driver = driver
        self._busy_ms = busy_ms
        self._lock = threading.Lock()
        self._plans: SqlPlans | None = None
        self._said = False
        _alive.add(self)

    def _open(self) -> SqlPlans:
        plans = self._plans
        if plans is None:
            with self._lock:
                plans = self._plans = self._plans or self._opened()
        return plans

    def _opened(self) -> SqlPlans:
        from lastlook.stores import driver
        from lastlook.stores.database import Database
        from lastlook.stores.sql import SqlPlans

        module = self._driver or driver.load()
        database = Database(self.path, hidden=self._hidden, module=module, busy_ms=self._busy_ms)
        if not self._said:
            log.info("plans are kept in %s (%s)", self.where, self.why)
            self._said = True
        return SqlPlans(database)

    def add(self, new: NewPlan, /) -> PlanRecord | None:
        """Insert a plan and its first journal row; None where it is taken already.

        Raises:
            UnknownPlan: The plan that it follows is not here.
        """
        return self._open().add(checked_plan(new))

    def get(self, plan_id: str, /) -> PlanRecord:
        """Return a plan as it stands; raises `UnknownPlan`."""
        return self._open().get(plan_id)

    def move(self, move: Move, /) -> PlanRecord | None:
        """Apply `move` if the plan stands as it expects, else return None.

        What came of an act is recorded with the room that was kept for it, if there is
        no other left on the disk.

        Raises:
            WrongState: No plan may go from the state it expects to the one it names.
            SealMismatch: It carries a yes for another plan.
        """
        move = checked_move(move)
        try:
            return self._open().move(move)
        except StoreFull:
            if move.expect is not State.EXECUTING or not self._open().database.free_reserve():
                raise
        return self._open().move(move)

    def newest(self, lineage: str, /) -> PlanRecord:
        """Return the newest plan of a lineage; raises `UnknownPlan`."""
        return self._open().newest(lineage)

    def by_key(self, requested_by: str, key: str, /) -> PlanRecord | None:
        """Return the first plan that this requester proposed under this key."""
        return self._open().by_key(requested_by, key)

    def plans(self, states: Iterable[State] = (), /) -> Sequence[PlanRecord]:
        """Return plans in these states, or all, oldest first; those that can be read."""
        return self._open().plans(states)

    def unreadable(self) -> Sequence[StoreCorrupt]:
        """Return one error for each plan that can't be read, `where` its id."""
        return self._open().unreadable()

    def rows(self, plan_id: str = "", /) -> Iterator[JournalRow]:
        """Return the journal of one plan, or of all in the order of writing."""
        return self._open().rows(plan_id)

    def looks(self, plan_id: str, /) -> Sequence[Look]:
        """Return what was read for this plan, oldest first."""
        return self._open().looks(plan_id)

    def settings(self) -> dict[str, Any]:
        """Return which SQLite it is, and how it is set, by name."""
        return self._open().database.settings()

    def damage(self) -> list[str]:
        """Return what SQLite's check of the whole file finds; nothing if it is well."""
        try:
            return self._open().database.damage()
        except StoreCorrupt as error:
            return [str(error)]

    def close(self) -> None:
        """Give back the connections of all threads; a later use opens the file again."""
        with self._lock:
            plans, self._plans = self._plans, None
        if plans is not None:
            plans.database.close()

    def after_fork(self) -> None:
        """Start anew in a child, which may use none of its parent's connections."""
        self._lock = threading.Lock()
        self._plans = None


_alive: weakref.WeakSet[SqliteStore] = weakref.WeakSet()


def _let_go() -> None:
    for store in list(_alive):
        store.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
