"""Questioning the journal: which fields blocked, and what came of the questions after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from lastlook.core.asked import Asked, CameTo, Questions, came_to, count_up, made_by
from lastlook.core.lifecycle import PlanRecord, State
from lastlook.core.screens.fields import field_of
from lastlook.core.screens.lists import plan_in
from lastlook.core.sparing import Moved

if TYPE_CHECKING:
    from lastlook.core.evidence import Cell, Evidence
    from lastlook.core.plan import ActionPlan
    from lastlook.core.ports import Store

_OPEN: Final = {State.PENDING, State.PARKED}


def questions(store: Store, blocked: Sequence[PlanRecord] | None = None) -> Questions:
    """Count by field what came of the blocks in a store.

    It goes by the journal's names, the plans' bodies, and what was kept of the looks. What
    was pruned or tampered with is counted as unread.

    Args:
        blocked: The plans to look at; all by default. Those that were not blocked because
            evidence had changed are passed over.
    """
    every = store.plans()
    fresh = {plan.follows: plan for plan in every if plan.follows is not None}
    rows = {row.plan: row.data for row in store.rows() if row.state is State.BLOCKED_STALE}
    return count_up(
        list(_fields(store, record, fresh.get(record.id), rows.get(record.id)))
        for record in (every if blocked is None else blocked)
        if record.state is State.BLOCKED_STALE
    )


def _fields(
    store: Store, record: PlanRecord, after: PlanRecord | None, data: Any
) -> Iterator[Asked]:
    """Give each field that the journal says has blocked a plan."""
    plan = _plan(record)
    fresh = None if after is None else _plan(after)
    end = _end(plan, after, fresh)
    looked = _looked(store, record.id)
    for ref, selectors in _by_ref(data):
        item = None if plan is None else _evidence(plan, ref)
        for selector in selectors:
            yield Asked(
                planner=made_by(plan),
                source=ref.partition(":")[0],
                selector=selector,
                kind="record" if item is None else item.kind,
                field=field_of(item, selector),
                moved=Moved(
                    before=_cell(item, selector, None),
                    after=_cell(item, selector, looked.get(ref))
                    if ref in looked
                    else _cell(None if fresh is None else _evidence(fresh, ref), selector, None),
                    arguments={} if plan is None else _arguments(plan),
                ),
                came_to=end,
            )


def _plan(record: PlanRecord) -> ActionPlan | None:
    return plan_in(record) if record.body else None


def _end(plan: ActionPlan | None, after: PlanRecord | None, fresh: ActionPlan | None) -> CameTo:
    if after is None:
        return "unread" if plan is None else "no"
    if after.state in _OPEN:
        return "open"
    return came_to(plan, fresh, confirmed=after.confirmation is not None)


def _by_ref(data: Any) -> Iterator[tuple[str, list[str]]]:
    """Give refs and selectors of a journal row; a changed tool is no field."""
    changed = data.get("changed") if isinstance(data, Mapping) else None
    for ref, selectors in changed.items() if isinstance(changed, Mapping) else ():
        if not ref.startswith("tool:") and isinstance(selectors, list):
            yield ref, [str(each) for each in selectors]


def _looked(store: Store, plan_id: str) -> dict[str, Any]:
    """Return by ref the cells of the look that blocked; empty where it was not kept."""
    looks = store.looks(plan_id)
    return dict(looks[-1].seen) if looks else {}


def _evidence(plan: ActionPlan, ref: str) -> Evidence[Any] | None:
    return next((item for item in plan.evidence if item.ref == ref), None)


def _cell(item: Evidence[Any] | None, selector: str, cells: Any) -> Cell | None:
    """Return one field's cell, of what was captured or of what a look saw."""
    if item is None:
        return None
    seen = item.cells if cells is None else cells
    pairs = zip(item.fields, seen, strict=False)
    return next((tuple(cell) for each, cell in pairs if each.selector == selector), None)


def _arguments(plan: ActionPlan) -> dict[str, Any]:
    given = dict(plan.origin.arguments)
    for step in plan.steps:
        given |= step.arguments
    return given
