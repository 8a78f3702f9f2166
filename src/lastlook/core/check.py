"""The check: evidence beside a new reading gives Valid, Stale or Unresolvable.

Pure functions of what they are given. What a record does when it is read (a property
that raises, a value without a canonical form, a tree without end) makes the dependency
Unresolvable; it never makes the check raise, and never makes it Valid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lastlook.core.compare import Now, compare_row, read_now
from lastlook.core.digests import start, whole_digest
from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound
from lastlook.core.members import check_members
from lastlook.core.opened import Opened, opened
from lastlook.core.results import (
    Change,
    ChangeKind,
    CheckResult,
    Stale,
    Unresolvable,
    Valid,
)
from lastlook.core.taking import salt_of
from lastlook.core.withheld import UNREADABLE, told
from lastlook.errors import BadFormat, FieldSyntaxError, LastlookError, NotCanonical

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lastlook.core.evidence import Evidence
    from lastlook.core.selectors import Select

__all__ = [
    "Change",
    "ChangeKind",
    "CheckResult",
    "Stale",
    "Unresolvable",
    "Valid",
    "check",
    "check_reading",
]


def check(evidence: Evidence[Any], record: object) -> CheckResult:
    """Look at a record again: do the declared fields still hold?

    Args:
        evidence: What `capture` returned, or what was read back from its JSON.
        record: The record now. For evidence of a query, its members: a mapping from
            member key to record, or pairs of the two. Of evidence of an absence any
            record is a change.

    Returns:
        Valid, Stale with every field that changed, or Unresolvable where the record
        has no canonical form.

    Raises:
        BadFormat: The evidence has an unknown scheme, or is damaged.
        DeclarationError: A field is secret; `check_reading` takes its salt.
    """
    if not hasattr(evidence, "fingerprint"):
        raise BadFormat(
            f"a {type(evidence).__name__} is no evidence", fix="Pass what capture returned."
        )
    return _look(evidence, record, None)


def check_reading(
    evidence: Evidence[Any],
    reading: object,
    *,
    salts: Mapping[str, bytes] | None = None,
    absence_is_proof: bool = False,
) -> CheckResult:
    """Check evidence against what a source answered.

    Args:
        evidence: What was captured.
        reading: A `Found`, `NotFound`, `NoAccess` or `NoAnswer`. Anything else counts
            as no answer. Where a field is secret, its reason is withheld: only the
            kind of failure is told.
        salts: The salts of secret fields, under `ref#selector`.
        absence_is_proof: Whether the source's *not found* proves an absence.

    Raises:
        BadFormat: The evidence has an unknown scheme, or is damaged.
        DeclarationError: A field is secret and no salts are given at all.
    """
    if isinstance(reading, Found):
        return _look(evidence, reading.record, salts)
    ready = opened(evidence)
    if isinstance(reading, NotFound):
        return _not_found(evidence, ready, reading, proof=absence_is_proof)
    if isinstance(reading, NoAccess):
        reason = told(reading.reason, "no access", evidence.fields)
        return Unresolvable(ref=evidence.ref, reason=reason, kind="no_access")
    if isinstance(reading, NoAnswer):
        words = reading.reason
    else:
        words = f"the source answered with a {type(reading).__name__}, which is no reading"
    return Unresolvable(ref=evidence.ref, reason=told(words, "no answer", evidence.fields))


def _not_found(
    evidence: Evidence[Any], ready: Opened, reading: NotFound, *, proof: bool
) -> CheckResult:
    if evidence.kind != "absence":
        words = told(reading.reason, "not found", evidence.fields)
        return Unresolvable(ref=evidence.ref, reason=words, kind="not_found")
    if proof:
        return ready.unchanged
    reason = "that the source finds nothing is no proof that there is nothing"
    return Unresolvable(ref=evidence.ref, reason=reason, kind="not_found")


def _look(
    evidence: Evidence[Any], record: object, salts: Mapping[str, bytes] | None
) -> CheckResult:
    try:
        ready = opened(evidence)
    except FieldSyntaxError as error:  # a wildcard, and its extra is not installed here
        return Unresolvable(ref=evidence.ref, reason=str(error), kind="unreadable")
    if ready.was is not None and _still(ready.chosen.getters, ready.was, record):
        return ready.unchanged
    if evidence.kind == "absence":
        return _appeared(evidence)
    known = _salts(evidence, ready, salts)
    if isinstance(known, Unresolvable):
        return known
    try:
        if evidence.kind == "query":
            return check_members(evidence, ready, record, known)
        now = [
            read_now(part, record, salt)
            for part, salt in zip(ready.chosen.parts, known, strict=True)
        ]
        return _compared(evidence, ready, now)
    except Exception as error:  # noqa: BLE001  # a record's own code may raise anything
        reason = told(_reason(error), UNREADABLE, evidence.fields)
        return Unresolvable(ref=evidence.ref, reason=reason, kind="unreadable")


def _still(getters: Sequence[tuple[int, Select]], was: Sequence[Any], record: object) -> bool:
    """Tell whether each field is, in type and value, what it was; if unsure, no."""
    try:
        for number, get in getters:
            now, before = get(record), was[number]
            if type(now) is not type(before) or now != before:
                return False
    except Exception:  # noqa: BLE001  # a record's own code may raise anything
        return False
    return True


def _reason(error: Exception) -> str:
    """Return a sentence for an error that a record may have made itself."""
    if type(error) is NotCanonical:
        return str(error)
    return f"{UNREADABLE}: {type(error).__name__}"


def _salts(
    evidence: Evidence[Any], ready: Opened, salts: Mapping[str, bytes] | None
) -> list[bytes] | Unresolvable:
    """Return one salt a field, empty for those that are not secret."""
    try:
        return [
            salt_of(part.field, evidence.ref, salts) if part.field.is_secret else b""
            for part in ready.chosen.parts
        ]
    except LastlookError as error:
        if salts is None:
            raise
        return Unresolvable(ref=evidence.ref, reason=str(error), kind="unreadable")


def _appeared(evidence: Evidence[Any]) -> Stale:
    """Return the result where a record is there whose absence was the evidence."""
    change = Change(field="", text="$", kind="appeared", before=("absent",), after=("value", {}))
    return Stale(
        ref=evidence.ref,
        changed=("",),
        changes=(change,),
        captured=evidence.fingerprint,
        current=whole_digest(start("record", evidence.ref), ()),
        fields=0,
    )


def _compared(evidence: Evidence[Any], ready: Opened, now: list[Now]) -> CheckResult:
    changes, moved = compare_row(ready.chosen.parts, evidence.cells, now)
    if not changes and not moved:
        return ready.unchanged
    cells = tuple(each.cell for each in now)
    texts = [part.text(cell) for part, cell in zip(ready.chosen.parts, cells, strict=True)]
    about: dict[str, Any] = {
        "ref": evidence.ref,
        "fields": len(evidence.fields),
        "captured": evidence.fingerprint,
        "current": whole_digest(start("record", evidence.ref), texts),
        "cells": cells,
    }
    if not changes:
        return Valid(moved=tuple(moved), **about)
    changed = tuple(change.field for change in changes)
    return Stale(changed=changed, changes=tuple(changes), **about)
