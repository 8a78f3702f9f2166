"""Many reads under one deadline: late is no answer, and nothing hangs for ever."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound
from lastlook.errors import NotRegistered, TemplateError
from lastlook.sources import lanes
from lastlook.sources.lanes import STUCK, WIDTH
from lastlook.sources.reading import read_all
from lastlook.sources.registry import Registry
from lastlook.testing import FakeClock, Hang, ScriptedSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lastlook.core.evidence import Reading


@pytest.fixture
def hang() -> Iterator[Hang]:
    """An answer that does not come; let go, and waited for, when the test is over."""
    hanging = Hang(then={"late": True})
    yield hanging
    hanging.release()
    wait_for_readers()


def wait_for_readers() -> None:
    for thread in threading.enumerate():
        if thread.name == "lastlook-read":
            thread.join(5)
            assert not thread.is_alive()


def read(registry: Registry, *refs: str, deadline: float = 10.0) -> dict[str, Reading]:
    return read_all(registry, refs, deadline_seconds=deadline, monotonic=time.monotonic)


def reason(answer: object) -> str:
    assert isinstance(answer, NoAnswer)
    return answer.reason


# --- order, and one read for each ref ------------------------------------------------------------


@pytest.mark.parametrize("blocking", [False, True])
def test_readings_come_in_the_order_of_the_refs(blocking: bool) -> None:
    beside = ScriptedSource(lambda key: {"key": key}, blocking=blocking)
    registry = Registry({"a": beside, "b": {"x": {"n": 1}}})
    refs = ["b:x", "a:3", "a:1", "b:y", "a:2"]
    readings = read(registry, *refs)
    assert list(readings) == refs
    assert readings["a:2"] == Found({"key": "2"})
    assert readings["b:y"] == NotFound()


@pytest.mark.parametrize("blocking", [False, True])
def test_a_ref_that_is_named_twice_is_read_once(blocking: bool) -> None:
    source = ScriptedSource({"n": 1}, {"n": 2}, blocking=blocking)
    readings = read(Registry({"a": source}), "a:x", "a:x", "a:y", "a:x")
    assert list(readings) == ["a:x", "a:y"]
    assert sorted(source.reads) == ["x", "y"]


def test_a_key_may_hold_colons() -> None:
    source = ScriptedSource({"n": 1})
    read(Registry({"a": source}), "a:b:c")
    assert source.reads == ["b:c"]


def test_no_refs_give_no_readings() -> None:
    assert read(Registry()) == {}


def test_an_unknown_source_is_refused_before_anything_is_read() -> None:
    source = ScriptedSource({"n": 1})
    with pytest.raises(NotRegistered, match="'orders'"):
        read(Registry({"slots": source}), "slots:a", "orders:1")
    assert source.reads == []


@pytest.mark.parametrize("ref", ["", "slots", "slots:", ":a", "Slots:a", "../x:a", "slots\n:a"])
def test_what_is_no_ref_is_refused_before_anything_is_read(ref: str) -> None:
    source = ScriptedSource({"n": 1})
    with pytest.raises(TemplateError):
        read(Registry({"slots": source}), "slots:a", ref)
    assert source.reads == []


def test_sources_that_may_block_are_read_side_by_side() -> None:
    both = threading.Barrier(2, timeout=5)
    sources: Any = {
        name: ScriptedSource(lambda key: {"met": both.wait() >= 0, "key": key}, blocking=True)
        for name in ("a", "b")
    }
    readings = read(Registry(sources), "a:1", "b:2")
    assert readings == {"a:1": Found({"met": True, "key": "1"}),
                        "b:2": Found({"met": True, "key": "2"})}  # fmt: skip


def test_sources_that_do_not_block_are_read_on_the_callers_thread() -> None:
    here: list[str] = []
    source = ScriptedSource(lambda _: here.append(threading.current_thread().name) or NotFound())
    read(Registry({"a": source, "b": ScriptedSource({}, blocking=True)}), "a:1", "b:1")
    assert here == [threading.current_thread().name]


def test_one_source_is_read_by_four_threads_and_no_more() -> None:
    lock, running, most = threading.Lock(), [0], [0]
    four = threading.Barrier(WIDTH, timeout=5)

    def call(key: str) -> object:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        four.wait()
        with lock:
            running[0] -= 1
        return {"key": key}

    registry = Registry({"a": ScriptedSource(call, blocking=True)})
    readings = read(registry, *[f"a:{number}" for number in range(3 * WIDTH)])
    assert all(isinstance(answer, Found) for answer in readings.values())
    assert most == [WIDTH] == [4]


# --- late ----------------------------------------------------------------------------------------


def test_a_read_that_hangs_is_no_answer_and_the_others_are_answered(hang: Hang) -> None:
    registry = Registry({
        "slow": ScriptedSource(hang, timeout=0.05),
        "quick": ScriptedSource({"n": 1}, blocking=True),
        "here": {"x": {"n": 2}},
    })  # fmt: skip
    readings = read(registry, "slow:x", "quick:x", "here:x")
    assert readings["slow:x"] == NoAnswer("no answer within 0.05 s")
    assert readings["quick:x"] == Found({"n": 1})
    assert readings["here:x"] == Found({"n": 2})


def test_the_deadline_of_all_ends_a_read_before_its_own_time_out(hang: Hang) -> None:
    registry = Registry({"slow": ScriptedSource(hang, timeout=60.0)})
    began = time.monotonic()
    assert reason(read(registry, "slow:x", deadline=0.05)["slow:x"]) == "no answer within 0.05 s"
    assert time.monotonic() - began < 5


def test_hanging_sources_share_one_deadline(hang: Hang) -> None:
    registry = Registry({name: ScriptedSource(hang, timeout=60.0) for name in "abcdef"})
    began = time.monotonic()
    readings = read(registry, *[f"{name}:x" for name in "abcdef"], deadline=0.2)
    assert {reason(answer) for answer in readings.values()} == {"no answer within 0.2 s"}
    assert time.monotonic() - began < 1.0


def test_an_answer_that_comes_after_the_time_out_is_never_taken(hang: Hang) -> None:
    source = ScriptedSource(hang, {"n": "fresh"}, timeout=0.05)
    registry = Registry({"slow": source})
    assert isinstance(read(registry, "slow:x")["slow:x"], NoAnswer)
    hang.release()
    wait_for_readers()
    assert read(registry, "slow:x")["slow:x"] == Found({"n": "fresh"})
    assert source.reads == ["x", "x"]


@pytest.mark.parametrize("blocking", [False, True])
@pytest.mark.parametrize(
    ("takes", "timeout", "deadline", "words"),
    [
        (3.0, 2.0, 10.0, "no answer within 2 s"),
        (3.0, 60.0, 2.5, "no answer within 2.5 s"),
        (2.0, 2.0, 10.0, ""),
    ],
)
def test_an_answer_is_late_by_the_clock_that_was_given(
    blocking: bool, takes: float, timeout: float, deadline: float, words: str
) -> None:
    clock = FakeClock()
    source = ScriptedSource(
        lambda _: clock.advance(takes) or {"n": 1}, blocking=blocking, timeout=timeout
    )
    answer = read_all(
        Registry({"a": source}), ["a:x"], deadline_seconds=deadline, monotonic=clock.monotonic
    )["a:x"]
    assert answer == (NoAnswer(words) if words else Found({"n": 1}))


def test_what_was_not_begun_before_the_deadline_is_not_read() -> None:
    clock = FakeClock()
    slow = ScriptedSource(lambda _: clock.advance(5) or {"n": 1}, timeout=60.0)
    other = ScriptedSource({"n": 2})
    registry = Registry({"slow": slow, "other": other})
    readings = read_all(
        registry, ["slow:x", "other:x"], deadline_seconds=3, monotonic=clock.monotonic
    )
    assert readings == dict.fromkeys(["slow:x", "other:x"], NoAnswer("no answer within 3 s"))
    assert other.reads == []


def test_an_answer_in_time_counts_though_it_is_picked_up_later() -> None:
    clock = FakeClock()
    answered = threading.Event()
    beside = ScriptedSource(lambda _: answered.set() or {"n": 1}, blocking=True)

    def busy(_: str) -> object:
        assert answered.wait(5)
        wait_for_readers()
        clock.advance(5)
        return {"n": 2}

    registry = Registry({"beside": beside, "busy": ScriptedSource(busy)})
    readings = read_all(
        registry, ["beside:x", "busy:x"], deadline_seconds=3, monotonic=clock.monotonic
    )
    assert readings["beside:x"] == Found({"n": 1})
    assert isinstance(readings["busy:x"], NoAnswer)


def test_a_read_that_never_got_a_thread_is_late_and_is_not_made_later(hang: Hang) -> None:
    began = threading.Semaphore(0)
    source = ScriptedSource(lambda _: began.release() or hang, blocking=True, timeout=60.0)
    registry = Registry({"slow": source})
    refs = [f"slow:{number}" for number in range(WIDTH)]
    others: dict[str, Reading] = {}
    busy = threading.Thread(target=lambda: others.update(read(registry, *refs)), daemon=True)
    busy.start()
    assert all(began.acquire(timeout=5) for _ in refs)
    late = read(registry, "slow:more", deadline=0.1)["slow:more"]
    assert late == NoAnswer("no answer within 0.1 s")
    hang.release()
    busy.join(5)
    wait_for_readers()
    assert list(others.values()) == [Found({"late": True})] * WIDTH
    assert sorted(source.reads) == [str(number) for number in range(WIDTH)]


# --- left behind ---------------------------------------------------------------------------------


def test_four_reads_left_behind_are_the_end_until_one_comes_back(hang: Hang) -> None:
    source = ScriptedSource(hang, timeout=0.05)
    registry = Registry({"slow": source})
    refs = [f"slow:{number}" for number in range(WIDTH)]
    assert all(isinstance(answer, NoAnswer) for answer in read(registry, *refs).values())
    source.timeout = 60.0
    assert read(registry, "slow:more")["slow:more"] == NoAnswer(STUCK)
    assert "more" not in source.reads
    source.then({"n": 1})
    hang.release()
    wait_for_readers()
    assert read(registry, "slow:more")["slow:more"] == Found({"n": 1})


def test_reads_that_wait_behind_four_that_hang_are_answered_at_once(hang: Hang) -> None:
    source = ScriptedSource(hang, timeout=0.05)
    refs = [f"slow:{number}" for number in range(WIDTH + 3)]
    began = time.monotonic()
    readings = read(Registry({"slow": source}), *refs, deadline=60.0)
    assert [reason(readings[ref]) for ref in refs[WIDTH:]] == [STUCK] * 3
    assert time.monotonic() - began < 10


def test_one_source_that_hangs_leaves_the_others_their_threads(hang: Hang) -> None:
    registry = Registry(
        {
            "slow": ScriptedSource(hang, timeout=0.05),
            "quick": ScriptedSource({"n": 1}, blocking=True),
        }
    )
    read(registry, *[f"slow:{number}" for number in range(WIDTH)])
    assert read(registry, "quick:x", "slow:x") == {
        "quick:x": Found({"n": 1}),
        "slow:x": NoAnswer(STUCK),
    }


def test_a_look_that_is_broken_off_leaves_its_reads_behind(hang: Hang) -> None:
    began = threading.Semaphore(0)

    def interrupted(_: str) -> object:
        assert all(began.acquire(timeout=5) for _ in range(WIDTH))
        raise KeyboardInterrupt

    slow = ScriptedSource(lambda _: began.release() or hang, blocking=True, timeout=60.0)
    registry = Registry({"slow": slow, "here": ScriptedSource(interrupted)})
    with pytest.raises(KeyboardInterrupt):
        read(registry, *[f"slow:{number}" for number in range(WIDTH)], "here:x")
    assert read(registry, "slow:more")["slow:more"] == NoAnswer(STUCK)
    hang.release()
    wait_for_readers()
    assert read(registry, "slow:more")["slow:more"] == Found({"late": True})


def test_a_machine_without_threads_to_spare_gives_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class NoThread(threading.Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    registry = Registry({"a": ScriptedSource({"n": 1}, blocking=True)})
    with monkeypatch.context() as patch:
        patch.setattr(lanes.threading, "Thread", NoThread)
        answer = reason(read(registry, "a:x", "a:y")["a:y"])
    assert answer == "no thread could be started for the read: can't start new thread"
    assert read(registry, "a:x")["a:x"] == Found({"n": 1})


def test_a_thread_that_cannot_be_started_leaves_the_read_to_those_that_run(
    monkeypatch: pytest.MonkeyPatch, hang: Hang
) -> None:
    started: list[threading.Thread] = []

    class OneThread(threading.Thread):
        def start(self) -> None:
            if started:
                raise RuntimeError("can't start new thread")
            started.append(self)
            super().start()

    monkeypatch.setattr(lanes.threading, "Thread", OneThread)
    registry = Registry({"a": ScriptedSource({"n": 1}, blocking=True, timeout=5)})
    lane = registry.lanes["a"]
    first, second = (lanes.Job(ScriptedSource(hang), "x", time.monotonic) for _ in range(2))
    lane.submit(first)
    assert hang.entered.wait(5)
    lane.submit(second)
    hang.release()
    end = time.monotonic() + 5
    assert first.result(end, end, 5) == second.result(end, end, 5) == Found({"late": True})


FORK = """
import os, sys, time
from lastlook.core.evidence import Found
from lastlook.sources.reading import read_all
from lastlook.sources.registry import Registry
from lastlook.testing import Hang, ScriptedSource

