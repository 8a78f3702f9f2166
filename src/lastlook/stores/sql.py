"""Plans and journal in tables: each change one transaction with one journal row."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from lastlook.core.visible import visible
from lastlook.errors import LastlookError, StoreCorrupt, UnknownPlan
from lastlook.stores.columns import (
    look_of,
    look_values,
    move_values,
    plan_values,
    record_of,
    row_of,
    row_values,
)
from lastlook.stores.rows import data_bytes, row_digest
from lastlook.stores.rules import (
    first_record,
    first_row,
    has_bytes,
    moved,
    next_row,
    seen_bytes,
    stands,
)
from lastlook.stores.schema import JOURNAL, LOOKS, PLANS, SALTS

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.engine import Connection, Row

    from lastlook.core.lifecycle import JournalRow, Look, Move, NewPlan, PlanRecord, State
    from lastlook.stores.database import Database

log = logging.getLogger("lastlook")

_PAGE: Final = 500

_P, _J = PLANS.c, JOURNAL.c
_PLAN: Final = select(PLANS).where(_P.id == bindparam("plan"))
_NEWEST: Final = (
    select(PLANS)
    .where(_P.lineage == bindparam("lineage"))
    .order_by(_P.number.desc(), _P.seq.desc())
    .limit(1)
)
_BY_KEY: Final = select(PLANS).where(
    _P.requested_by == bindparam("requester"), _P.key == bindparam("its_key"), _P.follows.is_(None)
)
_ALL: Final = select(PLANS).order_by(_P.seq)
_SEQS: Final = select(_P.seq).order_by(_P.seq)
_AT: Final = select(PLANS).where(_P.seq == bindparam("seq"))
_SALTS: Final = select(SALTS.c.name, SALTS.c.salt).where(SALTS.c.plan == bindparam("plan"))
_LOOKS: Final = select(LOOKS).where(LOOKS.c.plan == bindparam("plan")).order_by(LOOKS.c.row)
_ROWS: Final = (
    select(JOURNAL).where(_J.seq > bindparam("after")).order_by(_J.seq).limit(bindparam("page"))
)
_ROWS_OF: Final = _ROWS.where(_J.plan == bindparam("plan"))
_INSERT_PLAN: Final = insert_or_not(PLANS).on_conflict_do_nothing()
_INSERT_ROW: Final = insert(JOURNAL)
_INSERT_LOOK: Final = insert(LOOKS)
_INSERT_SALT: Final = insert(SALTS)
_MOVE: Final = update(PLANS).where(
    _P.id == bindparam("plan"),
    _P.state == bindparam("expect"),
    _P.epoch == bindparam("expect_epoch"),
    _P.head == bindparam("prev"),
)
_MOVE_AND_BURN: Final = _MOVE.where(_P.burned_at.is_(None))


class SqlPlans:
    """What a store does, over the connections of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, new: NewPlan) -> PlanRecord | None:
        """Insert a plan, its salts and its first row; None where it is taken already."""
        data = data_bytes(new.data)
        row = first_row(new)
        record = first_record(new, row_digest(row, data))
        with self.database.writing() as connection:
            if new.follows is not None:
                self._one(connection, new.follows)
            if connection.execute(_INSERT_PLAN, plan_values(record)).rowcount != 1:
                return None
            if new.salts:
                salts = [{"plan": new.id, "name": n, "salt": s} for n, s in new.salts.items()]
                connection.execute(_INSERT_SALT, salts)
            connection.execute(_INSERT_ROW, row_values(row, data))
        return record

    def move(self, move: Move) -> PlanRecord | None:
        """Compare and set, with the journal row and the look; None if it doesn't stand so."""
        data, seen = data_bytes(move.data), seen_bytes(move.look)
        if not has_bytes(move.plan):
            return None
        with self.database.writing() as connection:
            found = connection.execute(_PLAN, {"plan": move.plan}).one_or_none()
            if found is None:
                return None
            was = self._record(connection, found)
            if not stands(was, move):
                return None
            row = next_row(was, move)
            record = moved(was, move, row_digest(row, data))
            statement = _MOVE_AND_BURN if move.burn else _MOVE
            if connection.execute(statement, move_values(move, was, record)).rowcount != 1:
                return None
            connection.execute(_INSERT_ROW, row_values(row, data))
            if move.look is not None:
                connection.execute(_INSERT_LOOK, look_values(move.look, row, seen))
        return record

    def get(self, plan_id: str) -> PlanRecord:
        """Return a plan as it stands; raises `UnknownPlan`."""
        with self.database.reading() as connection:
            return self._one(connection, plan_id)

    def newest(self, lineage: str) -> PlanRecord:
        """Return the newest plan of a lineage; raises `UnknownPlan`."""
        if not has_bytes(lineage):
            raise self._unknown(lineage)
        with self.database.reading() as connection:
            found = connection.execute(_NEWEST, {"lineage": lineage}).one_or_none()
            if found is None:
                raise self._unknown(lineage)
            return self._record(connection, found)

    def by_key(self, requested_by: str, key: str) -> PlanRecord | None:
        """Return the first plan that this requester proposed under this key."""
        if not has_bytes(requested_by + key):
            return None
        with self.database.reading() as connection:
            arguments = {"requester": requested_by, "its_key": key}
            found = connection.execute(_BY_KEY, arguments).one_or_none()
            return None if found is None else self._record(connection, found)

    def plans(self, states: Iterable[State]) -> Sequence[PlanRecord]:
        """Return plans in these states, or all, oldest first; those that can be read."""
        wanted = [state.value for state in states]
        statement = _ALL.where(_P.state.in_(wanted)) if wanted else _ALL
        found: list[PlanRecord] = []
        for item in self._each(statement):
            if isinstance(item, StoreCorrupt):
                log.warning("plan=%s can't be read, and is left out", visible(item.where))
            elif not wanted or item.state in wanted:
                found.append(item)
        return found

    def unreadable(self) -> Sequence[StoreCorrupt]:
        """Return one error for each plan that can't be read, `where` its id."""
        return [item for item in self._each(_ALL) if isinstance(item, StoreCorrupt)]

    def _each(self, statement: Select[Any]) -> list[PlanRecord | StoreCorrupt]:
        """Read plans all at once, or one by one where one of them can't even be fetched."""
        try:
            with self.database.reading() as connection:
                found = connection.execute(statement).all()
                return [self._tried(connection, row) for row in found]
        except StoreCorrupt:
            with self.database.reading() as connection:
                places = connection.execute(_SEQS).scalars().all()
            return [self._fetched(place) for place in places]

    def _tried(self, connection: Connection, row: Row[Any]) -> PlanRecord | StoreCorrupt:
        try:
            return self._record(connection, row)
        except StoreCorrupt as error:
            return error

    def _fetched(self, place: int) -> PlanRecord | StoreCorrupt:
        try:
            with self.database.reading() as connection:
                row = connection.execute(_AT, {"seq": place}).one()
                return self._tried(connection, row)
        except StoreCorrupt as error:
            return StoreCorrupt(error.what, where=f"(row {place} of the store)", fix=error.fix)

    def rows(self, plan_id: str) -> Iterator[JournalRow]:
        """Give the journal of one plan, or of all in the order of writing, page by page."""
        if not has_bytes(plan_id):
            return
        statement = _ROWS_OF if plan_id else _ROWS
        arguments: dict[str, Any] = {"plan": plan_id} if plan_id else {}
        after = -(2**63)
        while True:
            with self.database.reading() as connection:
                page = {**arguments, "after": after, "page": _PAGE}
                found = connection.execute(statement, page).all()
            for row in found:
                yield self._journal_row(row)
            if len(found) < _PAGE:
                return
            after = found[-1].seq

    def looks(self, plan_id: str) -> Sequence[Look]:
        """Return what was read for this plan, oldest first."""
        if not has_bytes(plan_id):
            return []
        with self.database.reading() as connection:
            found = connection.execute(_LOOKS, {"plan": plan_id}).all()
        return [self._look(row) for row in found]

    def _one(self, connection: Connection, plan_id: str) -> PlanRecord:
        if not has_bytes(plan_id):
            raise self._unknown(plan_id)
        found = connection.execute(_PLAN, {"plan": plan_id}).one_or_none()
        if found is None:
            raise self._unknown(plan_id)
        return self._record(connection, found)

    def _record(self, connection: Connection, row: Row[Any]) -> PlanRecord:
        salts: dict[str, bytes] = {}
        if row.salted:
            salts = {s.name: s.salt for s in connection.execute(_SALTS, {"plan": row.id})}
        try:
            return record_of(row, salts)
        except (ValueError, TypeError) as error:
            raise self._unreadable(f"plan {row.id}", row.id) from error

    def _journal_row(self, row: Row[Any]) -> JournalRow:
        try:
            return row_of(row)
        except (ValueError, TypeError, LastlookError) as error:
            raise self._unreadable(f"row {row.row} of plan {row.plan}", row.plan) from error

    def _look(self, row: Row[Any]) -> Look:
        try:
            return look_of(row)
        except (ValueError, TypeError, LastlookError) as error:
            raise self._unreadable(f"a look at plan {row.plan}", row.plan) from error

    def _unknown(self, plan_id: str) -> UnknownPlan:
        return UnknownPlan(f"no plan {plan_id} in this store", where=self.database.path)

    def _unreadable(self, what: str, plan_id: str) -> StoreCorrupt:
        fix = (
            "Nothing was changed. See what else is damaged: lastlook doctor. "
            f"Keep {self.database.path}, and put back a backup."
        )
        return StoreCorrupt(f"{what} can't be read", where=plan_id, fix=fix)
