"""A tool that is not what it was: which parts of it differ."""

from __future__ import annotations

from msgspec.structs import replace

from lastlook.core.plan import Command, ToolDefinition
from lastlook.core.tool_change import changed_tool, definition_digest

SEALED = ToolDefinition(
    name="book", description="Book a slot.", arguments={"type": "object"}, effect="books {slot_id}"
)


def test_each_part_that_differs_is_named_with_both_values() -> None:
    live = replace(SEALED, version="2", undo="cancel {slot_id}")
    stale = changed_tool(SEALED, live)
    assert stale.ref == "tool:book"
    assert stale.changed == ("/undo", "/version")
    assert [(c.text, c.before, c.after) for c in stale.changes] == [
        ("undo", ("value", None), ("value", "cancel {slot_id}")),
        ("version", ("value", ""), ("value", "2")),
    ]
    assert stale.fields == len(SEALED.__struct_fields__)


def test_another_program_behind_a_command_is_a_change() -> None:
    one = Command(run=("./book.sh",), program="/bin/sh", sha256="0" * 64, folder="/work")
    old = replace(SEALED, kind="command", command=one)
    new = replace(old, command=replace(one, sha256="1" * 64))
    assert changed_tool(old, new).changed == ("/command",)


def test_digests_tell_definitions_apart_and_name_their_scheme() -> None:
    other = replace(SEALED, version="2")
    assert definition_digest(SEALED) == definition_digest(replace(SEALED))
    assert definition_digest(SEALED) != definition_digest(other)
    assert definition_digest(SEALED).startswith("sha256:")
    stale = changed_tool(SEALED, other)
    assert (stale.captured, stale.current) == (definition_digest(SEALED), definition_digest(other))
