"""What a tool was when the plan was made, beside what it is now."""

from __future__ import annotations

from hashlib import sha256

from msgspec import to_builtins

from lastlook.core.canonical import encode
from lastlook.core.check import Change, Stale
from lastlook.core.plan import ToolDefinition


def changed_tool(sealed: ToolDefinition, live: ToolDefinition) -> Stale:
    """Return the Stale that says in what a tool is not what it was.

    Args:
        sealed: The definition in the plan.
        live: The definition now.
    """
    old, new = to_builtins(sealed), to_builtins(live)
    names = tuple(name for name in sealed.__struct_fields__ if old[name] != new[name])
    changes = tuple(
        Change(field=f"/{name}", text=name, before=("value", old[name]), after=("value", new[name]))
        for name in names
    )
    return Stale(
        ref=f"tool:{sealed.name}",
        changed=tuple(f"/{name}" for name in names),
        changes=changes,
        captured=definition_digest(sealed),
        current=definition_digest(live),
        fields=len(sealed.__struct_fields__),
    )


def definition_digest(definition: ToolDefinition) -> str:
    """Return `sha256:` and 64 hex digits over a tool's definition."""
    return "sha256:" + sha256(encode(to_builtins(definition))).hexdigest()
