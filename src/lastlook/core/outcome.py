"""What a dispatch came to: a closed union, in four groups.

```
Executed       everything ran
Blocked        nothing ran: BlockedStale, BlockedUnresolvable, BlockedTampered
Refused        nothing ran now: AlreadyUsed, InProgress, NotConfirmed, Rejected,
               Cancelled, Parked, Expired, StoreUnavailable
Unsettled      something may have run: Partial, Compensated, Unknown, Failed
```

Match on the groups, or on the leaves for those who care. An outcome is not a boolean:
`bool()` of it raises, so that `if look.dispatch(plan):` can't pass by accident.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, TypeAlias

from lastlook.core.check import Stale, Unresolvable
from lastlook.core.lifecycle import State
from lastlook.core.outcome_base import Confirmed, Done, Executed, Guarantee, Outcome
from lastlook.core.plan import ActionPlan
from lastlook.errors import MayHaveRun

__all__ = [
    "AlreadyUsed",
    "Blocked",
    "BlockedStale",
    "BlockedTampered",
    "BlockedUnresolvable",
    "Cancelled",
    "Compensated",
    "ConfirmOutcome",
    "Confirmed",
    "DispatchOutcome",
    "Done",
    "Executed",
    "Expired",
    "Failed",
    "Guarantee",
    "InProgress",
    "NotConfirmed",
    "Outcome",
    "Parked",
    "Partial",
    "Refused",
    "Rejected",
    "StoreUnavailable",
    "Unknown",
    "Unsettled",
]


class Blocked(Outcome, frozen=True, kw_only=True):
    """Nothing ran, and this plan never will.

    Attributes:
        at: When it was looked at (UTC).
        confirmed_at: When the yes was given, or None.
        fresh: The fresh plan to ask about, or None.
        why_no_fresh: Why there is none; empty where there is one.
    """

    at: datetime
    confirmed_at: datetime | None = None
    fresh: ActionPlan | None = None
    why_no_fresh: str = ""


class BlockedStale(Blocked, frozen=True, kw_only=True):
    """At least one declared field changed."""

    name: ClassVar[str] = "blocked_stale"
    exit_code: ClassVar[int] = 3

    @property
    def stale(self) -> tuple[Stale, ...]:
        """The dependencies that changed."""
        return tuple(item for item in self.checks if isinstance(item, Stale))


class BlockedUnresolvable(Blocked, frozen=True, kw_only=True):
    """Nothing is known to have changed, but something could not be read."""

    name: ClassVar[str] = "blocked_unresolvable"
    exit_code: ClassVar[int] = 4

    @property
    def unresolvable(self) -> tuple[Unresolvable, ...]:
        """The dependencies that could not be read."""
        return tuple(item for item in self.checks if isinstance(item, Unresolvable))

    @property
    def reason(self) -> str:
        """Why, in one line: each ref and what its source said."""
        return "; ".join(f"{item.ref}: {item.reason}" for item in self.unresolvable)


class BlockedTampered(Blocked, frozen=True, kw_only=True):
    """The stored bytes are not those that were sealed.

    `plan` is what the sealed record still tells: its id and what could be read.
    """

    reason: str = "the stored plan differs from its seal"

    name: ClassVar[str] = "blocked_tampered"
    exit_code: ClassVar[int] = 5


class Refused(Outcome, frozen=True, kw_only=True):
    """Nothing ran now; the plan stands as it stood.

    Attributes:
        reason: One sentence.
        at: Since when the plan stands as it does (UTC), or None.
    """

    reason: str = ""
    at: datetime | None = None

    exit_code: ClassVar[int] = 5


class AlreadyUsed(Refused, frozen=True, kw_only=True):
    """The yes was used up before; `state` says what became of the plan."""

    state: State

    name: ClassVar[str] = "already_used"


class InProgress(Refused, frozen=True, kw_only=True):
    """Another dispatch has it right now; `owner` says where."""

    owner: str = ""

    name: ClassVar[str] = "in_progress"


class NotConfirmed(Refused, frozen=True, kw_only=True):
    """There is no yes. The plan stays as it was and may still get one."""

    name: ClassVar[str] = "not_confirmed"


class Rejected(Refused, frozen=True, kw_only=True):
    """A person said no."""

    by: str = ""
    why: str = ""

    name: ClassVar[str] = "rejected"


class Cancelled(Refused, frozen=True, kw_only=True):
    """The plan was withdrawn."""

    name: ClassVar[str] = "cancelled"


class Parked(Refused, frozen=True, kw_only=True):
    """Too many fresh questions for one thing: shown, and not confirmable."""

    name: ClassVar[str] = "parked"


class Expired(Refused, frozen=True, kw_only=True):
    """The plan was only good for a time, and that has passed."""

    name: ClassVar[str] = "expired"


class StoreUnavailable(Refused, frozen=True, kw_only=True):
    """The store could not be written, so nothing was begun."""

    name: ClassVar[str] = "store_unavailable"


class Unsettled(Outcome, frozen=True, kw_only=True):
    """Something may have run; look before doing it again.

    Attributes:
        done: The steps that ran.
        step: The step that did not come to an end, from 1.
        not_done: The steps that did not begin.
        reason: One sentence.
        at: When (UTC).
        confirmed_at: When the yes was given.
    """

    done: tuple[Done, ...] = ()
    step: int = 1
    not_done: tuple[int, ...] = ()
    reason: str = ""
    at: datetime
    confirmed_at: datetime | None = None

    exit_code: ClassVar[int] = 6

    @property
    def key(self) -> str:
        """The idempotency key of the step in question."""
        return self.plan.steps[self.step - 1].key

    def unwrap(self) -> tuple[Any, ...]:
        """Raise `MayHaveRun`: there is no full result."""
        raise MayHaveRun(self.text(), outcome=self)


class Partial(Unsettled, frozen=True, kw_only=True):
    """Some steps ran, then the rest was stopped; step `step` did not run."""

    name: ClassVar[str] = "partial"


class Compensated(Unsettled, frozen=True, kw_only=True):
    """What had run was undone again."""

    name: ClassVar[str] = "compensated"


class Unknown(Unsettled, frozen=True, kw_only=True):
    """Step `step` began, and whether it took effect is not known."""

    name: ClassVar[str] = "unknown"


class Failed(Unsettled, frozen=True, kw_only=True):
    """The first step promises that nothing was applied, or never began."""

    name: ClassVar[str] = "failed"
    exit_code: ClassVar[int] = 7


DispatchOutcome: TypeAlias = (
    Executed
    | BlockedStale
    | BlockedUnresolvable
    | BlockedTampered
    | AlreadyUsed
    | InProgress
    | NotConfirmed
    | Rejected
    | Cancelled
    | Parked
    | Expired
    | StoreUnavailable
    | Partial
    | Compensated
    | Unknown
    | Failed
)
"""What `dispatch` returns; `match` over the four groups or over the leaves."""

ConfirmOutcome: TypeAlias = (
    Confirmed
    | BlockedStale
    | BlockedUnresolvable
    | BlockedTampered
    | AlreadyUsed
    | InProgress
    | NotConfirmed
    | Rejected
    | Cancelled
    | Parked
    | Expired
    | StoreUnavailable
)
"""What `confirm` returns."""
