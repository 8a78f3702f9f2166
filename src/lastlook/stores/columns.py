"""Plans, rows and looks as the columns of their tables, and back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from lastlook.core.lifecycle import Confirmation, JournalRow, Look, PlanRecord, State
from lastlook.stores.rows import data_value
from lastlook.stores.rules import checked_outcome, seen_value

if TYPE_CHECKING:
    from sqlalchemy.engine import Row

    from lastlook.core.lifecycle import Move


def text_of(at: datetime | None) -> str | None:
    """Return a time (UTC) as it is stored: always six digits, so that texts sort."""
    return None if at is None else f"{at.isoformat(timespec='microseconds')[:-6]}Z"


def time_of(text: str) -> datetime:
    """Return a stored time; raises ValueError where the text is none.

    The first and the last year are refused too: no zone could show all of them.
    """
    at = datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=UTC)
    if not 1 < at.year < 9999:
        raise ValueError(text)
    return at


def _maybe(text: str | None) -> datetime | None:
    return None if text is None else time_of(text)


def record_of(row: Row[Any], salts: dict[str, bytes]) -> PlanRecord:
    """Return the plan of a row of `plans`, with the salts of its rows in `salts`.

    Raises:
        ValueError: The row holds what no plan can: half a yes, a state or time that is
            none, an outcome that is no JSON object.
    """
    checked_outcome(row.outcome)
    return PlanRecord(
        id=row.id, lineage=row.lineage, number=row.number, follows=row.follows,
        requested_by=row.requested_by, key=row.key, body=row.body, seal=row.seal,
        state=State(row.state), state_at=time_of(row.state_at), epoch=row.epoch, step=row.step,
        owner=row.owner, lease_until=_maybe(row.lease_until), confirmation=_yes(row),
        burned_at=_maybe(row.burned_at), outcome=row.outcome, salts=salts, rows=row.rows,
        head=row.head,
    )  # fmt: skip


def _yes(row: Row[Any]) -> Confirmation | None:
    said = row.yes_at, row.yes_by, row.yes_seal, row.yes_shown
    if all(part is None for part in said):
        return None
    if any(part is None for part in said):
        raise ValueError("a yes without its time, its person, its seal or what was shown")
    return Confirmation(
        plan=row.id, seal=row.yes_seal, shown=row.yes_shown, by=row.yes_by,
        at=time_of(row.yes_at), key_id=row.yes_key_id, mac=row.yes_mac,
    )  # fmt: skip


def row_of(row: Row[Any]) -> JournalRow:
    """Return the journal row of a row of `journal`."""
    return JournalRow(
        plan=row.plan, row=row.row, at=time_of(row.at),
        was=None if row.was is None else State(row.was), state=State(row.state),
        by=row.by, epoch=row.epoch, step=row.step, data=data_value(row.data),
        key_id=row.key_id, prev=row.prev,
    )  # fmt: skip


def look_of(row: Row[Any]) -> Look:
    """Return the look of a row of `looks`."""
    return Look(moment=row.moment, at=time_of(row.at), seen=seen_value(row.seen))


def plan_values(record: PlanRecord) -> dict[str, Any]:
    """Return the columns of a plan that is new, and so has no yes yet."""
    return {
        "id": record.id,
        "lineage": record.lineage,
        "number": record.number,
        "follows": record.follows,
        "requested_by": record.requested_by,
        "key": record.key,
        "body": record.body,
        "seal": record.seal,
        "salted": len(record.salts),
        **_changing(record),
    }


def _changing(record: PlanRecord) -> dict[str, Any]:
    return {
        "state": record.state.value,
        "state_at": text_of(record.state_at),
        "epoch": record.epoch,
        "step": record.step,
        "owner": record.owner,
        "lease_until": text_of(record.lease_until),
        "burned_at": text_of(record.burned_at),
        "outcome": record.outcome,
        "rows": record.rows,
        "head": record.head,
    }


def move_values(move: Move, was: PlanRecord, record: PlanRecord) -> dict[str, Any]:
    """Return the columns that a move sets, and what it expects of the plan before."""
    yes = record.confirmation
    return {
        "plan": move.plan,
        "expect": move.expect.value,
        "expect_epoch": move.expect_epoch,
        "prev": was.head,
        **_changing(record),
        "yes_seal": yes and yes.seal,
        "yes_shown": yes and yes.shown,
        "yes_by": yes and yes.by,
        "yes_at": yes and text_of(yes.at),
        "yes_key_id": yes and yes.key_id,
        "yes_mac": yes and yes.mac,
    }


def row_values(row: JournalRow, data: bytes | None) -> dict[str, Any]:
    """Return the columns of a journal row."""
    return {
        "plan": row.plan,
        "row": row.row,
        "at": text_of(row.at),
        "was": None if row.was is None else row.was.value,
        "state": row.state.value,
        "by": row.by,
        "epoch": row.epoch,
        "step": row.step,
        "data": data,
        "key_id": row.key_id,
        "prev": row.prev,
    }


def look_values(look: Look, row: JournalRow, seen: bytes) -> dict[str, Any]:
    """Return the columns of a look that is written with a journal row."""
    return {
        "plan": row.plan,
        "row": row.row,
        "moment": look.moment,
        "at": text_of(look.at),
        "seen": seen,
    }
