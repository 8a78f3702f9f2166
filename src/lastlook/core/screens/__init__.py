"""Everything a person is shown, as data: `Screen`s made from plans and outcomes.

One place to import from. The modules beside this one hold the parts, and are loaded
when something is shown: a program that only imports Lastlook does not pay for them.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lastlook.core.plan import ActionPlan
    from lastlook.core.screens.details import details_screen
    from lastlook.core.screens.layout import Line, Screen, Span, Style
    from lastlook.core.screens.lists import journal_screen, pending_screen
    from lastlook.core.screens.outcome import look_again_screen, outcome_screen
    from lastlook.core.screens.question import question_screen
    from lastlook.core.screens.show import show_screen

__all__ = [
    "Line",
    "Screen",
    "Span",
    "Style",
    "details_screen",
    "journal_screen",
    "look_again_screen",
    "outcome_screen",
    "pending_screen",
    "question_screen",
    "show_screen",
    "shown_digest",
]

_HOMES: Final = {
    "Line": "layout",
    "Screen": "layout",
    "Span": "layout",
    "Style": "layout",
    "details_screen": "details",
    "journal_screen": "lists",
    "look_again_screen": "outcome",
    "outcome_screen": "outcome",
    "pending_screen": "lists",
    "question_screen": "question",
    "show_screen": "show",
}


def __getattr__(name: str) -> Any:
    """Load the part that holds a name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(__import__(f"{__name__}.{_HOMES[name]}", fromlist=[name]), name)


def shown_digest(plan: ActionPlan) -> str:
    """Return `sha256:` and 64 hex digits over the question's plain text, times in UTC.

    A yes names it, and so what was shown.
    """
    from lastlook.core.prompt import Question
    from lastlook.core.screens.question import question_screen

    shown = question_screen(Question(plan=plan)).plain()
    return "sha256:" + sha256(shown.encode()).hexdigest()
