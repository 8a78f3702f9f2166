"""Texts that declare secret fields: a message about one repeats nothing of it."""

from __future__ import annotations

import pytest

from lastlook.core.refs import parse_e_option
from lastlook.errors import DeclarationError
from lastlook.planning.recipes import fill_field

WORD = "hunter2"


@pytest.mark.parametrize(
    "text",
    [
        "a.json#pw == 'hunter2' (secret",
        "a.json#pw == 'hunter2 (secret)",
        "pw == 'hunter2' (secret)",
        "a.json#pw == hunter2 (secret)",
    ],
)
def test_what_e_was_given_is_not_repeated_where_a_field_may_be_secret(text: str) -> None:
    with pytest.raises(DeclarationError) as refused:
        parse_e_option(text, ())
    assert WORD not in str(refused.value)


def test_what_e_was_given_is_repeated_elsewhere() -> None:
    with pytest.raises(DeclarationError, match=r"'a\.json#' names no field.*'a\.json#status'"):
        parse_e_option("a.json#", ())


def test_a_hole_in_the_quotes_of_a_secret_literal_is_named_without_what_stands_beside() -> None:
    given = {"name": "kim"}
    with pytest.raises(DeclarationError, match="stands in quotes") as refused:
        fill_field("pw == 'hunter2 {name}' (secret)", given)
    assert WORD not in str(refused.value)
    with pytest.raises(DeclarationError, match=WORD):
        fill_field("pw == 'hunter2 {name}'", given)
