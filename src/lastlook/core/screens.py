"""Everything a person is shown, as data: `Screen`s made from plans and outcomes.

One place to import from; the modules `screen_*` hold the parts.
"""

from __future__ import annotations

from hashlib import sha256

from lastlook.core.plan import ActionPlan
from lastlook.core.prompt import Question
from lastlook.core.screen import Line, Screen, Span, Style
from lastlook.core.screen_outcome import outcome_screen
from lastlook.core.screen_question import question_screen

__all__ = [
    "Line",
    "Screen",
    "Span",
    "Style",
    "outcome_screen",
    "question_screen",
    "shown_digest",
]


def shown_digest(plan: ActionPlan) -> str:
    """Return `sha256:` and 64 hex digits over the question's plain text, times in UTC.

    A yes names it, and so what was shown.
    """
    shown = question_screen(Question(plan=plan)).plain()
    return "sha256:" + sha256(shown.encode()).hexdigest()
