"""Queries as evidence: named members, compared one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lastlook.core.canonical import to_wire
from lastlook.core.cells import NOT_THERE, FieldSet, Part, field_set
from lastlook.core.compare import Now, change, compare_row, read_now
from lastlook.core.digests import member_text, start, whole_digest
from lastlook.core.evidence import Evidence, Member
from lastlook.core.results import Change, CheckResult, Stale, Unresolvable, Valid
from lastlook.core.taking import take_cells
from lastlook.core.withheld import holds_secret, without_words
from lastlook.errors import CaptureFailed, DeclarationError, NotCanonical

if TYPE_CHECKING:
    from datetime import datetime

    from lastlook.core.evidence import Cell, Consistency
    from lastlook.core.fields import FieldsLike
    from lastlook.core.opened import Opened

Members = Mapping[str, object] | Iterable[tuple[str, object]]
"""A query's answer: records by member key."""


class _TooMany(Exception):
    """An answer has more members than the cap allows."""


def capture_members(
    members: Members,
    fields: FieldsLike = (),
    *,
    ref: str = "",
    params: object = None,
    may: Literal["", "grow", "shrink"] = "",
    cap: int,
    captured_at: datetime | None = None,
    version: str | None = None,
    source_config: str = "",
    consistency: Consistency = "linearizable",
    salts: Mapping[str, bytes] | None = None,
    previous: Evidence[Any] | None = None,
) -> Evidence[Any]:
    """Keep which members a query had, and what each held under the declared fields.

    Args:
        members: The answer: a mapping from member key to record, or pairs of the two.
        fields: The fields of each member; none means that membership alone counts.
        ref: `source:query`.
        params: The query's arguments.
        may: Whether members may be added (`grow`) or go (`shrink`) without harm.
        cap: The most members that the answer may have, now and later.
        captured_at: When it was read (UTC).
        version: What the source calls the answer's version.
        source_config: The digest of the source's configuration.
        consistency: What the source declares of its reads.
        salts: For each secret field, 32 random bytes under `ref#selector`.
        previous: The evidence of the blocked plan that a fresh one follows.

    Raises:
        CaptureFailed: There are more members than `cap`.
        DeclarationError: As `capture` raises its subclasses; `where` begins with the key.
        NotCanonical: A key or a declared value has no canonical form.
    """
    if cap < 1:
        raise DeclarationError("a query needs a cap of at least one member")
    chosen = _chosen(fields)
    try:
        rows = list(_rows(members, cap))
    except _TooMany as error:
        raise CaptureFailed(
            f"{ref or 'the query'} {error}", fix="Narrow it, or raise its cap."
        ) from None
    except NotCanonical as error:
        if not holds_secret(chosen.fields):
            raise
        raise without_words(error, ()) from None
    kept: list[Member] = []
    texts: list[str] = []
    for key, record in rows:
        cells, row = take_cells(record, chosen, ref, salts, previous)
        kept.append(Member(key=key, cells=tuple(cells)))
        texts.append(member_text(key, row))
    wire = to_wire(params)
    return Evidence(
        kind="query", ref=ref, params=wire, fields=chosen.fields, members=tuple(kept),
        fingerprint=whole_digest(start("query", ref, wire), texts), may=may, cap=cap,
        version=version, captured_at=captured_at, source_config=source_config,
        consistency=consistency,
    )  # fmt: skip


def _chosen(fields: FieldsLike) -> FieldSet:
    if not isinstance(fields, str | type) and isinstance(fields, Iterable):
        fields = tuple(fields)
    return field_set(fields) if fields else FieldSet(())


def _rows(members: Any, cap: int) -> Iterator[tuple[str, object]]:
    """Return keys and records, sorted by key; each key once."""
    pairs = members.items() if isinstance(members, Mapping) else members
    rows: dict[str, object] = {}
    for pair in pairs:
        if not isinstance(pair, tuple):
            raise NotCanonical("a member is not a pair of key and record")
        key, record = pair
        if not isinstance(key, str):
            raise NotCanonical(f"a member's key is not a text but a {type(key).__name__}")
        text = to_wire(key)
        if text in rows:
            raise NotCanonical(f"two members have one key, {text!r}")
        rows[text] = record
        if len(rows) > cap:
            raise _TooMany(f"has more than {cap:,} members")
    return iter(sorted(rows.items()))


