"""Makes `tests/vectors/store-v1`: a store as version 1 writes it, and what it holds.

Run it from the project's root, and only while format 1 has not been released:
`python -m tests.stores.make_store_v1`. From then on the files stay as they are, and
every later version must read them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from lastlook.core.canonical import to_wire
from lastlook.core.lifecycle import Look, State
from lastlook.core.ports import Store
from lastlook.stores.journal import verify
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import (
    added,
    apply,
    at,
    confirmed,
    executed,
    move,
    to_claimed,
    to_confirmed,
    to_executing,
    yes,
)

FOLDER = Path(__file__).parents[1] / "vectors" / "store-v1"


def fill(store: Store) -> None:
    """Put at least one of everything into an empty store."""
    executed(
        store,
        "k7f3",
        key="mail-17",
        salts={"orders:#W1006327#card": bytes(range(32))},
        data={"seal": "5e" * 32},
    )
    blocked = apply(
        store, to_claimed(confirmed(store, "q8d1", requested_by="agent:\u00e4\U0001f511"))
    )
    look = Look(
        moment="before_step_1",
        at=at(400.000001),
        seen={"contacts:kim": {"result": "stale", "cells": [["value", 1.5], ["absent"]]}},
    )
    apply(
        store,
        move(
            blocked,
            State.BLOCKED_STALE,
            look=look,
            data={"contacts:kim": ["/email", "$.phones[*]"], "when": at(400), "big": 2**70},
            outcome=b'{"outcome":"blocked_stale"}',
        ),
    )
    added(store, "q8d1.2", follows="q8d1", body=b"\x00\xff not even JSON")
    keyed = yes("r2a9", key_id="key-1", mac="ab" * 32)
    unknown = apply(store, to_confirmed(added(store, "r2a9"), confirmation=keyed))
    unknown = apply(store, to_executing(apply(store, to_claimed(unknown))))
    unknown = apply(store, move(unknown, State.UNKNOWN))
    apply(store, move(unknown, State.RESOLVED, by="person:ana", data={"as": "happened"}))
    apply(store, move(added(store, "t3e1"), State.REJECTED, by="person:bob", at=at(0.5)))
    apply(store, to_claimed(confirmed(store, "c4m8")))
    added(store, "v6b2", state=State.PARKED)


def listing(store: Store) -> dict[str, Any]:
    """All that a store tells, as typed JSON."""
    plans = store.plans()
    told = {
        "plans": list(plans),
        "rows": list(store.rows()),
        "looks": {plan.id: list(store.looks(plan.id)) for plan in plans},
        "head": verify(store).head,
    }
    wire: dict[str, Any] = to_wire(told)
    return wire


def main() -> None:
    """Write the store and its listing anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / "plans.sqlite"
    path.unlink(missing_ok=True)
    store = SqliteStore(path)
    fill(store)
    text = json.dumps(listing(store), indent=1, sort_keys=True, ensure_ascii=True)
    store.close()
    os.unlink(f"{path}-reserve")
    (FOLDER / "expected.json").write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
