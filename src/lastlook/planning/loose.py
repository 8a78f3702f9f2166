"""A warning for arguments that were taken from a value which may still move."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Final

from lastlook.core.deciding import leaves
from lastlook.planning.drafts import Draft

_LOOSE: Final = frozenset({"at_least", "at_most", "one_of"})


class LooseArgument(UserWarning):
    """An argument equals a captured value that its condition lets move.

    The plan would still run with the old value. Declare the field so that it stays, or
    let the tool take the value that was checked: `act.checked`.
    """


def warn_of_loose(draft: Draft) -> None:
    """Warn of each argument that was taken from a field with a condition, as far as values tell.

    What the planner itself was called with is no such argument, and neither is a value
    that some other field holds to.
    """
    held = leaves(list(draft.origin.arguments.values()))
    for rule, _, _, values in _captured(draft):
        if not _LOOSE.intersection(rule):
            held |= values
    for rule, ref, shown, values in _captured(draft):
        if not _LOOSE.intersection(rule):
            continue
        for step in draft.steps:
            for name, wire in step.arguments.items():
                if taken := leaves(wire) & values - held:
                    warnings.warn(
                        f"{step.tool}: {name} {min(taken)} may be taken from {ref}, where it can "
                        f"move while {shown} holds, and the plan would run with the old value: "
                        "declare the field so that it stays, or use act.checked",
                        LooseArgument,
                        stacklevel=5,
                    )


def _captured(draft: Draft) -> Iterator[tuple[frozenset[str], str, str, frozenset[str]]]:
    """Give each captured field's rule, ref and text, and the scalars that it holds."""
    for item in draft.evidence:
        for field, cell in zip(item.fields, item.cells, strict=False):
            if cell[0] == "value" and not field.is_secret:
                yield frozenset(field.rule), item.ref, field.shown, leaves(cell[1])
