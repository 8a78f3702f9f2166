"""A tool that is not what it was: which parts of it differ."""

from __future__ import annotations

from msgspec.structs import replace

from lastlook.core.plan import Command, PinnedFile, ToolDefinition
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


ONE = Command(
    run=("./a{{b", "s.sh"), program="/srv/a{b", sha256="0" * 64, folder="/srv",
    files=(PinnedFile(name="s.sh", path="/srv/s.sh", sha256="2" * 64),),
)  # fmt: skip


def changes(old: Command, new: Command) -> list[tuple[str, str, str, object, object]]:
    sealed = replace(SEALED, kind="command", command=old)
    stale = changed_tool(sealed, replace(sealed, command=new))
    assert stale.changed == tuple(change.field for change in stale.changes)
    return [(c.field, c.text, c.kind, c.before, c.after) for c in stale.changes]


def test_another_program_behind_a_command_is_a_change_of_that_file() -> None:
    assert changes(ONE, replace(ONE, sha256="1" * 64)) == [
        (
            "/command/files/./a{b", "the file ./a{b", "changed",
            ("value", "sha256:" + "0" * 16), ("value", "sha256:" + "1" * 16),
        )
    ]  # fmt: skip
    [moved] = changes(ONE, replace(ONE, program="/other/a"))
    assert moved[3:] == (("value", "/srv/a{b"), ("value", "/other/a"))


def test_a_program_that_is_gone_is_the_one_change() -> None:
    assert changes(ONE, replace(ONE, program="", sha256="", files=())) == [
        (
            "/command/files/./a{b", "the file ./a{b", "removed",
            ("value", "sha256:" + "0" * 16), ("absent",),
        )
    ]  # fmt: skip


def test_each_file_that_runs_with_a_command_is_a_change_of_its_own() -> None:
    new = (
        PinnedFile(name="s.sh", path="/srv/s.sh", sha256=""),
        PinnedFile(name="t.sh", path="/srv/t.sh", sha256="4" * 64),
    )
    assert changes(ONE, replace(ONE, files=new)) == [
        (
            "/command/files/s.sh", "the file s.sh", "changed",
            ("value", "sha256:" + "2" * 16), ("value", "(can't be read)"),
        ),
        (
            "/command/files/t.sh", "the file t.sh", "appeared",
            ("absent",), ("value", "sha256:" + "4" * 16),
        ),
    ]  # fmt: skip
    assert [change[2] for change in changes(ONE, replace(ONE, files=()))] == ["removed"]


def test_what_else_is_different_in_a_command_is_named() -> None:
    assert changes(ONE, replace(ONE, folder="/", run=("./a{{b",))) == [
        ("/command/run", "run", "changed", ("value", ("./a{{b", "s.sh")), ("value", ("./a{{b",))),
        ("/command/folder", "folder", "changed", ("value", "/srv"), ("value", "/")),
    ]


def test_a_command_that_took_the_place_of_a_function_is_a_change() -> None:
    assert changed_tool(SEALED, replace(SEALED, command=ONE)).changed == ("/command",)


def test_digests_tell_definitions_apart_and_name_their_scheme() -> None:
    other = replace(SEALED, version="2")
    assert definition_digest(SEALED) == definition_digest(replace(SEALED))
    assert definition_digest(SEALED) != definition_digest(other)
    assert definition_digest(SEALED).startswith("sha256:")
    stale = changed_tool(SEALED, other)
    assert (stale.captured, stale.current) == (definition_digest(SEALED), definition_digest(other))
