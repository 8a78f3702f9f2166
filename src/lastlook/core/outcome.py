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
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias

from msgspec import Struct

from lastlook.core.check import CheckResult, Stale, Unresolvable
from lastlook.core.lifecycle import Confirmation, State
from lastlook.core.plan import ActionPlan
from lastlook.errors import MayHaveRun, NotRun

Level: TypeAlias = Literal["attested", "checked", "compensated", "held", "conditional", "atomic"]


class Guarantee(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What held between the last look and the act, the weakest over all evidence.

    Attributes:
        level: `checked` means: read after the claim, compared, then acted, with a gap.
        against: Whom it held against; empty where nothing was locked.
        window: The gap between the start of the last look and the act, in seconds.
    """

    level: Level = "checked"
    against: Literal["", "cooperating", "everyone"] = ""
    window: float = 0.0


class Done(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step that has run.

    Attributes:
        result: What the tool returned.
        unsaid: Fields that the step declared to write without saying what it wrote;
            later looks left them out.
    """

    step: int
    tool: str
    result: Any = None
    unsaid: tuple[str, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """The common part of all outcomes.

    Attributes:
        plan: The plan it is about.
        checks: The result of every dependency that was looked at, in order.
    """

    plan: ActionPlan
    checks: tuple[CheckResult, ...] = ()

    name: ClassVar[str] = ""
    exit_code: ClassVar[int] = 1

    @property
    def ok(self) -> bool:
        """Whether everything ran (or, after `confirm`, whether the yes counts)."""
        return False

    @property
    def action_id(self) -> str:
        """The plan's id, under its published name."""
        return self.plan.id

    @property
    def changed(self) -> dict[str, tuple[str, ...]]:
        """By ref, the selectors of the fields that changed."""
        return {item.ref: item.changed for item in self.checks if isinstance(item, Stale)}

    def text(self) -> str:
        """Return what a person is told, as plain text of 80 columns."""
        from lastlook.core.screens import outcome_screen

        return outcome_screen(self).plain()

    def data(self) -> dict[str, Any]:
        """Return the same as JSON data, with one sentence for a model in `tell`."""
        from lastlook.core.telling import outcome_data

        return outcome_data(self)

    def unwrap(self) -> tuple[Any, ...]:
        """Return the results of the steps.

        Raises:
            NotRun: Nothing ran now.
            MayHaveRun: Something may have run.
        """
        raise NotRun(self.text(), outcome=self)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} is neither true nor false: "
            "use .ok, match on it, or call .unwrap()"
        )


class Executed(Outcome, frozen=True, kw_only=True):
    """Every step ran and returned.

    Attributes:
        results: What the steps returned, in order.
        completed_at: When the last step had returned (UTC).
        guarantee: What held between the last look and the act.
        done: The steps, with what each left unsaid.
    """

    results: tuple[Any, ...]
    completed_at: datetime
    guarantee: Guarantee = Guarantee()
    done: tuple[Done, ...] = ()

    name: ClassVar[str] = "executed"
    exit_code: ClassVar[int] = 0

    @property
    def ok(self) -> bool:
        """True: everything ran."""
        return True

    def unwrap(self) -> tuple[Any, ...]:
        """Return the results of the steps."""
        return self.results


class Confirmed(Outcome, frozen=True, kw_only=True):
    """The yes counts: the evidence was read and held, and the plan may be dispatched."""

    confirmation: Confirmation

    name: ClassVar[str] = "confirmed"
    exit_code: ClassVar[int] = 0

    @property
    def ok(self) -> bool:
        """True: the yes counts. Nothing has run yet."""
        return True


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
