"""The demo's world: a folder with one slot, and what books it, past every look."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final

V1: Final = {
    "slot_id": "slot-42",
    "time": "2026-10-23T10:00:00Z",
    "status": "available",
    "last_modified_by": "scheduler-v1",
}
RECORDS: Final[Mapping[str, dict[str, Any]]] = {
    "v1": V1,
    "v2": {**V1, "status": "unavailable"},
    "v3": {**V1, "last_modified_by": "scheduler-v2"},
}
"""The slot of the articles: as confirmed, taken, and edited by somebody else."""


class Shop:
    """A folder with one slot and the bookings, and what books: the real side effect."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.slots = os.path.join(folder, "slots")
        self.slot = os.path.join(self.slots, "slot-42.json")
        self._bookings = os.path.join(folder, "bookings.txt")
        os.makedirs(self.slots)

    def write(self, record: Mapping[str, Any]) -> None:
        """Write the slot's file, as somebody else would."""
        with open(self.slot, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=2)

    def book(self, slot_id: str) -> str:
        """Book a slot, without any look."""
        return self._note(f"booked {slot_id}")

    def pay(self, slot_id: str, price: int) -> str:
        """Book a slot at a price, without any look."""
        return self._note(f"booked {slot_id} for {price}")

    def taken(self) -> tuple[str, ...]:
        """Return what the file of bookings holds, and empty it."""
        if not os.path.exists(self._bookings):
            return ()
        with open(self._bookings, encoding="utf-8") as file:
            lines = tuple(file.read().splitlines())
        os.remove(self._bookings)
        return lines

    def _note(self, line: str) -> str:
        with open(self._bookings, "a", encoding="utf-8") as file:
            file.write(line + "\n")
        return line
