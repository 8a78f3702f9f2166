"""Ctrl-C at any moment: an exit code that is true, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from lastlook import cli
from lastlook.cli import interrupts
from lastlook.cli.interrupts import INTERRUPTED, Interrupts
from tests.cli.at_terminal import ROOT
from tests.cli.conftest import Run, World
from tests.cli.test_main import LASTLOOK

PATIENCE = 30.0

SLOW = """
import sys, time
from lastlook import Lastlook, Planning

def halt(where):
    print(f"at {where}", file=sys.stderr, flush=True)
    time.sleep(PAUSE)

PAUSE = 20

class Slow(Lastlook):
    def close(self):
        if "close" in STOPS:
            halt("close")
        super().close()

def read(key):
    if "read" in STOPS:
        halt("read")
    return {"status": "free"}

look = Slow(sources={"slots": read}, store="plans.db", confirms={"all": ["book"]})

@look.tool(writes=["slots:{k}#status"])
def book(k: str) -> None:
    if "tool" in STOPS:
        halt("tool")

@look.planner("Book {k}")
def plan_it(plan: Planning, k: str) -> None:
    plan.read(f"slots:{k}", "status")
    plan.step(book, k=k)

if "import" in STOPS:
    halt("import")
"""


class Child:
    """`lastlook` in a process and a session of its own."""

    def __init__(self, folder: Path, stops: str, *words: str, pause: float = 20) -> None:
        text = f"STOPS = {stops!r}\n{SLOW.replace('PAUSE = 20', f'PAUSE = {pause}')}"
        (folder / "slow.py").write_text(text, encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-c", LASTLOOK, "--app", "slow:look", *words],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            cwd=folder, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        )  # fmt: skip

    def wait_for(self, text: str) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if line.decode().strip() == text:
                return
        raise AssertionError(f"{text} did not come")

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def ends(self) -> tuple[int, str]:
        _, error = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, error.decode()


@pytest.fixture
def start(world: World) -> Iterator[Callable[..., Child]]:
    children: list[Child] = []

    def started(stops: str, *words: str, **more: float) -> Child:
        children.append(Child(world.folder, stops, *words, **more))
        return children[-1]

    yield started
    for child in children:
        child.process.kill()
        child.process.communicate(timeout=PATIENCE)


def confirmed(start: Callable[..., Child]) -> str:
    child = start("", "propose", "plan_it", "k=1", "--quiet")
    out, error = child.process.communicate(timeout=PATIENCE)
    assert child.process.returncode == 0, error
    return str(out.decode().strip())


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("import", ["pending"]),
        ("read", ["propose", "plan_it", "k=1"]),
        ("close", ["pending"]),
        ("close", ["journal", "--json"]),
    ],
)
def test_ctrl_c_before_anything_began_is_130_and_no_traceback(
    start: Callable[..., Child], stop: str, words: list[str]
) -> None:
    child = start(stop, *words, pause=20 if stop != "close" else 1)
    child.wait_for(f"at {stop}")
    child.interrupt()
    code, error = child.ends()
    assert (code, "Traceback" in error) == (INTERRUPTED, False), error


@pytest.mark.slow
@pytest.mark.parametrize("stops", ["import", "import close", "read close", "close"])
def test_ctrl_c_held_down_is_130_and_no_traceback(start: Callable[..., Child], stops: str) -> None:
    words = ["propose", "plan_it", "k=1"] if "read" in stops else ["pending"]
    child = start(stops, *words, pause=0.5)
    child.wait_for(f"at {stops.partition(' ')[0]}")
    end = time.monotonic() + PATIENCE
    while child.process.poll() is None:
        assert time.monotonic() < end
        child.interrupt()
        time.sleep(0.004)
    code, error = child.ends()
    assert (code, "Traceback" in error) == (INTERRUPTED, False), error


@pytest.mark.slow
def test_ctrl_c_over_a_close_that_hangs_leaves_at_once(start: Callable[..., Child]) -> None:
    child = start("close", "pending", pause=20)
    child.wait_for("at close")
    end = time.monotonic() + 15
    while child.process.poll() is None:
        assert time.monotonic() < end
        child.interrupt()
        time.sleep(0.2)
    code, error = child.ends()
    assert (code, "Traceback" in error) == (INTERRUPTED, False), error


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_after_a_plan_began_says_so(
    start: Callable[..., Child], run: Run, times: int
) -> None:
    plan = confirmed(start)
    child = start("tool", "dispatch", plan, "--json")
    child.wait_for("at tool")
    for _ in range(times):
        child.interrupt()
        time.sleep(0.05)
    code, error = child.ends()
    assert (code, "Traceback" in error) == (6, False), error
    assert run("--store", "plans.db", "journal", "--json").data["plans"][0]["state"] == "unknown"


def test_ctrl_c_while_closing_does_not_hide_that_a_plan_ran(start: Callable[..., Child]) -> None:
    plan = confirmed(start)
    child = start("close", "dispatch", plan, pause=1)
    child.wait_for("at close")
    child.interrupt()
    code, error = child.ends()
    assert (code, "Traceback" in error) == (0, False), error


# --- the handler ----------------------------------------------------------------------------------


@pytest.fixture
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "GRACE", 0.0)


def test_one_is_raised_and_those_right_behind_it_are_only_noted() -> None:
    own = Interrupts(whole=False)
    with pytest.raises(KeyboardInterrupt):
        own.handle()
    own.handle()
    assert own.noted == 2


def test_one_that_comes_later_is_raised_again(no_grace: None) -> None:
    own = Interrupts(whole=False)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            own.handle()


def test_none_is_raised_under_hold(no_grace: None) -> None:
    own = Interrupts(whole=False)
    own.hold()
    own.hold(6)
    own.handle()
    assert own.noted == 1


def test_who_waits_no_longer_leaves_with_what_is_known(
    no_grace: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []
    monkeypatch.setattr(interrupts, "PATIENCE", -1.0)
    monkeypatch.setattr(interrupts, "os", SimpleNamespace(_exit=left.append))
    for whole in (False, True):
        own = Interrupts(whole=whole)
        own.hold(6)
        own.handle()
    assert left == [6]


@pytest.mark.parametrize(
    ("code", "verb", "told"),
    [(0, "pending", 130), (0, "dispatch", 0), (0, "confirm", 0), (5, "run", 130), (6, "run", 6),
     (1, "show", 1), (0, "", 130)],
)  # fmt: skip
def test_an_exit_code_that_tells_what_became_of_a_plan_stands(
    code: int, verb: str, told: int
) -> None:
    own = Interrupts(whole=False)
    assert own.exit_code(code, verb=verb) == code
    own.noted = 1
    assert own.exit_code(code, verb=verb) == told


def test_what_is_interrupted_as_it_closes_is_noted() -> None:
    class Closing:
        def close(self) -> None:
            raise KeyboardInterrupt

    own = Interrupts(whole=False)
    own.closed(Closing())
    assert own.noted == 1


def test_a_ctrl_c_inside_of_a_finalizer_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    before = signal.getsignal(signal.SIGINT)
    own = Interrupts(whole=True)
    own.begin()
    signal.signal(signal.SIGINT, before)
    for kind in (KeyboardInterrupt, ValueError):
        sys.unraisablehook(SimpleNamespace(exc_type=kind))
    assert [item.exc_type for item in told] == [ValueError]


def interrupting(*_: object, **__: object) -> int:
    raise KeyboardInterrupt


@pytest.mark.parametrize("where", ["_run", "_guarded", "split_command"])
def test_one_that_is_raised_in_the_entry_itself_is_130(
    run: Run, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(cli, where, interrupting)
    before = signal.getsignal(signal.SIGINT)
    assert run("version").code == INTERRUPTED
    assert signal.getsignal(signal.SIGINT) is before


def test_one_that_is_raised_behind_the_end_of_a_verb_does_not_hide_its_end(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hints:
        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(cli, "hints", lambda _: Hints())
    assert run("init", str(world.folder / "new")).code == 0
