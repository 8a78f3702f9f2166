"""Every group of outcomes must be handled, and an outcome is not a truth value."""

from __future__ import annotations

from typing import assert_never

from lastlook import (
    ActionPlan,
    Blocked,
    BlockedStale,
    BlockedUnresolvable,
    DispatchOutcome,
    Executed,
    Refused,
    Stale,
    Unresolvable,
    Unsettled,
    Valid,
)
from lastlook.core.check import CheckResult


def by_group(outcome: DispatchOutcome) -> str:
    match outcome:
        case Executed(results=results):
            return str(results)
        case Blocked(why_no_fresh=why):
            return why
        case Refused(reason=reason):
            return reason
        case Unsettled(reason=reason):
            return reason
        case _:
            assert_never(outcome)


def with_leaves(outcome: DispatchOutcome) -> str:
    match outcome:
        case Executed():
            return "done"
        case BlockedStale(fresh=ActionPlan() as fresh):
            reveal_type(fresh)  # R: ActionPlan
            return fresh.id
        case BlockedUnresolvable() as blocked:
            return blocked.reason
        case Blocked():
            return "blocked"
        case Refused() | Unsettled():
            return "not now"
        case _:
            assert_never(outcome)


def one_is_missing(outcome: DispatchOutcome) -> str:
    match outcome:
        case Executed():
            return "done"
        case Blocked():
            return "blocked"
        case Refused():
            return "refused"
        case _:
            assert_never(outcome)  # E: arg-type


def results_of_checks(result: CheckResult) -> str:
    match result:
        case Valid():
            return "valid"
        case Stale(changed=changed):
            return ", ".join(changed)
        case Unresolvable(reason=reason):
            return reason
        case _:
            assert_never(result)


def attributes(outcome: DispatchOutcome) -> None:
    reveal_type(outcome.ok)  # R: bool
    reveal_type(outcome.plan)  # R: ActionPlan
    reveal_type(outcome.text())  # R: str
    outcome.unwrap()
    outcome.data()
    outcome.fresh  # E: union-attr
    outcome.succeeded  # E: union-attr
