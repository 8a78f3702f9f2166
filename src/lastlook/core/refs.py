"""Refs: `source:key`, and the texts that are built around one.

A ref names a source that is registered, and a record in it: `orders:#W1`. It is split at
the first `:`. `-e` of the command line adds an alias and fields; `writes` of a tool adds
what is written, and holes that are filled with the arguments of the call.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from lastlook.core.fields import Field, as_fields
from lastlook.core.fieldtext import may_be_secret, parse_selector
from lastlook.core.objects import escape
from lastlook.core.scan import Unbalanced, balanced, outside, split_outside
from lastlook.core.templates import HOLE, Hole, Piece, Template, join, merge
from lastlook.errors import DeclarationError, FieldSyntaxError, NoFields, TemplateError

RESERVED: Final = ("cwd", "tool")
"""Names that no application may give a source: the working directory, and the tools."""

_SOURCE: Final = r"[a-z][a-z0-9_-]*"
_ALIAS: Final = r"([A-Za-z_][A-Za-z0-9_]*)=(?!=)"
_TOKENS: Final = rf"\{{\{{|\}}\}}|##|{HOLE}|[{{}}]|[^{{}}#]+"


class Ref(NamedTuple):
    """A record: the name of its source, and its key there."""

    source: str
    key: str

    def __str__(self) -> str:
        return f"{self.source}:{self.key}"


def parse_ref(text: str) -> Ref:
    """Return the source and the key of a ref.

    Raises:
        TemplateError: The text is no ref.
    """
    source, colon, key = text.partition(":")
    if not colon or not key or not re.fullmatch(_SOURCE, source):
        raise TemplateError(
            f"{text!r} is not a ref",
            fix='Write source:key, as in "orders:#W1"; a source is named in small letters.',
        )
    return Ref(source, key)


def check_source_name(name: str) -> None:
    """Refuse a name that a source may not have.

    Raises:
        DeclarationError: It is reserved, or breaks the grammar.
    """
    if not re.fullmatch(_SOURCE, name):
        raise DeclarationError(
            f"{name!r} cannot name a source",
            fix="Use a small letter, and then small letters, digits, _ and -.",
        )
    if name in RESERVED:
        raise DeclarationError(f"the source name {name!r} is reserved", fix="Use another.")


class RefTemplate:
    """A ref whose key has holes. The source is read before anything is filled in.

    Args:
        text: `source:key`, the key a template; a hole can't choose the source.

    Raises:
        TemplateError: The text is no ref.
    """

    __slots__ = ("_key", "_source")

    def __init__(self, text: str) -> None:
        source, _, key = text.partition(":")
        parse_ref(f"{source}:{key}")
        self._source = source
        self._key = Template(key)

    def names(self) -> tuple[str, ...]:
        """Return the names in the holes, as written, each once."""
        return self._key.names()

    def fill(self, arguments: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> str:
        """Return the ref.

        Raises:
            TemplateError: A hole names nothing, or its value has no plain text.
        """
        return str(parse_ref(f"{self._source}:{self._key.text(arguments, evidence)}"))


class Declared(Struct, frozen=True, kw_only=True):
    """Evidence as the command line declares it.

    Attributes:
        alias: The name for holes, or an empty text.
        ref: The record.
        fields: What of it counts.
    """

    alias: str
    ref: Ref
    fields: tuple[Field, ...]


def parse_e_option(text: str, known_sources: Collection[str]) -> Declared:
    """Read `[alias=]REF#FIELD,FIELD`, the value of the option `-e`.

    The fields begin after the last `#` outside of quotes and brackets. A ref whose source
    is not known is a file beneath the working directory.

    Raises:
        NoFields: No field is given.
        TemplateError: There is no ref.
        FieldSyntaxError: A field cannot be read.
    """
    alias = re.match(_ALIAS, text)
    rest = text[alias.end() :] if alias else text
    at = _last_hash(rest)
    record = rest if at is None else rest[:at]
    fields = [] if at is None else _split_fields(rest[at + 1 :], text)
    if not any(fields):
        raise NoFields(
            f"{_named(text)} names no field, so nothing would be protected",
            fix=f"Say what of it counts: '{'REF' if may_be_secret(text) else rest.rstrip('#')}"
            "#status'.",
        )
    source, colon, _ = record.partition(":")
    known = colon and source in {*known_sources, "cwd"}
    ref = parse_ref(record if known else f"cwd:{record}")
    return Declared(alias=alias[1] if alias else "", ref=ref, fields=as_fields(fields))


def _last_hash(text: str) -> int | None:
    try:
        return max((at for at in outside(text) if text[at] == "#"), default=None)
    except Unbalanced:
        # A file name may hold an apostrophe; the fields alone have to be balanced.
        marks = [at for at, char in enumerate(text) if char == "#"]
        return next((at for at in reversed(marks) if balanced(text[at:])), max(marks, default=None))


def _split_fields(text: str, whole: str) -> list[str]:
    try:
        return [each.strip() for each in split_outside(text, ",")]
    except Unbalanced as error:
        raise FieldSyntaxError(
            f"{_named(whole)} has a {text[error.at]} without its partner",
            fix="Put a name that holds it in double quotes.",
        ) from None


def _named(text: str) -> str:
    """Return a text in quotes for a message; not where it may hold a secret's literal."""
    return "a text with a secret field" if may_be_secret(text) else repr(text)


