"""What a tool was when the plan was made, beside what it is now."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from msgspec import to_builtins

from lastlook.core.canonical import encode
from lastlook.core.check import Change, Stale
from lastlook.core.evidence import Cell
from lastlook.core.plan import Command, PinnedFile, ToolDefinition
from lastlook.core.templates import Template

FILES: Final = "/command/files/"
"""Before the name of a file, the field of a change in it."""

_SHORT: Final = 16  # hex digits of a digest that is shown; all of them are compared
_OTHERS: Final = ("run", "folder", "environment")


def changed_tool(sealed: ToolDefinition, live: ToolDefinition) -> Stale:
    """Return the Stale that says in what a tool is not what it was.

    Of a command each file that runs is one change, `/command/files/NAME` with the name
    that the command has for it, and short digests before and after.

    Args:
        sealed: The definition in the plan.
        live: The definition now.
    """
    changes = tuple(_changes(sealed, live))
    return Stale(
        ref=f"tool:{sealed.name}",
        changed=tuple(change.field for change in changes),
        changes=changes,
        captured=definition_digest(sealed),
        current=definition_digest(live),
        fields=len(sealed.__struct_fields__),
    )


def changed_files(sealed: Command, live: Command) -> tuple[Change, ...]:
    """Return a change for each file that a command runs and that is not what it was."""
    was = {item.name: item for item in sealed.files}
    now = {item.name: item for item in live.files} if live.program else was
    pairs = [(_program(sealed), _program(live))]
    pairs += [(was.get(name), now.get(name)) for name in dict.fromkeys([*was, *now])]
    return tuple(_file_change(old, new) for old, new in pairs if old != new)


def definition_digest(definition: ToolDefinition) -> str:
    """Return `sha256:` and 64 hex digits over a tool's definition."""
    return "sha256:" + sha256(encode(to_builtins(definition))).hexdigest()


def _changes(sealed: ToolDefinition, live: ToolDefinition) -> Iterator[Change]:
    for name in sealed.__struct_fields__:
        if name == "command" and sealed.command is not None and live.command is not None:
            yield from _command_changes(sealed.command, live.command)
        else:
            yield from _change(name, sealed, live)


def _command_changes(sealed: Command, live: Command) -> Iterator[Change]:
    yield from changed_files(sealed, live)
    for name in _OTHERS:
        yield from _change(name, sealed, live, "/command")


def _change(name: str, sealed: Any, live: Any, parent: str = "") -> Iterator[Change]:
    old, new = to_builtins(getattr(sealed, name)), to_builtins(getattr(live, name))
    if old != new:
        yield Change(
            field=f"{parent}/{name}", text=name, before=("value", old), after=("value", new)
        )


def _program(command: Command) -> PinnedFile | None:
    """Return the program as a file; None where it is gone."""
    if not command.program:
        return None
    name = Template(command.run[0]).text({})
    return PinnedFile(name=name, path=command.program, sha256=command.sha256)


def _file_change(was: PinnedFile | None, now: PinnedFile | None) -> Change:
    moved = was is not None and now is not None and was.sha256 == now.sha256
    name = now.name if now is not None else was.name if was is not None else ""
    return Change(
        field=FILES + name,
        text=f"the file {name}",
        kind="appeared" if was is None else "removed" if now is None else "changed",
        before=_cell(was, by_path=moved),
        after=_cell(now, by_path=moved),
    )


def _cell(file: PinnedFile | None, *, by_path: bool) -> Cell:
    if file is None:
        return ("absent",)
    if by_path:
        return ("value", file.path)
    return ("value", f"sha256:{file.sha256[:_SHORT]}" if file.sha256 else "(can't be read)")
