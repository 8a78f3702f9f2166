"""Plans as templates: filled from arguments and evidence, typed, and again after a block."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.app import Lastlook
from lastlook.core.fields import parse_field
from lastlook.core.outcome import BlockedStale, Executed
from lastlook.errors import BadArguments, NotRegistered, TemplateError
from lastlook.planning.commands import CommandTool
from lastlook.planning.recipes import (
    Recipe,
    RecipeRead,
    RecipeStep,
    fill_field,
    fill_recipe,
    sealed_recipe,
)

RECIPE = Recipe(
    name="book",
    intent="Book {slot_id} at {slot.price}",
    reads=(
        RecipeRead(ref="slots:{slot_id}", alias="slot", fields=("price", "at", "tags")),
        RecipeRead(ref="rooms:{slot.tags.room}", fields=("free >= {wanted}",)),
    ),
    steps=(
        RecipeStep(tool="book", arguments={"slot_id": "{slot_id}", "price": "{slot.price}"}),
    ),
)  # fmt: skip
ARGUMENTS = {"slot_id": "slot-42", "wanted": 3}


class Shop:
    """Slots and rooms in memory, and a command that notes what it was given in a file."""

    def __init__(self, folder: Path) -> None:
        self.slots: dict[str, Any] = {
            "slot-42": {"price": 80, "at": "14:00", "tags": {"room": "r1"}}
        }
        self.rooms = {"r1": {"free": 5}, "r2": {"free": 4}}
        self.folder = folder
        script = folder / "book.sh"
        script.write_text('#!/bin/sh\necho "$1 $2" >>"booked"\n', encoding="utf-8")
        script.chmod(0o755)
        self.tools = {
            "book": CommandTool(
                "book", ["./book.sh", "{slot_id}", "{price}"],
                arguments={"slot_id": "string", "price": "number"}, folder=str(folder),
            )
        }  # fmt: skip
        self.look = self.program()

    def program(self) -> Lastlook:
        """One more process with the same sources."""
        look = Lastlook(sources={"slots": self.slots, "rooms": self.rooms}, store="memory")
        look.world.command_tool = CommandTool.from_definition
        return look

    def fill(self, recipe: Recipe = RECIPE, **arguments: Any) -> Any:
        return fill_recipe(
            recipe, {**ARGUMENTS, **arguments}, reader=self.look.reader, tools=self.tools
        )

    @property
    def booked(self) -> list[str]:
        path = self.folder / "booked"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def changed(recipe: Recipe, **values: Any) -> Recipe:
    import msgspec

    return msgspec.structs.replace(recipe, **values)


def test_holes_are_filled_with_typed_values(shop: Shop) -> None:
    draft = shop.fill()
    assert draft.intent == "Book slot-42 at 80"
    assert draft.steps[0].arguments == {"slot_id": "slot-42", "price": 80}
    assert [item.ref for item in draft.evidence] == ["slots:slot-42", "rooms:r1"]
    assert draft.evidence[1].fields == (parse_field("free >= 3"),)


def test_a_recipe_is_sealed_whole_and_read_back(shop: Shop) -> None:
    odd = changed(
        RECIPE, expires_in=60, two_people=True, approvers=("person:ana",),
        steps=(RecipeStep(tool="book", arguments={"slot_id": "x", "price": {"$int": str(2**70)}}),),
    )  # fmt: skip
    draft = shop.fill(odd)
    assert sealed_recipe(draft.origin) == odd
    assert draft.steps[0].arguments["price"] == {"$int": str(2**70)}
    assert (draft.two_people, draft.approvers, draft.expires_in) == (True, ("person:ana",), 60)


def test_texts_inside_of_lists_and_objects_are_templates_too(shop: Shop) -> None:
    shop.tools["any"] = CommandTool("any", ["/bin/sh"], arguments={"v": "any"}, folder="/")
    value = {"a": ["{slot.price}", "at {slot.at}", 7], "$$b": {"c": "{wanted}"}}
    recipe = changed(RECIPE, steps=(RecipeStep(tool="any", arguments={"v": value}),))
    made = shop.fill(recipe).steps[0].arguments["v"]
    assert made == {"a": [80, "at 14:00", 7], "$$b": {"c": 3}}


def test_a_fresh_plan_is_filled_again_in_another_program(shop: Shop) -> None:
    plan = shop.look.propose_draft(shop.fill())
    store = shop.look.world.store
    other = Lastlook(sources={"slots": shop.slots, "rooms": shop.rooms}, store=store)
    other.world.command_tool = CommandTool.from_definition
    other.confirm(plan, by="ana")
    shop.slots["slot-42"] = {"price": 95, "at": "14:00", "tags": {"room": "r2"}}
    blocked = other.dispatch(plan)
    assert isinstance(blocked, BlockedStale)
    assert shop.booked == []
    fresh = blocked.fresh
    assert fresh is not None
    assert fresh.intent == "Book slot-42 at 95"
    assert [item.ref for item in fresh.evidence] == ["slots:slot-42", "rooms:r2"]
    other.confirm(fresh, by="ana")
    assert isinstance(other.dispatch(fresh), Executed)
    assert shop.booked == ["slot-42 95"]


def test_an_edited_program_blocks_and_the_fresh_plan_has_it_as_it_is_now(shop: Shop) -> None:
    plan = shop.look.propose_draft(shop.fill())
    shop.look.confirm(plan, by="ana")
    (shop.folder / "book.sh").write_text("#!/bin/sh\necho other >>booked\n", encoding="utf-8")
    blocked = shop.look.dispatch(plan)
    assert isinstance(blocked, BlockedStale)
    assert blocked.changed == {"tool:book": ("/command/files/./book.sh",)}
    assert blocked.fresh is not None
    shop.look.confirm(blocked.fresh, by="ana")
    assert isinstance(shop.look.dispatch(blocked.fresh), Executed)
    assert shop.booked == ["other"]


def test_a_program_that_is_gone_blocks_without_a_fresh_plan(shop: Shop) -> None:
    plan = shop.look.propose_draft(shop.fill())
    shop.look.confirm(plan, by="ana")
    (shop.folder / "book.sh").unlink()
    blocked = shop.look.dispatch(plan)
    assert isinstance(blocked, BlockedStale)
    assert blocked.fresh is None
    assert "no program ./book.sh" in blocked.why_no_fresh


def test_a_program_without_commands_cannot_dispatch_and_leaves_the_plan(shop: Shop) -> None:
    plan = shop.look.propose_draft(shop.fill())
    shop.look.confirm(plan, by="ana")
    shop.look.world.command_tool = None
    with pytest.raises(NotRegistered):
        shop.look.dispatch(plan)
    assert shop.look.get(plan.id)[1] == "confirmed"


def test_a_registered_tool_of_that_name_does_not_take_the_place_of_a_command(shop: Shop) -> None:
    plan = shop.look.propose_draft(shop.fill())
    shop.look.confirm(plan, by="ana")
    shop.look.world.command_tool = None

    @shop.look.tool(writes=[])
    def book(slot_id: str, price: int) -> None:
        raise AssertionError

    shop.slots["slot-42"]["price"] = 95
    blocked = shop.look.dispatch(plan)
    assert isinstance(blocked, BlockedStale)
    assert blocked.fresh is not None
    assert blocked.fresh.tools[0].command is not None


def test_absence_is_evidence_in_a_recipe(shop: Shop) -> None:
    recipe = changed(
        RECIPE, reads=(*RECIPE.reads, RecipeRead(ref="slots:{slot_id}-2", absent=True))
    )
    assert [item.kind for item in shop.fill(recipe).evidence] == ["record", "record", "absence"]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"intent": "{nope}"}, "{nope} names nothing"),
        ({"intent": "{slot.nope}"}, "{slot.nope} names nothing"),
        ({"reads": (RecipeRead(ref="slots:{later.id}", fields=("price",)),)}, "names nothing"),
        ({"reads": (RecipeRead(ref="slots:slot-42", fields=("price <= {nope}",)),)}, "nope"),
        ({"steps": (RecipeStep(tool="bok", arguments={}),)}, "no tool named bok"),
    ],
)
def test_a_hole_or_tool_that_is_not_there_is_refused(
    shop: Shop, change: dict[str, Any], what: str
) -> None:
    with pytest.raises(TemplateError, match=what):
        shop.fill(changed(RECIPE, **change))


def test_evidence_of_the_wrong_type_is_refused_by_the_tool(shop: Shop) -> None:
    shop.slots["slot-42"]["price"] = "80"
    with pytest.raises(BadArguments, match="price is a number"):
        shop.fill()


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("status", "status"),
        ("price <= {limit}", "price <= 200.5"),
        ("tier in {tiers}", 'tier in ["gold", "silver"]'),
        ("who == {who}", 'who == "an \\"a\\" {limit}"'),
        ("price == {slot.price}", "price == 80"),
        ('"{" == {none}', '"{" == null'),
        ('"{other}" == {yes}', '"{other}" == true'),
    ],
)
def test_a_hole_in_a_field_becomes_a_literal(text: str, filled: str) -> None:
    values = {
        "limit": 200.5, "tiers": ["gold", "silver"], "who": 'an "a" {limit}', "none": None,
        "yes": True,
    }  # fmt: skip
    assert fill_field(text, values, {"slot": {"/price": 80}}) == filled
    parse_field(filled)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("price <= {nope}", "names nothing"),
        ('who == "{who}"', "stands in quotes"),
        ("who == {big}", "no literal"),
    ],
)
def test_a_hole_in_a_field_that_cannot_be_meant_is_refused(text: str, what: str) -> None:
    with pytest.raises(TemplateError, match=what):
        fill_field(text, {"who": "ana", "big": 2**70})


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_value_can_become_more_than_its_literal(text: str) -> None:
    field = parse_field(fill_field("who == {who}", {"who": text}))
    assert (field.selector, dict(field.rule)) == ("/who", {"equals": text})
