"""The async face: the same verbs, awaited, each on a worker thread.

Cancelling an awaited verb does not stop what has begun: the verb goes on in its thread,
records what came of it, and the store then tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from lastlook.app import Lastlook
    from lastlook.core.check import CheckResult
    from lastlook.core.evidence import Evidence
    from lastlook.core.lifecycle import State
    from lastlook.core.outcome import ConfirmOutcome, DispatchOutcome
    from lastlook.core.plan import ActionPlan
    from lastlook.planning.planner import Planner

P = ParamSpec("P")
T = TypeVar("T")


class AsyncLastlook:
    """`Lastlook` for async programs; `look.aio` makes it.

    Args:
        look: The object whose verbs are awaited.
    """

    def __init__(self, look: Lastlook) -> None:
        self._look = look

    async def propose(
        self, planner: Planner[P], /, *args: P.args, **kwargs: P.kwargs
    ) -> ActionPlan:
        """Run a planner and store its plan. Raises as `planner.propose`."""
        return await _on_thread(lambda: planner.propose(*args, **kwargs))

    async def confirm(
        self, plan: ActionPlan | str, /, *, by: str, seal: str = ""
    ) -> ConfirmOutcome:
        """Take a person's yes. Raises as `Lastlook.confirm`."""
        look = self._look
        if isinstance(plan, str):
            return await _on_thread(lambda: look.confirm(plan, seal=seal, by=by))
        return await _on_thread(lambda: look.confirm(plan, by=by))

    async def reject(self, plan: ActionPlan | str, /, *, by: str, why: str = "") -> None:
        """Take a person's no. Raises as `Lastlook.reject`."""
        await _on_thread(lambda: self._look.reject(plan, by=by, why=why))

    async def cancel(self, plan: ActionPlan | str, /, *, by: str = "agent:program") -> None:
        """Withdraw a plan. Raises as `Lastlook.cancel`."""
        await _on_thread(lambda: self._look.cancel(plan, by=by))

    async def dispatch(self, plan: ActionPlan | str, /) -> DispatchOutcome:
        """Look again, and run the plan or block it. Raises as `Lastlook.dispatch`."""
        return await _on_thread(lambda: self._look.dispatch(plan))

    async def check(self, plan: ActionPlan | str, /) -> tuple[CheckResult, ...]:
        """Look at a plan's evidence now; it counts for nothing."""
        return await _on_thread(lambda: self._look.check(plan))

    async def recheck(self, evidence: Iterable[Evidence[Any]], /) -> tuple[CheckResult, ...]:
        """Read again what evidence names, and compare. Raises as `Lastlook.recheck`."""
        return await _on_thread(lambda: self._look.recheck(evidence))

    async def renew(self, plan: ActionPlan | str, /) -> ActionPlan:
        """Return the fresh plan of a blocked one. Raises as `Lastlook.renew`."""
        return await _on_thread(lambda: self._look.renew(plan))

    async def get(self, plan_id: str, /) -> tuple[ActionPlan, State]:
        """Return a stored plan and where it stands."""
        return await _on_thread(lambda: self._look.get(plan_id))

    async def pending(self) -> tuple[ActionPlan, ...]:
        """Return the plans that wait for a person, oldest first."""
        return await _on_thread(self._look.pending)


async def _on_thread(verb: Callable[[], T]) -> T:
    return await asyncio.shield(asyncio.to_thread(verb))
