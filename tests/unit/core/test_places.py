"""Places, spelled so that a declaration takes them."""

from __future__ import annotations

import pytest

from lastlook.core.fields import field
from lastlook.core.places import last_name, pattern, spelled


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), "$"),
        (("price",), "price"),
        (("a = b",), '"a = b"'),
        (("owner", "name"), "/owner/name"),
        (("a/b",), "/a~1b"),
        (("lines", 3), "$.lines[*]"),
        (("lines", 3, "price"), "$.lines[*].price"),
        (("lines", 0, "unit price", 1), '$.lines[*]["unit price"][*]'),
        (("é", 0, 'say "x"'), '$["\\u00e9"][*]["say \\"x\\""]'),
    ],
)
def test_a_place_is_spelled_as_a_field_and_reads_back(
    path: tuple[str | int, ...], text: str
) -> None:
    assert spelled(pattern(path)) == text
    assert field(text).is_wildcard == ("[*]" in text)


@pytest.mark.parametrize(
    ("selector", "name"),
    [("", ""), ("/price", "price"), ("/owner/name", "name"), ("$.lines[0]", "lines")],
)
def test_the_last_name_is_what_a_selector_is_of(selector: str, name: str) -> None:
    assert last_name(selector) == name
