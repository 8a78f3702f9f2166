"""What all outcomes have in common, and the two in which everything went well."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias

from msgspec import Struct

from lastlook.core.check import CheckResult, Stale
from lastlook.core.lifecycle import Confirmation
from lastlook.core.plan import ActionPlan
from lastlook.errors import NotRun

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


def changed_by_ref(checks: Iterable[CheckResult]) -> dict[str, tuple[str, ...]]:
    """Return by ref the selectors of the fields that changed; one query may be asked twice."""
    changed: dict[str, tuple[str, ...]] = {}
    for item in checks:
        if isinstance(item, Stale):
            both = changed.get(item.ref, ()) + item.changed
            changed[item.ref] = tuple(dict.fromkeys(both))
    return changed


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
        return changed_by_ref(self.checks)

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
            f"{type(self).__name__} is neither true nor false: "
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
