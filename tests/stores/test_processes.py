"""Several processes and one store: one wins each race, and no connection crosses a fork."""

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from lastlook.core.lifecycle import State
from lastlook.stores.driver import load
from lastlook.stores.journal import verify
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import added, apply, confirmed, move, to_claimed, to_confirmed

RACERS = 4
PLANS = 12


def claim_all(path: str, me: int, barrier, wins) -> None:
    """What each racing process does: claim every plan, together with the others."""
    store = SqliteStore(path)
    for n in range(PLANS):
        wanted = to_claimed(store.get(f"p{n}"), owner=f"process-{me}")
        barrier.wait()
        if store.move(wanted) is not None:
            wins.put((n, f"process-{me}"))
    store.close()


def open_first(path: str, me: int, barrier, wins) -> None:
    """What each process does that comes first: make the store, and add a plan."""
    store = SqliteStore(path)
    barrier.wait()
    added(store, f"p{me}")
    if store.add(to_share()) is not None:
        wins.put((me, "shared"))
    store.close()


def to_share():
    from tests.stores.world import new_plan

    return new_plan("shared")


def race(act: Callable[..., None], path: str) -> list[tuple[int, str]]:
    """Run `act` in several fresh processes, and return what they put into `wins`."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(RACERS, timeout=60)
    wins = context.Queue()
    racers = [context.Process(target=act, args=(path, me, barrier, wins)) for me in range(RACERS)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join(90)
    codes = [racer.exitcode for racer in racers]
    for racer in racers:
        racer.kill()
        racer.close()
    assert codes == [0] * RACERS
    said = []
    while not wins.empty():
        said.append(wins.get(timeout=5))
    wins.close()
    wins.join_thread()
    return said


@pytest.mark.slow
def test_of_many_processes_one_gets_each_claim(tmp_path: Path):
    store = SqliteStore(tmp_path / "plans.db")
    for n in range(PLANS):
        confirmed(store, f"p{n}")
    said = race(claim_all, str(tmp_path / "plans.db"))
    assert sorted(n for n, _ in said) == list(range(PLANS))
    assert {(n, store.get(f"p{n}").owner) for n in range(PLANS)} == set(said)
    assert verify(store).rows == PLANS * 3
    assert verify(store).ok
    store.close()


@pytest.mark.slow
def test_processes_that_come_first_together_share_one_store(tmp_path: Path):
    said = race(open_first, str(tmp_path / "a" / "plans.db"))
    assert [what for _, what in said] == ["shared"]
    store = SqliteStore(tmp_path / "a" / "plans.db")
    assert {plan.id for plan in store.plans()} == {"shared", *(f"p{me}" for me in range(RACERS))}
    assert verify(store).ok
    store.close()
    assert sorted(os.listdir(tmp_path / "a")) == ["plans.db", "plans.db-reserve"]


# --- forks ----------------------------------------------------------------------------------------

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def in_child(act: Callable[[], object]) -> int:
    """Run `act` in a forked child; 0 where it went well."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@needs_fork
def test_a_child_uses_the_store_with_a_connection_of_its_own(tmp_path: Path):
    store = SqliteStore(tmp_path / "plans.db")
    record = confirmed(store)
    parents = store._open().database._held()

    def act() -> None:
        assert store._open().database._held() is not parents
        assert store.get("k7f3") == record
        apply(store, to_claimed(record, owner="child"))
        store.close()

    assert in_child(act) == 0
    assert store._open().database._held() is parents
    assert store.get("k7f3").owner == "child"
    apply(store, move(store.get("k7f3"), State.CONFIRMED))
    assert verify(store).ok
    store.close()


def open_files(folder: Path) -> list[str]:
    """The files in a folder that this process has open, where that can be told."""
    handles = "/proc/self/fd"
    if not os.path.isdir(handles):
        return []
    names = [os.path.join(handles, name) for name in os.listdir(handles)]
    targets = [os.readlink(name) for name in names if os.path.lexists(name)]
    return sorted(target for target in targets if target.startswith(f"{folder}/"))


@needs_fork
def test_a_child_does_not_close_what_its_parent_uses(tmp_path: Path):
    store = SqliteStore(tmp_path / "plans.db")
    record = added(store)
    beside = sorted(os.listdir(tmp_path))
    handles = open_files(tmp_path)

    def act() -> None:
        store.close()
        gc.collect()
        assert sorted(os.listdir(tmp_path)) == beside
        assert open_files(tmp_path) == handles

    assert in_child(act) == 0
    assert sorted(os.listdir(tmp_path)) == beside
    assert store.move(to_confirmed(record)) is not None
    assert verify(store).ok
    store.close()


@needs_fork
@pytest.mark.parametrize("end", ["sys.exit(0)", "os._exit(0)"])
def test_a_child_that_ends_leaves_its_parents_files_alone(tmp_path: Path, end):
    script = f"""
        import os, sys, threading
        from tests.stores.world import added, apply, to_confirmed
        from lastlook.stores.sqlite import SqliteStore

        path = sys.argv[1]
        store = SqliteStore(path)
        record = added(store)
        ready, done = threading.Event(), threading.Event()

        def other():
            store.get("k7f3")
            ready.set()
            done.wait(30)

        thread = threading.Thread(target=other)
        thread.start()
        ready.wait(30)
        before = sorted(os.listdir(os.path.dirname(path)))
        pid = os.fork()
        if pid == 0:
            {end}
        assert os.waitpid(pid, 0)[1] == 0
        assert sorted(os.listdir(os.path.dirname(path))) == before, "the child closed it"
        assert store.move(to_confirmed(record)) is not None
        done.set()
        thread.join(30)
        print("well")
    """
    answer = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", textwrap.dedent(script),
         str(tmp_path / "plans.db")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )  # fmt: skip
    assert (answer.stdout, answer.stderr) == ("well\n", "")
    assert sorted(os.listdir(tmp_path)) == ["plans.db", "plans.db-reserve"]  # closed at the end
    store = SqliteStore(tmp_path / "plans.db")
    assert store.get("k7f3").state is State.CONFIRMED
    store.close()


@needs_fork
def test_a_fork_while_another_thread_opens_the_store_does_not_lock_the_child(tmp_path: Path):
    store = SqliteStore(tmp_path / "plans.db")
    added(store)
    store.close()
    with store._lock:
        code = in_child(lambda: store.get("k7f3"))
    assert code == 0


@needs_fork
def test_a_fork_in_the_midst_of_a_change_does_not_end_it(tmp_path: Path):
    store = SqliteStore(tmp_path / "plans.db", busy_ms=50)
    added(store)
    with store._open().database.writing() as connection:
        connection.exec_driver_sql("UPDATE plans SET owner = 'me'")

        def act() -> None:
            other = load().connect(str(tmp_path / "plans.db"), timeout=0, isolation_level=None)
            with pytest.raises(load().OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")

        assert in_child(act) == 0
    assert store.get("k7f3").owner == "me"
    store.close()


def test_threads_that_open_the_store_at_once_open_it_once(tmp_path: Path):
    store = SqliteStore(tmp_path / "plans.db")
    barrier = threading.Barrier(6, timeout=30)
    opened: list[int] = []

    def act() -> None:
        barrier.wait()
        opened.append(id(store._open()))

    threads = [threading.Thread(target=act) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(opened) == 6
    assert len(set(opened)) == 1
    store.close()
