"""One small world for all promises: slots in memory, a tool that books, a planner that pays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lastlook import ActionPlan, Lastlook, Planning

SLOT = {"slot_id": "slot-42", "status": "available", "price": 80, "note": "by the window"}


class World(NamedTuple):
    """A `Lastlook` over `records`, and what its tool has done."""

    look: Lastlook
    records: dict[str, Any]
    booked: list[tuple[str, int]]
    propose: Callable[[], ActionPlan]

    def confirmed(self) -> ActionPlan:
        """A plan that has a yes."""
        plan = self.propose()
        assert self.look.confirm(plan, by="ana").ok
        return plan


def world(
    *,
    fields: tuple[str, ...] = ("slot_id", "status == 'available'", "price"),
    records: Any = None,
    store: Any = "memory",
    act: Callable[[], None] = lambda: None,
    asker: Any = None,
) -> World:
    """Put a world together; `act` is called in the tool, after it has booked."""
    slots = {"slot-42": dict(SLOT)} if records is None else records
    look = Lastlook(sources={"slots": slots}, store=store, asker=asker)
    booked: list[tuple[str, int]] = []

    @look.tool(writes=["slots:{slot_id}#status"])
    def book(slot_id: str, amount: int) -> str:
        booked.append((slot_id, amount))
        act()
        return f"booked {slot_id}"

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        slot = plan.read(f"slots:{slot_id}", *fields)
        plan.step(book, slot_id=slot_id, amount=slot["price"] if "price" in fields else 0)

    return World(look, slots, booked, lambda: book_slot.propose("slot-42"))
