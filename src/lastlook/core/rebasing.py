"""Re-basing: what a plan's own steps wrote is no change by others.

A step declares its writes. A field it *said* it wrote is compared for equality with
what it said, whatever its rule; a field it declared and left unsaid is left out of later
looks, and the outcome says so. What is written later counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lastlook.core.canonical import from_wire, to_wire
from lastlook.core.digests import keyed
from lastlook.core.evidence import Cell, Evidence, Wire, assemble
from lastlook.core.fields import Field
from lastlook.core.objects import ABSENT, unescape
from lastlook.core.plan import Write
from lastlook.core.selectors import compile_selector
from lastlook.core.taking import salt_of


class _Written(NamedTuple):
    """One write: the selector, and the value as a cell; None where it was left unsaid."""

    selector: str
    cell: Cell | None


class Rebased:
    """What the steps of one plan have written so far.

    Args:
        evidence: What the plan rests on.
        salts: The salts of its secret fields, under `ref#selector`.
    """

    def __init__(
        self, evidence: Sequence[Evidence[Any]] = (), salts: Mapping[str, bytes] | None = None
    ) -> None:
        self._evidence = evidence
        self._salts = salts or {}
        self._written: dict[str, list[_Written]] = {}

    def add(
        self, writes: Sequence[Write], said: Mapping[str, Mapping[str, Wire]]
    ) -> tuple[str, ...]:
        """Take in one step.

        Returns:
            What later looks leave out because of it, as `ref` or `ref#selector`: what it
            declared to write without saying what, and evidence that it said only a part of.
        """
        before = self._left_out()
        unsaid = _unsaid(writes, said)
        for ref, selector in unsaid:
            self._written.setdefault(ref, []).append(_Written(selector, None))
        for ref, values in said.items():
            new = [_Written(selector, ("value", value)) for selector, value in values.items()]
            self._written.setdefault(ref, []).extend(new)
        lost = [
            (ref, selector)
            for ref, selector in self._left_out()
            if (ref, selector) not in before
            and not any(ref == r and overlaps(s, selector) for r, s in unsaid)
        ]
        return tuple(f"{ref}#{selector}" if selector else ref for ref, selector in unsaid + lost)

    def apply(self, evidence: Evidence[Any]) -> Evidence[Any] | None:
        """Return the evidence to look at from now on; None where nothing is left of it."""
        written = self._written.get(evidence.ref, [])
        if not written:
            return evidence
        if evidence.kind != "record":
            return None
        kept = [pair for pair in self._pairs(evidence) if pair[1] is not None]
        return assemble(evidence, kept) if kept else None

    def _pairs(self, evidence: Evidence[Any]) -> list[tuple[Field, Any]]:
        return [
            self._rebased(evidence.ref, item, cell)
            for item, cell in zip(evidence.fields, evidence.cells, strict=True)
        ]

    def _rebased(self, ref: str, field: Field, cell: Cell) -> tuple[Field, Cell | None]:
        """Return a field and what it must hold now; no cell where it is left out."""
        now: Cell | None = cell
        plain = Field(selector=field.selector, is_secret=field.is_secret)
        for selector, value in self._written.get(ref, []):
            if not overlaps(selector, field.selector):
                continue
            if value is not None and covers(selector, field.selector):
                field, now = plain, _within(selector, field.selector, value)
            elif value is not None and covers(field.selector, selector) and _open(field, now):
                now = _with(now, selector[len(field.selector) :], value)
            else:
                field, now = plain, None
        if now is not None and field.is_secret and now[0] != "secret":
            now = keyed(salt_of(field, ref, self._salts), now)
        return field, now

    def _left_out(self) -> list[tuple[str, str]]:
        """Return what is left out of the evidence by now; an absence as its ref alone."""
        out = []
        for item in self._evidence:
            if item.kind == "record":
                out += [(item.ref, f.selector) for f, cell in self._pairs(item) if cell is None]
            elif item.ref in self._written:
                out.append((item.ref, ""))
        return out


def rebase(evidence: Sequence[Evidence[Any]], rebased: Rebased) -> list[Evidence[Any]]:
    """Return what a later step's look reads, less what this plan wrote itself."""
    return [item for old in evidence if (item := rebased.apply(old)) is not None]


def said_of_declared(
    writes: Sequence[Write], said: Mapping[str, Mapping[str, Wire]]
) -> dict[str, dict[str, Wire]]:
    """Return what was said of fields that the step declared to write; the rest is no excuse."""
    fields = {write.ref: write.fields or ("",) for write in writes}
    kept = {
        ref: {
            selector: value
            for selector, value in values.items()
            if any(covers(each, selector) for each in fields.get(ref, ()))
        }
        for ref, values in said.items()
    }
    return {ref: values for ref, values in kept.items() if values}


def _unsaid(
    writes: Sequence[Write], said: Mapping[str, Mapping[str, Wire]]
) -> list[tuple[str, str]]:
    """Return refs and selectors of what was declared and not said in full."""
    return [
        (write.ref, selector)
        for write in writes
        for selector in write.fields or ("",)
        if not any(covers(known, selector) for known in said.get(write.ref, {}))
    ]


def _within(written: str, wanted: str, value: Cell) -> Cell:
    found = compile_selector(wanted[len(written) :])(from_wire(value[1]))
    return ("absent",) if found is ABSENT else ("value", to_wire(found))


def _open(field: Field, cell: Cell | None) -> bool:
    """Tell whether a part of what a field holds can be put in another's place."""
    return field.is_plain and cell is not None and cell[0] == "value"


def _with(cell: Any, pointer: str, value: Cell) -> Cell | None:
    """Return a cell with one place in it written over; None where it has no such place."""
    whole = from_wire(cell[1])
    parent, _, last = pointer.rpartition("/")
    inner = compile_selector(parent)(whole)
    if isinstance(inner, list) and compile_selector(f"/{last}")(inner) is not ABSENT:
        inner[int(last)] = from_wire(value[1])
    elif isinstance(inner, dict):
        inner[unescape(last)] = from_wire(value[1])
    else:
        return None
    return ("value", to_wire(whole))


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
        if not (letter.isalnum() or letter == "_" or letter >= "\x80"):
            break
        name += letter
    return name or None
