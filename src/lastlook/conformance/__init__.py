"""Whether another program reads and writes the formats as they are specified.

The vectors are questions with their answers. A program is asked each over the line
protocol of the specification, and its answer has to be the same to the byte.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

from msgspec import Struct

from lastlook.conformance.talking import BadAnswer, Program
from lastlook.errors import BadFormat

__all__ = ["GROUPS", "Counts", "Failure", "Program", "Report", "Vector", "examine", "vectors"]

GROUPS: Final = ("typed-json", "fields", "fingerprints", "seal-and-key", "journal")
"""The groups of vectors, in the order of the specification."""

_FOLDER: Final = os.path.join(os.path.dirname(__file__), "vectors")


class Vector(Struct, frozen=True, kw_only=True):
    """One question, and its one right answer."""

    group: str
    name: str
    request: dict[str, Any]
    answer: dict[str, Any]

    @property
    def title(self) -> str:
        """Its group and name, as a list of expected failures has it."""
        return f"{self.group}: {self.name}"


class Failure(Struct, frozen=True, kw_only=True):
    """One vector that a program did not answer rightly.

    Attributes:
        title: The vector's group and name.
        why: What was wrong, in words.
        wanted, got: The right answer, and the one given (None where there was none).
        expected: Whether it stands in the list of expected failures.
    """

    title: str
    why: str
    wanted: dict[str, Any]
    got: dict[str, Any] | None = None
    expected: bool = False


class Counts(Struct, frozen=True, kw_only=True):
    """How the vectors of one group came out."""

    group: str
    passed: int
    failed: int
    expected: int


class Report(Struct, frozen=True, kw_only=True):
    """How a program did.

    Attributes:
        groups: The numbers by group; `failed` leaves out what was `expected` to fail.
        failures: All that was not answered rightly.
        surprises: Titles that were expected to fail, and passed or are no vectors.
    """

    groups: tuple[Counts, ...]
    failures: tuple[Failure, ...]
    surprises: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether all went as it should, and as it was expected."""
        return not self.surprises and all(failure.expected for failure in self.failures)


def vectors(group: str = "") -> tuple[Vector, ...]:
    """Return the vectors of one group, or of all.

    Raises:
        BadFormat: There is no such group.
    """
    if group and group not in GROUPS:
        raise BadFormat(f"there is no group {group!r}", fix=f"There are {', '.join(GROUPS)}.")
    return tuple(each for name in GROUPS if group in {"", name} for each in _read(name))


def _read(group: str) -> Iterable[Vector]:
    with open(os.path.join(_FOLDER, f"{group}.json"), encoding="utf-8") as file:
        for item in json.load(file)["vectors"]:
            yield Vector(group=group, **item)


def examine(
    ask: Callable[[dict[str, Any]], dict[str, Any]],
    asked: Iterable[Vector],
    *,
    xfail: Collection[str] = (),
    told: Callable[[int], None] = lambda _done: None,
) -> Report:
    """Ask a program each vector, and return how it did.

    Args:
        ask: From a request to its answer, such as the method of a `Program`.
        asked: The vectors.
        xfail: Titles that are expected to fail; one that passes is a surprise.
        told: Called after each answer with the number of answers so far.
    """
    known = tuple(asked)
    expected = frozenset(xfail)
    failures: list[Failure] = []
    for done, vector in enumerate(known, 1):
        failure = _tried(ask, vector, expected)
        if failure is not None:
            failures.append(failure)
        told(done)
    failed = {failure.title for failure in failures}
    return Report(
        groups=tuple(_counts(known, failed, expected)),
        failures=tuple(failures),
        surprises=tuple(sorted(expected - failed)),
    )


def _tried(
    ask: Callable[[dict[str, Any]], dict[str, Any]], vector: Vector, expected: frozenset[str]
) -> Failure | None:
    got: dict[str, Any] | None = None
    try:
        got = ask(vector.request)
    except BadAnswer as error:
        why = str(error)
    else:
        if _same(got, vector.answer):
            return None
        why = _difference(vector.answer, got)
    title = vector.title
    return Failure(title=title, why=why, wanted=vector.answer, got=got, expected=title in expected)


def _same(one: Any, other: Any) -> bool:
    """Tell whether two answers are the same; `1` and `true` are not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _difference(wanted: dict[str, Any], got: dict[str, Any]) -> str:
    if "unsupported" in got:
        return "it does not know the operation"
    if "refused" in wanted and "refused" in got:
        return f"refused as {got['refused']}, not as {wanted['refused']}"
    if "refused" in wanted:
        return f"taken, and should be refused as {wanted['refused']}"
    if "refused" in got:
        return f"refused as {got['refused']}, and should be taken"
    names = [name for name in wanted if not _same(got.get(name), wanted[name])]
    more = [name for name in got if name not in wanted]
    return f"another {', '.join(names)}" if names else f"also {', '.join(more)}"


def _counts(
    known: tuple[Vector, ...], failed: Collection[str], expected: frozenset[str]
) -> Iterable[Counts]:
    for group in dict.fromkeys(vector.group for vector in known):
        titles = [vector.title for vector in known if vector.group == group]
        wrong = [title for title in titles if title in failed]
        foreseen = sum(title in expected for title in wrong)
        yield Counts(
            group=group,
            passed=len(titles) - len(wrong),
            failed=len(wrong) - foreseen,
            expected=foreseen,
        )
