"""A store's format: made once, only ever added to, and never half changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastlook.errors import StoreCorrupt, StoreTooNew
from lastlook.stores.driver import load
from lastlook.stores.migrations import MIGRATIONS, Migration, check_version, migrate
from lastlook.stores.schema import METADATA
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import added

driver = load()

SECOND = Migration(number=2, reader=1, statements=("ALTER TABLE plans ADD COLUMN colour TEXT",))
THIRD = Migration(number=3, reader=3, statements=("CREATE TABLE shapes (name TEXT)",))


@pytest.fixture
def raw():
    raw = driver.connect(":memory:", isolation_level=None)
    yield raw
    raw.close()


def tables(raw) -> dict[str, list[tuple[object, ...]]]:
    names = [name for (name,) in raw.execute("SELECT name FROM sqlite_master ORDER BY name")]
    return {name: raw.execute(f"PRAGMA table_xinfo({name})").fetchall() for name in names}


def test_migrations_are_numbered_from_one_without_a_gap():
    assert [migration.number for migration in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))
    assert all(migration.reader <= migration.number for migration in MIGRATIONS)


def test_the_tables_are_those_that_the_statements_name(raw):
    assert migrate(raw, "x") == MIGRATIONS[-1].number
    for table in METADATA.sorted_tables:
        found = raw.execute(f"PRAGMA table_xinfo({table.name})").fetchall()
        made = {name: (kind, bool(needed), key) for _, name, kind, needed, _, key, _ in found}
        said = {
            column.name: (
                {"LargeBinary": "BLOB"}.get(
                    type(column.type).__name__, type(column.type).__name__.upper()
                ),
                not column.nullable,
                bool(column.primary_key),
            )
            for column in table.columns
        }
        assert made.keys() == said.keys()
        for name, (kind, needed, key) in said.items():
            assert made[name][0] == kind
            assert bool(made[name][2]) == key
            assert made[name][1] == needed or key
        keys = raw.execute(f"PRAGMA foreign_key_list({table.name})").fetchall()
        assert {key[3] for key in keys} == {key.parent.name for key in table.foreign_keys}
    assert {table.name for table in METADATA.sorted_tables} == {
        name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }


def test_the_file_says_whose_it_is(raw):
    migrate(raw, "x")
    (number,) = raw.execute("PRAGMA application_id").fetchone()
    assert number.to_bytes(4, "big") == b"LLOK"


def test_a_store_is_brought_up_to_date(raw):
    migrate(raw, "x")
    later = (*MIGRATIONS, SECOND, THIRD)
    assert migrate(raw, "x", later) == 3
    assert "colour" in [column[1] for column in tables(raw)["plans"]]
    assert dict(raw.execute("SELECT name, value FROM meta")) == {"version": "3", "reader": "3"}
    before = tables(raw)
    assert migrate(raw, "x", later) == 3
    assert tables(raw) == before


def test_all_or_nothing_of_what_a_store_lacks_is_applied(raw):
    migrate(raw, "x")
    before = tables(raw)
    broken = Migration(number=3, reader=3, statements=("CREATE TABLE plans (id)",))
    with pytest.raises(driver.OperationalError):
        migrate(raw, "x", (*MIGRATIONS, SECOND, broken))
    raw.execute("ROLLBACK")
    assert tables(raw) == before
    assert migrate(raw, "x") == 1


def test_a_later_store_that_this_version_may_use_is_used(raw):
    later = (*MIGRATIONS, SECOND)
    migrate(raw, "x", later)
    assert migrate(raw, "x", MIGRATIONS) == 2
    check_version(raw, "x", MIGRATIONS)


def test_a_later_store_that_this_version_must_not_use_is_refused_untouched(tmp_path: Path):
    path = tmp_path / "plans.db"
    store = SqliteStore(path)
    added(store)
    store.close()
    raw = driver.connect(str(path), isolation_level=None)
    migrate(raw, "x", (*MIGRATIONS, SECOND, THIRD))
    raw.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match="format 3, and this one knows 1") as refused:
        store.get("k7f3")
    assert (refused.value.where, refused.value.fix) == (str(path), "Update Lastlook here.")
    assert path.read_bytes() == before


class Slower:
    """A connection that is overtaken right before it begins to migrate."""

    def __init__(self, raw, overtake):
        self.raw = raw
        self.overtake = overtake

    def execute(self, statement, arguments=()):
        if statement == "BEGIN IMMEDIATE":
            self.overtake()
        return self.raw.execute(statement, arguments)


def test_the_slower_of_two_processes_finds_the_work_done(tmp_path: Path):
    one, two = (driver.connect(str(tmp_path / "x.db"), isolation_level=None) for _ in range(2))
    later = (*MIGRATIONS, SECOND)
    assert migrate(Slower(one, lambda: migrate(two, "x", later)), "x", later) == 2
    assert not one.in_transaction
    for raw in (one, two):
        raw.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DROP INDEX plans_follows",
        "DROP INDEX plans_key",
        "DROP TABLE looks",
        "DELETE FROM meta WHERE name = 'version'",
        "DELETE FROM meta WHERE name = 'reader'",
        "UPDATE meta SET value = 'one' WHERE name = 'version'",
        "UPDATE meta SET value = '0' WHERE name = 'version'",
        "UPDATE meta SET value = '-1' WHERE name = 'reader'",
        "PRAGMA application_id = 7",
        "PRAGMA application_id = 0",
        "DROP TABLE meta",
    ],
)
def test_a_store_that_lacks_something_is_corrupt(raw, statement):
    migrate(raw, "x")
    raw.execute(statement)
    with pytest.raises(StoreCorrupt):
        check_version(raw, "x")
    with pytest.raises(StoreCorrupt):
        migrate(raw, "x")


def test_a_missing_index_is_named(raw):
    migrate(raw, "x")
    raw.execute("DROP INDEX plans_key")
    with pytest.raises(StoreCorrupt, match="plans_key"):
        check_version(raw, "x")


def test_an_empty_database_is_no_store(raw):
    with pytest.raises(StoreCorrupt, match="without tables"):
        check_version(raw, "x")


def test_the_unique_indexes_are_in_the_tables_and_not_only_in_the_code(raw):
    migrate(raw, "x")
    columns = (
        'id, lineage, number, follows, requested_by, "key", body, seal, state, state_at, '
        'epoch, step, salted, "rows", head'
    )
    put = f"INSERT INTO plans ({columns}) VALUES (?, '', 1, ?, 'x', ?, x'', '', '', '', 0, 0, 0, 0, '')"
    raw.execute(put, ("a", None, "k"))
    raw.execute(put, ("a.2", "a", "k"))
    for taken in [("a", None, None), ("b", None, "k"), ("a.3", "a", None)]:
        with pytest.raises(driver.IntegrityError, match="UNIQUE"):
            raw.execute(put, taken)
