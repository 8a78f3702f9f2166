"""The README's first screen is true to the letter: its example, its block, its two commands."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lastlook.testing import ScriptedAsker
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
    program: dict[str, Any] = {"__name__": "example"}
    exec(compile(example.text, "README.md", "exec"), program)  # our own README

    def yes_after_an_edit(_question: object) -> str:
        slot.write_text(json.dumps(SLOT | {"time": "2026-11-03T16:30"}), encoding="utf-8")
        return "yes"

    person = ScriptedAsker(yes_after_an_edit, "no")
    program["look"].world.__dict__["asker"] = person
    program["book_slot"].run("slot-42", "Stand-up")
    program["look"].close()
    (blocked,) = person.outcomes
    assert plain(blocked.text()) == plain(block.text)
    afresh = person.questions[1].plan
    assert [afresh.id, afresh.evidence[0]["time"]] == [f"{blocked.plan.id}.2", "2026-11-03T16:30"]


def test_the_example_has_ten_lines_of_code() -> None:
    lines = [line for line in blocks(README)[0].text.splitlines() if line.strip()]
    code = [line for line in lines if not line.startswith(("from ", "look = ", "if __name__"))]
    assert len(code) <= 10


def test_the_first_screen_names_the_two_commands() -> None:
    first_screen = README.split("\n## ")[0]
    assert "make demo" in first_screen
    assert "make test" in first_screen


def test_what_is_installed_is_what_the_project_offers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = re.findall(r"pip install '\.\[([\w,]+)\]'", README)
    assert sorted(extras.split(",")) == sorted(project["optional-dependencies"])
    (wheel,) = re.findall(r"pip install dist/(\S+)\.whl", README)
    assert wheel == f"{project['name']}-{project['version']}-py3-none-any"


def test_every_python_that_is_offered_is_tested_or_said_not_to_be() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    offered = set(re.findall(r"Python :: (3\.\d+)", project))
    (last,) = re.findall(r"^Tested on Linux[\s\S]+", README, re.MULTILINE)
    assert set(re.findall(r"3\.\d+", last)) == offered


def test_every_page_beside_the_readme_that_it_links_is_there() -> None:
    linked = re.findall(r"\]\(([^)#]+)", README)
    assert "docs/reference/index.md" in linked
    assert [path for path in linked if not (ROOT / path).exists()] == []
