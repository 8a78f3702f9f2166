"""Secret fields: they decide, and are told to nobody."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastlook import ActionPlan, Lastlook, Planning, field
from lastlook.core.outcome import BlockedStale, Executed, Outcome
from lastlook.core.screens import question_screen
from lastlook.errors import ConditionNotMet, LastlookError, NotDeclared
from lastlook.testing import FakeClock, ScriptedAsker

PIN, OTHER = "pin-zulu-x", "pin-yankee-y"
SECRETS = (PIN, OTHER, "zulu", "yankee")


class Bank:
    """Accounts with a PIN that plans rest on, and everything that was told of them."""

    def __init__(self, store: Any, *fields: Any) -> None:
        self.accounts = {"kim": {"pin": PIN, "open": True}}
        self.effects: list[str] = []
        self.fields = fields or (field("pin").secret, "open")
        self.asker = ScriptedAsker()
        self.look = Lastlook(
            sources={"accounts": self.accounts}, store=store, clock=FakeClock(), asker=self.asker
        )

        @self.look.tool(writes=["accounts:{who}#open"])
        def close(who: str) -> None:
            self.effects.append(who)

        @self.look.planner("Close {who}")
        def closing(plan: Planning, who: str) -> None:
            plan.read(f"accounts:{who}", *self.fields)
            plan.step(close, who=who)

        self.close, self.closing = close, closing

    def proposed(self) -> ActionPlan:
        return self.closing.propose("kim")

    def by_hand(self) -> ActionPlan:
        account = self.look.read("accounts:kim", *self.fields)
        return self.look.propose("Close kim", [self.close.step("kim")], evidence=[account])

    def dispatched(self, plan: ActionPlan) -> Outcome:
        assert self.look.confirm(plan, by="ana").ok
        return self.look.dispatch(plan)

    def change(self, **changes: Any) -> None:
        self.accounts["kim"] = self.accounts["kim"] | changes


def told(bank: Bank, *outcomes: Outcome) -> str:
    """Everything that anybody is told of these outcomes and of their plans."""
    texts: list[str] = []
    for outcome in outcomes:
        for plan in {outcome.plan.id: outcome.plan, "": getattr(outcome, "fresh", None)}.values():
            if plan is not None:
                texts += [plan.body.decode(), repr(plan), repr(plan.evidence)]
        texts += [repr(outcome), outcome.text(), json.dumps(outcome.data())]
    texts += [repr(row) for row in bank.look.journal()]
    for record in bank.look.world.store.plans():
        texts += [repr(record.outcome), repr(bank.look.world.store.looks(record.id))]
    return "\n".join(texts)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return "memory" if request.param == "memory" else tmp_path / "plans.db"


@pytest.fixture
def open_bank(store: Any) -> Any:
    banks: list[Bank] = []

    def opened(*fields: Any) -> Bank:
        banks.append(Bank(store, *fields))
        return banks[-1]

    yield opened
    for bank in banks:
        bank.look.close()


@pytest.fixture(params=["planner", "by hand"])
def propose(request: pytest.FixtureRequest) -> Callable[[Bank], ActionPlan]:
    return Bank.proposed if request.param == "planner" else Bank.by_hand


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG, logger="lastlook")
    return caplog


def test_a_secret_that_stays_is_valid_and_told_to_nobody(
    open_bank: Any, propose: Any, log: Any
) -> None:
    bank = open_bank()
    outcome = bank.dispatched(propose(bank))
    assert isinstance(outcome, Executed)
    everything = told(bank, outcome) + log.text
    assert not any(secret in everything for secret in SECRETS)
    assert bank.effects == ["kim"]


def test_a_secret_that_changed_is_stale_named_and_told_to_nobody(
    open_bank: Any, propose: Any, log: Any
) -> None:
    bank = open_bank()
    plan = propose(bank)
    bank.change(pin=OTHER)
    outcome = bank.look.confirm(plan, by="ana")
    assert isinstance(outcome, BlockedStale)
    assert outcome.changed == {"accounts:kim": ("/pin",)}
    everything = told(bank, outcome) + log.text
    assert not any(secret in everything for secret in SECRETS)
    assert "secret" in outcome.text()
    assert bank.effects == []


def test_after_a_secret_changed_the_fresh_plan_rests_on_the_new_one(
    open_bank: Any, propose: Any
) -> None:
    bank = open_bank()
    plan = propose(bank)
    assert bank.look.confirm(plan, by="ana").ok
    bank.change(pin=OTHER)
    blocked = bank.look.dispatch(plan)
    assert isinstance(blocked, BlockedStale)
    assert blocked.fresh is not None
    outcome = bank.dispatched(blocked.fresh)
    assert isinstance(outcome, Executed)
    assert not any(secret in told(bank, blocked, outcome) for secret in SECRETS)
    bank.change(pin=PIN)
    assert not bank.look.dispatch(plan).ok


def test_a_secret_beside_a_changed_field_is_not_told_either(open_bank: Any) -> None:
    bank = open_bank()
    plan = bank.proposed()
    bank.change(open=False)
    outcome = bank.look.confirm(plan, by="ana")
    assert isinstance(outcome, BlockedStale)
    assert outcome.changed == {"accounts:kim": ("/open",)}
    assert not any(secret in told(bank, outcome) for secret in SECRETS)


def test_a_secret_that_went_or_came_is_stale(open_bank: Any) -> None:
    bank = open_bank(field("pin").secret.optional, "open")
    plan = bank.proposed()
    bank.accounts["kim"] = {"open": True}
    went = bank.look.confirm(plan, by="ana")
    assert isinstance(went, BlockedStale)
    assert went.fresh is not None
    bank.change(pin=OTHER)
    came = bank.look.confirm(went.fresh, by="ana")
    assert isinstance(came, BlockedStale)
    assert not any(secret in told(bank, went, came) for secret in SECRETS)


def test_equal_secrets_look_different_in_every_plan(open_bank: Any) -> None:
    bank = open_bank()
    one, two = bank.proposed(), bank.proposed()
    cells = [dict(zip(p.evidence[0].fields, p.evidence[0].cells, strict=True)) for p in (one, two)]
    assert cells[0] != cells[1]
    salts = [bank.look.world.store.get(plan.id).salts for plan in (one, two)]
    assert salts[0].keys() == salts[1].keys() == {"accounts:kim#/pin"}
    assert salts[0] != salts[1]
    assert all(len(salt) == 32 for each in salts for salt in each.values())
    assert salts[0]["accounts:kim#/pin"].hex() not in one.body.decode()


def test_the_literal_of_a_secret_condition_is_masked_where_it_is_shown(
    open_bank: Any, log: Any
) -> None:
    bank = open_bank(field("pin").equals(PIN).secret, "open")
    plan = bank.proposed()
    bank.change(pin=OTHER)
    outcome = bank.look.confirm(plan, by="ana")
    assert isinstance(outcome, BlockedStale)
    assert outcome.fresh is None
    shown = outcome.text() + json.dumps(outcome.data()) + log.text + outcome.why_no_fresh
    shown += repr(list(bank.look.journal())) + repr(plan.evidence[0].fields)
    assert not any(secret in shown for secret in SECRETS)


def test_a_secret_condition_that_is_false_already_is_refused_without_its_words(
    open_bank: Any,
) -> None:
    bank = open_bank(field("pin").equals(OTHER).secret, "open")
    with pytest.raises(ConditionNotMet) as caught:
        bank.proposed()
    assert not any(secret in str(caught.value) for secret in SECRETS)
    assert list(bank.look.journal()) == []


def test_a_planner_and_a_tool_are_not_given_a_secret(open_bank: Any) -> None:
    bank = open_bank()
    account = bank.look.read("accounts:kim", *bank.fields)
    with pytest.raises(NotDeclared, match="pin is secret"):
        account["pin"]
    assert "pin" not in account
    assert account["open"] is True
    assert not any(secret in repr(account) + str(account) for secret in SECRETS)


def test_the_question_masks_a_secret(open_bank: Any) -> None:
    bank = open_bank()
    bank.look.ask(bank.proposed())
    (question,) = bank.asker.questions
    text = question_screen(question).plain()
    assert "pin" in text
    assert not any(secret in text for secret in SECRETS)


def test_a_stored_plan_whose_salt_was_lost_does_not_run() -> None:
    bank = Bank("memory")
    plan = bank.proposed()
    assert bank.look.confirm(plan, by="ana").ok
    plans = bank.look.world.store._plans
    plans[plan.id].salts.clear()
    outcome = bank.look.dispatch(plan)
    assert outcome.name == "blocked_unresolvable"
    assert bank.effects == []


@pytest.mark.parametrize("bad", ["pin within 5 (secret)", "pin (secret, secret)"])
def test_a_secret_that_cannot_be_meant_is_refused(open_bank: Any, bad: str) -> None:
    bank = open_bank(bad, "open")
    with pytest.raises(LastlookError):
        bank.proposed()
    assert list(bank.look.journal()) == []
