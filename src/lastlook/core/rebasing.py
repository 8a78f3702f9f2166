"""Re-basing: what a plan's own steps wrote is no change by others.

A step declares its writes. A field it *said* it wrote is compared for equality with
what it said, whatever its rule; a field it declared and left unsaid is left out of later
looks, and the outcome says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lastlook.core.canonical import from_wire, to_wire
from lastlook.core.evidence import Evidence, Wire, assemble
from lastlook.core.fields import Field
from lastlook.core.plan import Write
from lastlook.core.selectors import ABSENT, compile_selector


class Rebased:
    """What the steps of one plan have written so far."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, Wire]] = {}
        self._declared: dict[str, list[str]] = {}

    def add(
        self, writes: Sequence[Write], said: Mapping[str, Mapping[str, Wire]]
    ) -> tuple[str, ...]:
        """Take in one step.

        Returns:
            What it declared to write without saying what, as `ref` or `ref#selector`.
        """
        unsaid: list[str] = []
        for write in writes:
            self._declared.setdefault(write.ref, []).extend(write.fields or ("",))
            known = said.get(write.ref, {})
            unsaid += [f"{write.ref}#{item}" for item in write.fields if item not in known]
            if not write.fields and not known:
                unsaid.append(write.ref)
        for ref, values in said.items():
            self._said.setdefault(ref, {}).update(values)
        return tuple(unsaid)

    def apply(self, evidence: Evidence[Any]) -> Evidence[Any] | None:
        """Return the evidence to look at from now on; None where nothing is left of it."""
        said = self._said.get(evidence.ref, {})
        declared = self._declared.get(evidence.ref, [])
        if not said and not declared:
            return evidence
        if evidence.kind != "record":
            return None
        kept = [
            pair
            for item, cell in zip(evidence.fields, evidence.cells, strict=True)
            if (pair := _rebased(item, cell, said, declared)) is not None
        ]
        return assemble(evidence, kept) if kept else None


def rebase(evidence: Sequence[Evidence[Any]], rebased: Rebased) -> list[Evidence[Any]]:
    """Return what a later step's look reads, less what this plan wrote itself."""
    return [item for old in evidence if (item := rebased.apply(old)) is not None]


def _rebased(
    field: Field, cell: tuple[Wire, ...], said: Mapping[str, Wire], declared: Sequence[str]
) -> tuple[Field, tuple[Wire, ...]] | None:
    for selector, value in said.items():
        if covers(selector, field.selector) and cell[0] != "secret":
            return Field(selector=field.selector), _within(selector, field.selector, value)
    touched = [*said, *declared]
    if any(overlaps(item, field.selector) for item in touched):
        return None
    return field, cell


def _within(written: str, wanted: str, value: Wire) -> tuple[Wire, ...]:
    found = compile_selector(wanted[len(written) :])(from_wire(value))
    return ("absent",) if found is ABSENT else ("value", to_wire(found))


def covers(written: str, wanted: str) -> bool:
    """Tell whether a written pointer is the wanted one or an ancestor of it."""
    if written.startswith("$") or wanted.startswith("$"):
        return False
    return wanted == written or wanted.startswith(f"{written}/")


def overlaps(written: str, wanted: str) -> bool:
    """Tell whether a write may touch what a selector selects; unsure means yes."""
    if written.startswith("$") or wanted.startswith("$"):
        one, other = _first_name(written), _first_name(wanted)
        return one is None or other is None or one == other
    return covers(written, wanted) or covers(wanted, written)


def _first_name(selector: str) -> str | None:
    """Return the first member name of a selector, where it can only be that one."""
    if not selector.startswith("$"):
        return selector.split("/", 2)[1].replace("~1", "/").replace("~0", "~") if selector else None
    name = ""
    for letter in selector[2:] if selector[1:2] == "." else "":
        if not (letter.isalnum() or letter in "_-"):
            break
        name += letter
    return name or None
