from lastlook import JsonFiles, Lastlook, Planning

look = Lastlook(sources={"slots": JsonFiles("slots")})

@look.tool(writes=["slots:{slot_id}"])
def book(slot_id: str, title: str) -> str:
    return f"booked {slot_id} for {title}"          # your code: the real side effect

@look.planner("Book {slot_id} for {title}")
def book_slot(plan: Planning, slot_id: str, title: str) -> None:
    plan.read(f"slots:{slot_id}", "time", "status == 'available'")   # what the yes rests on
    plan.step(book, slot_id=slot_id, title=title)                    # what will run

if __name__ == "__main__":
    print(book_slot.run("slot-42", "Stand-up").text())  # shows, asks, looks again, runs or blocks
