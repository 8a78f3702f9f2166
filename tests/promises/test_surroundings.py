"""The promises about files, terminals, texts, secrets and the journal."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lastlook import JsonFiles
from lastlook.core.evidence import Found
from tests.promises.world import SLOT, world


@pytest.mark.promise("P-007")
def test_without_a_terminal_nobody_says_yes_and_nothing_runs(tmp_path: Path) -> None:
    script = (
        "from tests.promises.world import world\n"
        "here = world()\n"
        "outcome = here.look.ask(here.propose())\n"
        "print(type(outcome).__name__, here.booked)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script],
        input="y\n" * 5,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
        timeout=60,
        check=False,
    )
    assert answer.stdout.strip().endswith("NotConfirmed []"), answer.stdout + answer.stderr


@pytest.mark.promise("P-010")
def test_the_store_is_for_its_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "state" / "plans.db"
    before = os.umask(0)
    try:
        here = world(store=path)
        here.confirmed()
        files = [p for p in path.parent.rglob("*") if p.is_file()]
        assert path in files
        assert {oct(stat.S_IMODE(p.stat().st_mode)) for p in files} == {"0o600"}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        here.look.close()
    finally:
        os.umask(before)


@pytest.mark.promise("P-011")
@pytest.mark.parametrize(
    "key", ["../secret", "link", "folder/inside", "a/../../secret", "/etc/hostname", ""]
)
def test_a_key_cannot_lead_out_of_its_folder(tmp_path: Path, key: str) -> None:
    root = tmp_path / "slots"
    outside = tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    for path in (tmp_path / "secret.json", outside / "inside.json"):
        path.write_text('{"secret": 1}', encoding="utf-8")
    (root / "link.json").symlink_to(tmp_path / "secret.json")
    (root / "folder").symlink_to(outside)
    (root / "slot.json").write_text("{}", encoding="utf-8")
    source = JsonFiles(root)
    assert isinstance(source.read("slot"), Found)
    assert not isinstance(source.read(key), Found)


@pytest.mark.promise("P-012")
def test_text_from_elsewhere_is_shown_with_its_invisible_characters_spelled_out() -> None:
    hostile = "ok\x1b[2J\u202egnp.exe\u200b\u0007"
    here = world(fields=("note",))
    here.records["slot-42"]["note"] = hostile
    plan = here.confirmed()
    here.records["slot-42"]["note"] = hostile + "\r"
    text = here.look.dispatch(plan).text()
    assert "gnp.exe" in text
    assert not any(c in text for c in "\x1b\u202e\u200b\u0007\r")
    assert all(f"\\u{{{code}}}" in text for code in ("1B", "202E", "200B"))


CLI = "import sys; from lastlook.cli import main; sys.exit(main())"
SECRET = "4998-7499-1234"


@pytest.mark.promise("P-013")
def test_a_secret_is_in_no_question_outcome_log_or_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from lastlook.core.prompt import Question
    from lastlook.core.screens import question_screen

    caplog.set_level("DEBUG")
    path = tmp_path / "plans.db"
    here = world(fields=("note (secret)", "status"), store=path)
    here.records["slot-42"]["note"] = SECRET
    plan = here.confirmed()
    here.records["slot-42"]["note"] = SECRET + "-5678"
    outcome = here.look.dispatch(plan)
    assert outcome.changed == {"slots:slot-42": ("/note",)}
    question = question_screen(Question(plan=plan)).plain()
    rows = [str(row) for row in here.look.journal()]
    shown = [question, outcome.text(), str(outcome.data()), repr(outcome), repr(plan), *rows]
    assert [text for text in (*shown, caplog.text) if SECRET in text] == []
    here.look.close()
    assert [p.name for p in tmp_path.iterdir() if SECRET.encode() in p.read_bytes()] == []


@pytest.mark.promise("P-014")
def test_the_journal_names_fields_and_holds_no_value() -> None:
    here = world(fields=("note", "status"))
    here.records["slot-42"]["note"] = "a first remark"
    plan = here.confirmed()
    here.records["slot-42"]["note"] = "a second remark"
    here.look.dispatch(plan)
    rows = " ".join(str(row) for row in here.look.journal())
    assert "note" in rows
    assert "remark" not in rows


@pytest.mark.promise("P-015")
def test_a_journal_row_that_was_changed_is_found(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "plans.db"
    here = world(store=path)
    plan = here.confirmed()
    here.look.dispatch(plan)
    here.look.close()

    def verify() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", CLI, "journal", "verify"],
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "LASTLOOK_STORE": str(path),
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            timeout=60,
            check=False,
        )

    assert verify().returncode == 0, verify().stdout + verify().stderr
    with sqlite3.connect(path) as raw:
        changed = raw.execute(
            "UPDATE journal SET by = 'person:eve' WHERE by = 'person:ana'"
        ).rowcount
    raw.close()
    assert changed > 0
    answer = verify()
    assert answer.returncode == 1
    assert plan.id in answer.stdout + answer.stderr


def test_the_world_of_these_tests_runs_when_nothing_changes() -> None:
    here = world()
    assert here.look.dispatch(here.confirmed()).ok
    assert here.booked == [("slot-42", SLOT["price"])]
