"""Details: everything in the sealed plan that the question sums up or leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Any, Final

from lastlook.core.evidence import Cell, Evidence
from lastlook.core.fields import Field
from lastlook.core.plan import ActionPlan, ToolDefinition
from lastlook.core.screens.fields import ABSENT, SECRET, label, mask_texts, masked
from lastlook.core.screens.layout import BLANK, Line, Screen, Span, between, prose, row, values
from lastlook.core.screens.values import full, full_moment, name, words
from lastlook.core.visible import show, visible

COLUMN: Final = 16


def details_screen(plan: ActionPlan, *, zone: tzinfo = UTC) -> Screen:
    """Return all of a sealed plan, every captured value in full, secrets masked."""
    lines = between((Span("DETAILS", "head"), Span("  "), Span(words(plan.intent))),
                    f"plan {name(plan.id)}")  # fmt: skip
    lines += [*_plan(plan, zone), BLANK, (Span("TOOLS", "head"),)]
    for tool in plan.tools:
        lines += _tool(tool)
    lines += [BLANK, (Span("IDEMPOTENCY KEYS", "head"),)]
    for step in plan.steps:
        lines += _named(f"step {step.number}", [step.key or "none"])
    if plan.evidence:
        lines += [BLANK, (Span("EVIDENCE", "head"),)]
    for item in plan.evidence:
        lines += _evidence(item, zone)
    return Screen(tuple(lines))


def _named(text: str, parts: Iterable[str], *, indent: int = 2) -> list[Line]:
    rest = [line for part in parts for line in values(Span(part), indent=COLUMN)]
    return row(text, rest, indent=indent, column=COLUMN)


def _plan(plan: ActionPlan, zone: tzinfo) -> list[Line]:
    origin = plan.origin
    given = [f"{visible(key)}: " for key in sorted(origin.arguments)]
    lines = [
        *values(Span("seal ", "label"), Span(plan.seal), indent=2),
        *_named(
            "lineage", [f"{name(plan.lineage)}, plan {plan.number}, keys of {name(plan.root)}"]
        ),
        *_named("made at", [full_moment(plan.created_at, zone)]),
        *_named("asked by", [name(plan.requested_by)]),
        *_named("made by", [f"{origin.kind} {name(origin.name)}" if origin.name else origin.kind]),
    ]
    if origin.digest:
        lines += _named("its code", [name(origin.digest)])
    for text, key in zip(given, sorted(origin.arguments), strict=True):
        rest = full(origin.arguments[key], column=COLUMN, style="plain")
        lines += row(f"  {text}", rest, indent=2, column=COLUMN)
    if origin.template is not None:
        lines += row("template", full(mask_texts(origin.template), column=COLUMN, style="plain"), indent=2,
                     column=COLUMN)  # fmt: skip
    if plan.expires_at is not None:
        lines += _named("good until", [full_moment(plan.expires_at, zone)])
    return lines


def _tool(tool: ToolDefinition) -> list[Line]:
    lines = values(Span(name(tool.name), "strong"), Span(f"  {tool.kind}"), indent=2)
    texts = {
        "version": tool.version,
        "description": tool.description,
        "effect": tool.effect,
        "undo": tool.undo or "",
    }
    for key, text in texts.items():
        if text:
            lines += _named(key, [show(text)], indent=4)
    for key, parts in (("writes", tool.writes), ("not applied", tool.not_applied)):
        if parts:
            lines += _named(key, [show(part) for part in parts], indent=4)
    if tool.arguments is not None:
        lines += row("arguments", full(tool.arguments, column=COLUMN, style="plain"), indent=4,
                     column=COLUMN)  # fmt: skip
    return lines


def _evidence(item: Evidence[Any], zone: tzinfo) -> list[Line]:
    lines = values(Span(name(item.ref), "strong"), Span(f"  {item.kind}"), indent=2)
    lines += prose(item.fingerprint, indent=4, style="dim")
    if item.captured_at is not None:
        lines += _named("read at", [full_moment(item.captured_at, zone)], indent=4)
    lines += _named("consistency", [item.consistency], indent=4)
    if item.version is not None:
        lines += _named("version", [show(item.version)], indent=4)
    if item.source_config:
        lines += _named("source", [name(item.source_config)], indent=4)
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
