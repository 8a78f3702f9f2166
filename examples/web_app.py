"""The three verbs in three processes, with one store: how a web application uses them.

    python examples/web_app.py                 runs all three, each in a process of its own
    python examples/web_app.py propose DIR     the request that plans; prints the page's data
    python examples/web_app.py confirm DIR ID SEAL PERSON      the request with the yes
    python examples/web_app.py dispatch DIR ID                 the worker

Put your framework where `main` is: each verb is one function, and what goes over the wire
is in its arguments and its result.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lastlook import JsonFiles, Lastlook, Planning
from lastlook.errors import LastlookError

SLOT = {"slot_id": "slot-42", "time": "2026-11-03T14:00:00Z", "status": "available"}


class App:
    """What every process of the application sets up alike."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.look = Lastlook(
            sources={"slots": JsonFiles(folder / "slots")}, store=folder / "plans.db"
        )

        @self.look.tool(writes=["slots:{slot_id}#status"])
        def book(slot_id: str, title: str) -> str:
            with (folder / "bookings.txt").open("a", encoding="utf-8") as file:
                file.write(f"{slot_id} {title}\n")
            return f"booked {slot_id} for {title}"

        @self.look.planner("Book {slot_id} for {title}", expires_in=3600)
        def book_slot(plan: Planning, slot_id: str, title: str) -> None:
            plan.read(f"slots:{slot_id}", "time", "status == 'available'")
            plan.step(book, slot_id=slot_id, title=title)

        self.book_slot = book_slot

    def propose(self, slot_id: str, title: str, request_id: str) -> dict[str, Any]:
        """Plan, and return what the page shows and what its form sends back."""
        # The key makes a page that is loaded twice one question.
        planner = self.book_slot.options(key=request_id, requested_by="agent:web")
        plan = planner.propose(slot_id, title)
        return {
            "plan": plan.id,
            "seal": plan.seal,
            "intent": plan.intent,
            "will_run": [[step.tool, step.arguments] for step in plan.steps],
            "effects": [effect.text for effect in plan.estimated_side_effects],
            "rests_on": {e.ref: [str(field) for field in e.fields] for e in plan.evidence},
        }

    def confirm(self, plan_id: str, seal: str, person: str) -> dict[str, Any]:
        """Take the yes of the person who is logged in; a yes names the seal she saw."""
        return self.look.confirm(plan_id, seal=seal, by=person).data()

    def dispatch(self, plan_id: str) -> dict[str, Any]:
        """Look again and run, in whatever process has the tools."""
        return self.look.dispatch(plan_id).data()


def main(arguments: list[str]) -> int:
    if not arguments:
        return in_three_processes()
    verb, folder, *rest = arguments
    app = App(Path(folder))
    try:
        match verb, rest:
            case "propose", []:
                answer = app.propose("slot-42", "Stand-up", "request-1")
            case "confirm", [plan_id, seal, person]:
                answer = app.confirm(plan_id, seal, person)
            case "dispatch", [plan_id]:
                answer = app.dispatch(plan_id)
            case _:
                print(__doc__)
                return 2
    except LastlookError as error:
        print(json.dumps({"error": str(error)}))
        return 1
    print(json.dumps(answer))
    return 0


def in_three_processes() -> int:
    """Do what a browser and a worker would do; the yes is given as person:demo."""
    with tempfile.TemporaryDirectory() as folder:
        slots = Path(folder) / "slots"
        slots.mkdir()
        (slots / "slot-42.json").write_text(json.dumps(SLOT), encoding="utf-8")
        page = call("propose", folder)
        print("propose ", page["intent"], "while", page["rests_on"])
        print("confirm ", call("confirm", folder, page["plan"], page["seal"], "demo")["outcome"])
        print("dispatch", call("dispatch", folder, page["plan"])["outcome"])
        print("dispatch", call("dispatch", folder, page["plan"])["outcome"])
        print((Path(folder) / "bookings.txt").read_text(encoding="utf-8"), end="")
    return 0


def call(*arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True, check=False
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
