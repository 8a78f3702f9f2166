"""The question: what will run, what the yes rests on, and how far it goes.

Made from the sealed plan and nothing else. Every value that runs is there in full.
"""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import Any, Final

from lastlook.core.plan import ActionPlan, PlannedStep, SideEffect, Write
from lastlook.core.prompt import Question
from lastlook.core.screens.difference import difference_lines
from lastlook.core.screens.fields import label
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
from lastlook.core.screens.programs import command_lines
from lastlook.core.screens.rests import holds_lines
from lastlook.core.screens.steps import odd_lines, says_what_it_does, step_lines, texts_in
from lastlook.core.screens.values import moment, name, who, words
from lastlook.core.visible import show

COLUMN: Final = 20
ASKED_OF: Final = "names as stated by the program"
_CALLS: Final = "calls "


def question_screen(question: Question, *, zone: tzinfo = UTC, width: int = WIDTH) -> Screen:
    """Return a question as it is put to a person, the line that asks last.

    Args:
        question: The plan, and the blocked plan that it follows, if any.
        zone: The zone of all times of day.
        width: Columns, 40 to 80.
    """
    return laid_out(width, lambda: _lines(question, zone))


def _lines(question: Question, zone: tzinfo) -> list[Line]:
    plan = question.plan
    lines = [*_head(plan, afresh=question.previous is not None)]
    if question.previous is not None:
        lines += [*difference_lines(question.previous, plan), BLANK]
    lines += [*_asked_by(plan, zone), BLANK, *will_run_lines(plan), BLANK]
    lines += [*holds_lines(plan, zone), *_terms(plan, zone)]
    if question.kept_in_memory:
        lines += prose("kept in memory: a yes does not survive this process", style="strong")
    return [*lines, BLANK, *_asking(question)]


def _head(plan: ActionPlan, *, afresh: bool) -> list[Line]:
    place = f"plan {name(plan.id)}" + (f", follows {name(plan.follows)}" if plan.follows else "")
    first = (Span("ASKING AFRESH", "head"), Span("  ")) if afresh else ()
    return [*between((*first, Span(words(plan.intent), "head")), place), *odd_lines([plan.intent])]


def _asked_by(plan: ActionPlan, zone: tzinfo) -> list[Line]:
    asked = f"asked by {who(plan.requested_by)}, {moment(plan.created_at, zone)}"
    return [*between([Span(asked)], ASKED_OF), *odd_lines([plan.requested_by])]


def _asking(question: Question) -> list[Line]:
    if question.parked:
        text = "Parked: too many questions about one thing. It can't be confirmed."
        return prose(text, style="strong")
    what = "Run this instead?" if question.previous is not None else "Run this?"
    keys = "y yes   n no   d details  >"
    if columns(f"{what}   {keys} y") > room():
        return [(Span(what, "strong"),), (Span(keys),)]
    return [(Span(what, "strong"), Span(f"   {keys}"))]


def will_run_lines(plan: ActionPlan) -> list[Line]:
    """Return the steps with every value that runs."""
    lines: list[Line] = [(Span("WILL RUN", "head"),)]
    effects = {effect.step: effect for effect in plan.estimated_side_effects}
    for step in plan.steps:
        lines += _step(plan, step, effects.get(step.number))
    return lines


def _step(plan: ActionPlan, step: PlannedStep[Any], effect: SideEffect | None) -> list[Line]:
    lines = [*step_lines(plan, step), *_command(plan, step)]
    lines += prose(_effect(plan, step, effect), indent=4)
    lines += _labelled("changes", _changes(step, effect))
    if step.evidence is not None:
        lines += _labelled("rests on", [", ".join(name(ref) for ref in step.evidence) or "nothing"])
    return lines + odd_lines(texts_in(step.arguments))


def _command(plan: ActionPlan, step: PlannedStep[Any]) -> list[Line]:
    command = next((item.command for item in plan.tools if item.name == step.tool), None)
    return [] if command is None else command_lines(command)


def _effect(plan: ActionPlan, step: PlannedStep[Any], effect: SideEffect | None) -> str:
    """Return what a step does and how it can be undone, in words; what runs is said above."""
    undo = "can't be undone"
    if effect is not None and effect.undo is not None:
        undo = f"undo: {_clause(effect.undo)}"
    if not says_what_it_does(step, effect):
        return f"{_CALLS}{name(step.tool)}; {undo}"
    if _is_as_it_runs(plan, step):
        return undo
    return f"{_clause(effect.text if effect else '')}; {undo}"


def _is_as_it_runs(plan: ActionPlan, step: PlannedStep[Any]) -> bool:
    """Tell whether the effect of a command is no more than what it runs, to the letter."""
    tool = next((item for item in plan.tools if item.name == step.tool), None)
    if tool is None or tool.command is None:
        return False
    return not (tool.effect or step.arguments)


def _clause(text: str) -> str:
    return show(text) if ";" in text or text.startswith(_CALLS) else words(text)


def _changes(step: PlannedStep[Any], effect: SideEffect | None) -> list[str]:
    named = [_write(write) for write in step.writes]
    known = {write.ref for write in step.writes}
    named += [name(ref) for ref in (effect.writes if effect else ()) if ref not in known]
    return named or ["nothing that it declares"]


def _write(write: Write) -> str:
    fields = ", ".join(label(field) for field in write.fields)
    return f"{name(write.ref)} ({fields})" if fields else name(write.ref)


def _terms(plan: ActionPlan, zone: tzinfo) -> list[Line]:
    """Return who may say yes, until when, and what becomes of the steps after a block."""
    texts = []
    if plan.expires_at is not None:
        until = moment(plan.expires_at, zone, near=plan.created_at).removesuffix(":00")
        texts.append(f"This yes is good until {until}.")
    if plan.approvers:
        texts.append(f"Only {' or '.join(name(item) for item in plan.approvers)} may say yes.")
    if plan.two_people:
        texts.append(f"It takes a second person: {who(plan.requested_by)} may not say yes.")
    if not plan.requires_confirmation:
        texts.append("A policy of the program says yes; no person is asked.")
    if plan.origin.kind == "hand":
        texts.append("These steps were given by hand: after a block none is worked out again.")
    return [line for text in texts for line in prose(text)]


def _labelled(text: str, parts: list[str]) -> list[Line]:
    rest = [line for part in parts for line in values(Span(part), indent=COLUMN)]
    return row(text, rest, indent=4, column=COLUMN)
