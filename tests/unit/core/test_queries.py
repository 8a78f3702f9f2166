"""Queries as they are declared, and what comes out of one read of them."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook import capture
from lastlook.core.evidence import Found, NoAnswer
from lastlook.core.queries import CAP, Query, QueryMember
from lastlook.errors import DeclarationError, FieldSyntaxError, NotDeclared


def query(answer: Any, **more: Any) -> Query[..., Any]:
    given: dict[str, Any] = {
        "source": None, "name": "free", "fields": ("status",), "cap": 2, "may": "", "skip": 0,
    }  # fmt: skip
    function = answer if callable(answer) else lambda: answer
    return Query(function, **(given | more))


def test_a_read_gives_the_members_by_key_as_one_reading() -> None:
    members = {"a": {"status": "x"}}
    reading = query(members).read({})
    assert reading == Found(members)
    assert isinstance(reading, Found)
    assert reading.record is not members


def test_arguments_go_by_name_and_the_sources_own_come_first() -> None:
    asked = query(lambda records, floor: {floor: records}, skip=1)
    assert asked.read({"floor": "3"}, {"a": 1}) == Found({"3": {"a": 1}})


@pytest.mark.parametrize("answer", [None, [], "free", 7, {1: {}}, {None: {}}, {("a",): {}}])
def test_what_is_not_records_by_key_is_no_answer(answer: Any) -> None:
    assert query(answer).read({}) == NoAnswer("query free did not return records by key")


def test_more_members_than_the_cap_are_no_answer_and_as_many_are() -> None:
    assert query({"a": 1, "b": 2, "c": 3}).read({}) == NoAnswer(
        "query free has more than 2 members"
    )
    assert query({"a": 1, "b": 2}).read({}) == Found({"a": 1, "b": 2})


@pytest.mark.parametrize("cap", [0, -1])
def test_a_cap_that_lets_nothing_through_is_refused(cap: int) -> None:
    with pytest.raises(
        DeclarationError, match=f"query free: a cap of {cap} lets no member through"
    ):
        query({}, cap=cap)


def test_fields_are_read_when_it_is_declared_and_none_means_membership_alone() -> None:
    assert [str(item) for item in query({}, fields=["status", "price <= 9"]).fields] == [
        "price <= 9",
        "status",
    ]
    assert query({}, fields=()).fields == ()
    with pytest.raises(FieldSyntaxError):
        query({}, fields=["status = 'free'"])


def test_the_usual_cap_is_a_thousand() -> None:
    assert CAP == 1000


def test_a_member_gives_its_key_and_its_declared_fields_alone() -> None:
    member: QueryMember[Any] = QueryMember("slot-42", capture({"status": "x"}, ["status"]).view)
    assert (member.key, member["status"]) == ("slot-42", "x")
    assert "status" in member
    assert "price" not in member
    assert repr(member) == "<member slot-42>"
    with pytest.raises(NotDeclared):
        member["price"]
