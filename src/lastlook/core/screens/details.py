"""Details: what the question sums up, and where it comes from, for somebody who decides.

The whole of a sealed plan, its schemas, keys and digests too, is in its data.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Any, Final

from lastlook.core.evidence import Cell, Evidence
from lastlook.core.fields import Field
from lastlook.core.plan import ActionPlan, Origin, ToolDefinition
from lastlook.core.screens.fields import ABSENT, SECRET, label, masked
from lastlook.core.screens.layout import (
    BLANK,
    WIDTH,
    Line,
    Screen,
    Span,
    between,
    laid_out,
    row,
    values,
)
from lastlook.core.screens.programs import command_lines
from lastlook.core.screens.values import full, full_moment, name, words
from lastlook.core.visible import show, visible

COLUMN: Final = 16
_SHORT: Final = len("ll1:") + 12  # of a fingerprint, to tell it from another by eye


def details_screen(plan: ActionPlan, *, zone: tzinfo = UTC, width: int = WIDTH) -> Screen:
    """Return where a plan comes from, and every captured value in full, secrets masked."""
    return laid_out(width, lambda: _lines(plan, zone))


def _lines(plan: ActionPlan, zone: tzinfo) -> list[Line]:
    left = (Span("DETAILS", "head"), Span("  "), Span(words(plan.intent)))
    lines = [*between(left, f"plan {name(plan.id)}"), *_plan(plan, zone)]
    if plan.evidence:
        lines += [BLANK, (Span("EVIDENCE", "head"),)]
    for item in plan.evidence:
        lines += _evidence(item, zone)
    lines += [BLANK, (Span("TOOLS", "head"),)]
    for tool in plan.tools:
        lines += _tool(tool)
    return lines


def _named(text: str, parts: Iterable[str], *, indent: int = 2) -> list[Line]:
    rest = [line for part in parts for line in values(Span(part), indent=COLUMN)]
    return row(text, rest, indent=indent, column=COLUMN)


def _plan(plan: ActionPlan, zone: tzinfo) -> list[Line]:
    origin = plan.origin
    lines = [
        *values(Span("seal ", "label"), Span(plan.seal), indent=2),
        *_named("made at", [full_moment(plan.created_at, zone)]),
        *_named("asked by", [name(plan.requested_by)]),
        *_named("made by", [_made_by(origin)]),
    ]
    for key in sorted(origin.arguments):
        rest = full(origin.arguments[key], column=COLUMN, style="plain")
        lines += row(visible(key), rest, indent=4, column=COLUMN)
    if plan.expires_at is not None:
        lines += _named("good until", [full_moment(plan.expires_at, zone)])
    return lines


def _made_by(origin: Origin) -> str:
    """Return who worked the plan out, and would again."""
    if origin.kind == "hand":
        return "hand: its steps were given as they are"
    if origin.kind == "template":
        return f"plan {name(origin.name)} of lastlook.toml" if origin.name else "a command line"
    return f"{origin.kind} {name(origin.name)}"


def _tool(tool: ToolDefinition) -> list[Line]:
    lines = values(Span(name(tool.name), "strong"), Span(f"  {tool.kind}"), indent=2)
    texts = {"version": tool.version, "description": tool.description, "undo": tool.undo or ""}
    for key, text in texts.items():
        if text:
            lines += _named(key, [show(text)], indent=4)
    if tool.not_applied:
        lines += _named(
            "not applied", [", ".join(show(part) for part in tool.not_applied)], indent=4
        )
    return lines + ([] if tool.command is None else command_lines(tool.command))


def _evidence(item: Evidence[Any], zone: tzinfo) -> list[Line]:
    lines = values(Span(name(item.ref), "strong"), Span(f"  {item.kind}"), indent=2)
    lines += _named("fingerprint", [f"{item.fingerprint[:_SHORT]}..."], indent=4)
    if item.captured_at is not None:
        lines += _named("read at", [full_moment(item.captured_at, zone)], indent=4)
    if item.consistency != "linearizable":
        lines += _named("consistency", [item.consistency], indent=4)
    if item.version is not None:
        lines += _named("version", [show(item.version)], indent=4)
    lines += _cells(item.fields, item.cells)
    for member in item.members:
        lines += values(Span(show(member.key), "strong"), indent=4)
        lines += _cells(item.fields, member.cells)
    return lines


def _cells(fields: Iterable[Field], cells: Iterable[Cell]) -> list[Line]:
    lines: list[Line] = []
    for field, cell in zip(fields, cells, strict=False):
        text = label(field)
        rest = cell_lines(cell, field, column=COLUMN)
        if field.rule or field.is_secret or field.is_optional:
            rest = [*values(Span(masked(field), "dim"), indent=COLUMN), *rest]
        lines += row(text, rest, indent=4, column=COLUMN)
    return lines


def cell_lines(cell: Cell, field: Field | None, *, column: int) -> list[Line]:
    """Return what a field selected, in full; never a secret."""
    if cell[0] == "value" and not (field is not None and field.is_secret):
        return full(cell[1], column=column, style="plain")
    return values(Span(ABSENT if cell[0] == "absent" else SECRET), indent=column)
