"""`show` and `pending`: one plan in full, and those that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lastlook.cli import options
from lastlook.cli.context import Context
from lastlook.cli.damage import tell_damaged, unreadable
from lastlook.cli.suggesting import to_type
from lastlook.core.lifecycle import State

if TYPE_CHECKING:
    from lastlook.core.plan import ActionPlan
    from lastlook.core.screens import Screen


def show(
    ctx: typer.Context,
    plan: options.PlanId,
    facts: Annotated[
        bool, typer.Option("--facts", help="With the facts as shown, at the yes, and right before.")
    ] = False,
    as_shown: Annotated[
        bool, typer.Option("--as-shown", help="Only its question, to the letter, times in UTC.")
    ] = False,
) -> int:
    """Show how one plan stands, and what happened to it.

    What it runs and rests on is in its question: --as-shown.
    """
    context: Context = ctx.obj
    stored, _ = context.look.get(plan)
    if as_shown:
        return _as_shown(context, stored)
    from lastlook.core.screens import show_screen
    from lastlook.core.telling import plan_data, record_data, row_data

    store = context.store
    record, rows, looks = store.get(plan), list(store.rows(plan)), store.looks(plan)
    width = context.output.width()
    context.output.screen(
        show_screen(stored, record, rows, looks, facts=facts, zone=context.zone, width=width)
    )
    asked = to_type(context, "show", plan, "--as-shown")
    context.output.text(f"What it runs and rests on: {asked}", style="dim")
    if not facts:
        read = to_type(context, "show", plan, "--facts")
        context.output.text(f"The facts at three moments: {read}", style="dim")
    context.output.data({
        "plan": plan_data(stored),
        "record": record_data(record),
        "rows": [row_data(row) for row in rows],
    })  # fmt: skip
    return 0


def _as_shown(context: Context, plan: ActionPlan) -> int:
    from lastlook.core.prompt import Question
    from lastlook.core.screens import question_screen, shown_digest

    screen = question_screen(Question(plan=plan))
    context.output.screen(screen)
    context.output.data({"plan": plan.id, "shown": screen.plain(), "digest": shown_digest(plan)})
    return 0


def pending(ctx: typer.Context) -> int:
    """List the plans that wait for a yes."""
    context: Context = ctx.obj
    from lastlook.core.screens import pending_screen
    from lastlook.core.telling import plan_data, record_data

    world = context.look.world
    records = list(world.store.plans((State.PENDING, State.PARKED)))
    if context.has_store:
        context.output.screen(pending_screen(records, **context.listing()))
    else:
        context.output.screen(no_store_screen(context))
    damaged = unreadable(world.store)
    tell_damaged(context, damaged)
    plans = []
    for record in records:
        plan = world.plan_of(record)
        plans.append({
            "record": record_data(record),
            "plan": None if plan is None else plan_data(plan),
        })  # fmt: skip
    context.output.data({"pending": plans, "damaged": damaged, "store": context.where})
    return 0


def no_store_screen(context: Context) -> Screen:
    """Return what a listing says where nothing was ever proposed, or the place is misspelled."""
    from lastlook.core.screens.layout import Screen, prose
    from lastlook.core.screens.lists import place_lines

    said = prose("There is no store yet; the first proposal makes it.")
    return Screen((*said, *place_lines(**context.where)))


def proposed(context: Context, plan: ActionPlan) -> int:
    """Say that a plan waits for a yes, and how it gets one."""
    from lastlook.core.screens.layout import laid_out
    from lastlook.core.screens.outcome import headline
    from lastlook.core.telling import plan_data

    state = context.store.get(plan.id).state
    width = context.output.width()
    context.output.screen(laid_out(width, lambda: headline("PROPOSED", plan)))
    context.output.text(_waits(context, plan, state))
    context.output.bare(plan.id)
    data = {"id": plan.id, "seal": plan.seal, "state": str(state), "plan": plan_data(plan)}
    context.output.data({**data, "store": context.where})
    return 0


def _waits(context: Context, plan: ActionPlan, state: State) -> str:
    if state is State.PARKED:
        show = to_type(context, "show", plan.id)
        return f"It is parked: too many questions about one thing. See: {show}"
    if state is State.CONFIRMED:
        run = to_type(context, "dispatch", plan.id)
        return f"A policy of the application said yes. Run it: {run}"
    return f"It waits for a yes from a terminal: {to_type(context, 'confirm', plan.id)}"
