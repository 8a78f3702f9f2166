"""What came of it: executed, confirmed, stopped halfway, unknown, refused."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook.core.check import Unresolvable, check
from lastlook.core.deciding import unread_plan
from lastlook.core.lifecycle import Confirmation, State
from lastlook.core.outcome import (
    AlreadyUsed,
    Cancelled,
    Compensated,
    Confirmed,
    Done,
    Executed,
    Failed,
    Guarantee,
    NotConfirmed,
    Outcome,
    Parked,
    Partial,
    Refused,
    Rejected,
    StoreUnavailable,
    Unknown,
)
from lastlook.core.plan import ActionPlan, Write
from lastlook.core.screens import outcome_screen
from tests.unit.core.refund import ORDER, REF, REFUNDED, at, plan, step

MAIL = step(1, 2, tool="mail", arguments={"to": "kim"}, writes=(Write(ref="mails:kim"),))
HELD = (check(plan().evidence[0], ORDER),)


def two_steps(**more: Any) -> ActionPlan:
    return plan(steps=(step(), MAIL), **more)


def done(result: object = "ok", unsaid: tuple[str, ...] = ()) -> tuple[Done, ...]:
    return (Done(step=1, tool="refund", result=result, unsaid=unsaid),)


def test_what_ran_is_told_with_its_results_and_what_held() -> None:
    outcome = Executed(
        plan=plan(), checks=HELD, results=({"id": "r-1"},), completed_at=at(14, 10, 2),
        guarantee=Guarantee(window=0.0123), done=done({"id": "r-1"}, (REF,)),
    )  # fmt: skip
    assert outcome.text() == (
        "EXECUTED  Refund order #W1006327                                 plan k7f3\n"
        "All of it ran, and was done at 14:10:02.\n"
        '  1 refund          returned  {"id": "r-1"}\n'
        "\n"
        "3 fields of 1 record were read again right before; 0.012 s lay between that\n"
        "  look and the act (checked, not locked).\n"
        "Step 1 (refund) did not say what it wrote to orders:#W1006327: later looks\n"
        "  left that out."
    )


def test_results_are_told_also_where_the_steps_were_not_kept() -> None:
    text = Executed(plan=two_steps(), results=(None, object()), completed_at=at(14, 10)).text()
    assert "\n  1 refund          returned  null\n" in text
    assert "\n  2 mail            returned  a value of type object\n" in text


@pytest.mark.parametrize(
    ("guarantee", "words"),
    [
        (Guarantee(level="held", against="everyone"), "(locked in between, against everyone)"),
        (
            Guarantee(level="conditional", against="cooperating"),
            "(the target checked it as it wrote, against others who do so too)",
        ),
    ],
)
def test_what_held_in_between_is_told_in_words(guarantee: Guarantee, words: str) -> None:
    outcome = Executed(
        plan=plan(), checks=HELD, results=(1,), completed_at=at(14, 10), guarantee=guarantee
    )
    text = " ".join(outcome.text().split())
    assert text.endswith(f"right before {words}.")


def test_a_plan_that_rested_on_nothing_was_not_looked_at() -> None:
    about = plan(evidence=(), no_evidence="greets")
    text = Executed(plan=about, results=(1,), completed_at=at(14, 10)).text()
    assert text.endswith("\nIt rested on nothing, so nothing was looked at.")


def test_a_yes_that_counts_says_that_nothing_has_run() -> None:
    yes = Confirmation(plan="k7f3", seal="s", shown="d", by="person:ana", at=at(14, 2, 40))
    text = Confirmed(plan=plan(), checks=HELD, confirmation=yes).text()
    assert text == (
        "CONFIRMED  Refund order #W1006327                                plan k7f3\n"
        "The yes came from person:ana at 14:02:40.\n"
        "3 fields of 1 record were read again, and all of it holds.\n"
        "Nothing has run yet: it is all read again before anything does."
    )
    assert "fields" not in Confirmed(plan=plan(), confirmation=yes).text()


def test_stopped_halfway_lists_what_was_done_what_was_not_and_where_to_look() -> None:
    stale = (check(plan().evidence[0], REFUNDED),)
    outcome = Partial(
        plan=two_steps(), step=2, done=done(), checks=stale, at=at(14, 10, 2),
        reason="what it rests on no longer holds", confirmed_at=at(14, 2, 40),
    )  # fmt: skip
    text = outcome.text()
    assert text.startswith(
        "STOPPED HALFWAY  Refund order #W1006327                          plan k7f3\n"
        "You said yes at 14:02:40.\n"
        "It stopped before step 2 (mail) (14:10:02): what it rests on no longer holds.\n"
        "\n"
        "  orders:#W1006327  2 of 3 fields changed\n"
    )
    assert text.endswith(
        "\n"
        "WAS DONE\n"
        '  1 refund          returned  "ok"\n'
        "\n"
        "WAS NOT DONE\n"
        '  2 mail            to       "kim"\n'
        "\n"
        "Look at             orders:#W1006327, mails:kim\n"
        "Idempotency key of step 2\n"
        f"  {'2' * 64}\n"
        "That yes is used up; plan k7f3 will not run again."
    )
    assert "NOT RUN" not in text


def test_unknown_says_what_is_not_known_and_is_never_called_not_run() -> None:
    outcome = Unknown(
        plan=two_steps(),
        step=1,
        not_done=(2,),
        at=at(14, 10, 2),
        reason="refund raised TimeoutError",
    )
    text = outcome.text()
    assert text.startswith(
        "UNKNOWN  Refund order #W1006327                                  plan k7f3\n"
        "Step 1 (refund) began, and whether it took effect is not known (14:10:02):\n"
        "  refund raised TimeoutError.\n"
        "\n"
        "NOT KNOWN\n"
        '  1 refund          order_id  "#W1006327"\n'
    )
    assert '\nWAS NOT DONE\n  2 mail            to       "kim"\n' in text
    assert f"\nIdempotency key of step 1\n  {'1' * 64}\n" in text
    assert "\nLook before doing it again. It is not tried again by itself.\n" in text
    assert "NOT RUN" not in text


def test_a_reason_that_ends_with_a_full_stop_gets_no_second_one() -> None:
    outcome = Failed(plan=plan(), step=1, at=at(14, 10), reason="./x: gone. Install it.")
    text = outcome.text()
    assert "applied (14:10:00): ./x: gone.\n  Install it.\n" in text
    assert ".." not in text


def test_failed_says_that_nothing_was_applied() -> None:
    text = Failed(plan=two_steps(), step=1, not_done=(2,), at=at(14, 10)).text()
    assert text.startswith("FAILED  Refund")
    assert "\nStep 1 (refund) came to nothing: nothing was applied (14:10:00).\n" in text
    assert '\nWAS NOT DONE\n  1 refund          order_id  "#W1006327"\n' in text
    assert "\n  2 mail            to" in text
    assert text.endswith("\nThat yes is used up; plan k7f3 will never run.")


def test_what_was_undone_is_told() -> None:
    unsaid = (f"{REF}#/status", "elsewhere:1#/x")
    outcome = Compensated(plan=two_steps(), step=2, done=done(1, unsaid), at=at(14, 10))
    text = outcome.text()
    assert text.startswith("UNDONE  Refund")
    assert "\nWhat had run was undone again (14:10:00).\n" in text
    assert "\nWAS DONE, AND UNDONE\n  1 refund          returned  1\n" in text
    flat = " ".join(text.split())
    assert "(refund) did not say what it wrote to status of orders:#W1006327:" in flat
    assert "(refund) did not say what it wrote to elsewhere:1#/x:" in flat


def test_a_step_that_writes_nothing_points_at_what_the_plan_rests_on() -> None:
    bare = plan(steps=(step(writes=(), key=""),))
    text = Unknown(plan=bare, step=1, at=at(14, 10)).text()
    assert "\nLook at             orders:#W1006327\n" in text
    assert "Idempotency" not in text
    text = Unknown(plan=plan(steps=(step(writes=()),), evidence=()), step=1, at=at(14, 10)).text()
    assert "Look at" not in text


def test_an_outcome_without_a_plan_to_read_can_still_be_told() -> None:
    lost = unread_plan("k7f3", at(14, 2))
    text = Unknown(plan=lost, step=1, at=at(14, 10)).text()
    assert text.startswith("UNKNOWN  (the stored plan cannot be read)")
    assert "\nStep 1 began, and whether it took effect is not known (14:10:00).\n" in text


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (
            AlreadyUsed(
                plan=plan(), state=State.CONFIRMED, at=at(14, 3), reason="already has its yes"
            ),
            "already has its yes, since 14:03:00.",
        ),
        (AlreadyUsed(plan=plan(), state=State.CONFIRMED), "already has its yes."),
        (
            AlreadyUsed(plan=plan(), state=State.UNKNOWN, at=at(9, 0, day=4)),
            "was already used: it began, and came to no known end at\n  2026-10-04 09:00:00.",
        ),
        (AlreadyUsed(plan=plan(), state=State.PENDING), "was already used: it is pending."),
        (
            Rejected(plan=plan(), by="person:ana", why="too much", at=at(14, 3)),
            "was rejected by person:ana at 14:03:00: too much.",
        ),
        (Rejected(plan=plan(), reason="was rejected"), "was rejected."),
        (Cancelled(plan=plan(), at=at(14, 3)), "was cancelled at 14:03:00."),
        (Parked(plan=plan()), "is parked: too many questions about one thing."),
        (
            StoreUnavailable(plan=plan(), reason="the disk is full"),
            "was not begun: the store could not be written.\nThe disk is full.",
        ),
        (
            NotConfirmed(plan=plan(), reason="has no yes: nobody answered."),
            "has no yes.\nHas no yes: nobody answered.",
        ),
    ],
)
def test_a_refusal_says_why_nothing_ran(outcome: Refused, text: str) -> None:
    assert outcome.text() == f"REFUSED  plan k7f3 {text}"


def test_a_yes_over_what_can_not_be_read_shows_what_that_is() -> None:
    gone = (Unresolvable(ref=REF, reason="no answer within 2 s"),)
    outcome = NotConfirmed(plan=plan(), checks=gone, reason="could not be looked at")
    assert outcome.text().startswith(
        "REFUSED  plan k7f3 has no yes.\nCould not be looked at.\n\n"
        "  orders:#W1006327  could not be read: no answer within 2 s\n"
        "                    last seen 14:02:11: "
    )


def test_the_bare_base_of_all_outcomes_is_none() -> None:
    with pytest.raises(TypeError, match="Outcome is no outcome"):
        outcome_screen(Outcome(plan=plan()))
