"""A journal row to the byte: what is kept of it, and what its digest is taken over.

The digest is SHA-256 (or HMAC-SHA-256, where the row names a key) over the tag
`lastlook:journal/1`, a line end, and the RFC 8785 bytes of the whole row, in which every
member stands, null or not, and `prev` is the digest of the plan's row before.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, Final

from msgspec.json import Encoder

from lastlook.core.canonical import canonical_bytes, from_wire
from lastlook.core.jsontext import parse_wire
from lastlook.errors import NotCanonical

if TYPE_CHECKING:
    from lastlook.core.lifecycle import JournalRow

_TAG: Final = b"lastlook:journal/1\n"
_QUICK: Final = 64 * 1024
_sorted: Final = Encoder(order="sorted").encode


def data_bytes(data: Any) -> bytes | None:
    """Return a row's `data` as it is kept: canonical bytes, or None for None."""
    if data is None:
        return None
    return _quick_bytes(data) or canonical_bytes(data)


def _quick_bytes(data: Any) -> bytes | None:
    """Return the canonical bytes of names and digests, or None where care is needed.

    Of ASCII text, small integers and lists of texts msgspec writes the same bytes as
    RFC 8785 wants, in a tenth of the time; anything else is left to the careful way.
    """
    if type(data) is not dict or not all(map(_is_plain, data, data.values())):
        return None
    made = _sorted(data)
    return made if len(made) <= _QUICK and b'"$' not in made else None


def _is_plain(name: object, value: Any) -> bool:
    if type(name) is not str or not name.isascii():
        return False
    kind = type(value)
    if kind is str:
        return bool(value.isascii())
    if kind is list:
        return all(type(item) is str and item.isascii() for item in value)
    return kind is bool or value is None or (kind is int and -(2**53) < value < 2**53)


def data_value(data: bytes | None) -> Any:
    """Return what `data_bytes` made, as Python values again."""
    return None if data is None else from_wire(parse_wire(data))


def row_bytes(row: JournalRow, data: bytes | None) -> bytes:
    """Return the RFC 8785 bytes of a row, all members present.

    Args:
        row: The row; its `data` is not looked at.
        data: The row's data as `data_bytes` gives it.

    Raises:
        NotCanonical: A name in the row is not text that has UTF-8 bytes.
    """
    time = row.at.isoformat().removesuffix("+00:00")
    if row.at.microsecond:
        time = time.rstrip("0")
    was = "null" if row.was is None else encode_basestring(row.was)
    key_id = "null" if row.key_id is None else encode_basestring(row.key_id)
    first = f'{{"at":{{"$datetime":"{time}Z"}},"by":{encode_basestring(row.by)},"data":'
    rest = (
        f',"epoch":{row.epoch},"key_id":{key_id},"plan":{encode_basestring(row.plan)},'
        f'"prev":{encode_basestring(row.prev)},"row":{row.row},'
        f'"state":{encode_basestring(row.state)},"step":{row.step},"was":{was}}}'
    )
    try:
        return first.encode() + (b"null" if data is None else data) + rest.encode()
    except UnicodeEncodeError as error:
        raise NotCanonical("a name in a journal row holds half of a surrogate pair") from error


def row_digest(row: JournalRow, data: bytes | None, key: bytes | None = None) -> str:
    """Return the digest of a row as 64 hex digits; `key` where the row names one."""
    if row.key_id is None:
        return sha256(_TAG + row_bytes(row, data)).hexdigest()
    if key is None:
        raise KeyError(row.key_id)
    return hmac.digest(key, _TAG + row_bytes(row, data), "sha256").hex()
