from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import pytest

from lastlook.core.facts import Facts
from lastlook.core.fields import Field, as_fields, field, parse_field
from lastlook.errors import FieldSyntaxError, NoFields, NotCanonical


class Slot(Facts):
    status: str
    seats: int


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (field("a"), "a"),
        (field("a").equals("x"), 'a == "x"'),
        (field("a").equals(None), "a == null"),
        (field("a").equals({"b": (1, 2)}), 'a == {"b": [1, 2]}'),
        (field("a").at_least(2), "a >= 2"),
        (field("a").at_most(Decimal("2.50")), "a <= 2.5"),
        (field("a").one_of("y", "x", "y"), 'a in ["x", "y"]'),
        (field("a").one_of([1], [2]), "a in [[1], [2]]"),
        (field("a").within(5), "a within 5"),
        (field("a").within(percent=5), "a within 5%"),
        (field("a").optional, "a (optional)"),
        (field("a").secret, "a (secret)"),
        (field("a").unordered, "a (unordered)"),
        (field("a").instant, "a (instant)"),
        (field("a").strict, "a (strict)"),
        (field("a").nfc, "a (nfc)"),
        (field("a").absent_is_null, "a (absent_is_null)"),
        (field("a").nfc.nfc.optional.optional, "a (optional, nfc)"),
        (field("a").strict.equals(20.0), 'a == {"$float": 20} (strict)'),
        (field("a").equals([2, 1]).unordered, "a == [1, 2] (unordered)"),
        (field("a").equals("e\u0301").nfc, 'a == "\u00e9" (nfc)'),
        (field("a").instant.equals(datetime(2026, 1, 1, tzinfo=UTC)),
         'a == {"$datetime": "2026-01-01T00:00:00Z"} (instant)'),
        (field("a").equals("2026-01-01T01:00:00+01:00").instant,
         'a == {"$datetime": "2026-01-01T00:00:00Z"} (instant)'),
    ],
)  # fmt: skip
def test_calls_and_text_make_the_same_field(made, text):
    assert str(made) == text
    assert parse_field(text) == made
    assert hash(parse_field(text)) == hash(made)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (field("a").equals(1), field("a").equals(True)),
        (field("a").equals(0), field("a").equals(False)),
        (field("a").equals([1]), field("a").equals([True])),
        (field("a").strict.equals(1), field("a").strict.equals(1.0)),
        (field("a"), field("a").optional),
        (field("a"), field("a").secret),
        (field("a"), field("b")),
        (field("a"), field("a").equals(None)),
        (field("a"), "a"),
    ],
)
def test_fields_that_mean_different_things_are_not_equal(one, other):
    assert one != other
    assert len({one, other}) == 2


def test_numbers_of_one_value_make_one_field():
    assert len({field("a").equals(n) for n in (20, 20.0, Decimal("20.00"))}) == 1


def test_a_chain_leaves_the_field_it_began_with_as_it_was():
    plain = field("a")
    _ = plain.equals(1).optional
    assert plain == field("a")
    assert plain.is_plain


def test_what_a_field_is_can_be_asked():
    assert field("a").is_plain
    assert field("a").optional.is_plain
    assert not field("a").secret.is_plain
    assert not field("a").nfc.is_plain
    assert field("$.a[*]").is_wildcard
    assert not field("$.a[0]").is_wildcard
    assert field("a").nfc.equals("x").comparison == "equals"
    assert field("a").nfc.comparison == ""


def test_the_literal_of_a_secret_field_is_not_shown():
    pin = field("pin").equals("1234").secret
    assert repr(pin) == "Field('pin == *** (secret)')"
    assert pin.shown == "pin == *** (secret)"
    assert str(pin) == 'pin == "1234" (secret)'
    assert field("pin").secret.shown == "pin (secret)"
    assert repr(field("pin").equals("1234")) == "Field('pin == \"1234\"')"


