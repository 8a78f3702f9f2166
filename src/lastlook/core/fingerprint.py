"""Fingerprints: one text for what a record holds under some fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lastlook.core.evidence import capture
from lastlook.errors import BadFormat

if TYPE_CHECKING:
    from lastlook.core.fields import FieldsLike


def fingerprint(record: object, fields: FieldsLike, *, scheme: str = "ll1") -> str:
    """Return the fingerprint of the declared fields of a record.

    Under `ll1` it is that of `capture(record, fields)`, with all that `capture`
    refuses: two fingerprints are equal only where every field is the same, and a field
    that names nothing never passes for one that is unchanged.

    Args:
        record: A mapping, a list, or an object with declared fields.
        fields: Texts, fields, or a class of `Facts`.
        scheme: `ll1`. `freshctx16` and `starebrain16` reproduce published fingerprints
            of 16 digits, which other records can be made to share; evidence is never
            compared under them.

    Returns:
        `ll1:` and 64 hex digits; under the published schemes, 16 hex digits alone.

    Warns:
        PublishedScheme: The scheme is a published one.

    Raises:
        BadFormat: The scheme is unknown.
        DeclarationError: As `capture` raises its subclasses.
        NotCanonical: A declared value has no form under the scheme.
    """
    if scheme == "ll1":
        return capture(record, fields).fingerprint
    from lastlook.core.schemes import SCHEMES, published

    if scheme not in SCHEMES:
        raise BadFormat(
            f"there is no scheme {scheme!r}", fix=f"Known are ll1, {', '.join(sorted(SCHEMES))}."
        )
    return published(record, fields, scheme)
