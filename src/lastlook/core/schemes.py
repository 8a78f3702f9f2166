"""Two published schemes, kept so that their fingerprints can be reproduced.

`freshctx16`: the first 16 hex digits of SHA-256 over `json.dumps(selected,
sort_keys=True)`. `starebrain16`: the same over the text that a map has on the Java
virtual machine, keys sorted. Both take a missing member for null; the second takes 1
for "1" too. Sixteen digits can be made to collide in minutes. Evidence never uses them.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from decimal import Decimal
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from lastlook.core.cells import field_set
from lastlook.core.selectors import ABSENT, tokens_of
from lastlook.errors import DeclarationError, NotCanonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastlook.core.fields import FieldsLike


class PublishedScheme(UserWarning):
    """A fingerprint was made under a scheme that is too weak to be compared."""


def published(record: object, fields: FieldsLike, scheme: str) -> str:
    """Return a published fingerprint, 16 hex digits.

    Raises:
        DeclarationError: A field is more than the name of a member.
        NotCanonical: A value has no form under the scheme, or its text is ambiguous.
    """
    warnings.warn(
        f"{scheme} fingerprints are 16 digits, and other records can share one: "
        "use ll1 for anything that is compared",
        PublishedScheme,
        stacklevel=3,
    )
    selected = _selected(record, fields, scheme)
    try:
        text = SCHEMES[scheme](selected)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, NotCanonical):
            raise
        raise NotCanonical(f"a value has no form under {scheme}: {error}") from error
    return sha256(text.encode()).hexdigest()[:16]


def _selected(record: object, fields: FieldsLike, scheme: str) -> dict[str, Any]:
    """Return the declared members by name, null where there is none, as published."""
    chosen = field_set(fields)
    selected: dict[str, Any] = {}
    for part in chosen.parts:
        tokens = tokens_of(part.field.selector)
        if tokens is None or len(tokens) != 1 or not part.field.is_plain:
            raise DeclarationError(f"{scheme} knows names of members only, not {part.field.shown}")
        found = part.get(record)
        selected[str(tokens[0])] = None if found is ABSENT else found
    return selected


def _freshctx(selected: dict[str, Any]) -> str:
    return json.dumps(selected, sort_keys=True, allow_nan=False)


def _starebrain(selected: dict[str, Any]) -> str:
    names = sorted(selected, key=_utf16)
    marks = [f"{'{' if at == 0 else ', '}{name}=" for at, name in enumerate(names)]
    text = "".join(mark + _jvm(selected[name]) for mark, name in zip(marks, names, strict=True))
    text += "}"
    if _ways(text, marks) > 1:
        raise NotCanonical(
            "two declared fields could have made this text in more than one way",
            fix="Use ll1, which marks where each value ends.",
        )
    return text


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be")


def _ways(text: str, marks: Sequence[str]) -> int:
    """Count the ways to read a text as values between these marks, in this order."""
    ends = [(len(marks[0]), 1)]  # where a mark may have ended, and in how many ways
    for mark in marks[1:]:
        found: list[tuple[int, int]] = []
        waiting, ways = iter([*ends, (len(text) + 1, 0)]), 0
        end, count = next(waiting)
        at = text.find(mark)
        while at >= 0:
            while end <= at:
                ways = min(ways + count, 2)
                end, count = next(waiting)
            found += [(at + len(mark), ways)] if ways else []
            at = text.find(mark, at + 1)
        ends = found
    return sum(count for _, count in ends)


def _jvm(value: Any) -> str:
    """Return the text of a value on the Java virtual machine (`toString`)."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _jvm_double(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}={_jvm(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_jvm, value)) + "]"
    raise NotCanonical(f"a {type(value).__name__} has no form under starebrain16")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise NotCanonical("a member's name is not a text")
    return key


def _jvm_double(value: float) -> str:
    """Return what `Double.toString` gives since JDK 19: the shortest digits."""
    if value - value != 0:
        raise NotCanonical(f"{value} is not a number that can be compared")
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0") or "0"
    point = len(digits) + int(exponent)
    mark = "-" * sign
    if value == 0:
        return f"{mark}0.0"
    if not 1e-3 <= abs(value) < 1e7:
        return f"{mark}{text[0]}.{text[1:] or '0'}E{point - 1}"
    if point <= 0:
        return f"{mark}0.{'0' * -point}{text}"
    return f"{mark}{text[:point].ljust(point, '0')}.{text[point:] or '0'}"


SCHEMES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "freshctx16": _freshctx,
    "starebrain16": _starebrain,
}
"""The published schemes by name: from the selected members to the text that is hashed."""
