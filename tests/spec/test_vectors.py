"""The vectors of the specification, as the library answers them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from lastlook.conformance import GROUPS, examine, vectors
from lastlook.conformance.answers import OPERATIONS, REFUSALS, answer
from lastlook.core.lifecycle import LEGAL
from lastlook.errors import BadFormat
from tests.meta.tree import PACKAGE, ROOT

DOCS = ROOT / "docs" / "spec" / "vectors"


@pytest.mark.parametrize("group", GROUPS)
def test_the_library_answers_every_vector_to_the_byte(group):
    report = examine(answer, vectors(group))
    assert [(failure.title, failure.why) for failure in report.failures] == []
    assert report.ok


@pytest.mark.parametrize("group", GROUPS)
def test_the_package_ships_the_vectors_of_the_pages(group):
    shipped = PACKAGE / "conformance" / "vectors" / f"{group}.json"
    assert shipped.read_bytes() == (DOCS / f"{group}.json").read_bytes()


def test_no_hand_has_been_at_the_vectors():
    command = [sys.executable, str(ROOT / "scripts" / "vectors"), "--check"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr


def test_every_operation_and_every_refusal_has_vectors():
    known = vectors()
    assert {vector.request["op"] for vector in known} == set(OPERATIONS)
    refused = {vector.answer["refused"] for vector in known if "refused" in vector.answer}
    assert refused == {word for _, word in REFUSALS}
    assert len(known) > 800


def test_titles_are_one_for_each_vector():
    titles = [vector.title for vector in vectors()]
    assert len(set(titles)) == len(titles)


def test_an_operation_that_is_none_is_said_to_be_unsupported():
    assert answer({"op": "fly"}) == {"unsupported": "fly"}


def test_a_group_that_is_none_is_refused_with_those_that_are():
    with pytest.raises(BadFormat) as caught:
        vectors("nope")
    assert "typed-json" in caught.value.fix


def test_the_page_shows_the_numbers_that_are_true():
    page = (ROOT / "docs" / "spec" / "line-protocol.md").read_text(encoding="utf-8")
    for group in GROUPS:
        assert f"\n{group:<16}{len(vectors(group)):>8}{0:>8}{0:>10}\n" in page
    assert f"\nAll {len(vectors()):,} vectors came out as they should.\n" in page


def test_the_example_of_typed_json_is_what_the_library_writes():
    page = (ROOT / "docs" / "spec" / "typed-json.md").read_text(encoding="utf-8")
    plain, typed = page.split("```json\n")[1].split("\n```")[0], page.split("```text\n")[1]
    request = {"op": "json", "text": plain, "strict": False}
    assert answer(request) == {"bytes": typed.split("\n```")[0]}


def test_the_page_of_the_journal_has_every_legal_transition():
    page = (ROOT / "docs" / "spec" / "journal.md").read_text(encoding="utf-8")
    table = page.split("\n## States\n")[1].split("\n## ")[0]
    said = {}
    for line in re.findall(r"^\| `.*", table, re.MULTILINE):
        was, *after = re.findall(r"`(\w+)`", line)
        said[was] = set(after)
    assert said == {str(was): {str(state) for state in after} for was, after in LEGAL.items()}


def test_the_change_log_has_the_number_of_vectors():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f" with {len(vectors()):,} vectors " in text
