"""THIS YES HOLDS WHILE: what a plan rests on, ref by ref and field by field."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any, Final

from lastlook.core.evidence import Cell, Evidence
from lastlook.core.fields import Field
from lastlook.core.plan import ActionPlan
from lastlook.core.screens.fields import SECRET, cell_summary, demand, distance, label
from lastlook.core.screens.layout import (
    Line,
    Span,
    beside,
    between,
    label_column,
    prose,
    row,
    values,
)
from lastlook.core.screens.steps import odd_lines, says_what_it_does
from lastlook.core.screens.values import counted, moment, name, spell, words
from lastlook.core.visible import show

COLUMN: Final = 20
_CONSISTENCY: Final = {
    "session": "read within one session: what others wrote may be missing",
    "eventual": "reads may be old: this source is only eventually consistent",
}


def holds_lines(plan: ActionPlan, zone: tzinfo) -> list[Line]:
    """Return what the yes rests on, and what is done about it before anything runs."""
    if not plan.evidence:
        why = "no reason is given" if plan.no_evidence is None else words(plan.no_evidence)
        return prose(f"This plan rests on nothing: {why}", style="strong")
    lines = between([Span("THIS YES HOLDS WHILE", "head")], _read(plan, zone))
    for evidence in plan.evidence:
        lines += evidence_lines(evidence)
    if plan.no_evidence is not None:
        lines += prose(f"Said besides: rests on nothing: {words(plan.no_evidence)}")
    return lines + [line for text in _promises(plan) for line in prose(text)]


def _read(plan: ActionPlan, zone: tzinfo) -> str:
    times = sorted(item.captured_at for item in plan.evidence if item.captured_at is not None)
    if not times:
        return "read at an unknown time"
    first, last = (moment(at, zone, near=plan.created_at) for at in (times[0], times[-1]))
    return f"read {first}" if first == last else f"read {first} to {last}"


def _promises(plan: ActionPlan) -> list[str]:
    promises = ["All of it is read again before anything runs. If it does not hold, nothing runs."]
    if len(plan.steps) > 1:
        promises.append(
            "Before each later step what that step rests on is read again, less what this plan "
            "wrote itself. If it does not hold then, the rest does not run."
        )
        between_them = "Between each look and its step"
    else:
        between_them = f"Between that look and {_act(plan)}"
    return [*promises, f"{between_them} there is a gap (checked, not locked)."]


def _act(plan: ActionPlan) -> str:
    """Return what the only step is called: by its tool, where that reads as a noun might."""
    effects = {effect.step: effect for effect in plan.estimated_side_effects}
    for step in plan.steps:
        is_command = any(item.command for item in plan.tools if item.name == step.tool)
        said = says_what_it_does(step, effects.get(step.number))
        if said and not is_command and step.tool.isascii() and step.tool.isalpha():
            return f"the {step.tool}"
    return "step 1" if plan.steps else "the act"


def evidence_lines(evidence: Evidence[Any]) -> list[Line]:
    """Return one ref with what must hold of it."""
    absent = Span("does not exist" if evidence.kind == "absence" else "")
    lines = beside(_ref(evidence), absent, indent=2, column=COLUMN, gap=2, style="strong")
    if evidence.consistency in _CONSISTENCY:
        lines += prose(_CONSISTENCY[evidence.consistency], indent=4, style="bad")
    if evidence.kind == "query":
        return lines + _query_lines(evidence)
    return lines + field_lines(evidence.fields, evidence.cells)


def _ref(evidence: Evidence[Any]) -> str:
    given = f" {spell(evidence.params)}" if evidence.kind == "query" else ""
    return name(evidence.ref) + given


def field_lines(fields: Sequence[Field], cells: Sequence[Cell], *, indent: int = 4) -> list[Line]:
    """Return each field with what must hold of it: conditions first, then what stays."""
    pairs = list(zip(fields, cells, strict=False))
    pairs.sort(key=lambda pair: not demand(pair[0]))
    names = [label(field) for field, _ in pairs]
    column = label_column(names, indent=indent, least=indent + 16, most=30, gap=1)
    lines: list[Line] = []
    for text, (field, cell) in zip(names, pairs, strict=True):
        rest = values(*_holds(field, cell), indent=column)
        lines += row(text, rest, indent=indent, column=column)
        if cell[0] == "value" and isinstance(cell[1], str):
            lines += odd_lines([cell[1]])
    return lines


def _holds(field: Field, cell: Cell) -> tuple[Span, ...]:
    now = cell_summary(cell, field)
    marks = [mark.replace("_", " ") for mark in sorted(field.rule) if field.rule[mark] is True]
    note = Span(f"  ({', '.join(marks)})" if marks else "", "dim")
    each = "each " if field.is_wildcard else ""
    if near := distance(field):
        return Span(f"{each}stays within {near} of "), Span(now, "strong"), note
    asked = demand(field)
    if not asked:
        return Span("stays  "), Span(now, "strong"), note
    same = now in {asked, SECRET} and not each
    return (
        Span(f"{each}is {asked}"), note,
        *(() if same else (Span("    now "), Span(now, "strong"))),
    )  # fmt: skip


def _query_lines(evidence: Evidence[Any]) -> list[Line]:
    held = {"": "stay", "grow": "may grow, none may go:", "shrink": "may go, none may come:"}
    count = counted(len(evidence.members), "member")
    cap = f"  (cap {evidence.cap:,})" if evidence.cap else ""
    lines = row("members", values(Span(f"{held[evidence.may]}  {count}{cap}"), indent=COLUMN),
                indent=4, column=COLUMN)  # fmt: skip
    for member in evidence.members:
        lines += values(Span(show(member.key), "strong"), indent=6)
        lines += field_lines(evidence.fields, member.cells, indent=8)
    return lines
