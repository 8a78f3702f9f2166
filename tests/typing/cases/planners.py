"""A planner's calls take its own arguments; the handle is not one of them."""

from __future__ import annotations

from lastlook import Lastlook, Planning

look = Lastlook(sources={"slots": {}}, store="memory")


@look.planner("Book {slot_id} for {title}")
def book_slot(plan: Planning, slot_id: str, title: str = "Stand-up") -> None:
    plan.no_evidence("a test")


reveal_type(book_slot.propose("slot-42"))  # R: ActionPlan
book_slot.propose("slot-42", title="Retro")
book_slot.propose()  # E: call-arg
book_slot.propose(42)  # E: arg-type
book_slot.run("slot-42", room="B")  # E: call-arg
book_slot.options(key="order-1", requested_by="support", expires_in=60).propose("slot-42")
book_slot.options(key="order-1").propose(42)  # E: arg-type
book_slot.options(keys="order-1")  # E: call-arg


@look.planner("No handle")  # E: arg-type
def no_handle(slot_id: str) -> None:
    pass


@look.planner("Returns something")  # E: arg-type
def returns_something(plan: Planning) -> int:
    return 1


Lastlook()  # E: call-arg
Lastlook({"slots": {}})  # E: call-arg
