"""`run` and `propose`: from a command, or a plan by name, to a stored question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Any

import typer
from msgspec.structs import replace

from lastlook.cli import options
from lastlook.cli.acting import ended, watched
from lastlook.cli.advising import line_of, missing_record, refuse_unquoted
from lastlook.cli.context import Context
from lastlook.cli.inline import Inline, needs_dashes, recipe_of
from lastlook.cli.output import Usage
from lastlook.cli.suggesting import to_type
from lastlook.config.tables import LONGEST
from lastlook.core.canonical import from_wire
from lastlook.core.deciding import principal
from lastlook.errors import BadArguments, NotRegistered
from lastlook.planning.recipes import fill_recipe

if TYPE_CHECKING:
    from lastlook.app import Lastlook
    from lastlook.core.plan import ActionPlan
    from lastlook.planning.planner import Planner


def run(
    ctx: typer.Context,
    words: options.Words = None,
    evidence: options.Evidence = None,
    no_evidence: options.NoEvidence = None,
    intent: options.Intent = None,
    writes: options.Writes = None,
    effect: options.Effect = "",
    undo: options.Undo = None,
    not_applied: options.NotApplied = None,
    expires_in: options.ExpiresIn = None,
    asked_by: options.AskedBy = "",
) -> int:
    """Propose, ask, look again, and run a command or a plan.

    Asks in the terminal. Right before it runs, what it rests on is read again; after a
    block it asks afresh. Without a terminal nothing runs, and the question waits.

    A hole such as {slot.price} is filled with a field of the evidence that was named
    with -e slot=..., and again for each fresh question.
    """
    context: Context = ctx.obj
    inline = _inline(
        context, words, evidence=tuple(evidence or ()), no_evidence=no_evidence, intent=intent,
        writes=tuple(writes or ()), effect=effect, undo=undo,
        not_applied=tuple(not_applied or ()), expires_in=expires_in,
    )  # fmt: skip
    plan = _proposed(context, inline, words or (), expires_in=expires_in, asked_by=asked_by)
    context.output.bare(plan.id)
    outcome = watched(context, plan.id, lambda: context.look.ask(plan))
    return ended(context, outcome)


def propose(
    ctx: typer.Context,
    words: options.Words = None,
    evidence: options.Evidence = None,
    no_evidence: options.NoEvidence = None,
    intent: options.Intent = None,
    writes: options.Writes = None,
    effect: options.Effect = "",
    undo: options.Undo = None,
    not_applied: options.NotApplied = None,
    expires_in: options.ExpiresIn = None,
    asked_by: options.AskedBy = "",
) -> int:
    """Store a question: a command, or a plan by its name. Nothing runs.

    Values are typed as the plan declares them: NAME=42 is a number where it takes one.
    """
    context: Context = ctx.obj
    inline = _inline(
        context, words, evidence=tuple(evidence or ()), no_evidence=no_evidence, intent=intent,
        writes=tuple(writes or ()), effect=effect, undo=undo,
        not_applied=tuple(not_applied or ()), expires_in=expires_in,
    )  # fmt: skip
    plan = _proposed(context, inline, words or (), expires_in=expires_in, asked_by=asked_by)
    from lastlook.cli.showing import proposed

    return proposed(context, plan)


def _inline(context: Context, words: Sequence[str] | None, **given: Any) -> Inline | None:
    """Return the command of the command line, or None where a plan is named."""
    if words and given["evidence"]:
        refuse_unquoted(context.head, context.command)
    if context.command is not None:
        if words:
            raise Usage(
                f"{words[0]!r} stands before --, and only the command's own words stand after it",
                fix="Give a plan by its name, or a command after --.",
            )
        if not context.command:
            raise Usage("there is no command after --", fix="As in: -- ./book.sh slot-42")
        return Inline(command=context.command, **given)
    if not words:
        raise Usage(
            "there is neither a plan nor a command",
            fix="As in: lastlook run book slot_id=slot-42, or lastlook run -e REF#FIELD -- COMMAND",
        )
    if any(item for name, item in given.items() if name != "expires_in"):
        raise Usage("-e and its like are for a command after --", fix=needs_dashes(words))
    return None


def _proposed(
    context: Context,
    inline: Inline | None,
    words: Sequence[str],
    *,
    expires_in: float | None,
    asked_by: str,
) -> ActionPlan:
    if expires_in is not None and not 0 < expires_in <= LONGEST:
        raise Usage("--expires-in takes seconds, above 0 and up to a century")
    by = principal(asked_by or context.login, default="agent")
    if inline is not None:
        look = _kept(context)
        recipe, tool = recipe_of(
            inline, folder=context.folder, sources=list(look.world.sources),
            output_to_stderr=context.output.json,
        )  # fmt: skip
        draft = fill_recipe(
            recipe, {}, reader=look.reader, tools={tool.name: tool},
            missing=partial(missing_record, look),
        )  # fmt: skip
        return look.propose_draft(draft, requested_by=by)
    name, *rest = words
    if "/" in name:
        raise NotRegistered(
            f"there is no plan named {name}",
            fix="A command stands after --, behind what it rests on: "
            f"-e REF#FIELD -- {' '.join(map(quote, words))}",
        )
    if context.app_spec is not None:
        return _by_planner(context, name, rest, expires_in, by)
    return _by_config(context, name, rest, expires_in, by)


def _by_config(
    context: Context, name: str, words: Sequence[str], expires_in: float | None, by: str
) -> ActionPlan:
    config = context.config
    if config is None:
        raise NotRegistered(
            f"there is no plan named {name}, and no lastlook.toml in {context.folder} or above",
            fix="Write one with `lastlook init`, or give a command: "
            "lastlook run -e REF#FIELD -- COMMAND",
        )
    recipe = config.recipe(name)
    line = to_type(context, context.verb, quote(name))
    arguments = config.arguments(name, words, line=line)
    if expires_in is not None:
        recipe = replace(recipe, expires_in=expires_in)
    tools = {
        step.tool: config.tool(step.tool, output_to_stderr=context.output.json)
        for step in recipe.steps
    }
    look = _kept(context)
    draft = fill_recipe(
        recipe, arguments, reader=look.reader, tools=tools, missing=partial(missing_record, look)
    )
    return look.propose_draft(draft, requested_by=by)


def _by_planner(
    context: Context, name: str, words: Sequence[str], expires_in: float | None, by: str
) -> ActionPlan:
    planners = _kept(context).world.planners
    if name not in planners:
        raise NotRegistered(
            f"the application has no planner named {name}",
            where=context.app_spec or "",
            fix=f"It has {', '.join(planners) or 'none'}.",
        )
    planner = planners[name]
    arguments = _arguments(context, planner, words)
    chosen = planner.options(requested_by=by, expires_in=expires_in)
    plan: ActionPlan = chosen.propose(**arguments)
    return plan


def _arguments(context: Context, planner: Planner[Any], words: Sequence[str]) -> dict[str, Any]:
    """Return the words by the types of the planner's parameters.

    Raises:
        BadArguments: The planner does not take them; `fix` is the line to type.
    """
    from lastlook.config.words import named_words, typed_word, usage_of

    properties = planner.shape.schema.get("properties", {})
    kinds = {name: _kind(properties.get(name, {})) for name in planner.shape.names}
    usage = usage_of(to_type(context, context.verb, quote(planner.name)), kinds)
    given = {
        name: from_wire(typed_word(name, text, kinds[name]))
        for name, text in named_words(planner.name, words, kinds, usage)
    }
    try:
        planner.shape.seal((), given)
    except BadArguments as error:
        raise BadArguments(error.what, where=error.where, fix=usage) from error
    return given


def _kind(schema: Any) -> str:
    kind = schema.get("type", "any")
    return kind if kind in {"string", "integer", "number", "boolean"} else "any"


def _kept(context: Context) -> Lastlook:
    """Return the application, its store made where there is none.

    Raises:
        Usage: The question is for later, and the store does not outlive this command.
    """
    look = context.making()
    if context.verb == "propose" and not look.world.store.durable:
        at = context.head.index("propose")
        run = line_of([*context.head[:at], "run", *context.head[at + 1 :]], context.command)
        place = 'Give the application a store on disk: Lastlook(..., store="plans.db")'
        if context.app_spec is None:
            place = f"Keep plans on disk ({context.location.why})"
        raise Usage(
            "`propose` keeps a question for later, and this store is kept in memory: it ends "
            "with this command",
            fix=f"{place}; or ask at once: {run}",
        )
    return look
