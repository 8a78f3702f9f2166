"""The published dispatcher, over the store, seal, journal and single use of the full API."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from msgspec import to_builtins
from msgspec.structs import replace

from lastlook.app import Lastlook
from lastlook.core import outcome, plan
from lastlook.core.canonical import encode
from lastlook.core.deciding import principal
from lastlook.core.stand_ins import open_argument
from lastlook.dispatch.proposing import draft_by_hand, warn_of_unrelated
from lastlook.errors import DeclarationError, SealMismatch, UnknownPlan
from lastlook.planning.drafts import Draft, Place, finish, planned, with_tools
from lastlook.planning.tools import Tool
from lastlook.published.evidence import (
    EvidenceDependency,
    PreDispatchValidator,
    Stale,
    Unresolvable,
    published_result,
)
from lastlook.published.plans import (
    ActionPlan,
    BlockedStale,
    BlockedUnresolvable,
    Executed,
    PlannedStep,
    StalePlan,
    StepExecutor,
    no_such_tool,
)

if TYPE_CHECKING:
    from os import PathLike

    from lastlook.core.lifecycle import PlanRecord
    from lastlook.core.ports import Clock, Store

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ActionDispatcher:
    """Confirms and dispatches plans, each at most once.

    Plans are stored and sealed when they are first named here, and every transition is
    journalled: `look` is the full API over the same plans.

    Args:
        validator: Whose evidence store is read.
        executor: Who runs the steps.
        store: Where plans are kept, as for `Lastlook`. In memory by default: then a yes
            does not survive the process.
        clock: Where the time comes from; the evidence store's by default.
        requested_by: Who asks; without a prefix it is an `agent:`.
        on_fresh: Called after a block with the plan to ask about instead, and what was
            stale. It puts the question to a person; the old plan is dead by then.
    """

    def __init__(
        self,
        validator: PreDispatchValidator,
        executor: StepExecutor,
        *,
        store: str | PathLike[str] | Store = "memory",
        clock: Clock | None = None,
        requested_by: str = "agent:program",
        on_fresh: Callable[[ActionPlan, StalePlan], object] | None = None,
    ) -> None:
        evidence = validator.evidence_store
        self.look = Lastlook(sources=evidence.sources, store=store, clock=clock or evidence.clock)
        self._executor = executor
        self._requested_by = principal(requested_by, default="agent")
        self._on_fresh = on_fresh
        self._tools = {name: self._tool(name) for name in executor.tools}

    def confirm(
        self, action_plan: ActionPlan, /, *, by: str
    ) -> outcome.Confirmed | BlockedStale | BlockedUnresolvable:
        """Take a person's yes to this plan. Reads first: the first checkpoint.

        Raises:
            NotRun: The yes does not count; `.outcome` says why.
            NotAllowed: `by` is no person.
            SealMismatch: Another plan has this action id.
        """
        record = self._stored(action_plan)
        answer = self.look.confirm(record.id, seal=record.seal, by=by)
        if isinstance(answer, outcome.Confirmed):
            return answer
        return self._blocked(answer)

    def reject(self, action_plan: ActionPlan, /, *, by: str, why: str = "") -> None:
        """Take a person's no: the plan will never run. Raises `WrongState` when too late."""
        self.look.reject(self._stored(action_plan).id, by=by, why=why)

    def dispatch(self, action_plan: ActionPlan, /) -> Executed | BlockedStale | BlockedUnresolvable:
        """Look again, and run the plan or block it: the second checkpoint.

        The published design has three outcomes. What it has no word for raises: a plan
        without a yes, one that was used before, a tool that failed halfway.

        Raises:
            NotRun: Nothing ran now; `.outcome` says why.
            MayHaveRun: Something may have run; `.outcome` says what is known.
            SealMismatch: Another plan has this action id.
        """
        came = self.look.dispatch(self._stored(action_plan).id)
        if isinstance(came, outcome.Executed):
            return Executed(
                action_id=came.plan.id, completed_at=came.completed_at, results=came.results
            )
        return self._blocked(came)

    def _tool(self, name: str) -> Tool[..., Any]:
        function = self._executor.tools[name]

        @wraps(function)
        def run(**arguments: Any) -> Any:
            return self._executor.execute(PlannedStep(tool=name, arguments=arguments))

        tool: Tool[..., Any] = self.look.tool(
            writes=self._executor.writes.get(name, ()), name=name
        )(run)
        if tool.takes_act:
            raise DeclarationError(
                f"tool {name} takes an Act, which the published executor does not have",
                fix="Use look.tool and look.dispatch.",
            )
        return tool

    def _stored(self, given: ActionPlan) -> PlanRecord:
        """Return the stored plan of this action id; store it where there is none yet."""
        if not given.requires_confirmation:
            raise DeclarationError(
                "a plan that is put together by hand does not free itself of the question",
                fix="Let the application say so: Lastlook(confirms={...}), with a planner.",
            )
        steps = [self._planned(step, number) for number, step in enumerate(given.steps, start=1)]
        effects = _effects(with_tools(steps, self._tools)["effects"], given.estimated_side_effects)
        evidence = tuple(item.evidence for item in given.evidence_dependencies)
        record = self._record(given.action_id)
        if record is None:
            draft = draft_by_hand(self.look.world, given.intent, steps, evidence=evidence)
            record = self._add(given.action_id, replace(draft, effects=effects))
        stored = self.look.world.plan_of(record)  # None if it was tampered with: the verbs say so
        if stored is not None and _essence(
            stored.intent, stored.steps, stored.estimated_side_effects, stored.evidence
        ) != _essence(given.intent, steps, effects, evidence):
            raise SealMismatch(
                f"another plan has the action id {given.action_id}",
                fix="Give each plan an id of its own.",
            )
        return record

    def _record(self, action_id: str) -> PlanRecord | None:
        try:
            return self.look.world.store.get(action_id)
        except UnknownPlan:
            return None

    def _add(self, action_id: str, draft: Draft) -> PlanRecord:
        _, new = finish(draft, self._place(action_id))
        warn_of_unrelated(draft, stacklevel=5)
        store = self.look.world.store
        return store.add(new) or store.get(action_id)

    def _place(self, action_id: str) -> Place:
        if not _ID.fullmatch(action_id):
            raise DeclarationError(
                f"{action_id!r} cannot be an action id",
                fix="Use up to 64 letters, digits, _ and -.",
            )
        return Place(
            id=action_id,
            lineage=action_id,
            requested_by=self._requested_by,
            at=self.look.world.now(),
        )

    def _planned(self, step: PlannedStep, number: int) -> plan.PlannedStep[Any]:
        tool = self._tools.get(step.tool)
        if tool is None:
            raise no_such_tool(step.tool, self._tools)
        return planned(tool, tool.shape.seal_named(step.arguments), number)

    def _blocked(self, came: Any) -> BlockedStale | BlockedUnresolvable:
        """Return a block under its published names; raise what the design has no word for."""
        if not isinstance(came, outcome.BlockedStale | outcome.BlockedUnresolvable):
            came.unwrap()
        results = [published_result(item) for item in came.checks]
        unread = tuple(item for item in results if isinstance(item, Unresolvable))
        fresh = None if came.fresh is None else published_plan(came.fresh)
        about: dict[str, Any] = {
            "action_id": came.plan.id,
            "stale_plan": StalePlan.of(came),
            "fresh": fresh,
            "why_no_fresh": came.why_no_fresh,
            "full": came,
        }
        if fresh is not None and self._on_fresh is not None:
            self._on_fresh(fresh, about["stale_plan"])
        if isinstance(came, outcome.BlockedUnresolvable):
            return BlockedUnresolvable(reason=came.reason, **about)
        return BlockedStale(
            stale_dependencies=tuple(item for item in results if isinstance(item, Stale)),
            unresolvable_dependencies=unread,
            **about,
        )


