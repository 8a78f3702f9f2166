"""The tables of a lastlook.toml: their keys and types, and what is said of a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, NoReturn, get_args

import msgspec
from msgspec import Meta, Struct

from lastlook.errors import DeclarationError

ArgumentType = Literal["string", "integer", "number", "boolean", "any"]
"""The types of `lastlook.planning.commands.TYPES`."""

_TYPES_ELSEWHERE: Final = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}

Texts = tuple[str, ...]

LONGEST: Final = 100 * 365.25 * 86_400
"""The most seconds for which a question is good: a century."""

_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


class FilesTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[sources.NAME]`: a folder with a file for each record, or one file of many.

    Attributes:
        root: The folder or file, relative to lastlook.toml.
        id, records, suffix_in_key, max_bytes: As for `JsonFiles`.
    """

    kind: Literal["files"]
    root: Annotated[str, Meta(min_length=1)]
    id: str | None = None
    records: str | None = None
    suffix_in_key: bool = False
    max_bytes: Annotated[int, Meta(gt=0)] | None = None


class ToolTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[tools.NAME]`: a command; the keys are those of `CommandTool`."""

    run: Annotated[Texts, Meta(min_length=1)]
    args: dict[str, ArgumentType] = {}
    writes: Texts = ()
    effect: str = ""
    undo: str | None = None
    not_applied: tuple[Annotated[int, Meta(ge=1, le=255)], ...] = ()
    version: str = ""
    environment: Texts | None = None


class ReadTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of a plan's `reads`: what it rests on; `as` is the name for holes."""

    ref: str
    alias: str = msgspec.field(name="as", default="")
    fields: Texts = ()
    absent: bool = False


class PlanTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[plans.NAME]`: a plan as templates.

    Attributes:
        steps: Each a tool's name under `tool`, and its arguments by name.
        no_evidence: Why it rests on nothing; needed where there are no reads.
        expires_in: Seconds from the proposal until a plan is void.
    """

    intent: Annotated[str, Meta(min_length=1)]
    args: dict[str, ArgumentType] = {}
    reads: tuple[ReadTable, ...] = ()
    steps: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1)]
    no_evidence: Annotated[str, Meta(min_length=1)] | None = None
    two_people: bool = False
    approvers: Texts = ()
    expires_in: Annotated[float, Meta(gt=0, le=LONGEST)] | None = None


TABLES: Final[Mapping[str, type[Struct]]] = {
    "sources": FilesTable,
    "tools": ToolTable,
    "plans": PlanTable,
}


def read_tables(path: str, tree: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return all tables by group and name, their keys and types checked.

    Raises:
        DeclarationError: A key is unknown or missing, or a value of the wrong type.
    """
    for name in tree:
        if name not in TABLES:
            refuse(path, name, f"there is no table [{name}]", fix=_may(name, TABLES))
    return {group: dict(_group(path, group, tree.get(group, {}))) for group in TABLES}


def refuse(path: str, table: str, what: str, *, fix: str, key: str = "") -> NoReturn:
    """Raise the `DeclarationError` that names file, table and key."""
    where = f"{path} [{table}]" + (f" {key}" if key else "")
    raise DeclarationError(what, where=where, fix=fix) from None


def _group(path: str, group: str, tables: object) -> Iterable[tuple[str, Any]]:
    if not isinstance(tables, dict):
        refuse(path, group, "this is not a table", fix=f"Write [{group}.NAME].")
    for name, table in tables.items():
        if not _NAME.fullmatch(name):
            fix = "Use letters, digits, _, - and dots."
            refuse(path, group, f"{name!r} can't be a name here", fix=fix)
        if not isinstance(table, dict):
            fix = f"Write [{group}.{name}]."
            refuse(path, f"{group}.{name}", "this is not a table", fix=fix)
        yield name, _table(path, f"{group}.{name}", table, TABLES[group])


def _table(path: str, place: str, table: dict[str, Any], shape: type[Struct]) -> Struct:
    try:
        return msgspec.convert(table, shape)
    except msgspec.ValidationError as error:
        what, _, key = str(error).replace("`", "").partition(" - at $")
        what = what.replace("Object", "the table").replace(" field ", " key ")
        key = key.removeprefix(".")
        what = f"{what[:1].lower()}{what[1:]}"
        if key.startswith("args[") and "enum" in what:
            _refuse_type(path, place, table["args"])
        refuse(path, place, what, fix=_advice(what, key, shape), key=key)


def _refuse_type(path: str, place: str, arguments: Mapping[str, Any]) -> NoReturn:
    """Refuse the first argument whose type there is not, with those that there are."""
    types = get_args(ArgumentType)
    name, kind = next((name, kind) for name, kind in arguments.items() if kind not in types)
    fix = _may(kind, types, alike=_TYPES_ELSEWHERE)
    refuse(path, place, f"{kind!r} is no type of argument", fix=fix, key=f"args.{name}")


def _advice(what: str, key: str, shape: type[Struct]) -> str:
    inner = ReadTable if key.startswith("reads[") else shape
    unknown = re.search(r"unknown key (.+)", what)
    return _may(unknown[1] if unknown else "", inner.__struct_encode_fields__)


def _may(given: str, names: Iterable[str], *, alike: Mapping[str, str] | None = None) -> str:
    """Return what may stand there, with the likely one first.

    Args:
        alike: What other words are called here.
    """
    from difflib import get_close_matches

    known = list(names)
    close = [(alike or {})[given]] if given in (alike or {}) else get_close_matches(given, known, 1)
    hint = f"Did you mean {close[0]}? " if close else ""
    return f"{hint}It takes {', '.join(known)}."