source = ScriptedSource(Hang(), timeout=0.05)
registry = Registry({"slow": source})
def read():
    return read_all(registry, ["slow:1", "slow:2", "slow:3", "slow:4"],
                    deadline_seconds=5, monotonic=time.monotonic)
print([answer.reason for answer in read().values()][0])
print([answer.reason for answer in read().values()][0])
sys.stdout.flush()
child = os.fork()
if child == 0:
    source.then({"n": 1})
    os._exit(0 if all(answer == Found({"n": 1}) for answer in read().values()) else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_starts_without_the_reads_its_parent_left_behind() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.stdout.splitlines() == ["no answer within 0.05 s", STUCK, "0"]


def test_lanes_of_another_process_are_not_used() -> None:
    both = lanes.Lanes()
    lane = both["a"]
    assert both["a"] is lane
    both._pid += 1
    assert both["a"] is not lane


# --- whatever a source does ----------------------------------------------------------------------


class Odd(BaseException):
    """Neither an Exception nor an interrupt."""


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no words either")


@pytest.mark.parametrize("blocking", [False, True])
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("no such host"), "it raised ValueError: no such host"),
        (KeyError("a"), "it raised KeyError: 'a'"),
        (RuntimeError(), "it raised RuntimeError"),
        (Odd("stop"), "it raised Odd: stop"),
        (GeneratorExit(), "it raised GeneratorExit"),
        (StopIteration(), "it raised StopIteration"),
        (RecursionError("deep"), "it raised RecursionError: deep"),
        (MemoryError(), "it raised MemoryError"),
        (Mute(), "it raised Mute"),
    ],
)
def test_whatever_a_source_raises_is_no_answer(
    blocking: bool, error: BaseException, words: str
) -> None:
    registry = Registry({"a": ScriptedSource(error, blocking=blocking)})
    assert read(registry, "a:x")["a:x"] == NoAnswer(words)


