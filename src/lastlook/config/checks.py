"""The tables of a lastlook.toml beside each other: names that must be there, and holes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NoReturn

from lastlook.config.tables import FilesTable, PlanTable, ReadTable, ToolTable, refuse
from lastlook.core.fields import parse_field
from lastlook.core.refs import check_source_name
from lastlook.core.templates import HOLE, Template
from lastlook.errors import DeclarationError, LastlookError
from lastlook.planning.options import approvers_of

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOLE: Final = re.compile(HOLE)


def check_sources(path: str, sources: Mapping[str, FilesTable]) -> None:
    """Refuse a name that no source may have; raises `DeclarationError`."""
    for name in sources:
        try:
            check_source_name(name)
        except DeclarationError as error:
            refuse(path, f"sources.{name}", error.what, fix=error.fix)


def check_tools(path: str, tools: Mapping[str, ToolTable]) -> None:
    """Refuse a name that no argument may have; raises `DeclarationError`."""
    for name, tool in tools.items():
        _check_arguments(path, f"tools.{name}", tool.args)


def check_plan(
    path: str,
    name: str,
    plan: PlanTable,
    *,
    sources: Mapping[str, FilesTable],
    tools: Mapping[str, ToolTable],
) -> None:
    """Refuse the first thing in a plan that can't be meant.

    Raises:
        DeclarationError: It rests on nothing, or names a source, tool, argument or hole
            that is not there, or a field can't be read.
    """
    _check_arguments(path, f"plans.{name}", plan.args)
    _Check(path, f"plans.{name}", plan, sources, tools).run()


def step_arguments(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a step: all of its keys but `tool`."""
    return {key: item for key, item in step.items() if key != "tool"}


def _check_arguments(path: str, place: str, names: Iterable[str]) -> None:
    for name in names:
        if not _IDENTIFIER.fullmatch(name) or name == "tool":
            fix = "Use letters, digits and _, with no digit first; `tool` is taken."
            refuse(path, place, f"{name!r} can't be an argument's name", fix=fix, key="args")


class _Check:
    """One plan beside the rest of its file."""

    def __init__(
        self,
        path: str,
        place: str,
        plan: PlanTable,
        sources: Mapping[str, FilesTable],
        tools: Mapping[str, ToolTable],
    ) -> None:
        self._path = path
        self._place = place
        self._plan = plan
        self._sources = [*sources, "cwd"]
        self._tools = tools
        self._views: dict[str, dict[str, str] | None] = {}

    def run(self) -> None:
        """Go through the plan in the order in which it is filled."""
        if not self._plan.reads and self._plan.no_evidence is None:
            fix = 'Give it reads, or say why not: no_evidence = "...".'
            self._refuse("this plan rests on nothing, so nothing would stop it", fix)
        for number, item in enumerate(self._plan.reads):
            self._read(item, f"reads[{number}]")
        for number, step in enumerate(self._plan.steps):
            self._step(step, f"steps[{number}]")
        self._approvers()
        self._holes(Template(self._plan.intent).names(), "intent")

    def _approvers(self) -> None:
        try:
            approvers_of([*self._plan.approvers])
        except LastlookError as error:
            self._refuse(error.what, 'Name people: approvers = ["ana"].', "approvers")

    def _read(self, item: ReadTable, key: str) -> None:
        source, colon, _ = item.ref.partition(":")
        if not colon or source not in self._sources:
            fix = f"Write source:key; there are {', '.join(self._sources)}."
            self._refuse(f"{item.ref!r} names no source", fix, key)
        self._holes(Template(item.ref).names(), key)
        if bool(item.fields) is item.absent:
            what = "a read names fields, or says absent = true, and not both"
            self._refuse(what, 'Write fields = ["status"], for example.', key)
        for text in item.fields:
            self._field(text, key)
        if item.alias:
            self._alias(item.alias, key)
            self._views[item.alias] = _declared(item.fields)

    def _field(self, text: str, key: str) -> None:
        holes = [hole[1:-1] for hole in _HOLE.findall(text)]
        self._holes(holes, key)
        try:
            if not holes:
                parse_field(text)
        except DeclarationError as error:
            self._refuse(error.what, error.fix, key)

    def _alias(self, alias: str, key: str) -> None:
        if not _IDENTIFIER.fullmatch(alias) or alias in self._views:
            fix = "Use letters, digits and _, and each name once."
            self._refuse(f"{alias!r} can't be the name of this read", fix, key)

    def _step(self, step: Mapping[str, Any], key: str) -> None:
        name = step.get("tool")
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            what = f"there is no tool {name!r}" if "tool" in step else "a step names its tool"
            self._refuse(what, f"There are {', '.join(self._tools) or 'none'}.", key)
        given = step_arguments(step)
        if set(given) != set(tool.args):
            what = f"tool {name} takes {', '.join(tool.args) or 'no arguments'}"
            self._refuse(what, f"The step gives {', '.join(given) or 'none'}.", key)
        for text in _texts(given):
            self._holes(Template(text).names(), key)

    def _holes(self, names: Iterable[str], key: str) -> None:
        for name in names:
            if not self._is_there(name):
                self._refuse(f"{{{name}}} names nothing", self._there(name), key)

    def _is_there(self, name: str) -> bool:
        """Tell whether a hole is an argument, or a declared field or a part of one."""
        alias, *steps = name.split(".")
        if not steps:
            return alias in self._plan.args
        if alias not in self._views:
            return False
        view = self._views[alias]
        pointers = ["".join(f"/{step}" for step in steps[:end]) for end in range(len(steps) + 1)]
        return view is None or any(pointer in view for pointer in pointers)

    def _there(self, name: str) -> str:
        """Return what a hole may name, the likely one first."""
        from difflib import get_close_matches

        there = [*self._plan.args]
        for alias, view in self._views.items():
            there += [f"{alias}.{item}" for item in (["FIELD"] if view is None else view.values())]
        close = get_close_matches(name, there, 1)
        hint = f"Did you mean {{{close[0]}}}? " if close else ""
        return f"{hint}There is {', '.join(f'{{{item}}}' for item in there) or 'nothing'}."

    def _refuse(self, what: str, fix: str, key: str = "") -> NoReturn:
        refuse(self._path, self._place, what, fix=fix, key=key)


def _declared(fields: Iterable[str]) -> dict[str, str] | None:
    """Return the selectors of fields, each with its spelling in a hole.

    None where that is not known before the holes in the fields are filled.
    """
    try:
        filled = [[parse_field(_HOLE.sub(n, text)).selector for text in fields] for n in "12"]
    except DeclarationError:
        return None
    if filled[0] != filled[1]:
        return None
    return {item: item.removeprefix("/").replace("/", ".") or "FIELD" for item in filled[0]}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
