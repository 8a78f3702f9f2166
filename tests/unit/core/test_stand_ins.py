"""Stand-ins: handed on as arguments, sealed, filled later, and of no other use."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from lastlook.core.stand_ins import Result, has_stand_in, open_argument, seal_argument, steps_of
from lastlook.errors import BadArguments, NotCanonical

PAID = Result(1)


def test_alone_it_is_sealed_as_step_and_pointer() -> None:
    assert seal_argument(PAID, where="/x") == {"$result": [1, ""]}
    assert seal_argument(PAID["id"], where="/x") == {"$result": [1, "/id"]}


def test_members_items_and_attributes_point_into_it() -> None:
    assert PAID.lines[0]["a/b~c"].__target__ == (1, "/lines/0/a~1b~0c")


def test_it_is_filled_from_the_result_wherever_it_stands() -> None:
    value = {"to": [PAID["id"], "kim"], "note": ("paid", PAID.at)}
    sealed = seal_argument(value, where="/x")
    opened = open_argument(sealed, [{"id": 7, "at": {"day": 3}}])
    assert opened == {"to": [7, "kim"], "note": ["paid", {"day": 3}]}


def test_a_nested_pointer_is_followed_through_lists_and_objects() -> None:
    sealed = seal_argument(PAID["lines"][1]["price"], where="/x")
    assert open_argument(sealed, [{"lines": [{"price": 1}, {"price": 2}]}]) == 2


def test_the_whole_result_is_handed_on_as_the_tool_returned_it() -> None:
    result = object()
    assert open_argument(seal_argument(PAID, where=""), [result]) is result


def test_beside_a_stand_in_every_type_keeps_its_form() -> None:
    value = {
        "$int": Decimal("99999999999999999999.5"), "a": 10**30, "b": b"x", "c": date(2026, 1, 2),
        "d": datetime(2026, 1, 2, tzinfo=UTC), "$$": None, "it": PAID,
    }  # fmt: skip
    opened = open_argument(seal_argument(value, where=""), [1])
    assert opened == value | {"it": 1}


def test_a_member_that_looks_like_a_stand_in_is_none() -> None:
    value = {"$result": [1, "/id"]}
    sealed = seal_argument(value, where="/x")
    assert not has_stand_in(sealed)
    assert open_argument(sealed, [{"id": 7}]) == value
    beside = seal_argument([value, PAID], where="/x")
    assert open_argument(beside, ["r"]) == [value, "r"]


def test_the_steps_that_are_waited_for_are_told() -> None:
    sealed = seal_argument({"a": [Result(2), {"b": Result(1)["x"]}], "c": 3}, where="")
    assert sorted(steps_of(sealed)) == [1, 2]
    assert has_stand_in(sealed)
    assert not has_stand_in(seal_argument({"a": [1]}, where=""))


@pytest.mark.parametrize(
    ("pointer", "result"),
    [("/id", {}), ("/id", None), ("/lines/2", {"lines": [1]}), ("/id/x", {"id": 3})],
)
def test_a_result_without_what_is_pointed_at_is_a_typed_error(pointer: str, result: Any) -> None:
    with pytest.raises(BadArguments, match=f"step 1 has nothing at {pointer}") as caught:
        open_argument({"$result": [1, pointer]}, [result])
    assert caught.value.fix == "Let the step return what the later step needs."


@pytest.mark.parametrize("step", [0, -1, 2])
def test_the_result_of_a_step_that_has_not_run_is_a_typed_error(step: int) -> None:
    with pytest.raises(BadArguments, match=f"step {step}, whose result is wanted, has not run"):
        open_argument({"$result": [step, ""]}, ["only one"])


MISUSES = {
    "as a condition": bool,
    "in a loop": list,
    "in a text": lambda it: f"paid {it}",
    "as a text": str,
    "compared": lambda it: it == "R-1",
    "told apart": lambda it: it != "R-1",
    "searched": lambda it: [*it],
    "as a key": lambda it: {it: 1},
}


@pytest.mark.parametrize("use", MISUSES.values(), ids=MISUSES)
def test_it_has_no_value_yet_and_says_what_to_do(use: Any) -> None:
    with pytest.raises(TypeError, match="<result of step 1/id> is not known until the step has"):
        use(PAID["id"])


def test_it_can_be_printed_for_eyes_and_has_no_special_methods_of_a_result() -> None:
    assert repr(PAID["id"]) == "<result of step 1/id>"
    with pytest.raises(AttributeError):
        PAID.__len__()


def test_a_value_without_a_canonical_form_is_named_by_its_place() -> None:
    with pytest.raises(NotCanonical) as caught:
        seal_argument({"a/b": [PAID, {1}]}, where="/x")
    assert caught.value.where == "/x/a~1b/1"
    with pytest.raises(NotCanonical) as caught:
        seal_argument({"it": PAID, 7: 1}, where="/x")
    assert caught.value.where.startswith("/x")


def cyclic(*inside: object) -> list[Any]:
    value: list[Any] = [*inside]
    value.append(value)
    return value


def bush(*leaf: object) -> list[Any]:
    value: list[Any] = [*leaf]
    for _ in range(60):
        value = [value, value]
    return value


def deep(*leaf: object) -> list[Any]:
    value: list[Any] = [*leaf]
    for _ in range(5000):
        value = [value]
    return value


@pytest.mark.parametrize("make", [cyclic, bush, deep])
@pytest.mark.parametrize("inside", [(1,), (PAID,)], ids=["plain", "with a stand-in"])
def test_what_has_no_end_is_refused_and_not_followed_for_ever(make: Any, inside: Any) -> None:
    with pytest.raises(NotCanonical):
        seal_argument(make(*inside), where="/x")


def test_a_list_of_too_many_lists_is_refused() -> None:
    row = [0] * 1000
    with pytest.raises(NotCanonical):
        seal_argument([row] * 1000, where="/x")
    with pytest.raises(NotCanonical):
        seal_argument([PAID, *[row] * 1000], where="/x")
