"""JSONTestSuite: what must be refused is, with a typed error, and what must be taken is taken."""

from __future__ import annotations

import json

import pytest

from lastlook.core.canonical import canonical_bytes
from lastlook.core.jsontext import parse_json
from lastlook.errors import BadJSON, NotCanonical

TWICE = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}


@pytest.fixture(scope="module")
def suite(data):
    """The files by name."""
    return {path.name: path.read_bytes() for path in sorted(data("JSONTestSuite").glob("*.json"))}


def of(suite, letter):
    """The files that begin with a letter: n must be refused, y taken, i may be either."""
    found = {name: text for name, text in suite.items() if name.startswith(f"{letter}_")}
    assert found
    return found


def outcome(text):
    """What reading a text gives: None, or the error."""
    try:
        canonical_bytes(parse_json(text))
    except NotCanonical as error:
        return error
    return None


def test_all_that_must_be_refused_is_with_a_typed_error(suite):
    answers = {name: outcome(text) for name, text in of(suite, "n").items()}
    assert [name for name, error in answers.items() if not isinstance(error, BadJSON)] == []
    assert len(answers) == 188


def test_all_that_must_be_taken_is_but_for_repeated_names(suite):
    answers = {name: outcome(text) for name, text in of(suite, "y").items()}
    assert {name for name, error in answers.items() if error is not None} == TWICE
    assert len(answers) == 95


def test_a_repeated_name_is_refused_by_name(suite):
    for name in TWICE:
        error = outcome(suite[name])
        assert isinstance(error, BadJSON)
        assert error.what == 'the member "a" stands twice in one object'


def test_what_may_be_either_is_taken_or_refused_and_never_a_crash(suite):
    answers = {name: outcome(text) for name, text in of(suite, "i").items()}
    assert {type(error) for error in answers.values()} <= {type(None), BadJSON}


def test_what_is_taken_is_what_the_standard_library_reads(suite):
    for name, text in of(suite, "y").items():
        if name not in TWICE:
            assert parse_json(text) == json.loads(text), name
