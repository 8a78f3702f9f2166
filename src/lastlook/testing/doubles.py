"""Doubles: sources, clocks and people that do as a test tells them."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from lastlook.core.evidence import Found, NoAnswer, Reading

if TYPE_CHECKING:
    from lastlook.core.evidence import Consistency
    from lastlook.core.outcome import Outcome
    from lastlook.core.prompt import Answer as PersonsAnswer
    from lastlook.core.prompt import LookAgain, Question

__all__ = ["START", "FakeClock", "Hang", "ScriptedAsker", "ScriptedSource"]

START: Final = datetime(2026, 10, 23, 10, 0, tzinfo=UTC)
"""Where a `FakeClock` stands when it is new: 2026-10-23T10:00:00Z."""

LONGEST_HANG: Final = 30.0
"""Seconds after which a forgotten `Hang` lets go, so that no test run stands still."""


class FakeClock:
    """A clock that moves only when told to; safe to use from several threads.

    Args:
        start: The wall-clock time it begins at, with a zone.
    """

    def __init__(self, start: datetime = START) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock needs a time with a zone, such as tzinfo=UTC")
        self._lock = threading.Lock()
        self._now = start.astimezone(UTC)
        self._monotonic = 0.0

    def now(self) -> datetime:
        """Return the wall-clock time, aware, in UTC."""
        with self._lock:
            return self._now

    def monotonic(self) -> float:
        """Return the seconds that have passed by `advance` since the beginning."""
        with self._lock:
            return self._monotonic

    def advance(self, seconds: float) -> None:
        """Let time pass: both clocks go on by `seconds`, which is not negative."""
        if seconds < 0:
            raise ValueError("time does not run backwards; use set_back for the wall clock")
        with self._lock:
            self._now += timedelta(seconds=seconds)
            self._monotonic += seconds

    def set_back(self, seconds: float) -> None:
        """Move the wall clock alone back by `seconds`, as an administrator may."""
        with self._lock:
            self._now -= timedelta(seconds=seconds)


class Hang:
    """An answer that does not come until `release` is called.

    Attributes:
        then: What the read answers once it is released; read as any other answer
            of a `ScriptedSource`.
        entered: Set as soon as a read hangs in it, so that a test can wait for that.
    """

    def __init__(self, then: object = NoAnswer("released")) -> None:
        self.then = then
        self.entered = threading.Event()
        self._released = threading.Event()

    def release(self) -> None:
        """Let every read that hangs here, and every later one, go on."""
        self._released.set()

    def wait(self) -> None:
        """Stand still until `release`, for at most `LONGEST_HANG` seconds."""
        self.entered.set()
        self._released.wait(LONGEST_HANG)


Answer: TypeAlias = "Reading | Mapping[str, Any] | BaseException | Hang | Callable[[str], object]"
"""What a `ScriptedSource` can be told to do on one read."""


class ScriptedSource:
    """A source that answers what it was told to, in turn, whatever the key.

    An answer is a reading, which is returned as it is; a mapping, which is returned
    as `Found` with a copy of it; an exception, which is raised; a `Hang`, which waits;
    or a function of the key, whose result is read in the same way. Anything else is
    returned as it is, to see what becomes of a source that gives the wrong type. The
    last answer is given again and again. With no answer at all, `NoAnswer`.

    Args:
        answers: The answers, in the order of the reads.
        blocking: Whether reads run beside the caller's thread; by default only where
            one of the answers is a `Hang`.
        consistency: What the source says of its reads.
        absence_is_proof: Whether its `NotFound` counts as proof of absence.
        timeout: Seconds that one read may take.
        name: Tells two scripted sources apart in their configuration.

    Attributes:
        reads: The keys that were asked for, in order.
    """

    def __init__(
        self,
        *answers: Answer | object,
        blocking: bool | None = None,
        consistency: Consistency = "linearizable",
        absence_is_proof: bool = False,
        timeout: float = 2.0,
        name: str = "",
    ) -> None:
        self.reads: list[str] = []
        self.blocking = (
            any(isinstance(answer, Hang) for answer in answers) if blocking is None else blocking
        )
        self.consistency: Consistency = consistency
        self.absence_is_proof = absence_is_proof
        self.timeout = timeout
        self._answers = list(answers)
        self._next = 0
        self._name = name
        self._lock = threading.Lock()

    def then(self, *answers: Answer | object) -> None:
        """Forget what is left of the script, and give these answers from now on."""
        with self._lock:
            self._answers = list(answers)
            self._next = 0

    def read(self, key: str, /) -> Reading:
        """Give the next answer, and keep `key` in `reads`."""
        with self._lock:
            self.reads.append(key)
            answer = self._take()
        return cast("Reading", _play(answer, key))

    def describe(self) -> dict[str, object]:
        """Return the kind and the name: scripts do not tell two sources apart."""
        return {"kind": "scripted", "name": self._name}

    def _take(self) -> object:
        if not self._answers:
            return NoAnswer("the script has no answer")
        answer = self._answers[min(self._next, len(self._answers) - 1)]
        self._next += 1
        return answer


def _play(answer: object, key: str) -> object:
    """Turn one answer of a script into what the read returns or raises."""
    if isinstance(answer, Hang):
        answer.wait()
        return _play(answer.then, key)
    if isinstance(answer, BaseException):
        raise answer
    if isinstance(answer, Mapping):
        return Found(copy.deepcopy(dict(answer)))
    if isinstance(answer, type) or not callable(answer):
        return answer
    return _play(answer(key), key)


class ScriptedAsker:
    """A person who says what the test tells her, in turn, and nothing after the last.

    An answer is `"yes"`, `"no"`, `"again"`, `"nothing"`, an `Answer`, or a function of the
    question that returns one of these: it runs while the question stands, so it is the
    place to change a record under the person's eyes.

    ```python
    def booked_meanwhile(question):
        slots.then({"status": "unavailable"})
        return "yes"

    asker = ScriptedAsker(booked_meanwhile, "no")
    ```

    Args:
        answers: The answers, in the order of the questions.
        by: Who says them, as a principal.

    Attributes:
        questions: What was asked, in order.
        outcomes: What was told, in order.
    """

    channel = "test"

    def __init__(self, *answers: object, by: str = "person:ana") -> None:
        self.questions: list[Question | LookAgain] = []
        self.outcomes: list[Outcome] = []
        self._answers = list(answers)
        self._by = by

    def then(self, *answers: object) -> None:
        """Forget what is left of the script, and give these answers from now on."""
        self._answers = list(answers)

    def ask(self, question: Question | LookAgain, /) -> PersonsAnswer:
        """Keep the question, and give the next answer."""
        from lastlook.core.prompt import Answer as Said

        self.questions.append(question)
        answer: Any = self._answers.pop(0) if self._answers else "nothing"
        if callable(answer):
            answer = answer(question)
        if isinstance(answer, Said):
            return answer
        if answer not in {"yes", "no", "again", "nothing"}:
            raise ValueError(f"{answer!r} is no answer: use yes, no, again or nothing")
        return Said(kind=answer, by="" if answer == "nothing" else self._by)

    def tell(self, outcome: Outcome, /) -> None:
        """Keep the outcome."""
        self.outcomes.append(outcome)
