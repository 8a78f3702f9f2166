"""A step's arguments as they are shown: in full, in the order of the tool's signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from lastlook.core.evidence import Wire
from lastlook.core.look_alikes import oddities
from lastlook.core.plan import ActionPlan, PlannedStep, SideEffect
from lastlook.core.screens.layout import Line, label_column, prose, row
from lastlook.core.screens.values import full, name, short

COLUMN: Final = 20


def step_lines(plan: ActionPlan, step: PlannedStep[Any]) -> list[Line]:
    """Return a step with each of its arguments in full; alone where it has none."""
    arguments = ordered_arguments(plan, step)
    names = {key: name(key) for key in arguments}
    column = label_column(names.values(), indent=COLUMN, least=COLUMN + 9, most=20, gap=2)
    rest: list[Line] = []
    for key, wire in arguments.items():
        rest += row(names[key], full(wire, column=column), indent=COLUMN, column=column)
    return row(f"{step.number} {name(step.tool)}", rest, indent=2, column=COLUMN, style="strong")


def says_what_it_does(step: PlannedStep[Any], effect: SideEffect | None) -> bool:
    """Tell whether a step's tool says in words what it does, beyond its own name."""
    return effect is not None and effect.text != step.tool


def ordered_arguments(plan: ActionPlan, step: PlannedStep[Any]) -> dict[str, Wire]:
    """Return a step's arguments in the order of the tool's signature, the rest by name."""
    schema = next((item.arguments for item in plan.tools if item.name == step.tool), None)
    known = [key for key in _required(schema) if key in step.arguments]
    rest = sorted(key for key in step.arguments if key not in known)
    return {key: step.arguments[key] for key in (*known, *rest)}


def _required(schema: Wire) -> list[str]:
    """Return the names that a JSON Schema, in typed JSON, lists as required, in its order."""
    schema = _object(schema)
    definitions = _object(schema.get("$$defs"))
    target = str(schema.get("$$ref", "")).rpartition("/")[2]
    listed = _object(definitions.get(target, schema)).get("required")
    names = listed if isinstance(listed, list | tuple) else []
    return list(dict.fromkeys(item for item in names if isinstance(item, str)))


def _object(wire: Wire) -> dict[str, Wire]:
    return wire if isinstance(wire, dict) else {}


def texts_in(wire: Wire) -> Iterator[str]:
    """Yield every text in a value, member names too."""
    if isinstance(wire, str):
        yield wire
    elif isinstance(wire, Mapping):
        for key, item in wire.items():
            yield key
            yield from texts_in(item)
    elif isinstance(wire, list | tuple):
        for item in wire:
            yield from texts_in(item)


def odd_lines(texts: Iterable[str]) -> list[Line]:
    """Return a warning for each text that may be other than it looks."""
    return [
        line
        for text in dict.fromkeys(texts)
        for oddity in oddities(text)
        for line in prose(f"look closely: {short(text, 40)} {oddity}", indent=4, style="bad")
    ]
