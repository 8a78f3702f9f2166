"""The pure functions, for whoever wants no more than those."""

from __future__ import annotations

from lastlook import capture, check, fingerprint

record = {"slot_id": "slot-42", "status": "available"}

reveal_type(fingerprint(record, ["status"]))  # R: str
fingerprint(record, 7)  # E: arg-type
evidence = capture(record, "status")
check(record, evidence)  # E: arg-type
