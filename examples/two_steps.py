"""Several steps: a result that is a later argument, and a stop halfway that says so.

    python examples/two_steps.py

A refund is paid, and then the customer is written to. Orders and letters are files in a
temporary folder. Nobody is asked here: the yes comes through the API, as person:demo.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lastlook import Act, DispatchOutcome, JsonFiles, Lastlook, Planning

ORDER = {"status": "delivered", "amount": 80, "email": "kim@example.org"}


class Shop:
    """Orders in a folder, and what the agent may do with them."""

    def __init__(self, folder: Path) -> None:
        self.orders = folder / "orders"
        self.letters = folder / "letters"
        self.orders.mkdir()
        self.letters.mkdir()
        self.after_refund: Callable[[], None] = lambda: None
        self.look = Lastlook(sources={"orders": JsonFiles(self.orders)}, store="memory")
        look = self.look

        @look.tool(writes=["orders:{order_id}#status"], effect="pays {amount} back")
        def refund(act: Act, order_id: str, amount: int) -> dict[str, str]:
            # A real bank would be given act.key, so that it pays once however often it is asked.
            self.change(order_id, status="refunded")
            act.wrote(f"orders:{order_id}", {"status": "refunded"})
            self.after_refund()
            return {"reference": f"R-{order_id}"}

        @look.tool(writes=[], effect="writes to {to}")
        def letter(act: Act, to: str, reference: str) -> str:
            text = f"To: {to}\n\nYour refund has the reference {reference}.\n"
            (self.letters / f"{act.key[:12]}.txt").write_text(text, encoding="utf-8")
            return f"letter to {to} about {reference}"

        @look.planner("Refund order {order_id} and say so")
        def refund_order(plan: Planning, order_id: str) -> None:
            order = plan.read(f"orders:{order_id}", "status == 'delivered'", "amount", "email")
            paid = plan.step(refund, order_id=order_id, amount=order["amount"])
            plan.step(letter, to=order["email"], reference=paid.result["reference"])

        self.refund_order = refund_order

    def change(self, order_id: str, **changes: Any) -> None:
        path = self.orders / f"{order_id}.json"
        order = json.loads(path.read_text(encoding="utf-8")) if path.exists() else ORDER
        path.write_text(json.dumps(order | changes), encoding="utf-8")

    def refund(self, order_id: str) -> DispatchOutcome:
        self.change(order_id)
        plan = self.refund_order.propose(order_id)
        self.look.confirm(plan, by="demo")
        return self.look.dispatch(plan)


def main() -> tuple[DispatchOutcome, DispatchOutcome]:
    print("yeses are given through the API, as person:demo\n")
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(Path(folder))
        whole = shop.refund("W1")
        print(whole.text())
        # Now the address changes after the refund was paid and before the letter is written.
        shop.after_refund = lambda: shop.change("W2", email="lee@example.org")
        halfway = shop.refund("W2")
        print("\n" + halfway.text())
    return whole, halfway


if __name__ == "__main__":
    main()
