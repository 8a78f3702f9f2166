"""Fields: what evidence rests on, and what the attributes of a `Facts` class may say.

`field` makes one by name; `parse_field` reads the text form. The rest goes into
`Annotated[...]` in a class of `Facts`.
"""

from __future__ import annotations

from lastlook.core.facts import (
    Facts,
    absent_is_null,
    at_least,
    at_most,
    equals,
    instant,
    nfc,
    one_of,
    secret,
    strict,
    unordered,
    within,
)
from lastlook.core.fields import Field, FieldsLike, field, parse_field

__all__ = [
    "Facts",
    "Field",
    "FieldsLike",
    "absent_is_null",
    "at_least",
    "at_most",
    "equals",
    "field",
    "instant",
    "nfc",
    "one_of",
    "parse_field",
    "secret",
    "strict",
    "unordered",
    "within",
]
