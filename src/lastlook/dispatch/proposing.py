"""Proposing: from a draft to a stored question."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from lastlook.core.deciding import leaves, may_confirm_by_policy, principal
from lastlook.core.evidence import Evidence, Wire
from lastlook.core.lifecycle import Confirmation, Move, PlanRecord, State
from lastlook.core.opened import opened
from lastlook.core.plan import ActionPlan, Origin, PlannedStep
from lastlook.core.screens import shown_digest
from lastlook.core.stand_ins import has_stand_in
from lastlook.core.taking import salt_of
from lastlook.dispatch.world import World, log, place_of
from lastlook.errors import (
    BadArguments,
    DeclarationError,
    NotRegistered,
    SealMismatch,
    StoreBusy,
)
from lastlook.planning.drafts import Draft, Place, finish, planned, with_tools
from lastlook.planning.loose import warn_of_loose
from lastlook.planning.options import Options
from lastlook.planning.planner import Planner
from lastlook.planning.planning import Planning
from lastlook.planning.undeclared import warn_of_undeclared

_TRIES = 100


def propose_planned(
    world: World, planner: Planner[Any], arguments: dict[str, Wire], options: Options
) -> ActionPlan:
    """Run a planner and store its plan; a policy may confirm it at once.

    A second proposal with the same key gives the lineage's newest plan.

    Raises:
        BadArguments: The key was used with another planner or other arguments.
    """
    requested_by = principal(options.requested_by or "agent:program", default="agent")
    origin = Origin(kind="planner", name=planner.name, arguments=arguments)
    if known := _by_key(world, requested_by, options.key, origin):
        return known
    planning = Planning(world, world.tools)
    draft = planner.draft(arguments, planning, options.expires_in)
    policy = _policy(world, draft)
    plan = store(world, draft, requested_by=requested_by, key=options.key, policy=policy)
    # Under a key it may be a plan that was there before, or a fresh one: not for a policy.
    if policy and not plan.requires_confirmation and plan.follows is None:
        _confirm_by_policy(world, plan, policy)
    return plan


def _policy(world: World, draft: Draft) -> str:
    """Return the policy that confirms a draft; none does where people are asked for."""
    if draft.two_people or draft.approvers:
        return ""
    return may_confirm_by_policy(world.policies, [step.tool for step in draft.steps])


def propose_by_hand(
    world: World,
    intent: str,
    steps: Sequence[PlannedStep[Any]],
    *,
    evidence: Sequence[Evidence[Any]],
    key: str | None,
    requested_by: str,
    no_evidence: str | None,
) -> ActionPlan:
    """Store a plan whose steps were given by hand."""
    requested_by = principal(requested_by or "agent:program", default="agent")
    draft = draft_by_hand(world, intent, steps, evidence=evidence, no_evidence=no_evidence)
    if known := _by_key(world, requested_by, key, draft.origin, draft.steps):
        return known
    warn_of_unrelated(draft)
    return store(world, draft, requested_by=requested_by, key=key)


def draft_by_hand(
    world: World,
    intent: str,
    steps: Sequence[PlannedStep[Any]],
    *,
    evidence: Sequence[Evidence[Any]],
    no_evidence: str | None = None,
) -> Draft:
    """Return steps and evidence that were given by hand as a draft.

    Raises:
        NotRegistered: A step's tool, or the source of some evidence, is not of this world.
        DeclarationError: A step could not run, or evidence could not be looked at again.
    """
    _refuse_steps(world, steps)
    _refuse_evidence(world, evidence)
    numbered = [
        planned(world.tools[step.tool], step.arguments, number)
        for number, step in enumerate(steps, start=1)
    ]
    return Draft(
        intent=intent, origin=Origin(kind="hand", arguments={"intent": intent}),
        evidence=tuple(evidence), no_evidence=no_evidence,
        salts={k: v for item in evidence for k, v in item.__dict__.get("salts", {}).items()},
        **with_tools(numbered, world.tools),
    )  # fmt: skip


def store(
    world: World, draft: Draft, *, requested_by: str, key: str | None = None, policy: str = ""
) -> ActionPlan:
    """Give a draft a new lineage and insert it.

    Raises:
        StoreBusy: No free id was found, which means that something is wrong.
    """
    warn_of_loose(draft)
    warn_of_undeclared(draft)
    for tries in range(_TRIES):
        name = world.new_id(4 + tries // 10)
        place = Place(
            id=name, lineage=name, requested_by=requested_by, key=key, at=world.now(),
            confirmed_by_policy=policy,
        )  # fmt: skip
        plan, new = finish(draft, place)
        if world.store.add(new) is not None:
            log.info("plan=%s pending", plan.id)
            return plan
        if known := _by_key(world, requested_by, key, draft.origin, draft.steps):
            return known
    raise StoreBusy("no free id for a plan was found in the store")


def _by_key(
    world: World,
    requested_by: str,
    key: str | None,
    origin: Origin,
    steps: Sequence[PlannedStep[Any]] = (),
) -> ActionPlan | None:
    """Return the newest plan of the lineage that was proposed under this key."""
    if key is None:
        return None
    first = world.store.by_key(requested_by, key)
    if first is None:
        return None
    stored = readable(world, first)
    same = (stored.origin.kind, stored.origin.name, stored.origin.arguments)
    if same != (origin.kind, origin.name, origin.arguments) or not _same_hand(stored, steps):
        raise BadArguments(
            f"{requested_by} used the key {key!r} for something else: plan {stored.id}, "
            f"{stored.intent!r}",
            fix="Use one key for one planner with one set of arguments.",
        )
    return readable(world, world.store.newest(first.lineage))


def _same_hand(stored: ActionPlan, steps: Sequence[PlannedStep[Any]]) -> bool:
    """Compare steps given by hand; those of a planner follow from its arguments."""
    given = [(step.tool, step.arguments) for step in steps]
    return stored.origin.kind != "hand" or given == [(s.tool, s.arguments) for s in stored.steps]


def readable(world: World, record: PlanRecord) -> ActionPlan:
    """Return a stored plan.

    Raises:
        SealMismatch: Its bytes are not those that were sealed.
    """
    plan = world.plan_of(record)
    if plan is None:
        raise SealMismatch(f"the stored bytes of plan {record.id} differ from its seal")
    return plan


def _confirm_by_policy(world: World, plan: ActionPlan, policy: str) -> None:
    at = world.now()
    by = f"policy:{policy}"
    yes = Confirmation(plan=plan.id, seal=plan.seal, shown=shown_digest(plan), by=by, at=at)
    world.move(
        Move(
            plan=plan.id, expect=State.PENDING, expect_epoch=0, to=State.CONFIRMED, epoch=0,
            step=0, at=at, by=by, confirmation=yes, data={"seal": plan.seal},
        )
    )  # fmt: skip


class UnrelatedEvidence(UserWarning):
    """A plan made by hand rests on a record that none of its steps names."""


def warn_of_unrelated(draft: Draft, *, stacklevel: int = 4) -> None:
    """Warn where slot-41 was read and slot-42 is booked, as far as names can tell."""
    refs = {write.ref for step in draft.steps for write in step.writes}
    texts = {text for step in draft.steps for text in leaves(step.arguments)}
    for item in draft.evidence if draft.steps else ():
        key = item.ref.partition(":")[2]
        if item.ref not in refs and not any(key in text for text in texts):
            warnings.warn(
                f"the plan rests on {item.ref}, and no step names {key}: "
                "is it evidence for another record?",
                UnrelatedEvidence,
                stacklevel=stacklevel,
            )


def _refuse_steps(world: World, steps: Sequence[PlannedStep[Any]]) -> None:
    """Refuse steps by hand that no tool of this world could run."""
    _must_be_list(steps, "steps")
    for step in steps:
        if not isinstance(step, PlannedStep):
            raise DeclarationError(
                f"a {type(step).__name__} is not a step", fix="Make one: tool.step(...)."
            )
        if step.tool not in world.tools:
            raise NotRegistered(f"tool {step.tool} is not a tool of this Lastlook")
        if any(has_stand_in(wire) for wire in step.arguments.values()):
            raise DeclarationError(
                f"step {step.tool} takes the result of another step",
                fix="Write a planner: there, steps have numbers to refer to.",
            )
        world.tools[step.tool].open(step.arguments, ())


def _refuse_evidence(world: World, evidence: Sequence[Evidence[Any]]) -> None:
    """Refuse evidence by hand that could not be looked at again."""
    seen: set[str] = set()
    _must_be_list(evidence, "evidence")
    for item in evidence:
        if not getattr(item, "ref", ""):
            raise DeclarationError(
                "evidence that names no record of a source cannot be looked at again",
                fix="Read it through this Lastlook: look.read(ref, ...).",
            )
        opened(item)
        world.require_source(item)
        _refuse_without_salt(item)
        if (place := place_of(item)) in seen:
            raise DeclarationError(
                f"{item.ref} was read twice for one plan", where=item.ref,
                fix="Read it once, with all the fields that count.",
            )  # fmt: skip
        seen.add(place)


def _must_be_list(given: object, what: str) -> None:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise DeclarationError(f"{what} is no list", fix=f"Put it into one: {what}=[...].")


def _refuse_without_salt(item: Evidence[Any]) -> None:
    for field in item.fields:
        if field.is_secret:
            salt_of(field, item.ref, item.__dict__.get("salts", {}))
