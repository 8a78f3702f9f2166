"""Decisions on a plan as it stands, as plain functions: what is refused, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from lastlook.core.check import Change, CheckResult, Stale, Unresolvable
from lastlook.core.evidence import Cell
from lastlook.core.lifecycle import PlanRecord, State
from lastlook.core.outcome import (
    AlreadyUsed,
    Cancelled,
    Expired,
    InProgress,
    NotConfirmed,
    Parked,
    Rejected,
)
from lastlook.core.plan import ActionPlan
from lastlook.core.selectors import is_wildcard
from lastlook.core.visible import says_something, show
from lastlook.errors import NotAllowed

Verdict: TypeAlias = Literal["valid", "stale", "unresolvable"]
Refusal: TypeAlias = (
    AlreadyUsed | InProgress | NotConfirmed | Rejected | Cancelled | Parked | Expired
)

UNANSWERED: Final = "has no yes: nobody answered"
"""The reason of a `NotConfirmed` where a question was put and nobody answered it."""


def verdict(checks: Sequence[CheckResult]) -> Verdict:
    """Return what all checks together say; where both are there, Stale is the headline."""
    if any(isinstance(item, Stale) for item in checks):
        return "stale"
    if any(isinstance(item, Unresolvable) for item in checks):
        return "unresolvable"
    return "valid"


def refusal(record: PlanRecord, plan: ActionPlan) -> Refusal:
    """Return why a plan that is not confirmed can't be dispatched."""
    facts: dict[str, Any] = {"plan": plan, "at": record.state_at}
    match record.state:
        case State.PENDING:
            return NotConfirmed(reason="has no yes", **facts)
        case State.CLAIMED | State.EXECUTING:
            return InProgress(reason="is running now", owner=record.owner or "", **facts)
        case State.REJECTED:
            return Rejected(reason="was rejected", **facts)
        case State.CANCELLED:
            return Cancelled(reason="was cancelled", **facts)
        case State.EXPIRED:
            return Expired(reason="has expired", **facts)
        case State.PARKED:
            return Parked(reason="is parked: too many questions about one thing", **facts)
        case state:
            return AlreadyUsed(reason="was already used", state=state, **facts)


def standing(state: State) -> str:
    """Return how a plan stands, as it goes on in a sentence that begins *plan k7f3*."""
    return _STANDS[state]


_STANDS = {
    State.PENDING: "waits for a yes",
    State.CONFIRMED: "has its yes",
    State.CLAIMED: "is running",
    State.EXECUTING: "is running",
    State.PARKED: "is parked",
    State.EXECUTED: "has run",
    State.FAILED: "came to nothing",
    State.PARTIAL: "stopped halfway",
    State.COMPENSATED: "was undone",
    State.UNKNOWN: "began, and came to no known end",
    State.RESOLVED: "was settled by a person",
    State.BLOCKED_STALE: "was blocked",
    State.BLOCKED_UNRESOLVABLE: "was blocked",
    State.BLOCKED_TAMPERED: "was blocked",
    State.REJECTED: "was rejected",
    State.CANCELLED: "was cancelled",
    State.EXPIRED: "has expired",
}


def unread_plan(plan_id: str, at: datetime, *, requested_by: str = "agent:unknown") -> ActionPlan:
    """Return a plan that stands for one whose bytes are not to be had or not to be trusted."""
    return ActionPlan(
        id=plan_id, lineage=plan_id.partition(".")[0], root=plan_id,
        intent="(the stored plan cannot be read)", requested_by=requested_by, steps=(),
        created_at=at,
    )  # fmt: skip


def is_expired(plan: ActionPlan, now: Callable[[], datetime]) -> bool:
    """Tell whether a plan may not be dispatched any more, or was made in the future."""
    return plan.expires_at is not None and not plan.created_at <= now() < plan.expires_at


