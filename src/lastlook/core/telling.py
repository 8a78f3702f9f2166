"""Outcomes, plans and journal rows as JSON data: plain types, secrets masked.

All of it passes `json.dumps(..., allow_nan=False)`. Values are typed JSON, as in the
stored plan; what a field selected is a cell: `["value", v]`, `["absent"]` or
`["secret"]`. Times are UTC, written `2026-10-03T14:09:13Z`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from lastlook.core.advice import tell
from lastlook.core.canonical import to_wire
from lastlook.core.check import Change, CheckResult, Stale, Unresolvable
from lastlook.core.evidence import Cell, Evidence
from lastlook.core.evidence_file import HoldsEvidence
from lastlook.core.fields import Field
from lastlook.core.lifecycle import JournalRow, PlanRecord
from lastlook.core.look_alikes import first_difference
from lastlook.core.outcome import (
    AlreadyUsed,
    Blocked,
    BlockedTampered,
    BlockedUnresolvable,
    Confirmed,
    Done,
    Executed,
    InProgress,
    Outcome,
    Refused,
    Rejected,
    Unsettled,
)
from lastlook.core.plan import ActionPlan
from lastlook.core.screens.fields import SECRET, demand, distance, field_of, mask_texts, masked
from lastlook.errors import NotCanonical

_REASONS: Final = {
    "changed": "it changed",
    "removed": "it is not there any more",
    "appeared": "it was not there before",
    "type": "it is of another type",
    "condition": "its condition is false now",
    "looks_alike": "it looks the same and is not",
    "member_gone": "this member is gone",
    "member_new": "this member is new",
    "member_changed": "this member changed",
    "unreadable": "it can't be compared",
}


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON data; `tell`, at the end, is for a model."""
    plan = outcome.plan
    known = bool(plan.steps) and not isinstance(outcome, BlockedTampered)
    return {
        "outcome": outcome.name,
        "ok": outcome.ok,
        "exit": outcome.exit_code,
        "plan": plan.id,
        "lineage": plan.lineage,
        "intent": plan.intent if known else None,
        "seal": plan.seal if known else None,
        "changed": {ref: list(fields) for ref, fields in outcome.changed.items()},
        "checks": checks_data(plan, outcome.checks),
        **_particulars(outcome),
        "tell": tell(outcome),
    }


