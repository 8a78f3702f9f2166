"""The big list of naughty strings: no two share a fingerprint, and none is changed on the way."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from lastlook.core.canonical import canonical_bytes
from lastlook.core.fields import field, parse_field
from lastlook.core.fingerprint import fingerprint
from lastlook.core.jsontext import parse_json


@pytest.fixture(scope="module")
def strings(data):
    """Each string of the list once."""
    return list(dict.fromkeys(parse_json(data("blns.json").read_bytes())))


def test_all_have_fingerprints_of_their_own(strings):
    made = Counter(fingerprint({"v": text}, "v") for text in strings)
    assert len(strings) > 500
    assert len(made) == len(strings)


def test_all_are_distinct_as_names_of_members(strings):
    made = Counter(fingerprint({"v": {text: 1}}, "v") for text in strings)
    assert len(made) == len(strings)


def test_all_come_back_from_their_bytes(strings):
    for text in strings:
        assert json.loads(canonical_bytes(text)) == text


def test_all_can_be_the_literal_of_a_condition_and_are_read_back(strings):
    for text in strings:
        declared = field("v").equals(text)
        assert parse_field(str(declared)) == declared
        assert fingerprint({"v": text}, str(declared)) == fingerprint({"v": text}, declared)


def test_all_can_be_the_name_of_a_field_and_are_read_back(strings):
    for text in strings:
        token = text.replace("~", "~0").replace("/", "~1")
        declared = field(json.dumps(f"/{token}"))
        assert parse_field(str(declared)) == declared
        assert fingerprint({text: 1}, declared) == fingerprint({text: 1}, str(declared))
