"""What a look found, ref by ref: changed, unreadable, or as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any, Final

from lastlook.core.check import Change, CheckResult, Stale, Unresolvable, Valid
from lastlook.core.evidence import Cell, Evidence
from lastlook.core.evidence_file import HoldsEvidence
from lastlook.core.fields import Field
from lastlook.core.screens.changes import alike_lines, arrow, inside
from lastlook.core.screens.fields import SECRET, cell_summary, demand, distance, field_of, label
from lastlook.core.screens.layout import Line, Span, Style, beside, room, values
from lastlook.core.screens.programs import file_lines, is_file
from lastlook.core.screens.values import counted, moment, name, short
from lastlook.core.visible import show, visible

COLUMN: Final = 20
_REASON: Final = 500  # characters of a source's own words


def check_lines(plan: HoldsEvidence, checks: Sequence[CheckResult], at: datetime, zone: tzinfo
) -> list[Line]:  # fmt: skip
    """Return every dependency that was looked at, with what was found."""
    lines: list[Line] = []
    by_ref = {item.ref: item for item in plan.evidence}
    for check in checks:
        evidence = by_ref.get(check.ref)
        if isinstance(check, Stale):
            lines += _stale(check, evidence)
        elif isinstance(check, Unresolvable):
            lines += _unresolvable(check, evidence, at, zone)
        else:
            lines += _valid(check, evidence)
    return lines


def _ref(ref: str, said: str, style: Style) -> list[Line]:
    span = Span(said, style)
    return beside(name(ref), span, indent=2, column=COLUMN, gap=2, style="strong")


def _labelled(text: str, *spans: Span) -> list[Line]:
    return beside(text, *spans, indent=4, column=COLUMN)


def _valid(check: Valid, evidence: Evidence[Any] | None) -> list[Line]:
    if evidence is not None and evidence.kind == "absence":
        return _ref(check.ref, "still does not exist", "dim")
    text = "unchanged" if not check.moved else "holds"
    lines = _ref(check.ref, f"{text} ({counted(check.fields, 'field')})", "dim")
    return lines + _moved(evidence, check.cells, check.moved)


def _moved(
    evidence: Evidence[Any] | None, cells: Sequence[Cell], selectors: Sequence[str]
) -> list[Line]:
    """Return the fields that moved and still hold."""
    lines: list[Line] = []
    if evidence is None or len(cells) != len(evidence.fields):
        return lines
    for field, before, after in zip(evidence.fields, evidence.cells, cells, strict=True):
        if field.selector not in selectors:
            continue
        text = arrow(cell_summary(before, field), cell_summary(after, field))
        lines += _labelled(label(field), Span(f"{text}, which still holds"))
    return lines


def _stale(check: Stale, evidence: Evidence[Any] | None) -> list[Line]:
    lines = _ref(check.ref, _headline(check, evidence), "bad")
    if evidence is not None and evidence.kind == "absence":
        return lines
    for change in check.changes:
        lines += _change(change, field_of(evidence, change.field))
    if evidence is None or evidence.kind != "record":
        return lines
    for field in evidence.fields:
        if field.selector not in check.changed:
            lines += _as_it_was(check, evidence, field)
    return lines


def _headline(check: Stale, evidence: Evidence[Any] | None) -> str:
    if evidence is not None and evidence.kind == "absence":
        return "exists now"
    if evidence is None and check.ref.startswith("tool:"):
        edited = all(is_file(change) for change in check.changes)
        return "was edited since" if edited else "is not the tool that the yes was for"
    count = len(check.changed)
    if evidence is not None and evidence.kind == "query":
        return f"{counted(len(check.changes), 'difference')} among its members"
    return f"{count} of {counted(max(check.fields, count), 'field')} changed"


def _as_it_was(check: Stale, evidence: Evidence[Any], field: Field) -> list[Line]:
    if len(check.cells) == len(evidence.fields):
        at = evidence.fields.index(field)
        if check.cells[at] != evidence.cells[at]:
            return _moved(evidence, check.cells, [field.selector])
    return _labelled(label(field), Span("unchanged", "dim"))


def _change(change: Change, field: Field | None) -> list[Line]:
    if change.kind == "member_gone":
        return _labelled(show(change.member), Span(f"gone   {_held(change.before)}", "bad"))
    if change.kind == "member_new":
        return _labelled(show(change.member), Span(f"new    {_held(change.after)}", "good"))
    if field is None and is_file(change):
        return file_lines(change)
    text = label(field or change.field)
    if change.member:
        text = f"{show(change.member)} {text}"
    if "secret" in {change.before[0], change.after[0]} or (field is not None and field.is_secret):
        return _labelled(text, Span(f"changed, and not shown {SECRET}", "bad"))
    return _labelled(text, *_difference(change, field)) + _inside(change, field)


def _held(cell: Cell) -> str:
    return short(cell[1], room(COLUMN) - 7)


def _difference(change: Change, field: Field | None) -> tuple[Span, ...]:
    was = cell_summary(change.before, field)
    now = "can't be compared" if change.kind == "unreadable" else cell_summary(change.after, field)
    note = _note(change, field)
    return Span(arrow(was, now), "bad"), Span(f"    {note}" if note else "")


def _inside(change: Change, field: Field | None) -> list[Line]:
    before, after = change.before, change.after
    if not before[0] == after[0] == "value":
        return []
    ordered = field is None or "unordered" not in field.rule
    lines = inside(*_contents(before, after, field), ordered=ordered)
    return lines + alike_lines(before[1], after[1], indent=COLUMN)


def _contents(before: Cell, after: Cell, field: Field | None) -> tuple[Any, Any]:
    """Return what to compare inside of two cells; of a wildcard the values, if paths agree."""
    if field is None or not field.is_wildcard:
        return before[1], after[1]
    if len({str(path) for path, _ in (*before[1], *after[1])}) == 1:
        return [value for _, value in before[1]], [value for _, value in after[1]]
    return before[1], after[1]


def _note(change: Change, field: Field | None) -> str:
    if change.kind == "type":
        return "of another type"
    if change.kind == "condition" and field is not None and demand(field):
        return f"must be {demand(field)}"
    if field is not None and distance(field):
        return f"must stay within {distance(field)}"
    return ""


def _unresolvable(
    check: Unresolvable, evidence: Evidence[Any] | None, at: datetime, zone: tzinfo
) -> list[Line]:
    lines = _ref(check.ref, why_unresolvable(check), "bad")
    if evidence is None or evidence.kind != "record" or evidence.captured_at is None:
        return lines
    head = f"last seen {moment(evidence.captured_at, zone, near=at)}: "
    for field, cell in zip(evidence.fields, evidence.cells, strict=True):
        seen = f"{label(field)} {cell_summary(cell, field)}"
        lines += values(Span(head), Span(seen), Span("   (may be old)", "dim"), indent=COLUMN)
        head = " " * len(head)
    return lines


def why_unresolvable(check: Unresolvable) -> str:
    """Return what became of a read: gone, forbidden, or not read."""
    reason = visible(check.reason[:_REASON])
    if check.kind == "not_found":
        return f"is gone ({name(check.ref.partition(':')[0])} answered: {reason})"
    if check.kind == "no_access":
        return f"may not be read ({reason})"
    return f"could not be read: {reason}"
