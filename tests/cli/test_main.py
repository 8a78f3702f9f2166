"""The entry itself: words, streams, signals, and how quickly it is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lastlook.cli import hoisted, main, split_command
from lastlook.cli.output import Output, Usage
from lastlook.core.screens.layout import Screen, Span
from tests.cli.at_terminal import ROOT
from tests.cli.conftest import Run, World
from tests.cli.test_exit_codes import BOOK, proposed

LASTLOOK = "import sys; from lastlook.cli import main; sys.exit(main())"


def process(*words: str, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", LASTLOOK, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, start_new_session=True, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["a", "--json", "b"], ["--json", "a", "b"]),
        (["a", "--store", "x", "b"], ["--store", "x", "a", "b"]),
        (["a", "--store=x", "--storex"], ["--store=x", "a", "--storex"]),
        (["a", "-q", "-v", "--no-color"], ["-q", "-v", "--no-color", "a"]),
        (["a", "--app", "m:n", "--config", "c"], ["--app", "m:n", "--config", "c", "a"]),
    ],
)
def test_options_of_every_verb_stand_anywhere(words: list[str], first: list[str]) -> None:
    assert hoisted(words) == first


def test_an_option_without_its_value_is_usage(run: Run) -> None:
    with pytest.raises(Usage):
        hoisted(["pending", "--store"])
    assert run("pending", "--json", "--config").error["type"] == "Usage"


def test_everything_after_the_first_dashes_is_the_commands_own() -> None:
    assert split_command(["run", "--", "x", "--json", "--", "y"]) == (
        ["run"],
        ("x", "--json", "--", "y"),
    )
    assert split_command(["run"]) == (["run"], None)


def test_options_of_the_command_are_not_taken_for_ours(run: Run, world: World) -> None:
    answer = run("run", "-e", BOOK[1], "--", "./book.sh", "--json", "-q", answers=("yes",))
    assert (answer.code, world.booked) == (0, ["--json -q"])
    assert "EXECUTED" in answer.err


def test_no_words_print_the_help(run: Run) -> None:
    answer = run()
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == run("--help").out
    assert run("--no-color").code == 2  # something was meant, and no verb is there


def test_a_reader_that_goes_away_is_no_error(world: World) -> None:
    read, write = os.pipe()
    os.close(read)
    child = process("--help", stdout=write, stderr=subprocess.PIPE, cwd=world.folder)
    pending = process("pending", stdout=write, stderr=subprocess.PIPE, cwd=world.folder)
    os.close(write)
    for each in (child, pending):
        _, error = each.communicate(timeout=30)
        assert error == b""
    assert pending.returncode == 0


def test_the_exit_code_is_kept_where_nobody_reads(run: Run, world: World, tmp_path: Path) -> None:
    plan = proposed(run)
    read, write = os.pipe()
    os.close(read)
    child = process("dispatch", plan, stdout=write, stderr=write, cwd=world.folder)
    os.close(write)
    assert child.wait(30) == 5


def test_a_terminal_without_the_letters_gets_their_codes(world: World) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "ascii"}
    words = ["propose", "--intent", "Grüße", "-e", BOOK[1], "--", "./book.sh"]
    answer = subprocess.run(
        [sys.executable, "-c", LASTLOOK, *words], env=environment, capture_output=True,
        cwd=world.folder, timeout=30, check=False,
    )  # fmt: skip
    assert answer.returncode == 0
    assert rb"Gr\xfc\xdfe" in answer.stdout


def test_the_handler_of_interrupts_is_put_back(run: Run) -> None:
    before = signal.getsignal(signal.SIGINT)
    run("version")
    assert signal.getsignal(signal.SIGINT) is before


def test_a_handler_of_the_programs_own_is_left_alone(run: Run) -> None:
    def own(*_: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGINT, own)
    try:
        run("version")
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)


def test_it_runs_on_a_thread_of_somebody_elses_program(
    capfd: pytest.CaptureFixture[str],
) -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["version"])))
    thread.start()
    thread.join(30)
    assert codes == [0]
    assert "lastlook" in capfd.readouterr().out


def test_a_closed_stream_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with open(tmp_path / "out", "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        Output().screen(Screen(((Span("there"),),)))
    Output().close()
    assert (tmp_path / "out").read_text(encoding="utf-8") == "there\n"


def test_one_object_is_printed_however_often_data_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = Output(json=True)
    output.data({"a": 1})
    output.data({"b": 2})
    print("for people")  # as an application may
    output.close()
    assert capsys.readouterr() == ('{\n  "a": 1\n}\n', "for people\n")


def test_ctrl_c_before_anything_began_is_130(world: World) -> None:
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nlook = None\n"
    (world.folder / "interrupted.py").write_text(text, encoding="utf-8")
    child = process(
        "--app", "interrupted:look", "pending", cwd=world.folder, stderr=subprocess.PIPE
    )
    _, error = child.communicate(timeout=30)
    assert child.returncode == 130
    assert b"Traceback" not in error


def test_the_help_loads_nothing_slow() -> None:
    script = (
        "import sys; from lastlook.cli import main; main(['--help'])\n"
        "slow = {'rich', 'sqlalchemy', 'sqlite3', 'pysqlite3', 'asyncio', 'concurrent'}\n"
        "print('LOADED', sorted(slow & set(sys.modules)))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=30,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert answer.stdout.endswith("LOADED []\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_for_a_shell(shell: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", LASTLOOK], capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "_LASTLOOK_COMPLETE": f"source_{shell}"},
    )  # fmt: skip
    assert "lastlook" in answer.stdout
    assert "complet" in answer.stdout


def test_the_shell_completes_verbs_and_plan_ids(run: Run, world: World) -> None:
    plan = proposed(run)

    def completed(line: str) -> list[str]:
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT / "src"), "_LASTLOOK_COMPLETE": "complete_bash",
            "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1),
        }  # fmt: skip
        answer = subprocess.run(
            [sys.executable, "-c", LASTLOOK], capture_output=True, text=True, timeout=30,
            check=False, cwd=world.folder, env=environment,
        )  # fmt: skip
        return answer.stdout.split()

    assert completed("lastlook disp") == ["dispatch"]
    assert completed(f"lastlook confirm {plan[:2]}") == [plan]
    assert completed("lastlook journal ver") == ["verify"]


def test_completion_says_nothing_where_it_goes_wrong(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastlook.cli.options import plan_ids

    monkeypatch.setenv("LASTLOOK_STORE", "http://example.org")
    assert plan_ids("k") == []
