"""All verbs, in the order of the help, and the options that every one of them has."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from lastlook.cli import (
    answering,
    capturing,
    comparing,
    dispatching,
    journaling,
    proposing,
    showing,
    starting,
)
from lastlook.cli.conformance import conformance
from lastlook.cli.context import Context
from lastlook.cli.doctor import doctor
from lastlook.cli.options import EXITS, examples
from lastlook.core.visible import unhidden

ClickError: Final[type[Exception]] = typer.BadParameter.__mro__[2]
"""What the parser raises for a command line that it cannot read."""

app: Final = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog=EXITS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)

_COMMANDS: Final = frozenset({"run", "propose", "conformance"})


@app.callback()
def everywhere(
    ctx: typer.Context,
    store: Annotated[
        str | None, typer.Option("--store", metavar="PATH", help="Where plans are kept.")
    ] = None,
    application: Annotated[
        str | None,
        typer.Option("--app", metavar="MODULE:NAME", help="Your Lastlook object, as in shop:look."),
    ] = None,
    config: Annotated[
        str | None, typer.Option("--config", metavar="FILE", help="Another lastlook.toml.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object on stdout; screens go to stderr.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Errors alone, and the id of a new plan.")
    ] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="Words without colours.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log lines, too.")] = False,
) -> None:
    """The last look before an agent acts.

    A yes is for what was shown. Right before anything runs, what it rests on is read
    again; where that has changed, nothing runs, and there is a fresh question.

    These options stand before or after the verb.
    """
    context: Context = ctx.obj
    context.store_spec = store
    context.app_spec = application
    context.config_path = config
    context.verb = ctx.invoked_subcommand or ""
    context.output.json = json  # as `main` has read it, for errors of the words themselves
    context.output.quiet = quiet
    context.output.colour = False if no_color else None
    _log(verbose=verbose)
    if context.command is not None and ctx.invoked_subcommand not in _COMMANDS:
        from lastlook.cli.output import Usage

        raise Usage(
            f"`{ctx.invoked_subcommand}` takes no command after --",
            fix="A command is for `lastlook run`, `propose` and `conformance`.",
        )


def _log(*, verbose: bool) -> None:
    """Show log lines where they are wanted; the screens say the same for people."""
    import logging

    class Seen(logging.Formatter):
        def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # its name
            return unhidden(super().formatMessage(record))

    log = logging.getLogger("lastlook")
    log.propagate = False
    shown = logging.StreamHandler()
    shown.setFormatter(Seen())
    log.handlers = [shown if verbose else logging.NullHandler()]
    log.setLevel(logging.INFO if verbose else logging.WARNING)


app.command(epilog=examples("lastlook init", "lastlook init shop"))(starting.init)
app.command(epilog=examples("lastlook demo", "lastlook demo --json"))(starting.demo)
app.command(
    epilog=examples(
        "lastlook run -e 'slots/slot-42.json#status == \"available\"' \\",
        "    -- ./book.sh slot-42",
        "lastlook run -e 'slot=slots/slot-42.json#time,price' \\",
        "    -- ./book.sh slot-42 {slot.price}",
        "lastlook run book slot_id=slot-42",
    )
)(proposing.run)
app.command(
    epilog=examples(
        "lastlook propose book slot_id=slot-42",
        "lastlook propose --json -e 'slots/slot-42.json#status' -- ./book.sh slot-42",
        "lastlook --app shop:look propose refund order_id=W1",
    )
)(proposing.propose)
app.command(epilog=examples("lastlook confirm k7f3"))(answering.confirm)
app.command(epilog=examples("lastlook reject k7f3 --why 'too expensive'"))(answering.reject)
app.command(epilog=examples("lastlook cancel k7f3"))(answering.cancel)
app.command(
    epilog=examples("lastlook dispatch k7f3", "lastlook --app shop:look dispatch k7f3 --json")
)(dispatching.dispatch)
app.command(epilog=examples("lastlook renew k7f3"))(dispatching.renew)
app.command(
    epilog=examples(
        "lastlook check k7f3", "lastlook check k7f3 --json", "lastlook check before.json || exit 1"
    )
)(dispatching.check)
app.command(
    epilog=examples(
        "lastlook capture -e 'slots/slot-42.json#time,status == \"available\"' \\",
        "    -o before.json",
        "lastlook capture -e 'slots:slot-42#time' -e 'slots:slot-43#$' -o before.json",
    )
)(capturing.capture)
app.command(
    epilog=examples("lastlook diff before.json", "lastlook diff before.json after.json --json")
)(comparing.diff)
app.command(
    epilog=examples(
        "lastlook fingerprint 'slots/slot-42.json#time,status'",
        "lastlook fingerprint 'slots/slot-42.json#$' --short",
    )
)(capturing.fingerprint)
app.command(
    epilog=examples(
        "lastlook show k7f3", "lastlook show k7f3 --facts", "lastlook show k7f3 --as-shown"
    )
)(showing.show)
app.command(epilog=examples("lastlook pending", "lastlook --app shop:look pending"))(
    showing.pending
)
app.command(
    epilog=examples(
        "lastlook journal",
        "lastlook journal k7f3 --rows",
        "lastlook journal --state unknown --state partial",
        "lastlook journal --questions",
        "lastlook journal verify",
    )
)(journaling.journal)
app.command(epilog=examples("lastlook doctor", "lastlook doctor --json"))(doctor)
app.command(
    epilog=examples(
        "lastlook conformance -- node conformance/js/lastlook.mjs",
        "lastlook conformance --group fields --json -- ./port",
    )
)(conformance)
app.command(epilog=examples("lastlook version"))(starting.version)
