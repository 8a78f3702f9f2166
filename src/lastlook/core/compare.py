"""Comparing one field: the cell at capture beside the cell now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lastlook.core.cells import NOT_THERE, Part, same_cell
from lastlook.core.conditions import is_within
from lastlook.core.decimals import ratio
from lastlook.core.digests import keyed
from lastlook.core.jcs import encode_text
from lastlook.core.results import Change
from lastlook.core.visible import looks_alike

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lastlook.core.evidence import Cell, Wire
    from lastlook.core.results import ChangeKind


class Now(NamedTuple):
    """What one field holds now.

    Attributes:
        cell: The cell as evidence keeps it: keyed where the field is secret.
        plain: The same in the clear.
        wrong: In which way the value is not of the kind that the field declares.
        salt: The salt of a secret field; empty elsewhere.
    """

    cell: Cell
    plain: Cell
    wrong: str = ""
    salt: bytes = b""


class Verdict(NamedTuple):
    """What became of one field: the kind of change if it no longer holds, and if it moved."""

    kind: ChangeKind | None = None
    moved: bool = False


def read_now(part: Part, record: object, salt: bytes = b"") -> Now:
    """Read one field of a record.

    Raises:
        NotCanonical: The value has no canonical form. Whatever the record's own code
            raises comes through.
    """
    plain, wrong = part.cell(part.get(record))
    cell = keyed(salt, plain) if part.field.is_secret else plain
    return Now(cell, plain, wrong, salt)


def compare(part: Part, before: Cell, now: Now) -> Verdict:
    """Decide on one field.

    A field without a condition holds where its cell is the same, to the byte. With one,
    the condition alone decides; but to appear or to go is a change under every rule.
    """
    same = same_cell(before, now.cell)
    if now.wrong:
        return Verdict("type")
    was_there = _was_there(part, before, now)
    if not was_there or now.plain == NOT_THERE:
        return Verdict() if same else Verdict("removed" if was_there else "appeared")
    if part.fixed:
        return Verdict() if same else Verdict(_kind(part, before, now.plain))
    kind = _failed(part, before, now.plain, same=same)
    return Verdict(kind) if kind else Verdict(moved=not same)


def compare_row(
    parts: Sequence[Part], before: Sequence[Cell], now: Sequence[Now], member: str = ""
) -> tuple[list[Change], list[str]]:
    """Decide on every field of a record, or of one member of a query.

    Returns:
        The changes, and the selectors of the fields that moved within their condition.
    """
    changes: list[Change] = []
    moved: list[str] = []
    for part, was, is_now in zip(parts, before, now, strict=True):
        verdict = compare(part, was, is_now)
        if verdict.kind is not None:
            changes.append(change(part, verdict.kind, was, is_now.cell, member))
        elif verdict.moved:
            moved.append(part.field.selector)
    return changes, moved


def change(part: Part, kind: ChangeKind, before: Cell, after: Cell, member: str = "") -> Change:
    """Return the change of one field, of a record or of a member."""
    field = part.field
    if member and kind == "changed":
        kind = "member_changed"
    return Change(
        field=field.selector, text=field.shown, kind=kind, before=before, after=after,
        member=member,
    )  # fmt: skip


def _was_there(part: Part, before: Cell, now: Now) -> bool:
    if part.field.is_secret:
        return tuple(before) != keyed(now.salt, NOT_THERE)
    return bool(before[0] != "absent")


def _failed(part: Part, before: Cell, now: Cell, *, same: bool) -> ChangeKind | None:
    """Return in which way a condition is false now, or None where it holds."""
    if part.wildcard:
        return _failed_match(part, before, now, same=same)
    holds = is_within(part.near, before[1], now[1]) if part.holds is None else part.holds(now[1])
    return None if holds else _unmet(part, now[1])


def _failed_match(part: Part, before: Cell, now: Cell, *, same: bool) -> ChangeKind | None:
    if part.field.is_secret and not same:
        return "changed"  # whether a match is gone can't be told from a digest
    old = dict(_numbered([] if part.field.is_secret else before[1]))
    new = dict(_numbered(now[1]))
    if not old.keys() <= new.keys():
        return "removed"
    for place, value in new.items():
        if part.holds is not None:
            holds = part.holds(value)
        else:
            holds = place in old and is_within(part.near, old[place], value)
        if not holds:
            return _unmet(part, value)
    return None


def _numbered(matches: Wire) -> Iterator[tuple[tuple[str, int], Wire]]:
    """Number the matches of one path: array indices are not compared, how many are there is."""
    seen: dict[str, int] = {}
    for path, value in matches:
        text = encode_text(path)
        seen[text] = seen.get(text, 0) + 1
        yield (text, seen[text]), value


def _unmet(part: Part, value: Wire) -> ChangeKind:
    numeric = part.near is not None or not part.field.rule.keys().isdisjoint(_NUMERIC)
    return "type" if numeric and ratio(value) is None else "condition"


_NUMERIC = ("at_least", "at_most")


def _kind(part: Part, before: Cell, now: Cell) -> ChangeKind:
    """Return in which way two values differ."""
    if part.field.is_secret or part.wildcard:
        return "changed"
    old, new = before[1], now[1]
    if old is not None and new is not None and _type(old) != _type(new):
        return "type"
    if not (isinstance(old, str) and isinstance(new, str)):
        old, new = encode_text(old), encode_text(new)
    return "looks_alike" if looks_alike(old, new) else "changed"


def _type(wire: Any) -> str:
    """Return the type of typed JSON as people know it: all numbers are of one."""
    if isinstance(wire, dict):
        tag = next(iter(wire)) if len(wire) == 1 else ""
        if not tag.startswith("$") or tag.startswith("$$"):
            return "object"
        return "number" if tag in {"$int", "$decimal"} else tag
    if isinstance(wire, list | tuple):
        return "list"
    return "number" if ratio(wire) is not None else type(wire).__name__
