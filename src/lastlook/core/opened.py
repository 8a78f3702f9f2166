"""Evidence made ready to be checked: its fields compiled, its cells and digests verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from lastlook.core.cells import FieldSet, Part, field_set
from lastlook.core.digests import SCHEME, member_text, start, whole_digest
from lastlook.core.results import Valid
from lastlook.errors import BadFormat, LastlookError

if TYPE_CHECKING:
    from lastlook.core.evidence import Cell, Evidence

Quick: TypeAlias = tuple[tuple[Callable[[object], Any], Any], ...]
"""For each field, how it is read and what it was."""

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
_LENGTHS: Final = {"absent": 1, "value": 2, "secret": 2}


class Opened:
    """One piece of evidence, ready.

    Attributes:
        parts: Its fields, compiled.
        opening: The text before its cells, for a fingerprint of now.
        unchanged: The result where every field is as it was.
        quick: For plain fields of scalars: how each is read, and what it was. None
            where something takes the full comparison.
    """

    __slots__ = ("chosen", "opening", "parts", "quick", "unchanged")

    def __init__(self, evidence: Evidence[Any], chosen: FieldSet, opening: str) -> None:
        self.chosen = chosen
        self.parts = chosen.parts
        self.opening = opening
        self.unchanged = Valid(
            ref=evidence.ref,
            fields=len(evidence.fields),
            captured=evidence.fingerprint,
            current=evidence.fingerprint,
            cells=evidence.cells,
        )
        self.quick = _quick(evidence, self.parts)


def _quick(evidence: Evidence[Any], parts: tuple[Part, ...]) -> Quick | None:
    """Return readers and values where equality of type and value is equality of cells."""
    if evidence.kind != "record":
        return None
    for part, cell in zip(parts, evidence.cells, strict=True):
        if not part.field.is_plain or part.wildcard or cell[0] != "value":
            return None
        if type(cell[1]) not in _SCALARS:
            return None
    return tuple((part.get, cell[1]) for part, cell in zip(parts, evidence.cells, strict=True))


def opened(evidence: Evidence[Any]) -> Opened:
    """Return evidence made ready; this is done once for each object.

    Raises:
        BadFormat: Its scheme is unknown, or its cells are not those of its fingerprint.
    """
    known: Opened | None = evidence.__dict__.get("_opened")
    if known is None:
        known = evidence.__dict__["_opened"] = _open(evidence)
    return known


def _open(evidence: Evidence[Any]) -> Opened:
    scheme, colon, _ = evidence.fingerprint.partition(":")
    if scheme != SCHEME or not colon:
        raise BadFormat(
            f"the evidence of {evidence.ref or 'a record'} has a fingerprint of the scheme "
            f"{scheme[:20]!r}, and only {SCHEME} is compared",
            fix="Capture it anew.",
        )
    chosen = field_set(evidence.fields) if evidence.fields else FieldSet(())
    try:
        opening = start(evidence.kind, evidence.ref, evidence.params)
        right = whole_digest(opening, _texts(evidence, chosen)) == evidence.fingerprint
    except (LastlookError, ValueError, LookupError, TypeError) as error:
        raise _bad(evidence) from error
    if not right or bool(chosen.fields) < (evidence.kind == "record"):
        raise _bad(evidence)
    return Opened(evidence, chosen, opening)


def _bad(evidence: Evidence[Any]) -> BadFormat:
    return BadFormat(
        f"the evidence of {evidence.ref or 'a record'} is damaged: "
        "its cells are not those of its fingerprint",
        fix="Capture it anew.",
    )


def _texts(evidence: Evidence[Any], chosen: FieldSet) -> list[str]:
    if evidence.kind != "query":
        return _row(chosen, evidence.cells)
    return [member_text(each.key, _row(chosen, each.cells)) for each in evidence.members]


def _row(chosen: FieldSet, cells: tuple[Cell, ...]) -> list[str]:
    texts = []
    for part, cell in zip(chosen.parts, cells, strict=True):
        if len(cell) != _LENGTHS[cell[0]] or (cell[0] == "secret") != part.field.is_secret:
            raise ValueError(cell[0])
        texts.append(part.text(cell))
    return texts
