"""Arguments and options that several verbs take."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from lastlook.core.visible import visible


def plan_ids(incomplete: str) -> list[str]:
    """Return the ids of stored plans that begin so, for the shell; none where it goes wrong."""
    from lastlook.cli.context import Context
    from lastlook.cli.output import Output

    context = Context(Output())
    try:
        ids = [item.id for item in context.store.plans()]
        return [each for each in ids if each.startswith(incomplete) and visible(each) == each]
    except Exception:  # noqa: BLE001  # a shell that completes has no place for an error
        return []
    finally:
        context.close()


PlanId = Annotated[
    str, typer.Argument(metavar="PLAN", help="The plan's id, as in k7f3.", autocompletion=plan_ids)
]
PlanOrFile = Annotated[
    str,
    typer.Argument(
        metavar="PLAN|FILE", help="The plan's id, or an evidence file.", autocompletion=plan_ids
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PLAN NAME=VALUE", show_default=False,
        help="A plan of lastlook.toml or of the application, and its arguments.",
    ),
]  # fmt: skip
Evidence = Annotated[
    list[str] | None,
    typer.Option(
        "-e", "--evidence", metavar="[NAME=]REF#FIELD,...",
        help="What the command rests on, and which fields of it. Again for more.",
    ),
]  # fmt: skip
NoEvidence = Annotated[
    str | None,
    typer.Option("--no-evidence", metavar="WHY", help="The command rests on nothing, and why."),
]
Intent = Annotated[
    str | None, typer.Option("--intent", metavar="TEXT", help="What it is for, in words.")
]
Writes = Annotated[
    list[str] | None,
    typer.Option(
        "--writes", metavar="REF#FIELD,...", help="What the command writes. Again for more."
    ),
]
Effect = Annotated[
    str, typer.Option("--effect", metavar="TEXT", help="What it does, for the person.")
]
Undo = Annotated[str | None, typer.Option("--undo", metavar="TEXT", help="How it can be undone.")]
NotApplied = Annotated[
    list[int] | None,
    typer.Option(
        "--not-applied", metavar="CODE", min=1, max=255,
        help="An exit code that promises that nothing was done. Again for more.",
    ),
]  # fmt: skip
ExpiresIn = Annotated[
    float | None,
    typer.Option("--expires-in", metavar="SECONDS", help="How long the question is good for."),
]
AskedBy = Annotated[
    str,
    typer.Option("--asked-by", metavar="NAME", help="Who asks; your login name by default."),
]

EXITS: Final = """\b
Exit codes:
  0  everything ran                      4  blocked: evidence can't be read
  1  another error, named                5  refused: no yes, used, expired
  2  usage, or not registered here       6  something may have run
  3  blocked: evidence changed           7  the tool says nothing was applied"""


def examples(*lines: str) -> str:
    """Return the end of a verb's help: examples, one a line, as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
