"""Commands on a screen: what runs, from which files, and which of them were edited."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lastlook.core.check import Change
from lastlook.core.evidence import Cell
from lastlook.core.plan import Command, ToolDefinition
from lastlook.core.screens.layout import Line, Span, prose, row, values
from lastlook.core.screens.values import name
from lastlook.core.tool_change import FILES, changed_files
from lastlook.core.visible import visible

COLUMN: Final = 20
_KINDS: Final = {
    "removed": "is not there, or does not run any more",
    "appeared": "runs with it now",
}


def command_lines(command: Command, *, indent: int = 4) -> list[Line]:
    """Return what runs, from which files with which digests, where, and what it is passed."""
    lines = _named("runs", [" ".join(name(part) for part in command.run)], indent)
    lines += _file("program", command.program, command.sha256, indent)
    for file in command.files:
        lines += _file("with it", file.path, file.sha256, indent)
    lines += _named("in", [name(command.folder)], indent)
    return lines + _named("environment", [_passed(command.environment)], indent)


def _passed(names: Iterable[str]) -> str:
    named = ", ".join(name(item) for item in names)
    return {"": "no variables", "*": "all variables"}.get(named, named)


def _file(text: str, path: str, digest: str, indent: int) -> list[Line]:
    digests = Span(f"sha256 {name(digest)}" if digest else "(not there)", "dim")
    return [*_named(text, [name(path)], indent), *values(digests, indent=indent + 2)]


def _named(text: str, parts: Iterable[str], indent: int) -> list[Line]:
    rest = [line for part in parts for line in values(Span(part), indent=COLUMN)]
    return row(text, rest, indent=indent, column=COLUMN)


def is_file(change: Change) -> bool:
    """Tell whether a change of a tool is one of a file that it runs."""
    return change.field.startswith(FILES)


def file_line(change: Change) -> str:
    """Return what became of a file that a command runs, as in *the file ./book.sh was edited*."""
    said = _KINDS.get(change.kind) or ("was edited" if _is_digest(change) else "is another one")
    return f"{visible(change.text)} {said}"


def file_lines(change: Change) -> list[Line]:
    """Return the same with both digests, or both paths."""
    lines = prose(file_line(change), indent=4, style="bad")
    if change.kind in _KINDS:
        return lines
    return lines + values(Span(f"{_said(change.before)} -> {_said(change.after)}"), indent=6)


def _is_digest(change: Change) -> bool:
    return any(str(cell[-1]).startswith("sha256:") for cell in (change.before, change.after))


def _said(cell: Cell) -> str:
    return name(str(cell[-1]))


def edited_files(before: ToolDefinition, after: ToolDefinition) -> tuple[Change, ...]:
    """Return the edited files of a tool that is the same but for them; else nothing."""
    from msgspec.structs import replace

    old, new = before.command, after.command
    if old is None or new is None:
        return ()
    same = replace(new, program=old.program, sha256=old.sha256, files=old.files)
    return changed_files(old, new) if replace(after, command=same) == before else ()