@pytest.mark.parametrize("blocking", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_goes_through_to_the_caller(
    blocking: bool, error: type[BaseException]
) -> None:
    registry = Registry({"a": ScriptedSource(error(), blocking=blocking)})
    with pytest.raises(error):
        read(registry, "a:x")


def generator() -> Iterator[int]:
    yield 1


async def coroutine() -> dict[str, int]:
    return {}


@pytest.mark.parametrize("blocking", [False, True])
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (generator, "a generator"),
        (coroutine, "a coroutine"),
        (lambda: {1}, "a set"),
        (lambda: None, "None"),
        (lambda: {"status": "available"}, "a dict"),
        (lambda: test_no_refs_give_no_readings, "a function"),
        (lambda: True, "a bool"),
        (lambda: 7, "an int"),
        (lambda: Found, "a StructMeta"),
    ],
)
def test_what_is_no_reading_is_no_answer(make: Any, words: str, blocking: bool) -> None:
    class Wrong(ScriptedSource):
        def read(self, key: str, /) -> Reading:
            return make()

    answer = read(Registry({"a": Wrong(blocking=blocking)}), "a:x")["a:x"]
    assert reason(answer) == f"the source answered with {words}, not with a reading"


def test_words_of_a_source_are_capped() -> None:
    registry = Registry(
        {"a": ScriptedSource(ValueError("x" * 10_000), NoAccess("y" * 10_000), NotFound("z" * 300))}
    )
    assert len(reason(read(registry, "a:1")["a:1"])) == 300
    assert read(registry, "a:1")["a:1"] == NoAccess("y" * 297 + "...")
    assert read(registry, "a:1")["a:1"] == NotFound("z" * 300)


@pytest.mark.parametrize("bad", [7, None, b"x", Mute()])
def test_a_reason_that_is_no_text_becomes_one(bad: Any) -> None:
    answer = read(Registry({"a": ScriptedSource(NoAccess(bad))}), "a:x")["a:x"]
    assert isinstance(answer, NoAccess)
    assert isinstance(answer.reason, str)


def test_a_version_that_is_no_text_is_no_answer() -> None:
    wrong: Any = 7
    registry = Registry({"a": ScriptedSource(Found({}, wrong), Found({}, "7"))})
    assert reason(read(registry, "a:x")["a:x"]) == (
        "the source gave a version that is an int, not a text"
    )
    assert read(registry, "a:x")["a:x"] == Found({}, "7")


def test_a_source_that_loses_its_method_is_no_answer() -> None:
    source: Any = ScriptedSource({})
    registry = Registry({"a": source})
    source.read = None
    assert "TypeError" in reason(read(registry, "a:x")["a:x"])
