"""Every code block of every page does what the page says; see blocks.py for how to mark one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Command, blocks, commands, matches
from tests.meta.tree import ROOT, pages, shown

RUNNER = Path(__file__).with_name("run_page.py")
SLOT = {
    "slot_id": "slot-42",
    "time": "2026-11-03T14:00",
    "status": "available",
    "last_modified_by": "scheduler-v1",
}
BOOK = '#!/bin/sh\necho "booked $1"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that the pages speak of: slots/slot-42.json and book.sh."""
    world = tmp_path / "world"
    (world / "slots").mkdir(parents=True)
    (world / "slots" / "slot-42.json").write_text(json.dumps(SLOT, indent=2) + "\n", "utf-8")
    (world / "book.sh").write_text(BOOK, "utf-8")
    (world / "book.sh").chmod(0o755)
    return world


def run(page: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a page in a session of its own: no terminal to ask in, and a store of its own."""
    bin_folder = str(Path(sys.executable).parent)
    environment = {
        "HOME": str(folder.parent),
        "LASTLOOK_CHECKOUT": str(ROOT),
        "PATH": os.pathsep.join([bin_folder, os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_STATE_HOME": str(folder.parent / "state"),
    }
    return subprocess.run(
        [sys.executable, str(RUNNER), str(page)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=110,
        start_new_session=True,
        check=False,
    )


@pytest.mark.parametrize("page", pages(), ids=shown)
def test_a_pages_blocks_do_what_the_page_says(page: Path, folder: Path) -> None:
    answer = run(page, folder)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("```python\nraise ValueError('no')\n```\n", "page.md:2: this block raises"),
        ("```python\nx = 1\n```\n```python\nassert x == 2\n```\n", "page.md:5"),
        ("```python\nprint('a')\n```\n<!-- prints -->\n```text\nb\n```\n", "page.md:6"),
        ("```console\n$ false\n```\n", "exits with 1, not 0"),
        ("```console\n$ exit 3  # exit 4\n```\n", "exits with 3, not 4"),
        ("```console\n$ echo a\nb\n```\n", "prints this instead:\na"),
    ],
)
def test_a_block_that_does_something_else_fails(
    tmp_path: Path, folder: Path, text: str, complaint: str
) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    answer = run(page, folder)
    assert answer.returncode == 1
    assert complaint in answer.stderr


def test_a_page_runs_as_one_program_in_one_folder(tmp_path: Path, folder: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- file: new/a.txt -->\n```text\nhello\n```\n"
        "```python\ntext = open('new/a.txt', encoding='utf-8').read()\n```\n"
        "```python\nprint(text, __name__)\n```\n"
        "<!-- prints -->\n```text\nhello\n ...__\n```\n"
        "```console\n$ cat new/a.txt \\\n    slots/slot-42.json\nhello\n...slot-42...\n```\n"
        "<!-- skip: needs a network -->\n```console\n$ false\n```\n",
        encoding="utf-8",
    )
    answer = run(page, folder)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_blocks_know_their_lines_and_notes() -> None:
    page = "# A\n\n<!-- skip: why not -->\n```python\na\n```\n\n  ```console\n  $ b\n  ```\n"
    first, second = blocks(page)
    assert first == (5, "python", "skip", "why not", "a\n")
    assert second == (9, "console", "", "", "$ b\n")


def test_commands_take_their_output_and_exit_code_with_them() -> None:
    assert commands("$ a \\\n  b  # exit 3\nout\n\n$ c\n") == [
        Command("a \\\n  b", "out", 3),
        Command("c", None, 0),
    ]


def test_three_dots_stand_for_anything() -> None:
    assert matches("plan ... stale\n...", "plan k7f3 stale\nmore\nand more")
    assert not matches("plan ... stale", "plan k7f3 valid")
