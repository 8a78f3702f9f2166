"""--app: the user's own Lastlook object, with its Python tools and planners."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run, World

SHOP = """\
from lastlook import JsonFiles, Lastlook, Planning
from lastlook.testing import ScriptedAsker

look = Lastlook(
    sources={"slots": JsonFiles("slots")}, store="shop.db", asker=ScriptedAsker("yes")
)

@look.tool(writes=["slots:{slot_id}"])
def book(slot_id: str, seats: int) -> str:
    with open("bookings.txt", "a") as file:
        file.write(f"{slot_id} {seats}\\n")
    return "booked"

@look.planner("Book {slot_id}")
def book_slot(plan: Planning, slot_id: str, seats: int = 1) -> None:
    plan.read(f"slots:{slot_id}", "status == 'available'")
    plan.step(book, slot_id=slot_id, seats=seats)
"""


@pytest.fixture(autouse=True)
def _shop(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (world.folder / "shop.py").write_text(SHOP, encoding="utf-8")
    yield
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(world.folder)):
            del sys.modules[name]


def test_a_planner_is_proposed_by_name_with_typed_arguments(run: Run, world: World) -> None:
    app = ("--app", "shop:look")
    said = run(*app, "propose", "book_slot", "slot_id=slot-42", "seats=2", "--json").data
    assert said["plan"]["steps"][0]["arguments"] == {"slot_id": "slot-42", "seats": 2}
    assert said["plan"]["origin"]["kind"] == "planner"
    plan = said["id"]
    assert plan in run(*app, "pending").out
    assert run(*app, "confirm", plan).code == 0
    assert run(*app, "dispatch", plan).code == 0
    assert world.booked == ["slot-42 2"]
    assert "shop.db" in run(*app, "journal").out


def test_what_an_application_prints_is_not_in_the_json(run: Run, world: World) -> None:
    text = SHOP.replace('return "booked"', 'print("loud"); return "booked"') + 'print("hello")\n'
    (world.folder / "loud.py").write_text(text, encoding="utf-8")
    answer = run("--app", "loud:look", "--json", "run", "book_slot", "slot_id=slot-42")
    assert answer.data["outcome"] == "executed"
    assert "hello" in answer.err
    assert "loud" in answer.err


def test_a_plan_that_a_policy_confirmed_says_that_it_can_run(run: Run, world: World) -> None:
    text = SHOP.replace('store="shop.db"', 'store="shop.db", confirms={"small": ["book"]}')
    (world.folder / "trusting.py").write_text(text, encoding="utf-8")
    app = ("--app", "trusting:look")
    answer = run(*app, "propose", "book_slot", "slot_id=slot-42")
    assert "A policy of the application said yes" in answer.out
    assert run(*app, "pending", "--json").data["pending"] == []


def test_a_planner_is_run_through(run: Run, world: World) -> None:
    assert run("--app", "shop:look", "run", "book_slot", "slot_id=slot-42").code == 0
    assert world.booked == ["slot-42 1"]


def test_a_command_may_rest_on_the_sources_of_the_application(run: Run, world: World) -> None:
    words = ("--app", "shop:look", "run", "-e", "slots:slot-42#status", "--", "./book.sh", "x")
    assert run(*words).code == 0
    assert world.booked == ["x"]


def test_without_the_application_its_plans_are_not_registered_and_stay(
    run: Run, world: World
) -> None:
    app = ("--app", "shop:look")
    plan = run(*app, "propose", "book_slot", "slot_id=slot-42", "--json").data["id"]
    assert run(*app, "confirm", plan).code == 0
    answer = run("--store", "shop.db", "--json", "dispatch", plan)
    assert (answer.code, answer.error["type"]) == (2, "NotRegistered")
    assert "--app" in answer.error["fix"]
    assert run(*app, "dispatch", plan).code == 0


@pytest.mark.parametrize(
    ("words", "code", "kind", "what"),
    [
        (("propose", "nope"), 2, "NotRegistered", "no planner named nope"),
        (("propose", "book_slot"), 1, "BadArguments", "slot_id"),
        (("propose", "book_slot", "slot-42"), 1, "BadArguments", "NAME=VALUE"),
        (("propose", "book_slot", "slot_id=a", "slot_id=b"), 1, "BadArguments", "twice"),
        (("propose", "book_slot", "slot_id=slot-42", "seats=x"), 1, "BadArguments", "integer"),
        (("propose", "book_slot", "slot_id=slot-42", "room=x"), 1, "BadArguments", "room"),
        (("propose", "book_slot", "slot_id=slot-41"), 1, "CaptureFailed", "slot-41"),
        (("--store", "x.db", "pending"), 2, "Usage", "--app"),
        (("--config", "x.toml", "pending"), 2, "Usage", "--app"),
    ],
)
def test_a_mistake_is_a_typed_error(
    run: Run, world: World, words: tuple[str, ...], code: int, kind: str, what: str
) -> None:
    answer = run("--json", "--app", "shop:look", *words)
    assert (answer.code, answer.error["type"]) == (code, kind)
    assert what in answer.error["what"]
    assert world.booked == []


@pytest.mark.parametrize(
    ("spec", "text", "what"),
    [
        ("bad", "", "module:name"),
        (":look", "", "module:name"),
        ("bad:", "", "module:name"),
        ("nosuch:look", "", "no module named nosuch"),
        ("nosuch.inner:look", "", "no module named nosuch.inner"),
        ("bad:look", "", "has no look"),
        ("bad:look", "look = 3", "is of type int, not a Lastlook"),
        ("bad:look", "import nosuch_at_all", "ModuleNotFoundError"),
        ("bad:look", "look = 1 / 0", "ZeroDivisionError"),
        ("bad:look", "def broken(:", "SyntaxError"),
        ("bad:look", "import sys\nsys.exit(3)", "ended the program"),
        ("bad:look", "from lastlook import Lastlook\nLastlook(sources={'cwd': {}})", "reserved"),
    ],
)
def test_an_application_that_cannot_be_had_is_a_typed_error(
    run: Run, world: World, spec: str, text: str, what: str
) -> None:
    (world.folder / "bad.py").write_text(text + "\n", encoding="utf-8")
    answer = run("--json", "--app", spec, "pending")
    assert answer.code == 1
    assert answer.error["type"] == "DeclarationError"
    assert what in answer.error["what"]
    assert "Traceback" not in answer.err


def test_an_object_inside_of_another_is_found(run: Run, world: World, tmp_path: Path) -> None:
    text = "import shop\nclass box:\n    look = shop.look\n"
    (world.folder / "boxed.py").write_text(text, encoding="utf-8")
    assert run("--app", "boxed:box.look", "pending").code == 0


def test_ctrl_c_inside_of_a_tool_is_unknown_and_not_130(run: Run, world: World) -> None:
    text = SHOP.replace('return "booked"', "raise KeyboardInterrupt")
    (world.folder / "halted.py").write_text(text, encoding="utf-8")
    app = ("--app", "halted:look", "--json")
    answer = run(*app, "run", "book_slot", "slot_id=slot-42")
    assert (answer.code, answer.data["outcome"], answer.data["exit"]) == (6, "unknown", 6)
    assert "UNKNOWN" in answer.err
    plan = run(*app, "propose", "book_slot", "slot_id=slot-42").data["id"]
    assert run(*app, "confirm", plan).code == 5  # its person has said all she says


def test_ctrl_c_before_the_tool_began_is_130(run: Run, world: World) -> None:
    text = SHOP.replace('ScriptedAsker("yes")', "ScriptedAsker(halt)").replace(
        "look = ", "def halt(question):\n    raise KeyboardInterrupt\n\nlook = ", 1
    )
    (world.folder / "halting.py").write_text(text, encoding="utf-8")
    answer = run("--app", "halting:look", "run", "book_slot", "slot_id=slot-42")
    assert (answer.code, world.booked) == (130, [])
