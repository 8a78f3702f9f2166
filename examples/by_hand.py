"""Steps by hand: for an agent that chooses its arguments itself, with no planner.

    python examples/by_hand.py

After a block there is a fresh plan with the same steps, but none where an argument was
taken from a value that changed: then the agent must plan again. Nobody is asked here: the
yes comes through the API, as person:demo.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from lastlook import ActionPlan, BlockedStale, DispatchOutcome, JsonFiles, Lastlook

CONTACT = {"name": "Kim", "email": "kim@example.org", "office": "Leiden"}


class Mail:
    """Contacts in a folder, and a tool that sends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent = folder / "sent.txt"
        self.look = Lastlook(sources={"contacts": JsonFiles(folder)}, store="memory")

        @self.look.tool(writes=[], effect="sends {text} to {to}")
        def send(to: str, text: str) -> str:
            with self.sent.open("a", encoding="utf-8") as file:
                file.write(f"{to}: {text}\n")
            return f"sent to {to}"

        self.send = send
        self.change()

    def change(self, **changes: Any) -> None:
        path = self.folder / "kim.json"
        path.write_text(json.dumps(CONTACT | changes), encoding="utf-8")

    def propose(self) -> ActionPlan:
        # Read first, choose after: what was read is what the yes will rest on.
        kim = self.look.read("contacts:kim", "email", "office")
        step = self.send.step(to=kim["email"], text="The contract is ready.")
        return self.look.propose("Write to Kim", [step], evidence=[kim], requested_by="writer")


def changed_before_dispatch(**changes: Any) -> DispatchOutcome:
    """Say yes, change the contact, and dispatch."""
    with tempfile.TemporaryDirectory() as folder:
        mail = Mail(Path(folder))
        plan = mail.propose()
        mail.look.confirm(plan, by="demo")
        mail.change(**changes)
        outcome = mail.look.dispatch(plan)
        if isinstance(outcome, BlockedStale) and outcome.fresh is not None:
            mail.look.confirm(outcome.fresh, by="demo")
            print("there is a fresh question, and it gets a yes of its own")
            outcome = mail.look.dispatch(outcome.fresh)
        print(outcome.text(), "\n")
        print("sent:", mail.sent.read_text("utf-8").strip() if mail.sent.exists() else "nothing")
        return outcome


def main() -> None:
    print("yeses are given through the API, as person:demo\n\n-- the office moves\n")
    changed_before_dispatch(office="Delft")
    print("\n-- the address changes, and it is what the step was given\n")
    changed_before_dispatch(email="kim@elsewhere.example")


if __name__ == "__main__":
    main()
