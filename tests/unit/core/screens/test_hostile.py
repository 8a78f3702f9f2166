"""What strangers write can't make a screen lie: not by hidden characters, not by layout."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from lastlook.core.canonical import to_wire
from lastlook.core.check import Unresolvable
from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedTampered,
    BlockedUnresolvable,
    Done,
    Executed,
    InProgress,
    Outcome,
    Partial,
    Rejected,
    Unknown,
)
from lastlook.core.plan import (
    ActionPlan,
    Command,
    Origin,
    PinnedFile,
    SideEffect,
    ToolDefinition,
    Write,
)
from lastlook.core.prompt import Question
from lastlook.core.screens import details_screen, outcome_screen, question_screen, shown_digest
from lastlook.core.screens.layout import WIDTH, Screen, columns
from lastlook.core.visible import visible
from tests.unit.core.refund import at, blocked, evidence, fresh, plan, step

SPOILERS = (
    "a b\"'\\\n\r\t\x1b\x07\x9b\u202e\u2066\u200b\ufeff\U000e0041\ufe0f\u3000é\u0301漢,;:#(){}u2"
)
MARK = "\u0301"  # is visible where it stands on a letter
HOSTILE = st.text(st.sampled_from(SPOILERS), max_size=30) | st.sampled_from(
    ["x\n\nWILL RUN\n  1 nothing", "\x1b[2J\x1b[H", "a" * 200, "y  yes", "", " ", "-> null"]
)
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | HOSTILE
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HOSTILE, inner, max_size=3),
    max_leaves=8,
)


def hostile_plan(text: str, value: object, **more: Any) -> ActionPlan:
    tool = ToolDefinition(
        name=text, description=text, effect=text, writes=(text,), version=text,
        kind="command", arguments={"required": [text, 3]},
        command=Command(run=(text, "x"), program=text, sha256=text, folder=text,
                        files=(PinnedFile(name=text, path=text, sha256=text),),
                        environment=(text,)),
    )  # fmt: skip
    given = {
        "intent": text,
        "requested_by": f"agent:{text}",
        "origin": Origin(kind="planner", name=text, arguments={text: to_wire(value)}),
        "tools": (tool,),
        "steps": (
            step(tool=text, arguments={text: to_wire(value)}, evidence=(text,),
                 writes=(Write(ref=text, fields=(f"/{text.replace('~', '')}",)),)),
        ),
        "estimated_side_effects": (SideEffect(step=1, text=text, undo=text, writes=(text, "b")),),
        "evidence": (evidence({"v": value, text: 1}, ["v"], text, version=text),),
        "approvers": (text,),
        "two_people": True,
        "no_evidence": text,
        "expires_at": at(14, 17, day=4),
        **more,
    }  # fmt: skip
    return plan(**given)


def outcomes(about: ActionPlan, text: str, value: object) -> list[Outcome]:
    moment = at(14, 9)
    done = (Done(step=1, tool=text, result=value, unsaid=(text, f"{text}#/{text}")),)
    gone = (Unresolvable(ref=text, reason=text, kind="not_found"),)
    return [
        Executed(plan=about, results=(value,), completed_at=moment, done=done),
        blocked({"v": text}, about, why_no_fresh=text),
        BlockedUnresolvable(plan=about, checks=gone, at=moment),
        BlockedTampered(plan=about, at=moment, reason=text or "x"),
        AlreadyUsed(plan=about, state=State.UNKNOWN, reason=text),
        InProgress(plan=about, owner=text),
        Rejected(plan=about, by=text, why=text),
        Partial(plan=about, done=done, step=2, reason=text, at=moment, checks=gone),
        Unknown(plan=about, step=1, reason=text, at=moment),
    ]


def raw(screen: Screen) -> set[str]:
    return {char for char in screen.plain() if char != "\n" and visible(char) != char} - {MARK}


@given(HOSTILE, VALUES)
def test_no_hidden_or_moving_character_reaches_a_screen(text: str, value: object) -> None:
    about = hostile_plan(text, value)
    screens = [
        question_screen(Question(plan=about)),
        question_screen(Question(plan=fresh(), previous=about)),
        question_screen(Question(plan=about, previous=plan())),
        details_screen(about),
        *(outcome_screen(outcome) for outcome in outcomes(about, text, value)),
    ]
    for screen in screens:
        assert raw(screen) == set()
        assert len(screen.plain().split("\n")) == len(screen.lines)


@given(HOSTILE, VALUES, st.sampled_from([WIDTH, 60, 40]))
def test_questions_and_outcomes_keep_to_the_columns_there_are(
    text: str, value: object, width: int
) -> None:
    about = hostile_plan(text, value)
    asked = [Question(plan=about, previous=plan()), Question(plan=about, parked=True)]
    screens = [question_screen(item, width=width) for item in asked]
    screens.append(details_screen(about, width=width))
    screens += [outcome_screen(item, width=width) for item in outcomes(about, text, value)]
    wide = [line for screen in screens for line in screen.plain().split("\n")
            if columns(line) > width]  # fmt: skip
    assert wide == []


TRICKY = st.text(st.sampled_from('a "\\\n,;()u{2'), max_size=4) | st.sampled_from(
    ["can't be undone", "undo: a", "a; undo: a", "nothing", "(secret)", "1", "null", "3 items",
     "a" * 70, "a" * 71, "a" * 50 + " ", "a" * 50]
)  # fmt: skip
ARGUMENTS = st.dictionaries(
    TRICKY, TRICKY | st.none() | st.booleans() | st.integers(0, 2)
    | st.lists(TRICKY | st.integers(0, 1), max_size=2) | st.dictionaries(TRICKY, TRICKY, max_size=2),
    max_size=2,
)  # fmt: skip
STEPS = st.fixed_dictionaries({
    "tool": TRICKY,
    "arguments": ARGUMENTS,
    "writes": st.lists(st.tuples(TRICKY, st.lists(TRICKY, max_size=2)), max_size=2),
    "evidence": st.none() | st.lists(TRICKY, max_size=2),
    "effect": TRICKY,
    "undo": st.none() | TRICKY,
})  # fmt: skip
SPECS = st.fixed_dictionaries({
    "intent": TRICKY,
    "requested_by": st.sampled_from(["agent:a", "agent:a b", "agent:person:a", "person:a"]),
    "steps": st.lists(STEPS, min_size=1, max_size=2),
    "values": st.fixed_dictionaries({"v": TRICKY | st.integers(0, 2) | st.none()}),
    "fields": st.sampled_from([["v"], ["v (strict)"], ["v (nfc)"], ["v", "/w"]]),
    "ref": TRICKY,
    "no_evidence": st.none() | TRICKY,
    "approvers": st.lists(TRICKY, max_size=2),
    "two_people": st.booleans(),
    "requires_confirmation": st.booleans(),
    "expires_at": st.sampled_from([None, at(14, 17), at(14, 17, 30), at(14, 17, day=4)]),
})  # fmt: skip


def built(spec: dict[str, Any]) -> ActionPlan:
    steps, effects = [], []
    for number, want in enumerate(spec["steps"], 1):
        writes = tuple(Write(ref=ref, fields=tuple(f"/{field}" for field in fields))
                       for ref, fields in want["writes"])  # fmt: skip
        narrowed = None if want["evidence"] is None else tuple(want["evidence"])
        steps.append(step(number=number, tool=want["tool"], arguments=want["arguments"],
                          writes=writes, evidence=narrowed))  # fmt: skip
        effects.append(SideEffect(step=number, text=want["effect"], undo=want["undo"]))
    record = {**spec["values"], "w": 1}
    kept = ("intent", "requested_by", "no_evidence", "two_people", "requires_confirmation",
            "expires_at")  # fmt: skip
    return plan(
        steps=tuple(steps),
        estimated_side_effects=tuple(effects),
        evidence=(evidence(record, spec["fields"], spec["ref"]),),
        approvers=tuple(spec["approvers"]),
        tools=(),
        **{key: spec[key] for key in kept},
    )


@st.composite
def twins(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two specifications that differ in one place at most; or in any."""
    one, other = draw(SPECS), draw(SPECS)
    kept = draw(st.sampled_from([*one, ""]))
    if not kept:
        return one, other
    return one, {**one, kept: other[kept]}


@given(twins())
def test_two_different_plans_never_render_alike(pair: tuple[Any, Any]) -> None:
    one, other = built(pair[0]), built(pair[1])
    assume(one.body != other.body)
    assert shown_digest(one) != shown_digest(other)
    asked = [question_screen(Question(plan=item)).plain() for item in (one, other)]
    assert asked[0] != asked[1]
