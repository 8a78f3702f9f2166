"""A draft: everything of a plan but its place in the store.

Planners, templates and hands make drafts; `finish` gives one an id and seals it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct

from lastlook.core.evidence import Evidence, Wire
from lastlook.core.lifecycle import NewPlan, State
from lastlook.core.plan import (
    ActionPlan,
    Origin,
    PlannedStep,
    SideEffect,
    ToolDefinition,
    Write,
    idempotency_key,
    open_plan,
)
from lastlook.core.stand_ins import has_stand_in, open_argument
from lastlook.core.visible import says_something
from lastlook.errors import BadFormat, DeclarationError, NoEvidence
from lastlook.planning.given import must_be_text
from lastlook.planning.tools import AnyTool


class Draft(Struct, frozen=True, kw_only=True):
    """What a planner, a template or a hand has put together.

    Attributes:
        salts: The salts of secret fields, `ref#selector` to 32 bytes.
        expires_in: Seconds from the proposal, or None.
    """

    intent: str
    steps: tuple[PlannedStep[Any], ...]
    tools: tuple[ToolDefinition, ...]
    effects: tuple[SideEffect, ...]
    evidence: tuple[Evidence[Any], ...]
    no_evidence: str | None = None
    origin: Origin
    salts: dict[str, bytes] = {}
    two_people: bool = False
    approvers: tuple[str, ...] = ()
    expires_in: float | None = None


class Place(Struct, frozen=True, kw_only=True):
    """Where a draft goes: its id and lineage, who asked, and when.

    Attributes:
        key: The requester's own key for the proposal, or None.
        confirmed_by_policy: The policy that confirms it, or an empty text.
    """

    id: str
    lineage: str
    number: int = 1
    follows: str | None = None
    requested_by: str
    key: str | None = None
    at: datetime
    confirmed_by_policy: str = ""
    parked: bool = False


def planned(tool: AnyTool, arguments: dict[str, Wire], number: int) -> PlannedStep[Any]:
    """Return a step that calls `tool`, with what it says that it writes."""
    plain = _plain(arguments)
    return PlannedStep(
        number=number,
        tool=tool.name,
        arguments=arguments,
        writes=tuple(_write(entry, plain) for entry in tool.writes),
    )


def side_effect(tool: AnyTool, step: PlannedStep[Any]) -> SideEffect:
    """Return what a step does to the world, in the tool's own words."""
    plain = _plain(step.arguments)
    return SideEffect(
        step=step.number,
        text=tool.effect.text(plain),
        undo=None if tool.undo is None else tool.undo.text(plain),
        writes=tuple(write.ref for write in step.writes),
    )


def finish(draft: Draft, place: Place) -> tuple[ActionPlan, NewPlan]:
    """Seal a draft at its place, and return the plan and the row to insert.

    Raises:
        NoEvidence: The draft has steps, rests on nothing, and does not say so.
        DeclarationError: It has no steps or no intent, or something in it could not be
            read back from the store.
    """
    _refuse_empty(draft)
    ends = None
    if draft.expires_in is not None:
        ends = place.at + timedelta(seconds=draft.expires_in)
    plan = ActionPlan(
        id=place.id,
        lineage=place.lineage,
        number=place.number,
        follows=place.follows,
        root=place.id,
        intent=draft.intent,
        requested_by=place.requested_by,
        origin=draft.origin,
        tools=draft.tools,
        steps=_keyed(draft.steps, place.id),
        estimated_side_effects=draft.effects,
        evidence=draft.evidence,
        no_evidence=draft.no_evidence,
        requires_confirmation=not place.confirmed_by_policy,
        two_people=draft.two_people,
        approvers=draft.approvers,
        expires_at=ends,
        created_at=place.at,
    )
    plan = _read_back(plan)
    new = NewPlan(
        id=plan.id,
        lineage=plan.lineage,
        number=plan.number,
        follows=plan.follows,
        requested_by=plan.requested_by,
        key=place.key,
        body=plan.body,
        seal=plan.seal,
        state=State.PARKED if place.parked else State.PENDING,
        at=place.at,
        salts=draft.salts,
        data={"seal": plan.seal, "refs": [item.ref for item in plan.evidence]},
    )
    return plan, new


def with_tools(steps: Sequence[PlannedStep[Any]], tools: Mapping[str, AnyTool]) -> dict[str, Any]:
    """Return the parts of a draft that follow from its steps and their tools."""
    used = {step.tool: tools[step.tool] for step in steps}
    return {
        "steps": tuple(steps),
        "tools": tuple(used[name].definition for name in sorted(used)),
        "effects": tuple(side_effect(used[step.tool], step) for step in steps),
    }


def _keyed(steps: Iterable[PlannedStep[Any]], root: str) -> tuple[PlannedStep[Any], ...]:
    return tuple(
        msgspec.structs.replace(
            step, key=idempotency_key(root, step.number, step.tool, step.arguments)
        )
        for step in steps
    )


def _read_back(plan: ActionPlan) -> ActionPlan:
    """Return the plan as its bytes tell it, and refuse what would lie in the store unreadable."""
    try:
        return open_plan(plan.body)
    except BadFormat as error:
        raise DeclarationError(
            f"the plan holds what none can: {error.__cause__}",
            fix="Give texts as texts: intent, version, requester.",
        ) from error


def _refuse_empty(draft: Draft) -> None:
    if not says_something(f"{draft.intent}"):
        raise DeclarationError(
            "the plan does not say what it is for", fix="Give it an intent with letters or digits."
        )
    if not draft.steps:
        raise DeclarationError(
            f"the plan {draft.intent!r} has no step, so there is nothing to confirm",
            fix="Name what will run: plan.step(tool, ...).",
        )
    if draft.no_evidence is not None:
        must_be_text(draft.no_evidence, "why a plan rests on nothing")
    if not draft.evidence and not says_something(draft.no_evidence or ""):
        raise NoEvidence(
            f"the plan {draft.intent!r} rests on no evidence, so nothing would stop it",
            fix='Read what it depends on: plan.read("source:key", "field"). Where it truly '
            'depends on nothing, say so: plan.no_evidence("why").',
        )


def _plain(arguments: Mapping[str, Wire]) -> dict[str, object]:
    """Return arguments as values for a template; a stand-in shows as its own text."""
    return {name: _shown(wire) for name, wire in arguments.items()}


def _shown(wire: Wire) -> object:
    if has_stand_in(wire):
        return "<result of an earlier step>"
    return open_argument(wire)


def _write(entry: Any, plain: Mapping[str, object]) -> Write:
    filled = entry.fill(plain)
    return Write(ref=filled.ref, fields=filled.fields)
