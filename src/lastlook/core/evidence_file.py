"""Evidence as one JSON text, for whoever keeps it without a plan: a script, a CI job.

The text is for people to read and for programs to compare, not to edit. It holds no seal:
an edit that was not meant is found by the digests, while whoever may write the text may
as well make it up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, Protocol

import msgspec
from msgspec import Struct

from lastlook.core.canonical import Limits, from_wire
from lastlook.core.cells import field_set
from lastlook.core.digests import field_digest, start
from lastlook.core.evidence import Cell, Evidence, freeze_evidence
from lastlook.core.fields import Field
from lastlook.core.jcs import encode_text
from lastlook.core.jsontext import parse_json
from lastlook.core.opened import opened
from lastlook.core.refs import parse_ref
from lastlook.core.typed import check_wire
from lastlook.core.visible import show, visible
from lastlook.core.withheld import holds_secret
from lastlook.errors import (
    BadFormat,
    BadJSON,
    DeclarationError,
    FieldSyntaxError,
    LastlookError,
    NotCanonical,
)

FORMAT: Final = "lastlook:evidence/1"
LIMITS: Final = Limits(depth=160, nodes=1_000_000, bytes=32 * 2**20)
"""How large the text may be, written and read."""

_FAMILY: Final = FORMAT.rpartition("/")[0] + "/"
_ANEW: Final = "It is not for editing: capture it anew."
_DAMAGE: Final = (LastlookError, ValueError, LookupError, TypeError)


class HoldsEvidence(Protocol):
    """What evidence is looked up in: a plan, or a file."""

    @property
    def evidence(self) -> tuple[Evidence[Any], ...]:
        """The evidence, in order."""
        ...


class EvidenceFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole text.

    Attributes:
        format: The format of the text.
        evidence: What was captured, each ref (and each question to a query) once.
    """

    format: Literal["lastlook:evidence/1"] = FORMAT
    evidence: tuple[Evidence[Any], ...]


def evidence_text(evidence: Iterable[Evidence[Any]]) -> bytes:
    """Return evidence as JSON text: ASCII, indented, the same for the same evidence.

    Raises:
        DeclarationError: There is none, one ref stands there twice, a field is secret, or
            it names no ref.
        BadFormat: It is more than is read back, or damaged.
    """
    items = tuple(evidence)
    if not items:
        raise DeclarationError("there is no evidence to keep", fix="Read a record first.")
    for item in items:
        _must_be_kept(item)
    _refuse_twice(items)
    tree = msgspec.to_builtins(EvidenceFile(evidence=items))
    text = (json.dumps(tree, indent=2, allow_nan=False) + "\n").encode("ascii")
    open_evidence(text)
    return text


def open_evidence(data: bytes, *, name: str = "") -> tuple[Evidence[Any], ...]:
    """Read evidence back from its text, strictly.

    Args:
        data: The text.
        name: What it is called, for errors.

    Raises:
        BadFormat: It is not of this format, or not as it was written; `where` says at
            which place.
        FieldSyntaxError: A wildcard needs an extra that is not installed.
    """
    try:
        tree = parse_json(data, limits=LIMITS)
    except BadJSON as error:
        raise _bad(f"this is no evidence file: {error.what}", name, error.where) from None
    _check_format(tree, name)
    try:
        from_wire(check_wire(tree))  # also refuses a stand-in for a step's result
        file = msgspec.convert(tree, EvidenceFile)
    except NotCanonical as error:
        raise _bad(f"a value is damaged: {error.what}", name, error.where) from None
    except (msgspec.ValidationError, RecursionError) as error:
        raise _bad(f"the evidence file is damaged: {error}", name) from None
    for number, item in enumerate(file.evidence, 1):
        _verify(item, f"evidence {number}", name)
    try:
        _refuse_twice(file.evidence)
    except DeclarationError as error:
        raise _bad(error.what, name) from None
    return file.evidence


def _check_format(tree: Any, name: str) -> None:
    found = tree.get("format") if isinstance(tree, dict) else None
    if found == FORMAT:
        return
    if isinstance(found, str) and found.startswith(_FAMILY):
        raise BadFormat(
            f"the evidence file is of the format {show(found[:60])}, and this version reads "
            f"{show(FORMAT)}",
            where=name,
            fix="Read it with the version that wrote it, or capture it anew.",
        )
    raise BadFormat(
        f"this is no evidence file: it does not say that its format is {show(FORMAT)}",
        where=name,
        fix="Make one: lastlook capture -e REF#FIELD -o FILE",
    )