class _Difference(NamedTuple):
    """What is different between two answers."""

    changes: list[Change]
    moved: list[str]


def check_members(
    evidence: Evidence[Any], ready: Opened, answer: object, salts: list[bytes]
) -> CheckResult:
    """Compare a query's answer with its evidence, member by member.

    Whatever the answer's own code raises comes through.
    """
    try:
        rows = dict(_rows(answer, evidence.cap))
    except _TooMany as error:
        return Unresolvable(ref=evidence.ref, reason=f"the answer {error}", kind="unreadable")
    now = {
        key: [
            read_now(part, record, salt)
            for part, salt in zip(ready.chosen.parts, salts, strict=True)
        ]
        for key, record in rows.items()
    }
    changes, moved = _compared(evidence, ready, now)
    if not changes and not moved:
        return ready.unchanged
    opening = start("query", evidence.ref, evidence.params)
    about: dict[str, Any] = {
        "ref": evidence.ref,
        "fields": len(evidence.fields),
        "captured": evidence.fingerprint,
        "current": whole_digest(opening, [_text(ready, *row) for row in now.items()]),
    }
    if not changes:
        return Valid(moved=tuple(dict.fromkeys(moved)), **about)
    changed = tuple(dict.fromkeys(each.field for each in changes))
    return Stale(changed=changed, changes=tuple(changes), **about)


def _text(ready: Opened, key: str, row: list[Now]) -> str:
    cells = [part.text(each.cell) for part, each in zip(ready.chosen.parts, row, strict=True)]
    return member_text(key, cells)


def _compared(evidence: Evidence[Any], ready: Opened, now: dict[str, list[Now]]) -> _Difference:
    found = _Difference([], [])
    before = {member.key: member.cells for member in evidence.members}
    for key in sorted(before.keys() | now.keys()):
        if key not in now:
            _gone(found, evidence, ready, key, before[key])
        elif key not in before:
            _new(found, evidence, ready, key, now[key])
        else:
            changes, moved = compare_row(ready.chosen.parts, before[key], now[key], key)
            found.changes.extend(changes)
            found.moved.extend(moved)
    return found


def _gone(
    found: _Difference, evidence: Evidence[Any], ready: Opened, key: str, cells: tuple[Cell, ...]
) -> None:
    if evidence.may == "shrink":
        found.moved.append("")
        return
    found.changes.append(
        Change(
            field="", text="$", kind="member_gone", before=as_object(ready.chosen.parts, cells),
            after=NOT_THERE, member=key,
        )
    )  # fmt: skip


def _new(
    found: _Difference, evidence: Evidence[Any], ready: Opened, key: str, row: list[Now]
) -> None:
    """Take in a member that was not there: where it may come, its conditions count."""
    if evidence.may != "grow":
        after = as_object(ready.chosen.parts, [each.cell for each in row])
        found.changes.append(
            Change(field="", text="$", kind="member_new", before=NOT_THERE, after=after, member=key)
        )
        return
    found.moved.append("")
    for part, each in zip(ready.chosen.parts, row, strict=True):
        if not _may_come(part, each):
            found.changes.append(change(part, "condition", NOT_THERE, each.cell, key))


def _may_come(part: Part, now: Now) -> bool:
    if now.plain == NOT_THERE:
        return part.field.is_optional or part.holds is None
    if part.holds is None:
        return not now.wrong
    values = [value for _, value in now.plain[1]] if part.wildcard else [now.plain[1]]
    return all(map(part.holds, values))


def as_object(parts: Iterable[Part], cells: Iterable[Cell]) -> Cell:
    """Return a member's fields as one object, by their text; secrets and gaps left out."""
    pairs = zip(parts, cells, strict=True)
    held = {part.field.text: cell[1] for part, cell in pairs if cell[0] == "value"}
    return ("value", {f"${name}" if name.startswith("$") else name: held[name] for name in held})