def published_plan(made: plan.ActionPlan) -> ActionPlan:
    """Return a stored plan under its published names."""
    return ActionPlan(
        action_id=made.id,
        intent=made.intent,
        steps=[
            PlannedStep(
                tool=step.tool,
                arguments={name: open_argument(wire) for name, wire in step.arguments.items()},
            )
            for step in made.steps
        ],
        evidence_dependencies=[EvidenceDependency(item) for item in made.evidence],
        estimated_side_effects=[effect.text for effect in made.estimated_side_effects],
        requires_confirmation=made.requires_confirmation,
    )


def _effects(effects: tuple[plan.SideEffect, ...], texts: Any) -> tuple[plan.SideEffect, ...]:
    """Return the effects in the plan's own words: one text a step, what is over to the last."""
    given = [*texts[: len(effects) - 1], "; ".join(texts[len(effects) - 1 :])]
    pairs = zip(effects, [*given, *[""] * len(effects)], strict=False)
    return tuple(replace(effect, text=text or effect.text) for effect, text in pairs)


def _essence(intent: str, steps: Any, effects: Any, evidence: Any) -> bytes:
    """Return what a person is shown of a plan, to tell one plan from another."""
    calls = [[step.tool, step.arguments] for step in steps]
    return encode([intent, calls, to_builtins(effects), to_builtins(evidence)])