def _must_be_kept(item: Evidence[Any]) -> None:
    if not isinstance(item, Evidence):
        raise DeclarationError(
            f"this is of type {type(item).__name__}, not evidence",
            fix="Pass what look.read(...) returned, in a list.",
        )
    if not item.ref:
        raise DeclarationError(
            "this evidence names no record, so nobody could read it again",
            fix='Read it with look.read(...), or give capture() its ref="source:key".',
        )
    if holds_secret(item.fields):
        secret = ", ".join(field.shown for field in item.fields if field.is_secret)
        raise DeclarationError(
            f"{secret} is secret, and a file has no place for its salt: without the salt "
            "nobody can compare it, and beside the digest anybody could try values",
            where=item.ref,
            fix="Leave the field out, or propose a plan: a store keeps the salt apart.",
        )


def _refuse_twice(items: Sequence[Evidence[Any]]) -> None:
    """Refuse evidence of which one piece would hide the other."""
    seen: set[tuple[str, str]] = set()
    for item in items:
        place = (item.ref, encode_text(item.params))
        if place in seen:
            raise DeclarationError(
                f"the evidence of {visible(item.ref)} stands there twice",
                where=item.ref,
                fix="Read it once, with all fields that count.",
            )
        seen.add(place)


def _verify(item: Evidence[Any], number: str, name: str) -> None:
    """Refuse one piece of evidence that no capture would have made."""
    place = f"{number}, {visible(item.ref[:200])}"
    try:
        parse_ref(item.ref)
        wrong = _misshapen(item) or _edited(item)
        if not wrong:
            opened(item)
    except (BadFormat, FieldSyntaxError) as error:  # the latter where an extra is missing, too
        raise type(error)(error.what, where=_joined(name, place), fix=error.fix) from None
    except _DAMAGE as error:
        what = error.what if isinstance(error, LastlookError) else "a cell is not one"
        raise _bad(f"this evidence is damaged: {what}", name, place) from None
    if wrong:
        raise _bad(f"this evidence is damaged: {wrong}", name, place)
    freeze_evidence(item)


def _misshapen(item: Evidence[Any]) -> str:
    """Return what can't be so in evidence of its kind, or an empty text."""
    query = item.kind == "query"
    if holds_secret(item.fields):
        return "a field is secret, which no evidence file can hold"
    if item.captured_at is not None and item.captured_at.tzinfo is None:
        return "its time has no zone"
    if item.kind == "absence" and (item.fields or item.cells):
        return "the absence of a record has no fields"
    if not query and (item.members or item.params is not None or item.may or item.cap):
        return "only a query has members, arguments and a cap"
    if query and (item.cells or not isinstance(item.params, dict) or item.cap < 1):
        return "a query has members, arguments and a cap, and no cells of its own"
    keys = [member.key for member in item.members]
    if keys != sorted(set(keys)) or len(keys) > max(item.cap, 0):
        return "its members are not in order, or more than its cap"
    if item.fields and field_set(item.fields).fields != item.fields:
        return "its fields are not in order"
    rows = [member.cells for member in item.members] if query else [item.cells]
    whole = all(_fits(field, cell) for row in rows for field, cell in _paired(item, row))
    return "" if whole else "a cell is not what its field selects"


def _paired(item: Evidence[Any], row: tuple[Cell, ...]) -> Iterable[tuple[Field, Cell]]:
    return zip(item.fields, row, strict=True)


def _fits(field: Field, cell: Cell) -> bool:
    """Tell whether a cell is of the shape that its field gives one."""
    if cell == ("absent",):
        return True
    if len(cell) != 2 or cell[0] != "value":
        return False
    return not field.is_wildcard or (isinstance(cell[1], list) and all(map(_is_match, cell[1])))


def _is_match(pair: Any) -> bool:
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], list):
        return False
    return all(token is None or isinstance(token, str) for token in pair[0])


def _edited(item: Evidence[Any]) -> str:
    """Return which fields are not what was captured, going by the digest of each."""
    if item.kind != "record":
        return "it has digests of fields that it has not" if item.digests else ""
    chosen, opening = field_set(item.fields), start(item.kind, item.ref)
    wrong = [
        part.field.shown
        for part, cell, digest in zip(chosen.parts, item.cells, item.digests, strict=True)
        if field_digest(opening, part.text(cell)) != digest
    ]
    return f"{', '.join(wrong)}: not what was captured" if wrong else ""


def _bad(what: str, *places: str) -> BadFormat:
    return BadFormat(what, where=_joined(*places), fix=_ANEW)


def _joined(*places: str) -> str:
    return ", ".join(place for place in places if place)
