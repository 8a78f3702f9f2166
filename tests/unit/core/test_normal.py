from __future__ import annotations

import pytest

from lastlook.core import normal
from lastlook.errors import NotCanonical


def test_form_c_reaches_texts_and_names_at_every_depth():
    wire = {"Zoe\u0308": ["e\u0301", 1, None, {"n": "\u212b"}]}
    assert normal.nfc(wire) == {"Zo\u00eb": ["\u00e9", 1, None, {"n": "\u00c5"}]}


def test_form_c_is_not_form_kc():
    assert normal.nfc("\u00bd") == "\u00bd"


def test_two_names_that_become_one_are_refused_with_their_place():
    with pytest.raises(NotCanonical) as caught:
        normal.nfc({"e\u0301": 1, "\u00e9": 2}, where="/a")
    assert caught.value.where == "/a"


@pytest.mark.parametrize(
    ("wire", "moment"),
    [
        ("2026-10-23T12:00:00+02:00", {"$datetime": "2026-10-23T10:00:00Z"}),
        ("2026-10-23T10:00:00.1234567890Z", {"$datetime": "2026-10-23T10:00:00.123456789Z"}),
        ({"$datetime": "2026-10-23T10:00:00Z"}, {"$datetime": "2026-10-23T10:00:00Z"}),
        ("2026-10-23 10:00:00Z", None),
        ("2026-10-23T10:00:00", None),
        ("2016-12-31T23:59:60Z", None),
        (1, None),
        ({"$date": "2026-10-23"}, None),
    ],
)
def test_only_a_full_rfc_3339_time_is_a_moment(wire, moment):
    assert normal.moment(wire) == moment


def test_an_unordered_list_is_sorted_by_bytes_and_keeps_repeats():
    assert normal.unordered([2, "a", 10, 2, None]) == ["a", 10, 2, 2, None]
