"""Dispatch: claim, seal, check, intent, act, record, in this order and each once."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from lastlook import ActionPlan, Planning
from lastlook.core.deciding import refusal
from lastlook.core.lifecycle import State
from lastlook.core.outcome import (
    BlockedStale,
    BlockedTampered,
    BlockedUnresolvable,
    Cancelled,
    InProgress,
    Outcome,
)
from lastlook.core.plan import seal_of
from lastlook.errors import DeclarationError, NotRegistered, StoreFull
from lastlook.testing import ScriptedSource
from tests.unit.dispatch.watched import WatchedDesk


def dispatched(desk: WatchedDesk, plan: ActionPlan) -> Outcome:
    desk.events.clear()
    return desk.look.dispatch(plan)


def test_the_look_comes_after_the_claim_and_the_intent_before_the_act(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    assert dispatched(desk, plan).ok
    assert desk.events == ["claimed", "read slot-42", "executing 1", "act", "executed"]


def test_a_block_is_written_before_anything_is_planned_again(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.change(price=95)
    assert dispatched(desk, plan).name == "blocked_stale"
    assert desk.events == ["claimed", "read slot-42", "blocked_stale", "read slot-42"]


def test_a_yes_is_read_for_before_it_counts(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.events.clear()
    desk.confirmed(plan)
    assert desk.events == ["read slot-42", "confirmed"]


def test_what_changes_right_before_the_claim_is_seen(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.store.before(State.CLAIMED, lambda: desk.change(price=95))
    assert isinstance(dispatched(desk, plan), BlockedStale)
    assert desk.effects == []


@pytest.mark.parametrize("state", [state for state in State if state is not State.CONFIRMED])
def test_a_plan_without_a_fresh_yes_is_refused_and_nothing_is_read(
    desk: WatchedDesk, state: State
) -> None:
    plan = desk.confirmed()
    desk.store.doctor(plan, state=state)
    outcome = dispatched(desk, plan)
    assert type(outcome) is type(refusal(desk.store.get(plan.id), plan))
    assert outcome.plan == plan
    assert (desk.events, desk.effects) == ([], [])


def test_the_claim_counts_up_names_its_owner_and_gives_it_back_at_the_end(
    desk: WatchedDesk,
) -> None:
    plan = desk.confirmed()
    owners: list[Any] = []
    desk.on_book = lambda _: owners.append(desk.store.get(plan.id))
    dispatched(desk, plan)
    during, after = owners[0], desk.store.get(plan.id)
    assert (during.state, during.epoch, during.step) == (State.EXECUTING, 1, 1)
    assert during.owner == desk.look.world.owner
    assert during.burned_at is not None
    assert (after.state, after.epoch, after.owner) == (State.EXECUTED, 1, None)


def test_what_was_read_is_kept_with_its_moment(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.clock.advance(60)
    dispatched(desk, plan)
    at_yes, before = desk.store.looks(plan.id)
    assert (at_yes.moment, before.moment) == ("at_yes", "before_step_1")
    assert (before.at - at_yes.at).total_seconds() == 60
    assert before.seen == [["slots:slot-42", [["value", 80], ["value", "slot-42"],
                                              ["value", "available"]]]]  # fmt: skip


def test_the_journal_says_how_much_was_looked_at(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    dispatched(desk, plan)
    (row,) = [row for row in desk.look.journal(plan) if row.state is State.EXECUTING]
    assert row.data == {"sources": 1, "fields": 3}


# --- the seal ------------------------------------------------------------------------------------


def forged(plan: ActionPlan) -> dict[str, Any]:
    """Other bytes, and the seal that goes with them."""
    body = plan.body.replace(b'"amount":80', b'"amount":8')
    return {"body": body, "seal": seal_of(body)}


def test_other_bytes_under_their_own_seal_are_not_what_was_said_yes_to(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.store.doctor(plan, **forged(plan))
    outcome = dispatched(desk, plan)
    assert isinstance(outcome, BlockedTampered)
    assert outcome.plan.intent == "(the stored plan cannot be read)"
    assert desk.events == ["claimed", "blocked_tampered"]
    assert desk.effects == []


def test_a_confirmed_plan_without_its_yes_does_not_run(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, state=State.CONFIRMED)
    assert isinstance(dispatched(desk, plan), BlockedTampered)
    assert desk.events == ["claimed", "blocked_tampered"]


@pytest.mark.parametrize("changes", [{"plan": "zzzz"}, {"seal": "sha256:" + "0" * 64}])
def test_a_yes_for_another_plan_put_under_this_one_does_not_count(
    desk: WatchedDesk, changes: dict[str, str]
) -> None:
    plan = desk.confirmed()
    yes = desk.store.get(plan.id).confirmation
    desk.store.doctor(plan, confirmation=replace(yes, **changes))
    assert isinstance(dispatched(desk, plan), BlockedTampered)
    assert (desk.events, desk.effects) == (["claimed", "blocked_tampered"], [])


def test_a_yes_that_was_used_does_not_pay_twice_though_the_state_is_set_back(
    desk: WatchedDesk,
) -> None:
    plan = desk.confirmed()
    dispatched(desk, plan)
    desk.store.doctor(plan, state=State.CONFIRMED)
    assert isinstance(dispatched(desk, plan), BlockedTampered)
    assert len(desk.effects) == 1


def test_a_yes_used_between_claim_and_intent_stops_the_intent(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.store.before(State.EXECUTING, lambda: desk.store.doctor(plan, burned_at=desk.clock.now()))
    assert isinstance(dispatched(desk, plan), InProgress)
    assert desk.events[-1] == "executing 1: lost"
    assert desk.effects == []


@pytest.mark.parametrize("what", ["body", "both"])
def test_bytes_changed_right_before_the_claim_are_seen_after_it(
    desk: WatchedDesk, what: str
) -> None:
    plan = desk.confirmed()
    changes = forged(plan)
    if what == "body":
        del changes["seal"]
    desk.store.before(State.CLAIMED, lambda: desk.store.doctor(plan, **changes))
    assert isinstance(dispatched(desk, plan), BlockedTampered)
    assert (desk.events, desk.effects) == (["claimed", "blocked_tampered"], [])


def test_bytes_put_right_before_the_claim_are_read_anew(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.store.doctor(plan, body=b"{}")
    desk.store.before(State.CLAIMED, lambda: desk.store.doctor(plan, body=plan.body))
    assert dispatched(desk, plan).ok
    assert len(desk.effects) == 1


# --- somebody else moves the plan ----------------------------------------------------------------


@pytest.mark.parametrize("state", [State.CLAIMED, State.EXECUTING, State.BLOCKED_STALE])
def test_a_plan_cancelled_at_the_last_moment_is_cancelled_and_does_not_run(
    desk: WatchedDesk, state: State
) -> None:
    plan = desk.confirmed()
    if state is State.BLOCKED_STALE:
        desk.change(price=95)
    desk.store.before(state, lambda: desk.look.cancel(plan))
    assert isinstance(dispatched(desk, plan), Cancelled)
    assert desk.effects == []
    assert desk.state(plan) is State.CANCELLED


def test_a_plan_cancelled_as_it_expires_is_cancelled(desk: WatchedDesk) -> None:
    plan = desk.confirmed(desk.book_slot.options(expires_in=60).propose("slot-42"))
    desk.clock.advance(61)
    desk.store.before(State.EXPIRED, lambda: desk.look.cancel(plan))
    assert isinstance(dispatched(desk, plan), Cancelled)
    assert desk.effects == []


def test_a_claim_of_an_older_count_can_write_nothing_any_more(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.store.before(State.EXECUTING, lambda: desk.store.doctor(plan, epoch=2, owner="host/9"))
    outcome = dispatched(desk, plan)
    assert isinstance(outcome, InProgress)
    assert outcome.owner == "host/9"
    assert desk.effects == []
    assert desk.store.get(plan.id).burned_at is None


def test_a_claim_that_was_overtaken_while_it_looked_does_not_run(desk: WatchedDesk) -> None:
    plan = desk.confirmed()

    def overtaken(key: str) -> object:
        desk.store.doctor(plan, epoch=2, owner="host/9")
        return desk._read(key)

    desk.source.then(overtaken)
    assert isinstance(dispatched(desk, plan), InProgress)
    assert desk.events == ["claimed", "read slot-42", "executing 1: lost"]
    assert desk.effects == []


def test_overtaken_by_a_plan_that_cannot_be_read_it_tells_of_the_one_it_had(
    desk: WatchedDesk,
) -> None:
    plan = desk.confirmed()
    desk.store.before(
        State.CLAIMED, lambda: desk.store.doctor(plan, body=b"{}", state=State.CANCELLED)
    )
    outcome = dispatched(desk, plan)
    assert isinstance(outcome, Cancelled)
    assert outcome.plan == plan


# --- what goes wrong in the look -----------------------------------------------------------------


class Turncoat(ScriptedSource):
    """A source that is sound when it is registered, and not when it is asked."""

    turned = False

    @property
    def absence_is_proof(self) -> bool:
        if self.turned:
            raise OSError("no such thing")
        return False

    @absence_is_proof.setter
    def absence_is_proof(self, value: bool) -> None:
        pass


def test_a_look_that_fails_itself_blocks(desk: WatchedDesk) -> None:
    turncoat = Turncoat(desk._read)
    desk.look.world.sources._sources["slots"] = turncoat
    plan = desk.confirmed()
    desk.store.before(State.CLAIMED, lambda: setattr(turncoat, "turned", True))
    outcome = dispatched(desk, plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.reason == "lastlook: the look itself failed: OSError: no such thing"
    assert outcome.why_no_fresh
    assert desk.effects == []
    assert desk.state(plan) is State.BLOCKED_UNRESOLVABLE


def stop(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def test_an_interrupt_before_the_intent_gives_the_claim_back(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.source.then(stop)
    with pytest.raises(KeyboardInterrupt):
        dispatched(desk, plan)
    assert desk.events == ["claimed", "confirmed"]
    record = desk.store.get(plan.id)
    assert (record.state, record.owner, record.burned_at) == (State.CONFIRMED, None, None)
    desk.source.then(desk._read)
    assert dispatched(desk, plan).ok


def test_a_claim_that_cannot_be_given_back_does_not_hide_the_interrupt(
    desk: WatchedDesk, caplog: pytest.LogCaptureFixture
) -> None:
    def full() -> NoReturn:
        raise StoreFull("no space is left")

    plan = desk.confirmed()
    desk.source.then(stop)
    desk.store.before(State.CONFIRMED, full)
    with pytest.raises(KeyboardInterrupt):
        dispatched(desk, plan)
    assert f"plan={plan.id} claim not released: no space is left" in caplog.messages
    assert desk.effects == []


def test_an_interrupt_in_the_act_does_not_give_the_claim_back(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.on_book = stop
    with pytest.raises(KeyboardInterrupt):
        dispatched(desk, plan)
    assert desk.events == ["claimed", "read slot-42", "executing 1", "unknown"]


# --- who may dispatch, and where -----------------------------------------------------------------


def test_a_planner_does_not_dispatch(desk: WatchedDesk) -> None:
    ready = desk.confirmed()

    @desk.look.planner("Sneak", name="sneak")
    def sneak(plan: Planning) -> None:
        desk.look.dispatch(ready)

    with pytest.raises(
        DeclarationError, match=f"planner sneak dispatched plan {ready.id}"
    ) as error:
        sneak.propose()
    assert error.value.fix == "Write plan.step(tool, ...) for what is to run."
    assert desk.effects == []
    assert desk.state(ready) is State.CONFIRMED


def test_a_planner_does_not_ask(desk: WatchedDesk) -> None:
    ready = desk.confirmed()

    @desk.look.planner("Sneak", name="sneak")
    def sneak(plan: Planning) -> None:
        desk.look.ask(ready)

    with pytest.raises(DeclarationError, match=f"planner sneak asked about plan {ready.id}"):
        sneak.propose()
    assert desk.asker.questions == []
    assert desk.effects == []


def test_a_source_that_is_not_here_is_a_typed_error_before_the_claim(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    del desk.look.world.sources._sources["slots"]
    with pytest.raises(NotRegistered, match="slots") as caught:
        dispatched(desk, plan)
    assert caught.value.fix
    assert desk.events == []
    assert desk.state(plan) is State.CONFIRMED


@pytest.mark.parametrize("how", ["proposed", "got", "in the tool"])
def test_what_is_changed_in_a_plan_that_was_handed_out_does_not_run(
    desk: WatchedDesk, how: str
) -> None:
    plan = desk.confirmed()
    held = plan if how == "proposed" else desk.look.get(plan.id)[0]
    places: list[Any] = [held.steps[0].arguments, held.origin.arguments]

    def changed() -> None:
        for place in places:
            with suppress(TypeError):  # a plan that can't be changed is as good
                place["amount" if "amount" in place else "slot_id"] = 8

    if how == "in the tool":
        desk.on_book = lambda _: changed()
    else:
        changed()
    outcome = desk.look.dispatch(plan.id)
    assert outcome.unwrap() == ("booked slot-42",)
    assert desk.effects == [("book", "slot-42", 80)]
    assert desk.look.get(plan.id)[0].steps[0].arguments == {"slot_id": "slot-42", "amount": 80}
