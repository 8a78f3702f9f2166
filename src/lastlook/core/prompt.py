"""What a person is shown, as data: a question, and the answer to it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from lastlook.core.outcome import Blocked
from lastlook.core.plan import ActionPlan


class Question(Struct, frozen=True, kw_only=True):
    """A question to a person, made from the sealed plan and nothing else.

    Attributes:
        plan: The plan that waits for a yes.
        previous: The blocked plan that this one follows, so that the difference in
            what will run can be shown first; None for a first question.
        kept_in_memory: Whether a yes does not survive this process.
        parked: Whether the plan can be looked at but not confirmed.
    """

    plan: ActionPlan
    previous: ActionPlan | None = None
    kept_in_memory: bool = False
    parked: bool = False


class LookAgain(Struct, frozen=True, kw_only=True):
    """The offer after a read that failed: look again, or leave it.

    Attributes:
        blocked: The outcome, with each dependency and its last known state.
    """

    blocked: Blocked


class Answer(Struct, frozen=True, kw_only=True):
    """What the person said.

    Attributes:
        kind: `yes` and `no` only where they were said; `again` asks to look again;
            `nothing` is everything else, and leaves the plan as it was.
        by: Who said it, as a principal; empty for `nothing`.
        why: A reason, where one was given.
    """

    kind: Literal["yes", "no", "again", "nothing"]
    by: str = ""
    why: str = ""
