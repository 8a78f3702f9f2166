"""Stale-plan protection for AI agents: the last look before an agent acts.

A plan keeps the fields it rests on. Right before the first side effect they are read
again, and if one that matters changed, or can't be read, nothing runs:

    from lastlook import JsonFiles, Lastlook, Planning

    look = Lastlook(sources={"slots": JsonFiles("slots")})

    @look.tool(writes=["slots:{slot_id}"])
    def book(slot_id: str, title: str) -> str:
        return f"booked {slot_id} for {title}"

    @look.planner("Book {slot_id} for {title}")
    def book_slot(plan: Planning, slot_id: str, title: str) -> None:
        plan.read(f"slots:{slot_id}", "time", "status == 'available'")
        plan.step(book, slot_id=slot_id, title=title)

    print(book_slot.run("slot-42", "Stand-up").text())

Nothing optional is loaded by importing this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lastlook.app import Lastlook
from lastlook.core.check import Stale, Unresolvable, Valid, check
from lastlook.core.evidence import Evidence, capture
from lastlook.core.facts import Facts
from lastlook.core.fields import field
from lastlook.core.fingerprint import fingerprint
from lastlook.core.outcome import (
    Blocked,
    BlockedStale,
    BlockedUnresolvable,
    DispatchOutcome,
    Executed,
    Refused,
    Unsettled,
)
from lastlook.core.plan import ActionPlan, PlannedStep, SideEffect
from lastlook.errors import LastlookError
from lastlook.planning.planning import Planning
from lastlook.planning.tools import Act
from lastlook.sources import JsonFiles

if TYPE_CHECKING:
    from lastlook.aio import AsyncLastlook

__version__ = "0.1.0"

__all__ = [
    "Act",
    "ActionPlan",
    "AsyncLastlook",
    "Blocked",
    "BlockedStale",
    "BlockedUnresolvable",
    "DispatchOutcome",
    "Evidence",
    "Executed",
    "Facts",
    "JsonFiles",
    "Lastlook",
    "LastlookError",
    "PlannedStep",
    "Planning",
    "Refused",
    "SideEffect",
    "Stale",
    "Unresolvable",
    "Unsettled",
    "Valid",
    "capture",
    "check",
    "field",
    "fingerprint",
]


def __getattr__(name: str) -> object:
    """Load `AsyncLastlook`, and asyncio with it, only when it is asked for."""
    if name == "AsyncLastlook":
        from lastlook.aio import AsyncLastlook

        return AsyncLastlook
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
