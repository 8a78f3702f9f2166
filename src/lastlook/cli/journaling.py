"""`journal`: what became of all plans, and whether the journal is intact."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lastlook.cli.context import Context
from lastlook.cli.damage import rows_of, tell_damaged, unreadable
from lastlook.cli.options import plan_ids
from lastlook.cli.output import Usage
from lastlook.cli.showing import no_store_screen
from lastlook.core.lifecycle import State
from lastlook.core.screens.layout import Screen, Span, between, laid_out, prose, values
from lastlook.core.screens.lists import place_lines
from lastlook.core.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastlook.core.lifecycle import JournalRow, PlanRecord
    from lastlook.core.screens.layout import Line
    from lastlook.stores.journal import VerifyReport

VERIFY = "verify"


def _words(incomplete: str) -> list[str]:
    return [word for word in [VERIFY, *plan_ids(incomplete)] if word.startswith(incomplete)]


def journal(
    ctx: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLAN | verify]",
            show_default=False,
            autocompletion=_words,
            help="One plan and its lineage; or `verify`, to check every row.",
        ),
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option(
            "--state", metavar="STATE", help="Only plans that stand there. Again for more."
        ),
    ] = None,
    asked_by: Annotated[
        str | None, typer.Option("--asked-by", metavar="NAME", help="Only plans of this requester.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DATE", help="Only what moved since, as in 2026-10-03."),
    ] = None,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", min=1, help="Only the newest N plans.")
    ] = None,
    rows: Annotated[bool, typer.Option("--rows", help="Every transition, one a line.")] = False,
    questions: Annotated[
        bool,
        typer.Option("--questions", help="Which fields blocked, and what would have spared that."),
    ] = False,
) -> int:
    """Show what became of all plans, or of one.

    The last lines say whether the journal is intact, and where it is kept.
    `journal verify` exits with 1 where a row was edited, removed, added or moved.
    """
    context: Context = ctx.obj
    from lastlook.stores.journal import verify

    if questions and what != VERIFY:
        return _questions(context, _chosen(context, what, state, asked_by, since)[-(last or 0) :])
    report = verify(context.store)
    if what == VERIFY:
        return _verified(context, report)
    records = _chosen(context, what, state, asked_by, since)[-(last or 0) :]
    entries, damaged = rows_of(context.store, records)
    damaged += unreadable(context.store) if what is None else []
    context.output.screen(_screen(context, records, entries, report, each=rows))
    tell_damaged(context, damaged)
    from lastlook.core.telling import record_data, row_data

    context.output.data({
        "plans": [record_data(record) for record in records],
        "rows": [row_data(row) for row in entries],
        "damaged": damaged,
        "verify": _report_data(report),
        "store": context.where,
    })  # fmt: skip
    return 0


def _questions(context: Context, records: Sequence[PlanRecord]) -> int:
    """Show by field what came of the blocks among some plans."""
    from lastlook.core.screens.asked import asked_screen
    from lastlook.dispatch.questioning import questions

    found = questions(context.store, records)
    place = context.where
    screen = asked_screen(found, **place) if context.has_store else no_store_screen(context)
    context.output.screen(screen)
    context.output.data({**found.data(), "store": place})
    return 0


def _verified(context: Context, report: VerifyReport) -> int:
    if not context.has_store:
        screen = no_store_screen(context)
    else:
        screen = laid_out(context.output.width(), lambda: _verdict(context, report))
    context.output.screen(screen)
    context.output.data({**_report_data(report), "store": context.where})
    return 0 if report.ok else 1


def _verdict(context: Context, report: VerifyReport) -> list[Line]:
    lines: list[Line] = prose(report.text(), style="good" if report.ok else "bad")
    for item in report.problems:
        text = f"plan {item.plan}: {item.what}" if item.plan else item.what
        lines += prose(visible(text), indent=2)
    keyed = f"{report.keyed:,} of {report.rows:,} rows carry a keyed digest."
    return [*lines, *prose(keyed, style="dim"), *place_lines(**context.where)]


def _report_data(report: VerifyReport) -> dict[str, Any]:
    from msgspec import to_builtins

    return {"ok": report.ok, **to_builtins(report)}


def _chosen(
    context: Context,
    plan: str | None,
    states: Sequence[str] | None,
    asked_by: str | None,
    since: str | None,
) -> list[PlanRecord]:
    lineage = None if plan is None else context.store.get(plan).lineage
    after = None if since is None else _moment(since, context)
    wanted = {_state(item) for item in states or ()}
    return [
        record
        for record in context.store.plans()
        if (lineage is None or record.lineage == lineage)
        and (not wanted or record.state in wanted)
        and (asked_by is None or asked_by in {record.requested_by, _bare(record.requested_by)})
        and (after is None or record.state_at >= after)
    ]


def _bare(principal: str) -> str:
    return principal.partition(":")[2]


def _state(text: str) -> State:
    try:
        return State(text)
    except ValueError:
        raise Usage(f"there is no state {text!r}", fix=f"There are {', '.join(State)}.") from None


def _moment(text: str, context: Context) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Usage(
            f"--since takes a date or a time, not {text!r}",
            fix="As in 2026-10-03 or 2026-10-03T14:00+02:00.",
        ) from None
    return (at if at.tzinfo else at.replace(tzinfo=context.zone)).astimezone(UTC)


def _screen(
    context: Context,
    records: Sequence[PlanRecord],
    entries: Sequence[JournalRow],
    report: VerifyReport,
    *,
    each: bool,
) -> Screen:
    from lastlook.core.screens import journal_screen

    if not context.has_store:
        return no_store_screen(context)
    verified = report.text()
    if not each:
        return journal_screen(records, entries, verified=verified, **context.listing())
    return laid_out(context.output.width(), lambda: _every(context, entries, verified))


def _every(context: Context, entries: Sequence[JournalRow], verified: str) -> list[Line]:
    zone = context.zone
    lines = between([Span(f"WHEN ({zone})  TRANSITION", "head")], "PLAN", style="head")
    for row in entries:
        lines += _row(row, zone)
    return [*lines, *prose(verified), *place_lines(**context.where)]


def _row(row: JournalRow, zone: Any) -> list[Line]:
    from lastlook.core.screens.lists import day
    from lastlook.core.screens.values import name, who

    step = f", step {row.step}" if row.step else ""
    text = f"{day(row.at, zone)}  {row.was or 'new'} -> {row.state}{step}, by {who(row.by)}"
    return between([Span(text)], name(row.plan)) or values(Span(text), indent=0)
