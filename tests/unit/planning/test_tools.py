"""Tools: what they are declared with, what they are given, and that a plan alone calls them."""

from __future__ import annotations

from typing import Any

import pytest

import lastlook
from lastlook import Act, Lastlook
from lastlook.errors import BadArguments, DeclarationError, FieldSyntaxError, NotCanonical
from lastlook.errors import TemplateError as BadTemplate
from lastlook.planning.tools import refuse_in_planner


@pytest.fixture
def look() -> Lastlook:
    return Lastlook(sources={"slots": {}}, store="memory")


def test_a_tool_goes_by_the_name_of_its_function_or_by_its_own(look: Lastlook) -> None:
    @look.tool(writes=[])
    def book() -> None:
        """Book a slot."""

    named = look.tool(writes=[], name="reserve")(lambda: None)
    assert (book.name, named.name) == ("book", "reserve")
    assert repr(book) == "<tool book>"
    assert look.tools == {"book": book, "reserve": named}


def test_what_a_tool_is_stands_in_its_definition(look: Lastlook) -> None:
    @look.tool(
        writes=["slots:{slot_id}#status"], effect="books {slot_id}", undo="cancel {slot_id}",
        not_applied=[LookupError, ValueError], version="2",
    )  # fmt: skip
    def book(slot_id: str, amount: int = 3) -> None:
        """Book a slot.

        For an amount.
        """

    made = book.definition
    assert (made.kind, made.name, made.version) == ("python", "book", "2")
    assert made.description == "Book a slot.\n\nFor an amount."
    assert made.writes == ("slots:{slot_id}#status",)
    assert (made.effect, made.undo) == ("books {slot_id}", "cancel {slot_id}")
    assert made.not_applied == ("LookupError", "ValueError")
    assert made.arguments["properties"]["amount"] == {"type": "integer"}


def test_without_words_of_its_own_a_tool_has_its_name_and_cannot_be_undone(look: Lastlook) -> None:
    tool = look.tool(writes=[], name="book")(lambda: None)
    assert str(tool.effect.fill({})) == "book"
    assert tool.undo is None
    assert tool.definition.description == ""


@pytest.mark.parametrize(
    ("declared", "error", "words"),
    [
        ({"writes": ["slots:{slot}"]}, DeclarationError, "name slot, which is not an argument"),
        ({"writes": [], "effect": "books {x}"}, DeclarationError, "name x, which is not"),
        ({"writes": [], "undo": "cancels {y}"}, DeclarationError, "name y, which is not"),
        ({"writes": ["slots"]}, BadTemplate, "is not a ref"),
        ({"writes": ["slots:a#"]}, BadTemplate, "no field"),
        ({"writes": ["slots:a#x = 1"]}, FieldSyntaxError, "="),
    ],
)
def test_words_that_cannot_be_filled_are_refused_when_declared(
    look: Lastlook, declared: dict[str, Any], error: type[Exception], words: str
) -> None:
    def book(slot_id: str) -> None:
        """Book a slot."""

    with pytest.raises(error, match=words):
        look.tool(**declared)(book)
    assert look.tools == {}


def test_what_can_be_filled_is_named_where_a_name_is_wrong(look: Lastlook) -> None:
    with pytest.raises(DeclarationError) as caught:
        look.tool(writes=["slots:{slot}"], name="book")(lambda slot_id, amount: None)
    assert caught.value.fix == "Its arguments are slot_id, amount."
    with pytest.raises(DeclarationError) as caught:
        look.tool(writes=["slots:{slot}"], name="book")(lambda: None)
    assert caught.value.fix == "Its arguments are none."


@pytest.mark.parametrize("kinds", [KeyError, ["KeyError"], "KeyError", [BaseException], [7], None])
def test_promises_that_are_no_list_of_exceptions_are_refused(look: Lastlook, kinds: Any) -> None:
    with pytest.raises(DeclarationError, match="not_applied is not a list of exceptions") as error:
        look.tool(writes=[], name="book", not_applied=kinds)(lambda: None)
    assert error.value.fix == "Write not_applied=[OutOfStock]."
    assert look.tools == {}


