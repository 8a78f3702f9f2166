"""Literals in the text of a field: strict JSON that stands for typed JSON.

Beside JSON a string may stand in `'...'`. An integer that no double holds is written with
its plain digits; what else JSON has no form for is written as typed JSON has it.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Final

from lastlook.core.canonical import encode
from lastlook.core.decimals import positional, wire_of_float, wire_of_int
from lastlook.core.jsontext import parse_json
from lastlook.errors import BadJSON

STRING: Final = r"""(?s)("(?:[^"\\]|\\.)*")|'((?:[^'\\]|\\.)*)'"""
"""A string in double quotes (group 1) or in single ones (group 2: what stands in them)."""


def read_literal(text: str, *, strict: bool = False) -> Any:
    """Return the literal that a text spells, as typed JSON.

    Objects in it are typed JSON as they are written, and checked where they are used.

    Args:
        strict: Whether a whole number with a fraction or an exponent is a float.

    Raises:
        BadJSON: The text is no literal.
    """
    if text != text.strip():
        raise BadJSON("a literal begins or ends with a space")
    return _typed(parse_json(re.sub(STRING, _double_quoted, text)), strict=strict)


def _typed(tree: Any, *, strict: bool) -> Any:
    if isinstance(tree, list):
        return [_typed(item, strict=strict) for item in tree]
    if isinstance(tree, dict):
        return {name: _typed(item, strict=strict) for name, item in tree.items()}
    if type(tree) is int:
        return wire_of_int(tree)
    if type(tree) is not float:
        return tree
    wire = wire_of_float(tree)
    return {"$float": wire} if strict and tree.is_integer() else wire


def _double_quoted(found: re.Match[str]) -> str:
    if found[1] is not None:
        return found[1]
    inner = re.sub(
        r"\\.|\"",
        lambda part: {"\\'": "'", '"': '\\"'}.get(part[0], part[0]),
        found[2],
        flags=re.DOTALL,
    )
    return f'"{inner}"'


def print_literal(wire: Any) -> str:
    """Return typed JSON as a literal; `read_literal` reads it back."""
    if isinstance(wire, list):
        return f"[{', '.join(map(print_literal, wire))}]"
    if isinstance(wire, dict) and list(wire) == ["$int"]:
        return str(wire["$int"])
    if isinstance(wire, dict):
        members = (f"{quote(name)}: {print_literal(wire[name])}" for name in sorted(wire))
        return f"{{{', '.join(members)}}}"
    if isinstance(wire, float) and wire.is_integer():
        return positional(Decimal(repr(wire)))
    return encode(wire).decode()


def quote(text: str) -> str:
    """Return a text as a JSON string, other characters than ASCII as they are."""
    return json.dumps(text, ensure_ascii=False)
