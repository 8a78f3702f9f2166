"""What a check comes to: Valid, Stale or Unresolvable, one for each dependency."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from lastlook.core.evidence import Cell

ChangeKind: TypeAlias = Literal[
    "changed",
    "removed",
    "appeared",
    "type",
    "condition",
    "looks_alike",
    "member_gone",
    "member_new",
    "member_changed",
    "unreadable",
]


class Change(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One declared field that no longer holds.

    Attributes:
        field: The selector (a pointer, or the JSONPath as written).
        text: The field as people write it, `str(field)`.
        kind: In what way it differs; `looks_alike` says that both print alike,
            `condition` that a condition is false now.
        before: The cell at capture.
        after: The cell now.
        member: The key of the query member it belongs to, or an empty text.
    """

    field: str
    text: str
    kind: ChangeKind = "changed"
    before: Cell
    after: Cell
    member: str = ""


class Valid(
    Struct,
    frozen=True,
    kw_only=True,
    tag="valid",
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,  # one is kept with each piece of evidence, and holds nothing that holds it
):
    """Every declared field of this dependency still holds.

    Attributes:
        ref: The dependency, `source:key`.
        fields: How many fields were checked.
        captured: The fingerprint at capture.
        current: The fingerprint now; differs from `captured` only where a field
            moved within its condition.
        moved: The selectors of such fields.
        cells: What each field holds now, in the order of the evidence's fields.
    """

    ref: str
    fields: int
    captured: str
    current: str
    moved: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()


class Stale(
    Struct, frozen=True, kw_only=True, tag="stale", forbid_unknown_fields=True, omit_defaults=True
):
    """At least one declared field no longer holds.

    Attributes:
        ref: The dependency, `source:key`.
        changed: The selectors of the fields that changed.
        changes: The same with the values before and after.
        captured: The fingerprint at capture.
        current: The fingerprint now.
        fields: How many fields were checked.
        cells: What each field holds now, in the order of the evidence's fields.
    """

    ref: str
    changed: tuple[str, ...]
    changes: tuple[Change, ...]
    captured: str
    current: str
    fields: int
    cells: tuple[Cell, ...] = ()


class Unresolvable(
    Struct,
    frozen=True,
    kw_only=True,
    tag="unresolvable",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """The dependency could not be compared: gone, forbidden, silent or unreadable.

    Attributes:
        ref: The dependency, `source:key`.
        reason: A sentence for people, from the source or from the reader.
        kind: `not_found`, `no_access`, `no_answer`, or `unreadable` for an answer
            that has no canonical form.
    """

    ref: str
    reason: str
    kind: Literal["not_found", "no_access", "no_answer", "unreadable"] = "no_answer"


CheckResult: TypeAlias = Valid | Stale | Unresolvable
