"""Evidence: what a plan rests on, as it was read when the plan was made.

`Reading` is what a source answers: one of four, and only `Found` holds a value.
`Evidence` keeps the declared fields of one reading and nothing else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from lastlook.core.cells import FieldSet, field_set
from lastlook.core.digests import field_digest, start, whole_digest
from lastlook.core.facts import make
from lastlook.core.fields import Field, FieldsLike
from lastlook.core.frozen import frozen
from lastlook.core.taking import IndexedField, take_cells, warn_of_places
from lastlook.core.view import View
from lastlook.errors import DeclarationError, NotDeclared

__all__ = [
    "Cell",
    "Consistency",
    "Evidence",
    "Found",
    "IndexedField",
    "Member",
    "NoAccess",
    "NoAnswer",
    "NotFound",
    "Reading",
    "Wire",
    "assemble",
    "capture",
]

T = TypeVar("T")

Wire: TypeAlias = Any
"""A tree of typed JSON: None, bool, int, float, str, list, dict (format.md)."""

Cell: TypeAlias = tuple[Wire, ...]
"""What one field selected: `("absent",)`, `("value", v)` or `("secret", hex)`."""

Consistency: TypeAlias = Literal["linearizable", "session", "eventual"]


class Found(Struct, frozen=True, tag="found"):
    """The source has the record.

    Attributes:
        record: A value that has a canonical form; copied before it is kept.
        version: What the source calls its version (an ETag, a row version). Kept
            for the record, never taken as proof that fields are unchanged.
    """

    record: Any
    version: str | None = None


class NotFound(Struct, frozen=True, tag="not_found"):
    """The source answered, and there is no such record."""

    reason: str = "not found"


class NoAccess(Struct, frozen=True, tag="no_access"):
    """The source answered that we may not read the record."""

    reason: str = "no access"


class NoAnswer(Struct, frozen=True, tag="no_answer"):
    """The source did not answer, or not with something that can be used."""

    reason: str = "no answer"


Reading: TypeAlias = Found | NotFound | NoAccess | NoAnswer


class Member(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One member of a query's answer: its key and the cells of the declared fields."""

    key: str
    cells: tuple[Cell, ...]


class Evidence(
    Struct,
    Generic[T],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    dict=True,
):
    """The declared fields of one record, as they were when the plan was made.

    Attributes:
        kind: `record` by key, `absence` of one, or a `query` with its members.
        ref: `source:key`; empty in the pure functions, which know no source.
        params: The arguments of a query, as typed JSON; None otherwise.
        fields: The declared fields, sorted as their cells are.
        fingerprint: `ll1:` and 64 hex digits over all cells.
        digests: One `ll1:` digest a field, in the order of `fields`.
        cells: What each field selected, as typed JSON, in the order of `fields`.
        members: The members of a query, sorted by key.
        may: Whether a query's members may `grow` or `shrink` without harm.
        cap: The most members a query may have; 0 where there is no query.
        version: The source's own version of the record, for the record only.
        captured_at: When it was read (UTC).
        source_config: A digest of the source's configuration.
        consistency: What the source declares of its reads.
    """

    kind: Literal["record", "absence", "query"] = "record"
    ref: str = ""
    params: Wire = None
    fields: tuple[Field, ...] = ()
    fingerprint: str
    digests: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    members: tuple[Member, ...] = ()
    may: Literal["", "grow", "shrink"] = ""
    cap: int = 0
    version: str | None = None
    captured_at: datetime | None = None
    source_config: str = ""
    consistency: Consistency = "linearizable"

    @property
    def view(self) -> View:
        """The captured values of the declared fields, by the name of each."""
        if "view" not in self.__dict__:
            self.__dict__["view"] = View(self.ref, self.fields, self.cells)
        view: View = self.__dict__["view"]
        return view

    def __getitem__(self, name: str) -> Any:
        """Return the captured value of a declared field; raises `NotDeclared`."""
        return self.view[name]

    def __contains__(self, name: object) -> bool:
        return name in self.view

    @property
    def facts(self) -> T:
        """The captured values as an instance of the class of `Facts` they were read by.

        Raises:
            NotDeclared: They were read by fields, not by a class.
            CaptureFailed: A value is not of the type that the class declares.
        """
        if "facts" not in self.__dict__:
            shape = self.__dict__.get("shape")
            if shape is None:
                raise NotDeclared(
                    f"{self.ref or 'this evidence'} was read by fields, not by a class",
                    fix='Take a value by its name, ["status"], or read with a class of Facts.',
                )
            self.__dict__["facts"] = make(shape, dict(self.view))
        facts: T = self.__dict__["facts"]
        return facts


