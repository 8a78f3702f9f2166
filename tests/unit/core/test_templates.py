from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from uuid import UUID

import pytest

from lastlook.core.templates import Template
from lastlook.errors import NotDeclared, TemplateError


class Tier(StrEnum):
    GOLD = "gold"


GIVEN = {"slot_id": "slot-42", "n": 2, "list": [1, 2], "thing": {"a": 1}, "raw": b"x"}
READ = {
    "head": {"/sha": "abc", "/tree": {"n": [1, {"x y": 5}]}, "/tree/id": "t1"},
    "all": {"$": {"deep": {"er": "found"}}},
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("", ""),
        ("{slot_id}", "slot-42"),
        ("{n}", 2),
        ("{list}", [1, 2]),
        ("{thing}", {"a": 1}),
        ("Book {slot_id} for {n}", "Book slot-42 for 2"),
        ("{n}{n}", "22"),
        ("{head.sha}", "abc"),
        ("{head.tree.n}", [1, {"x y": 5}]),
        ("{head.tree.n.0}", 1),
        ("{head.tree.id}", "t1"),
        ("{all.deep.er}", "found"),
        ("{{n}}", "{n}"),
        ("{{{n}}}", "{2}"),
        ("{{", "{"),
        ("{{}}", "{}"),
        ("}}", "}}"),
        ("{}", "{}"),
        ("{ n }", "{ n }"),
        ("{0} {a-b} {a b}", "{0} {a-b} {a b}"),
        ('{"a": {"b": {n}}}', '{"a": {"b": 2}}'),
        ('{{"a": {"b": 1}}}', '{"a": {"b": 1}}'),
        ("awk '{{print $1}}'", "awk '{print $1}'"),
        ("line\n{n}\n", "line\n2\n"),
    ],
)
def test_a_template_is_filled_with_values_of_their_type(text, value):
    assert Template(text).fill(GIVEN, READ) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is {n}", "as it is {n}"),
        (True, "true"),
        (None, "null"),
        (-3, "-3"),
        (20.0, "20"),
        (0.1, "0.1"),
        (1e-7, "0.0000001"),
        (1e21, "1000000000000000000000"),
        (10**30 + 1, "1000000000000000000000000000001"),
        (Decimal("2577.50"), "2577.5"),
        (Decimal("0.10000000000000000001"), "0.10000000000000000001"),
        (Tier.GOLD, "gold"),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, tzinfo=UTC), "2026-01-02T03:00:00Z"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
)
def test_a_value_in_a_text_is_written_plainly(value, text):
    assert Template("{v}").text({"v": value}) == text
    assert Template("<{v}>").fill({"v": value}) == f"<{text}>"


@pytest.mark.parametrize(
    "value",
    [
        [1],
        (),
        {},
        {"a": 1},
        {"$a": 1},
        MappingProxyType({}),
        b"x",
        float("nan"),
        object(),
        "\ud800",
    ],
)
def test_a_value_without_plain_text_is_refused_in_a_text(value):
    with pytest.raises(TemplateError):
        Template("{v}").text({"v": value})
    with pytest.raises(TemplateError):
        Template("<{v}>").fill({"v": value})


def test_the_names_in_the_holes_are_told_once_each():
    template = Template("{n} {head.sha} {{not}} {n}")
    assert template.names() == ("n", "head.sha")
    assert Template("none").names() == ()
    assert repr(template) == "Template('{n} {head.sha} {{not}} {n}')"


@pytest.mark.parametrize(
    "text", ["{nope}", "{head}", "{nope.sha}", "{head.nope}", "{head.tree.n.7}", "{n.x}"]
)
def test_a_hole_that_names_nothing_is_refused_with_what_there_is(text):
    with pytest.raises(TemplateError) as caught:
        Template(text).fill(GIVEN, READ)
    assert "{slot_id}, {n}" in caught.value.fix
    assert "{head.sha}, {head.tree}, {head.tree.id}" in caught.value.fix


def test_where_there_is_nothing_the_error_says_so():
    with pytest.raises(TemplateError, match="There is none"):
        Template("{nope}").fill({})


def test_a_filled_value_opens_no_hole():
    assert Template("{a} {b}").fill({"a": "{b}", "b": "{{a}}"}) == "{b} {{a}}"


def test_evidence_that_refuses_a_name_is_heard():
    class Secretive(dict):
        def __getitem__(self, name):
            raise NotDeclared(f"{name} is secret")

    with pytest.raises(NotDeclared):
        Template("{head.pin}").fill({}, {"head": Secretive({"/pin": 1})})
