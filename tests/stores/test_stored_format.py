"""Stores that earlier versions wrote are read as they were written, and go on from there."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastlook.stores.driver import OLDEST
from lastlook.stores.journal import verify
from lastlook.stores.memory import MemoryStore
from lastlook.stores.sqlite import SqliteStore
from tests.stores.make_store_v1 import FOLDER, fill, listing
from tests.stores.world import apply, to_confirmed

EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(params=[None, sqlite3], ids=["default driver", "standard library"])
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SqliteStore]:
    if request.param is sqlite3 and sqlite3.sqlite_version_info < OLDEST:
        pytest.skip("SQLite here is too old")
    path = tmp_path / "plans.db"
    shutil.copyfile(FOLDER / "plans.sqlite", path)
    path.chmod(0o600)
    store = SqliteStore(path, driver=request.param)
    yield store
    store.close()


def test_a_store_of_version_1_is_read_as_it_was_written(store: SqliteStore):
    assert listing(store) == EXPECTED
    head, count = EXPECTED["head"][:8], len(EXPECTED["rows"])
    assert verify(store).text() == f"journal intact (head {head}, {count} rows)"


def test_a_store_of_version_1_goes_on(store: SqliteStore):
    apply(store, to_confirmed(store.get("q8d1.2")))
    report = verify(store)
    assert report.ok
    assert report.rows == len(EXPECTED["rows"]) + 1


def test_every_store_writes_what_version_1_wrote(tmp_path: Path):
    fresh = SqliteStore(tmp_path / "plans.db")
    for store in (MemoryStore(), fresh):
        fill(store)
        assert listing(store) == EXPECTED
    fresh.close()


def test_the_vector_holds_at_least_one_of_everything():
    plans, rows = EXPECTED["plans"], EXPECTED["rows"]
    assert [name for name in plans[0] if not any(plan[name] for plan in plans)] == []
    assert [name for name in rows[0] if not any(row[name] for row in rows)] == ["key_id"]
    assert any(looks for looks in EXPECTED["looks"].values())
