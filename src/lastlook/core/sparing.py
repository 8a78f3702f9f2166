"""Sparing a question: which declaration would have held where nothing came out different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from lastlook.core.canonical import encode, from_wire
from lastlook.core.cells import Part
from lastlook.core.compare import Now, compare
from lastlook.core.decimals import ratio
from lastlook.core.evidence import Cell, Wire
from lastlook.core.fields import Field
from lastlook.core.fieldtext import print_selector
from lastlook.core.places import last_name
from lastlook.core.selectors import ABSENT
from lastlook.core.visible import show
from lastlook.errors import FieldSyntaxError

LEAVE_OUT: Final = "leave it out"

_MARKS: Final = ("nfc", "instant", "unordered", "absent_is_null")
_PERCENTS: Final = (1, 2, 5, 10)
_CHOICES: Final = 4
_NEAR: Final = 3  # how many times a value an argument may be, to be taken for its bound


class Moved(Struct, frozen=True, kw_only=True):
    """One time that a field blocked.

    Attributes:
        before: What it held when the person was asked; None where that is not known.
        after: What it held at the block; None where that is not known.
        arguments: What the plan was made with, and what its steps were given, by name.
    """

    before: Cell | None
    after: Cell | None
    arguments: Mapping[str, Wire] = {}


def spared_by(field: Field, idle: Sequence[Moved], other: Sequence[Moved]) -> str:
    """Return what to declare instead of a field, or an empty text.

    Args:
        field: The field as it is declared.
        idle: The times when the fresh plan was confirmed, and nothing in it that runs was
            different. What is returned would have spared each of these questions.
        other: The times when something was different, or there was no yes: none of these
            blocks may go.
    """
    known = all(each.before is not None and each.after is not None for each in (*idle, *other))
    if known and idle and field.comparison == "" and not field.is_wildcard and not field.is_secret:
        for text, candidates in _candidates(field, [*idle, *other], idle):
            holds = [
                _holds(each, moved) for each, moved in zip(candidates, [*idle, *other], strict=True)
            ]
            if all(holds[: len(idle)]) and not any(holds[len(idle) :]):
                return text
    return LEAVE_OUT if idle and not other else ""


_Candidate = tuple[str, Sequence[Field]]


def _candidates(
    field: Field, every: Sequence[Moved], idle: Sequence[Moved]
) -> Iterator[_Candidate]:
    """Give declarations from the narrowest on: for each its text, and the field of each time."""
    for mark in _MARKS:
        try:
            made: Field = getattr(field, mark)
        except FieldSyntaxError:  # it does not go with a mark that is there already
            continue
        yield made.text, [made] * len(every)
    if field.rule:
        return  # a comparison of numbers says nothing beside a mark
    numbers = [number for moved in idle for number in _numbers(moved)]
    if len(numbers) == 2 * len(idle):
        yield from _bounds(field, every, numbers)
        for percent in _PERCENTS:
            made = field.within(percent=percent)
            yield made.text, [made] * len(every)
    yield from _choices(field, every, idle)


def _numbers(moved: Moved) -> Iterator[Fraction]:
    for cell in (moved.before, moved.after):
        number = ratio(cell[1]) if cell and cell[0] == "value" else None
        if number is not None:
            yield Fraction(*number)


def _bounds(
    field: Field, every: Sequence[Moved], numbers: Sequence[Fraction]
) -> Iterator[_Candidate]:
    """Give bounds by an argument: one of the same name first, or else one that is near."""
    own = last_name(field.selector)
    names = [name for name in every[0].arguments if all(name in each.arguments for each in every)]
    for name in sorted(names, key=lambda name: (not _akin(name, own), name)):
        limits = [each.arguments[name] for each in every]
        known = [ratio(limit) for limit in limits]
        bounds = [Fraction(*number) for number in known if number is not None]
        if len(bounds) < len(every) or not (_akin(name, own) or _near(bounds, numbers)):
            continue
        is_one = len({encode(limit) for limit in limits}) == 1
        literal = show(limits[0]) if is_one else f"{{{name}}}"
        for sign, made in (
            (">=", [field.at_least(from_wire(limit)) for limit in limits]),
            ("<=", [field.at_most(from_wire(limit)) for limit in limits]),
        ):
            yield f"{print_selector(field.selector)} {sign} {literal}", made


def _akin(one: str, other: str) -> bool:
    """Tell whether two names are of one thing: `seats` and `min_seats`."""
    parts = [{part for part in name.casefold().split("_") if part} for name in (one, other)]
    return bool(parts[0] & parts[1])


def _near(bounds: Sequence[Fraction], numbers: Sequence[Fraction]) -> bool:
    return all(
        bound * number > 0 and number / _NEAR <= bound <= number * _NEAR
        for bound in bounds
        for number in numbers
    )


def _choices(field: Field, every: Sequence[Moved], idle: Sequence[Moved]) -> Iterator[_Candidate]:
    """Give the few texts that it went back and forth between; once is not enough to tell."""
    cells = [cell for each in idle for cell in (each.before, each.after)]
    wires = [cell[1] if cell and cell[0] == "value" else None for cell in cells]
    texts = {wire for wire in wires if isinstance(wire, str)}
    is_few = len(texts) <= min(_CHOICES, len(idle))
    if is_few and all(isinstance(wire, str) for wire in wires):
        made = field.one_of(*sorted(texts))
        yield made.text, [made] * len(every)


def _holds(field: Field, moved: Moved) -> bool:
    """Tell whether a field, declared like this, would have been captured and then held."""
    part = Part(field)
    before, bad = _cell(part, moved.before)
    after, wrong = _cell(part, moved.after)
    met = part.holds is None or (before[0] == "value" and part.holds(before[1]))
    return met and not bad and compare(part, before, Now(after, after, wrong)).kind is None


def _cell(part: Part, cell: Any) -> tuple[Cell, str]:
    return part.cell(ABSENT if cell[0] == "absent" else from_wire(cell[1]))
