"""Makes `tests/vectors/plans-v1`: plans as version 1 makes, seals and stores them.

Run it from the project's root, and only while plan format 1 has not been released:
`python -m tests.stores.make_plans_v1`. From then on the files stay as they are, and
every later version must read, check and dispatch them.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lastlook import Act, Lastlook, Planning, field
from lastlook.sources import MemorySource
from lastlook.testing import FakeClock

FOLDER = Path(__file__).parents[1] / "vectors" / "plans-v1"


def world() -> MemorySource:
    """Return the records that the stored plans were made from."""
    return MemorySource({
        "W1": {"status": "delivered", "amount": 2577.53, "card": "4998749", "tags": ["b", "a"]},
        "W2": {"status": "open", "amount": 12, "card": "11", "tags": []},
    })  # fmt: skip


def application(store: str | Path, orders: MemorySource) -> Lastlook:
    """Return the application that the plans belong to; `paid` collects its effects."""
    look = Lastlook(sources={"orders": orders}, store=store, clock=FakeClock())
    ids = iter(["k7f3", "q8d1", "r2a9", "t3e1"])
    look.world.new_id = lambda _length: next(ids)
    look.world.salt = lambda: bytes(range(32))

    @orders.query("status", cap=10, may="grow")
    def under(records: Mapping[str, Any], amount: float) -> Mapping[str, Any]:
        return {key: record for key, record in records.items() if record["amount"] < amount}

    @look.tool(
        writes=["orders:{order}#status"], effect="pays {amount} to {card}", not_applied=[KeyError]
    )
    def refund(act: Act, order: str, amount: float, card: str) -> str:
        act.wrote(f"orders:{order}", {"status": "refunded"})
        orders.set(order, {**orders.read(order).record, "status": "refunded"})
        return f"refunded {amount} to {card}"

    @look.tool(writes=[])
    def tell(text: str) -> str:
        return text

    @look.planner("Refund {order}", expires_in=3600)
    def refund_order(plan: Planning, order: str) -> None:
        read = plan.read(
            f"orders:{order}", "status in ['delivered','open']", "amount within 5%",
            field("tags").unordered, field("card").secret, field("note").optional,
        )  # fmt: skip
        plan.absent("orders:W3")
        plan.query(under, amount=100)
        done = plan.step(refund, order=order, amount=read["amount"], card="on file")
        plan.narrow(plan.step(tell, text=done.result), f"orders:{order}")

    @look.planner("Say {text}")
    def say(plan: Planning, text: str) -> None:
        plan.no_evidence("nothing is read to say something")
        plan.step(tell, text=text)

    return look


def fill(look: Lastlook) -> None:
    """Store one plan in each of four states."""
    planners = look.world.planners
    for order in ("W1", "W2"):
        plan = planners["refund_order"].options(requested_by="support").propose(order)
        assert look.confirm(plan, by="ana").ok
    assert look.dispatch("q8d1").ok
    said = planners["say"].options(key="mail-17").propose("hello \u00e4\u202e\U0001f511")
    look.reject(said, by="bob", why="too loud")
    planners["say"].propose("later")


def listing(look: Lastlook) -> list[dict[str, Any]]:
    """Return what each plan is: its bytes, its seal and its state."""
    return [
        {
            "id": record.id,
            "state": record.state,
            "seal": record.seal,
            "body": json.loads(record.body),
            "head": record.head,
            "salts": {k: base64.b64encode(v).decode() for k, v in record.salts.items()},
        }
        for record in look.world.store.plans()
    ]


def main() -> None:
    """Write the store and its listing anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / "plans.sqlite"
    path.unlink(missing_ok=True)
    look = application(path, world())
    fill(look)
    text = json.dumps(listing(look), indent=1, sort_keys=True, ensure_ascii=True)
    look.close()
    os.unlink(f"{path}-reserve")
    (FOLDER / "expected.json").write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
