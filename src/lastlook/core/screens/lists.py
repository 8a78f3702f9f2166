"""Listings: plans that wait, and the journal, one line a plan, however wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from lastlook.core.lifecycle import JournalRow, PlanRecord, State
from lastlook.core.plan import ActionPlan, open_plan, seal_of
from lastlook.core.screens.fields import changed_names
from lastlook.core.screens.layout import Line, Screen, Span, Style, columns, pieces, prose, text_of
from lastlook.core.screens.values import MORE, counted, moment, name, who, words
from lastlook.core.visible import show, visible
from lastlook.errors import BadFormat

_WHAT: Final = 40  # columns of an intent in a listing
_AT: Final = 2  # the column of intents
_NARROW: Final = 16  # columns under which WHAT is not shortened
_INDENT: Final = 4
_UNREAD: Final = "(can't be read)"

_ENDS: Final = {
    State.PENDING: "waits for a yes",
    State.CONFIRMED: "has a yes, has not run",
    State.CLAIMED: "is being looked at",
    State.EXECUTING: "is running",
    State.PARKED: "parked: too many questions",
    State.EXECUTED: "executed",
    State.FAILED: "failed: nothing was applied",
    State.PARTIAL: "stopped halfway",
    State.COMPENSATED: "undone",
    State.UNKNOWN: "unknown",
    State.RESOLVED: "settled by a person",
    State.BLOCKED_STALE: "not run",
    State.BLOCKED_UNRESOLVABLE: "not run",
    State.BLOCKED_TAMPERED: "not run: what is stored is not what was sealed",
    State.REJECTED: "rejected",
    State.CANCELLED: "cancelled",
    State.EXPIRED: "expired",
}

_COUNTED: Final = {
    State.EXECUTED: "executed",
    State.BLOCKED_STALE: "not run",
    State.BLOCKED_UNRESOLVABLE: "not run",
    State.BLOCKED_TAMPERED: "not run",
    State.FAILED: "failed",
    State.PARTIAL: "stopped halfway",
    State.COMPENSATED: "undone",
    State.UNKNOWN: "unknown",
    State.RESOLVED: "settled",
}


def pending_screen(
    records: Sequence[PlanRecord],
    *,
    zone: tzinfo = UTC,
    where: str = "",
    why: str = "",
    width: int | None = None,
) -> Screen:
    """Return the plans that wait for a person, one a line.

    Args:
        records: The plans, oldest first.
        zone: The zone of all times.
        where: The store's place, for the last line.
        why: Why it is that place.
        width: Columns to keep to, by shorter and broken cells; None keeps one line a plan.
    """
    head = (f"WHEN ({zone})", "PLAN", "WHAT", "ASKED BY", "STATE")
    lines = _table(head, [_pending(record, zone) for record in records], width)
    count = counted(len(records), "plan") if records else "No plan"
    lines += prose(f"{count} {'wait' if len(records) > 1 else 'waits'} for a person.")
    return Screen((*lines, *place_lines(where, why)))


def _pending(record: PlanRecord, zone: tzinfo) -> tuple[str, ...]:
    plan = plan_in(record)
    state = _ENDS[record.state]
    if plan is not None and plan.expires_at is not None:
        until = moment(plan.expires_at, zone, near=record.state_at)
        state = f"{state}, good until {until.removesuffix(':00')}"
    return (*_who_and_what(record, plan, zone), state)


def journal_screen(
    records: Sequence[PlanRecord],
    rows: Iterable[JournalRow],
    *,
    zone: tzinfo = UTC,
    where: str = "",
    why: str = "",
    verified: str = "",
    width: int | None = None,
) -> Screen:
    """Return what became of each plan, one a line, with the counts below.

    Args:
        records: The plans, in the order of the lines.
        rows: Their journal rows, in any order.
        zone: The zone of all times.
        where: The store's place, for the last line.
        why: Why it is that place.
        verified: What a check of the chain said, as in *journal intact (head 9c1e04ab,
            4,118 rows)*.
        width: Columns to keep to, by shorter and broken cells; None keeps one line a plan.
    """
    of_plan: dict[str, list[JournalRow]] = {}
    for row in rows:
        of_plan.setdefault(row.plan, []).append(row)
    head = (f"WHEN ({zone})", "PLAN", "WHAT", "ASKED BY", "YES BY", "OUTCOME")
    table = [_journal(record, of_plan.get(record.id, []), zone) for record in records]
    said = [_counts(records), *([visible(verified)] if verified else [])]
    last: list[Line] = [(Span("   ".join(said)),)]
    if width is not None and columns(text_of(last[0])) > width:
        last = [line for text in said for line in _broken(text, width)]
    return Screen((*_table(head, table, width), *last, *place_lines(where, why)))


def _journal(record: PlanRecord, rows: Sequence[JournalRow], zone: tzinfo) -> tuple[str, ...]:
    return (
        *_who_and_what(record, plan_in(record), zone),
        yes_by(record, rows),
        became(record.state, rows),
    )


def plan_in(record: PlanRecord) -> ActionPlan | None:
    """Return the stored plan, or None where its bytes are not what was sealed."""
    try:
        return open_plan(record.body) if seal_of(record.body) == record.seal else None
    except BadFormat:
        return None


def _who_and_what(record: PlanRecord, plan: ActionPlan | None, zone: tzinfo) -> tuple[str, ...]:
    what = _UNREAD if plan is None else _short(words(plan.intent), _WHAT)
    return (day(record.state_at, zone), name(record.id), what, who(record.requested_by))


def _short(text: str, most: int) -> str:
    while columns(text) > most:
        text = text[: min(len(text) - 1, most)].removesuffix(MORE)[: -len(MORE)] + MORE
    return text


def day(at: datetime, zone: tzinfo) -> str:
    """Return month, day and time."""
    return f"{at.astimezone(zone):%m-%d %H:%M:%S}"


def yes_by(record: PlanRecord, rows: Sequence[JournalRow]) -> str:
    """Return who said yes, with the channel; in quotes where the program only says so."""
    if record.confirmation is None:
        return "-"
    kind, _, rest = record.confirmation.by.partition(":")
    if kind != "person":
        return name(record.confirmation.by)
    channel = next(
        (row.data.get("channel") for row in rows
         if row.state is State.CONFIRMED and isinstance(row.data, Mapping)), None,
    )  # fmt: skip
    return f"{name(rest)} ({visible(str(channel))})" if channel else show(rest)


def became(state: State, rows: Sequence[JournalRow]) -> str:
    """Return what became of a plan, a block with the names of what changed."""
    data: Any = next((row.data for row in reversed(rows) if row.state is state), None)
    data = data if isinstance(data, Mapping) else {}
    if state is State.REJECTED and data.get("why"):
        return f"rejected: {words(str(data['why']))}"
    if state not in {State.BLOCKED_STALE, State.BLOCKED_UNRESOLVABLE}:
        return _ENDS[state]
    changed = [
        text
        for ref, items in _by_ref(data, "changed").items()
        if isinstance(items, list | tuple)
        for text in changed_names(ref, map(str, items))
    ]
    unread = [name(ref) for ref in _by_ref(data, "unreadable")]
    texts = [f"{', '.join(changed)} changed"] if changed else []
    texts += [f"{', '.join(unread)} could not be read"] if unread else []
    return f"{_ENDS[state]}: {'; '.join(texts)}" if texts else _ENDS[state]


def _by_ref(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return what a row says by ref; nothing where it was written by somebody else."""
    found = data.get(key)
    return found if isinstance(found, Mapping) else {}


