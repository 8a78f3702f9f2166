"""Taking cells from a record at capture, with all that is refused there."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NoReturn

from lastlook.core.cells import NOT_THERE, FieldSet, Part
from lastlook.core.conditions import no_base
from lastlook.core.digests import SALT_BYTES, keyed
from lastlook.core.selectors import ABSENT, has_bare_index
from lastlook.core.visible import show_cell, visible
from lastlook.core.withheld import UNREADABLE, holds_secret, told, without_words
from lastlook.errors import (
    ConditionNotMet,
    DeclarationError,
    LastlookError,
    NotCanonical,
    PathNamesNothing,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastlook.core.evidence import Cell, Evidence
    from lastlook.core.fields import Field

_SHOWN = 80
_LONGEST = 80  # characters of a name that advice looks at


class IndexedField(UserWarning):
    """A field counts on a place in an array, and so may come to mean another element."""


def take_cells(
    record: object,
    chosen: FieldSet,
    ref: str,
    salts: Mapping[str, bytes] | None,
    previous: Evidence[Any] | None,
) -> tuple[list[Cell], list[str]]:
    """Return the cells of a record as they are kept, and their canonical texts.

    Raises:
        PathNamesNothing: A field that may not be absent is.
        ConditionNotMet: A condition does not hold.
        NotCanonical: A value has no canonical form; where a field is secret, without
            the details.
        DeclarationError: A field can't be meant of such a value, or a salt is missing.
    """
    secret = holds_secret(chosen.fields)
    try:
        quick = chosen.scalars(record)
        if quick is not None:
            return quick
        had = _selectors(previous, ref)
        near = None if secret else record  # a slip is corrected by what is there
        cells = [(part, _take(part, part.get(record), had, near)) for part in chosen.parts]
    except NotCanonical as error:
        if not secret:
            raise
        raise without_words(error, chosen.fields) from None
    except LastlookError:
        raise
    except Exception as error:  # noqa: BLE001  # a record's own code may raise anything
        what = f"{UNREADABLE}: {type(error).__name__}"
        raise NotCanonical(told(what, UNREADABLE, chosen.fields)) from (None if secret else error)
    rows = [(part, _kept(part.field, cell, ref, salts)) for part, cell in cells]
    return [cell for _, cell in rows], [part.text(cell) for part, cell in rows]


def warn_of_places(chosen: FieldSet, record: object) -> None:
    """Warn of the fields that count on a place in an array of this record."""
    for field in chosen.counted:
        try:
            counts = has_bare_index(field.selector, record)
        except Exception as error:
            raise NotCanonical(
                f"the record could not be read: {type(error).__name__}", where=field.selector
            ) from error
        if counts:
            warnings.warn(
                f"{field.shown} counts on a place in an array; after an insertion in front of it, "
                "it is another element. Name the element by its key: $.items[?@.id == 'x']",
                IndexedField,
                stacklevel=3,
            )


def _selectors(previous: Evidence[Any] | None, ref: str) -> frozenset[str]:
    if previous is None or previous.ref != ref:
        return frozenset()
    return frozenset(field.selector for field in previous.fields)


def _take(part: Part, found: object, had: frozenset[str], record: object) -> Cell:
    """Return the plain cell, with all that capture asks of it."""
    field = part.field
    if found is ABSENT and not field.is_optional and field.selector not in had:
        _refuse_nothing(field, record)
    cell, wrong = part.cell(found)
    if wrong:
        raise DeclarationError(
            f"{_named(field)} {wrong}: it is {_shown(field, cell)}", where=field.selector
        )
    if cell == NOT_THERE:
        if part.holds is not None and not field.is_optional:
            _refuse_condition(field, cell)
        return cell
    values = [value for _, value in cell[1]] if part.wildcard else [cell[1]]
    if part.holds is not None and not all(map(part.holds, values)):
        _refuse_condition(field, cell)
    for value in values if part.near is not None else ():
        why = no_base(part.near, value)
        if why:
            raise DeclarationError(f"{_named(field)}: {_shown(field, cell)} {why}")
    return cell


def _kept(field: Field, cell: Cell, ref: str, salts: Mapping[str, bytes] | None) -> Cell:
    return keyed(salt_of(field, ref, salts), cell) if field.is_secret else cell


def salt_of(field: Field, ref: str, salts: Mapping[str, bytes] | None) -> bytes:
    """Return the salt of a secret field.

    Raises:
        DeclarationError: There is none of 32 bytes.
    """
    if salts is None:
        raise DeclarationError(
            f"{field.shown} is secret, and the pure functions keep no salt for it",
            fix="Read it through a Lastlook, or leave `secret` out.",
        )
    salt = salts.get(f"{ref}#{field.selector}")
    if not isinstance(salt, bytes) or len(salt) != SALT_BYTES:
        raise DeclarationError(
            f"the salt of the secret field {field.shown} is not there", where=ref
        )
    return salt


def _refuse_nothing(field: Field, record: object) -> NoReturn:
    raise PathNamesNothing(
        f"{_named(field)} names nothing in the record, so it would protect nothing",
        where=field.selector,
        fix=_nearest(field.selector, record)
        or f"Correct it, or declare that it may be missing: {field.optional.shown}",
    )


def _nearest(selector: str, record: object) -> str:
    """Return advice for a name with a slip in it, from the names that are there."""
    name = selector[1:]
    if not isinstance(record, dict) or "/" in name or selector[:1] != "/":
        return ""
    from difflib import get_close_matches

    if "." in name and name.split(".")[0] in record:
        return f"For a member of a member, write /{name.replace('.', '/')}"
    names = [key for key in record if isinstance(key, str) and len(key) <= _LONGEST]
    close = get_close_matches(name[:_LONGEST], names[:1000], 1)
    return f"Did you mean {visible(close[0])}?" if close else ""


def _refuse_condition(field: Field, cell: Cell) -> NoReturn:
    raise ConditionNotMet(
        f"{field.shown} does not hold now: {_named(field)} is {_shown(field, cell)}",
        where=field.selector,
    )


def _named(field: Field) -> str:
    return visible(type(field)(selector=field.selector).text)


def _shown(field: Field, cell: Cell) -> str:
    return "(secret)" if field.is_secret else show_cell(cell, _SHOWN)
