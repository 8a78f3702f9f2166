"""What to declare instead: it holds where nothing came out different, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook.core.canonical import to_wire
from lastlook.core.fields import Field, field, parse_field
from lastlook.core.sparing import LEAVE_OUT, Moved, spared_by

ABSENT: Any = object()


def moved(before: Any, after: Any, **arguments: Any) -> Moved:
    """One time, by Python values."""

    def cell(value: Any) -> Any:
        return ("absent",) if value is ABSENT else ("value", to_wire(value))

    given = {name: to_wire(value) for name, value in arguments.items()}
    return Moved(before=cell(before), after=cell(after), arguments=given)


def spared(name: str | Field, *idle: Moved, other: tuple[Moved, ...] = ()) -> str:
    declared = parse_field(name) if isinstance(name, str) else name
    return spared_by(declared, idle, other)


@pytest.mark.parametrize(
    ("before", "after", "instead"),
    [
        ("Caf\u00e9", "Cafe\u0301", "x (nfc)"),
        ("2026-10-03T14:00:00Z", "2026-10-03T16:00:00+02:00", "x (instant)"),
        (["a", "b"], ["b", "a"], "x (unordered)"),
        (None, ABSENT, "x (absent_is_null)"),
        (ABSENT, None, "x (absent_is_null)"),
    ],
)
def test_another_spelling_of_one_value_is_spared_by_its_word(
    before: Any, after: Any, instead: str
) -> None:
    assert spared("x", moved(before, after)) == instead


def test_a_word_that_is_there_already_is_kept() -> None:
    both = moved(["Caf\u00e9", "x"], ["x", "Cafe\u0301"])
    assert spared("x (unordered)", both) == "x (nfc, unordered)"


def test_a_word_that_does_not_go_with_another_is_passed_over() -> None:
    assert spared("x (instant)", moved("2026-10-03T14:00:00Z", "2026-10-04T14:00:00Z")) == LEAVE_OUT


def test_a_value_that_stayed_above_an_argument_is_spared_by_a_bound() -> None:
    assert spared("seats", moved(4, 3, seats=2)) == "seats >= 2"
    assert spared("seats", moved(4, 3, seats=2), moved(9, 5, seats=4)) == "seats >= {seats}"
    assert spared("price", moved(80, 95, max_price=200)) == "price <= 200"


def test_an_argument_of_another_name_counts_where_it_is_near() -> None:
    assert spared("seats", moved(4, 3, count=2)) == "seats >= 2"
    assert spared("price", moved(80, 200, count=2)) == LEAVE_OUT
    assert spared("price", moved(80, 200, count=-80)) == LEAVE_OUT


def test_an_argument_of_the_fields_name_comes_before_one_that_is_near() -> None:
    assert spared("/left/seats", moved(4, 3, count=2, min_seats=1)) == "/left/seats >= 1"


def test_an_argument_that_is_not_always_there_or_no_number_is_no_bound() -> None:
    assert spared("seats", moved(4, 1, seats="2")) == LEAVE_OUT
    assert spared("seats", moved(4, 1, seats=1), moved(4, 1)) == LEAVE_OUT


def test_a_number_that_moved_a_little_is_spared_by_within() -> None:
    assert spared("price", moved(100, 101)) == "price within 1%"
    assert spared("price", moved(100, 104), moved(50, 51)) == "price within 5%"
    assert spared("price", moved(100, 140)) == LEAVE_OUT


def test_a_text_that_goes_back_and_forth_is_spared_by_a_list() -> None:
    back = moved("open", "held"), moved("held", "open")
    assert spared("status", *back) == 'status in ["held", "open"]'
    assert spared("status", moved("a", "b"), moved("c", "d")) == LEAVE_OUT
    assert spared("status", moved("a", None)) == LEAVE_OUT


def test_what_would_let_another_block_go_is_not_said() -> None:
    other = (moved(4, 1, seats=2),)
    assert spared("seats", moved(4, 3, seats=2), other=other) == "seats >= 2"
    assert spared("seats", moved(4, 3, seats=2), other=(moved(5, 4, seats=2),)) == ""


def test_a_field_of_which_nothing_came_is_to_be_left_out() -> None:
    assert spared("name", moved("Ana", "Bea"), moved("Cleo", "Dora")) == LEAVE_OUT


def test_nothing_is_said_of_a_field_that_always_mattered() -> None:
    assert spared("name", other=(moved("Ana", "Bea"),)) == ""


@pytest.mark.parametrize(
    "declared",
    ["price within 1%", field("price").secret, "$.lines[*].price"],
)
def test_of_some_fields_only_to_leave_them_out_is_said(declared: str | Field) -> None:
    if "[*]" in str(declared):
        pytest.importorskip("jsonpath")
    once = moved(100, 104)
    assert spared(declared, once) == LEAVE_OUT
    assert spared(declared, once, other=(once,)) == ""


def test_where_a_value_is_not_known_nothing_is_made_of_it() -> None:
    unknown = Moved(before=("value", 4), after=None)
    assert spared("seats", unknown) == LEAVE_OUT
    assert spared("seats", moved(4, 3, seats=2), other=(unknown,)) == ""
