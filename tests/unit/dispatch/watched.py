"""A store that can be watched and doctored, and a desk whose every event is written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from lastlook import ActionPlan
from lastlook.core.lifecycle import Move, PlanRecord, State
from lastlook.stores.memory import MemoryStore
from lastlook.testing import FakeClock, ScriptedSource
from tests.scenarios.desk import SLOT, Desk


class WatchedStore(MemoryStore):
    """A memory store that tells of each move, and lets a test act right before it."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []
        self.hooks: dict[State, Callable[[], object]] = {}

    def before(self, state: State, hook: Callable[[], object]) -> None:
        """Call `hook` once, right before the next move to `state` is applied."""
        self.hooks[state] = hook

    def move(self, move: Move, /) -> PlanRecord | None:
        self.hooks.pop(move.to, lambda: None)()
        moved = super().move(move)
        step = f" {move.step}" if move.to is State.EXECUTING else ""
        self.events.append(f"{move.to}{step}" + ("" if moved else ": lost"))
        return moved

    def doctor(self, plan: ActionPlan, **changes: Any) -> None:
        """Change what is stored of a plan behind everybody's back."""
        self._plans[plan.id] = replace(self._plans[plan.id], **changes)


class WatchedDesk(Desk):
    """The desk of the scenarios, over a watched store and a source that is watched too.

    Attributes:
        events: The moves, the reads and the acts, in the order in which they happened.
    """

    def __init__(self, **options: Any) -> None:
        store = WatchedStore()
        self.events = store.events
        self.world = {"slot-42": dict(SLOT)}
        super().__init__(store, self.world, clock=FakeClock(), **options)
        self.source = ScriptedSource(self._read)
        self.look.world.sources._sources["slots"] = self.source
        self.on_book = lambda act: self.events.append("act")

    def _read(self, key: str) -> object:
        self.events.append(f"read {key}")
        return dict(self.world[key])
