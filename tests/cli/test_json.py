"""With --json standard output holds exactly one object, and people read standard error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import Run, World

BOOK = ("-e", 'slots/slot-42.json#status == "available"', "--", "./book.sh", "slot-42")


def plan_of(run: Run, *words: str) -> str:
    return str(run("propose", "--json", *(words or BOOK)).data["id"])


def test_propose_gives_id_seal_and_the_whole_plan(run: Run, world: World) -> None:
    said = run("propose", "--json", *BOOK).data
    assert said["state"] == "pending"
    assert said["plan"]["id"] == said["id"]
    assert said["seal"].startswith("sha256:")
    assert said["seal"] == said["plan"]["seal"]
    assert said["plan"]["evidence"][0]["ref"] == "cwd:slots/slot-42.json"
    assert said["store"]["where"].endswith("plans.db")


def test_run_prints_the_commands_own_output_elsewhere(run: Run, world: World) -> None:
    answer = run("run", "--json", *BOOK, answers=("yes",))
    assert (answer.data["outcome"], answer.data["exit"]) == ("executed", 0)
    assert answer.data["results"] == [{"exit": 0}]
    assert "booked slot-42" in answer.err


def test_a_dispatch_in_another_process_prints_the_commands_output_elsewhere(
    run: Run, world: World
) -> None:
    plan = plan_of(run)
    run("confirm", plan, answers=("yes",))
    answer = run("--json", "dispatch", plan)
    assert answer.data["outcome"] == "executed"
    assert "booked slot-42" in answer.err


def test_the_option_stands_before_or_after_the_verb(run: Run, world: World) -> None:
    assert run("--json", "pending").data == run("pending", "--json").data


def test_a_block_tells_a_model_what_changed(run: Run, world: World) -> None:
    plan = plan_of(run, "-e", "slots/slot-42.json#price", "--", "./book.sh")
    run("confirm", plan, answers=("yes",))
    world.slot(price=95)
    said = run("dispatch", plan, "--json").data
    assert (said["outcome"], said["exit"]) == ("blocked_stale", 3)
    assert said["changed"] == {"cwd:slots/slot-42.json": ["/price"]}
    assert said["fresh"] == f"{plan}.2"
    assert "nothing was done" in said["tell"].lower()


def test_confirm_gives_the_yes_or_why_there_is_none(run: Run, world: World) -> None:
    plan = plan_of(run)
    refused = run("confirm", plan, "--json")
    assert (refused.code, refused.data["outcome"]) == (5, "not_confirmed")
    said = run("confirm", plan, "--json", answers=("yes",)).data
    assert (said["outcome"], said["by"]) == ("confirmed", "person:ana")
    again = run("confirm", plan, "--json", answers=("yes",))
    assert (again.code, again.data["outcome"]) == (5, "already_used")


def test_check_gives_a_verdict_and_exits_by_it(run: Run, world: World) -> None:
    plan = plan_of(run)
    assert run("check", plan, "--json").data["verdict"] == "valid"
    world.slot(status="unavailable")
    stale = run("check", plan, "--json")
    assert (stale.code, stale.data["verdict"]) == (3, "stale")
    assert stale.data["checks"][0]["changes"][0]["new"] == ["value", "unavailable"]
    (world.folder / "slots" / "slot-42.json").unlink()
    unread = run("check", plan, "--json")
    assert (unread.code, unread.data["verdict"]) == (4, "unresolvable")
    assert run("show", plan, "--json").data["record"]["state"] == "pending"  # it counts for nothing


def test_lists_are_one_object_with_an_array(run: Run, world: World) -> None:
    assert run("pending", "--json").data["pending"] == []
    assert run("journal", "--json").data["plans"] == []
    plan = plan_of(run)
    waiting = run("pending", "--json").data
    assert [item["record"]["id"] for item in waiting["pending"]] == [plan]
    journal = run("journal", "--json").data
    assert [row["state"] for row in journal["rows"]] == ["pending"]
    assert journal["verify"]["ok"] is True


def test_show_gives_plan_record_and_rows(run: Run, world: World) -> None:
    plan = plan_of(run)
    said = run("show", plan, "--json").data
    assert said["plan"]["steps"][0]["tool"] == "book.sh"
    assert [row["state"] for row in said["rows"]] == ["pending"]
    shown = run("show", plan, "--as-shown", "--json").data
    assert "WILL RUN" in shown["shown"]


def test_reject_cancel_renew_version_and_doctor(run: Run, world: World) -> None:
    assert run("reject", plan_of(run), "--json").data["state"] == "rejected"
    assert run("cancel", plan_of(run), "--json").data["state"] == "cancelled"
    plan = plan_of(run)
    assert run("renew", plan, "--json").data["id"] == plan
    assert set(run("version", "--json").data) == {"lastlook", "python", "sqlite", "driver"}
    assert run("doctor", "--json").data["ok"] is True
    assert run("journal", "verify", "--json").data["ok"] is True


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (("nosuch",), 2, "Usage"),
        (("run", "--expires-in", "x"), 2, "Usage"),
        (("show", "zzzz"), 1, "UnknownPlan"),
        (("propose", "book"), 2, "NotRegistered"),
        (("run", "-e", "slots/slot-42.json#nope", "--", "./book.sh"), 1, "PathNamesNothing"),
        (("run", "-e", "slots/slot-42.json#", "--", "./book.sh"), 1, "NoFields"),
        (("run", "--", "./book.sh"), 1, "NoEvidence"),
        (("run", "-e", "slots/slot-42.json#status = 1", "--", "./book.sh"), 1, "FieldSyntaxError"),
        (("run", "-e", "slots/slot-41.json#status", "--", "./book.sh"), 1, "CaptureFailed"),
        (("run", "-e", "nosuch:slot#status", "--", "./book.sh"), 1, "CaptureFailed"),
        (("run", "-e", "slots/slot-42.json#price == 81", "--", "./book.sh"), 1, "ConditionNotMet"),
        (("run", "-e", "slots/slot-42.json#price", "--", "./nope"), 1, "DeclarationError"),
        (("run", "-e", "slots/slot-42.json#price", "--", "./book.sh", "{x}"), 1, "TemplateError"),
        (("--store", "http://example.org", "pending"), 1, "StoreError"),
        (("--app", "nosuch:look", "pending"), 1, "DeclarationError"),
    ],
)  # fmt: skip
def test_an_error_is_one_object_with_its_type_and_advice(
    run: Run, world: World, words: tuple[str, ...], code: int, kind: str
) -> None:
    json_first = ("--json", *words)
    answer = run(*json_first)
    assert answer.code == code, answer.err
    assert answer.error["type"] == kind
    assert answer.error["what"]
    assert answer.err.startswith("Error: ")
    assert world.booked == []


def test_every_number_in_it_is_json(run: Run, world: World) -> None:
    def refuse(text: str) -> Any:
        raise AssertionError(text)

    world.slot(price=1e300)
    out = run("propose", "--json", "-e", "slots/slot-42.json#price", "--", "./book.sh").out
    json.loads(out, parse_constant=refuse)
