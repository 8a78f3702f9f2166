"""The arrows between the states of a plan, and no others."""

from __future__ import annotations

import pytest

from lastlook.core.lifecycle import LEGAL, State, legal
from lastlook.errors import WrongState

DIAGRAM = """
PENDING    -> CONFIRMED BLOCKED_STALE BLOCKED_TAMPERED REJECTED CANCELLED EXPIRED
CONFIRMED  -> CLAIMED CANCELLED EXPIRED
CLAIMED    -> CONFIRMED EXECUTING BLOCKED_STALE BLOCKED_UNRESOLVABLE BLOCKED_TAMPERED
CLAIMED    -> CANCELLED EXPIRED
EXECUTING  -> EXECUTING EXECUTED FAILED BLOCKED_STALE PARTIAL UNKNOWN COMPENSATED
PARKED     -> CANCELLED EXPIRED
UNKNOWN    -> RESOLVED
"""
"""The diagram of the design, arrow by arrow: from each state, where a plan may go."""


def arrows() -> set[tuple[State, State]]:
    pairs = (line.split("->") for line in DIAGRAM.strip().splitlines())
    return {(State[was.strip()], State[to]) for was, ends in pairs for to in ends.split()}


def test_the_legal_moves_are_those_of_the_diagram() -> None:
    assert {(was, to) for was, ends in LEGAL.items() for to in ends} == arrows()


@pytest.mark.parametrize("was", State)
@pytest.mark.parametrize("to", State)
def test_a_move_is_refused_unless_the_diagram_has_it(was: State, to: State) -> None:
    if (was, to) in arrows():
        legal(was, to)
        return
    with pytest.raises(WrongState, match=f"a plan that is {was} cannot become {to}"):
        legal(was, to)


@pytest.mark.parametrize(
    "end",
    [
        State.EXECUTED, State.FAILED, State.PARTIAL, State.COMPENSATED, State.RESOLVED,
        State.BLOCKED_STALE, State.BLOCKED_UNRESOLVABLE, State.BLOCKED_TAMPERED,
        State.REJECTED, State.CANCELLED, State.EXPIRED,
    ],
)  # fmt: skip
def test_nothing_follows_an_end(end: State) -> None:
    assert end not in LEGAL


def test_only_a_claim_leads_to_an_act_and_only_a_yes_to_a_claim() -> None:
    before_act = {was for was, to in arrows() if to is State.EXECUTING}
    before_claim = {was for was, to in arrows() if to is State.CLAIMED}
    before_yes = {was for was, to in arrows() if to is State.CONFIRMED}
    assert before_act == {State.CLAIMED, State.EXECUTING}
    assert before_claim == {State.CONFIRMED}
    assert before_yes == {State.PENDING, State.CLAIMED}
