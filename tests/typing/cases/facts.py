"""Fields declared as a class are typed where they are used; fields as text are a view."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from lastlook import Facts, Lastlook, Planning
from lastlook.fields import at_most, one_of


class Slot(Facts):
    status: Annotated[str, one_of("available")]
    price: Annotated[Decimal, at_most(200)]
    tags: list[str]


look = Lastlook(sources={"slots": {}}, store="memory")


@look.tool(writes=["slots:{slot_id}"])
def pay(slot_id: str, amount: Decimal) -> None:
    pass


@look.planner("Pay {slot_id}")
def pay_slot(plan: Planning, slot_id: str) -> None:
    slot = plan.read(f"slots:{slot_id}", Slot)
    reveal_type(slot.facts)  # R: Slot
    reveal_type(slot.facts.price)  # R: Decimal
    reveal_type(slot.facts.tags)  # R: list[str]
    plan.step(pay, slot_id=slot_id, amount=slot.facts.price)
    plan.step(pay, slot_id=slot_id, amount=slot.facts.status)  # E: arg-type
    slot.facts.owner  # E: attr-defined

    text = plan.read(f"slots:{slot_id}", "status", "price <= 200")
    text["status"]
    plan.read(f"slots:{slot_id}", 7)  # E: call-overload
    plan.read(7, "status")  # E: call-overload
    plan.read(f"slots:{slot_id}", dict)  # E: type-var