def _counts(records: Sequence[PlanRecord]) -> str:
    yeses = sum(record.confirmation is not None for record in records)
    parts = [counted(len(records), "plan"), counted(yeses, "yes", "yeses")]
    ends = Counter(_COUNTED[item.state] for item in records if item.state in _COUNTED)
    parts += [f"{ends[text]:,} {text}" for text in dict.fromkeys(_COUNTED.values()) if ends[text]]
    return f"{', '.join(parts)}."


def place_lines(where: str, why: str) -> list[Line]:
    """Return the line that says where the store is, and why there; unbroken, as a path is."""
    if not where:
        return []
    place = f"{visible(where)} ({visible(why)})" if why else visible(where)
    return [(Span(f"Kept in {place}", "dim"),)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None) -> list[Line]:
    """Return columns as wide as what is in them; the last one has no end. None, no head.

    To keep to a width, WHAT is shortened first; what has no room then stands below.
    """
    if not rows:
        return []
    widths = [max(columns(row[at]) for row in (head, *rows)) for at in range(len(head))]
    if width is None or sum(widths) + 2 * len(widths) - 2 <= width:
        return [_row(head, widths, "head"), *(_row(row, widths, "plain") for row in rows)]
    over = sum(widths) + 2 * len(widths) - 2 - width
    widths[_AT] = min(widths[_AT], max(widths[_AT] - over, _NARROW))
    ends = [sum(widths[: at + 1]) + 2 * at for at in range(len(head))]
    beside = sum(end <= width for end in ends[:-1])
    lines = _fitted(head, widths, beside, width, "head")
    for row in rows:
        lines += _fitted(row, widths, beside, width, "plain")
    return lines


def _fitted(
    row: Sequence[str], widths: Sequence[int], beside: int, width: int, style: Style
) -> list[Line]:
    """Return a row with what has no room beside the first cells below them."""
    cells = [*row[:_AT], _short(row[_AT], widths[_AT]), *row[_AT + 1 :]]
    line = _row(cells[: beside + 1], widths, style)
    if beside + 1 == len(row) and columns(text_of(line)) <= width:
        return [line]
    line = _row(cells[:beside], widths, style)
    below = pieces("  ".join(cells[beside:]), width - _INDENT)
    return [line, *((Span(" " * _INDENT), Span(text, style)) for text in below)]


def _broken(text: str, width: int) -> list[Line]:
    """Return a sentence on as many lines as it takes, all but the first further in."""
    first, *rest = pieces(text, width)
    below = pieces(" ".join(rest), width - _INDENT) if rest else []
    return [(Span(first),), *((Span(" " * _INDENT), Span(part)) for part in below)]


def _row(cells: Sequence[str], widths: Sequence[int], style: Style) -> Line:
    padded = [
        cell + " " * (width - columns(cell) + 2)
        for cell, width in zip(cells[:-1], widths, strict=False)
    ]
    return tuple(Span(text, style) for text in (*padded, cells[-1]))
