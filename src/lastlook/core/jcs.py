"""RFC 8785, the JSON Canonicalization Scheme: one text for each tree of typed JSON."""

from __future__ import annotations

from json.encoder import JSONEncoder, encode_basestring
from typing import TYPE_CHECKING, Final

from lastlook.core.decimals import json_number
from lastlook.errors import NotCanonical

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire

_quick: Final = JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True,
    separators=(",", ":"),
)  # fmt: skip
_BELOW_E000: Final = bytes(range(0xEE))  # UTF-8 lead bytes of all before U+E000


def encode(wire: Wire) -> bytes:
    """Return the RFC 8785 bytes of a tree that is typed JSON already.

    Raises:
        NotCanonical: The tree holds something that JSON has no form for.
    """
    return encode_text(wire).encode()


def encode_text(wire: Wire) -> str:
    """Return what `encode` returns, before it is made UTF-8.

    The standard library's encoder differs from RFC 8785 in three ways only: a float
    that is integral, a float's exponent, and the order of names beyond U+D7FF. Texts in
    which one of them can occur are written anew, slowly.
    """
    try:
        text = _quick.encode(wire)
        if "e-0" in text or "e+" in text or ".0" in text or _high(text):
            return _write(wire)
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise NotCanonical(f"this is not typed JSON: {error}") from error
    return text


def _high(text: str) -> bool:
    return not text.isascii() and bool(text.encode().translate(None, _BELOW_E000))


def _write(wire: Wire) -> str:
    if isinstance(wire, str):
        return encode_basestring(wire)
    if isinstance(wire, dict):
        pairs = sorted(wire.items(), key=_utf16)
        return "{" + ",".join(f"{encode_basestring(k)}:{_write(v)}" for k, v in pairs) + "}"
    if isinstance(wire, list | tuple):
        return "[" + ",".join(map(_write, wire)) + "]"
    if wire is None or isinstance(wire, bool):
        return {None: "null", True: "true", False: "false"}[wire]
    return json_number(wire)


def _utf16(pair: tuple[str, Wire]) -> bytes:
    """Order names as RFC 8785, section 3.2.3, does: by UTF-16 code units."""
    return pair[0].encode("utf-16-be")