class Written(NamedTuple):
    """What a call writes: a ref, and selectors in it; none says the whole record."""

    ref: str
    fields: tuple[str, ...]


class WritesEntry:
    """One entry of `writes`, parsed: what a tool says that it changes."""

    __slots__ = ("_fields", "_key", "source")

    def __init__(
        self, source: str, key: tuple[Piece, ...], fields: tuple[tuple[Piece, ...], ...]
    ) -> None:
        self.source = source
        self._key = key
        self._fields = fields

    def names(self) -> tuple[str, ...]:
        """Return the names in the holes, as written, each once."""
        pieces = [piece for part in (self._key, *self._fields) for piece in part]
        return tuple(dict.fromkeys(each.name for each in pieces if isinstance(each, Hole)))

    def fill(self, arguments: Mapping[str, Any]) -> Written:
        """Return what a call with these arguments writes.

        Raises:
            TemplateError: A hole names nothing, or its value has no plain text.
        """
        ref = parse_ref(f"{self.source}:{join(self._key, arguments, {})}")
        return Written(str(ref), tuple(_fill_selector(part, arguments) for part in self._fields))


def parse_writes(text: str) -> WritesEntry:
    """Read an entry of `writes`: `REF#FIELD,FIELD`, or `REF` for the whole record.

    It is parsed before it is filled. A `#` or a brace that is text is doubled.

    Raises:
        TemplateError: The text cannot be read.
        FieldSyntaxError: A field in it cannot be read.
    """
    parts = _split_at_hash(text)
    if len(parts) > 2:
        raise TemplateError(f"{text!r} has more than one #", fix="Double the one that is text: ##.")
    source, _, key = parts[0].partition(":")
    pieces = _pieces(key, text)
    parse_ref(f"{source}:{'x' if pieces else ''}")
    fields = () if len(parts) == 1 else tuple(_fields(parts[1], text))
    return WritesEntry(source, pieces, fields)


def _split_at_hash(text: str) -> list[str]:
    parts = [""]
    for part in re.findall(r"##|#|[^#]+", text):
        if part == "#":
            parts.append("")
        else:
            parts[-1] += part
    return parts


def _pieces(text: str, whole: str) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for part in re.findall(_TOKENS, text):
        if part in {"{{", "}}", "##"}:
            pieces.append(part[0])
        elif part in {"{", "}"}:
            raise TemplateError(
                f"{whole!r} has a brace that is no hole", fix=f"Double it: {part}{part}."
            )
        else:
            pieces.append(Hole(part[1:-1]) if part[0] == "{" else part)
    return merge(pieces)


def _fields(text: str, whole: str) -> list[tuple[Piece, ...]]:
    parts = _split_fields(text, whole)
    if not all(parts):
        raise TemplateError(
            f"{whole!r} has no field where one is announced",
            fix="Leave the # out where the whole record is written.",
        )
    return [_selector(_pieces(part, whole)) for part in parts]


def _selector(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return the pieces of a pointer; a field without holes is read as everywhere."""
    written = "".join(piece if isinstance(piece, str) else "x" for piece in pieces)
    selector = parse_selector(written)
    if all(isinstance(piece, str) for piece in pieces):
        return (selector,)
    if written[:1] in {'"', "$"}:
        raise TemplateError(
            f"{written!r} has a hole in quotes or in a JSONPath", fix="Write it as a pointer."
        )
    if written.startswith("/"):
        return pieces
    return ("/", *(escape(piece) if isinstance(piece, str) else piece for piece in pieces))


def _fill_selector(pieces: tuple[Piece, ...], arguments: Mapping[str, Any]) -> str:
    return "".join(
        piece if isinstance(piece, str) else escape(join((piece,), arguments, {}))
        for piece in pieces
    )
