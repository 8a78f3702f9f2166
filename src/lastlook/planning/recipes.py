"""Recipes: plans written as templates, for the command line and for lastlook.toml.

A recipe is sealed into its plan, so that any process can fill it again after a block:
refs, intent and arguments that were taken from evidence are worked out anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, convert, to_builtins

from lastlook.core.canonical import from_wire, to_wire
from lastlook.core.evidence import Wire
from lastlook.core.plan import Origin
from lastlook.core.ports import Reader
from lastlook.core.templates import Template
from lastlook.core.view import View
from lastlook.errors import TemplateError
from lastlook.planning.commands import CommandTool
from lastlook.planning.drafts import Draft, planned, with_tools
from lastlook.planning.reads import Reads

_HOLE: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class RecipeRead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One read: the ref as a template, the fields as text, and a name for later holes."""

    ref: str
    fields: tuple[str, ...] = ()
    alias: str = ""
    absent: bool = False


class RecipeStep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: the tool, and its arguments as typed JSON whose texts are templates."""

    tool: str
    arguments: dict[str, Wire]


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan as templates.

    Attributes:
        name: What the plan is called in lastlook.toml; empty on the command line.
        no_evidence: Why it rests on nothing, or None.
        expires_in: Seconds from the proposal, or None.
    """

    name: str = ""
    intent: str
    reads: tuple[RecipeRead, ...] = ()
    steps: tuple[RecipeStep, ...]
    no_evidence: str | None = None
    two_people: bool = False
    approvers: tuple[str, ...] = ()
    expires_in: float | None = None


def fill_recipe(
    recipe: Recipe,
    arguments: Mapping[str, Wire],
    *,
    reader: Reader,
    tools: Mapping[str, CommandTool],
    previous: Any = (),
) -> Draft:
    """Read what a recipe reads, fill its steps, and return the draft.

    Args:
        arguments: What the recipe was called with, as typed JSON by name.
        tools: The tools it may use, by name.
        previous: The evidence of the blocked plan, where a fresh one is made.

    Raises:
        TemplateError: A hole names nothing.
        CaptureFailed, DeclarationError: As for a planner's reads and steps.
    """
    given = {name: from_wire(wire) for name, wire in arguments.items()}
    reads = Reads(reader, previous)
    views: dict[str, View] = {}
    for item in recipe.reads:
        _read(item, reads, given, views)
    steps = []
    for number, step in enumerate(recipe.steps, start=1):
        tool = _tool(tools, step.tool)
        filled = {
            name: to_wire(_filled(wire, given, views)) for name, wire in step.arguments.items()
        }
        steps.append(planned(tool, tool.seal(filled), number))
    return Draft(
        intent=Template(recipe.intent).text(given, views),
        evidence=tuple(reads.evidence.values()),
        no_evidence=recipe.no_evidence,
        origin=Origin(
            kind="template", name=recipe.name, arguments=dict(arguments),
            template=to_wire(to_builtins(recipe)),
        ),
        salts=reads.salts,
        two_people=recipe.two_people,
        approvers=recipe.approvers,
        expires_in=recipe.expires_in,
        **with_tools(steps, tools),
    )  # fmt: skip


def sealed_recipe(origin: Origin) -> Recipe:
    """Return the recipe that a plan was made from."""
    return convert(from_wire(origin.template), Recipe)


def _read(
    item: RecipeRead, reads: Reads, given: Mapping[str, object], views: dict[str, View]
) -> None:
    ref = Template(item.ref).text(given, views)
    if item.absent:
        reads.absence(ref)
        return
    evidence = reads.record(ref, [fill_field(text, given) for text in item.fields])
    view = View(ref, evidence.fields, evidence.cells)
    if item.alias:
        views[item.alias] = view


def _filled(
    wire: Wire, given: Mapping[str, object], views: Mapping[str, View]
) -> object:
    if isinstance(wire, str):
        return Template(wire).fill(given, views)
    if isinstance(wire, list):
        return [_filled(item, given, views) for item in wire]
    if isinstance(wire, dict):
        return {name: _filled(item, given, views) for name, item in wire.items()}
    return from_wire(wire)


def fill_field(text: str, given: Mapping[str, object]) -> str:
    """Fill `{name}` in the text of a field with the argument as a JSON literal.

    Text in quotes is left alone, so that a literal can't be put together from pieces.

    Raises:
        TemplateError: There is no such argument.
    """

    def literal(match: re.Match[str]) -> str:
        name = match[1]
        if name not in given:
            raise TemplateError(
                f"{{{name}}} names no argument", where=text,
                fix=f"The arguments are {', '.join(given) or 'none'}.",
            )  # fmt: skip
        return json.dumps(to_wire(given[name]))

    parts = re.split(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""", text)
    return "".join(part if i % 2 else _HOLE.sub(literal, part) for i, part in enumerate(parts))


def _tool(tools: Mapping[str, CommandTool], name: str) -> CommandTool:
    if name not in tools:
        raise TemplateError(
            f"there is no tool named {name}", fix=f"There are {', '.join(tools) or 'none'}."
        )
    return tools[name]
