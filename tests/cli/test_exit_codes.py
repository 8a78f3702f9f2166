"""The exit code says what happened to the world; each code here comes from a real run."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Run, World

EVIDENCE = 'slots/slot-42.json#status == "available"'
BOOK = ("-e", EVIDENCE, "--", "./book.sh", "slot-42")


def proposed(run: Run, *words: str) -> str:
    answer = run("propose", "--json", *(words or BOOK))
    assert answer.code == 0, answer.err
    return str(answer.data["id"])


def confirmed(run: Run, *words: str) -> str:
    plan = proposed(run, *words)
    assert run("confirm", plan, answers=("yes",)).code == 0
    return plan


def edited(plan: str) -> str:
    """The statement that changes one digit in a stored plan."""
    body = "CAST(replace(CAST(body AS TEXT), 'slot-42', 'slot-41') AS BLOB)"
    return f"UPDATE plans SET body = {body} WHERE id = '{plan}'"


def test_0_everything_ran(run: Run, world: World) -> None:
    answer = run("run", *BOOK, answers=("yes",))
    assert (answer.code, world.booked) == (0, ["slot-42"])
    assert answer.out == "booked slot-42\n"  # the command's own output, and nothing else
    assert "EXECUTED" in answer.err


def test_1_another_error(run: Run, world: World) -> None:
    answer = run("dispatch", "zzzz")
    assert answer.code == 1
    assert "Error: no plan zzzz" in answer.err


def test_2_usage(run: Run, world: World) -> None:
    assert run("nosuch").code == 2
    assert run("run").code == 2
    assert run("run", "book", "slot_id=1").code == 2  # no lastlook.toml: not registered here


def test_3_blocked_because_evidence_changed(run: Run, world: World) -> None:
    plan = confirmed(run)
    world.slot(status="unavailable")
    answer = run("dispatch", plan)
    assert (answer.code, world.booked) == (3, [])
    assert "only makes sense while" in answer.err.replace("\n ", "")


def test_4_blocked_because_evidence_cannot_be_read(run: Run, world: World) -> None:
    plan = confirmed(run)
    (world.folder / "slots" / "slot-42.json").unlink()
    answer = run("dispatch", plan)
    assert (answer.code, world.booked) == (4, [])
    assert "is gone" in answer.err


def test_5_refused(run: Run, world: World, tamper: Any) -> None:
    assert run("dispatch", proposed(run)).code == 5  # no yes
    used = confirmed(run)
    assert run("dispatch", used).code == 0
    assert run("dispatch", used).code == 5  # used before
    rejected = proposed(run)
    assert run("reject", rejected).code == 0
    assert run("dispatch", rejected).code == 5
    cancelled = confirmed(run)
    assert run("cancel", cancelled).code == 0
    assert run("dispatch", cancelled).code == 5
    expired = proposed(run, "--expires-in", "0.000001", *BOOK)
    assert run("confirm", expired, answers=("yes",)).code == 5
    tampered = confirmed(run)
    tamper(edited(tampered))
    assert run("dispatch", tampered).code == 5
    assert world.booked == ["slot-42"]


def test_6_something_may_have_run(run: Run, world: World) -> None:
    world.script("book.sh", "#!/bin/sh\necho half >>bookings.txt\nexit 1\n")
    answer = run("run", *BOOK, answers=("yes",))
    assert (answer.code, world.booked) == (6, ["half"])
    assert "UNKNOWN" in answer.err


def test_7_the_tool_promises_that_nothing_was_applied(run: Run, world: World) -> None:
    world.script("book.sh", "#!/bin/sh\nexit 75\n")
    answer = run("run", "--not-applied", "75", *BOOK, answers=("yes",))
    assert (answer.code, world.booked) == (7, [])


def test_7_a_program_that_could_not_be_started_did_nothing(run: Run, world: World) -> None:
    world.script("book.sh", "no first line says what reads this\n")
    answer = run("run", *BOOK, answers=("yes",))
    assert answer.code == 7
    assert "could not be started" in answer.err


def test_a_failed_condition_makes_no_plan(run: Run, world: World) -> None:
    world.slot(status="unavailable")
    answer = run("run", "--json", *BOOK, answers=("yes",))
    assert answer.code == 1
    assert answer.error["type"] == "ConditionNotMet"
    assert world.booked == []


def test_run_gives_the_code_of_the_last_plan_of_its_lineage(run: Run, world: World) -> None:
    def dearer(question: object) -> str:
        world.slot(price=95)
        return "yes"

    words = ("-e", "slot=slots/slot-42.json#price", "--", "./book.sh", "slot-42", "{slot.price}")
    answer = run("run", *words, answers=(dearer, "yes"))
    assert (answer.code, world.booked) == (0, ["slot-42 95"])
    world.slot(price=80)
    assert run("run", *words, answers=(dearer, "no")).code == 5
    assert world.booked == ["slot-42 95"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("run", "book", "--", "./book.sh"), "stands before --"),
        (("run", "-e", EVIDENCE, "./book.sh", "slot-42"), "for a command after --"),
        (("run", "-e", EVIDENCE, "--"), "no command after --"),
        (("propose",), "neither a plan nor a command"),
        (("run", "--expires-in", "0", *BOOK), "above 0"),
        (("run", "--expires-in", "inf", *BOOK), "a century"),
        (("run", "--expires-in", "soon", *BOOK), "--expires-in"),
        (("run", "--not-applied", "0", *BOOK), "--not-applied"),
        (("pending", "--", "./book.sh"), "takes no command"),
        (("journal", "--state", "happy"), "no state 'happy'"),
        (("journal", "--since", "yesterday"), "yesterday"),
        (("confirm",), "PLAN"),
        (("confirm", "--yes", "k7f3"), "--yes"),
        (("pending", "--store"), "--store"),
        (("demo", "--slow", "--json"), "--slow"),
    ],
)
def test_usage_is_2_and_says_what_is_meant(
    run: Run, world: World, words: tuple[str, ...], what: str
) -> None:
    answer = run(*words)
    assert answer.code == 2
    assert what in answer.err
    assert "Traceback" not in answer.err