@pytest.mark.parametrize(
    "make",
    [
        lambda: field("a").equals(1).at_least(2),
        lambda: field("a").one_of(),
        lambda: field("a").one_of(["x", "y"]),
        lambda: field("a").one_of({"x", "y"}),
        lambda: field("a").within(),
        lambda: field("a").within(1, percent=1),
        lambda: field("a").within(-1),
        lambda: field("a").within(percent=-1),
        lambda: field("a").at_least("2"),
        lambda: field("a").at_least(True),
        lambda: field("a").at_least(2).nfc,
        lambda: field("a").nfc.at_least(2),
        lambda: field("a").within(1).secret,
        lambda: field("a").secret.within(1),
        lambda: field("a").equals(20.0).strict,
        lambda: field("a").equals(5).instant,
        lambda: field("a").equals(5).unordered,
        lambda: field("a").instant.nfc,
        lambda: field("$.a[*]").absent_is_null,
        lambda: field("a = b"),
        lambda: field("a (optional)"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(make):
    with pytest.raises(FieldSyntaxError):
        make()


@pytest.mark.parametrize("value", [float("nan"), datetime(2026, 1, 1), object(), {1: 2}])
def test_an_operand_without_a_canonical_form_is_refused(value):
    with pytest.raises(NotCanonical):
        field("a").equals(value)


def test_a_field_is_stored_under_short_names_and_read_back():
    made = field("a").nfc.equals("x").optional.secret
    stored = msgspec.json.encode(made)
    assert msgspec.json.decode(stored) == {
        "selector": "/a", "rule": {"nfc": True, "equals": "x"}, "optional": True, "secret": True,
    }  # fmt: skip
    assert msgspec.json.decode(stored, type=Field) == made
    assert msgspec.json.encode(field("a")) == b'{"selector":"/a"}'


@pytest.mark.parametrize(
    "stored",
    [
        b'{"selector":"a"}',
        b'{"selector":"$"}',
        b'{"selector":"/a","rule":{"above":1}}',
        b'{"selector":"/a","rule":{"nfc":false}}',
        b'{"selector":"/a","rule":{"nfc":1}}',
        b'{"selector":"/a","rule":{"equals":1,"at_least":1}}',
        b'{"selector":"/a","rule":{"at_least":"1"}}',
        b'{"selector":"/a","rule":{"at_least":1,"nfc":true}}',
        b'{"selector":"/a","rule":{"equals":{"$int":"5"}}}',
        b'{"selector":"/a","rule":{"one_of":[2,1]}}',
        b'{"selector":"/a","rule":{"one_of":[1,1]}}',
        b'{"selector":"/a","rule":{"one_of":[]}}',
        b'{"selector":"/a","rule":{"within":{"percent":-1}}}',
        b'{"selector":"/a","rule":{"within":{"percent":1,"x":1}}}',
        b'{"selector":"/a","rule":{"within":1},"secret":true}',
        b'{"selector":"/a","rule":{"equals":[2,1],"unordered":true}}',
        b'{"selector":"/a","rule":{"equals":"2026-01-01T00:00:00Z","instant":true}}',
        b'{"selector":"/a","rule":{},"colour":"red"}',
    ],
)
def test_a_stored_field_that_was_never_made_is_refused(stored):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(stored, type=Field)


def test_a_declaration_in_any_spelling_gives_sorted_fields():
    assert as_fields("b") == (field("b"),)
    assert as_fields(field("b")) == (field("b"),)
    assert as_fields(Slot) == (field("seats"), field("status"))
    mixed = as_fields(["z == 1", field("/a/b"), Slot, ("c", "B")])
    assert [item.selector for item in mixed] == ["/B", "/a/b", "/c", "/seats", "/status", "/z"]


def test_fields_are_sorted_as_utf_8_sorts():
    names = ["\U0001f600", "\ufffd", "z"]
    assert [item.selector for item in as_fields(names)] == ["/z", "/\ufffd", "/\U0001f600"]


@pytest.mark.parametrize(
    "spec", [["a", "a"], ["a", "a == 1"], ["a", "/a"], [Slot, "seats"], ["$", field("$").optional]]
)
def test_one_selector_twice_is_refused(spec):
    with pytest.raises(FieldSyntaxError, match="declared twice"):
        as_fields(spec)


def test_one_place_under_two_selectors_is_two_fields():
    assert len(as_fields(["/a", "$.a"])) == 2


@pytest.mark.parametrize("spec", [[], (), {}, set(), iter(())])
def test_no_field_is_refused(spec):
    with pytest.raises(NoFields):
        as_fields(spec)


@pytest.mark.parametrize("spec", [None, 5, ["a", 5], [None]])
def test_what_declares_no_field_is_refused(spec):
    with pytest.raises(FieldSyntaxError):
        as_fields(spec)


def test_fields_that_are_equal_are_not_different():
    one, two = field("price").at_least(1), field("price").at_least(1)
    assert one == two
    assert not one != two  # noqa: SIM202  # both operators are asked
    assert one != field("price").at_least(2)
    assert one != field("price")
    assert one != "price >= 1"
