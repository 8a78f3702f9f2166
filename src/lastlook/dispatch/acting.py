"""Acting: from the durable intent to the recorded end, step by step."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from lastlook.core.check import CheckResult, Valid
from lastlook.core.deciding import verdict
from lastlook.core.decimals import EXACT
from lastlook.core.evidence import Evidence
from lastlook.core.lifecycle import Look, Move, PlanRecord, State
from lastlook.core.outcome import (
    DispatchOutcome,
    Done,
    Executed,
    Failed,
    Guarantee,
    Partial,
    Unknown,
)
from lastlook.core.plan import ActionPlan, PlannedStep
from lastlook.core.rebasing import Rebased, rebase, said_of_declared
from lastlook.core.view import View
from lastlook.core.visible import visible
from lastlook.dispatch.world import World
from lastlook.errors import LastlookError, StoreError
from lastlook.planning.processes import CommandError, CommandFailed, CommandNotStarted
from lastlook.planning.tools import Act

log = logging.getLogger("lastlook")


class Acting:
    """The steps of one plan, from the intent on.

    Args:
        record: The plan in EXECUTING(1), the yes burned.
        checks: The check that allowed it.
        began: When that look began, on the monotonic clock (seconds).
    """

    def __init__(
        self,
        world: World,
        record: PlanRecord,
        plan: ActionPlan,
        checks: tuple[CheckResult, ...],
        began: float,
    ) -> None:
        self._world = world
        self._record = record
        self._plan = plan
        self._checks = checks
        self._began = began
        self._window = 0.0
        self._done: list[Done] = []
        self._looked: Sequence[Evidence[Any]] = plan.evidence
        self._rebased = Rebased(plan.evidence, record.salts)
        self._step = plan.steps[0]
        self._called = False

    def run(self) -> DispatchOutcome:
        """Act step by step, and record what came of it, whatever comes in between."""
        try:
            return self._all_steps()
        except BaseException as error:
            stopped = self._broken_off(error)
            if isinstance(error, Exception):
                return stopped
            raise

    def _all_steps(self) -> DispatchOutcome:
        for step in self._plan.steps:
            self._step, self._called = step, False
            stopped = self._look_again(step) if step.number > 1 else None
            stopped = stopped if stopped is not None else self._act(step)
            if stopped is not None:
                return stopped
        return self._finish()

    def _broken_off(self, error: BaseException) -> DispatchOutcome:
        """Record an end that no tool spoke of: what began is unknown, the rest is not."""
        if self._called:
            return self._unknown(self._step, f"it was broken off: {words_of(error)}")
        return self._not_applied(self._step, f"it never began: {words_of(error)}")

    def _look_again(self, step: PlannedStep[Any]) -> DispatchOutcome | None:
        """Before a later step: its evidence again, less what this plan wrote itself."""
        self._began = self._world.clock.monotonic()
        evidence = rebase(self._plan.evidence_of(step), self._rebased)
        try:
            checks = self._world.look(evidence, self._record.salts)
        except Exception as error:  # noqa: BLE001  # whatever fails in a look stops the plan
            self._world.failed(self._plan.id, "the look", error)
            return self._partial(step, f"the look itself failed: {type(error).__name__}", ())
        if verdict(checks) != "valid":
            return self._partial(step, "what it rests on no longer holds", checks)
        self._checks, self._looked = checks, evidence
        return self._begin(step, checks)

    def _begin(
        self, step: PlannedStep[Any], checks: tuple[CheckResult, ...]
    ) -> DispatchOutcome | None:
        at = self._world.now()
        seen = [[item.ref, list(getattr(item, "cells", ()))] for item in checks]
        look = Look(moment=f"before_step_{step.number}", at=at, seen=seen)
        try:
            moved = self._move(State.EXECUTING, step=step.number, look=look)
        except StoreError as error:
            reason = f"the store could not be written: {error}"
            return self._unrecorded(
                State.PARTIAL, self._stop(Partial, step, reason, checks), reason
            )
        if moved is None:
            return self._stop(Partial, step, "the plan was taken over by somebody else", checks)
        self._record = moved
        return None

    def _act(self, step: PlannedStep[Any]) -> DispatchOutcome | None:
        tool = self._world.tool(self._plan.tool(step.tool))
        act = Act(key=step.key, plan=self._plan.id, look=self._checked)
        arguments = tool.open(step.arguments, [item.result for item in self._done])
        self._window = max(self._window, self._world.clock.monotonic() - self._began)
        self._called = True
        try:
            result = tool.act(act, arguments)
        except Exception as error:  # noqa: BLE001  # whatever a tool raises
            if tool.promises_nothing_applied(error):
                return self._not_applied(step, _promised(tool.name, error))
            return self._unknown(step, _raised(tool.name, error))
        unsaid: tuple[str, ...] = ()
        if step.number < len(self._plan.steps):
            unsaid = self._rebased.add(step.writes, said_of_declared(step.writes, act.written))
        self._done.append(Done(step=step.number, tool=step.tool, result=result, unsaid=unsaid))
        return None

    def _checked(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what was checked right before, by ref; the values, not those captured."""
        return {
            item.ref: View(item.ref, item.fields, check.cells)
            for item, check in zip(self._looked, self._checks, strict=True)
            if item.kind == "record" and isinstance(check, Valid)
        }

    def _finish(self) -> DispatchOutcome:
        at = self._world.now()
        outcome = Executed(
            plan=self._plan,
            checks=self._checks,
            results=tuple(item.result for item in self._done),
            completed_at=at,
            guarantee=Guarantee(window=self._window),
            done=tuple(self._done),
        )
        return self._record_end(State.EXECUTED, outcome)

    def _not_applied(self, step: PlannedStep[Any], reason: str) -> DispatchOutcome:
        if self._done:
            return self._partial(step, reason, self._checks)
        return self._record_end(State.FAILED, self._stop(Failed, step, reason, self._checks))

    def _partial(
        self, step: PlannedStep[Any], reason: str, checks: tuple[CheckResult, ...]
    ) -> DispatchOutcome:
        return self._record_end(State.PARTIAL, self._stop(Partial, step, reason, checks))

    def _unknown(self, step: PlannedStep[Any], reason: str) -> DispatchOutcome:
        return self._record_end(State.UNKNOWN, self._stop(Unknown, step, reason, self._checks))

    def _stop(
        self,
        kind: type[Failed | Partial | Unknown],
        step: PlannedStep[Any],
        reason: str,
        checks: tuple[CheckResult, ...],
    ) -> Failed | Partial | Unknown:
        yes = self._record.confirmation
        return kind(
            plan=self._plan,
            checks=checks,
            done=tuple(self._done),
            step=step.number,
            not_done=tuple(s.number for s in self._plan.steps if s.number > step.number),
            reason=reason,
            at=self._world.now(),
            confirmed_at=yes.at if yes else None,
        )

    def _record_end(
        self, state: State, outcome: Executed | Failed | Partial | Unknown
    ) -> DispatchOutcome:
        try:
            moved = self._move(state, step=self._record.step, outcome=_summary(outcome))
        except StoreError as error:
            reason = f"it could not be recorded: {error}"
            return self._unrecorded(state, outcome, reason)
        if moved is None:
            return self._unrecorded(state, outcome, "the plan was taken over by somebody else")
        return outcome

    def _unrecorded(
        self, state: State, outcome: Executed | Failed | Partial | Unknown, why: str
    ) -> DispatchOutcome:
        """What happened is known here and not in the store; that is not *executed*."""
        log.error("plan=%s came to %s, and %s", self._plan.id, state, visible(why))
        step = self._plan.steps[max(len(self._done), 1) - 1]
        reason = f"it came to {state} here, but {why}"
        return self._stop(Unknown, step, reason, outcome.checks)

    def _move(
        self, to: State, *, step: int, look: Look | None = None, outcome: bytes | None = None
    ) -> PlanRecord | None:
        return self._world.move(
            Move(
                plan=self._record.id,
                expect=State.EXECUTING,
                expect_epoch=self._record.epoch,
                to=to,
                epoch=self._record.epoch,
                step=step,
                at=self._world.now(),
                by="lastlook",
                owner=self._record.owner if to is State.EXECUTING else None,
                look=look,
                outcome=outcome,
            )
        )


