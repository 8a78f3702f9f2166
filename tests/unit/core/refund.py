"""The refund that the screens are explained with: one order, one step, one yes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from lastlook.core.check import check
from lastlook.core.evidence import Evidence, capture
from lastlook.core.outcome import BlockedStale
from lastlook.core.plan import (
    ActionPlan,
    Origin,
    PlannedStep,
    SideEffect,
    ToolDefinition,
    Write,
    open_plan,
)

REF = "orders:#W1006327"
FIELDS = ("status in ['delivered', 'returned']", "items", "payment_history")
ORDER: dict[str, Any] = {
    "status": "delivered",
    "items": [
        {"name": "Jigsaw Puzzle", "price": 48.51, "sku": "a-1"},
        {"name": "Lamp", "price": 1},
        {"name": "Sofa", "price": 2528.02},
    ],
    "payment_history": [{"amount": 2577.53, "type": "payment"}],
}
REFUNDED: dict[str, Any] = {
    **ORDER,
    "items": ORDER["items"][1:],
    "payment_history": [
        *ORDER["payment_history"],
        {"amount": 48.51, "type": "refund", "to": "credit_card_4998749", "by": "shop"},
    ],
}
SCHEMA = {
    "$$ref": "#/$defs/tool_refund",
    "$$defs": {"tool_refund": {"properties": {}, "required": ["order_id", "amount", "to"]}},
}


def at(hour: int, minute: int, second: int = 0, day: int = 3) -> datetime:
    return datetime(2026, 10, day, hour, minute, second, tzinfo=UTC)


def evidence(
    record: object = ORDER, fields: Any = FIELDS, ref: str = REF, **more: Any
) -> Evidence[Any]:
    return capture(record, fields, **{"ref": ref, "captured_at": at(14, 2, 11), **more})


def step(amount: float = 2577.53, number: int = 1, **more: Any) -> PlannedStep[Any]:
    arguments = {"amount": amount, "order_id": "#W1006327", "to": "credit_card_4998749"}
    given = {"tool": "refund", "arguments": arguments, "writes": (Write(ref=REF),)}
    return PlannedStep(number=number, **{"key": f"{number}" * 64, **given, **more})


def plan(amount: float = 2577.53, **more: Any) -> ActionPlan:
    """Return a plan as the store gives it back: read from its sealed bytes."""
    effect = SideEffect(step=1, text=f"pays {amount} to credit_card_4998749", writes=(REF,))
    given: dict[str, Any] = {
        "id": "k7f3",
        "lineage": "k7f3",
        "root": "k7f3",
        "intent": "Refund order #W1006327",
        "requested_by": "agent:support-agent",
        "origin": Origin(kind="planner", name="refund_order",
                         arguments={"order_id": "#W1006327"}, digest="ab" * 32),
        "tools": (ToolDefinition(name="refund", arguments=SCHEMA),),
        "steps": (step(amount),),
        "estimated_side_effects": (effect,),
        "evidence": (evidence(),),
        "created_at": at(14, 2, 11),
    }  # fmt: skip
    return open_plan(ActionPlan(**{**given, **more}).body)


def fresh(amount: float = 2529.02, **more: Any) -> ActionPlan:
    given = {"id": "k7f3.2", "number": 2, "follows": "k7f3", "evidence": (evidence(REFUNDED),)}
    return plan(amount, **{**given, **more})


def blocked(record: object = REFUNDED, of: ActionPlan | None = None, **more: Any) -> BlockedStale:
    about = of or plan()
    given = {"at": at(14, 9, 13), "confirmed_at": at(14, 2, 40), **more}
    return BlockedStale(plan=about, checks=(check(about.evidence[0], record),), **given)
