"""`check FILE` and `diff`: evidence files beside what is there now, or beside each other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from msgspec import to_builtins

from lastlook.cli.capturing import looking
from lastlook.cli.context import Context
from lastlook.cli.output import Usage
from lastlook.cli.suggesting import to_type
from lastlook.clock import SystemClock
from lastlook.core.deciding import verdict
from lastlook.core.differences import Differences, Note, between, reading_of, since
from lastlook.core.evidence_file import EvidenceFile
from lastlook.core.screens.block import check_lines
from lastlook.core.screens.layout import BLANK, Line, Span, Style, beside, laid_out, prose, values
from lastlook.core.screens.values import moment, name
from lastlook.core.telling import checks_data
from lastlook.core.visible import visible
from lastlook.errors import LastlookError, NotRegistered

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from lastlook.app import Lastlook
    from lastlook.core.check import CheckResult
    from lastlook.core.evidence import Evidence
    from lastlook.sources.registry import Registry

_CHECKED: Final = {"valid": 0, "stale": 3, "unresolvable": 4}
_HOLDS: Final = {
    "valid": "All of it holds now.",
    "stale": "It does not hold: what was captured has changed.",
    "unresolvable": "Whether it holds is not known: not all of it can be read.",
}
_DIFFERS: Final = {"equal": 0, "different": 3, "unresolvable": 4}
_SAID: Final = {
    "equal": "Nothing differs.",
    "different": "This is all that differs.",
    "unresolvable": "Nothing that can be read differs, and not all of it can be read.",
}


def names_file(context: Context, target: str) -> bool:
    """Tell whether what `check` is given is a file, and not the id of a plan.

    Raises:
        Usage: It is both.
    """
    if "/" in target or target.endswith(".json"):
        return True
    if not os.path.isfile(target):
        return False
    if _is_plan(context, target):
        raise Usage(
            f"{visible(target)} is a plan, and a file in this folder",
            fix=f"The file: {to_type(context, 'check', './' + target)}; for the plan, go to "
            "another folder.",
        )
    return True


def check_file(context: Context, path: str) -> int:
    """Look at what an evidence file holds now, as `check` does for a plan."""
    from lastlook.evidence import load

    items = load(path)
    look = looking(context)
    _must_be_here(context, look, items, ("check", path))
    checks = look.recheck(items)
    said = verdict(checks)
    at, file = look.world.now(), EvidenceFile(evidence=items)

    def lines() -> Iterator[Line]:
        yield (Span("CHECK", "head"), Span(f"  {name(path)}"))
        yield from prose(f"{_when(items, at, context.zone)}{moment(at, context.zone)}:")
        yield from (BLANK, *check_lines(file, checks, at, context.zone), BLANK)
        yield from prose(_HOLDS[said])

    context.output.screen(laid_out(context.output.width(), lines))
    found = checks_data(file, checks)
    context.output.data({"file": path, "verdict": said, "checks": found, "exit": _CHECKED[said]})
    return _CHECKED[said]


def diff(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", show_default=False, help="An evidence file.")
    ],
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE2", show_default=False, help="Another; without it, what is there now."
        ),
    ] = None,
) -> int:
    """Show what differs from an evidence file, field by field.

    That is now, or in another file. Conditions are left out: a value that moved and may
    do so differs, too. Exits with 0 where nothing differs, 3 where something does, 4
    where something can't be read.
    """
    context: Context = ctx.obj
    from lastlook.evidence import load

    items = load(file)
    if other is None:
        look = looking(context)
        _must_be_here(context, look, items, ("diff", file))
        found = since(items, [_now(look, item) for item in items])
    else:
        found = between(items, load(other))
    _show(context, file, other, found, items)
    context.output.data({
        "before": file,
        "after": other,
        "verdict": found.verdict,
        "checks": checks_data(found, found.checks),
        "notes": to_builtins(found.notes),
        "exit": _DIFFERS[found.verdict],
    })  # fmt: skip
    return _DIFFERS[found.verdict]


def _is_plan(context: Context, target: str) -> bool:
    if not context.has_store:
        return False
    try:
        context.store.get(target)
    except LastlookError:
        return False
    return True


def _when(items: Sequence[Evidence[Any]], at: datetime, zone: tzinfo) -> str:
    times = [item.captured_at for item in items if item.captured_at is not None]
    if not times:
        return "Looking at "
    return f"Captured at {moment(min(times), zone, near=at)}. Looking again at "


def _now(look: Lastlook, item: Evidence[Any]) -> Evidence[Any] | CheckResult:
    world = look.world
    is_query = item.kind == "query"
    reading = world.query(item.ref, item.params) if is_query else world.read(item.ref)
    proof = world.traits(item.ref).absence_is_proof
    return reading_of(item, reading, absence_is_proof=proof)


def _show(
    context: Context,
    file: str,
    other: str | None,
    found: Differences,
    items: Sequence[Evidence[Any]],
) -> None:
    at, zone = SystemClock().now(), context.zone
    names = (name(file), "now" if other is None else name(other))

    def lines() -> Iterator[Line]:
        yield from values(Span("DIFF", "head"), Span(f"  {names[0]} -> {names[1]}"), indent=0)
        if other is None:
            yield from prose(f"{_when(items, at, zone)}{moment(at, zone)}:")
        yield from (BLANK, *check_lines(found, found.checks, at, zone))
        for note in found.notes:
            yield from _noted(note, names)
        yield from (BLANK, *prose(_SAID[found.verdict]))

    context.output.screen(laid_out(context.output.width(), lines))


def _noted(note: Note, names: tuple[str, str]) -> list[Line]:
    before, after = visible(note.before), visible(note.after)
    said = {
        "only_before": f"only in {names[0]}",
        "only_after": f"only in {names[1]}",
        "declared": f"declared as {before} -> {after}",
        "kind": f"evidence of another kind: {before} -> {after}",
        "source": "its source is configured in another way, which is not compared",
    }[note.kind]
    style: Style = "dim" if note.kind == "source" else "bad"
    about = f"{visible(note.field)} is {said}" if note.field else said
    return beside(name(note.ref), Span(about, style), indent=2, column=20, gap=2, style="strong")


def _must_be_here(
    context: Context, look: Lastlook, items: Sequence[Evidence[Any]], words: tuple[str, str]
) -> None:
    """Refuse evidence that was read elsewhere, with the `cd` to type where that is known.

    Raises:
        NotRegistered: A source is missing here, or configured in another way.
    """
    try:
        for item in items:
            look.world.require_source(item)
    except NotRegistered as error:
        verb, path = words
        folder = None if context.app_spec is not None else _home(context, items, path)
        if folder is None or folder == context.folder:
            raise
        from shlex import quote

        line = to_type(context, verb, quote(os.path.abspath(path)), elsewhere=True)
        raise NotRegistered(
            error.what, where=error.where, fix=f"Type: cd {quote(folder)} && {line}"
        ) from error


def _home(context: Context, items: Sequence[Evidence[Any]], path: str) -> str | None:
    """Return the folder that the evidence was read in, if it is above the file or above here."""
    for start in (os.path.dirname(os.path.abspath(path)), context.folder):
        folder, above = start, ""
        while folder != above:
            if _is_home(context, items, folder):
                return folder
            folder, above = os.path.dirname(folder), folder
    return None


def _is_home(context: Context, items: Sequence[Evidence[Any]], folder: str) -> bool:
    try:
        registry = _registry(context, folder)
        return all(
            registry.config(item.ref.partition(":")[0]) == item.source_config for item in items
        )
    except LastlookError:
        return False


def _registry(context: Context, folder: str) -> Registry:
    """Return the sources that a command line in this folder would have."""
    from lastlook.config import load_config
    from lastlook.sources.files import JsonFiles
    from lastlook.sources.registry import Registry
    from lastlook.stores.location import nearest_config

    path = context.config_path or nearest_config(folder)
    config = None if path is None else load_config(path)
    registry = Registry({} if config is None else {n: config.source(n) for n in config.sources})
    registry.add("cwd", JsonFiles(folder, suffix_in_key=True), builtin=True)
    return registry
