"""The reference tells what is there: every public name, verb and option, and no other."""

from __future__ import annotations

import importlib
import re

import pytest
from typer.main import get_command

from lastlook.cli.verbs import app
from lastlook.core.lifecycle import State
from tests.meta.tree import ROOT

FOLDER = ROOT / "docs" / "reference"


def page(name: str) -> str:
    """A page of the reference."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def section(name: str, title: str) -> str:
    """The part of a page under one heading."""
    return page(name).split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The rows of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def named(text: str) -> set[str]:
    """What stands as code in the first column of the tables."""
    return {name for first, *_ in rows(text) for name in re.findall(r"`(\w+)`", first)}


@pytest.mark.parametrize(
    ("module", "where"),
    [
        ("lastlook", "index"),
        ("lastlook.sources", "sources"),
        ("lastlook.testing", "testing"),
        ("lastlook.published", "published"),
    ],
)
def test_the_table_of_a_page_has_every_public_name_and_no_other(module: str, where: str) -> None:
    assert named(page(where)) == set(importlib.import_module(module).__all__)


def test_the_table_of_outcomes_has_every_leaf_with_its_exit_code() -> None:
    outcomes = importlib.import_module("lastlook.outcomes")
    groups = {"Blocked", "Refused", "Unsettled", "Outcome", "Confirmed"}
    leaves = {
        name: str(getattr(outcomes, name).exit_code)
        for name in outcomes.__all__
        if hasattr(getattr(outcomes, name), "exit_code") and name not in groups
    }
    listed = {re.findall(r"\w+", row[0])[0]: row[1] for row in rows(page("outcomes"))[1:]}
    assert listed == leaves


def test_every_error_and_warning_that_is_named_is_there() -> None:
    errors = importlib.import_module("lastlook.errors")
    first, warned = page("errors").split("\n## Warnings\n")
    assert [name for name in named(first) if not hasattr(errors, name)] == []
    paths = re.findall(r"^\| `(lastlook[\w.]+)`", warned, re.MULTILINE)
    assert len(paths) == 5
    for path in paths:
        module, _, name = path.rpartition(".")
        assert issubclass(getattr(importlib.import_module(module), name), UserWarning)


def test_every_word_of_a_field_is_named() -> None:
    fields = importlib.import_module("lastlook.fields")
    words = set(fields.__all__)
    assert {name for name in words if name not in page("fields")} == set()


COMMANDS = get_command(app).commands


def options_of(command: object) -> set[str]:
    """The options of a command, short and long, as its help names them."""
    return {word for item in command.params for word in item.opts if word.startswith("-")}


def test_the_page_has_every_verb_in_the_words_of_its_help() -> None:
    said = {row[0].strip("`"): row[1] for row in rows(section("command-line", "Verbs"))[1:]}
    helps = {name: verb.help.split("\n\n")[0] for name, verb in COMMANDS.items()}
    first = {name: " ".join(text.split()) for name, text in helps.items()}
    assert list(said) == list(first)
    assert {n: s for n, s in said.items() if not first[n].startswith(s)} == {}


def test_the_page_has_the_options_of_every_verb_and_no_other() -> None:
    said: dict[str, set[str]] = {name: set() for name in COMMANDS}
    verbs: list[str] = []
    for verb, option, *_ in rows(section("command-line", "Options of one verb"))[1:]:
        verbs = re.findall(r"\w+", verb) or verbs
        for name in verbs:
            said[name] |= set(re.findall(r"`(-{1,2}[\w-]+)", option))
    assert said == {name: options_of(verb) - {"--help", "-h"} for name, verb in COMMANDS.items()}


def test_the_page_has_the_options_that_stand_anywhere() -> None:
    text = section("command-line", "Options of every verb")
    said = set(re.findall(r"`(-{1,2}[\w-]+)", text))
    assert said == options_of(get_command(app)) | {"--help", "-h"}


def test_a_metavar_is_the_one_of_the_help() -> None:
    text = page("command-line")
    for verb in [get_command(app), *COMMANDS.values()]:
        for item in verb.params:
            if item.metavar and any(word.startswith("--") for word in item.opts):
                assert f"{max(item.opts, key=len)} {item.metavar}`" in text, item.opts


def test_the_page_has_every_state_of_a_plan() -> None:
    (said,) = re.findall(r"`STATE` is one of ([^.]+)\.", page("command-line"))
    assert re.findall(r"`(\w+)`", said) == [str(state) for state in State]
