"""JSON text, read strictly (RFC 8259): what two readers could take differently is refused."""

from __future__ import annotations

import re
from decimal import Decimal
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any, Final, NoReturn

from lastlook.core.canonical import LIMITS, Limits
from lastlook.core.typed import check_wire
from lastlook.core.visible import visible
from lastlook.errors import BadJSON

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire

BODY_LIMITS: Final = Limits(depth=160, nodes=4_000_000, bytes=256 * 2**20)
"""The limits for typed JSON that holds many values: a plan, a journal row."""

_NOT_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[^"\[\]{}]+', re.DOTALL)
_MAYBE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(data: bytes | str, *, limits: Limits = LIMITS) -> Any:
    """Return the value of a JSON text: dict, list, str, int, float, bool or None.

    Refused are all that RFC 8259 refuses, and: repeated names, NaN and infinities,
    numbers that overflow or read as 0 without being 0, half a surrogate pair, a
    byte-order mark, text that is not UTF-8, and text beyond the limits. Digits that a
    double can't hold are rounded; integers are exact.

    Raises:
        BadJSON: The text is refused; `where` says at which place, if that is known.
    """
    text = _decoded(data, limits)
    _check_depth(text, limits)
    try:
        value = _decoder.decode(text)
    except JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise BadJSON(f"not JSON: {error.msg}", where=place) from None
    except RecursionError:
        raise BadJSON("the text nests too deep to be read") from None
    if text.count(",") + text.count("[") + text.count("{") >= limits.nodes:
        _check_nodes(value, limits)
    if _MAYBE_SURROGATE.search(text):
        _check_texts(value)
    return value


def parse_wire(data: bytes | str, *, limits: Limits = BODY_LIMITS) -> Wire:
    """Return the tree of a text that must be typed JSON.

    Raises:
        BadJSON: The text is not strict JSON.
        NotCanonical: It is JSON, but not typed JSON: an unknown `$` name, or a value in
            another spelling than its own.
    """
    return check_wire(parse_json(data, limits=limits))


def _decoded(data: bytes | str, limits: Limits) -> str:
    try:
        raw = data if isinstance(data, bytes) else data.encode()
        text = raw.decode()
    except UnicodeEncodeError as error:
        where = f"character {error.start + 1}"
        raise BadJSON("the text holds half a surrogate pair", where=where) from None
    except UnicodeDecodeError as error:
        raise BadJSON("the text is not UTF-8", where=f"byte {error.start + 1}") from None
    if len(raw) > limits.bytes:
        raise BadJSON(f"the text has more than {limits.bytes:,} bytes")
    if text.startswith("\ufeff"):
        raise BadJSON("the text begins with a byte-order mark", fix="Save it without one.")
    return text


def _check_depth(text: str, limits: Limits) -> None:
    """Refuse deep nesting before the parser, which recurses, sees it."""
    if text.count("[") + text.count("{") <= limits.depth:
        return
    depth = 0
    for bracket in _NOT_BRACKETS.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > limits.depth:
            raise BadJSON(f"arrays and objects are more than {limits.depth} deep")


def _check_nodes(value: Any, limits: Limits) -> None:
    nodes = 0
    waiting = [value]
    while waiting:
        nodes += 1
        node = waiting.pop()
        if isinstance(node, dict):
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    if nodes > limits.nodes:
        raise BadJSON(f"there are more than {limits.nodes:,} values")


def _check_texts(value: Any) -> None:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            waiting.extend(node)
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, str) and not _is_text(node):
            raise BadJSON("a text holds half a surrogate pair")


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadJSON(f'the member "{visible(twice[:80])}" stands twice in one object')
    return made


def _integer(text: str) -> int:
    if len(text) > LIMITS.digits and len(text.lstrip("-")) > LIMITS.digits:
        raise BadJSON(f"a number has more than {LIMITS.digits} digits")
    return int(text) if len(text) < 600 else int(Decimal(text))


def _float(text: str) -> float:
    if len(text) > LIMITS.digits:
        raise BadJSON(f"a number has more than {LIMITS.digits} digits")
    value = float(text)
    if value - value != 0:
        raise BadJSON("a number is too large for a double")
    if value == 0 and text.lower().partition("e")[0].strip("-0."):
        raise BadJSON("a number is not 0 but too small for a double")
    return value


def _constant(text: str) -> NoReturn:
    raise BadJSON(f"{text} is not JSON")


_decoder: Final = JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