def test_an_async_tool_is_refused_when_declared(look: Lastlook) -> None:
    async def book() -> None:
        """Book a slot."""

    with pytest.raises(DeclarationError, match="tool book is a coroutine function"):
        look.tool(writes=[])(book)
    assert look.tools == {}


def test_a_tool_is_not_called_and_says_how_it_runs(look: Lastlook) -> None:
    ran: list[int] = []
    tool: Any = look.tool(writes=[], name="book")(lambda: ran.append(1))
    with pytest.raises(TypeError, match=r"plan\.step\(book, \.\.\.\).*book\.unguarded"):
        tool()
    assert ran == []


def takes(act: Act, slot_id: str) -> tuple[str, str]:
    return act.key, slot_id


def takes_qualified(act: lastlook.Act, slot_id: str) -> tuple[str, str]:
    return act.key, slot_id


def takes_real(act, slot_id):
    return act.key, slot_id


takes_real.__annotations__ = {"act": Act}


@pytest.mark.parametrize("function", [takes, takes_qualified, takes_real])
def test_an_act_comes_first_and_is_no_argument_of_the_step(look: Lastlook, function: Any) -> None:
    tool = look.tool(writes=["slots:{slot_id}"])(function)
    assert tool.shape.names == ("slot_id",)
    assert tool.step(slot_id="a").arguments == {"slot_id": "a"}
    assert tool.unguarded(slot_id="a") == ("unguarded", "a")
    act = Act(key="k", plan="p", look=dict)
    assert tool.act(act, {"slot_id": "b"}) == ("k", "b")


def test_a_first_argument_that_is_no_act_is_an_argument(look: Lastlook) -> None:
    tool = look.tool(writes=[], name="book")(lambda act: act)
    assert tool.step("x").arguments == {"act": "x"}
    assert tool.unguarded("x") == "x"


def test_a_step_by_hand_is_checked_and_has_no_number_yet(look: Lastlook) -> None:
    @look.tool(writes=[])
    def book(slot_id: str) -> None:
        """Book a slot."""

    step = book.step("slot-42")
    assert (step.number, step.tool, step.key) == (0, "book", "")
    with pytest.raises(BadArguments):
        book.step(42)


def test_declared_errors_promise_that_nothing_was_done_and_so_do_their_kinds(
    look: Lastlook,
) -> None:
    tool = look.tool(writes=[], name="book", not_applied=[LookupError])(lambda: None)
    assert tool.promises_nothing_applied(KeyError("x"))
    assert not tool.promises_nothing_applied(ValueError("x"))
    assert not tool.promises_nothing_applied(KeyboardInterrupt())


def test_outside_of_a_planner_nothing_is_refused() -> None:
    refuse_in_planner("did something")


# --- the act -------------------------------------------------------------------------------------


def act(checked: Any = ()) -> Act:
    return Act(key="k" * 64, plan="k7f3", look=lambda: dict(checked))


def test_what_was_written_is_kept_by_ref_and_selector_as_typed_json() -> None:
    made = act()
    made.wrote("slots:a", {"status": "taken", "/owner/name": None})
    made.wrote("slots:a", {"status": 10**20})
    made.wrote("slots:b", {"$": {"x": b"y"}})
    assert made.written == {
        "slots:a": {"/status": 10**20, "/owner/name": None},
        "slots:b": {"": {"x": {"$bytes": "eQ=="}}},
    }


def test_what_has_no_form_cannot_be_said_to_be_written() -> None:
    with pytest.raises(NotCanonical) as caught:
        act().wrote("slots:a", {"status": {1, 2}})
    assert caught.value.where == "/status"
    with pytest.raises(FieldSyntaxError):
        act().wrote("slots:a", {"status = x": 1})


def test_what_was_checked_is_looked_up_when_it_is_asked_for() -> None:
    asked: list[int] = []
    made = Act(key="k", plan="p", look=lambda: asked.append(1) or {"slots:a": {"/x": 1}})
    assert asked == []
    assert made.checked == {"slots:a": {"/x": 1}}


def test_nothing_is_held_where_no_source_has_a_fence() -> None:
    with pytest.raises(DeclarationError, match="nothing is held at slots"):
        act().held("slots")
