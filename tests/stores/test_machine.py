"""Both stores, given the same random life, say the same at every step."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lastlook.core.lifecycle import Confirmation, Look, Move, State
from lastlook.core.ports import Store
from lastlook.errors import LastlookError
from lastlook.stores.journal import verify
from lastlook.stores.memory import MemoryStore
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import at, everything, new_plan, quick_folder

T = TypeVar("T")

IDS = st.sampled_from(["a", "a.2", "a.3", "b"])
STATES = st.sampled_from([State.PENDING, State.CONFIRMED, State.CLAIMED, State.EXECUTING])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
DATA = st.none() | st.dictionaries(
    st.text(max_size=5), LEAVES | st.lists(LEAVES, max_size=3), max_size=3
)


class Machine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = quick_folder()
        self.sqlite = SqliteStore(f"{self.folder}/plans.db")
        self.memory = MemoryStore()
        self.time = 0

    def both(self, act: Callable[[Store], T]) -> None:
        said = []
        for store in (self.memory, self.sqlite):
            try:
                said.append(act(store))
            except LastlookError as error:
                said.append(type(error))
        assert said[0] == said[1]

    def now(self):
        self.time += 1
        return at(self.time)

    @rule(
        plan=IDS,
        follows=st.none() | IDS,
        key=st.none() | st.sampled_from(["k", "l"]),
        asker=st.sampled_from(["agent:x", "agent:y"]),
        salts=st.dictionaries(st.text(max_size=3), st.binary(max_size=4), max_size=2),
        state=st.sampled_from([State.PENDING, State.PARKED]),
        data=DATA,
    )
    def add(self, plan, follows, key, asker, salts, state, data):
        new = new_plan(
            plan, follows=follows, key=key, requested_by=asker, salts=salts, state=state,
            data=data, at=self.now(),
        )  # fmt: skip
        self.both(lambda store: store.add(new))

    @rule(
        plan=IDS,
        expect=STATES,
        to=st.sampled_from(State),
        epoch=st.integers(0, 2),
        claim=st.booleans(),
        burn=st.booleans(),
        data=DATA,
        outcome=st.none() | st.sampled_from([b"{}", b'{"a":1}', b"[]", b"\xff"]),
        look=st.none() | DATA,
    )
    def move(self, plan, expect, to, epoch, claim, burn, data, outcome, look):
        now = self.now()
        yes = Confirmation(plan=plan, seal="s", shown="t", by="person:ana", at=now)
        wanted = Move(
            plan=plan, expect=expect, expect_epoch=epoch, to=to, epoch=epoch + claim,
            step=self.time, at=now, by="lastlook", data=data, burn=burn, outcome=outcome,
            owner="me" if claim else None, lease_until=now if claim else None,
            confirmation=yes if to is State.CONFIRMED else None,
            look=None if look is None else Look(moment="now", at=now, seen=["x", self.time]),
        )  # fmt: skip
        self.both(lambda store: store.move(wanted))

    @rule(plan=IDS)
    def step(self, plan):
        """Take a plan one arrow further, so that random lives get somewhere."""
        try:
            record = self.memory.get(plan)
        except LastlookError:
            return
        nexts = {
            State.PENDING: State.CONFIRMED,
            State.CONFIRMED: State.CLAIMED,
            State.CLAIMED: State.EXECUTING,
        }
        to = nexts.get(record.state, State.EXECUTED)
        wanted = Move(
            plan=plan, expect=record.state, expect_epoch=record.epoch, to=to,
            epoch=record.epoch, step=record.step, at=self.now(), by="lastlook",
            burn=to is State.EXECUTING,
        )  # fmt: skip
        self.both(lambda store: store.move(wanted))

    @rule(plan=IDS, key=st.sampled_from(["k", "l"]))
    def ask(self, plan, key):
        self.both(lambda store: store.get(plan))
        self.both(lambda store: store.newest(plan.partition(".")[0]))
        self.both(lambda store: store.by_key("agent:x", key))
        self.both(lambda store: list(store.rows(plan)))
        self.both(lambda store: [p.id for p in store.plans([State.PENDING, State.CLAIMED])])

    @rule()
    def reopen(self):
        self.sqlite.close()

    @invariant()
    def they_tell_the_same(self):
        self.both(everything)
        reports = verify(self.memory), verify(self.sqlite)
        assert reports[0] == reports[1]
        assert reports[0].ok

    def teardown(self):
        self.sqlite.close()
        shutil.rmtree(self.folder)


Machine.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestMachine = pytest.mark.slow(Machine.TestCase)
