"""Evidence made ready to be checked: its fields compiled, its cells and digests verified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from lastlook.core.cells import SCALARS, FieldSet, field_set
from lastlook.core.digests import SCHEME, member_text, start, whole_digest
from lastlook.core.results import Valid
from lastlook.errors import BadFormat, LastlookError

if TYPE_CHECKING:
    from lastlook.core.evidence import Cell, Evidence

_LENGTHS: Final = {"absent": 1, "value": 2, "secret": 2}


class Opened(Struct, frozen=True, gc=False):
    """One piece of evidence, ready.

    Attributes:
        chosen: Its fields, compiled.
        unchanged: The result where every field is as it was.
        was: What each field was, where all are plain and hold scalars, so that the
            same type and value is the same cell; None where it takes more.
    """

    chosen: FieldSet
    unchanged: Valid
    was: tuple[Any, ...] | None


def _scalars(cells: tuple[Cell, ...]) -> tuple[Any, ...] | None:
    for cell in cells:
        if cell[0] != "value" or type(cell[1]) not in SCALARS:
            return None
    return tuple([cell[1] for cell in cells])


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
    unchanged = Valid(
        ref=evidence.ref,
        fields=len(chosen.fields),
        captured=evidence.fingerprint,
        current=evidence.fingerprint,
        cells=evidence.cells,
    )
    return Opened(chosen, unchanged, _scalars(evidence.cells) if chosen.simple else None)


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
