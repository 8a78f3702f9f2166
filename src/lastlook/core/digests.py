r"""Digests: `ll1`, the only scheme that evidence is compared under.

`ll1` is SHA-256 over `lastlook:ll1\n` and the RFC 8785 bytes of
`[kind, ref, params, cells]`; the digest of one field is the same over
`lastlook:ll1/field\n` with that one cell. The texts are put together from parts that
are canonical already, so that a set of fields is encoded once and not at each record.
"""

from __future__ import annotations

from hashlib import sha256
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Final

from lastlook.core.jcs import encode, encode_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastlook.core.evidence import Cell, Wire

SCHEME: Final = "ll1"
SALT_BYTES: Final = 32
"""How long the salt of a secret field is."""

_WHOLE: Final = "lastlook:ll1\n"
_FIELD: Final = "lastlook:ll1/field\n"


def start(kind: str, ref: str, params: Wire = None) -> str:
    """Return the text before the cells, up to their opening bracket."""
    known = "null" if params is None else encode_text(params)
    return f'["{kind}",{encode_basestring(ref)},{known},['


def whole_digest(opening: str, texts: Iterable[str]) -> str:
    """Return the fingerprint over the texts of all cells, after `start`'s opening."""
    body = f"{_WHOLE}{opening}{','.join(texts)}]]"
    return f"ll1:{sha256(body.encode()).hexdigest()}"


def field_digest(opening: str, text: str) -> str:
    """Return the digest of one field, from the text of its cell."""
    return f"ll1:{sha256(f'{_FIELD}{opening}{text}]]'.encode()).hexdigest()}"


def member_text(key: str, texts: Iterable[str]) -> str:
    """Return the text of one member of a query, from the texts of its cells."""
    return f"[{encode_basestring(key)},[{','.join(texts)}]]"


def keyed(salt: bytes, cell: Cell) -> Cell:
    """Return the cell of a secret field: HMAC-SHA-256 over the bytes of the plain one."""
    import hmac

    return ("secret", hmac.digest(salt, encode(cell), "sha256").hex())
