"""A question and its answer, line by line, whatever the channel.

There is no default answer, and a yes counts only after the end of the question was shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from lastlook.core.prompt import Answer, LookAgain, Question

if TYPE_CHECKING:
    from lastlook.core.screens.layout import Line, Screen

TRIES: Final = 20
"""How often one question is put again after an answer that is none."""

NOTHING: Final = Answer(kind="nothing")

_MEANS: Final[dict[str, Literal["yes", "no"]]] = {"y": "yes", "yes": "yes", "n": "no", "no": "no"}
_HINT: Final = "Type y, n or d, then Enter. Enter alone is no answer."
_HINT_AGAIN: Final = "Type l or n, then Enter."
_MORE: Final = "-- more below: Enter goes on, n is no  >"
_TOO_EARLY: Final = "There is more below; y counts after the end."


class Channel(Protocol):
    """Where a person sees lines and types answers.

    Attributes:
        rows: How many lines fit at once; 0 where there is no end to them.
        columns: How many columns a line may have.
    """

    rows: int
    columns: int

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines."""
        ...

    def read(self, asking: Line, seconds: float | None) -> str | None:
        """Ask, and return the line that was typed since; None where none will come."""
        ...


class Conversation:
    """One question, from the first line to an answer.

    Args:
        channel: Where the person is.
        timeout: Seconds that all of it may take; None for as long as it takes.
        zone: The zone of all times of day.
        by: Tells who the person is, as a principal.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        timeout: float | None,
        zone: tzinfo,
        by: Callable[[], str],
    ) -> None:
        self._channel = channel
        self._by = by
        self._ends = None if timeout is None else time.monotonic() + timeout
        self._zone = zone

    def put(self, question: Question | LookAgain) -> Answer:
        """Show all of it, then take an answer."""
        from lastlook.core.screens import look_again_screen, question_screen

        if isinstance(question, LookAgain):
            return self._look_again(look_again_screen(question, **self._place()))
        screen = question_screen(question, **self._place())
        *body, asking = screen.lines
        left = self._page([*body, *_age(question, self._zone)])
        if left is not None:
            return left
        if question.parked:
            self._channel.show([asking])
            return NOTHING
        return self._answer(question, asking)

    def _place(self) -> dict[str, Any]:
        return {"zone": self._zone, "width": self._channel.columns}

    def _answer(self, question: Question, asking: Line) -> Answer:
        from lastlook.core.screens import details_screen

        for _ in range(TRIES):
            said = self._read(asking)
            if said is None:
                return NOTHING
            if said in _MEANS:
                return Answer(kind=_MEANS[said], by=self._by())
            if said in {"d", "details"}:
                details = details_screen(question.plan, **self._place()).lines
                if (left := self._page([*details, ()])) is not None:
                    return left
            else:
                self._say(_HINT)
        return NOTHING

    def _look_again(self, screen: Screen) -> Answer:
        *body, asking = screen.lines
        self._channel.show(body)
        for _ in range(TRIES):
            said = self._read(asking)
            if said is None:
                return NOTHING
            if said in {"l", "look"}:
                return Answer(kind="again", by=self._by())
            if said in {"n", "no"}:
                return Answer(kind="no", by=self._by())
            self._say(_HINT_AGAIN)
        return NOTHING

    def _page(self, lines: Sequence[Line]) -> Answer | None:
        """Show lines page by page; None where the end was shown."""
        rows = self._channel.rows - 2 if self._channel.rows else len(lines)
        for start in range(0, len(lines), max(rows, 1)):
            if start and (left := self._next_page()) is not None:
                return left
            self._channel.show(lines[start : start + max(rows, 1)])
        return None

    def _next_page(self) -> Answer | None:
        from lastlook.core.screens.layout import Span

        for _ in range(TRIES):
            said = self._read((Span(_MORE, "strong"),))
            if said == "":
                return None
            if said is None:
                return NOTHING
            if _MEANS.get(said) == "no":
                return Answer(kind="no", by=self._by())
            self._say(_TOO_EARLY)
        return NOTHING

    def _read(self, asking: Line) -> str | None:
        left = None if self._ends is None else self._ends - time.monotonic()
        said = self._channel.read(asking, left)
        return None if said is None else said.strip().lower()

    def _say(self, text: str) -> None:
        from lastlook.core.screens.layout import laid_out, prose

        screen = laid_out(self._channel.columns, lambda: prose(text, style="dim"))
        self._channel.show(screen.lines)


def _age(question: Question, zone: tzinfo) -> list[Line]:
    """Return a line with the date, where the question is not of today."""
    from lastlook.core.screens.layout import Span

    asked = question.plan.created_at.astimezone(zone).date()
    if asked == datetime.now(zone).date():
        return []
    return [(Span(f"This question is from {asked}.", "strong"),)]
