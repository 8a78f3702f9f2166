"""Plans that version 1 stored are read, checked and dispatched by this one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lastlook import Executed
from lastlook.core.lifecycle import State
from lastlook.core.plan import open_plan, plan_bytes, seal_of
from lastlook.outcomes import BlockedStale, Rejected
from lastlook.stores.journal import verify
from tests.stores.make_plans_v1 import FOLDER, application, listing, world


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "store" / "plans.db"
    path.parent.mkdir(mode=0o700)
    shutil.copyfile(FOLDER / "plans.sqlite", path)
    path.chmod(0o600)
    return path


@pytest.fixture
def orders():
    return world()


@pytest.fixture
def look(stored, orders):
    look = application(stored, orders)
    yield look
    look.close()


def test_every_plan_of_version_1_reads_as_it_was_listed(look):
    expected = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(listing(look))) == expected


def test_every_seal_of_version_1_holds_and_the_bytes_are_made_again_the_same(look):
    for record in look.world.store.plans():
        plan = open_plan(record.body)
        assert seal_of(record.body) == record.seal == plan.seal
        assert plan_bytes(plan) == record.body


def test_the_journal_of_version_1_verifies(look):
    report = verify(look.world.store)
    assert report.ok
    assert report.plans == 4


def test_a_yes_of_version_1_still_pays_for_one_dispatch(look):
    assert look.get("k7f3")[1] is State.CONFIRMED
    outcome = look.dispatch("k7f3")
    assert isinstance(outcome, Executed), outcome.text()
    assert outcome.results == ("refunded 2577.53 to on file",) * 2
    assert not look.dispatch("k7f3").ok


def test_a_yes_of_version_1_is_blocked_where_a_secret_has_changed(look, orders):
    orders.set("W1", {**orders.read("W1").record, "card": "other"})
    outcome = look.dispatch("k7f3")
    assert isinstance(outcome, BlockedStale)
    assert outcome.changed == {"orders:W1": ("/card",)}


def test_a_no_of_version_1_stays_a_no(look):
    outcome = look.dispatch("r2a9")
    assert isinstance(outcome, Rejected)
    assert "hello" in outcome.plan.intent
