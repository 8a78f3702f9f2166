"""`doctor`: where plans are kept, how safely, and what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import typer
from msgspec import Struct

from lastlook.cli.context import Context
from lastlook.cli.suggesting import to_type
from lastlook.core.screens.layout import Span, laid_out, prose, row
from lastlook.core.visible import visible
from lastlook.errors import LastlookError

if TYPE_CHECKING:
    from lastlook.config import Config
    from lastlook.core.ports import Store
    from lastlook.core.screens.layout import Line

_COLUMN = 16


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        said: What was found.
        fix: What to do about it; empty where nothing is wrong.
    """

    name: str
    said: str
    ok: bool = True
    fix: str = ""


def doctor(ctx: typer.Context) -> int:
    """Say where plans are kept, how safely, and what is wrong.

    Exits with 1 where something is wrong.
    """
    context: Context = ctx.obj
    findings = [*_store(context), *_configuration(context)]
    wrong = [item for item in findings if not item.ok]
    context.output.screen(laid_out(context.output.width(), lambda: _screen(findings)))
    from msgspec import to_builtins

    context.output.data({"ok": not wrong, "findings": to_builtins(findings)})
    return 1 if wrong else 0


def _screen(findings: Sequence[Finding]) -> list[Line]:
    lines = [line for item in findings for line in _lines(item)]
    wrong = sum(not item.ok for item in findings)
    end = f"{wrong} thing{'s'[: wrong != 1]} wrong." if wrong else "Nothing is wrong."
    return [*lines, (), (Span(end, "bad" if wrong else "good"),)]


def _lines(item: Finding) -> list[Line]:
    rest = prose(visible(item.said), indent=_COLUMN, style="plain" if item.ok else "bad")
    if item.fix:
        rest += prose(visible(item.fix), indent=_COLUMN, style="strong")
    return row(item.name, rest, indent=0, column=_COLUMN, style="dim")


def _tried(name: str, work: Callable[[], Any]) -> Any:
    """Return what some work gives, or the finding that it went wrong."""
    try:
        return work()
    except LastlookError as error:
        where = f" ({error.where})" if error.where else ""
        return Finding(name=name, said=f"{error.what}{where}", ok=False, fix=error.fix)


def _store(context: Context) -> Iterator[Finding]:
    place = _tried("store", lambda: context.where)
    if isinstance(place, Finding):
        yield place
        return
    yield Finding(name="store", said=place["where"])
    yield Finding(name="because", said=place["why"])
    store = context.store
    if not context.has_store:
        yield Finding(name="state", said="not there yet; the first proposal makes it")
        return
    yield from _inside(context, store)


def _inside(context: Context, store: Store) -> Iterator[Finding]:
    settings = getattr(store, "settings", None)
    if settings is not None:
        said = _tried("state", settings)
        if isinstance(said, Finding):
            yield said
            return
        yield Finding(name="sqlite", said=f"{said['sqlite']} by {said['driver']}")
        names = [f"{key} {value}" for key, value in said.items() if key not in {"sqlite", "driver"}]
        yield Finding(name="settings", said=", ".join(names))
        yield _damage(store)
    yield _journal(context, store)


def _damage(store: Any) -> Finding:
    found = _tried("file", store.damage)
    if isinstance(found, Finding):
        return found
    if not found:
        return Finding(name="file", said="sound, every page of it")
    return Finding(
        name="file", said="; ".join(found[:3]), ok=False,
        fix="Keep a copy of the file, and go on with a new store.",
    )  # fmt: skip


def _journal(context: Context, store: Store) -> Finding:
    from lastlook.stores.journal import verify

    report = _tried("journal", lambda: verify(store))
    if isinstance(report, Finding):
        return report
    fix = "" if report.ok else f"See which rows: {to_type(context, 'journal', 'verify')}"
    return Finding(name="journal", said=report.text(), ok=report.ok, fix=fix)


def _configuration(context: Context) -> Iterator[Finding]:
    if context.app_spec is not None:
        yield Finding(name="application", said=context.app_spec)
        return
    config = _tried("lastlook.toml", lambda: context.config)
    if isinstance(config, Finding):
        yield config
    elif config is None:
        yield Finding(name="lastlook.toml", said="none here or above")
    else:
        yield Finding(name="lastlook.toml", said=config.path)
        yield from _tables(config)


def _tables(config: Config) -> Iterator[Finding]:
    for name in config.sources:
        yield from _source(config, name)
    for name in config.tools:
        made = _tried(f"tool {name}", partial(config.tool, name))
        if isinstance(made, Finding):
            yield made
    groups = {"sources": config.sources, "tools": config.tools, "plans": config.plans}
    for group, tables in groups.items():
        yield Finding(name=group, said=", ".join(tables) or "none")


def _source(config: Config, name: str) -> Iterator[Finding]:
    made = _tried(f"source {name}", lambda: config.source(name))
    if isinstance(made, Finding):
        yield made
    elif not os.path.exists(made.root):
        yield Finding(
            name=f"source {name}",
            said=f"{made.root} is not there",
            ok=False,
            fix="Make it, or name another root.",
        )
