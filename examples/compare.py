"""The published comparison, through the library: with the last look, and without.

    python examples/compare.py

One slot on disk in three versions: v1 is free, v2 is taken, v3 was touched by another
scheduler and is still free. A yes is given to v1, the file changes, and the plan goes.
Nobody is asked here: the yes comes through the API, as person:demo.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

from lastlook import JsonFiles, Lastlook, Planning, fingerprint
from lastlook.core.schemes import PublishedScheme

V1 = {
    "slot_id": "slot-42",
    "time": "2026-10-23T10:00:00Z",
    "status": "available",
    "last_modified_by": "scheduler-v1",
}
VERSIONS: dict[str, dict[str, Any]] = {
    "v1": V1,
    "v2": V1 | {"status": "unavailable"},
    "v3": V1 | {"last_modified_by": "scheduler-v2"},
}
FIELDS = ["slot_id", "status"]


class Run(NamedTuple):
    """One row: what the slot became, and what each path did about it."""

    version: str
    published: str
    ll1: str
    protected: str
    bookings_protected: int
    unprotected: str
    bookings_unprotected: int


def run(version: str, folder: Path) -> Run:
    """Say yes to v1, put `version` in its place, and go both ways."""
    slot = folder / "slot-42.json"
    slot.write_text(json.dumps(V1), encoding="utf-8")
    look = Lastlook(sources={"slots": JsonFiles(folder)}, store="memory")
    booked: list[str] = []

    @look.tool(writes=["slots:{slot_id}#status"])
    def book(slot_id: str) -> None:
        booked.append(slot_id)

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", *FIELDS)
        plan.step(book, slot_id=slot_id)

    plan = book_slot.propose("slot-42")
    look.confirm(plan, by="demo")
    slot.write_text(json.dumps(VERSIONS[version]), encoding="utf-8")

    outcome = look.dispatch(plan)
    protected = len(booked)
    book.unguarded("slot-42")  # what an agent does that does not look
    return Run(
        version=version,
        published=published(VERSIONS[version]),
        ll1=fingerprint(VERSIONS[version], FIELDS),
        protected="EXECUTES" if outcome.ok else "BLOCKS",
        bookings_protected=protected,
        unprotected="EXECUTES",
        bookings_unprotected=len(booked) - protected,
    )


def published(record: dict[str, Any]) -> str:
    """Return the fingerprint that the articles print: 16 digits, never compared in here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PublishedScheme)
        return fingerprint(record, FIELDS, scheme="freshctx16")


def main() -> list[Run]:
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(version, Path(folder)) for version in VERSIONS]
    first = runs[0]
    print("each yes is to v1, given through the API as person:demo\n")
    for now in runs:
        print(f"v1 -> {now.version}   {first.published} vs {now.published}")
        print(f"           {first.ll1[:16]} vs {now.ll1[:16]}  (ll1, shortened)")
        print(f"  protected    {now.protected:9} {now.bookings_protected} booking(s)")
        print(f"  unprotected  {now.unprotected:9} {now.bookings_unprotected} booking(s)\n")
    return runs


if __name__ == "__main__":
    main()
