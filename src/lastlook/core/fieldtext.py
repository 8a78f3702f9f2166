"""The text form of a field: `selector [OP literal] [(word, ...)]`.

This module turns text into parts and parts into text, and knows nothing of fields. The
text is what people write in strings, TOML and on the command line, and what the prompt
and the journal print; for every field the printed text reads back as the same field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from lastlook.core.jsontext import parse_json
from lastlook.core.literals import STRING, print_literal, quote, read_literal
from lastlook.core.objects import escape
from lastlook.core.scan import Unbalanced, outside
from lastlook.core.selectors import check_selector
from lastlook.errors import BadJSON, FieldSyntaxError

OPERATORS: Final = {
    "==": "equals",
    ">=": "at_least",
    "<=": "at_most",
    "in": "one_of",
    "within": "within",
}
WORDS: Final = (
    "optional",
    "secret",
    "nfc",
    "unordered",
    "strict",
    "instant",
    "absent_is_null",
)

_SYMBOLS: Final = {name: symbol for symbol, name in OPERATORS.items()}
_FORBIDDEN: Final = frozenset("=<>!{}[]()\"'")
_LIST: Final = r" \(([a-z_]+(?:, [a-z_]+)*)\)$"
_SLIP: Final = r"(?s)(.+?)\s*(===|==|!=|=|>=|<=|>|<)\s*(.*)"
_MAY_SAY: Final = r"(?is)\(.*secret"
_WORDS_OF_PYTHON: Final = {"True": "true", "False": "false", "None": "null"}


class Parts(NamedTuple):
    """A field's text, taken apart.

    Attributes:
        selector: A JSON Pointer, a JSONPath, or the empty text for the whole record.
        comparison: The name of the comparison in the rule, or an empty text.
        operand: The literal as typed JSON; `{"percent": n}` for a share.
        words: The words in parentheses.
    """

    selector: str
    comparison: str
    operand: Any
    words: tuple[str, ...]


def parse_parts(text: str) -> Parts:
    """Take the text of a field apart.

    Raises:
        FieldSyntaxError: `fix` shows the right spelling. Where the text may be that of a
            secret field, none of it is repeated.
    """
    try:
        return _parts(text)
    except FieldSyntaxError as error:
        if not may_be_secret(text):
            raise
        raise unrepeated(error) from None


def may_be_secret(text: str) -> bool:
    """Tell whether a text, rightly spelled or not, is that of a secret field."""
    return re.search(_MAY_SAY, text) is not None


def unrepeated(error: FieldSyntaxError) -> FieldSyntaxError:
    """Return the error of a text without anything that stands in the text."""
    return FieldSyntaxError(
        "the text of a secret field cannot be read, and is not repeated here",
        where=error.where if error.where.startswith("character ") else "",
        fix='Write it as in: status == "free" (optional, secret). A name with other signs than '
        "letters and spaces stands in double quotes.",
    )


def _parts(text: str) -> Parts:
    body, words = _split_words(text)
    try:
        operators = _operators(body)
    except Unbalanced as error:
        raise FieldSyntaxError(
            f"{text!r} has a {body[error.at]} without its partner",
            where=f"character {error.at + 1}",
            fix=f"Quote a name that holds it: {quote(text)}.",
        ) from None
    if not operators:
        return Parts(parse_selector(body), "", None, words)
    at, symbol = operators[-1]
    literal = body[at + len(symbol) + 2 :]
    name = body[:at]
    operand = _operand(symbol, literal, name, strict="strict" in words)
    return Parts(parse_selector(name), OPERATORS[symbol], operand, words)


def parse_selector(text: str) -> str:
    """Return the selector that a text without condition and words stands for.

    Raises:
        FieldSyntaxError: The text needs quotes, or is more than a selector.
    """
    if text.startswith("$"):
        selector = "" if text == "$" else text
        check_selector(selector)
        return selector
    if text.startswith('"'):
        name = _quoted(text)
    elif needs_quotes(text):
        raise FieldSyntaxError(
            f"{text!r} is not a name that can stand without quotes", fix=_advice(text)
        )
    else:
        name = text
    if not name.startswith("/"):
        name = "/" + escape(name)
    check_selector(name)
    return name


def print_parts(
    selector: str,
    rule: Mapping[str, Any],
    *,
    optional: bool,
    secret: bool,
    masked: bool = False,
) -> str:
    """Return the text of a field; `parse_parts` reads it back unless it is masked.

    Args:
        masked: Whether stars stand in the place of the literal.
    """
    text = print_selector(selector)
    for name, symbol in _SYMBOLS.items():
        if name in rule:
            text += f" {symbol} {'***' if masked else _print_operand(name, rule[name])}"
    held = {"optional": optional, "secret": secret}
    words = [word for word in WORDS if held.get(word, word in rule)]
    return f"{text} ({', '.join(words)})" if words else text


def print_selector(selector: str) -> str:
    """Return a selector as people write it: a name where it is one plain token."""
    if not selector:
        return "$"
    if selector.startswith("$"):
        return selector
    name = selector[1:]
    if "/" in name or "~" in name:
        return quote(selector) if needs_quotes(selector) else selector
    return quote(name) if name.startswith("$") or needs_quotes(name) else name


def needs_quotes(text: str) -> bool:
    """Return whether a name or pointer has to stand in quotes (format.md, *Selector*)."""
    if not text or text != text.strip() or min(text) < " " or not _FORBIDDEN.isdisjoint(text):
        return True
    return bool(_operators(text))


def _operators(text: str) -> list[tuple[int, str]]:
    found = []
    for at in outside(text):
        if text[at] != " ":
            continue
        end = text.find(" ", at + 1)
        word = text[at + 1 : end if end > 0 else len(text)]
        if word in OPERATORS:
            found.append((at, word))
    return found


def _split_words(text: str) -> tuple[str, tuple[str, ...]]:
    if not text.endswith(")"):
        return text, ()
    found = re.search(_LIST, text)
    words = found[1].split(", ") if found else []
    if found is None or not set(words) <= set(WORDS) or len(set(words)) < len(words):
        raise FieldSyntaxError(
            f"{text!r} does not end in words that a field knows",
            fix=f'The words are {", ".join(WORDS)}, each once, as in "status (optional)"; '
            f"a name with parentheses stands in quotes: {quote(text)}.",
        )
    return text[: found.start()], tuple(words)


def _quoted(text: str) -> str:
    try:
        name = parse_json(text)
    except BadJSON:
        name = None
    if not isinstance(name, str):
        raise FieldSyntaxError(
            f"{text!r} is not a name in quotes", fix='Write it as a JSON string: "a name".'
        )
    return name


def _operand(symbol: str, literal: str, name: str, *, strict: bool) -> Any:
    percent = symbol == "within" and literal.endswith("%")
    written = literal[:-1] if percent else literal
    try:
        value = read_literal(written, strict=strict)
    except BadJSON as error:
        raise FieldSyntaxError(
            f"{literal!r} after {symbol} is not a literal: {error.what}",
            fix=_literal_advice(symbol, literal, name),
        ) from error
    return {"percent": value} if percent else value


def _literal_advice(symbol: str, literal: str, name: str) -> str:
    shown = name if name.startswith(("$", '"')) or not needs_quotes(name) else quote(name)
    bare = literal.strip()
    if "{" in bare and not bare.startswith('{"'):
        return (
            f"A condition takes literals only; a value goes in through "
            f"field({quote(name)}).{OPERATORS[symbol]}(value)."
        )
    value = _as_literal(bare)
    example = {"in": f"[{value}]", ">=": "2", "<=": "2", "within": "5%"}.get(symbol, value)
    whole = quote(f"{name} {symbol} {literal}".rstrip())
    return f"Write {shown} {symbol} {example} for a condition, or {whole} for a name."


def _advice(text: str) -> str:
    slip = re.fullmatch(_SLIP, text[:500])
    if "{" in text or "}" in text:
        return (
            'A field is a literal text; a value goes in through field("name").equals(value), '
            f"and a name with braces stands in quotes: {quote(text)}."
        )
    if slip is None or not slip[3]:
        bare = text.strip()
        return f"Write {quote(bare[1:-1] if re.fullmatch(STRING, bare) else bare)}."
    name, symbol, rest = slip.groups()
    literal = _as_literal(rest)
    right = {
        ">": f"{name} >= {literal} with the least value that will do (there is no >)",
        "<": f"{name} <= {literal} with the greatest value that will do (there is no <)",
        "!=": f"{name} in [...] with the values that will do (there is no !=)",
    }.get(symbol, f"{name} {symbol if symbol in OPERATORS else '=='} {literal}")
    return f"Write {right}, or {quote(text)} for a name."


def _as_literal(text: str) -> str:
    try:
        return print_literal(read_literal(text))
    except BadJSON:
        return _WORDS_OF_PYTHON.get(text) or quote(text)


def _print_operand(comparison: str, wire: Any) -> str:
    if comparison == "within" and isinstance(wire, dict) and "percent" in wire:
        return f"{print_literal(wire['percent'])}%"
    return print_literal(wire)


__all__ = [
    "OPERATORS",
    "WORDS",
    "Parts",
    "may_be_secret",
    "needs_quotes",
    "parse_parts",
    "parse_selector",
    "print_parts",
    "print_selector",
    "quote",
    "unrepeated",
]
