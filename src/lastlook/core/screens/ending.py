"""What ran, what did not, and what is not known: the screens after something began."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import Final

from lastlook.core.canonical import to_wire
from lastlook.core.check import CheckResult, Unresolvable
from lastlook.core.outcome import (
    Compensated,
    Confirmed,
    Done,
    Executed,
    Failed,
    Guarantee,
    Partial,
    Unknown,
    Unsettled,
)
from lastlook.core.plan import ActionPlan
from lastlook.core.screens.block import check_lines
from lastlook.core.screens.fields import label
from lastlook.core.screens.layout import BLANK, Line, Span, prose, row, values
from lastlook.core.screens.steps import step_lines
from lastlook.core.screens.values import counted, full, moment, name, who
from lastlook.core.visible import visible
from lastlook.errors import NotCanonical

COLUMN: Final = 20

HEADLINES: Final = {
    "executed": "EXECUTED",
    "confirmed": "CONFIRMED",
    "partial": "STOPPED HALFWAY",
    "compensated": "UNDONE",
    "unknown": "UNKNOWN",
    "failed": "FAILED",
}

_LEVELS: Final = {
    "attested": "the program says so itself",
    "checked": "checked, not locked",
    "compensated": "undone if it no longer held",
    "held": "locked in between",
    "conditional": "the target checked it as it wrote",
    "atomic": "one step",
}


def executed_lines(outcome: Executed, zone: tzinfo) -> list[Line]:
    """Return what ran and what held while it did."""
    at = moment(outcome.completed_at, zone)
    lines = prose(f"All of it ran, and was done at {at}.")
    lines += [*_done(outcome.done or _assumed(outcome)), BLANK, *_guarantee(outcome)]
    return lines + _unsaid(outcome.plan, outcome.done)


def _assumed(outcome: Executed) -> tuple[Done, ...]:
    pairs = zip(outcome.plan.steps, outcome.results, strict=False)
    return tuple(Done(step=step.number, tool=step.tool, result=item) for step, item in pairs)


def _guarantee(outcome: Executed) -> list[Line]:
    held: Guarantee = outcome.guarantee
    gap = f"; {held.window:.3f} s lay between that look and the act" if held.window else ""
    against = f", against {'others who do so too' if held.against == 'cooperating' else 'everyone'}"
    level = _LEVELS[held.level] + (against if held.against else "")
    if not outcome.plan.evidence:
        return prose("It rested on nothing, so nothing was looked at.")
    return prose(f"{looked_at(outcome.checks)} right before{gap} ({level}).")


def looked_at(checks: Sequence[CheckResult]) -> str:
    """Return how much was looked at, as in *3 fields of 1 record were read again*."""
    fields = sum(item.fields for item in checks if not isinstance(item, Unresolvable))
    verb = "was" if fields == 1 else "were"
    return f"{counted(fields, 'field')} of {counted(len(checks), 'record')} {verb} read again"


def confirmed_lines(outcome: Confirmed, zone: tzinfo) -> list[Line]:
    """Return whose yes it is, and that nothing has run yet."""
    yes = outcome.confirmation
    lines = prose(f"The yes came from {who(yes.by)} at {moment(yes.at, zone)}.")
    if outcome.checks:
        lines += prose(f"{looked_at(outcome.checks)}, and all of it holds.")
    return lines + prose("Nothing has run yet: it is all read again before anything does.")


def unsettled_lines(outcome: Unsettled, zone: tzinfo) -> list[Line]:
    """Return what was done, what was not, what to look at, and the idempotency key."""
    lines = _what_happened(outcome, zone)
    stopped_by_look = isinstance(outcome, Partial) and outcome.checks
    if stopped_by_look:
        lines += [BLANK, *check_lines(outcome.plan, outcome.checks, outcome.at, zone)]
    if outcome.done:
        done = "WAS DONE, AND UNDONE" if isinstance(outcome, Compensated) else "WAS DONE"
        lines += [BLANK, (Span(done, "head"),), *_done(outcome.done)]
    if isinstance(outcome, Unknown):
        lines += [BLANK, (Span("NOT KNOWN", "head"),), *_steps(outcome.plan, [outcome.step])]
    left = [] if isinstance(outcome, Unknown | Compensated) else [outcome.step]
    left += [number for number in outcome.not_done if number not in left]
    if left:
        lines += [BLANK, (Span("WAS NOT DONE", "head"),), *_steps(outcome.plan, left)]
    lines += [BLANK, *_what_to_do(outcome), *_unsaid(outcome.plan, outcome.done)]
    return lines


def _what_happened(outcome: Unsettled, zone: tzinfo) -> list[Line]:
    lines: list[Line] = []
    if outcome.confirmed_at is not None:
        said = moment(outcome.confirmed_at, zone, near=outcome.at)
        lines += prose(f"You said yes at {said}.")
    step, at = _step_name(outcome), moment(outcome.at, zone)
    match outcome:
        case Unknown():
            text = f"{step} began, and whether it took effect is not known ({at})"
        case Failed():
            text = f"{step} came to nothing: nothing was applied ({at})"
        case Compensated():
            text = f"What had run was undone again ({at})"
        case _:
            text = f"It stopped before {step[:1].lower()}{step[1:]} ({at})"
    reason = visible(outcome.reason).removesuffix(".")
    return lines + prose(f"{text}{': ' + reason if reason else ''}.")


def _step_name(outcome: Unsettled) -> str:
    tool = next((item.tool for item in outcome.plan.steps if item.number == outcome.step), "")
    return f"Step {outcome.step}" + (f" ({name(tool)})" if tool else "")


def _done(done: Iterable[Done]) -> list[Line]:
    lines: list[Line] = []
    for item in done:
        rest = row("returned", _result(item.result), indent=COLUMN, column=COLUMN + 10)
        lines += row(f"{item.step} {name(item.tool)}", rest, indent=2, column=COLUMN,
                     style="strong")  # fmt: skip
    return lines


def _result(result: object) -> list[Line]:
    try:
        return full(to_wire(result), column=COLUMN + 10, style="plain")
    except NotCanonical:
        kind = visible(type(result).__qualname__)
        return values(Span(f"a value of type {kind}", "dim"), indent=COLUMN + 10)


def _steps(plan: ActionPlan, numbers: Sequence[int]) -> list[Line]:
    return [
        line for step in plan.steps if step.number in numbers for line in step_lines(plan, step)
    ]


def _what_to_do(outcome: Unsettled) -> list[Line]:
    plan = outcome.plan
    if isinstance(outcome, Failed):
        return prose(f"That yes is used up; plan {name(plan.id)} will never run.")
    touched = {item.step for item in outcome.done} | {outcome.step}
    refs = [write.ref for step in plan.steps if step.number in touched for write in step.writes]
    seen = list(dict.fromkeys(refs)) or [item.ref for item in plan.evidence]
    lines: list[Line] = []
    if seen:
        lines += row("Look at", values(Span(", ".join(name(ref) for ref in seen)), indent=COLUMN),
                     indent=0, column=COLUMN)  # fmt: skip
    key = next((step.key for step in plan.steps if step.number == outcome.step), "")
    if key:
        lines += prose(f"Idempotency key of step {outcome.step}")
        lines += values(Span(name(key)), indent=2)
    if isinstance(outcome, Unknown):
        lines += prose("Look before doing it again. It is not tried again by itself.")
    return lines + prose(f"That yes is used up; plan {name(plan.id)} will not run again.")


def _unsaid(plan: ActionPlan, done: Iterable[Done]) -> list[Line]:
    """Return what steps declared to write and did not say: later looks left it out."""
    return [
        line
        for item in done
        for text in item.unsaid
        for line in prose(
            f"Step {item.step} ({name(item.tool)}) did not say what it wrote to {written(plan, text)}: later looks "
            "left that out."
        )
    ]


def written(plan: ActionPlan, text: str) -> str:
    """Return `ref` or `ref#selector` for people; the plan tells where a ref ends."""
    refs = {write.ref for step in plan.steps for write in step.writes}
    for ref in sorted(refs, key=len, reverse=True):
        if text.startswith(f"{ref}#") and text not in refs:
            return f"{label(text[len(ref) + 1 :])} of {name(ref)}"
    return name(text)
