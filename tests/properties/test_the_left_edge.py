"""At the left edge of a screen stand our words alone: what strangers write is further in.

Everything foreign here is made of signs that none of our lines begins with, so that a
line which does was begun by a stranger, however it got there.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lastlook.core.check import Unresolvable
from lastlook.core.fields import Field
from lastlook.core.lifecycle import Confirmation, JournalRow, Look, PlanRecord, State
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedTampered,
    BlockedUnresolvable,
    Confirmed,
    Done,
    Executed,
    Expired,
    Failed,
    InProgress,
    Outcome,
    Partial,
    Rejected,
    StoreUnavailable,
    Unknown,
)
from lastlook.core.plan import (
    ActionPlan,
    Command,
    Origin,
    SideEffect,
    ToolDefinition,
    Write,
)
from lastlook.core.prompt import LookAgain, Question
from lastlook.core.screens import (
    Screen,
    details_screen,
    journal_screen,
    look_again_screen,
    outcome_screen,
    pending_screen,
    question_screen,
    show_screen,
)
from tests.unit.core.refund import at, blocked, evidence, plan, step

PADS = st.integers(0, 90).map(lambda count: " " * count)
SIGNS = st.text(st.sampled_from("§¤漢-7"), min_size=1, max_size=90)
FOREIGN = st.builds("{}{}{}{}".format, SIGNS, PADS, SIGNS, PADS)
WIDTHS = st.sampled_from([40, 57, 80])


def begun_by_strangers(screen: Screen) -> list[str]:
    """The lines after the first that begin, at the left edge, with no letter of ours."""
    lines = screen.plain().split("\n")[1:]
    return [line for line in lines if line[:1] not in {"", " "} and not line[0].isascii()] + [
        line for line in lines if line[:1] in {'"', "\\", "-"}
    ]


def foreign_plan(text: str, other: str) -> ActionPlan:
    record = {"v": other, text: [other, {text: other}]}
    tool = ToolDefinition(
        name=text, description=other, effect=text, writes=(text,), kind="command",
        arguments={"required": [text]},
        command=Command(run=(text, other), program=text, sha256=other, folder=text,
                        environment=(text,)),
    )  # fmt: skip
    return plan(
        intent=text,
        requested_by=f"agent:{other}",
        origin=Origin(kind="planner", name=text, arguments={text: other}),
        tools=(tool,),
        steps=(
            step(tool=text, arguments={text: other, other: [text]}, evidence=(text,),
                 writes=(Write(ref=text, fields=(f"/{other}",)),)),
        ),
        estimated_side_effects=(SideEffect(step=1, text=text, undo=other, writes=(other,)),),
        evidence=(evidence(record, ["v", Field(selector=f"/{text}")], text, version=other),),
        approvers=(f"person:{text}",),
        two_people=True,
        no_evidence=other,
        expires_at=at(14, 17, day=4),
    )  # fmt: skip


def outcomes(about: ActionPlan, text: str, other: str) -> list[Outcome]:
    moment = at(14, 9)
    done = (Done(step=1, tool=text, result=other, unsaid=(text, f"{text}#/{other}")),)
    gone = (Unresolvable(ref=text, reason=other, kind="not_found"),)
    yes = Confirmation(plan=about.id, seal=text, shown=text, by=f"person:{text}", at=moment)
    # A reason that stands in a line of its own always begins with words of ours.
    return [
        Executed(plan=about, results=(other,), completed_at=moment, done=done),
        Confirmed(plan=about, confirmation=yes),
        blocked({"v": text}, about, why_no_fresh=text),
        BlockedUnresolvable(plan=about, checks=gone, at=moment, confirmed_at=moment),
        BlockedTampered(plan=about, at=moment, reason=f"the {text}"),
        AlreadyUsed(plan=about, state=State.UNKNOWN, reason=f"the {text}"),
        InProgress(plan=about, owner=text),
        Rejected(plan=about, by=text, why=other),
        Expired(plan=about, reason=f"the {text}"),
        StoreUnavailable(plan=about, reason=f"the {text}"),
        Partial(plan=about, done=done, step=2, reason=text, at=moment, checks=gone),
        Unknown(plan=about, step=1, reason=text, at=moment),
        Failed(plan=about, step=1, reason=other, at=moment),
    ]


def stored(about: ActionPlan, text: str, state: State) -> tuple[PlanRecord, list[JournalRow]]:
    yes = Confirmation(plan=about.id, seal=text, shown=text, by=f"person:{text}", at=at(14, 3))
    record = PlanRecord(
        id=about.id, lineage=about.lineage, number=1, follows=None, key=None, body=about.body,
        seal=about.seal, state=state, state_at=at(14, 4), confirmation=yes,
        requested_by=about.requested_by,
    )  # fmt: skip
    data: dict[str, Any] = {
        "changed": {text: [f"/{text}"]}, "unreadable": {text: text}, "why": text, "channel": text,
    }  # fmt: skip
    row = JournalRow(
        plan=about.id, row=1, at=at(14, 4), was=None, state=state, by=text, epoch=0, step=1,
        data=data,
    )  # fmt: skip
    return record, [row]


@settings(max_examples=50)
@given(FOREIGN, FOREIGN, WIDTHS)
def test_no_line_of_a_question_is_begun_by_a_stranger(text: str, other: str, width: int) -> None:
    about = foreign_plan(text, other)
    for screen in (
        question_screen(Question(plan=about), width=width),
        question_screen(Question(plan=about, parked=True, kept_in_memory=True), width=width),
        question_screen(Question(plan=about, previous=plan()), width=width),
        question_screen(Question(plan=about, previous=foreign_plan(other, text)), width=width),
        details_screen(about, width=width),
    ):
        assert begun_by_strangers(screen) == []


@settings(max_examples=50)
@given(FOREIGN, FOREIGN, WIDTHS)
def test_no_line_of_an_outcome_is_begun_by_a_stranger(text: str, other: str, width: int) -> None:
    about = foreign_plan(text, other)
    told = outcomes(about, text, other)
    screens = [outcome_screen(outcome, width=width) for outcome in told]
    screens.append(look_again_screen(LookAgain(blocked=told[3]), width=width))
    assert [line for screen in screens for line in begun_by_strangers(screen)] == []


@settings(max_examples=50)
@given(FOREIGN, FOREIGN, WIDTHS, st.sampled_from([State.BLOCKED_STALE, State.REJECTED]))
def test_no_line_of_a_listing_is_begun_by_a_stranger(
    text: str, other: str, width: int, state: State
) -> None:
    about = foreign_plan(text, other)
    record, rows = stored(about, text, state)
    looks = [Look(moment="at_yes", at=at(14, 3), seen=[[text, [["value", other]] * 2]])]
    for screen in (
        journal_screen([record], rows, width=width, where=text, why=text, verified=f"the {text}"),
        pending_screen([record], width=width, where=text, why=text),
        show_screen(about, record, rows, looks, facts=True, width=width),
    ):
        assert begun_by_strangers(screen) == []


def test_a_padded_intent_stays_one_thing_to_look_at() -> None:
    forged = "Book" + " " * 76 + "WILL RUN" + " " * 72 + "Run this?   y yes"
    lines = question_screen(Question(plan=plan(intent=forged))).plain().split("\n")
    assert [line for line in lines if line.startswith(("WILL RUN", "Run this?"))] == [
        "WILL RUN",
        "Run this?   y yes   n no   d details  >",
    ]
    assert "Book\\u{20x76}WILL RUN" in lines[0]
