"""The calendar of the articles: one slot on disk, in three versions."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lastlook import JsonFiles
from lastlook.published import (
    ActionDispatcher,
    ActionPlan,
    EvidenceStore,
    PlannedStep,
    PreDispatchValidator,
    StalePlan,
    StepExecutor,
)
from lastlook.testing import FakeClock

VERSIONS = Path(__file__).parent / "slots"
FIELDS = ["slot_id", "status"]


class Calendar:
    """A folder with `slot-42.json`, an agent over it, and all that was really booked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.booked: list[dict[str, Any]] = []
        self.asked: list[tuple[ActionPlan, StalePlan]] = []
        self.put("v1")
        self.evidence = EvidenceStore({"slots": JsonFiles(folder)}, clock=self.clock)
        self.validator = PreDispatchValidator(self.evidence)
        self.executor = StepExecutor(
            {"book": self.book, "tell": self.tell}, writes={"book": ["slots:{slot_id}#status"]}
        )
        self.dispatcher = self.opened("memory")

    def opened(self, store: Any) -> ActionDispatcher:
        return ActionDispatcher(
            self.validator,
            self.executor,
            store=store,
            on_fresh=lambda fresh, stale: self.asked.append((fresh, stale)),
        )

    def put(self, version: str) -> None:
        """Somebody else writes a version of the slot."""
        self.folder.mkdir(exist_ok=True)
        shutil.copy(VERSIONS / f"slot-42-{version}.json", self.folder / "slot-42.json")

    def book(self, slot_id: str, title: str) -> str:
        """Book a slot."""
        self.booked.append({"slot_id": slot_id, "title": title})
        return f"booked {slot_id}"

    def tell(self, text: str) -> None:
        """Tell somebody."""
        self.booked.append({"told": text})

    def plan(self, action_id: str = "book-42", **changes: Any) -> ActionPlan:
        """Read the slot now and plan to book it."""
        parts: dict[str, Any] = {
            "action_id": action_id,
            "intent": "Book slot-42 for Stand-up",
            "steps": [
                PlannedStep(tool="book", arguments={"slot_id": "slot-42", "title": "Stand-up"})
            ],
            "evidence_dependencies": [self.evidence.capture("slots:slot-42", FIELDS)],
            "estimated_side_effects": ["books slot-42 for Stand-up"],
            "requires_confirmation": True,
        }
        return ActionPlan(**parts | changes)

    def confirmed(self, **changes: Any) -> ActionPlan:
        plan = self.plan(**changes)
        assert self.dispatcher.confirm(plan, by="ana").ok
        return plan


@pytest.fixture
def calendar(tmp_path: Path) -> Iterator[Calendar]:
    opened = Calendar(tmp_path / "slots")
    yield opened
    opened.dispatcher.look.close()
