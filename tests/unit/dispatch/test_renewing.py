"""Renewing: the one live plan after a block, made anew in each way there is, or why not."""

from __future__ import annotations

import threading
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from lastlook import ActionPlan, Planning, field
from lastlook.core.check import Stale
from lastlook.core.lifecycle import State
from lastlook.core.outcome import BlockedStale, BlockedUnresolvable
from lastlook.core.plan import Origin
from lastlook.dispatch.renewing import make_fresh, renew, within
from lastlook.errors import NoFreshPlan, NotRegistered, SealMismatch, UnknownPlan
from lastlook.planning.drafts import Draft
from lastlook.planning.options import Rules
from lastlook.sources import MemorySource
from lastlook.testing import ScriptedSource
from tests.unit.dispatch.watched import WatchedDesk


def blocked(desk: WatchedDesk, plan: ActionPlan | None = None, **changes: Any) -> BlockedStale:
    plan = desk.confirmed(plan)
    desk.change(**(changes or {"price": 95}))
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    return outcome


# --- which plan is the live one ------------------------------------------------------------------


def test_the_fresh_plan_of_a_blocked_fresh_plan_is_found_from_the_first(desk: WatchedDesk) -> None:
    first = desk.proposed()
    second = blocked(desk, first).fresh
    third = blocked(desk, second, price=99).fresh
    assert [plan.number for plan in (first, second, third)] == [1, 2, 3]
    for plan in (first, second):
        assert desk.look.renew(plan) == third


@pytest.mark.parametrize(
    "state", [State.PENDING, State.CONFIRMED, State.CLAIMED, State.EXECUTING, State.PARKED]
)
def test_a_fresh_plan_that_lives_is_returned_as_it_is(desk: WatchedDesk, state: State) -> None:
    first = desk.proposed()
    fresh = blocked(desk, first).fresh
    desk.store.doctor(fresh, state=state)
    desk.events.clear()
    assert desk.look.renew(first) == fresh
    assert desk.events == []


@pytest.mark.parametrize(
    "state", [State.EXECUTED, State.REJECTED, State.CANCELLED, State.EXPIRED, State.UNKNOWN]
)
def test_a_lineage_that_came_to_its_end_is_not_renewed(desk: WatchedDesk, state: State) -> None:
    first = desk.proposed()
    fresh = blocked(desk, first).fresh
    desk.store.doctor(fresh, state=state)
    with pytest.raises(NoFreshPlan, match=f"plan {fresh.id} is {state}; only a blocked plan"):
        desk.look.renew(first)
    assert desk.store.newest(first.lineage).id == fresh.id


def test_a_fresh_plan_that_was_blocked_without_a_new_one_gets_one_now(desk: WatchedDesk) -> None:
    first = desk.proposed()
    second = blocked(desk, first).fresh
    del desk.look.world.planners["book_slot"]
    assert blocked(desk, second, price=99).fresh is None
    desk.look.world.add_planner(desk.book_slot)
    third = desk.look.renew(first)
    assert (third.follows, third.steps[0].arguments["amount"]) == (second.id, 99)


@pytest.mark.parametrize("state", [State.CONFIRMED, State.CLAIMED, State.EXECUTED, State.PARKED])
def test_only_a_blocked_plan_is_renewed(desk: WatchedDesk, state: State) -> None:
    plan = desk.proposed()
    desk.store.doctor(plan, state=state)
    with pytest.raises(NoFreshPlan, match=f"is {state}; only a blocked plan is renewed"):
        desk.look.renew(plan)


def test_what_is_not_there_or_was_edited_is_a_typed_error(desk: WatchedDesk) -> None:
    with pytest.raises(UnknownPlan):
        desk.look.renew("zzzz")
    plan = desk.proposed()
    desk.store.doctor(plan, body=b"{}", state=State.BLOCKED_STALE)
    with pytest.raises(SealMismatch):
        desk.look.renew(plan)


