"""How fields and what they selected are put into words; a secret is never among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from lastlook.core.evidence import Cell, Evidence, Wire
from lastlook.core.fields import Field, parse_field
from lastlook.core.fieldtext import print_selector
from lastlook.core.screens.values import counted, name, spell, summary
from lastlook.core.visible import show, visible
from lastlook.errors import LastlookError

SECRET: Final = "(secret)"  # noqa: S105  # the word that stands in for one
ABSENT: Final = "(not there)"

_SECRET_TEXT: Final = re.compile(r"\((?:[a-z_]+, )*secret(?:, [a-z_]+)*\)$")


def label(field: Field | str) -> str:
    """Return the name of a field without its condition, in quotes where it needs them."""
    selector = field if isinstance(field, str) else field.selector
    text = print_selector(selector)
    return show(text) if "," in text or "  " in text else visible(text)


def cell_summary(cell: Cell, field: Field | None = None) -> str:
    """Return what a field selected, in a few words; never a secret."""
    if cell[0] == "absent":
        return ABSENT
    if cell[0] == "secret" or (field is not None and field.is_secret):
        return SECRET
    if field is not None and field.is_wildcard:
        return counted(len(cell[1]), "match", "matches")
    return summary(cell[1])


def demand(field: Field) -> str:
    """Return what a field's condition asks for, as in *one of "a", "b"*; or an empty text."""
    rule = field.rule
    if "one_of" in rule:
        items = SECRET if field.is_secret else ", ".join(spell(item) for item in rule["one_of"])
        return f"one of {items}"
    for key, text in (("equals", ""), ("at_least", "at least "), ("at_most", "at most ")):
        if key in rule:
            return text + (SECRET if field.is_secret else spell(rule[key]))
    return ""


def distance(field: Field) -> str:
    """Return how far a field may move from what was captured, or an empty text."""
    allowed = field.rule.get("within")
    if allowed is None:
        return ""
    percent = isinstance(allowed, dict) and "percent" in allowed
    return f"{spell(allowed['percent'])}%" if percent else spell(allowed)


def asked_of(field: Field) -> str:
    """Return what is asked of a field, as in *status is "free"*; never a secret's literals."""
    if near := distance(field):
        return f"{label(field)} stays within {near}"
    asked = demand(field)
    return f"{label(field)} is {asked}" if asked else f"{label(field)} stays"


def masked(field: Field) -> str:
    """Return the text form of a field; of a secret one without its literals."""
    return visible(field.shown)


def field_of(evidence: Evidence[Any] | None, selector: str) -> Field | None:
    """Return a field of some evidence by its selector."""
    fields: Sequence[Field] = evidence.fields if evidence is not None else ()
    return next((item for item in fields if item.selector == selector), None)


def changed_names(ref: str, fields: Iterable[str]) -> list[str]:
    """Return the names of what changed of a ref: its fields, or the tool itself."""
    kind, _, tool = ref.partition(":")
    return [f"tool {name(tool)}"] if kind == "tool" else [label(item) for item in fields]


def mask_texts(wire: Wire) -> Wire:
    """Return a template with the literals of its secret fields left out."""
    if isinstance(wire, dict):
        return {key: mask_texts(item) for key, item in wire.items()}
    if isinstance(wire, list | tuple):
        return [mask_texts(item) for item in wire]
    if not isinstance(wire, str) or not _SECRET_TEXT.search(wire):
        return wire
    try:
        return masked(parse_field(wire))
    except LastlookError:
        return SECRET
