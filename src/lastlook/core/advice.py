"""What a model is told about an outcome: what happened, and what not to do next.

Foreign words in it are names only, made visible; a source's or a person's own words
stay in the data beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lastlook.core.check import Stale, Unresolvable
from lastlook.core.outcome import (
    AlreadyUsed,
    Blocked,
    BlockedStale,
    BlockedTampered,
    BlockedUnresolvable,
    Cancelled,
    Compensated,
    Confirmed,
    Executed,
    Expired,
    Failed,
    InProgress,
    NotConfirmed,
    Outcome,
    Parked,
    Partial,
    Refused,
    Rejected,
    Unknown,
    Unsettled,
)
from lastlook.core.screens.fields import changed_names
from lastlook.core.screens.refused import refusal_text
from lastlook.core.screens.values import counted, name

_AGAIN: Final = "Read again and plan anew: the same call will be refused."


def tell(outcome: Outcome) -> str:
    """Return one or two plain sentences for whoever asked for the plan."""
    plan = f"Plan {name(outcome.plan.id)}"
    match outcome:
        case Executed():
            steps = counted(len(outcome.results), "step")
            return f"{plan} ran: {steps} done, all that it holds. The same call will be refused."
        case Confirmed():
            return f"{plan} has its yes, and nothing has run yet. Dispatch it once."
        case Blocked():
            return (
                f"{plan} was not run, {_why_blocked(outcome)}; nothing was done. {_next(outcome)}"
            )
        case Refused():
            return f"{plan} {_refused(outcome)}"
        case Unsettled():
            return f"{plan} {_unsettled(outcome)}"
        case _:
            return f"{plan} came to {type(outcome).__name__}."


def _why_blocked(outcome: Blocked) -> str:
    if isinstance(outcome, BlockedTampered):
        return "because what is stored is not what was sealed"
    texts = [_changed(item) for item in outcome.checks if isinstance(item, Stale)]
    parts = [f"{'; '.join(texts)} changed"] if texts else []
    silent = [name(item.ref) for item in outcome.checks if isinstance(item, Unresolvable)]
    parts += [f"{', '.join(silent)} could not be read"] if silent else []
    return f"because {' and '.join(parts) or 'what it rests on does not hold'}"


def _changed(check: Stale) -> str:
    names = ", ".join(changed_names(check.ref, check.changed))
    return names if check.ref.startswith("tool:") else f"{names} of {name(check.ref)}"


def _next(outcome: Blocked) -> str:
    if outcome.fresh is not None:
        fresh = name(outcome.fresh.id)
        return (
            f"A person is asked afresh about plan {fresh}: wait for that, the same call will "
            "be refused."
        )
    match outcome:
        case BlockedStale():
            return _AGAIN
        case BlockedUnresolvable():
            return f"Once it can be read, {_AGAIN[:1].lower()}{_AGAIN[1:]}"
        case _:
            return "Tell a person; the same call will be refused."


def _refused(outcome: Refused) -> str:
    said = refusal_text(outcome)
    match outcome:
        case NotConfirmed():
            return f"{said}; nothing was done. Wait for a person, and do it in no other way."
        case InProgress():
            return f"{said}; nothing more was begun. Wait for what comes of it."
        case AlreadyUsed():
            return f"{said}; nothing was done now. Do not repeat it: look at what came of it."
        case Rejected():
            return f"was rejected{_by(outcome.by)}; nothing was done. Do not do it in another way."
        case Cancelled() | Expired():
            return f"{said}; nothing was done. {_AGAIN}"
        case Parked():
            return f"{said}; nothing was done. Tell a person, and do not ask again by yourself."
        case _:
            return f"{said}; nothing was done. The yes still counts: try again later."


def _by(principal: str) -> str:
    return f" by {name(principal)}" if principal else ""


def _unsettled(outcome: Unsettled) -> str:
    step = _step(outcome, outcome.step)
    seen = f"Do not repeat it: look at {_where(outcome)} first."
    match outcome:
        case Partial():
            done = _steps(outcome, [item.step for item in outcome.done])
            left = _steps(outcome, [outcome.step, *outcome.not_done])
            return f"stopped halfway: {done} was done, {left} was not. {seen}"
        case Compensated():
            done = _steps(outcome, [item.step for item in outcome.done])
            return f"was undone again: {done}. {seen}"
        case Unknown():
            return f"began {step}, and it is not known whether that took effect. {seen}"
        case Failed():
            return f"came to nothing at {step}: nothing was applied. {_AGAIN}"
        case _:
            return f"came to {type(outcome).__name__} at {step}. {seen}"


def _step(outcome: Unsettled, number: int) -> str:
    tool = next((item.tool for item in outcome.plan.steps if item.number == number), "")
    return f"step {number}" + (f" ({name(tool)})" if tool else "")


def _steps(outcome: Unsettled, numbers: Iterable[int]) -> str:
    return ", ".join(_step(outcome, number) for number in dict.fromkeys(numbers)) or "no step"


def _where(outcome: Unsettled) -> str:
    touched = {item.step for item in outcome.done} | {outcome.step}
    refs = [w.ref for step in outcome.plan.steps if step.number in touched for w in step.writes]
    return ", ".join(name(ref) for ref in dict.fromkeys(refs)) or "what it would have changed"
