"""The screens to the letter, as the documentation shows them."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook.core.check import Unresolvable
from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedUnresolvable,
    Expired,
    InProgress,
    NotConfirmed,
    Refused,
)
from lastlook.core.plan import Origin
from lastlook.core.prompt import LookAgain, Question
from lastlook.core.screens import (
    look_again_screen,
    outcome_screen,
    question_screen,
)
from tests.unit.core.refund import at, blocked, evidence, fresh, plan

QUESTION = """\
Refund order #W1006327                                           plan k7f3
asked by support-agent, 14:02:11            names as stated by the program

WILL RUN
  1 refund          order_id  "#W1006327"
                    amount    2577.53
                    to        "credit_card_4998749"
    pays 2577.53 to credit_card_4998749; can't be undone
    changes         orders:#W1006327

THIS YES HOLDS WHILE                                         read 14:02:11
  orders:#W1006327
    status          is one of "delivered", "returned"    now "delivered"
    items           stays  3 items
    payment_history stays  1 item
All of it is read again before anything runs. If it does not hold, nothing runs.
Between that look and the refund there is a gap (checked, not locked).

Run this?   y yes   n no   d details  >"""

BLOCK = """\
NOT RUN  Refund order #W1006327                                  plan k7f3
You said yes at 14:02:40. Looking again at 14:09:13, before anything ran:

  orders:#W1006327  2 of 3 fields changed
    items           3 items -> 2 items
                      gone   {"name": "Jigsaw Puzzle", "price": 48.51, ...}
    payment_history 1 item -> 2 items
                      new    {"amount": 48.51, "by": "shop", ...}
    status          unchanged

Nothing was done. That yes is used up; plan k7f3 will never run.
There is no new question: this plan only makes sense while status is
  "available"."""

AFRESH = """\
ASKING AFRESH  Refund order #W1006327            plan k7f3.2, follows k7f3
  What is different in what will run
    1 refund        amount   2577.53 -> 2529.02       worked out again
                    to       unchanged

asked by support-agent, 14:02:11            names as stated by the program

WILL RUN
  1 refund          order_id  "#W1006327"
                    amount    2529.02
                    to        "credit_card_4998749"
    pays 2529.02 to credit_card_4998749; can't be undone
    changes         orders:#W1006327

THIS YES HOLDS WHILE                                         read 14:02:11
  orders:#W1006327
    status          is one of "delivered", "returned"    now "delivered"
    items           stays  2 items
    payment_history stays  2 items
All of it is read again before anything runs. If it does not hold, nothing runs.
Between that look and the refund there is a gap (checked, not locked).

Run this instead?   y yes   n no   d details  >"""

UNRESOLVABLE = """\
NOT RUN  Send "Contract v3" to kim                               plan q8d1
Looking again at 11:40:51, before anything ran:

  contacts:kim      could not be read: no answer within 2 s
                    last seen 09:11:58: email "kim@old.example"   (may be old)

Nothing was done. A yes over what can't be read is not possible.
l look again   n leave it  >"""


def unreadable(reason: str, kind: Any = "no_answer", **more: Any) -> BlockedUnresolvable:
    seen = evidence({"email": "kim@old.example"}, "email", "contacts:kim",
                    captured_at=at(9, 11, 58))  # fmt: skip
    about = plan(id="q8d1", intent='Send "Contract v3" to kim', evidence=(seen,))
    gone = Unresolvable(ref="contacts:kim", reason=reason, kind=kind)
    return BlockedUnresolvable(plan=about, checks=(gone,), at=at(11, 40, 51), **more)


def test_a_question_reads_to_the_letter() -> None:
    assert question_screen(Question(plan=plan())).plain() == QUESTION


def test_a_block_reads_to_the_letter() -> None:
    why = 'this plan only makes sense while status is "available".'
    assert outcome_screen(blocked(why_no_fresh=why)).plain() == BLOCK


def test_a_fresh_question_shows_first_what_is_different_in_what_will_run() -> None:
    asked = Question(plan=fresh(), previous=plan())
    assert question_screen(asked).plain() == AFRESH


def test_an_unreadable_record_offers_to_look_again_and_no_yes() -> None:
    asked = LookAgain(blocked=unreadable("no answer within 2 s", why_no_fresh="later"))
    assert look_again_screen(asked).plain() == UNRESOLVABLE


def test_a_yes_over_what_could_not_be_read_in_the_end_is_used_up() -> None:
    text = unreadable("no answer within 2 s", confirmed_at=at(11, 40)).text()
    assert "\nNothing was done. That yes is used up; plan q8d1 will never run." in text
    assert "is not possible" not in text


@pytest.mark.parametrize(
    ("kind", "reason", "line"),
    [
        ("not_found", "not found", "is gone (contacts answered: not found)"),
        ("no_access", "403", "may not be read (403)"),
        ("unreadable", "NaN at /email", "could not be read: NaN at /email"),
    ],
)
def test_gone_forbidden_and_unreadable_are_told_apart(kind: str, reason: str, line: str) -> None:
    text = unreadable(reason, kind).text()
    assert f"  contacts:kim      {line}\n" in text
    assert 'last seen 09:11:58: email "kim@old.example"   (may be old)' in text


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (
            AlreadyUsed(plan=plan(), state=State.EXECUTED, at=at(14, 10, 2)),
            "REFUSED  plan k7f3 was already used: it ran at 14:10:02.",
        ),
        (
            InProgress(plan=plan(), at=at(14, 10, 2), owner="host-3", reason="is running now"),
            "REFUSED  plan k7f3 is running now, since 14:10:02, on host-3.",
        ),
        (NotConfirmed(plan=plan(), reason="has no yes"), "REFUSED  plan k7f3 has no yes."),
        (
            NotConfirmed(plan=plan(), reason="has no yes: nobody answered"),
            "REFUSED  plan k7f3 has no yes: nobody answered.",
        ),
        (Expired(plan=plan(), at=at(14, 17)), "REFUSED  plan k7f3 has expired at 14:17."),
    ],
)
def test_a_refusal_is_one_line_to_the_letter(outcome: Refused, line: str) -> None:
    assert outcome.text() == line


def test_a_fresh_question_by_hand_says_that_nothing_was_worked_out_again() -> None:
    hand = Origin(kind="hand")
    asked = Question(plan=fresh(2577.53, origin=hand), previous=plan(origin=hand))
    text = question_screen(asked).plain()
    assert "\n  What will run is as first given; none of it was worked out again.\n\n" in text
