"""What Lastlook warns of is one line for people, and no error."""

from __future__ import annotations

import sys
import warnings

import pytest

from lastlook.cli.hinting import hints
from lastlook.cli.output import Output
from tests.cli.conftest import Run, World

REST = ("-e", "slots/slot-42.json#status", "--", "./book.sh", "slot-42", "2026-11-03T14:00")


def test_an_undeclared_value_is_one_line_on_standard_error(world: World, run: Run) -> None:
    ran = run("propose", *REST)
    assert ran.code == 0
    (line,) = ran.err.splitlines()
    assert line.startswith("Hint: ")
    assert "holds a value that cwd:slots/slot-42.json has in time, which is not declared" in line
    assert "2026" not in line
    assert "Hint" not in ran.out


def test_with_json_standard_output_holds_the_object_alone(world: World, run: Run) -> None:
    ran = run("propose", "--json", *REST)
    assert ran.data["plan"]["id"]
    assert "Hint: " in ran.err


def test_quiet_leaves_hints_out(world: World, run: Run) -> None:
    assert run("propose", "-q", *REST).err == ""


def test_a_declared_value_is_no_hint(world: World, run: Run) -> None:
    rest = ("slots/slot-42.json#status,time", *REST[2:])
    assert "Hint" not in run("propose", "-e", *rest).err


def test_other_warnings_are_shown_as_ever() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with hints(Output()):
            warnings.warn("mine", UserWarning, stacklevel=1)
    assert [str(each.message) for each in caught] == ["mine"]


def test_what_python_was_told_of_warnings_is_done(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "warnoptions", ["ignore"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "Hint" not in run("propose", *REST).err
