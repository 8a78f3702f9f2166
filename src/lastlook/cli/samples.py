"""What `init` writes: a configuration, a record and a command that belong together."""

from __future__ import annotations

from typing import Final

from lastlook.stores.location import CONFIG

_TOML: Final = """\
# What plans rest on, what they run, and the plans. Paths are relative to this file.
# https://toml.io explains the format; `lastlook doctor` says what is wrong in here.

# A source: where records are read. slots:slot-42 is slots/slot-42.json
[sources.slots]
kind = "files"
root = "slots"

# A tool: a command, without a shell. One element is one argument, whatever is in it.
[tools.book]
run = ["./book.sh", "{slot_id}", "{price}"]
args = { slot_id = "string", price = "number" }
writes = ["slots:{slot_id}#status"]
effect = "books {slot_id} and pays {price}"
not_applied = [75]                # exit codes that promise that nothing was done

# A plan: what it is for, what it rests on, and what runs.
# A condition must hold; a field without one must stay as the person saw it.
[plans.book]
intent = "Book {slot_id}"
args = { slot_id = "string" }
reads = [
  { ref = "slots:{slot_id}", as = "slot", fields = ["time", "price", 'status == "available"'] },
]
steps = [
  # {slot.price} is worked out again whenever there is a fresh question
  { tool = "book", slot_id = "{slot_id}", price = "{slot.price}" },
]
"""

_SLOT: Final = """\
{
  "slot_id": "slot-42",
  "time": "2026-11-03T14:00",
  "status": "available",
  "price": 80,
  "last_modified_by": "scheduler-v1"
}
"""

_BOOK: Final = """\
#!/bin/sh
# Books a slot: book.sh SLOT PRICE. Exits with 75 where nothing was done.
# $LASTLOOK_IDEMPOTENCY_KEY is the same for every try at one step of one plan.
set -eu
slot="slots/$1.json"
grep -q '"status": "available"' "$slot" || exit 75
sed 's/"status": "available"/"status": "booked"/' "$slot" >"$slot.new"
mv "$slot.new" "$slot"
echo "booked $1 for $2"
"""

SAMPLES: Final = {
    CONFIG: (_TOML, 0o666),
    "slots/slot-42.json": (_SLOT, 0o666),
    "book.sh": (_BOOK, 0o777),
}
"""By path beneath the folder, the text and the mode before the umask."""
