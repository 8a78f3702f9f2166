"""Questions that were asked again, by the field that caused them, and what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, to_builtins

from lastlook.core.canonical import encode
from lastlook.core.fields import Field
from lastlook.core.fieldtext import print_selector
from lastlook.core.plan import ActionPlan
from lastlook.core.sparing import Moved, spared_by

CameTo: TypeAlias = Literal["same", "different", "no", "open", "unread"]

BY_HAND: Final = "(by hand)"
TYPED: Final = "(command line)"
UNREAD: Final = "(unread)"

_WHOLE: Final = {"record": "$", "query": "members", "absence": "absence"}


class Asked(Struct, frozen=True, kw_only=True):
    """One field of one block.

    Attributes:
        planner: The planner, plan or tool that the plan came from.
        source: The source's name.
        selector: The field's selector; empty for the whole record, a query's members, or
            an absence.
        kind: The kind of the evidence.
        field: The field as it was declared; None where that can't be read any more.
        moved: What it held before and after.
        came_to: `same` where the fresh plan was confirmed and nothing that runs was
            different in it, `different` where something was, `no` where there was no yes,
            `open` where one may still come, `unread` where a body is gone.
    """

    planner: str
    source: str
    selector: str
    kind: Literal["record", "absence", "query"] = "record"
    field: Field | None
    moved: Moved
    came_to: CameTo


class FieldQuestions(Struct, frozen=True, kw_only=True):
    """How often one field blocked, and what came of it.

    Attributes:
        planner: The planner, plan or tool; `(by hand)`, `(command line)`, or `(unread)`.
        source: The source's name.
        field: The field, as a declaration spells it; `members` or `absence` of those.
        blocked: How often it blocked.
        confirmed: How often the fresh plan was then confirmed with nothing different in
            what runs: questions that need not have been asked.
        unread: How often that can't be told any more, since a plan's body is gone.
        instead: What to declare instead, as far as the stored values tell: it would have
            spared each of the confirmed ones and none of the others. Empty where nothing
            would.
    """

    planner: str
    source: str
    field: str
    blocked: int
    confirmed: int
    unread: int
    instead: str


class Questions(Struct, frozen=True, kw_only=True):
    """Which fields caused questions, those that need not have been asked first.

    Attributes:
        fields: One entry for each field of each planner.
        blocks: How many plans were blocked because evidence had changed.
        confirmed: After how many of them the fresh plan was confirmed, with nothing
            different in what runs.
        unread: Of how many of them that can't be told any more.
    """

    fields: tuple[FieldQuestions, ...]
    blocks: int
    confirmed: int
    unread: int

    def text(self) -> str:
        """Return it as a table for people."""
        from lastlook.core.screens.asked import asked_screen

        return asked_screen(self).plain()

    def data(self) -> dict[str, Any]:
        """Return it as JSON data."""
        data: dict[str, Any] = to_builtins(self)
        return data


def came_to(plan: ActionPlan | None, fresh: ActionPlan | None, *, confirmed: bool) -> CameTo:
    """Return what came of a block after which there was a fresh plan."""
    if plan is None or fresh is None:
        return "unread"
    if not confirmed:
        return "no"
    return "same" if _runs(plan) == _runs(fresh) else "different"


def _runs(plan: ActionPlan) -> tuple[object, ...]:
    steps = [(step.tool, encode(step.arguments), step.writes, step.evidence) for step in plan.steps]
    return plan.intent, steps, plan.tools


def made_by(plan: ActionPlan | None) -> str:
    """Return what a plan came from, by name."""
    if plan is None:
        return UNREAD
    if plan.origin.kind == "hand":
        return BY_HAND
    return plan.origin.name or TYPED


def count_up(blocks: Iterable[Sequence[Asked]]) -> Questions:
    """Count by field what came of blocks, given as the fields of each."""
    listed = [list(block) for block in blocks]
    groups: dict[tuple[str, str, str], list[Asked]] = {}
    for block in listed:
        for each in block:
            groups.setdefault((each.planner, each.source, each.selector), []).append(each)
    fields = [_counted(*key, group) for key, group in groups.items()]
    fields.sort(key=lambda item: (-item.confirmed, -item.blocked, item.planner, item.source))
    ends = [block[0].came_to for block in listed if block]
    return Questions(
        fields=tuple(fields),
        blocks=len(listed),
        confirmed=ends.count("same"),
        unread=ends.count("unread"),
    )


def _counted(planner: str, source: str, selector: str, group: Sequence[Asked]) -> FieldQuestions:
    idle = [each.moved for each in group if each.came_to == "same"]
    other = [each.moved for each in group if each.came_to in {"different", "no"}]
    unread = sum(each.came_to == "unread" for each in group)
    declared = next((each.field for each in reversed(group) if each.field is not None), None)
    instead = "" if declared is None or unread else spared_by(declared, idle, other)
    return FieldQuestions(
        planner=planner,
        source=source,
        field=_WHOLE[group[-1].kind] if not selector else print_selector(selector),
        blocked=len(group),
        confirmed=len(idle),
        unread=unread,
        instead=instead,
    )
