"""The arguments of a step are those of its tool, without the handle that it is given."""

from __future__ import annotations

from lastlook import Act, Lastlook, Planning

look = Lastlook(sources={"slots": {}}, store="memory")


@look.tool(writes=["slots:{slot_id}"])
def book(slot_id: str, title: str) -> str:
    return slot_id + title


@look.tool(writes=[])
def mail(act: Act, to: str, copies: int = 1) -> int:
    return copies


@look.planner("Book {slot_id}")
def book_slot(plan: Planning, slot_id: str) -> None:
    booked = plan.step(book, slot_id=slot_id, title="Stand-up")
    plan.step(book, slot_id, "Stand-up")
    plan.step(book, slot_id=7, title="Stand-up")  # E: arg-type
    plan.step(book, slot_id=slot_id)  # E: call-arg
    plan.step(book, slot_id=slot_id, title="Stand-up", note="x")  # E: call-arg
    reveal_type(booked.result)  # R: str

    sent = plan.step(mail, to="kim")
    plan.step(mail, to=booked.result, copies=2)
    plan.step(mail, to=sent.result)  # E: arg-type
    plan.step(mail, act=None, to="kim")  # E: call-arg
    reveal_type(sent.result)  # R: int

    plan.step(print, "hello")  # E: arg-type


book("slot-42", "Stand-up")  # E: operator
mail(to="kim")  # E: operator
reveal_type(book.unguarded("slot-42", "Stand-up"))  # R: str
book.unguarded("slot-42")  # E: call-arg

look.propose("Book it", [book.step("slot-42", "Stand-up")], evidence=[])
book.step("slot-42", 7)  # E: arg-type


@look.tool  # E: arg-type, call-arg
def forgotten(slot_id: str) -> None:
    pass
