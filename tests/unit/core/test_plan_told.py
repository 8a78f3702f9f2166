from __future__ import annotations

import json

from lastlook import Lastlook, Planning, field


def _plan():
    look = Lastlook(
        sources={"slots": {"slot-42": {"status": "free", "pin": "9471"}}}, store="memory"
    )

    @look.tool(writes=[])
    def book(slot_id: str) -> None:
        """Book it."""

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status", field("pin").secret)
        plan.step(book, slot_id=slot_id)

    return book_slot.propose("slot-42")


def test_a_plan_tells_its_question_as_text():
    plan = _plan()
    text = plan.text()
    assert text.startswith("Book slot-42")
    assert f"plan {plan.id}" in text
    assert "9471" not in text


def test_a_plan_tells_itself_as_json_data_with_its_seal():
    plan = _plan()
    data = json.loads(json.dumps(plan.data()))
    assert data["seal"] == plan.seal
    assert data["id"] == plan.id
    assert "9471" not in json.dumps(data)
