"""The vectors of the specification, as the library answers them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lastlook.conformance import GROUPS, examine, vectors
from lastlook.conformance.answers import OPERATIONS, REFUSALS, answer
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
