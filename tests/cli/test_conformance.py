"""`lastlook conformance` finds what is wrong with a program, and ends in good time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

RIGHT = """\
import json, sys
from lastlook.conformance.answers import answer
for line in sys.stdin:
    request = json.loads(line)
    given = answer(request)
    {slip}
    print(json.dumps({{"id": request["id"], **given}}), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path):
    """Write a Python program, and return the words that run it."""

    def write(text: str) -> list[str]:
        path = tmp_path / "program.py"
        path.write_text(text, encoding="utf-8")
        return [sys.executable, str(path)]

    return write


def test_without_a_program_the_library_itself_is_asked(run: Run) -> None:
    answer = run("conformance", "--group", "seal-and-key")
    assert answer.code == 0
    assert "All 12 vectors came out as they should." in answer.out


def test_a_program_that_is_right_conforms(run: Run, program) -> None:
    answer = run("conformance", "--json", "--", *program(RIGHT.format(slip="")))
    assert answer.code == 0
    assert answer.data["ok"] is True
    assert answer.data["failures"] == []
    assert [group["failed"] for group in answer.data["groups"]] == [0] * 5
    assert sum(group["passed"] for group in answer.data["groups"]) == answer.data["vectors"]


SLIPS = [
    ("if request['op'] == 'seal': given = {'seal': 'sha256:' + 64 * '0'}", "another seal", 5),
    ("if request['op'] == 'seal': given = {'refused': 'value'}", "refused as value", 5),
    ("if request['op'] == 'seal': given = {'unsupported': 'seal'}", "does not know", 5),
    ("if request['op'] == 'seal': given['more'] = 1", "also more", 5),
    ("if 'refused' in given: given = {'key': ''}", "should be refused as value", 1),
    ("if 'refused' in given: given = {'refused': 'json'}", "refused as json, not as value", 1),
]


@pytest.mark.parametrize(("slip", "why", "count"), SLIPS)
def test_a_program_with_a_slip_is_found_out(run: Run, program, slip, why, count) -> None:
    command = program(RIGHT.format(slip=slip))
    answer = run("conformance", "--group", "seal-and-key", "--", *command)
    assert answer.code == 1
    assert why in answer.out
    assert "It does not conform." in answer.out
    data = run("conformance", "--group", "seal-and-key", "--json", "--", *command).data
    assert data["groups"] == [
        {"group": "seal-and-key", "passed": 12 - count, "failed": count, "expected": 0}
    ]


BREACHES = [
    ("import time\ntime.sleep(60)", "no answer within 0.2 s"),
    ("print('hello', flush=True)\nimport time\ntime.sleep(60)", "no JSON: b'hello\\n'"),
    ("print('[1]', flush=True)\nimport time\ntime.sleep(60)", "an answer without an id"),
    ("print('{\"id\": 0}', flush=True)\nimport time\ntime.sleep(60)", "to another request"),
    ("print('[' * 9**5, flush=True)\nimport time\ntime.sleep(60)", "no JSON"),
    ("print('x' * 5_000_000, flush=True)\nimport time\ntime.sleep(60)", "more than 4,194,304"),
    ("import os\nwhile 1: os.write(1, b'{}\\n')", "an answer without an id"),
    ("", "the program ended"),
]


@pytest.mark.parametrize(("text", "why"), BREACHES)
def test_a_program_that_loses_the_thread_is_given_up_on(run: Run, program, text, why) -> None:
    words = ["--group", "seal-and-key", "--seconds", "0.2" if "0.2" in why else "5"]
    answer = run("conformance", *words, "--json", "--", *program(text))
    assert answer.code == 1
    failures = [failure["why"] for failure in answer.data["failures"]]
    assert len(failures) == 12
    assert why in failures[0]
    assert failures[4:] == ["not asked, since the program stopped answering before"] * 8


def test_a_program_that_stumbles_once_is_asked_on(run: Run, program) -> None:
    slip = "if request['op'] == 'key' and request['step'] == 2: sys.exit()"
    command = program(RIGHT.format(slip=slip))
    answer = run("conformance", "--group", "seal-and-key", "--json", "--", *command)
    assert [failure["why"] for failure in answer.data["failures"]] == ["the program ended"] * 2


def test_failures_that_are_expected_do_not_count(run: Run, program, tmp_path: Path) -> None:
    command = program(RIGHT.format(slip="if request['op'] == 'seal': given = {}"))
    first = run("conformance", "--group", "seal-and-key", "--json", "--", *command).data
    titles = [failure["title"] for failure in first["failures"]]
    known = tmp_path / "known.txt"
    known.write_text("# not yet\n\n" + "\n".join(titles) + "\n", encoding="utf-8")
    words = ["conformance", "--group", "seal-and-key", "--xfail", str(known), "--", *command]
    answer = run(*words)
    assert answer.code == 0
    assert "All 12 vectors came out as they should." in answer.out
    assert run(*words[:5], "--json", *words[5:]).data["groups"][0]["expected"] == 5


def test_an_expected_failure_that_passes_is_a_surprise(run: Run, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("seal-and-key: the seal of ''\n", encoding="utf-8")
    answer = run("conformance", "--group", "seal-and-key", "--xfail", str(known))
    assert answer.code == 1
    assert "Expected to fail, and did not: seal-and-key: the seal of ''" in answer.out


def test_only_the_first_ten_failures_are_shown(run: Run, program) -> None:
    command = program(RIGHT.format(slip="given = {}"))
    answer = run("conformance", "--group", "seal-and-key", "--", *command)
    assert "And 2 more" in answer.out


def test_what_a_program_says_is_shown_harmlessly(run: Run, program) -> None:
    slip = "given = {'seal': chr(27) + '[2J', chr(0x202e): 1}"
    answer = run("conformance", "--group", "seal-and-key", "--", *program(RIGHT.format(slip=slip)))
    assert answer.code == 1
    assert "\x1b" not in answer.out
    assert "\u202e" not in answer.out


def test_a_program_that_is_not_there_is_a_usage_error(run: Run) -> None:
    answer = run("conformance", "--json", "--", "./nowhere-to-be-found")
    assert answer.code == 2
    assert "could not be started" in answer.error["what"]


def test_a_list_that_is_not_there_or_no_text_is_an_error(run: Run, tmp_path: Path) -> None:
    assert run("conformance", "--xfail", str(tmp_path / "no.txt")).code == 1
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe")
    answer = run("conformance", "--json", "--xfail", str(tmp_path / "bad.txt"))
    assert answer.code == 2
    assert "not UTF-8" in answer.error["what"]


def test_a_group_that_is_none_is_an_error(run: Run) -> None:
    answer = run("conformance", "--group", "nope", "--json")
    assert answer.code == 1
    assert json.dumps("nope").strip('"') in answer.error["what"]


def test_without_the_extra_the_library_says_what_it_lacks(run: Run, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    answer = run("conformance", "--json")
    assert answer.code == 2
    assert "lastlook[jsonpath]" in answer.error["fix"]
    assert run("conformance", "--group", "fields").code == 0
