"""Errors: their text shows all that it holds, their attributes hold it as it is."""

from __future__ import annotations

import pytest

from lastlook.errors import LastlookError, NotDeclared, NotRun


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, Zoë, 東京", "plain, Zoë, 東京"),
        ("\x1b[2J", "\\x1b[2J"),
        ("two\nlines\t", "two\\nlines\\t"),
        ("\u202eevil\u200b", "\\u202eevil\\u200b"),
        ("\udcff\ud800", "\\udcff\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
@pytest.mark.parametrize("kind", [LastlookError, NotDeclared])
def test_the_text_of_an_error_steers_no_terminal(
    kind: type[LastlookError], text: str, shown: str
) -> None:
    error = kind(text, where=text, fix=text)
    assert str(error) == f"{shown} (at {shown}). {shown}"
    assert str(error).isprintable()
    assert (error.what, error.where, error.fix) == (text, text, text)


def test_an_outcome_that_was_not_executed_is_told_line_by_line() -> None:
    assert str(NotRun("NOT RUN  Book it\nNothing was done.", outcome=None)).count("\n") == 1
