"""The contract, kept by every store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastlook.core.ports import Store
from lastlook.stores.driver import OLDEST
from lastlook.stores.memory import MemoryStore
from lastlook.stores.sqlite import SqliteStore
from tests.stores.contract import StoreContract


class TestMemory(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()


class TestSqlite(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = SqliteStore(tmp_path / "store" / "plans.db")
        yield store
        store.close()


@pytest.mark.skipif(sqlite3.sqlite_version_info < OLDEST, reason="SQLite here is too old")
class TestSqliteOfTheStandardLibrary(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = SqliteStore(tmp_path / "store" / "plans.db", driver=sqlite3)
        yield store
        store.close()
