"""The head of a fresh question: what is different in what will run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lastlook.core.canonical import encode
from lastlook.core.plan import ActionPlan, PlannedStep
from lastlook.core.screens.changes import alike_lines, arrow, inside
from lastlook.core.screens.fields import ABSENT
from lastlook.core.screens.layout import Line, Span, columns, label_column, prose, row, values
from lastlook.core.screens.programs import edited_files, file_line
from lastlook.core.screens.steps import ordered_arguments
from lastlook.core.screens.values import name, summary, words

_COLUMN: Final = 20
_NOTE: Final = 54
_AGAIN: Final = "worked out again"
_BY_HAND: Final = "What will run is as first given; none of it was worked out again."


def difference_lines(previous: ActionPlan, plan: ActionPlan) -> list[Line]:
    """Return what is different from the blocked plan in what will run."""
    if plan.origin.kind == "hand":
        lines = prose(_BY_HAND, indent=2)
    else:
        lines = [(Span("  What is different in what will run", "head"),)]
    for old, new in _paired(previous, plan):
        if new is None:
            lines += _one(old, "step gone", "bad")
        elif old is None:
            lines += _one(new, "new step", "good")
        elif plan.origin.kind != "hand" or not _same(old, new):
            lines += _step(plan, old, new)
    return lines + [line for text in _besides(previous, plan) for line in prose(text, indent=2)]


def _paired(
    previous: ActionPlan, plan: ActionPlan
) -> Iterator[tuple[PlannedStep[Any], None] | tuple[PlannedStep[Any] | None, PlannedStep[Any]]]:
    """Pair the steps of both plans that call the same tools in the same order."""
    from difflib import SequenceMatcher

    old, new = previous.steps, plan.steps
    tools = [step.tool for step in old], [step.tool for step in new]
    for tag, i, i_end, j, j_end in SequenceMatcher(None, *tools, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(old[i:i_end], new[j:j_end], strict=True)
            continue
        yield from ((step, None) for step in old[i:i_end])
        yield from ((None, step) for step in new[j:j_end])


def _same(old: PlannedStep[Any], new: PlannedStep[Any]) -> bool:
    return encode([old.number, old.arguments]) == encode([new.number, new.arguments])


def _one(step: PlannedStep[Any] | None, text: str, style: Any) -> list[Line]:
    head = "" if step is None else f"{step.number} {name(step.tool)}"
    return row(head, values(Span(text, style), indent=_COLUMN), indent=4, column=_COLUMN)


def _step(plan: ActionPlan, old: PlannedStep[Any], new: PlannedStep[Any]) -> list[Line]:
    was, now = old.arguments, ordered_arguments(plan, new)
    named = [key for key in now if not _is_given(plan, key, was, now)]
    named += sorted(key for key in was if key not in now)
    column = label_column(map(name, named), indent=_COLUMN, least=_COLUMN + 9, most=20, gap=2)
    note = "" if plan.origin.kind == "hand" else _AGAIN
    rest: list[Line] = []
    if old.number != new.number:
        rest += values(Span(f"was step {old.number}", "dim"), indent=_COLUMN)
    for key in named:
        lines = _argument(key, was, now, column, note)
        rest += row(name(key), lines, indent=_COLUMN, column=column)
    if not rest:
        rest = values(Span("unchanged", "dim"), indent=_COLUMN)
    return row(f"{new.number} {name(new.tool)}", rest, indent=4, column=_COLUMN, style="strong")


def _is_given(plan: ActionPlan, key: str, was: dict[str, Any], now: dict[str, Any]) -> bool:
    """Tell an argument that nobody works out: unchanged, and as the planner was given it."""
    if key not in was or encode(was[key]) != encode(now[key]):
        return False
    if plan.origin.kind == "hand":
        return True
    given = {encode(item) for item in plan.origin.arguments.values()}
    return encode(now[key]) in given


def _argument(
    key: str, was: dict[str, Any], now: dict[str, Any], column: int, note: str
) -> list[Line]:
    if key in was and key in now and encode(was[key]) == encode(now[key]):
        return values(Span("unchanged", "dim"), indent=column)
    before = summary(was[key]) if key in was else ABSENT
    after = summary(now[key]) if key in now else ABSENT
    text = arrow(before, after)
    gap = " " * max(_NOTE - column - columns(text), 4) if note else ""
    lines = values(Span(text, "strong"), Span(gap + note, "dim"), indent=column)
    if key in was and key in now:
        lines += inside(was[key], now[key])
        lines += alike_lines(was[key], now[key], indent=column)
    return lines


def _besides(previous: ActionPlan, plan: ActionPlan) -> Iterator[str]:
    """Yield what else differs between the two plans."""
    if previous.intent != plan.intent:
        yield f"It is now for: {words(plan.intent)}. Before: {words(previous.intent)}."
    before = {item.name: item for item in previous.tools}
    for tool in plan.tools:
        found = edited_files(before.get(tool.name, tool), tool)
        for change in found:
            text = file_line(change)
            yield f"{text[:1].upper()}{text[1:]}."
        if not found and before.get(tool.name, tool) != tool:
            yield f"The tool {name(tool.name)} is not the same as before."
    writes = [[step.writes for step in item.steps] for item in (previous, plan)]
    if writes[0] != writes[1]:
        yield "It changes other records or fields than before."
    if previous.origin.digest != plan.origin.digest:
        yield f"The code of planner {name(plan.origin.name)} is not the same as before."