def _promised(tool: str, error: Exception) -> str:
    """Return what a tool says that promises that nothing was done."""
    if isinstance(error, CommandNotStarted):
        return words_of(error)
    if isinstance(error, CommandFailed):
        return f"{words_of(error)}, which promises that nothing was done"
    return f"{tool} says nothing was done: {words_of(error)}"


def _raised(tool: str, error: Exception) -> str:
    """Return how a tool failed: a command in its own words, others with the error's type."""
    if isinstance(error, CommandError):
        return words_of(error)
    kind = f"{type(error).__name__}: " if isinstance(error, LastlookError) else ""
    return f"{tool} raised {kind}{words_of(error)}"


def words_of(error: BaseException) -> str:
    """Return what an error says, as it says it; its type where it says nothing."""
    try:
        words = str(error)[:500].encode(errors="backslashreplace").decode()
    except Exception:  # noqa: BLE001  # an error that cannot be printed is still an error
        words = ""
    if isinstance(error, LastlookError) and words:
        return words
    return f"{type(error).__name__}: {words}".rstrip(": ")


def _summary(outcome: Executed | Failed | Partial | Unknown) -> bytes:
    if isinstance(outcome, Executed) and all(_is_plain(item) for item in outcome.results):
        short = {"outcome": outcome.name, "results": list(outcome.results)}
        return msgspec.json.encode(short)
    return msgspec.json.encode(outcome.data())


def _is_plain(value: object) -> bool:
    if type(value) is str:
        return value.isascii()
    return value is None or type(value) is bool or (type(value) is int and abs(value) <= EXACT)