def test_two_at_once_give_one_fresh_plan(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.change(price=95)
    del desk.look.world.planners["book_slot"]
    outcome = desk.look.dispatch(plan)
    desk.look.world.add_planner(desk.book_slot)
    others: list[ActionPlan] = []

    def first(key: str) -> object:
        desk.source.then(desk._read)
        others.append(renew(desk.look.world, plan.id))
        return desk._read(key)

    desk.source.then(first)
    assert make_fresh(desk.look.world, plan, outcome.checks) == others[0]
    assert desk.store.newest(plan.lineage).number == 2


# --- a pending plan ------------------------------------------------------------------------------


def test_a_pending_plan_that_holds_is_returned_as_it_is(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.events.clear()
    assert desk.look.renew(plan) == plan
    assert desk.events == ["read slot-42"]


def test_a_pending_plan_that_changed_is_blocked_and_made_afresh(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.change(price=95)
    fresh = desk.look.renew(plan)
    assert (fresh.follows, fresh.steps[0].arguments["amount"]) == (plan.id, 95)
    assert desk.state(plan) is State.BLOCKED_STALE


def test_a_pending_plan_that_cannot_be_read_stays_and_says_so(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.source.then(ScriptedSource().read)
    with pytest.raises(NoFreshPlan, match="slots:slot-42 could not be read"):
        desk.look.renew(plan)
    assert desk.state(plan) is State.PENDING


def test_a_pending_plan_of_a_source_configured_elsewhere_is_not_looked_at(
    desk: WatchedDesk,
) -> None:
    plan = desk.proposed()
    desk.look.world.sources._sources["slots"] = ScriptedSource({"status": "x"}, name="another")
    desk.look.world.sources._configs.clear()
    with pytest.raises(NotRegistered, match="configured in another way"):
        desk.look.renew(plan)
    assert desk.state(plan) is State.PENDING


def test_a_pending_plan_that_somebody_rejects_meanwhile_is_not_renewed(desk: WatchedDesk) -> None:
    plan = desk.proposed()
    desk.change(price=95)
    desk.store.before(State.BLOCKED_STALE, lambda: desk.look.reject(plan, by="ben"))
    with pytest.raises(NoFreshPlan, match="is rejected; only a blocked plan is renewed"):
        desk.look.renew(plan)


# --- why there is none ---------------------------------------------------------------------------


def test_a_record_that_is_gone_offers_to_plan_again(desk: WatchedDesk) -> None:
    desk.look.world.sources._sources["slots"] = MemorySource(desk.world)
    desk.look.world.sources._configs.clear()
    plan = desk.confirmed()
    desk.world.clear()
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedUnresolvable)
    assert outcome.why_no_fresh == "slots:slot-42 is gone. Plan again, or leave it."


def test_a_silent_source_offers_to_look_again(desk: WatchedDesk) -> None:
    plan = desk.confirmed()
    desk.source.then(ScriptedSource().read)
    outcome = desk.look.dispatch(plan)
    assert outcome.why_no_fresh == "slots:slot-42 could not be read. Look again, or leave it."


@pytest.mark.parametrize(
    ("text", "change", "words"),
    [
        ("status == 'available'", {"status": "held"}, 'status is "available"'),
        ("price <= 80", {"price": 95}, "price is at most 80"),
    ],
)
def test_a_condition_that_fails_is_named(
    desk: WatchedDesk, text: str, change: dict[str, Any], words: str
) -> None:
    @desk.look.planner("If", name="if_it_holds")
    def if_it_holds(plan: Planning) -> None:
        plan.read("slots:slot-42", text)
        plan.step(desk.book, slot_id="slot-42", amount=1)

    outcome = blocked(desk, if_it_holds.propose(), **change)
    assert outcome.fresh is None
    assert outcome.why_no_fresh == f"this plan only makes sense while {words}."


def test_a_value_that_moved_too_far_is_asked_about_afresh_from_where_it_is(
    desk: WatchedDesk,
) -> None:
    @desk.look.planner("Near", name="near")
    def near(plan: Planning) -> None:
        plan.read("slots:slot-42", "price within 5%")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    fresh = blocked(desk, near.propose(), price=95).fresh
    assert fresh is not None
    assert fresh.evidence[0]["price"] == 95


def test_a_condition_that_the_planner_finds_false_is_named(desk: WatchedDesk) -> None:
    limit = [90]

    @desk.look.planner("If", name="if_cheap")
    def if_cheap(plan: Planning) -> None:
        plan.read("slots:slot-42", "status", field("price").at_most(limit[0]))
        plan.step(desk.book, slot_id="slot-42", amount=1)

    plan = if_cheap.propose()
    limit[0] = 70
    outcome = blocked(desk, plan, status="held")
    assert outcome.why_no_fresh == (
        "this plan makes no sense now: price <= 70 does not hold now: price is 80."
    )


class Fatal(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ZeroDivisionError("3.14 secret"), "planning again failed: ZeroDivisionError"),
        (Fatal("3.14 secret"), "planning again failed: Fatal"),
        (SystemExit(3), "planning again failed: SystemExit"),
    ],
)
def test_a_planner_that_fails_leaves_the_block_and_its_words_unsaid(
    desk: WatchedDesk, error: BaseException, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    failing: list[BaseException] = []

    @desk.look.planner("Fail", name="fail")
    def fail(plan: Planning) -> None:
        plan.read("slots:slot-42", "price")
        plan.step(desk.book, slot_id="slot-42", amount=1)
        if failing:
            raise failing[0]

    plan = fail.propose()
    failing.append(error)
    outcome = blocked(desk, plan)
    assert (outcome.fresh, outcome.why_no_fresh) == (None, words)
    assert desk.state(plan) is State.BLOCKED_STALE
    assert "3.14 secret" not in caplog.text


def test_a_planner_that_does_not_come_back_is_not_waited_for_for_ever() -> None:
    release = threading.Event()

    def hang() -> NoReturn:
        release.wait(30)
        raise AssertionError("nobody looks at this")

    with pytest.raises(NoFreshPlan, match=r"did not come back within 0\.01 s"):
        within(0.01, hang)
    release.set()


def test_what_the_planner_makes_in_time_is_given() -> None:
    made = Draft(intent="i", steps=(), tools=(), effects=(), evidence=(), origin=Origin())
    assert within(30, lambda: made) is made


# --- by hand -------------------------------------------------------------------------------------


def by_hand(desk: WatchedDesk, *fields: Any, amount: int = 1, **more: Any) -> ActionPlan:
    slot = desk.look.read("slots:slot-42", *(fields or ("status", "price")))
    step = desk.book.step(slot_id="slot-42", amount=amount)
    return desk.look.propose("Book slot-42", [step], evidence=[slot], **more)


def test_steps_by_hand_stay_and_the_evidence_is_new(desk: WatchedDesk) -> None:
    plan = by_hand(desk, "status", "price <= 100")
    fresh = blocked(desk, plan, status="held").fresh
    assert fresh is not None
    assert (fresh.origin, fresh.intent) == (plan.origin, plan.intent)
    assert fresh.steps[0].arguments == plan.steps[0].arguments
    assert fresh.steps[0].key != plan.steps[0].key
    assert [str(item) for item in fresh.evidence[0].fields] == ["price <= 100", "status"]
    assert fresh.evidence[0]["status"] == "held"
    assert desk.look.dispatch(desk.confirmed(fresh)).ok


def test_a_secret_by_hand_is_captured_anew_under_another_salt(desk: WatchedDesk) -> None:
    plan = by_hand(desk, field("status").secret)
    fresh = blocked(desk, plan, status="held").fresh
    assert fresh is not None
    old, new = (desk.store.get(each.id).salts for each in (plan, fresh))
    assert old.keys() == new.keys() == {"slots:slot-42#/status"}
    assert old != new
    assert desk.look.dispatch(desk.confirmed(fresh)).ok


def test_an_absence_by_hand_is_looked_for_again(desk: WatchedDesk) -> None:
    rooms: dict[str, Any] = {}
    desk.look.world.sources.add("rooms", rooms)

    @desk.look.planner("If absent", name="if_absent")
    def if_absent(plan: Planning) -> None:
        plan.absent("rooms:r1")
        plan.read("slots:slot-42", "price")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    plan = if_absent.propose()
    step = desk.book.step(slot_id="slot-42", amount=1)
    with pytest.warns(UserWarning, match="rooms:r1"):
        hand = desk.look.propose("Book slot-42", [step], evidence=plan.evidence)
    outcome = blocked(desk, hand)
    assert outcome.fresh is not None
    assert [item.kind for item in outcome.fresh.evidence] == ["absence", "record"]
    fresh = desk.confirmed(outcome.fresh)
    rooms["r1"] = {}
    outcome = desk.look.dispatch(fresh)
    assert outcome.why_no_fresh.startswith("this plan makes no sense now: rooms:r1 exists")


def test_a_query_by_hand_is_asked_again(desk: WatchedDesk) -> None:
    rooms = MemorySource({"r1": {"floor": 1, "free": True}, "r2": {"floor": 2, "free": True}})
    desk.look.world.sources.add("rooms", rooms)

    @rooms.query("free")
    def on_floor(records: Any, floor: int) -> Any:
        return {key: room for key, room in records.items() if room["floor"] == floor}

    @desk.look.planner("Ask", name="ask")
    def asking(plan: Planning) -> None:
        plan.query(on_floor, 1)
        plan.step(desk.book, slot_id="slot-42", amount=1)

    step = desk.book.step(slot_id="slot-42", amount=1)
    with pytest.warns(UserWarning, match="rooms:on_floor"):
        hand = desk.look.propose("Book", [step], evidence=asking.propose().evidence)
    desk.confirmed(hand)
    rooms.set("r3", {"floor": 1, "free": False})
    outcome = desk.look.dispatch(hand)
    assert isinstance(outcome, BlockedStale)
    assert outcome.fresh is not None
    assert [member.key for member in outcome.fresh.evidence[0].members] == ["r1", "r3"]


def test_approvers_expiry_and_requester_go_on_to_the_fresh_plan(desk: WatchedDesk) -> None:
    @desk.look.planner(
        "Book", name="strict", two_people=True, approvers=["ana", "person:ben"], expires_in=60
    )
    def strict(plan: Planning) -> None:
        plan.read("slots:slot-42", "price")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    plan = strict.options(requested_by="support", expires_in=90).propose()
    assert plan.approvers == ("person:ana", "person:ben")
    desk.clock.advance(50)
    fresh = blocked(desk, plan).fresh
    assert fresh is not None
    assert (fresh.two_people, fresh.approvers) == (True, plan.approvers)
    assert fresh.requested_by == "agent:support"
    assert fresh.expires_at is not None
    assert (fresh.expires_at - desk.clock.now()).total_seconds() == 90


def test_a_program_that_asks_less_of_the_yes_now_does_not_lessen_a_fresh_plan(
    desk: WatchedDesk,
) -> None:
    @desk.look.planner("Book", name="strict", two_people=True, approvers=["ana"])
    def strict(plan: Planning) -> None:
        plan.read("slots:slot-42", "price")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    plan = strict.propose()
    strict._rules = Rules()
    fresh = blocked(desk, plan).fresh
    assert fresh is not None
    assert (fresh.two_people, fresh.approvers) == (True, ("person:ana",))


def test_a_plan_by_hand_that_has_an_end_has_one_again(desk: WatchedDesk) -> None:
    plan = by_hand(desk)
    draft = Draft(
        intent="Book", steps=plan.steps, tools=plan.tools, effects=plan.estimated_side_effects,
        evidence=plan.evidence, origin=plan.origin, expires_in=60.0,
    )  # fmt: skip
    fresh = blocked(desk, desk.look.propose_draft(draft)).fresh
    assert fresh is not None
    assert fresh.expires_at is not None
    assert (fresh.expires_at - fresh.created_at).total_seconds() == 60


def test_a_tool_that_is_another_now_gives_its_own_words_to_the_fresh_plan(
    desk: WatchedDesk,
) -> None:
    plan = by_hand(desk)
    desk.confirmed(plan)
    desk.book.__dict__["definition"] = replace(desk.book.definition, version="2")
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, BlockedStale)
    assert isinstance(outcome.checks[0], Stale)
    assert outcome.fresh is not None
    assert outcome.fresh.tool("book").version == "2"
    assert outcome.fresh.estimated_side_effects[0].text == "books slot-42 for 1"
