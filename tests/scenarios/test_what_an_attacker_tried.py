"""Ways round the yes that were tried once, each closed."""

from __future__ import annotations

import copy
import json

import pytest
from msgspec.structs import replace

from lastlook import Act, Lastlook, Planning, field
from lastlook.core.lifecycle import Move, State
from lastlook.errors import DeclarationError
from lastlook.outcomes import BlockedTampered, Expired, Partial
from lastlook.stores.memory import MemoryStore
from lastlook.stores.rules import stands
from lastlook.testing import FakeClock

RECORD = {"status": "free", "items": [1, {"n": 2}], "note": "x"}


class Shop:
    """One record, one tool that keeps what it was given, one planner."""

    def __init__(self, **more: object) -> None:
        self.record = copy.deepcopy(RECORD)
        self.clock = FakeClock()
        self.store = MemoryStore("test")
        self.paid: list[object] = []
        self.on_read = lambda: None
        more.setdefault("sources", {"s": self.read})
        self.look = Lastlook(store=self.store, clock=self.clock, **more)
        self.look.world.sources["s"].blocking = False

        @self.look.tool(writes=["s:a#status"], name="pay")
        def pay(amount: int, to: dict[str, object]) -> None:
            self.paid.append((amount, to))

        self.pay = pay

    def read(self, _key: str) -> object:
        self.on_read()
        return copy.deepcopy(self.record)

    def planner(self, **rules: object):
        @self.look.planner("Pay {amount}", **rules)
        def pay_it(plan: Planning, amount: int) -> None:
            plan.read("s:a", "status in ['free', 'open']", "items")
            plan.step(self.pay, amount=amount, to={"iban": ["DE1"]})

        return pay_it


def test_nothing_that_a_plan_hands_out_can_be_changed():
    shop = Shop()
    plan = shop.planner().propose(5)
    assert shop.look.confirm(plan, by="ana").ok
    for held in (plan, shop.look.get(plan.id)[0]):
        changes = [
            lambda p=held: p.steps[0].arguments.update(amount=1_000_000),
            lambda p=held: p.steps[0].arguments["to"]["iban"].append("DE2"),
            lambda p=held: p.origin.arguments.clear(),
            lambda p=held: p.tools[0].arguments.pop("type"),
            lambda p=held: p.evidence[0].cells[0][1].append(4),
            lambda p=held: p.evidence[0].fields[1].rule.setdefault("equals", 1),
        ]
        for change in changes:
            with pytest.raises(TypeError, match="was sealed"):
                change()
    assert shop.look.dispatch(plan).ok
    assert shop.paid == [(5, {"iban": ["DE1"]})]


def test_a_copy_of_what_a_plan_holds_can_be_changed_and_written():
    plan = Shop().planner().propose(5)
    arguments = copy.deepcopy(plan.steps[0].arguments)
    arguments["to"]["iban"].append("DE2")
    assert json.loads(json.dumps(plan.steps[0].arguments)) == {"amount": 5, "to": {"iban": ["DE1"]}}
    assert copy.copy(plan.steps[0].arguments["to"]["iban"]) == ["DE1"]


@pytest.mark.parametrize("rules", [{"two_people": True}, {"approvers": ["person:ana"]}])
def test_no_policy_says_yes_where_people_are_asked_for(rules):
    shop = Shop(confirms={"small": ["pay"]})
    plan = shop.planner(**rules).propose(5)
    assert shop.look.get(plan.id)[1] is State.PENDING
    assert plan.requires_confirmation


def test_a_policy_says_yes_where_nobody_in_particular_is_asked_for():
    shop = Shop(confirms={"small": ["pay"]})
    plan = shop.planner().propose(5)
    assert shop.look.get(plan.id)[1] is State.CONFIRMED
    assert shop.look.dispatch(plan).ok


def test_a_plan_that_expires_while_it_is_looked_at_does_not_run():
    shop = Shop()
    plan = shop.planner(expires_in=1).propose(5)
    assert shop.look.confirm(plan, by="ana").ok
    shop.on_read = lambda: shop.clock.advance(1.5)
    assert isinstance(shop.look.dispatch(plan), Expired)
    assert shop.paid == []
    assert shop.look.get(plan.id)[1] is State.EXPIRED


