"""`journal --questions`: which fields blocked, and what would have spared that."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastlook import Lastlook, Planning
from tests.cli.conftest import Run, World


@pytest.fixture
def asked(world: World, tmp_path: Path) -> Path:
    """A store with one question that need not have been asked, and one that had to be."""
    path = tmp_path / "plans.db"
    slots = {"a": {"seats": 9, "price": 80}}
    look = Lastlook(sources={"slots": slots}, store=path)

    @look.tool(writes=["slots:{slot_id}"])
    def book(slot_id: str, seats: int, amount: int) -> None:
        pass

    @look.planner("Book {seats} of {slot_id}")
    def book_slot(plan: Planning, slot_id: str, seats: int) -> None:
        slot = plan.read(f"slots:{slot_id}", "seats", "price")
        plan.step(book, slot_id=slot_id, seats=seats, amount=slot["price"])

    for change in ({"seats": 5}, {"price": 95}):
        plan = book_slot.options(requested_by="ana").propose("a", 2)
        look.confirm(plan, by="ana")
        slots["a"] |= change
        look.confirm(look.dispatch(plan).fresh, by="ana")
    look.close()
    return path


def test_each_field_is_a_line_with_what_would_have_spared_it(asked: Path, run: Run) -> None:
    ran = run("journal", "--questions", "--store", str(asked))
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].split()[:3] == ["FIELD", "OF", "BLOCKED"]
    assert lines[1].split() == ["seats", "slots,", "book_slot", "1", "1", "seats", ">=", "2"]
    assert lines[2].split() == ["price", "slots,", "book_slot", "1", "0"]
    assert lines[3].startswith("2 blocks; after 1 of them the fresh plan was confirmed")
    assert str(asked) in lines[-1]


def test_json_has_the_same(asked: Path, run: Run) -> None:
    data = run("journal", "--questions", "--json", "--store", str(asked)).data
    assert (data["blocks"], data["confirmed"], data["unread"]) == (2, 1, 0)
    assert [(each["field"], each["instead"]) for each in data["fields"]] == [
        ("seats", "seats >= 2"),
        ("price", ""),
    ]
    assert data["store"]["where"] == str(asked)


def test_only_the_plans_that_are_chosen_count(asked: Path, run: Run) -> None:
    def blocks(*words: str) -> int:
        return run("journal", "--questions", "--json", "--store", str(asked), *words).data["blocks"]

    assert blocks("--asked-by", "nobody") == 0
    assert blocks("--asked-by", "ana") == 2
    assert blocks("--last", "2") == 1


def test_without_a_store_there_is_nothing_to_count(world: World, run: Run) -> None:
    ran = run("journal", "--questions")
    assert ran.code == 0
    assert run("journal", "--questions", "--json").data["blocks"] == 0
    assert "FIELD" not in ran.out