def capture(
    record: object,
    fields: FieldsLike,
    *,
    ref: str = "",
    captured_at: datetime | None = None,
    version: str | None = None,
    source_config: str = "",
    consistency: Consistency = "linearizable",
    kind: Literal["record", "absence"] = "record",
    salts: Mapping[str, bytes] | None = None,
    previous: Evidence[Any] | None = None,
) -> Evidence[Any]:
    """Keep what a record holds under the declared fields, and nothing else of it.

    Args:
        record: A mapping, a list, or an object with declared fields. JSON text is not
            parsed: that is a source's work.
        fields: Texts, fields, or a class of `Facts`. For an absence there are none.
        ref: `source:key` of the record.
        captured_at: When it was read (UTC).
        version: What the source calls its version.
        source_config: The digest of the source's configuration.
        consistency: What the source declares of its reads.
        kind: `absence` where the evidence is that there is no such record; `record`
            is then not looked at.
        salts: For each secret field, 32 random bytes under `ref#selector`.
        previous: The evidence of the blocked plan that a fresh one follows: a field
            that it had may be absent now.

    Warns:
        IndexedField: A field counts on a place in an array.

    Raises:
        NoFields: No field is declared.
        PathNamesNothing: A field that is not optional is not in the record.
        ConditionNotMet: A condition is false already.
        NotCanonical: A declared value has no canonical form; `where` says which.
        DeclarationError: A field can't be meant of such a value, or is secret without a
            salt.
    """
    chosen = field_set(fields) if kind == "record" else _none_of(fields)
    opening = start(kind, ref)
    if kind == "record" and chosen.counted:
        warn_of_places(chosen, record)
    cells, texts = take_cells(record, chosen, ref, salts, previous)
    return Evidence(
        kind=kind,
        ref=ref,
        fields=chosen.fields,
        fingerprint=whole_digest(opening, texts),
        digests=tuple([field_digest(opening, text) for text in texts]),
        cells=tuple(cells),
        version=version,
        captured_at=captured_at,
        source_config=source_config,
        consistency=consistency,
    )


def _none_of(fields: FieldsLike) -> FieldSet:
    if isinstance(fields, str | Field | type) or tuple(fields):
        raise DeclarationError(
            "the absence of a record has no fields", fix="Leave the fields out: ()."
        )
    return FieldSet(())


def freeze_evidence(evidence: Evidence[Any]) -> None:
    """Freeze the trees in evidence that was just made, before anybody holds it."""
    force_setattr(evidence, "params", frozen(evidence.params))
    force_setattr(evidence, "cells", frozen(evidence.cells))
    for field in evidence.fields:
        if field.rule:  # an empty one is a default, which msgspec knows by its type
            force_setattr(field, "rule", frozen(field.rule))
    for member in evidence.members:
        force_setattr(member, "cells", frozen(member.cells))


def assemble(base: Evidence[Any], pairs: Iterable[tuple[Field, Cell]]) -> Evidence[Any]:
    """Return evidence of a record with these fields and cells, its digests made anew.

    Args:
        base: Where everything else is taken from.
        pairs: Fields with their cells, in any order.
    """
    kept = sorted(pairs, key=lambda pair: pair[0].selector)
    chosen = field_set([field for field, _ in kept])
    cells = tuple(tuple(cell) for _, cell in kept)
    texts = [part.text(cell) for part, cell in zip(chosen.parts, cells, strict=True)]
    opening = start(base.kind, base.ref)
    return replace(
        base,
        fields=chosen.fields,
        cells=cells,
        digests=tuple(field_digest(opening, text) for text in texts),
        fingerprint=whole_digest(opening, texts),
    )
