"""The verbs before a dispatch: yes, no, and taking back; each counts once or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook.core.deciding import standing
from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    AlreadyUsed,
    BlockedStale,
    BlockedTampered,
    Cancelled,
    Confirmed,
    Expired,
    NotConfirmed,
    Parked,
    Rejected,
    StoreUnavailable,
)
from lastlook.core.screens import shown_digest
from lastlook.errors import NotAllowed, NotRegistered, SealMismatch, StoreFull, WrongState
from lastlook.testing import ScriptedSource
from tests.unit.dispatch.watched import WatchedDesk


def test_a_yes_names_plan_seal_what_was_shown_by_whom_and_when(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.clock.advance(5)
    outcome = desk.look.confirm(plan, by="ana")
    assert isinstance(outcome, Confirmed)
    yes = outcome.confirmation
    assert (yes.plan, yes.seal, yes.by) == (plan.id, plan.seal, "person:ana")
    assert (yes.shown, yes.at) == (shown_digest(plan), desk.clock.now())
    assert desk.store.get(plan.id).confirmation == yes
    (row,) = [row for row in desk.look.journal(plan) if row.state is State.CONFIRMED]
    assert (row.by, row.data) == ("person:ana", {"seal": plan.seal, "shown": yes.shown})


def test_a_yes_by_id_needs_the_seal_as_it_was_shown(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    for seal in ("", plan.seal[:-1], plan.seal.upper()):
        with pytest.raises(SealMismatch) as caught:
            desk.look.confirm(plan.id, seal=seal, by="ana")
        assert caught.value.fix
    assert desk.state(plan) is State.PENDING
    assert desk.look.confirm(plan.id, seal=plan.seal, by="ana").ok


def test_two_yeses_swapped_are_both_refused_and_neither_runs(desk: WatchedDesk) -> None:
    one, two = desk.proposed(), desk.proposed()
    for plan, other in ((one, two), (two, one)):
        with pytest.raises(SealMismatch, match=f"this yes is for another plan than {plan.id}"):
            desk.look.confirm(plan.id, seal=other.seal, by="ana")
        assert isinstance(desk.look.dispatch(plan), NotConfirmed)
    assert desk.effects == []


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (State.CONFIRMED, AlreadyUsed),
        (State.EXECUTED, AlreadyUsed),
        (State.BLOCKED_STALE, AlreadyUsed),
        (State.REJECTED, Rejected),
        (State.CANCELLED, Cancelled),
        (State.EXPIRED, Expired),
        (State.PARKED, Parked),
    ],
)
def test_a_yes_that_comes_too_late_changes_nothing(
    desk: WatchedDesk, state: State, kind: type[Any]
) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, state=state)
    desk.events.clear()
    assert type(desk.look.confirm(plan, by="ana")) is kind
    assert desk.events == []
    assert desk.store.get(plan.id).confirmation is None


def test_a_late_yes_to_a_plan_that_cannot_be_read_is_refused_too(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, state=State.EXECUTED, body=b"{}")
    outcome = desk.look.confirm(plan, by="ana")
    assert isinstance(outcome, AlreadyUsed)
    assert outcome.plan.intent == "(the stored plan cannot be read)"


def test_who_may_not_say_yes_is_refused_before_anything_is_read(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.events.clear()
    for by in ("agent:bot", "policy:p", "Agent:bot"):
        with pytest.raises(NotAllowed):
            desk.look.confirm(plan, by=by)
    assert desk.events == []
    assert desk.state(plan) is State.PENDING


def test_where_it_cannot_be_read_the_yes_does_not_count_and_may_be_said_again(
    desk: WatchedDesk,
) -> None:
    plan = desk.proposed()
    desk.source.then(ScriptedSource().read)
    outcome = desk.look.confirm(plan, by="ana")
    assert isinstance(outcome, NotConfirmed)
    assert outcome.checks[0].ref == "slots:slot-42"
    assert desk.state(plan) is State.PENDING
    desk.source.then(desk._read)
    assert desk.look.confirm(plan, by="ana").ok


def test_a_source_that_is_not_here_refuses_the_yes_and_leaves_the_plan(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.look.world.sources._sources["slots"] = ScriptedSource(name="another")
    desk.look.world.sources._configs.clear()
    with pytest.raises(NotRegistered, match="slots:slot-42 is configured in another way") as error:
        desk.look.confirm(plan, by="ana")
    assert error.value.where == "slots:slot-42"
    assert desk.state(plan) is State.PENDING


# --- somebody else is faster ---------------------------------------------------------------------


def test_of_two_yeses_at_once_one_counts(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.before(State.CONFIRMED, lambda: desk.look.confirm(plan, by="ben"))
    outcome = desk.look.confirm(plan, by="ana")
    assert isinstance(outcome, AlreadyUsed)
    assert outcome.reason == "already has its yes"
    assert desk.store.get(plan.id).confirmation.by == "person:ben"


def test_a_no_that_is_faster_than_a_yes_stands(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.before(State.CONFIRMED, lambda: desk.look.reject(plan, by="ben", why="too dear"))
    assert isinstance(desk.look.confirm(plan, by="ana"), Rejected)
    assert isinstance(desk.look.dispatch(plan), Rejected)


def test_a_no_that_is_faster_than_a_block_stands_and_nothing_is_asked_afresh(
    desk: WatchedDesk,
) -> None:
    plan = desk.proposed()
    desk.change(price=95)
    desk.store.before(State.BLOCKED_STALE, lambda: desk.look.reject(plan, by="ben"))
    assert isinstance(desk.look.confirm(plan, by="ana"), Rejected)
    assert desk.store.newest(plan.lineage).id == plan.id


def test_a_no_that_is_faster_than_the_end_stands(desk: WatchedDesk) -> None:
    plan = desk.book_slot.options(expires_in=60).propose("slot-42")
    desk.clock.advance(61)
    desk.store.before(State.EXPIRED, lambda: desk.look.reject(plan, by="ben"))
    assert isinstance(desk.look.confirm(plan, by="ana"), Rejected)


def test_a_plan_that_is_edited_and_cancelled_meanwhile_is_cancelled(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, body=b"{}")
    desk.store.before(State.BLOCKED_TAMPERED, lambda: desk.look.cancel(plan))
    assert isinstance(desk.look.confirm(plan, by="ana"), Cancelled)


def test_a_yes_to_edited_bytes_blocks_and_there_is_no_fresh_plan(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, body=plan.body.replace(b'"amount":80', b'"amount":8'))
    outcome = desk.look.confirm(plan, by="ana")
    assert isinstance(outcome, BlockedTampered)
    assert outcome.fresh is None
    assert outcome.why_no_fresh.endswith("Ask the agent to plan again.")
    assert desk.store.newest(plan.lineage).id == plan.id


def test_a_block_at_the_yes_keeps_what_was_seen_and_names_fields_in_the_journal(
    desk: WatchedDesk,
) -> None:
    plan = desk.proposed()
    desk.change(price=95, status="held")
    outcome = desk.look.confirm(plan, by="ana")
    assert isinstance(outcome, BlockedStale)
    assert outcome.confirmed_at is None
    assert [look.moment for look in desk.store.looks(plan.id)] == ["before_yes"]
    (row,) = [row for row in desk.look.journal(plan) if row.state is State.BLOCKED_STALE]
    changed = {"slots:slot-42": ["/price", "/status"]}
    assert row.data == {"changed": changed, "unreadable": {}}


def test_a_store_that_cannot_be_read_refuses_the_yes(
    desk: WatchedDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = desk.proposed()

    def full(*_: object) -> None:
        raise StoreFull("no space is left", fix="Make room.")

    monkeypatch.setattr(desk.store, "get", full)
    outcome = desk.look.confirm(plan, by="ana")
    assert isinstance(outcome, StoreUnavailable)
    assert (outcome.plan.id, outcome.reason) == (plan.id, "no space is left. Make room.")


# --- no, and taking back -------------------------------------------------------------------------


@pytest.mark.parametrize("state", State)
def test_a_no_counts_while_the_plan_is_pending_and_never_after(
    desk: WatchedDesk, state: State
) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, state=state)
    if state is State.PENDING:
        desk.look.reject(plan, by="ana", why="too dear")
        (row,) = [row for row in desk.look.journal(plan) if row.state is State.REJECTED]
        assert (row.by, row.data) == ("person:ana", {"why": "too dear"})
        return
    with pytest.raises(WrongState, match=f"plan {plan.id} .*, and can't be rejected") as caught:
        desk.look.reject(plan, by="ana")
    assert standing(state) in caught.value.what
    may_cancel = state in {State.CONFIRMED, State.CLAIMED, State.PARKED}
    assert caught.value.fix == ("It can be cancelled." if may_cancel else "")
    assert desk.state(plan) is state


@pytest.mark.parametrize("state", State)
def test_a_plan_is_taken_back_only_before_it_began(desk: WatchedDesk, state: State) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, state=state)
    if state in {State.PENDING, State.CONFIRMED, State.CLAIMED, State.PARKED}:
        desk.look.cancel(plan)
        assert desk.state(plan) is State.CANCELLED
        assert list(desk.look.journal(plan))[-1].by == "agent:program"
        return
    with pytest.raises(WrongState, match="and can't be cancelled now") as caught:
        desk.look.cancel(plan)
    assert "_" not in caught.value.what
    assert caught.value.fix == ""
    assert desk.state(plan) is state


def test_a_no_that_comes_right_after_a_yes_is_told_so(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.before(State.REJECTED, lambda: desk.look.confirm(plan, by="ben"))
    with pytest.raises(WrongState, match="has its yes, and can't be rejected now"):
        desk.look.reject(plan, by="ana")
    assert desk.state(plan) is State.CONFIRMED


def test_a_no_of_nobody_is_refused(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    with pytest.raises(NotAllowed):
        desk.look.reject(plan, by=" ")
    assert desk.state(plan) is State.PENDING
