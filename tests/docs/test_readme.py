"""The README's first screen is true to the letter: its example, its block, its two commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.docs.blocks import blocks
from tests.docs.test_code_blocks import SLOT
from tests.meta.tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def plain(screen: str) -> str:
    """A screen with its plan's id and its times taken out."""
    screen = re.sub(r"\b\d\d:\d\d:\d\d\b", "TIME", screen)
    return re.sub(r"plan [a-z0-9]{4}\b", "plan ID", screen).strip()


def test_the_block_looks_on_screen_as_the_readme_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example, block, *_ = blocks(README)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LASTLOOK_STORE", str(tmp_path / "plans.db"))
    slot = tmp_path / "slots" / "slot-42.json"
    slot.parent.mkdir()
    slot.write_text(json.dumps(SLOT), encoding="utf-8")
    program: dict[str, object] = {"__name__": "example"}
    exec(compile(example.text, "README.md", "exec"), program)  # our own README
    look, book_slot = program["look"], program["book_slot"]

    plan = book_slot.propose("slot-42", "Stand-up")
    assert look.confirm(plan, by="ana").ok
    slot.write_text(json.dumps(SLOT | {"time": "2026-11-03T16:30"}), encoding="utf-8")
    outcome = look.dispatch(plan)
    look.close()
    assert plain(outcome.text()) == plain(block.text)


def test_the_example_has_ten_lines_of_code() -> None:
    lines = [line for line in blocks(README)[0].text.splitlines() if line.strip()]
    code = [line for line in lines if not line.startswith(("from ", "look = ", "if __name__"))]
    assert len(code) <= 10


def test_the_first_screen_names_the_two_commands() -> None:
    first_screen = README.split("\n## ")[0]
    assert "make demo" in first_screen
    assert "make test" in first_screen
