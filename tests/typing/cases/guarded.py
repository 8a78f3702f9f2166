"""A guarded function is called as before, and gives what it gave."""

from __future__ import annotations

from lastlook import Lastlook

look = Lastlook(sources={"slots": {}}, store="memory")


@look.guarded(
    "Book {slot_id}", rests_on={"slots:{slot_id}": ["status == 'available'"]}, writes=[]
)
def book(slot_id: str, title: str = "") -> int:
    return 1


reveal_type(book("slot-42"))  # R: int
book(42)  # E: arg-type
book("slot-42", room="B")  # E: call-arg


@look.guarded("Book", writes=[])  # E: call-arg
def resting_on_nothing() -> None:
    pass
