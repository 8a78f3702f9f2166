"""One application at work, for the scenarios: slots, a tool that books them, a planner."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lastlook import Act, Lastlook, Planning
from lastlook.sources import MemorySource
from lastlook.testing import FakeClock, ScriptedAsker

if TYPE_CHECKING:
    from lastlook import ActionPlan
    from lastlook.core.lifecycle import State

SLOT = {
    "slot_id": "slot-42",
    "time": "2026-11-03T14:00",
    "status": "available",
    "price": 80,
    "last_modified_by": "scheduler-v1",
}


class Desk:
    """The application: `effects` holds all that was really done.

    Args:
        store: Where plans are kept: a store, or the path of one.
        slots: The world; another desk over the same dict sees the same one.
        options: Further options of `Lastlook`.
    """

    def __init__(
        self,
        store: Any,
        slots: dict[str, Any] | None = None,
        *,
        clock: FakeClock | None = None,
        **options: Any,
    ) -> None:
        self.store = store
        self.slots = {"slot-42": copy.deepcopy(SLOT)} if slots is None else slots
        self.clock = clock or FakeClock()
        self.asker = ScriptedAsker()
        self.effects: list[tuple[Any, ...]] = []
        self.on_book: Callable[[Act], object] = lambda _: None
        self.look = Lastlook(
            sources={"slots": MemorySource(self.slots), **options.pop("sources", {})},
            store=store,
            clock=self.clock,
            asker=self.asker,
            **options,
        )
        self.book = self._tool()
        self.book_slot = self._planner()

    def _tool(self) -> Any:
        @self.look.tool(writes=["slots:{slot_id}#status"], effect="books {slot_id} for {amount}")
        def book(act: Act, slot_id: str, amount: int) -> str:
            self.effects.append(("book", slot_id, amount))
            self.on_book(act)
            return f"booked {slot_id}"

        return book

    def _planner(self) -> Any:
        @self.look.planner("Book {slot_id}")
        def book_slot(plan: Planning, slot_id: str) -> None:
            slot = plan.read(f"slots:{slot_id}", "slot_id", "status", "price")
            plan.step(self.book, slot_id=slot_id, amount=slot["price"])

        return book_slot

    def says(self, *answers: object) -> None:
        """What the person at the terminal will say, in turn; nothing after the last."""
        self.asker._answers.extend(answers)

    def change(self, slot_id: str = "slot-42", **changes: Any) -> None:
        """Somebody else changes a slot."""
        self.slots[slot_id] = self.slots[slot_id] | changes

    def proposed(self) -> ActionPlan:
        """A plan that waits for a yes."""
        plan: ActionPlan = self.book_slot.propose("slot-42")
        return plan

    def confirmed(self, plan: ActionPlan | None = None) -> ActionPlan:
        """A plan with Ana's yes."""
        plan = plan or self.proposed()
        assert self.look.confirm(plan, by="ana").ok
        return plan

    def state(self, plan: ActionPlan) -> State:
        """Where a plan stands."""
        return self.look.world.store.get(plan.id).state

    def states(self, plan: ActionPlan) -> list[str]:
        """The states that a plan went through, from the journal."""
        return [row.state.value for row in self.look.journal(plan)]
