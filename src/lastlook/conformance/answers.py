"""The library's own answers to the requests of the line protocol.

What `lastlook conformance` asks other programs is asked here of this one, so that the
vectors are never a third reading of the formats.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from lastlook.core.canonical import LIMITS, encode_text, from_wire, to_wire
from lastlook.core.evidence import Evidence, IndexedField, capture
from lastlook.core.fields import parse_field
from lastlook.core.jsontext import parse_json, parse_wire
from lastlook.core.lifecycle import JournalRow, PlanRecord
from lastlook.core.members import capture_members
from lastlook.core.plan import idempotency_key, seal_of
from lastlook.errors import (
    BadJSON,
    CaptureFailed,
    ConditionNotMet,
    DeclarationError,
    FieldSyntaxError,
    LastlookError,
    NoFields,
    NotCanonical,
    PathNamesNothing,
    StoreCorrupt,
    UnknownPlan,
)
from lastlook.stores.journal import heads_digest, verify
from lastlook.stores.rows import data_bytes, row_digest

if TYPE_CHECKING:
    from collections.abc import Iterator

Request = Mapping[str, Any]
Answer = dict[str, Any]

REFUSALS: Final[tuple[tuple[type[LastlookError], str], ...]] = (
    (BadJSON, "json"),
    (NotCanonical, "value"),
    (FieldSyntaxError, "field"),
    (NoFields, "field"),
    (PathNamesNothing, "absent"),
    (ConditionNotMet, "condition"),
    (DeclarationError, "declaration"),
    (CaptureFailed, "too_many"),
)
"""Which word of the specification each error is; the first that fits counts."""


def answer(request: Request) -> Answer:
    """Return the answer to one request, without its id.

    Args:
        request: As in the specification: `op`, and what that operation takes.

    Returns:
        What the operation gives, or `{"refused": WORD}`, or `{"unsupported": OP}`.
    """
    operation = OPERATIONS.get(request["op"])
    if operation is None:
        return {"unsupported": request["op"]}
    try:
        return operation(request)
    except LastlookError as error:
        return {"refused": next(word for kind, word in REFUSALS if isinstance(error, kind))}


def _json(request: Request) -> Answer:
    value = parse_json(request["text"])
    return {"bytes": encode_text(to_wire(value, strict=request["strict"]))}


def _typed(request: Request) -> Answer:
    return {"bytes": encode_text(parse_wire(request["text"], limits=LIMITS))}


def _field(request: Request) -> Answer:
    field = parse_field(request["text"])
    return {
        "selector": field.selector,
        "rule": encode_text(field.rule),
        "optional": field.is_optional,
        "secret": field.is_secret,
        "printed": str(field),
    }


def _capture(request: Request) -> Answer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndexedField)
        evidence = _evidence(request)
    if evidence.kind == "query":
        cells = [[member.key, _triples(evidence, member.cells)] for member in evidence.members]
    else:
        cells = _triples(evidence, evidence.cells)
    return {
        "fingerprint": evidence.fingerprint,
        "digests": list(evidence.digests),
        "cells": encode_text(cells),
    }


def _triples(evidence: Evidence[Any], cells: tuple[Any, ...]) -> list[Any]:
    rows = zip(evidence.fields, cells, strict=True)
    return [[field.selector, field.rule, cell] for field, cell in rows]


def _evidence(request: Request) -> Evidence[Any]:
    salts = {name: bytes.fromhex(salt) for name, salt in request.get("salts", {}).items()} or None
    if request["kind"] == "query":
        pairs = [tuple(pair) for pair in _value(request["members"])]
        return capture_members(
            pairs,
            request["fields"],
            ref=request["ref"],
            params=_value(request["params"]),
            cap=request["cap"],
            salts=salts,
        )
    return capture(
        _value(request["record"]),
        request["fields"],
        ref=request["ref"],
        kind=request["kind"],
        salts=salts,
    )


def _value(text: str) -> Any:
    return from_wire(parse_wire(text, limits=LIMITS))


def _seal(request: Request) -> Answer:
    return {"seal": seal_of(request["body"].encode())}


def _key(request: Request) -> Answer:
    arguments = parse_wire(request["arguments"])
    return {"key": idempotency_key(request["root"], request["step"], request["tool"], arguments)}


class _OneChain:
    """A store that holds one plan: the rows of a request."""

    def __init__(self, rows: list[JournalRow], count: int, head: str) -> None:
        self._rows = rows
        last = rows[-1]
        self._plan = PlanRecord(
            id=last.plan, lineage=last.plan, number=1, follows=None, requested_by="", key=None,
            body=b"", seal="", state=last.state, state_at=last.at, epoch=last.epoch,
            step=last.step, rows=count, head=head,
        )  # fmt: skip

    def plans(self) -> list[PlanRecord]:
        return [self._plan]

    def get(self, plan: str) -> PlanRecord:
        if plan != self._plan.id:
            raise UnknownPlan(plan)
        return self._plan

    def unreadable(self) -> tuple[StoreCorrupt, ...]:
        return ()

    def rows(self, _plan: str = "") -> Iterator[JournalRow]:
        return iter(self._rows)


def _chain(request: Request) -> Answer:
    rows = [msgspec.convert(row, JournalRow) for row in _value(request["rows"])]
    keys = {name: bytes.fromhex(key) for name, key in request["keys"].items()}
    store: Any = _OneChain(rows, request["count"], request["head"])
    problems = verify(store, keys=keys).problems
    return {
        "digests": [_digest(row, keys) for row in rows],
        "wrong": min((problem.row for problem in problems), default=0),
    }


def _digest(row: JournalRow, keys: Mapping[str, bytes]) -> str | None:
    if row.key_id is not None and row.key_id not in keys:
        return None
    return row_digest(row, data_bytes(row.data), keys.get(row.key_id or ""))


def _heads(request: Request) -> Answer:
    return {"head": heads_digest((plan, rows, head) for plan, rows, head in request["heads"])}


OPERATIONS: Final[Mapping[str, Callable[[Request], Answer]]] = {
    "json": _json,
    "typed": _typed,
    "field": _field,
    "capture": _capture,
    "seal": _seal,
    "key": _key,
    "chain": _chain,
    "heads": _heads,
}
"""What can be asked, by its name."""

__all__ = ["OPERATIONS", "REFUSALS", "answer"]
