"""Templates: texts with holes that are filled with arguments and evidence.

`{slot_id}` is an argument. `{head.sha}` is a field of the evidence that was read as
`head`; more tokens go deeper (`{order.payment.amount}`). A text is parsed before it is
filled, so no value can open a hole. `{{` is a brace, and so is the `}}` that belongs to
it; every other brace is text, so JSON in an argument needs no care.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, TypeAlias

from msgspec import Struct

from lastlook.core.canonical import to_wire
from lastlook.core.decimals import positional
from lastlook.core.objects import ABSENT
from lastlook.core.selectors import compile_selector
from lastlook.errors import NotCanonical, TemplateError

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_STEP: Final = r"(?:[^\s{}.,:;\"'()\[\]=<>!~/]|~[01])+"
HOLE: Final = rf"\{{{_NAME}(?:\.{_STEP})*\}}"
"""A hole, as a regular expression."""

_TOKENS: Final = rf"\{{\{{|\}}\}}|{HOLE}|[{{}}]|[^{{}}]+"


class Hole(Struct, frozen=True):
    """One hole: the name of an argument, or an alias and pointer tokens."""

    name: str

    def value(self, arguments: Mapping[str, Any], evidence: Mapping[str, Any]) -> Any:
        """Return what fills the hole.

        Raises:
            TemplateError: Nothing has that name; `fix` lists what has one.
        """
        alias, *steps = self.name.split(".")
        if not steps and alias in arguments:
            return arguments[alias]
        if steps and alias in evidence:
            found = _look_up(evidence[alias], steps)
            if found is not ABSENT:
                return found
        raise TemplateError(
            f"{{{self.name}}} names nothing",
            fix=f"{_known(arguments, evidence)} A brace that is text is doubled: {{{{.",
        )


Piece: TypeAlias = str | Hole


class Template:
    """A text with holes, parsed.

    Attributes:
        source: The text as it was written.
    """

    __slots__ = ("_pieces", "source")

    def __init__(self, text: str) -> None:
        self.source = text
        self._pieces = merge(_pieces(text))

    def names(self) -> tuple[str, ...]:
        """Return the names in the holes, as written, each once."""
        return tuple(dict.fromkeys(each.name for each in self._pieces if isinstance(each, Hole)))

    def fill(self, arguments: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> Any:
        """Return the filled template: of one hole alone the value with its type, else text.

        Args:
            arguments: Values by name.
            evidence: By alias, the declared fields of a record.

        Raises:
            TemplateError: A hole names nothing, or a value in a text has no plain text.
        """
        if len(self._pieces) == 1 and isinstance(self._pieces[0], Hole):
            return self._pieces[0].value(arguments, evidence or {})
        return self.text(arguments, evidence)

    def text(self, arguments: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> str:
        """Return the filled template as text, also where it is one hole alone.

        Raises:
            TemplateError: A hole names nothing, or its value has no plain text.
        """
        return join(self._pieces, arguments, evidence or {})

    def __repr__(self) -> str:
        return f"Template({self.source!r})"


def merge(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Return pieces with neighbouring texts joined."""
    merged: list[Piece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if isinstance(piece, str) and isinstance(last, str):
            merged[-1] = last + piece
        else:
            merged.append(piece)
    return tuple(merged)


def join(
    pieces: tuple[Piece, ...], arguments: Mapping[str, Any], evidence: Mapping[str, Any]
) -> str:
    """Return pieces as one text, holes filled.

    Raises:
        TemplateError: A hole names nothing, or its value has no plain text.
    """
    return "".join(
        piece if isinstance(piece, str) else spell(piece.value(arguments, evidence), piece.name)
        for piece in pieces
    )


def spell(value: object, name: str) -> str:
    """Return the plain text of a value: texts as they are, numbers without exponent.

    Raises:
        TemplateError: It is an object, a list, or bytes.
    """
    try:
        wire = to_wire(value)
    except NotCanonical as error:
        raise TemplateError(f"{{{name}}} cannot be written as text: {error.what}") from error
    if isinstance(wire, str):
        return wire
    if wire is None or isinstance(wire, bool):
        return {None: "null", True: "true", False: "false"}[wire]
    if isinstance(wire, int | float):
        return positional(Decimal(repr(wire)))
    if isinstance(wire, dict) and len(wire) == 1:
        [(tag, inner)] = wire.items()
        if tag[:1] == "$" and tag[1:2] != "$" and tag != "$bytes":
            return str(inner)
    kind = "a list" if isinstance(wire, list) else "an object or bytes"
    raise TemplateError(
        f"{{{name}}} is {kind}, which has no plain text",
        fix=f'Let the hole stand alone, and the value is taken whole: "{{{name}}}".',
    )


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    doubled = 0
    for part in re.findall(_TOKENS, text):
        if part == "{{":
            doubled += 1
            pieces.append("{")
        elif part == "}}" and doubled:
            doubled -= 1
            pieces.append("}")
        elif part[0] == "{" and len(part) > 1:
            pieces.append(Hole(part[1:-1]))
        else:
            pieces.append(part)
    return pieces


def _look_up(view: Mapping[str, Any], steps: list[str]) -> Any:
    """Return what the tokens name: a declared field, or a part of one."""
    for end in range(len(steps), -1, -1):
        pointer = "".join(f"/{step}" for step in steps[:end]) or "$"
        if pointer in view:
            rest = "".join(f"/{step}" for step in steps[end:])
            return compile_selector(rest)(view[pointer])
    return ABSENT


def _known(arguments: Mapping[str, Any], evidence: Mapping[str, Any]) -> str:
    names = [*arguments]
    for alias, view in evidence.items():
        names += [f"{alias}.{str(each).removeprefix('/').replace('/', '.')}" for each in view]
    return f"There is {', '.join(f'{{{name}}}' for name in names)}." if names else "There is none."
