"""A warning for arguments that were taken from a value which may still move."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Final, NamedTuple

from lastlook.core.deciding import leaves
from lastlook.planning.drafts import Draft

_LOOSE: Final = frozenset({"at_least", "at_most", "one_of"})


class LooseArgument(UserWarning):
    """An argument equals a captured value that its condition lets move.

    The plan would still run with the old value. Declare the field so that it stays, or
    let the tool take the value that was checked: `act.checked`.
    """


class _Held(NamedTuple):
    """One captured field: whether it may move, and the scalars that it holds."""

    ref: str
    shown: str
    loose: bool
    values: frozenset[str]


def warn_of_loose(draft: Draft) -> None:
    """Warn of each argument that was taken from a field with a condition, as far as values tell.

    What the planner itself was called with is no such argument, and neither is a value
    that some other field holds to.
    """
    held = leaves(list(draft.origin.arguments.values()))
    fields = list(_captured(draft))
    for field in fields:
        if not field.loose:
            held |= field.values
    for field in fields:
        if field.loose:
            _warn(draft, field, field.values - held)


def _warn(draft: Draft, field: _Held, values: frozenset[str]) -> None:
    arguments = [(step.tool, *item) for step in draft.steps for item in step.arguments.items()]
    for tool, name, wire in arguments:
        if taken := leaves(wire) & values:
            warnings.warn(
                f"{tool}: {name} {min(taken)} may be taken from {field.ref}, where it can move "
                f"while {field.shown} holds, and the plan would run with the old value: "
                "declare the field so that it stays, or use act.checked",
                LooseArgument,
                stacklevel=6,
            )


def _captured(draft: Draft) -> Iterator[_Held]:
    """Give each captured field, and the scalars that it holds."""
    for item in draft.evidence:
        for field, cell in zip(item.fields, item.cells, strict=False):
            if cell[0] == "value" and not field.is_secret:
                loose = bool(_LOOSE.intersection(field.rule))
                yield _Held(item.ref, field.shown, loose, leaves(cell[1]))
