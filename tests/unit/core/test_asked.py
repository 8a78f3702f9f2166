"""Counting questions by field."""

from __future__ import annotations

from typing import Any

from lastlook.core.asked import UNREAD, Asked, count_up
from lastlook.core.fields import field
from lastlook.core.sparing import Moved

MOVED = Moved(before=("value", 4), after=("value", 3), arguments={"seats": 2})


def asked(selector: str = "/seats", **changes: Any) -> Asked:
    facts: dict[str, Any] = {
        "planner": "book", "source": "slots", "selector": selector, "moved": MOVED,
        "field": field(selector) if selector else None, "came_to": "same",
    }  # fmt: skip
    return Asked(**facts | changes)


def test_each_block_counts_once_and_each_of_its_fields() -> None:
    found = count_up([[asked(), asked("/price")], [asked(came_to="different")], []])
    assert (found.blocks, found.confirmed, found.unread) == (3, 1, 0)
    assert [(each.field, each.blocked, each.confirmed) for each in found.fields] == [
        ("seats", 2, 1),
        ("price", 1, 1),
    ]


def test_the_field_with_the_most_needless_questions_comes_first() -> None:
    blocks = [[asked("/a", came_to="no")], [asked("/a", came_to="no")], [asked("/b")]]
    assert [each.field for each in count_up(blocks).fields] == ["b", "a"]


def test_one_field_of_two_planners_or_two_sources_is_two() -> None:
    found = count_up([[asked()], [asked(planner="hold")], [asked(source="rooms")]])
    assert {(each.planner, each.source) for each in found.fields} == {
        ("book", "slots"), ("hold", "slots"), ("book", "rooms"),
    }  # fmt: skip


def test_the_words_are_those_of_what_can_be_told() -> None:
    (told,) = count_up([[asked()]]).fields
    assert told.instead == "seats >= 2"
    (rejected,) = count_up([[asked()], [asked(came_to="no")]]).fields
    assert rejected.instead == ""
    (waiting,) = count_up([[asked()], [asked(came_to="open")]]).fields
    assert (waiting.instead, waiting.blocked) == ("seats >= 2", 2)


def test_what_cannot_be_read_is_counted_and_nothing_is_made_of_it() -> None:
    gone = asked(planner=UNREAD, field=None, came_to="unread")
    found = count_up([[asked()], [gone], [asked(came_to="unread")]])
    assert (found.blocks, found.confirmed, found.unread) == (3, 1, 2)
    assert {each.planner: (each.unread, each.instead) for each in found.fields} == {
        "book": (1, ""), UNREAD: (1, ""),
    }  # fmt: skip


def test_what_has_no_selector_has_a_name() -> None:
    kinds: list[Any] = ["record", "query", "absence"]
    named = [count_up([[asked("", kind=kind)]]).fields[0].field for kind in kinds]
    assert named == ["$", "members", "absence"]


def test_it_is_told_as_a_table_and_as_data() -> None:
    gone = asked(planner=UNREAD, field=None, came_to="unread")
    found = count_up([[asked()], [gone]])
    assert found.text().splitlines() == [
        "FIELD  OF               BLOCKED  FOR NOTHING   WOULD HAVE SPARED THEM",
        "seats  slots, book      1        1             seats >= 2",
        "seats  slots, (unread)  1        0 (1 unread)",
        "2 blocks; after 1 of them the fresh plan was confirmed, with nothing different",
        "  in what runs. Of 1 that can't be told any more: a plan's body is gone.",
    ]
    assert found.data()["fields"][0] == {
        "planner": "book", "source": "slots", "field": "seats", "blocked": 1, "confirmed": 1,
        "unread": 0, "instead": "seats >= 2",
    }  # fmt: skip
    assert count_up([]).text() == "No plan was blocked because evidence had changed."


def test_a_hostile_name_is_made_visible() -> None:
    assert "\u202e" not in count_up([[asked("/a\u202eb")]]).text()
