"""What a file's bytes say: strict JSON, TOML or YAML, by the suffix of its name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from lastlook.core.jsontext import parse_json
from lastlook.errors import BadJSON

if TYPE_CHECKING:
    from lastlook.core.canonical import Limits

SUFFIXES: Final = (".json", ".toml", ".yaml", ".yml")
"""The suffixes that are tried for a key, in this order; two that are there are refused."""

SLOW_BYTES: Final = 128 * 2**10
"""The most that is read of a TOML or YAML file: their parsers are slow, and the file is
read on the thread of whoever asks, right before something runs."""

_DOTS: Final = 250_000


def parse_text(name: str, data: bytes, limits: Limits) -> object:
    """Return the value that a file holds.

    Args:
        name: The file's name; `.toml`, `.yaml` and `.yml` say what it is, and every
            other name means strict JSON.
        data: Its bytes, in UTF-8.
        limits: How large a JSON text may be.

    Raises:
        BadJSON: The text is not what it should be, is nested too deep, or repeats a
            key; `where` is the place in it.
    """
    if name.endswith(".toml"):
        return _toml(_not_slow(data))
    if name.endswith((".yaml", ".yml")):
        from lastlook.sources.yaml_text import parse_yaml

        return parse_yaml(_not_slow(data))
    return parse_json(data, limits=limits)


def decoded(data: bytes) -> str:
    """Return UTF-8 text without a byte-order mark; anything else is `BadJSON`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJSON("this is not UTF-8", where=f"byte {error.start}") from None
    if text.startswith("\ufeff"):
        raise BadJSON("it begins with a byte-order mark", where="byte 0")
    return text


def number(text: str) -> float:
    """Return the double that a text writes, refusing what it could only stand for badly.

    Raises:
        BadJSON: Not a number, infinite, beyond a double, or a non-zero text so small
            that it reads as 0.
    """
    value = float(text)
    if not math.isfinite(value):
        raise BadJSON("a number is not finite, or beyond a double")
    digits = text.lower().partition("e")[0]
    if value == 0 and any(digit in "123456789" for digit in digits):
        raise BadJSON("a number is too small for a double")
    return value


def _not_slow(data: bytes) -> str:
    if len(data) > SLOW_BYTES:
        raise BadJSON(f"TOML and YAML are read up to {SLOW_BYTES:,} bytes", fix="Use JSON.")
    return decoded(data)


def _toml(text: str) -> object:
    from tomllib import loads

    # A dotted key costs the parser the square of its length.
    if sum(line.count(".") ** 2 for line in text.split("\n")) > _DOTS:
        raise BadJSON("this is nested too deep: a line has hundreds of dots")
    try:
        return loads(text, parse_float=number)
    except BadJSON:
        raise
    except ValueError as error:
        raise BadJSON(f"this is not TOML: {error}") from None
    except RecursionError:
        raise BadJSON("this is nested too deep") from None
