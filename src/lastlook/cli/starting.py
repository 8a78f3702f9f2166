"""`init`, `demo` and `version`: for somebody who begins."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from typing import Annotated

import typer

from lastlook.cli.context import Context
from lastlook.cli.output import Usage
from lastlook.cli.samples import SAMPLES
from lastlook.errors import WrongState
from lastlook.stores.location import CONFIG, nearest_config, short


def init(
    ctx: typer.Context,
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", show_default=False, help="Where; here by default.")
    ] = ".",
) -> int:
    """Write a lastlook.toml to begin with, a record, and a command.

    Nothing is overwritten.
    """
    context: Context = ctx.obj
    path = os.path.join(folder, CONFIG)
    if os.path.lexists(path):
        raise WrongState(
            f"{path} is there already, and nothing was written",
            fix="Look whether it is sound: lastlook doctor",
        )
    above = nearest_config(os.path.abspath(folder))
    written = [name for name in SAMPLES if _write(folder, name)]
    kept = [name for name in SAMPLES if name not in written]
    output = context.output
    output.text(f"Written: {', '.join(written)}", style="good")
    if kept:
        output.text(f"There already, and left as it is: {', '.join(kept)}")
    if above is not None:
        output.text(f"It holds here instead of {short(above)}.")
    output.text("")
    for line in _next(folder):
        output.text(line)
    output.data({"folder": os.path.abspath(folder), "written": written, "kept": kept})
    return 0


def _next(folder: str) -> Iterable[str]:
    if folder != ".":
        yield f"Go there:          cd {folder}"
    yield "Now try it:        lastlook run book slot_id=slot-42"
    yield "While it asks:     change the price in slots/slot-42.json, and say yes"
    yield "What became of it: lastlook journal"


def _write(folder: str, name: str) -> bool:
    """Write one file if it is not there; False where it is."""
    text, mode = SAMPLES[name]
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        return False
    with os.fdopen(file, "w", encoding="utf-8", newline="\n") as target:
        target.write(text)
    return True


def demo(
    ctx: typer.Context,
    slow: Annotated[bool, typer.Option("--slow", help="A pause after each part.")] = False,
) -> int:
    """Show what it does, on real files in a temporary folder.

    Nothing that it prints is made up, and nothing is left behind.
    """
    context: Context = ctx.obj
    if slow and context.output.json:
        raise Usage("--slow is for people, and --json for programs")
    from lastlook.cli.demo import show_demo

    return show_demo(context.output, seconds=1.5 if slow else 0.0)


def version(ctx: typer.Context) -> int:
    """Say which Lastlook this is, on which Python and SQLite."""
    context: Context = ctx.obj
    from lastlook.stores.driver import load

    driver = load()
    said = {
        "lastlook": installed_version(),
        "python": platform.python_version(),
        "sqlite": driver.sqlite_version,
        "driver": driver.__name__.partition(".")[0],
    }
    context.output.text(
        f"lastlook {said['lastlook']} (Python {said['python']}, SQLite {said['sqlite']} "
        f"by {said['driver']})"
    )
    context.output.data(said)
    return 0


def installed_version() -> str:
    """Return the version of the installed package, or `unknown`."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    try:
        return version_of("lastlook")
    except PackageNotFoundError:
        return "unknown"
