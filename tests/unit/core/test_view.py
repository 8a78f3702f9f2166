"""Views: what was declared is there by its name, and nothing else is."""

from __future__ import annotations

import pytest

from lastlook import capture, field
from lastlook.core.view import View
from lastlook.errors import NotDeclared

RECORD = {"status": "free", "price": 80, "note": None, "owner": {"name": "kim"}, "tags": ["a"]}


def view(*fields: object, ref: str = "slots:slot-42", record: object = RECORD) -> View:
    return capture(record, list(fields), ref=ref).view


def test_a_declared_field_is_given_by_the_name_it_was_declared_with() -> None:
    seen = view("status", "/owner/name", "price >= 1")
    assert (seen["status"], seen["/owner/name"], seen["price"]) == ("free", "kim", 80)
    assert "status" in seen


def test_null_is_a_value_and_absent_is_none() -> None:
    seen = view("note", field("discount").optional)
    assert seen["note"] is None
    assert "note" in seen
    assert "discount" not in seen
    with pytest.raises(NotDeclared, match="discount is declared, but slots:slot-42 has none"):
        seen["discount"]


def test_a_field_that_was_not_declared_names_the_call_to_change() -> None:
    with pytest.raises(NotDeclared) as caught:
        view("status")["price"]
    assert caught.value.what == "price was not declared for slots:slot-42"
    assert caught.value.fix == "Declare it where the record is read: ..., 'price')."
    with pytest.raises(NotDeclared, match="price was not declared for this evidence"):
        view("status", ref="")["price"]


def test_what_is_no_declared_text_is_not_in_it() -> None:
    seen = view("status")
    assert "price" not in seen
    assert 7 not in seen


def test_it_is_a_mapping_of_the_fields_that_have_a_value() -> None:
    seen = view("status", "price", field("discount").optional)
    assert sorted(seen) == ["/price", "/status"]
    assert len(seen) == 2
    assert dict(seen) == {"/price": 80, "/status": "free"}


def test_what_it_gives_cannot_be_changed() -> None:
    seen = view("owner", "tags")
    with pytest.raises(TypeError):
        seen["owner"]["name"] = "lee"
    assert seen["tags"] == ("a",)


def test_a_wildcard_gives_the_tuple_of_its_matches() -> None:
    seen = view("$.lines[*].price", record={"lines": [{"price": 3}, {"price": 4}]})
    assert seen["$.lines[*].price"] == (3, 4)


def test_a_secret_is_not_given_nor_is_it_in_the_repr() -> None:
    salts = {"slots:slot-42#/status": bytes(32)}
    seen = capture(RECORD, [field("status").secret], ref="slots:slot-42", salts=salts).view
    with pytest.raises(NotDeclared, match="status is secret: its value is not kept"):
        seen["status"]
    assert "status" not in seen
    assert len(seen) == 0
    assert repr(seen) == "<slots:slot-42: /status>"


def test_a_repr_names_fields_and_holds_no_value() -> None:
    assert repr(view("status", "price")) == "<slots:slot-42: /price, /status>"
    assert repr(view("status", ref="")) == "<record: /status>"
