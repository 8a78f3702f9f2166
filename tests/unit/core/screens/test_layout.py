from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.core import screens
from lastlook.core.screens.layout import (
    WIDTH,
    Line,
    Screen,
    Span,
    between,
    columns,
    flow,
    label_column,
    laid_out,
    pieces,
    prose,
    row,
    text_of,
    values,
)

TEXTS = st.text(st.sampled_from("ab é漢\u0301-"), max_size=200)


def shown(lines: list[Line]) -> list[str]:
    return [text_of(line) for line in lines]


def test_wide_characters_take_two_columns_and_marks_take_none() -> None:
    assert columns("abc") == 3
    assert columns("漢字") == 4
    assert columns("e\u0301") == 1
    assert columns("é") == 1


@given(TEXTS, st.sampled_from([0, 4, 20]))
def test_values_are_broken_only_where_the_line_is_full_and_lose_nothing(
    text: str, indent: int
) -> None:
    lines = shown(values(Span(text), indent=indent))
    assert all(line.startswith(" " * indent) for line in lines if line)
    assert "".join(line[indent:] for line in lines) == text
    assert all(WIDTH - 1 <= columns(line) <= WIDTH for line in lines[:-1])
    assert columns(lines[-1]) <= WIDTH


@given(TEXTS, st.sampled_from([0, 4]))
def test_a_sentence_can_be_put_together_again_from_its_lines(text: str, indent: int) -> None:
    lines = shown(prose(text, indent=indent))
    assert all(columns(line) <= WIDTH for line in lines)
    whole = ""
    for number, line in enumerate(lines):
        deep = indent + (2 if number else 0)
        full = number + 1 < len(lines) and columns(line) >= WIDTH - 1
        whole += line[deep:] + ("" if full or number + 1 == len(lines) else " ")
    assert whole == text


def test_two_sentences_that_differ_in_one_break_do_not_look_alike() -> None:
    long = "a" * WIDTH
    assert shown(prose(f"{long}bbb")) != shown(prose(f"{long} bbb"))


def test_a_value_of_several_styles_is_broken_as_one() -> None:
    lines = values(Span("a" * 75), Span("b" * 10, "bad"), indent=0)
    assert lines == [(Span("a" * 75), Span("b" * 5, "bad")), (Span("b" * 5, "bad"),)]


def test_a_span_that_begins_at_the_edge_goes_to_the_next_line() -> None:
    lines = values(Span("a" * 80), Span("b"), indent=0)
    assert shown(lines) == ["a" * 80, "b"]


def test_a_label_stands_before_the_first_line_of_its_value() -> None:
    assert shown(row("to", values(Span("x"), indent=9), indent=2, column=9)) == ["  to     x"]


def test_a_label_that_reaches_its_column_stands_on_a_line_of_its_own() -> None:
    lines = shown(row("a" * 90, values(Span("x"), indent=9), indent=2, column=9))
    assert lines == ["  " + "a" * 78, "  " + "a" * 12, "         x"]
    assert shown(row("alone", [], indent=2, column=9)) == ["  alone"]


def test_a_name_that_no_part_of_the_screens_holds_is_an_attribute_error() -> None:
    assert screens.Screen is Screen
    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        _ = screens.nope


def test_what_stands_on_the_right_ends_at_one_edge() -> None:
    (line,) = between([Span("left")], "right")
    assert text_of(line) == "left" + " " * 65 + "right"
    lines = between([Span("l" * 90)], "right")
    assert shown(lines) == ["l" * 80, "  " + "l" * 10, " " * 69 + "right"]
    lines = between([Span("left")], "r" * 100)
    assert shown(lines) == ["left", "  " + "r" * 78, "  " + "r" * 22]


def test_a_sentence_of_several_styles_is_broken_as_one() -> None:
    lines = flow(Span("a" * 40, "head"), Span(" b" * 30))
    assert lines[0][0] == Span("a" * 40, "head")
    assert shown(lines) == shown(prose("a" * 40 + " b" * 30))


@pytest.mark.parametrize(("asked", "width"), [(200, 80), (80, 80), (60, 60), (40, 40), (10, 40)])
def test_a_screen_is_laid_out_for_the_columns_there_are(asked: int, width: int) -> None:
    text = "word " * 40 + "x" * 200
    screen = laid_out(asked, lambda: [*prose(text), *values(Span(text), indent=4)])
    assert max(columns(line) for line in shown(list(screen.lines))) == width
    assert shown(prose("a" * 81))[0] == "a" * 80  # outside of it there are 80 again


@given(TEXTS, st.integers(1, 60))
def test_pieces_lose_nothing_but_the_spaces_they_are_broken_at(text: str, most: int) -> None:
    parts = pieces(text, max(most, 2))
    assert all(columns(part) <= max(most, 2) for part in parts)
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")


def test_a_column_makes_room_for_most_labels_and_not_for_the_longest() -> None:
    assert label_column(["a", "bbb"], indent=4, least=6, most=20, gap=1) == 8
    assert label_column(["a", "b" * 30], indent=4, least=6, most=20, gap=1) == 6
    assert label_column([], indent=4, least=6, most=20, gap=1) == 6


def test_a_screen_is_text_lines_without_a_newline_at_the_end() -> None:
    screen = Screen(((Span("a"), Span("b", "bad")), (), (Span("c"),)))
    assert screen.plain() == "ab\n\nc"


@pytest.mark.parametrize("text", ["a" * 81, "漢" * 41])
def test_a_word_longer_than_a_line_is_broken_where_the_line_is_full(text: str) -> None:
    first, rest = shown(prose(text))
    assert columns(first) == WIDTH
    assert re.fullmatch(r"  \S", rest)
