"""Commands on a screen: what became of the files that they run."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lastlook.core.check import Change, Stale
from lastlook.core.outcome import BlockedStale
from lastlook.core.plan import Command, PinnedFile, ToolDefinition
from lastlook.core.screens.programs import edited_files, file_line
from lastlook.core.tool_change import FILES, changed_tool
from tests.unit.core.refund import at, plan

HELP = PinnedFile(name="help.sh", path="/d/help.sh", sha256="11" * 32)
COMMAND = Command(
    run=("./book.sh", "x"), program="/d/book.sh", sha256="ab" * 32, folder="/d", files=(HELP,)
)
BOOK = ToolDefinition(name="book", kind="command", command=COMMAND)


def other(**changes: object) -> ToolDefinition:
    return replace(BOOK, command=replace(COMMAND, **changes))


def block(live: ToolDefinition) -> str:
    return BlockedStale(plan=plan(), checks=(changed_tool(BOOK, live),), at=at(14, 9)).text()


def test_an_edited_program_is_named_with_what_it_was_and_is() -> None:
    text = block(other(sha256="cd" * 32))
    assert (
        "\n  tool:book         was edited since\n"
        "    the file ./book.sh was edited\n"
        f"      sha256:{'ab' * 8} -> sha256:{'cd' * 8}\n"
    ) in text
    assert "members" not in text


def test_a_file_that_runs_with_it_is_named_too() -> None:
    text = block(other(files=(replace(HELP, sha256="22" * 32),)))
    assert "\n    the file help.sh was edited\n      sha256:1111111111111111 -> sha256:2222" in text
    text = block(other(files=()))
    assert "\n    the file help.sh is not there, or does not run any more\n\n" in text
    text = block(other(files=(HELP, replace(HELP, name="b.sh", path="/d/b.sh"))))
    assert "\n    the file b.sh runs with it now\n\n" in text
    text = block(other(program=""))
    assert "\n    the file ./book.sh is not there, or does not run any more\n\n" in text
    text = block(other(program="/e/book.sh"))
    assert "\n    the file ./book.sh is another one\n      /d/book.sh -> /e/book.sh\n" in text


def test_another_command_is_not_called_an_edit() -> None:
    text = block(other(sha256="cd" * 32, folder="/e"))
    assert "\n  tool:book         is not the tool that the yes was for\n" in text
    assert "\n    the file ./book.sh was edited\n" in text
    assert '\n    /command/folder "/d" -> "/e"\n' in text


def test_a_name_of_a_file_cannot_pass_for_more() -> None:
    change = Change(field=f"{FILES}x", text="the file x\x1b[2J", before=("value", "sha256:a"),
                    after=("value", "/b\n  c"))  # fmt: skip
    stale = Stale(ref="tool:book", changed=(change.field,), changes=(change,), captured="a",
                  current="b", fields=9)  # fmt: skip
    text = BlockedStale(plan=plan(), checks=(stale,), at=at(14, 9)).text()
    assert "\n    the file x\\u{1B}[2J was edited\n" in text
    assert '\n      sha256:a -> "/b\\u{0A}  c"\n' in text


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        (other(sha256="cd" * 32), ["the file ./book.sh was edited"]),
        (BOOK, []),
        (replace(BOOK, version="2"), []),
        (other(sha256="cd" * 32, folder="/e"), []),
        (ToolDefinition(name="book"), []),
    ],
)
def test_only_a_tool_that_is_the_same_but_for_its_files_was_edited(
    after: ToolDefinition, lines: list[str]
) -> None:
    assert [file_line(change) for change in edited_files(BOOK, after)] == lines
    assert edited_files(ToolDefinition(name="book"), after) == ()
