"""Two pieces of evidence side by side: whatever differs, whether or not it may.

A check asks whether what was captured still holds, and a condition may let a value move.
Here it is asked what is different, so conditions are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from lastlook.core.cells import NOT_THERE, FieldSet, Part
from lastlook.core.check import check_reading
from lastlook.core.compare import Now, compare_row
from lastlook.core.evidence import Cell, Evidence, Found, Reading
from lastlook.core.fields import Field
from lastlook.core.jcs import encode_text
from lastlook.core.members import as_object, capture_members
from lastlook.core.results import Change, CheckResult, Stale, Unresolvable, Valid
from lastlook.core.rules import MARKS
from lastlook.errors import LastlookError

Row: TypeAlias = tuple[Cell, ...]
NoteKind: TypeAlias = Literal["only_before", "only_after", "declared", "kind", "source"]


class Note(Struct, frozen=True, kw_only=True):
    """A difference in what was asked, not in what was found.

    Attributes:
        kind: The ref, or one field of it, is `only_before` or `only_after`; the field is
            `declared` in two ways; the evidence is of another `kind`; the `source` is
            configured in another way, which by itself is no difference.
        ref: The dependency, `source:key`.
        field: The field as people write it; empty where it is about the whole.
        before: How it was declared before, or which kind it was.
        after: The same after.
    """

    kind: NoteKind
    ref: str
    field: str = ""
    before: str = ""
    after: str = ""


class Differences(Struct, frozen=True, kw_only=True):
    """What differs between two lists of evidence.

    Attributes:
        evidence: What could be compared, as it was before and without conditions.
        checks: How each of it compares: Valid where nothing differs, Stale with every
            field that does, Unresolvable where there is nothing to compare with.
        notes: What differs besides.
    """

    evidence: tuple[Evidence[Any], ...] = ()
    checks: tuple[CheckResult, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def verdict(self) -> Literal["equal", "different", "unresolvable"]:
        """All together; where something differs and something can't be read, it differs."""
        if any(note.kind != "source" for note in self.notes):
            return "different"
        if any(isinstance(item, Stale) for item in self.checks):
            return "different"
        unread = any(isinstance(item, Unresolvable) for item in self.checks)
        return "unresolvable" if unread else "equal"


class _Pair(NamedTuple):
    """One ref on both sides; a check result stands for what is there no evidence of."""

    before: Evidence[Any]
    after: Evidence[Any] | CheckResult


def between(before: Iterable[Evidence[Any]], after: Iterable[Evidence[Any]]) -> Differences:
    """Compare two lists of evidence, ref by ref and field by field.

    Args:
        before: Each ref, and each question to a query, once.
        after: The same.
    """
    old = {_place(item): item for item in before}
    new = {_place(item): item for item in after}
    pairs = [_Pair(item, new[place]) for place, item in old.items() if place in new]
    gone = [Note(kind="only_before", ref=old[place].ref) for place in old if place not in new]
    come = [Note(kind="only_after", ref=new[place].ref) for place in new if place not in old]
    return _together(pairs, [*gone, *come])


def since(evidence: Sequence[Evidence[Any]], now: Sequence[Evidence[Any] | CheckResult]
) -> Differences:  # fmt: skip
    """Compare evidence with what `reading_of` gives for each piece of it now."""
    return _together([_Pair(*pair) for pair in zip(evidence, now, strict=True)], [])


def reading_of(
    evidence: Evidence[Any], reading: Reading, *, absence_is_proof: bool = False
) -> Evidence[Any] | CheckResult:
    """Return what evidence would hold by a new reading, its conditions left out.

    Returns:
        The evidence as it is now, or the check result that says why there is none: a
        record that can't be read, or one whose absence was the evidence.

    Raises:
        BadFormat: The evidence is damaged.
    """
    result = check_reading(evidence, reading, absence_is_proof=absence_is_proof)
    if isinstance(result, Unresolvable) or evidence.kind == "absence":
        return result
    if evidence.kind == "record" or not isinstance(reading, Found):
        return replace(evidence, cells=result.cells, fingerprint=result.current)
    try:
        fields = [replace(_bare(item), is_optional=True) for item in evidence.fields]
        now = capture_members(reading.record, fields, cap=evidence.cap)
    except LastlookError as error:
        return Unresolvable(ref=evidence.ref, reason=str(error), kind="unreadable")
    return replace(evidence, members=now.members, fingerprint=result.current)


