"""What each verb does and prints, beside its exit code."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, World
from tests.cli.test_exit_codes import BOOK, confirmed, edited, proposed

VERBS = (
    "init", "demo", "run", "propose", "confirm", "reject", "cancel", "dispatch", "renew", "check",
    "show", "pending", "journal", "doctor", "conformance", "version",
)  # fmt: skip


def test_the_help_lists_every_verb_and_exit_code(run: Run) -> None:
    answer = run("--help")
    assert answer.code == 0
    for word in (*VERBS, "--store", "--app", "--json", "--install-completion", "7  the tool says"):
        assert word in answer.out
    assert "...\n" not in answer.out.partition("Commands:")[2]  # no summary is cut off
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_has_examples_and_fits(run: Run, verb: str) -> None:
    answer = run(verb, "--help")
    assert answer.code == 0
    assert f"Examples:\n    lastlook {verb}" in answer.out.replace("--app shop:look ", "")
    assert max(map(len, answer.out.splitlines())) <= 80


def test_init_writes_what_runs_and_never_overwrites(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "new"
    answer = run("init", str(folder))
    assert answer.code == 0
    assert "lastlook run book slot_id=slot-42" in answer.out
    monkeypatch.chdir(folder)
    assert run("doctor").code == 0
    assert run("run", "book", "slot_id=slot-42", answers=("yes",)).out == "booked slot-42 for 80\n"
    again = run("--json", "run", "book", "slot_id=slot-42", answers=("yes",))
    assert again.error["type"] == "ConditionNotMet"  # it is booked now
    before = (folder / "lastlook.toml").read_text(encoding="utf-8")
    assert run("init").code == 1
    assert (folder / "lastlook.toml").read_text(encoding="utf-8") == before


def test_the_command_of_init_promises_that_nothing_was_done_where_it_is_too_late(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("init")
    slot = tmp_path / "slots" / "slot-42.json"
    taken = slot.read_text(encoding="utf-8").replace("available", "booked")
    toml = tmp_path / "lastlook.toml"
    text = toml.read_text(encoding="utf-8")
    toml.write_text(text.replace(""", 'status == "available"'""", ""), encoding="utf-8")
    slot.write_text(taken, encoding="utf-8")
    assert run("run", "book", "slot_id=slot-42", answers=("yes",)).code == 7
    assert slot.read_text(encoding="utf-8") == taken


def test_init_keeps_files_that_are_there_and_says_so(run: Run, world: World) -> None:
    (world.folder / "lastlook.toml").unlink(missing_ok=True)
    answer = run("init", "--json")
    assert answer.data["written"] == ["lastlook.toml"]
    assert answer.data["kept"] == ["slots/slot-42.json", "book.sh"]
    assert "left as it is" in answer.err
    inner = run("init", "inner")
    assert "instead of" in inner.out
    assert "cd inner" in inner.out


def test_init_without_permission_is_a_typed_error(run: Run, world: World) -> None:
    (world.folder / "file").write_text("", encoding="utf-8")
    answer = run("--json", "init", "file")
    assert answer.code == 1
    assert "refuses" in answer.error["what"]


def test_verbs_that_only_look_make_no_store(run: Run, world: World, tmp_path: Path) -> None:
    for words in (("pending",), ("journal",), ("doctor",), ("journal", "verify")):
        assert run(*words).code == 0
    for words in (("show", "k7f3"), ("dispatch", "k7f3"), ("reject", "k7f3"), ("check", "k7f3")):
        assert run(*words).code == 1
    assert not (tmp_path / "state").exists()
    proposed(run)
    assert (tmp_path / "state" / "lastlook" / "plans.db").exists()


def test_a_refused_proposal_makes_no_store(run: Run, world: World, tmp_path: Path) -> None:
    assert run("propose", "-e", "slots/slot-42.json#nope", "--", "./book.sh").code == 1
    assert not (tmp_path / "state").exists()


def test_the_store_is_where_the_option_the_variable_or_the_toml_says(
    run: Run, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--store says so" in run("pending", "--store", "mine.db").out
    proposed(run, "--store=mine.db", *BOOK)
    assert (world.folder / "mine.db").exists()
    monkeypatch.setenv("LASTLOOK_STORE", str(tmp_path / "variable.db"))
    assert "LASTLOOK_STORE says so" in run("pending").out
    monkeypatch.delenv("LASTLOOK_STORE")
    world.toml("")
    assert "lastlook.toml" in run("pending").out
    proposed(run)
    assert (world.folder / ".lastlook" / ".gitignore").read_text(encoding="utf-8").strip() == "*"
    other = tmp_path / "other"
    other.mkdir()
    (other / "lastlook.toml").write_text("", encoding="utf-8")
    config = ("--config", str(other / "lastlook.toml"))
    assert str(other) in run("pending", *config).out.replace("\n  ", "")


def test_an_unknown_plan_says_where_it_was_looked_for(run: Run, world: World) -> None:
    answer = run("--json", "show", "zzzz", "--store", "my plans.db")
    assert "my plans.db" in answer.error["where"]
    assert "no store there yet" in answer.error["fix"]
    proposed(run, "--store", "my plans.db", *BOOK)
    answer = run("--json", "show", "zzzz", "--store", "my plans.db")
    assert answer.error["fix"] == "The plans of this place: lastlook --store 'my plans.db' journal"
    answer = run("--json", "show", "zzzz", "--store", "memory")
    assert "kept in memory" in answer.error["fix"]


@pytest.mark.parametrize("words", [("pending",), ("journal",), ("journal", "verify")])
def test_a_place_without_a_store_is_told_from_one_where_nothing_waits(
    run: Run, world: World, words: tuple[str, ...]
) -> None:
    answer = run("--store", "nowhere/x.db", *words)
    assert answer.code == 0
    first, *rest = answer.out.splitlines()
    assert first == "There is no store yet; the first proposal makes it."
    assert "nowhere/x.db" in "".join(rest).replace("\n  ", "")
    assert "WHEN" not in answer.out
    run("reject", proposed(run))
    assert run("pending").out.startswith("No plan waits for a person.\n")


def test_a_plan_of_the_toml_runs_with_typed_arguments(run: Run, world: World) -> None:
    world.toml(
        '[tools.book]\nrun = ["./book.sh", "{slot}", "{n}"]\n'
        'args = { slot = "string", n = "integer" }\n'
        '[plans.book]\nintent = "Book {slot} for {n}"\nargs = { slot = "string", n = "integer" }\n'
        'reads = [{ ref = "cwd:slots/{slot}.json", fields = ["price >= {n}"] }]\n'
        'steps = [{ tool = "book", slot = "{slot}", n = "{n}" }]\n'
    )
    words = ("book", "slot=slot-42", "n=80")
    said = run("propose", "--json", "--expires-in", "60", *words).data["plan"]
    assert said["steps"][0]["arguments"] == {"slot": "slot-42", "n": 80}
    assert said["expires_at"] is not None
    assert run("run", *words, answers=("yes",)).code == 0
    assert world.booked == ["slot-42 80"]
    wrong = run("--json", "propose", "book", "slot=slot-42", "n=many")
    assert wrong.error["type"] == "BadArguments"
    assert run("propose", "bok").code == 2


def test_quiet_prints_the_id_of_a_new_plan_and_nothing_else(run: Run, world: World) -> None:
    answer = run("propose", "-q", *BOOK)
    plan = answer.out.strip()
    assert (answer.err, len(plan)) == ("", 4)
    assert run("confirm", "-q", plan, answers=("yes",)) == (0, "", "")
    assert run("dispatch", "-q", plan) == (0, "booked slot-42\n", "")


def test_verbose_shows_log_lines_with_names_and_no_values(run: Run, world: World) -> None:
    plan = proposed(run)
    answer = run("confirm", "-v", plan, answers=("yes",))
    assert f"plan={plan} confirmed" in answer.err
    assert "available" not in answer.err


def test_show_has_history_facts_and_the_question_to_the_letter(run: Run, world: World) -> None:
    plan = confirmed(run)
    world.slot(status="unavailable")
    run("dispatch", plan)
    shown = run("show", plan).out
    assert "WHAT HAPPENED" in shown
    assert "FACTS" not in shown
    assert f"What it runs and rests on: lastlook show {plan} --as-shown\n" in shown
    assert f"The facts at three moments: lastlook show {plan} --facts\n" in shown
    facts = run("show", plan, "--facts").out
    assert "three moments" not in facts
    assert "right before it ran" in facts
    assert '"unavailable"' in facts
    letter = run("show", plan, "--as-shown")
    from hashlib import sha256

    digest = "sha256:" + sha256(letter.out.removesuffix("\n").encode()).hexdigest()
    said = run("show", plan, "--json").data["record"]["confirmation"]
    assert said["shown"] == digest


def test_the_help_says_where_screens_go_and_what_a_bare_show_leaves_out(run: Run) -> None:
    assert "One JSON object on stdout; screens go to stderr." in run("--help").out
    assert "its question: --as-shown" in " ".join(run("show", "--help").out.split())


def test_a_plan_that_rests_on_nothing_has_nothing_to_check(run: Run, world: World) -> None:
    plan = proposed(run, "--no-evidence", "it only greets", "--", "./book.sh")
    answer = run("check", plan)
    assert answer.code == 0
    assert "It rests on nothing, so there is nothing to look at." in answer.out


def test_a_tampered_plan_is_not_shown_as_if_it_were_the_plan(
    run: Run, world: World, tamper: Callable[[str], None]
) -> None:
    plan = proposed(run)
    tamper(edited(plan))
    shown = run("--json", "show", plan)
    assert (shown.code, shown.error["type"]) == (1, "SealMismatch")
    assert "(can't be read)" in run("pending").out
    assert run("pending", "--json").data["pending"][0]["plan"] is None
    asked = run("confirm", plan, "--json", answers=("yes",))
    assert (asked.code, asked.data["outcome"]) == (5, "blocked_tampered")


def test_journal_filters_and_shows_every_row(run: Run, world: World) -> None:
    done, waiting = confirmed(run), proposed(run, "--asked-by", "support", *BOOK)
    run("dispatch", done)

    def listed(*words: str) -> list[str]:
        return [item["id"] for item in run("journal", "--json", *words).data["plans"]]

    assert listed() == [done, waiting]
    assert listed(done) == [done]
    assert listed("--state", "pending") == [waiting]
    assert listed("--state", "pending", "--state", "executed") == [done, waiting]
    assert listed("--asked-by", "support") == listed("--asked-by", "agent:support") == [waiting]
    assert listed("--last", "1") == [waiting]
    assert listed("--since", "2000-01-01") == [done, waiting]
    assert listed("--since", "2999-01-01T00:00+02:00") == []
    rows = run("journal", done, "--rows").out
    for state in ("new -> pending", "pending -> confirmed", "executing -> executed"):
        assert state in rows
    assert "journal intact" in rows
    text = run("journal").out
    assert "1 executed" in text
    assert "plans.db" in text


def test_journal_verify_finds_an_edited_row(
    run: Run, world: World, tamper: Callable[[str], None]
) -> None:
    plan = proposed(run)
    assert run("journal", "verify").code == 0
    tamper("UPDATE journal SET by = 'person:eve'")
    answer = run("journal", "verify")
    assert answer.code == 1
    assert "journal damaged" in answer.out
    assert plan in answer.out
    assert run("journal", "verify", "--json").data["problems"][0]["plan"] == plan
    assert run("doctor").code == 1


def test_renew_gives_the_fresh_plan_or_says_why_there_is_none(run: Run, world: World) -> None:
    words = ("-e", "slots/slot-42.json#price", "--", "./book.sh")
    plan = proposed(run, *words)
    assert f"plan {plan}" in run("renew", plan).out  # nothing changed
    world.slot(price=95)
    assert f"plan {plan}.2" in run("renew", plan).out
    done = proposed(run)
    run("reject", done)
    answer = run("--json", "renew", done)
    assert (answer.code, answer.error["type"]) == (1, "NoFreshPlan")


def test_a_plan_that_was_renewed_too_often_is_parked_and_shown_as_such(
    run: Run, world: World
) -> None:
    plan = proposed(run, "-e", "slots/slot-42.json#price", "--", "./book.sh")
    for price in range(6):
        world.slot(price=price)
        answer = run("renew", plan, "--json")
        plan = answer.data["id"]
    assert answer.data["state"] == "parked"
    assert "parked" in run("renew", plan).out or "parked" in run("pending").out
    asked = run("confirm", plan)
    assert asked.code == 5


def test_confirm_asks_afresh_after_a_block_and_looks_again_where_it_cannot_read(
    run: Run, world: World
) -> None:
    words = ("-e", "slot=slots/slot-42.json#price", "--", "./book.sh", "{slot.price}")
    plan = proposed(run, *words)
    path = world.folder / "slots" / "slot-42.json"

    def dearer(question: object) -> str:
        world.slot(price=95)
        return "yes"

    def gone(question: object) -> str:
        os.rename(path, f"{path}.away")
        return "yes"

    def back(question: object) -> str:
        os.rename(f"{path}.away", path)
        return "again"

    assert run("confirm", plan, answers=(dearer, "yes")).code == 0
    assert run("dispatch", f"{plan}.2").code == 0
    assert world.booked == ["95"]
    other = proposed(run, *words)
    assert run("confirm", other, answers=(gone, back)).code == 0
    third = proposed(run, *words)
    left = run("confirm", third, "--json", answers=(gone, "no"))
    assert (left.code, left.data["outcome"]) == (5, "not_confirmed")


def test_a_no_at_confirm_rejects_with_the_words(run: Run, world: World) -> None:
    plan = proposed(run)
    assert run("confirm", plan, answers=("no",)).code == 5
    assert run("confirm", plan, answers=("yes",)).code == 5
    other = proposed(run)
    assert run("reject", other, "--why", "too dear").code == 0
    assert "too dear" in run("journal").out
    assert run("reject", other).code == 1


def test_names_from_elsewhere_cannot_write_to_the_terminal(run: Run, world: World) -> None:
    hostile = "\x1b[2J\u202e"
    answer = run("show", hostile)
    assert answer.code == 1
    assert "\x1b" not in answer.err
    assert "\\u{1B}" in answer.err


def test_a_no_that_comes_too_late_says_how_the_plan_stands(run: Run, world: World) -> None:
    plan = proposed(run)

    def withdrawn(question: object) -> str:
        assert run("cancel", plan).code == 0
        return "no"

    asked = run("confirm", plan, "--json", answers=(withdrawn,))
    assert (asked.code, asked.data["outcome"]) == (5, "cancelled")
