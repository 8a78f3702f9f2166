from __future__ import annotations

import pytest

from lastlook.core.visible import (
    looks_alike,
    reveal,
    says_something,
    show,
    show_cell,
    unhidden,
    visible,
)

SHOWN = [
    ("plain text, 1/2 {}", "plain text, 1/2 {}"),
    ("Zoë, 東京, Привет, हिन्दी", "Zoë, 東京, Привет, हिन्दी"),
    ("a\x00b\x1b[31m\x7f\x9b", "a\\u{00}b\\u{1B}[31m\\u{7F}\\u{9B}"),
    ("line\r\nfeed\t", "line\\u{0D}\\u{0A}feed\\u{09}"),
    ("\u202eevil\u2066", "\\u{202E}evil\\u{2066}"),
    ("ze\u200bro\u2060\ufeff", "ze\\u{200B}ro\\u{2060}\\u{FEFF}"),
    ("tag\U000e0041", "tag\\u{E0041}"),
    ("v\ufe0fv\U000e0100\u180b", "v\\u{FE0F}v\\u{E0100}\\u{180B}"),
    ("\ud800", "\\u{D800}"),
    ("\ue000\U000f0000\U0010ffff", "\\u{E000}\\u{F0000}\\u{10FFFF}"),
    ("\u0378\u2fe0", "\\u{378}\\u{2FE0}"),
    ("a\u00a0b\u2003c\u3000d\u2028e", "a\\u{A0}b\\u{2003}c\\u{3000}d\\u{2028}e"),
    ("\u034f\u115f\u3164\uffa0\u2800\u17b4", "\\u{34F}\\u{115F}\\u{3164}\\u{FFA0}\\u{2800}\\u{17B4}"),
    ("soft\u00adhyphen", "soft\\u{AD}hyphen"),
    ("Zoe\u0308", "Zoe\\u{308}"),
    ("\u0301x", "\\u{301}x"),
    (" \u0301x", " \\u{301}x"),
    ("x\u0332\u0333", "x\u0332\u0333"),
    ("\u212b\u2126", "\\u{212B}\\u{2126}"),
    ("\u1112\u1161\u11ab", "\u1112\\u{1161}\\u{11AB}"),
    ("e\u0301 \\u{41}", "e\\u{301} \\u{5C}u{41}"),
    ("\\", "\\"),
    ("C:\\temp\\new", "C:\\temp\\new"),
    ("\\u{41}", "\\u{5C}u{41}"),
    ("\\\\u{41}", "\\\\u{5C}u{41}"),
    ("\\\u200b", "\\\\u{200B}"),
    ("\\users", "\\u{5C}users"),
    ("a" + 8 * " " + "b", "a        b"),
    ("a" + 9 * " " + "b", "a\\u{20x9}b"),
    (70 * " " + "é", "\\u{20x70}é"),
    (9 * " " + "\t" + 9 * " ", "\\u{20x9}\\u{09}\\u{20x9}"),
    ("\\u{20x9}", "\\u{5C}u{20x9}"),
    ("\\u{20x9}" + 9 * " ", "\\u{5C}u{20x9}\\u{20x9}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), SHOWN, ids=ascii)
def test_every_character_can_be_seen(text, shown):
    assert visible(text) == shown
    assert reveal(shown) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain \\u{1B} 'x'", "plain \\u{1B} 'x'"),
        ("a\x1b[2J \\u{1B}", "a\\u{1B}[2J \\u{1B}"),
        ("Zoe\u0308 \u200b\u2800", "Zoe\u0308 \\u{200B}\\u{2800}"),
    ],
)
def test_what_is_written_out_already_is_not_written_out_again(text, shown):
    assert unhidden(text) == shown


@pytest.mark.parametrize("text", ["why", "7", "理由", " é ", "(x)"])
def test_a_letter_or_a_digit_says_something(text):
    assert says_something(text)


@pytest.mark.parametrize(
    "text", ["", " ", "\u200b", "\u2800", "\u3164", "\u115f\uffa0", "...", "🚀", "\u0301", "\ue000"]
)
def test_what_shows_nothing_or_only_signs_says_nothing(text):
    assert not says_something(text)


ALIKE = [
    ("Zo\u00eb", "Zoe\u0308"),
    ("kim@x.example", "kim\u200b@x.example"),
    ("a b", "a\u00a0b"),
    ("paypal", "p\u0430ypal"),
    ("AB-1", "\u0391\u0412\u20111"),
    ("K", "\u212a"),
    ("x", "x\ufe0f"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ascii)
def test_texts_that_print_alike_are_known(one, other):
    assert looks_alike(one, other)
    assert looks_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("a", "a"), ("a", "b"), ("x2", "x\u00b2"), ("null", ""), ("a", "A")]
)
def test_texts_that_print_differently_or_are_one_do_not_look_alike(one, other):
    assert not looks_alike(one, other)


SPELLED = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (20, "20"),
    (0.5, "0.5"),
    (1e21, "1e+21"),
    ("", '""'),
    (" a ", '" a "'),
    ('say "hi"\\', '"say \\"hi\\"\\\\"'),
    ("\\u{41}", '"\\\\u{41}"'),
    ("a\n\u200b", '"a\\u{0A}\\u{200B}"'),
    ([], "[]"),
    ([1, ("a", None)], '[1, ["a", null]]'),
    ({}, "{}"),
    ({"name": "Jigsaw", "price": 48.51}, '{"name": "Jigsaw", "price": 48.51}'),
    ({"$$int": "5"}, '{"$int": "5"}'),
    ({"$int": "9007199254740993"}, "9007199254740993"),
    ({"$decimal": "0.10000000000000000001"}, "0.10000000000000000001"),
    ({"$datetime": "2026-10-23T10:00:00Z"}, "2026-10-23T10:00:00Z"),
    ({"$date": "2026-10-23"}, "2026-10-23"),
    ({"$float": 20}, "20.0"),
    ({"$float": 1e300}, "1e+300"),
    ({"$float": {"$int": "9007199254740993"}}, "9007199254740993.0"),
    ({"$bytes": "AAH/"}, "bytes(AAH/)"),
    ({"$uuid": "00000000-0000-0000-0000-000000000001"}, "uuid(00000000-0000-0000-0000-000000000001)"),
    ({"$result": [1, "/id"]}, 'result(1, "/id")'),
]  # fmt: skip


@pytest.mark.parametrize(("wire", "text"), SPELLED, ids=repr)
def test_a_value_has_a_literal_spelling(wire, text):
    assert show(wire) == text


@pytest.mark.parametrize(
    ("wire", "width", "text"),
    [("abcdefgh", 10, '"abcdefgh"'), ("abcdefghi", 10, '"abcdef...'), ("abcdefghi", 2, "..."),
     ("abcde\u200bxyz", 12, '"abcde...'), ("abcde\\\\xyz", 10, '"abcde...'), (12345, None, "12345"),
     ("a" + 12 * " ", 10, '"a...'), ("a" + 12 * " ", 12, '"a\\u{20x12}"')],
)  # fmt: skip
def test_a_long_spelling_is_cut_between_characters(wire, width, text):
    assert show(wire, width) == text


@pytest.mark.parametrize(
    ("cell", "text"),
    [(("absent",), "(not there)"), (("value", None), "null"), (("value", ""), '""'),
     (["value", "(not there)"], '"(not there)"'), (("secret", "00ff"), "(secret)")],
)  # fmt: skip
def test_absent_null_empty_and_secret_are_shown_differently(cell, text):
    assert show_cell(cell) == text
    assert show_cell(("value", "abcdefghi"), 8) == '"abcd...'