def _particulars(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Executed():
            return {
                "results": [_result(item) for item in outcome.results],
                "completed_at": _time(outcome.completed_at),
                "guarantee": msgspec.to_builtins(outcome.guarantee),
                "done": [_done(item) for item in outcome.done],
            }
        case Confirmed():
            yes = outcome.confirmation
            return {"by": yes.by, "at": _time(yes.at), "shown": yes.shown}
        case Blocked():
            return _blocked(outcome)
        case Refused():
            return _refused(outcome)
        case Unsettled():
            return _unsettled(outcome)
        case _:
            return {}


def _blocked(outcome: Blocked) -> dict[str, Any]:
    data: dict[str, Any] = {
        "at": _time(outcome.at),
        "confirmed_at": _time(outcome.confirmed_at),
        "fresh": outcome.fresh.id if outcome.fresh else None,
        "why_no_fresh": outcome.why_no_fresh,
    }
    if isinstance(outcome, BlockedUnresolvable | BlockedTampered):
        data["reason"] = outcome.reason
    return data


def _refused(outcome: Refused) -> dict[str, Any]:
    data: dict[str, Any] = {"reason": outcome.reason, "at": _time(outcome.at)}
    match outcome:
        case AlreadyUsed():
            data["state"] = str(outcome.state)
        case InProgress():
            data["owner"] = outcome.owner
        case Rejected():
            data |= {"by": outcome.by, "why": outcome.why}
        case _:
            pass
    return data


def _unsettled(outcome: Unsettled) -> dict[str, Any]:
    key = next((step.key for step in outcome.plan.steps if step.number == outcome.step), "")
    return {
        "done": [_done(item) for item in outcome.done],
        "step": outcome.step,
        "not_done": list(outcome.not_done),
        "key": key,
        "reason": outcome.reason,
        "at": _time(outcome.at),
        "confirmed_at": _time(outcome.confirmed_at),
    }


def _done(done: Done) -> dict[str, Any]:
    return {
        "step": done.step,
        "tool": done.tool,
        "result": _result(done.result),
        "unsaid": list(done.unsaid),
    }


def _result(value: object) -> Any:
    try:
        return to_wire(value)
    except NotCanonical:
        return {"unserialisable": type(value).__qualname__}


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def checks_data(plan: HoldsEvidence, checks: Iterable[CheckResult]) -> list[dict[str, Any]]:
    """Return check results as JSON data: per ref and field old value, new value, reason."""
    evidence = {item.ref: item for item in plan.evidence}
    return [_check(item, evidence.get(item.ref)) for item in checks]


def _check(item: CheckResult, evidence: Evidence[Any] | None) -> dict[str, Any]:
    if isinstance(item, Unresolvable):
        return {"ref": item.ref, "result": "unresolvable", "kind": item.kind, "reason": item.reason}
    data = {
        "ref": item.ref,
        "result": "stale" if isinstance(item, Stale) else "valid",
        "fields": item.fields,
        "captured": item.captured,
        "current": item.current,
    }
    if isinstance(item, Stale):
        changes = [_change(each, field_of(evidence, each.field)) for each in item.changes]
        return {**data, "changed": list(item.changed), "changes": changes}
    return {**data, "moved": list(item.moved)}


def _change(change: Change, field: Field | None) -> dict[str, Any]:
    secret = "secret" in {change.before[0], change.after[0]} or (field and field.is_secret)
    member = {"member": change.member} if change.member else {}
    return {
        "field": change.field,
        "text": change.text if field is None else masked(field),
        **member,
        "kind": change.kind,
        "old": ["secret"] if secret else _cell(change.before),
        "new": ["secret"] if secret else _cell(change.after),
        "reason": _reason(change, None if secret else field),
    }


def _reason(change: Change, field: Field | None) -> str:
    before, after = change.before[-1], change.after[-1]
    if change.kind == "condition" and field is not None and demand(field):
        return f"it must be {demand(field)}"
    if field is not None and distance(field):
        return f"it must stay within {distance(field)}"
    if change.kind == "looks_alike" and isinstance(before, str) and isinstance(after, str):
        return f"{_REASONS['looks_alike']}: {first_difference(before, after)}"
    return _REASONS[change.kind]


def _cell(cell: Cell) -> list[Any]:
    return ["secret"] if cell[0] == "secret" else _plain(cell)


def plan_data(plan: ActionPlan) -> dict[str, Any]:
    """Return a plan as JSON data: its body with secrets masked, and its seal."""
    data: dict[str, Any] = msgspec.json.decode(plan.body)
    data["seal"] = plan.seal
    data["origin"]["template"] = mask_texts(data["origin"].get("template"))
    for item, shown in zip(plan.evidence, data.get("evidence", ()), strict=True):
        _mask(item, shown)
    return data


def _mask(item: Evidence[Any], shown: dict[str, Any]) -> None:
    for field, made in zip(item.fields, shown.get("fields", ()), strict=True):
        if field.is_secret and field.rule:
            made["rule"] = dict.fromkeys(made["rule"], SECRET)
    for holder in (shown, *shown.get("members", ())):
        if "cells" in holder:
            holder["cells"] = [_cell(cell) for cell in holder["cells"]]


def record_data(record: PlanRecord) -> dict[str, Any]:
    """Return where a plan stands as JSON data; without its body and its salts."""
    kept: Mapping[str, Any] = {
        name: getattr(record, name)
        for name in record.__struct_fields__
        if name not in {"body", "salts", "outcome"}
    }
    data: dict[str, Any] = _plain(kept)
    data["outcome"] = None if record.outcome is None else msgspec.json.decode(record.outcome)
    return data


def row_data(row: JournalRow) -> dict[str, Any]:
    """Return a journal row as JSON data."""
    data: dict[str, Any] = _plain(row)
    return data


def _plain(value: object) -> Any:
    """Return a value as `json.loads` would give it: dict, list, str, int, float, bool, None."""
    return msgspec.json.decode(msgspec.json.encode(value))