def principal(name: str, *, default: Literal["person", "agent"]) -> str:
    """Return a principal with its prefix: `ana` is `person:ana`.

    Raises:
        NotAllowed: Nobody is named.
    """
    if not isinstance(name, str):
        raise NotAllowed(f"{name!r} names nobody", fix='Say who, as in "ana".')
    prefix, _, rest = name.partition(":")
    kind = prefix.strip().lower()
    if kind not in {"agent", "person", "policy"} or ":" not in name:
        kind, rest = default, name
    if not says_something(rest):
        raise NotAllowed(f"{name!r} names nobody", fix='Say who, as in "ana".')
    return f"{kind}:{rest.strip()}"


def may_approve(plan: ActionPlan, by: str) -> None:
    """Refuse an approval by somebody who may not give it.

    Args:
        by: A principal with its prefix.

    Raises:
        NotAllowed: An agent or a policy approves by hand; the requester approves a plan
            for two people; or the plan lists approvers and this is none of them.
    """
    if not by.startswith("person:"):
        raise NotAllowed(f"{by} may not say yes: only a person may", fix='Say who, as in by="ana".')
    if plan.two_people and by.partition(":")[2] == plan.requested_by.partition(":")[2]:
        raise NotAllowed(f"{by} asked for plan {plan.id}, and it takes a second person to say yes")
    if plan.approvers and by not in plan.approvers:
        raise NotAllowed(
            f"{by} is not among the approvers of plan {plan.id}",
            fix=f"They are {', '.join(plan.approvers)}.",
        )


def yes_counts(plan: ActionPlan, by: str) -> bool:
    """Tell whether a stored yes was given by somebody who may give one for this plan."""
    if by.startswith("policy:"):
        return not plan.requires_confirmation
    try:
        may_approve(plan, by)
    except NotAllowed:
        return False
    return True


def may_confirm_by_policy(policies: Mapping[str, frozenset[str]], tools: Sequence[str]) -> str:
    """Return the first policy under which all of these tools stand, or an empty text."""
    for name, allowed in policies.items():
        if tools and allowed.issuperset(tools):
            return name
    return ""


def carried_value(plan: ActionPlan, checks: Sequence[CheckResult]) -> tuple[str, str] | None:
    """Find an argument given by hand that was taken from a value that has changed.

    A scalar leaf of an argument that equals a scalar leaf of a changed field's old
    value, and is not in the new one; true, false, null and the empty text aside.

    Returns:
        The argument's name with its value, and the field's selector; or None.
    """
    arguments = [item for step in plan.steps for item in step.arguments.items()]
    for selector, gone in _gone(checks):
        for name, wire in arguments:
            for text in sorted(leaves(wire) & gone):
                return f"{name} {text}", selector
    return None


def _gone(checks: Sequence[CheckResult]) -> Iterator[tuple[str, frozenset[str]]]:
    """Give each changed field with the scalar leaves that it held and holds no longer."""
    stales = [item for item in checks if isinstance(item, Stale)]
    for stale in stales:
        for change in () if stale.ref.startswith("tool:") else stale.changes:
            yield change.field, _held(change, change.before) - _held(change, change.after)


def _held(change: Change, cell: Cell) -> frozenset[str]:
    """Return the scalar leaves of what a field held; of a wildcard without the paths."""
    if cell[0] == "value" and is_wildcard(change.field):
        return leaves([value for _, value in cell[1]])
    return leaves(cell[1:])


def leaves(wire: Any) -> frozenset[str]:
    """Return the scalar leaves of a tree as they are spelled, trivial ones left out."""
    if isinstance(wire, dict) and not (len(wire) == 1 and _SCALAR_TAGS.issuperset(wire)):
        return frozenset().union(*(leaves(item) for item in wire.values()))
    if isinstance(wire, list | tuple):
        return frozenset().union(*(leaves(item) for item in wire))
    if wire is None or isinstance(wire, bool) or wire == "":
        return frozenset()
    return frozenset({show(wire)})


_SCALAR_TAGS = frozenset({"$int", "$decimal", "$datetime", "$date", "$bytes", "$uuid", "$float"})
