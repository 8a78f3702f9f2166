"""Foreign text: whatever it holds, two texts never render alike."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from lastlook.core.canonical import to_wire
from lastlook.core.visible import reveal, show, visible
from tests.properties.values import VALUES

ODD = st.sampled_from(
    "\u200b\u202e\u2066\ufeff\u00ad\u0301\u0308\u034f\ufe0f\U000e0041\ud800\udfff\ue000\u0378"
    "\u00a0\u3000\u2028\u3164\u1112\u1161\u11ab\u212b\x00\x1b\x7f\x9b\\u{}09AF\"'aeéё "
)
GAPS = st.integers(7, 11).map(lambda count: " " * count) | st.just("\\u{20x9}")
HOSTILE = st.lists(ODD | st.characters() | GAPS, max_size=12).map("".join)


@given(HOSTILE)
def test_a_visible_text_gives_back_the_text(text):
    assert reveal(visible(text)) == text


@given(HOSTILE)
def test_nothing_in_a_visible_text_is_hidden(text):
    for char in visible(text):
        assert char.isprintable()
        assert unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        assert char == " " or unicodedata.category(char) != "Zs"
    assert " " * 9 not in visible(text)


@given(HOSTILE, HOSTILE)
def test_two_texts_never_render_alike(one, other):
    assert (visible(one) == visible(other)) == (one == other)
    assert (show(one) == show(other)) == (one == other)
    canonical = [unicodedata.normalize("NFC", visible(each)) for each in (one, other)]
    assert (canonical[0] == canonical[1]) == (one == other)


@given(HOSTILE)
def test_the_spelling_of_a_text_is_one_quoted_line(text):
    shown = show(text)
    assert shown[0] == shown[-1] == '"'
    inner = shown[1:-1].replace("\\\\", "").replace('\\"', "")
    assert '"' not in inner
    assert shown.isprintable()


@given(VALUES, VALUES)
def test_two_values_never_have_one_spelling(one, other):
    one, other = to_wire(one), to_wire(other)
    assert (show(one) == show(other)) == (show_typed(one) == show_typed(other))


def show_typed(wire):
    if isinstance(wire, dict):
        return "{" + ",".join(f"{k!r}:{show_typed(v)}" for k, v in wire.items()) + "}"
    if isinstance(wire, list):
        return "[" + ",".join(map(show_typed, wire)) + "]"
    return repr(wire)


@given(VALUES, st.integers(0, 60))
def test_a_cut_spelling_is_no_longer_than_asked(value, width):
    shown = show(to_wire(value), width)
    assert len(shown) <= max(width, 3)
