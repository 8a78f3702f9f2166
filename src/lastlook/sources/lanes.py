"""Reads that may block, beside the caller's thread: a few at a time for each source.

A source has one lane, and a lane has at most `WIDTH` daemon threads. A read that does
not come back in time is left behind, and its thread with it; nothing it answers later
is looked at. Where every thread of a lane is left behind, further reads of that source
get `NoAnswer` at once, until one of the threads comes back.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from lastlook.core.evidence import NoAnswer
from lastlook.sources.answers import ask, capped, late

if TYPE_CHECKING:
    from collections.abc import Callable

    from lastlook.core.evidence import Reading
    from lastlook.core.ports import Source

WIDTH: Final = 4
"""How many reads of one source run at once, and so how many may be left behind."""

STUCK: Final = f"{WIDTH} earlier reads of this source still hang"


class Job:
    """One read of one record, and what became of it.

    Args:
        source: Where to read.
        key: What to read.
        monotonic: The clock by which the read is judged late.
    """

    __slots__ = (
        "_answer",
        "_began",
        "_begun",
        "_done",
        "_ended",
        "_error",
        "_key",
        "_monotonic",
        "_source",
        "_waits_from",
    )

    def __init__(self, source: Source, key: str, monotonic: Callable[[], float]) -> None:
        self._source = source
        self._key = key
        self._monotonic = monotonic
        self._begun = threading.Event()
        self._done = threading.Event()
        self._began = self._ended = self._waits_from = 0.0
        self._answer: Reading = NoAnswer()
        self._error: BaseException | None = None

    @property
    def done(self) -> bool:
        """Whether there is an answer."""
        return self._done.is_set()

    def run(self) -> None:
        """Read, on whatever thread this is."""
        self._began, self._waits_from = self._monotonic(), time.monotonic()
        self._begun.set()
        try:
            self._answer = ask(self._source, self._key)
        except (KeyboardInterrupt, SystemExit) as error:
            self._error = error
        self._ended = self._monotonic()
        self._done.set()

    def settle(self, answer: Reading) -> None:
        """Give the answer without reading."""
        self._answer = answer
        self._began = self._ended = self._monotonic()
        self._begun.set()
        self._done.set()

    def result(self, wait_until: float, end: float, whole: float) -> Reading:
        """Wait for the answer and return it, or `NoAnswer` where it comes too late.

        Waiting is by the machine's own clock, so that a clock which stands still in a
        test cannot make it wait for ever; being late is by the clock of the job.

        Args:
            wait_until: The end of the whole look, by `time.monotonic`.
            end: The same moment by the clock of the job.
            whole: The seconds that the whole look may take, for the words.
        """
        if not self._begun.wait(max(0.0, wait_until - time.monotonic())):
            return late(whole)
        timeout = self._source.timeout
        patience = min(wait_until, self._waits_from + timeout) - time.monotonic()
        if not self._done.wait(max(0.0, patience)) or self._ended > self._began + timeout:
            return late(min(timeout, whole))
        if self._error is not None:
            raise self._error
        return late(whole) if self._ended > end else self._answer


class Lane:
    """The threads of one source, and the reads that wait for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._left_behind: set[Job] = set()
        self._threads = 0

    def submit(self, job: Job) -> None:
        """Start the read as soon as a thread is free, or answer that none will be."""
        with self._lock:
            if len(self._left_behind) >= WIDTH:
                job.settle(NoAnswer(STUCK))
                return
            self._waiting.append(job)
            if self._threads >= WIDTH:
                return
            self._threads += 1
        self._start()

    def leave(self, job: Job) -> None:
        """Take note that nobody waits for this read any more."""
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
            elif not job.done:
                self._left_behind.add(job)
            if len(self._left_behind) >= WIDTH:
                self._answer_waiting(NoAnswer(STUCK))

    def _start(self) -> None:
        try:
            threading.Thread(target=self._work, name="lastlook-read", daemon=True).start()
        except RuntimeError as error:
            with self._lock:
                self._threads -= 1
                if not self._threads:
                    words = f"no thread could be started for the read: {error}"
                    self._answer_waiting(NoAnswer(capped(words)))

    def _answer_waiting(self, answer: Reading) -> None:
        while self._waiting:
            self._waiting.popleft().settle(answer)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job.run()
            with self._lock:
                self._left_behind.discard(job)

    def _next(self) -> Job | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._threads -= 1
            return None


class Lanes:
    """One lane for each name. A forked child begins anew: threads do not follow it."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._lanes: dict[str, Lane] = {}

    def __getitem__(self, name: str) -> Lane:
        pid = os.getpid()
        if pid != self._pid:
            self._pid, self._lanes = pid, {}
        lane = self._lanes.get(name)
        return lane if lane is not None else self._lanes.setdefault(name, Lane())
