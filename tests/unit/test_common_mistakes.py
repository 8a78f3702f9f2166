"""Mistakes that newcomers make, and what they are told."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from lastlook import Act, Lastlook, Planning
from lastlook.errors import (
    BadArguments,
    ConditionNotMet,
    DeclarationError,
    PathNamesNothing,
    SealMismatch,
)
from lastlook.planning.loose import LooseArgument

SLOT = {"status": "available", "price": 80, "seats": 3, "tier": "gold", "tags": ["a"]}


@pytest.fixture
def look() -> Lastlook:
    return Lastlook(sources={"slots": {"slot-42": dict(SLOT)}}, store="memory")


def planned(look: Lastlook, *fields: str, arguments: Any = lambda read: {"price": read["price"]}):
    @look.tool(writes=["slots:slot-42"])
    def book(act: Act, price: Any = None, seats: Any = None, tier: Any = None) -> Any:
        return act.checked["slots:slot-42"]["price"]

    @look.planner("Book")
    def book_slot(plan: Planning, seats: int = 0) -> None:
        read = plan.read("slots:slot-42", *fields)
        plan.step(book, **arguments(read), seats=seats)

    return book_slot


def test_a_wrong_seal_beside_the_plan_itself_is_refused_too(look):
    plan = planned(look, "price").propose()
    with pytest.raises(SealMismatch):
        look.confirm(plan, seal="sha256:" + "0" * 64, by="ana")
    assert look.confirm(plan, seal=plan.seal, by="ana").ok


def test_an_argument_taken_from_a_field_that_may_move_draws_a_warning(look):
    with pytest.warns(LooseArgument, match=r"price 80 may be taken from slots:slot-42") as warned:
        planned(look, "price <= 200").propose()
    assert "price <= 200" in str(warned[0].message)


@pytest.mark.parametrize(
    "fields", [["price"], ["price == 80"], ["price within 5%"], ["price <= 200", "/tags"]]
)
def test_an_argument_from_a_field_that_stays_draws_no_warning(look, fields):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if fields[-1] == "/tags":
            planned(look, *fields, arguments=lambda _: {"price": "a"}).propose()
        else:
            planned(look, *fields).propose()


def test_what_the_planner_was_called_with_draws_no_warning(look):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planned(look, "price", "seats >= 2").propose(seats=3)


def test_a_text_from_a_set_that_it_may_move_in_draws_a_warning(look):
    with pytest.warns(LooseArgument, match="tier"):
        planned(
            look,
            "price",
            "tier in ['gold', 'silver']",
            arguments=lambda read: {"tier": read["tier"]},
        ).propose()


def test_a_planner_without_parentheses_is_told_how_to_write_it(look):
    with pytest.raises(DeclarationError, match="in parentheses"):

        @look.planner
        def book_slot(plan: Planning) -> None:
            """Nothing."""


def test_a_planner_without_its_first_parameter_is_refused_when_it_is_declared(look):
    with pytest.raises(DeclarationError, match=r"def f\(plan: Planning"):

        @look.planner("Book")
        def book_slot() -> None:
            """Nothing."""


def test_a_planner_that_is_called_says_what_to_call(look):
    with pytest.raises(TypeError, match=r"book_slot\.propose\(\.\.\.\)"):
        planned(look, "price")()


def test_a_misspelled_argument_is_named_with_the_one_that_was_meant(look):
    with pytest.raises(BadArguments, match="it does not take seat") as refused:
        planned(look, "price").propose(seat=2)
    assert "Did you mean seats?" in refused.value.fix


def test_an_argument_unlike_all_others_is_named_with_what_there_is(look):
    with pytest.raises(BadArguments, match="it does not take zzz") as refused:
        planned(look, "price").propose(zzz=2)
    assert refused.value.fix.startswith("It takes (seats")


@pytest.mark.parametrize(
    ("field", "error"), [("stauts", PathNamesNothing), ("price > 3", DeclarationError)]
)
def test_a_refused_capture_says_of_which_record(look, field, error):
    with pytest.raises(error) as refused:
        planned(look, field).propose()
    if error is PathNamesNothing:
        assert refused.value.where == "slots:slot-42#/stauts"


def test_a_failed_condition_says_of_which_record(look):
    with pytest.raises(ConditionNotMet) as refused:
        planned(look, "status == 'taken'").propose()
    assert refused.value.where == "slots:slot-42#/status"


@pytest.mark.parametrize("odd", [None, 7, b"k7f3", object()])
def test_what_is_no_plan_and_no_id_is_refused_by_every_verb(look, odd):
    for verb in (look.dispatch, look.check, look.renew, look.journal):
        with pytest.raises(BadArguments, match="neither a plan nor a plan's id"):
            verb(odd)