def _together(pairs: Iterable[_Pair], notes: list[Note]) -> Differences:
    kept: list[Evidence[Any]] = []
    checks: list[CheckResult] = []
    for before, after in pairs:
        if not isinstance(after, Evidence):
            kept.append(before)
            checks.append(after)
            continue
        notes += _notes(before, after)
        if before.kind != after.kind:
            continue
        bare, found = _compared(before, after)
        if bare.fields or before.kind != "record":
            kept.append(bare)
            checks.append(found)
    return Differences(evidence=tuple(kept), checks=tuple(checks), notes=tuple(notes))


def _place(item: Evidence[Any]) -> tuple[str, str]:
    return item.ref, encode_text(item.params)


def _notes(before: Evidence[Any], after: Evidence[Any]) -> list[Note]:
    """Return what was asked in another way of one ref."""
    ref = before.ref
    if before.kind != after.kind:
        return [Note(kind="kind", ref=ref, before=before.kind, after=after.kind)]
    notes: list[Note] = []
    if before.source_config != after.source_config:
        notes.append(Note(kind="source", ref=ref))
    old, new = _by_selector(before.fields), _by_selector(after.fields)
    for selector in sorted(old.keys() | new.keys()):
        if selector not in new:
            notes.append(Note(kind="only_before", ref=ref, field=old[selector].shown))
        elif selector not in old:
            notes.append(Note(kind="only_after", ref=ref, field=new[selector].shown))
        elif old[selector] != new[selector]:
            was, now = old[selector].shown, new[selector].shown
            name = _bare(Field(selector=selector)).shown
            notes.append(Note(kind="declared", ref=ref, field=name, before=was, after=now))
    return notes


def _by_selector(fields: Iterable[Field]) -> Mapping[str, Field]:
    return {item.selector: item for item in fields}


def _bare(field: Field) -> Field:
    """Return a field that stays as it is, read in the same way."""
    marks: dict[str, Any] = {name: True for name in MARKS if name in field.rule}
    return Field(selector=field.selector, rule=marks)


def _compared(before: Evidence[Any], after: Evidence[Any]) -> tuple[Evidence[Any], CheckResult]:
    """Compare the fields that both read in the same way; return them, and what differs."""
    new = {_bare(item): number for number, item in enumerate(after.fields)}
    both = [(n, field) for n, item in enumerate(before.fields) if (field := _bare(item)) in new]
    parts = FieldSet(tuple(field for _, field in both)).parts
    was = _rows(before, [number for number, _ in both])
    now = _rows(after, [new[field] for _, field in both])
    changes = [
        change
        for key in sorted(was.keys() | now.keys())
        for change in _of_row(parts, was.get(key), now.get(key), key)
    ]
    about: dict[str, Any] = {
        "ref": before.ref,
        "fields": len(parts),
        "captured": before.fingerprint,
        "current": after.fingerprint,
        "cells": now[""] if before.kind == "record" else (),
    }
    fields = tuple(part.field for part in parts)
    bare = replace(before, fields=fields, cells=was[""] if before.kind == "record" else ())
    if not changes:
        return bare, Valid(**about)
    changed = tuple(dict.fromkeys(change.field for change in changes))
    return bare, Stale(changed=changed, changes=tuple(changes), **about)


def _rows(evidence: Evidence[Any], columns: Sequence[int]) -> dict[str, Row]:
    """Return the chosen cells by member, of a record under an empty key."""
    rows = {member.key: member.cells for member in evidence.members}
    if evidence.kind == "record":
        rows[""] = evidence.cells
    return {key: tuple(cells[column] for column in columns) for key, cells in rows.items()}


def _of_row(parts: Sequence[Part], was: Row | None, now: Row | None, key: str) -> list[Change]:
    """Return what differs in a record, or in one member, which may be on one side alone."""
    if was is None or now is None:
        return [
            Change(
                field="",
                text="$",
                kind="member_new" if was is None else "member_gone",
                before=NOT_THERE if was is None else as_object(parts, was),
                after=NOT_THERE if now is None else as_object(parts, now),
                member=key,
            )
        ]
    changes, _ = compare_row(parts, was, [Now(cell, cell) for cell in now], key)
    return changes
