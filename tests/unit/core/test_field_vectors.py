"""The vectors of the text form, for this reader and for any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lastlook.core.canonical import encode
from lastlook.core.fields import parse_field
from lastlook.errors import FieldSyntaxError

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "field-text.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", VECTORS["fields"], ids=lambda case: case["text"])
def test_a_text_stands_for_the_field_of_its_vector(case):
    made = parse_field(case["text"])
    assert made.selector == case["selector"]
    assert encode(made.rule) == encode(case["rule"])
    assert (made.is_optional, made.is_secret) == (case["optional"], case["secret"])
    assert str(made) == case["printed"]
    assert parse_field(case["printed"]) == made


@pytest.mark.parametrize("text", VECTORS["refused"])
def test_a_text_that_is_no_field_is_refused(text):
    with pytest.raises(FieldSyntaxError):
        parse_field(text)
