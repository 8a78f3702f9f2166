"""One plan in full: where it stands, what happened, and its facts at three moments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from msgspec import ValidationError, convert

from lastlook.core.canonical import encode
from lastlook.core.evidence import Cell, Evidence
from lastlook.core.fields import Field
from lastlook.core.lifecycle import JournalRow, Look, PlanRecord
from lastlook.core.plan import ActionPlan
from lastlook.core.screens.fields import cell_summary, label
from lastlook.core.screens.layout import (
    BLANK,
    WIDTH,
    Line,
    Screen,
    Span,
    between,
    columns,
    laid_out,
    prose,
    room,
    row,
    values,
)
from lastlook.core.screens.lists import became, day, yes_by
from lastlook.core.screens.values import full_moment, moment, name, who, words
from lastlook.errors import StoreCorrupt

COLUMN: Final = 20
_WIDE: Final = 20
_NOT_LOOKED: Final = "-"
_NOT_READ: Final = "not read"
_SAME: Final = "the same"
_SEEN: Final = list[tuple[str, tuple[tuple[Any, ...], ...]]]

_Column = tuple[str, datetime | None, Mapping[str, Any] | None]


def show_screen(
    plan: ActionPlan,
    record: PlanRecord,
    rows: Sequence[JournalRow],
    looks: Sequence[Look] = (),
    *,
    facts: bool = False,
    zone: tzinfo = UTC,
    width: int = WIDTH,
) -> Screen:
    """Return one plan as it stands.

    Args:
        plan: The plan, read from the record.
        record: The plan as the store holds it.
        rows: Its journal rows, oldest first.
        looks: What was read for it, oldest first.
        facts: Whether to add the facts at three moments.
        zone: The zone of all times.
        width: Columns, 40 to 80.
    """
    return laid_out(width, lambda: _lines(plan, record, rows, looks if facts else None, zone))


def _lines(
    plan: ActionPlan,
    record: PlanRecord,
    rows: Sequence[JournalRow],
    looks: Sequence[Look] | None,
    zone: tzinfo,
) -> list[Line]:
    place = f"plan {name(plan.id)}" + (f", follows {name(plan.follows)}" if plan.follows else "")
    lines = between([Span(words(plan.intent), "head")], place)
    lines += _named("stands at", f"{became(record.state, rows)}, {moment(record.state_at, zone)}")
    asked = f"{who(plan.requested_by)}, {full_moment(plan.created_at, zone)}"
    lines += _named("asked by", asked)
    if record.confirmation is not None:
        yes = record.confirmation
        lines += _named("yes by", f"{yes_by(record, rows)}, {full_moment(yes.at, zone)}")
        lines += _named("was shown", name(yes.shown))
    lines += [*_named("seal", name(record.seal)), BLANK, *_history(rows, zone)]
    if looks is not None:
        lines += [BLANK, *facts_lines(plan, looks, zone)]
    return lines


def _named(text: str, said: str) -> list[Line]:
    return row(text, values(Span(said), indent=COLUMN), indent=0, column=COLUMN)


def _history(rows: Sequence[JournalRow], zone: tzinfo) -> list[Line]:
    lines: list[Line] = [(Span(f"WHAT HAPPENED ({zone})", "head"),)]
    for item in rows:
        step = f", step {item.step}" if item.step else ""
        text = f"{item.state}{step}, by {who(item.by)}"
        lines += row(day(item.at, zone), values(Span(text), indent=COLUMN), indent=2, column=COLUMN)
    return lines


def facts_lines(plan: ActionPlan, looks: Sequence[Look], zone: tzinfo) -> list[Line]:
    """Return each field at three moments: when shown, at the yes, right before it ran."""
    latest = {look.moment: look for look in looks}
    yes = latest.get("at_yes") or latest.get("before_yes")
    ran = latest.get("before_step_1")
    lines: list[Line] = [(Span("FACTS", "head"),)]
    if not plan.evidence:
        lines += prose("It rests on nothing.", indent=2)
    for evidence in plan.evidence:
        lines += values(Span(name(evidence.ref), "strong"), indent=2)
        shown: list[_Column] = [
            ("read & shown", evidence.captured_at, dict(_own(evidence))),
            ("at the yes", yes.at if yes else None, _seen(plan, yes, evidence)),
            ("right before it ran", ran.at if ran else None, _seen(plan, ran, evidence)),
        ]
        lines += _moments(shown, zone)
        if evidence.kind == "record":
            for field in evidence.fields:
                lines += _field(field, shown)
        else:
            lines += prose(f"({evidence.kind})", indent=4, style="dim")
    return lines


def _own(evidence: Evidence[Any]) -> list[tuple[str, Cell]]:
    fields = evidence.fields if evidence.kind == "record" else ()
    return [(field.selector, cell) for field, cell in zip(fields, evidence.cells, strict=False)]


def _seen(plan: ActionPlan, look: Look | None, evidence: Evidence[Any]) -> Mapping[str, Any] | None:
    """Return what a look saw of some evidence, by selector; empty where it did not read.

    Raises:
        StoreCorrupt: What is stored is not what a look sees.
    """
    if look is None:
        return None
    try:
        seen = convert(look.seen, _SEEN)
    except ValidationError as error:
        raise _damaged(plan, look) from error
    cells = next((cells for ref, cells in seen if ref == evidence.ref), ())
    if len(cells) != len(evidence.fields):
        return {}
    if not all(map(_is_cell, cells, evidence.fields)):
        raise _damaged(plan, look)
    return {field.selector: cell for field, cell in zip(evidence.fields, cells, strict=True)}


def _is_cell(cell: Cell, field: Field) -> bool:
    match cell:
        case ("absent",) | ("secret", _):
            return True
        case ("value", value):
            return not field.is_wildcard or isinstance(value, list)
        case _:
            return False


def _damaged(plan: ActionPlan, look: Look) -> StoreCorrupt:
    return StoreCorrupt(
        f"what was looked at for plan {plan.id} ({look.moment}) can't be read",
        where=plan.id,
        fix="See what else is damaged: lastlook doctor",
    )


def _moments(shown: Sequence[_Column], zone: tzinfo) -> list[Line]:
    heads = [text for text, _, _ in shown]
    times = [
        _NOT_LOOKED if at is None else moment(at, zone, near=shown[0][1]) for _, at, _ in shown
    ]
    if room() < WIDTH:
        return _below(heads, times)
    return [_columns("", heads, "label"), _columns("", times, "dim")]


def _columns(text: str, parts: Sequence[str], style: Any) -> Line:
    padded = [part + " " * (_WIDE - columns(part)) for part in parts[:-1]]
    return (Span(f"    {text}".ljust(COLUMN), "label"), Span("".join([*padded, parts[-1]]), style))


def _field(field: Field, shown: Sequence[_Column]) -> list[Line]:
    seen = [None if cells is None else cells.get(field.selector, ()) for _, _, cells in shown]
    parts = [_text(field, cell, seen[0]) for cell in seen]
    parts[0] = cell_summary(tuple(seen[0] or ()), field)
    text = label(field)
    beside = room() == WIDTH and columns(text) < COLUMN - 4
    if beside and all(columns(part) < _WIDE for part in parts):
        return [_columns(text, parts, "plain")]
    return [*values(Span(text, "label"), indent=4), *_below([head for head, _, _ in shown], parts)]


def _below(heads: Sequence[str], parts: Sequence[str]) -> list[Line]:
    """Return each part on a line of its own, for want of room beside each other."""
    return [
        line
        for head, part in zip(heads, parts, strict=True)
        for line in row(head, values(Span(part), indent=28), indent=6, column=28)
    ]


def _text(field: Field, cell: Sequence[Any] | None, first: Sequence[Any] | None) -> str:
    """Return what was seen, beside what was seen first."""
    if not cell:
        return _NOT_LOOKED if cell is None else _NOT_READ
    if first is not None and encode(list(cell)) == encode(list(first)):
        return _SAME
    now, then = cell_summary(tuple(cell), field), cell_summary(tuple(first or cell), field)
    return f"{now}, other" if now == then else now
