from __future__ import annotations

import pytest

from lastlook.core.scan import Unbalanced, balanced, outside, split_outside


def _seen(text: str) -> str:
    return "".join(text[at] for at in outside(text))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a, b", "a, b"),
        ('a "x, y" b', 'a " b'),
        ("a 'x, y' b", "a ' b"),
        ("a [x, (y)] b", "a [ b"),
        (r'a "x\" y" b', 'a " b'),
        ("a [']'] b", "a [ b"),
        ("", ""),
    ],
)
def test_only_what_stands_outside_of_quotes_and_brackets_is_seen(text, seen):
    assert _seen(text) == seen


@pytest.mark.parametrize(
    ("text", "at"), [("a [b", 2), ("a ]b", 2), ("a (b]", 4), ("it's", 2), ('"a\\"', 0), ("[(", 1)]
)
def test_a_quote_or_bracket_without_its_partner_is_named_by_its_place(text, at):
    with pytest.raises(Unbalanced) as caught:
        _seen(text)
    assert caught.value.at == at
    assert not balanced(text)


def test_a_split_leaves_what_stands_in_brackets_and_quotes_whole():
    assert split_outside("a,b[1,2],'c,d',e", ",") == ["a", "b[1,2]", "'c,d'", "e"]
    assert split_outside("", ",") == [""]
    assert balanced("a[1]")
