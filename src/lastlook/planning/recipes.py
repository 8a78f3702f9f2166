"""Recipes: plans written as templates, for the command line and for lastlook.toml.

A recipe is sealed into its plan, so that any process can fill it again after a block:
refs, intent and arguments that were taken from evidence are worked out anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct, convert, to_builtins

from lastlook.core.canonical import from_wire, to_wire
from lastlook.core.evidence import Wire
from lastlook.core.fieldtext import may_be_secret
from lastlook.core.plan import ActionPlan, Origin, PlannedStep, ToolDefinition
from lastlook.core.ports import Reader
from lastlook.core.refs import RefTemplate
from lastlook.core.templates import HOLE, Template
from lastlook.core.view import View
from lastlook.errors import TemplateError
from lastlook.planning.commands import CommandTool, spelled
from lastlook.planning.drafts import Draft, planned, with_tools
from lastlook.planning.reads import Reads
from lastlook.planning.tools import AnyTool

_QUOTED: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_HOLE: Final = re.compile(HOLE)
_ABSENT: Final = "A read that rests on there being none says: absent = true."


class RecipeRead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One read: the ref as a template, the fields as text, and a name for later holes.

    Attributes:
        alias: The name for holes, or an empty text.
        absent: Whether the plan rests on there being no such record.
    """

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
        intent: What it is for; where that is empty, it says what runs.
        no_evidence: Why it rests on nothing, or None.
        two_people: Whether the requester may not be the one who confirms.
        approvers: Who may confirm; empty says any person.
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


class Workshop(Reader, Protocol):
    """Who reads, and who has the live tool of a sealed definition."""

    def tool(self, definition: ToolDefinition, /) -> AnyTool:
        """Return the tool; raises `NotRegistered`."""
        ...


def fill_recipe(
    recipe: Recipe,
    arguments: Mapping[str, Wire],
    *,
    reader: Reader,
    tools: Mapping[str, CommandTool],
    previous: Any = (),
    missing: Callable[[str], str] = lambda _: _ABSENT,
) -> Draft:
    """Read what a recipe reads, fill its steps, and return the draft.

    Args:
        arguments: What the recipe was called with, as typed JSON by name.
        tools: The tools it may use, by name.
        previous: The evidence of the blocked plan, where a fresh one is made.
        missing: Returns what to do about a ref whose record is not there.

    Raises:
        TemplateError: A hole names nothing.
        BadArguments: A tool does not take what a step gives it.
        CaptureFailed, DeclarationError: As for a planner's reads and steps.
    """
    given = {name: from_wire(wire) for name, wire in arguments.items()}
    reads = Reads(reader, previous, missing=missing)
    views: dict[str, View] = {}
    for item in recipe.reads:
        _read(item, reads, given, views)
    steps = []
    for number, step in enumerate(recipe.steps, start=1):
        tool = _tool(tools, step.tool)
        filled = {
            name: to_wire(_filled(from_wire(wire), given, views), where=f"/{name}")
            for name, wire in step.arguments.items()
        }
        steps.append(planned(tool, tool.seal(filled), number))
    intent = Template(recipe.intent).text(given, views) if recipe.intent else None
    return Draft(
        intent=_what_runs(steps, tools) if intent is None else intent,
        evidence=tuple(reads.evidence.values()),
        no_evidence=recipe.no_evidence,
        origin=Origin(
            kind="template",
            name=recipe.name,
            arguments=dict(arguments),
            template=to_wire(to_builtins(recipe)),
        ),
        salts=reads.salts,
        two_people=recipe.two_people,
        approvers=recipe.approvers,
        expires_in=recipe.expires_in,
        **with_tools(steps, tools),
    )


def draft_of_recipe(world: Workshop, plan: ActionPlan) -> Draft:
    """Fill the recipe of a plan again, from what its records hold now.

    Its tools are rebuilt from their sealed definitions; only paths and digests are
    taken again, so that an edited program is in the fresh plan as it is now.

    Args:
        world: Who reads, and who has the tools.
        plan: The plan that was blocked.

    Raises:
        The same as `fill_recipe`; `DeclarationError` where a program is gone.
    """
    tools = {item.name: _command(world, item) for item in plan.tools}
    for tool in tools.values():
        tool.require_program()
    return fill_recipe(
        sealed_recipe(plan.origin),
        plan.origin.arguments,
        reader=world,
        tools=tools,
        previous=plan.evidence,
    )


def sealed_recipe(origin: Origin) -> Recipe:
    """Return the recipe that a plan was made from."""
    return convert(from_wire(origin.template), Recipe)


def _command(world: Workshop, definition: ToolDefinition) -> CommandTool:
    live = world.tool(definition)
    return live if isinstance(live, CommandTool) else CommandTool.from_definition(definition)


def _what_runs(steps: Sequence[PlannedStep[Any]], tools: Mapping[str, CommandTool]) -> str:
    texts = [spelled(tools[step.tool].open(step.arguments)) for step in steps]
    return f"Run {'; '.join(texts)}"


def _read(
    item: RecipeRead, reads: Reads, given: Mapping[str, object], views: dict[str, View]
) -> None:
    ref = RefTemplate(item.ref).fill(given, views)
    if item.absent:
        reads.absence(ref)
        return
    evidence = reads.record(ref, [fill_field(text, given, views) for text in item.fields])
    if item.alias:
        views[item.alias] = View(ref, evidence.fields, evidence.cells)


def _filled(value: object, given: Mapping[str, object], views: Mapping[str, View]) -> object:
    if isinstance(value, str):
        return Template(value).fill(given, views)
    if isinstance(value, Mapping):
        return {name: _filled(item, given, views) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(item, given, views) for item in value]
    return value


def fill_field(
    text: str, given: Mapping[str, object], views: Mapping[str, Mapping[str, Any]] | None = None
) -> str:
    """Fill the holes in the text of a field, each with its value as a JSON literal.

    Text in quotes is left alone, so that a literal can't be put together from pieces.

    Args:
        given: The arguments by name.
        views: By alias, the declared fields of what was read before.

    Raises:
        TemplateError: A hole names nothing, stands in quotes, or its value has no
            literal in the text of a field.
    """
    parts = _QUOTED.split(text)
    return "".join(
        _alone(part, given, text)
        if i % 2
        else _HOLE.sub(lambda hole: _literal(hole, given, views), part)
        for i, part in enumerate(parts)
    )


def _literal(
    hole: re.Match[str],
    given: Mapping[str, object],
    views: Mapping[str, Mapping[str, Any]] | None,
) -> str:
    wire = to_wire(Template(hole[0]).fill(given, views))
    if isinstance(wire, dict):
        raise TemplateError(
            f"{hole[0]} has no literal in the text of a field",
            where=hole.string,
            fix="Texts, JSON numbers, true, false and null have one, and lists of them.",
        )
    return json.dumps(wire)


def _alone(quoted: str, given: Mapping[str, object], text: str) -> str:
    for hole in _HOLE.findall(quoted):
        if hole[1:-1] in given:
            raise TemplateError(
                f"{hole} stands in quotes, where it is text",
                where="" if may_be_secret(text) else quoted,
                fix=f"Write it without quotes: {hole} is filled in as a literal of its own.",
            )
    return quoted


def _tool(tools: Mapping[str, CommandTool], name: str) -> CommandTool:
    if name not in tools:
        raise TemplateError(
            f"there is no tool named {name}", fix=f"There are {', '.join(tools) or 'none'}."
        )
    return tools[name]
