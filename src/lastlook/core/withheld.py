"""What is said of a failed read where its words could give a secret away.

A source's own words, and those of whatever reads a record into canonical form, may name
or quote anything that is in the record. So where a field is secret, none of them are
passed on: it is said what kind of failure it was, and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lastlook.errors import NotCanonical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastlook.core.fields import Field

WITHHELD: Final = "the details are withheld, because a field is secret"
UNREADABLE: Final = "the record could not be read"


def holds_secret(fields: Iterable[Field]) -> bool:
    """Tell whether one of the fields is secret."""
    return any(field.is_secret for field in fields)


def told(words: str, kind: str, fields: Iterable[Field]) -> str:
    """Return `words`, or only the kind of failure where a field is secret.

    Args:
        words: What the source, or the reader of the record, said.
        kind: The same in our words, as in *no answer*.
        fields: The fields that are read, or were.
    """
    if words == kind or not holds_secret(fields):
        return words
    return f"{kind}; {WITHHELD}"


def without_words(error: NotCanonical, fields: Iterable[Field]) -> NotCanonical:
    """Return an error without its words, and with no more of its place than a selector."""
    near = [
        field.selector
        for field in fields
        if error.where == field.selector or error.where.startswith(f"{field.selector}/")
    ]
    what = f"a value has no canonical form; {WITHHELD}"
    return NotCanonical(what, where=max(near, key=len, default=""))
