"""Cells: what a record holds under a set of fields, each field compiled once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, Final

from lastlook.core import normal
from lastlook.core.canonical import LIMITS, to_wire
from lastlook.core.conditions import condition
from lastlook.core.decimals import EXACT
from lastlook.core.fields import Field, as_fields
from lastlook.core.jcs import encode, encode_text
from lastlook.core.selectors import ABSENT, Match, compile_selector, tokens_of
from lastlook.errors import NotCanonical

if TYPE_CHECKING:
    from lastlook.core.evidence import Cell, Wire
    from lastlook.core.fields import FieldsLike

NOT_THERE: Final[Cell] = ("absent",)

NO_LIST: Final = "is not a list"
NO_INSTANT: Final = "is not a time as RFC 3339 writes it, with T and a zone"

_SHORT: Final = 4096
SCALARS: Final = frozenset({str, int, float, bool, type(None)})
_CONSTANTS: Final = {None: "null", True: "true", False: "false"}


class Part:
    """One field, ready to be read from records.

    Attributes:
        field: The declared field.
        get: From a record to the selected Python value, matches, or `ABSENT`.
        head: The text of the cell's triple up to the cell.
        wildcard: Whether `get` returns matches.
        holds: The test of its literal condition, or None.
        near: The operand of `within`, or None.
        fixed: Whether the field must stay as it was captured.
    """

    __slots__ = ("field", "fixed", "get", "head", "holds", "near", "wildcard")

    def __init__(self, field: Field) -> None:
        self.field = field
        self.get = compile_selector(field.selector)
        self.head = f"[{encode_basestring(field.selector)},{encode_text(field.rule)},"
        self.wildcard = field.is_wildcard
        self.holds = condition(field.rule)
        self.near = field.rule.get("within")
        self.fixed = self.holds is None and self.near is None

    def cell(self, found: object) -> tuple[Cell, str]:
        """Return the plain cell of what `get` found, and what is wrong with its type.

        The second is empty, or says in which way the value is not of the kind that the
        field declares; the cell then holds the value as it is.

        Raises:
            NotCanonical: The value has no canonical form.
        """
        if found is ABSENT:
            gone = "absent_is_null" in self.field.rule
            return (("value", None) if gone else NOT_THERE), ""
        wire, wrong = self._matches(found) if self.wildcard else self._value(found)
        return ("value", wire), wrong

    def text(self, cell: Cell) -> str:
        """Return the canonical text of `[selector, rule, cell]`.

        Raises:
            NotCanonical: It is longer than the limit for one value.
        """
        known = scalar_text(cell[1]) if cell[0] == "value" else None
        if known is not None:
            return f'{self.head}["value",{known}]]'
        text = encode_text(cell)
        if len(text) > LIMITS.bytes:
            raise NotCanonical(
                f"the value has more than {LIMITS.bytes:,} characters", where=self.field.selector
            )
        return f"{self.head}{text}]"

    def _matches(self, found: Any) -> tuple[Wire, str]:
        rule = self.field.rule
        rows: list[tuple[list[str | None], tuple[int, ...], Wire]] = []
        wrong = ""
        for match in found:
            wire, bad = self._value(match.value)
            rows.append((self._path(match), match.indices, wire))
            wrong = wrong or bad
        if "nfc" in rule:
            self._refuse_twins(rows)
            rows.sort(key=lambda row: (encode(row[0]), row[1]))
        pairs = [[path, wire] for path, _, wire in rows]
        return (normal.unordered(pairs) if "unordered" in rule else pairs), wrong

    def _path(self, match: Match) -> list[str | None]:
        path: list[str | None] = match.path
        return normal.nfc(path) if "nfc" in self.field.rule else path

    def _refuse_twins(self, rows: list[tuple[list[str | None], tuple[int, ...], Wire]]) -> None:
        places = {(tuple(path), indices) for path, indices, _ in rows}
        if len(places) < len(rows):
            raise NotCanonical(
                "two member names are one in Unicode form C", where=self.field.selector
            )

    def _value(self, value: Any) -> tuple[Wire, str]:
        rule = self.field.rule
        where = self.field.selector
        ordered = self.wildcard or "unordered" not in rule
        if not ordered and isinstance(value, set | frozenset):
            value = list(value)
        wire = to_wire(value, where=where, strict="strict" in rule)
        if "nfc" in rule:
            wire = normal.nfc(wire, where=where)
        if "instant" in rule:
            return _instant(wire)
        if ordered:
            return wire, ""
        return (normal.unordered(wire), "") if isinstance(wire, list) else (wire, NO_LIST)


def scalar_text(value: Any) -> str | None:
    """Return the canonical text of a short ASCII text, a small int, a bool or null.

    Of these Python's value is typed JSON already; None is returned for all else.
    """
    kind = type(value)
    if kind is str:
        short = len(value) < _SHORT and value.isascii()
        return encode_basestring(value) if short else None
    if kind is int:
        return str(value) if -EXACT <= value <= EXACT else None
    return _CONSTANTS[value] if kind is bool or value is None else None


def same_cell(one: Cell, other: Cell) -> bool:
    """Tell whether two cells are the same to the byte."""
    if one[0] == other[0] == "value":
        was, now = one[1], other[1]
        if type(was) is type(now) and type(was) in SCALARS:
            return bool(was == now)
    return encode(one) == encode(other)


def _instant(wire: Wire) -> tuple[Wire, str]:
    moment = normal.moment(wire)
    return (wire, NO_INSTANT) if moment is None else (moment, "")


class FieldSet:
    """The fields of one declaration, compiled, in the order of their cells.

    Attributes:
        fields: The declared fields.
        parts: The same, compiled; and `getters`, how each is read, with its number.
        counted: Those that may count on a place in an array.
        simple: Whether there are any, and each must stay and names one value.
        plain: Whether, besides, none counts on a place.
    """

    __slots__ = ("counted", "fields", "getters", "parts", "plain", "simple")

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self.fields = fields
        self.parts = tuple(Part(field) for field in fields)
        self.counted = tuple(field for field in fields if _may_count(field.selector))
        self.getters = tuple(enumerate(part.get for part in self.parts))
        self.simple = bool(fields) and not any(
            part.wildcard or not part.field.is_plain for part in self.parts
        )
        self.plain = not self.counted and all(field.is_plain for field in fields)

    def scalars(self, record: object) -> tuple[list[Cell], list[str]] | None:
        """Return cells and their texts where each is a plain field of a short scalar.

        None is returned for all else; `Part.cell` takes everything.
        """
        cells: list[Cell] = []
        texts: list[str] = []
        if not self.plain:
            return None
        for part in self.parts:
            value = part.get(record)
            text = scalar_text(value)
            if text is None:
                return None
            cells.append(("value", value))
            texts.append(f'{part.head}["value",{text}]]')
        return cells, texts


def _may_count(selector: str) -> bool:
    tokens = tokens_of(selector) or ()
    return any(isinstance(token, int) or token.isdigit() for token in tokens)


def field_set(spec: FieldsLike) -> FieldSet:
    """Return the compiled fields of a declaration in any of its spellings.

    Raises:
        NoFields: It declares none.
        FieldSyntaxError: A field cannot be read, or stands there twice.
    """
    if type(spec) is list or type(spec) is tuple:
        parts = tuple(spec)
    elif isinstance(spec, str | Field | type) or not isinstance(spec, Iterable):
        parts = (spec,)
    else:
        parts = tuple(spec)
    try:
        return _compiled(parts)
    except TypeError:  # something in it can't be hashed: a list of fields in a list
        return FieldSet(as_fields(parts))


@lru_cache(maxsize=4096)
def _compiled(spec: tuple[Any, ...]) -> FieldSet:
    return FieldSet(as_fields(spec))
