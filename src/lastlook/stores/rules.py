"""What every store does alike: when a move applies, and what a plan becomes by it.

Plain functions over plain data, so that a store adds nothing but keeping.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from msgspec import MsgspecError
from msgspec.json import decode
from msgspec.structs import replace

from lastlook.core.canonical import encode
from lastlook.core.jsontext import BODY_LIMITS, parse_json
from lastlook.core.lifecycle import JournalRow, Look, Move, NewPlan, PlanRecord, State, legal
from lastlook.errors import NotCanonical, SealMismatch


def utc(at: datetime, where: str = "") -> datetime:
    """Return the same instant with UTC as its zone.

    Raises:
        NotCanonical: The time has no zone, or leaves the years 1 to 9999 in UTC.
    """
    if at.tzinfo is UTC:
        return at
    if at.utcoffset() is None:
        raise NotCanonical("a time without a zone could mean many instants", where=where)
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise NotCanonical("a time is outside the years 1 to 9999", where=where) from error


def text_only(*texts: str | None) -> None:
    """Refuse text that has no UTF-8 form, because no store could give it back.

    Raises:
        NotCanonical: One of them holds a lone surrogate.
    """
    if not has_bytes("".join(text for text in texts if text is not None)):
        raise NotCanonical("a text holds half of a surrogate pair")


def has_bytes(text: str) -> bool:
    """Tell whether a text has a UTF-8 form; what has none is the name of nothing here."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def checked_plan(new: NewPlan) -> NewPlan:
    """Return `new` as it can be stored: its time in UTC, its texts checked."""
    text_only(new.id, new.lineage, new.follows, new.requested_by, new.key, new.seal, *new.salts)
    return new if new.at.tzinfo is UTC else replace(new, at=utc(new.at, "at"))


def checked_move(move: Move) -> Move:
    """Return `move` as it can be stored: a legal arrow, its times in UTC.

    Raises:
        WrongState: The state it leads to may not follow the one it expects.
        SealMismatch: It carries a yes for another plan.
        NotCanonical: A time without a zone, text that has no UTF-8 form, or an outcome
            that is no JSON object.
    """
    legal(move.expect, move.to)
    _must_be_outcome(move.outcome)
    owner, lease, yes, look = move.owner, move.lease_until, move.confirmation, move.look
    if owner is not None and not owner.isascii():
        text_only(owner)
    if yes is not None:
        if yes.plan != move.plan:
            raise SealMismatch(f"a yes for plan {yes.plan} is no yes for plan {move.plan}")
        text_only(yes.seal, yes.shown, yes.by, yes.key_id, yes.mac)
    if look is not None:
        text_only(look.moment)
    if (
        move.at.tzinfo is UTC
        and (lease is None or lease.tzinfo is UTC)
        and (yes is None or yes.at.tzinfo is UTC)
        and (look is None or look.at.tzinfo is UTC)
    ):
        return move
    return _in_utc(move)


def _must_be_outcome(outcome: bytes | None) -> None:
    try:
        checked_outcome(outcome)
    except ValueError as error:
        raise NotCanonical(str(error), where="outcome") from error


def checked_outcome(outcome: bytes | None) -> None:
    """Refuse bytes that no outcome can be.

    Raises:
        ValueError: They are no JSON object.
    """
    try:
        if outcome is None or isinstance(decode(outcome), dict):
            return
    except (MsgspecError, ValueError, RecursionError):
        pass
    raise ValueError("an outcome that is no JSON object")


def _in_utc(move: Move) -> Move:
    lease, yes, look = move.lease_until, move.confirmation, move.look
    return replace(
        move,
        at=utc(move.at, "at"),
        lease_until=None if lease is None else utc(lease, "lease_until"),
        confirmation=None if yes is None else replace(yes, at=utc(yes.at, "confirmation.at")),
        look=None if look is None else replace(look, at=utc(look.at, "look.at")),
    )


def seen_bytes(look: Look | None) -> bytes:
    """Return what a look saw as it is kept; nothing where there is no look.

    Raises:
        NotCanonical: What it saw is not typed JSON.
    """
    return b"" if look is None else encode(look.seen)


def seen_value(seen: bytes) -> Any:
    """Return what `seen_bytes` made, as typed JSON again."""
    return parse_json(seen, limits=BODY_LIMITS)


def first_row(new: NewPlan) -> JournalRow:
    """Return the row that a plan's journal begins with, without its `data`."""
    return JournalRow(
        plan=new.id, row=1, at=new.at, was=None, state=new.state, by=new.requested_by,
        epoch=0, step=0,
    )  # fmt: skip


def first_record(new: NewPlan, head: str) -> PlanRecord:
    """Return a plan as it stands when it has just been added; `head` is row 1's digest."""
    return PlanRecord(
        id=new.id, lineage=new.lineage, number=new.number, follows=new.follows,
        requested_by=new.requested_by, key=new.key, body=new.body, seal=new.seal,
        state=new.state, state_at=new.at, salts=dict(new.salts), rows=1, head=head,
    )  # fmt: skip


def stands(record: PlanRecord, move: Move) -> bool:
    """Say whether the plan is as the move expects, and its yes not used up where it burns."""
    return (
        record.state is move.expect
        and record.epoch == move.expect_epoch
        and not (move.burn and record.burned_at is not None)
        # One step after the other: of two that share a claim (a fork), one goes on.
        and (move.to is not State.EXECUTING or record.step == move.step - 1)
    )


def next_row(record: PlanRecord, move: Move) -> JournalRow:
    """Return the row that goes with a move, without its `data`."""
    return JournalRow(
        plan=move.plan, row=record.rows + 1, at=move.at, was=record.state, state=move.to,
        by=move.by, epoch=move.epoch, step=move.step, prev=record.head,
    )  # fmt: skip


def moved(record: PlanRecord, move: Move, head: str) -> PlanRecord:
    """Return what the plan becomes; `head` is the digest of the move's row."""
    return replace(
        record,
        state=move.to,
        state_at=move.at,
        epoch=move.epoch,
        step=move.step,
        owner=move.owner,
        lease_until=move.lease_until,
        confirmation=record.confirmation if move.confirmation is None else move.confirmation,
        burned_at=move.at if move.burn else record.burned_at,
        outcome=record.outcome if move.outcome is None else move.outcome,
        rows=record.rows + 1,
        head=head,
    )