def test_a_plan_that_expires_while_the_yes_is_looked_into_gets_none():
    shop = Shop()
    plan = shop.planner(expires_in=1).propose(5)
    shop.on_read = lambda: shop.clock.advance(1.5)
    assert isinstance(shop.look.confirm(plan, by="ana"), Expired)
    assert shop.look.get(plan.id)[1] is State.EXPIRED


def test_a_plan_that_is_confirmed_while_it_is_withdrawn_is_withdrawn():
    shop = Shop()
    plan = shop.planner().propose(5)
    move, moves = shop.store.move, []

    def overtaken(made: Move):
        if not moves:
            moves.append(made)
            assert shop.look.confirm(plan, by="ana").ok
        return move(made)

    def once(made: Move):
        shop.store.move = move
        return overtaken(made)

    shop.store.move = once
    shop.look.cancel(plan)
    assert shop.look.get(plan.id)[1] is State.CANCELLED
    assert not shop.look.dispatch(plan).ok
    assert shop.paid == []


@pytest.mark.parametrize("by", ["agent:pay-bot", "policy:any", "somebody", ""])
def test_a_stored_yes_of_somebody_who_may_not_give_one_is_none(by):
    shop = Shop()
    plan = shop.planner().propose(5)
    assert shop.look.confirm(plan, by="ana").ok
    record = shop.store.get(plan.id)
    shop.store._plans[plan.id] = replace(record, confirmation=replace(record.confirmation, by=by))
    assert isinstance(shop.look.dispatch(plan), BlockedTampered)
    assert shop.paid == []


def test_a_stored_yes_to_nothing_that_was_shown_is_none():
    shop = Shop()
    plan = shop.planner().propose(5)
    assert shop.look.confirm(plan, by="ana").ok
    record = shop.store.get(plan.id)
    shop.store._plans[plan.id] = replace(
        record, confirmation=replace(record.confirmation, shown="")
    )
    assert isinstance(shop.look.dispatch(plan), BlockedTampered)
    assert shop.paid == []


def test_of_two_that_share_a_claim_one_goes_on_to_the_next_step():
    shop = Shop()
    plan = shop.planner().propose(5)
    running = replace(shop.store.get(plan.id), state=State.EXECUTING, epoch=1, step=2)

    def to(step: int) -> Move:
        return Move(plan=plan.id, expect=State.EXECUTING, expect_epoch=1, to=State.EXECUTING,
                    epoch=1, step=step, at=shop.clock.now(), by="lastlook")  # fmt: skip

    assert stands(running, to(3))
    assert not stands(running, to(2))
    assert not stands(running, to(4))


@pytest.mark.parametrize("verb", ["confirm", "reject", "cancel", "dispatch"])
def test_a_planner_says_neither_yes_nor_no(verb):
    shop = Shop()
    other = shop.planner().propose(5)
    verbs = {
        "confirm": lambda: shop.look.confirm(other, by="ana"),
        "reject": lambda: shop.look.reject(other, by="ana"),
        "cancel": lambda: shop.look.cancel(other),
        "dispatch": lambda: shop.look.dispatch(other),
    }

    @shop.look.planner("Cheat", name="cheat")
    def cheat(plan: Planning) -> None:
        plan.no_evidence("none is needed")
        verbs[verb]()

    with pytest.raises(DeclarationError, match="planners only read"):
        cheat.propose()
    assert shop.look.get(other.id)[1] is State.PENDING


@pytest.mark.parametrize("said", [{"note": "y"}, {"$": {"status": "free", "note": "y"}}])
def test_what_a_step_did_not_declare_is_no_write_of_its_own(said):
    shop = Shop()

    @shop.look.tool(writes=["s:a#status"])
    def sly(act: Act) -> None:
        shop.record["note"] = "y"
        act.wrote("s:a", said)

    @shop.look.planner("Two", name="two")
    def two(plan: Planning) -> None:
        plan.read("s:a", "note", field("status").optional)
        plan.step(sly)
        plan.step(shop.pay, amount=1, to={})

    plan = two.propose()
    assert shop.look.confirm(plan, by="ana").ok
    outcome = shop.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert outcome.changed == {"s:a": ("/note",)}
    assert shop.paid == []
