"""What the vectors of the journal ask: chains that hold, and chains that somebody touched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from lastlook.conformance.answers import answer

Request = dict[str, Any]
Row = dict[str, Any]

KEY = "0f" * 32
WAY = ["pending", "confirmed", "claimed", "executing", "executing", "executed"]


def _text(rows: list[Row]) -> str:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _digests(rows: list[Row]) -> list[str]:
    request = {"op": "chain", "rows": _text(rows), "keys": {"k1": KEY}, "count": 0, "head": ""}
    return list(answer(request)["digests"])


def _chained(states: list[str], *, keyed: bool = False) -> list[Row]:
    rows: list[Row] = []
    for number, state in enumerate(states, 1):
        rows.append({
            "plan": "k7f3",
            "row": number,
            "at": {"$datetime": f"2026-10-23T10:00:0{number}{'.25' * (number % 2)}Z"},
            "was": states[number - 2] if number > 1 else None,
            "state": state,
            "by": "person:kim" if state == "confirmed" else "lastlook",
            "epoch": int(number > 2),
            "step": max(number - 3, 0),
            "data": {"seal": "sha256:" + "ab" * 32, "né": [1, None, "\U0001f600"]} if number % 3 == 1 else None,
            "key_id": "k1" if keyed and number > 1 else None,
            "prev": _digests(rows)[-1] if rows else "",
        })  # fmt: skip
    return rows


def _asked(rows: list[Row], keys: dict[str, str] | None = None, **over: Any) -> Request:
    known = {"k1": KEY} if keys is None else keys
    head = _digests(rows)[-1]
    return {
        "op": "chain",
        "rows": _text(rows),
        "keys": known,
        "count": rows[-1]["row"],
        "head": head,
        **over,
    }


def journal() -> Iterator[tuple[str, Request]]:
    """Rows, chains, what is wrong with them, and the head over all plans."""
    whole, keyed = _chained(WAY), _chained(WAY, keyed=True)
    yield "one row", _asked(whole[:1])
    yield "a whole chain", _asked(whole)
    yield "a keyed chain", _asked(keyed)
    yield "a keyed chain without its key", _asked(keyed, keys={})
    yield "a keyed chain under another key", _asked(keyed, keys={"k1": "1e" * 32})
    yield "a row edited", _asked([*whole[:2], whole[2] | {"by": "person:eve"}, *whole[3:]])
    yield (
        "the last row edited",
        _asked([*whole[:5], whole[5] | {"step": 1}], head=_digests(whole)[-1]),
    )
    yield "a row removed", _asked([*whole[:3], *whole[4:]])
    yield "the first row removed", _asked(whole[1:])
    yield "the last row cut off", _asked(whole[:5], count=6, head=_digests(whole)[-1])
    yield "a row put in twice", _asked([*whole[:3], whole[2], *whole[3:]])
    yield "two rows exchanged", _asked([whole[0], whole[2], whole[1], *whole[3:]])
    yield "a move that no plan makes", _asked(_chained(["pending", "executed"]))
    yield "a first row that begins somewhere", _asked([whole[0] | {"was": "pending"}])
    yield "a first row that is chained", _asked([whole[0] | {"prev": "ab" * 32}])
    yield "another end than the plan has", _asked(whole, head="ab" * 32)
    for ends in (["pending", "rejected"], ["parked", "expired"], ["pending", "blocked_tampered"]):
        yield f"a chain to {ends[-1]}", _asked(_chained(ends))
    yield from _heads()


def _heads() -> Iterator[tuple[str, Request]]:
    heads = [[f"k{n}", n + 1, f"{n:02x}" * 32] for n in range(8)]
    for size in (0, 1, 2, 3, 5, 7, 8):
        yield f"the head of {size} plans", {"op": "heads", "heads": heads[:size]}
    names = [["\U0001f600", 1, "00" * 32], ["\ue000", 1, "11" * 32], ["a", 2, "22" * 32]]
    yield "plans are sorted by UTF-8", {"op": "heads", "heads": names}
