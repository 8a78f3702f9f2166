from __future__ import annotations

import pytest

from lastlook.core.ports import Asker
from lastlook.core.prompt import Answer, LookAgain, Question
from lastlook.testing import ScriptedAsker
from tests.unit.core.refund import blocked, plan

ASKED = Question(plan=plan())


def test_a_scripted_person_says_what_she_is_told_in_turn_and_then_nothing() -> None:
    asker = ScriptedAsker("yes", "no", "again", by="person:kim")
    said = [asker.ask(ASKED) for _ in range(4)]
    assert [answer.kind for answer in said] == ["yes", "no", "again", "nothing"]
    assert [answer.by for answer in said] == ["person:kim"] * 3 + [""]
    assert asker.questions == [ASKED] * 4


def test_a_function_answers_while_the_question_stands() -> None:
    seen: list[object] = []

    def change_the_world(question: Question | LookAgain) -> Answer:
        seen.append(question)
        return Answer(kind="no", by="person:bo", why="too much")

    answer = ScriptedAsker(change_the_world).ask(ASKED)
    assert seen == [ASKED]
    assert (answer.kind, answer.by, answer.why) == ("no", "person:bo", "too much")


def test_what_she_is_told_of_is_kept() -> None:
    asker: Asker = ScriptedAsker()
    outcome = blocked()
    asker.tell(outcome)
    assert isinstance(asker, ScriptedAsker)
    assert asker.outcomes == [outcome]


def test_a_slip_in_the_script_is_an_error() -> None:
    with pytest.raises(ValueError, match="'y' is no answer"):
        ScriptedAsker("y").ask(ASKED)
