"""Plans and outcomes under their published names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NoReturn

from msgspec import Struct
from msgspec.structs import force_setattr

from lastlook.core import check, outcome
from lastlook.core.fieldtext import print_selector
from lastlook.core.visible import visible
from lastlook.errors import NotRegistered
from lastlook.published.evidence import EvidenceDependency, Stale, Unresolvable

_NONE: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})


class PlannedStep(Struct, frozen=True, kw_only=True):
    """One call: the name of a tool, and its arguments by name."""

    tool: str
    arguments: dict[str, Any] = {}


class ActionPlan(Struct, frozen=True, kw_only=True):
    """A plan as the articles have it.

    Attributes:
        action_id: The caller's own name for it, and the plan's id in the store.
        intent: What it is for, in words.
        steps: What will run, in order.
        evidence_dependencies: What it rests on, from `EvidenceStore.capture`.
        estimated_side_effects: In words, one text a step.
        requires_confirmation: Always True for a plan that is put together by hand: a
            plan does not free itself of the question.
    """

    action_id: str
    intent: str
    steps: Sequence[PlannedStep]
    evidence_dependencies: Sequence[EvidenceDependency]
    estimated_side_effects: Sequence[str] = ()
    requires_confirmation: bool = True

    def __post_init__(self) -> None:
        for name in ("steps", "evidence_dependencies", "estimated_side_effects"):
            force_setattr(self, name, tuple(getattr(self, name)))


class StalePlan(Struct, frozen=True, kw_only=True):
    """What is put before a person in place of the act.

    Attributes:
        reason: Which records changed in what, or could not be read.
        captured_at: When the oldest evidence that no longer holds was read (UTC).
        detected_at: When it was found to hold no longer (UTC).
    """

    reason: str
    captured_at: datetime | None
    detected_at: datetime

    @classmethod
    def of(cls, blocked: outcome.Blocked) -> StalePlan:
        """Return what to tell of a block, of this module or of the full API."""
        broken = [item for item in blocked.checks if not isinstance(item, check.Valid)]
        refs = {item.ref for item in broken}
        times = [e.captured_at for e in blocked.plan.evidence if e.ref in refs and e.captured_at]
        return cls(
            reason="; ".join(map(_reason, broken)) or "the stored plan is not what was sealed",
            captured_at=min(times, default=None),
            detected_at=blocked.at,
        )


def _reason(broken: check.Stale | check.Unresolvable) -> str:
    if isinstance(broken, check.Unresolvable):
        return visible(f"{broken.ref}: {broken.reason}")
    names = dict.fromkeys(map(print_selector, broken.changed))
    return visible(f"{broken.ref}: {', '.join(names)} changed")


class _Outcome(Struct, frozen=True, kw_only=True):
    action_id: str

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} is neither true nor false: match on it")


class Executed(_Outcome, frozen=True, kw_only=True):
    """Every step ran and returned.

    Attributes:
        results: What the steps returned, in order.
    """

    completed_at: datetime
    results: tuple[Any, ...] = ()


class Blocked(_Outcome, frozen=True, kw_only=True):
    """Nothing ran, and this plan never will.

    Attributes:
        stale_plan: What to put before the person.
        fresh: The plan to ask about instead, with the updated state; None where there is
            none, and `why_no_fresh` says why.
        full: The outcome of the full API, with every dependency and `text()`.
    """

    stale_plan: StalePlan
    fresh: ActionPlan | None = None
    why_no_fresh: str = ""
    full: outcome.Blocked


class BlockedStale(Blocked, frozen=True, kw_only=True):
    """At least one declared field changed.

    Attributes:
        stale_dependencies: Every dependency that changed.
        unresolvable_dependencies: Those that could not be read besides.
    """

    stale_dependencies: tuple[Stale, ...]
    unresolvable_dependencies: tuple[Unresolvable, ...] = ()


class BlockedUnresolvable(Blocked, frozen=True, kw_only=True):
    """Nothing is known to have changed, but something could not be read."""

    reason: str


class StepExecutor:
    """The functions that act.

    Args:
        tools: The functions by name.
        writes: By name, the records that a function writes, as for `look.tool`; without
            them a plan's second step is stopped by what its own first step wrote.
    """

    def __init__(
        self,
        tools: Mapping[str, Callable[..., Any]],
        *,
        writes: Mapping[str, Sequence[str]] = _NONE,
    ) -> None:
        self.tools = dict(tools)
        self.writes = dict(writes)

    def execute(self, step: PlannedStep) -> Any:
        """Run one step at once: no yes, no look. Called on its own, this is unprotected.

        Raises:
            NotRegistered: There is no such tool; otherwise whatever the function raises.
        """
        if step.tool not in self.tools:
            raise no_such_tool(step.tool, self.tools)
        return self.tools[step.tool](**step.arguments)


def no_such_tool(name: str, known: Iterable[str]) -> NotRegistered:
    """Return the error for a step whose tool nobody gave the executor."""
    return NotRegistered(
        f"there is no tool named {name}", fix=f"There are {', '.join(known) or 'none'}."
    )
