"""What goes wrong beneath a store: a typed error, its cause, and nothing changed."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from lastlook.core.lifecycle import State
from lastlook.errors import StoreBusy, StoreCorrupt, StoreError, StoreFull, StoreReadOnly
from lastlook.stores import driver
from lastlook.stores.faults import of_driver
from lastlook.stores.journal import verify
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import (
    added,
    apply,
    confirmed,
    everything,
    executed,
    executing,
    move,
    new_plan,
    to_claimed,
    to_confirmed,
)

ROOT = os.geteuid() == 0
BUNDLED = driver.load()
OURS_IS_SAFE = driver.wal_is_safe(BUNDLED)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "plans.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path, busy_ms=50)
    yield store
    store.close()


def raw_of(store: SqliteStore):
    """The driver's connection that this thread uses."""
    return store._open().database._held().raw


# --- settings -------------------------------------------------------------------------------------


def test_a_store_keeps_what_it_committed_and_says_how(store: SqliteStore):
    found = store.settings()
    assert found["synchronous"] == 2
    assert found["foreign_keys"] == 1
    assert found["busy_timeout"] == 50
    assert found["journal_mode"] == ("wal" if OURS_IS_SAFE else "truncate")
    assert found["sqlite"] == BUNDLED.sqlite_version
    assert found["driver"] in {"pysqlite3", "sqlite3"}
    assert store.damage() == []


def test_an_sqlite_that_damages_logs_does_not_get_one(path: Path):
    old = SimpleNamespace(**{**vars(BUNDLED), "sqlite_version_info": (3, 51, 2)})
    store = SqliteStore(path, driver=old)
    executed(store)
    assert store.settings()["journal_mode"] == "truncate"
    store.close()
    assert path.read_bytes()[18:20] == b"\x01\x01"  # the header's read and write versions


@pytest.mark.skipif(not OURS_IS_SAFE, reason="the SQLite here may not use WAL")
def test_an_sqlite_that_damages_logs_takes_a_store_out_of_that_mode(path: Path):
    store = SqliteStore(path)
    executed(store)
    store.close()
    assert path.read_bytes()[18:20] == b"\x02\x02"
    old = SimpleNamespace(**{**vars(BUNDLED), "sqlite_version_info": (3, 51, 2)})
    again = SqliteStore(path, driver=old)
    assert again.get("k7f3").state is State.EXECUTED
    assert again.settings()["journal_mode"] == "truncate"
    again.close()
    assert store.settings()["journal_mode"] == "truncate"
    store.close()


@pytest.mark.skipif(not OURS_IS_SAFE, reason="the SQLite here may not use WAL")
def test_an_sqlite_that_damages_logs_does_not_join_one_in_use(path: Path, store: SqliteStore):
    added(store)
    old = SimpleNamespace(**{**vars(BUNDLED), "sqlite_version_info": (3, 51, 2)})
    with pytest.raises(StoreBusy):
        SqliteStore(path, driver=old, busy_ms=50).plans()


def test_an_sqlite_that_is_too_old_is_refused(path: Path):
    old = SimpleNamespace(
        **{**vars(BUNDLED), "sqlite_version_info": (3, 36, 0), "sqlite_version": "3.36.0"}
    )
    with pytest.raises(StoreError, match=r"3\.36\.0 is too old") as refused:
        SqliteStore(path, driver=old).plans()
    assert refused.value.fix == "Type: pip install pysqlite3"
    assert not path.exists()


class Deaf(sqlite3.Connection):
    """A connection that does not take one setting."""

    ignored = ""

    def execute(self, statement, *arguments):
        if self.ignored and statement.startswith(f"PRAGMA {self.ignored} ="):
            statement = statement.partition(" =")[0]
        return super().execute(statement, *arguments)


@pytest.mark.parametrize(
    "name", ["synchronous", "foreign_keys", "journal_mode", "trusted_schema", "busy_timeout"]
)
def test_a_setting_that_is_not_taken_is_refused(path: Path, name):
    raw = sqlite3.connect(path, factory=Deaf, isolation_level=None)
    raw.execute("PRAGMA synchronous = NORMAL")
    raw.execute("PRAGMA trusted_schema = ON")
    raw.ignored = name
    old = SimpleNamespace(sqlite_version_info=(3, 51, 2))
    with pytest.raises(StoreError, match=f"power cut: {name} is "):
        driver.configure(raw, old, str(path), busy_ms=77)
    raw.close()


def test_the_standard_library_takes_over_where_the_bundle_is_missing(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setitem(sys.modules, "pysqlite3", None)
    assert driver.load() is sqlite3


# --- somebody else holds it -------------------------------------------------------------------------


def test_a_store_that_another_holds_is_busy_and_nothing_changes(path: Path, store: SqliteStore):
    record = added(store)
    other = driver.connect(BUNDLED, str(path))
    other.execute("BEGIN IMMEDIATE")
    for act in (lambda: store.move(to_confirmed(record)), lambda: store.add(new_plan("b"))):
        with pytest.raises(StoreBusy) as busy:
            act()
        assert busy.value.where == str(path)
        assert busy.value.__cause__.sqlite_errorname == "SQLITE_BUSY"
    if OURS_IS_SAFE:
        assert store.get("k7f3") == record  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    assert store.move(to_confirmed(record)) is not None
    assert verify(store).rows == 2


# --- no room --------------------------------------------------------------------------------------


def fill(store: SqliteStore) -> None:
    (pages,) = raw_of(store).execute("PRAGMA page_count").fetchone()
    raw_of(store).execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_store_says_so_and_changes_nothing(path: Path, store: SqliteStore):
    record = confirmed(store)
    before = everything(store)
    fill(store)
    with pytest.raises(StoreFull) as full:
        store.move(to_claimed(record, data={"fields": ["x" * 60_000]}))
    assert full.value.__cause__.sqlite_errorname == "SQLITE_FULL"
    assert not raw_of(store).in_transaction
    with pytest.raises(StoreFull):
        store.add(new_plan("b", body=b"x" * 60_000))
    assert everything(store) == before
    assert path.with_name("plans.db-reserve").exists()  # not for what has not begun
    raw_of(store).execute("PRAGMA max_page_count = 100000")
    assert store.move(to_claimed(record)) is not None
    assert verify(store).ok


def test_what_came_of_an_act_may_use_the_reserve(path: Path, store: SqliteStore):
    record = executing(store)
    fill(store)
    reserve = path.with_name("plans.db-reserve")
    large = {"outcome": b'{"x":"%s"}' % (b"x" * 60_000)}
    with pytest.raises(StoreFull):
        store.move(move(record, State.EXECUTED, **large))
    assert not reserve.exists()  # given up, though more was needed here
    with pytest.raises(StoreFull):
        store.move(move(record, State.EXECUTED, **large))
    assert store.get("k7f3") == record


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir(mode=0o700)
    options = "size=1m,mode=0700"
    mounted = ROOT and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill_disk(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass


def test_on_a_full_disk_nothing_begins_and_what_began_is_recorded(small_disk: Path):
    store = SqliteStore(small_disk / "plans.db")
    begun = executing(store, "a")
    waiting = confirmed(store, "b")
    fill_disk(small_disk)
    before = everything(store)
    with pytest.raises(StoreFull):
        for n in range(50):  # the log has some room left
            added(store, f"new{n}", body=b"x" * 20_000)
    assert store.get("b") == waiting
    assert before[1] == list(store.rows())[: len(before[1])]
    done = apply(store, move(begun, State.EXECUTED, outcome=b'{"x":"%s"}' % (b"x" * 8_000)))
    assert store.get("a") == done
    assert verify(store).ok
    store.close()
    again = SqliteStore(small_disk / "plans.db")
    assert again.get("a") == done
    again.close()


def test_a_store_cannot_be_made_on_a_full_disk(small_disk: Path):
    fill_disk(small_disk)
    with pytest.raises(StoreFull):
        SqliteStore(small_disk / "plans.db").plans()
    assert os.listdir(small_disk) == ["filler"]


def test_a_store_without_room_for_a_reserve_can_be_read(small_disk: Path):
    store = SqliteStore(small_disk / "plans.db")
    record = confirmed(store)
    store.close()
    (small_disk / "plans.db-reserve").unlink()
    fill_disk(small_disk)
    os.truncate(small_disk / "filler", (small_disk / "filler").stat().st_size - 48 * 1024)
    assert store.get("k7f3") == record
    assert not (small_disk / "plans.db-reserve").exists()
    store.close()


def test_a_disk_that_became_read_only_is_said_to_be(small_disk: Path):
    store = SqliteStore(small_disk / "plans.db")
    record = confirmed(store)
    store.close()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StoreReadOnly):
        store.move(to_claimed(record))
    with pytest.raises(StoreReadOnly):
        SqliteStore(small_disk / "other" / "plans.db").plans()


# --- the file goes away, or is damaged ---------------------------------------------------------------


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_file_that_is_gone_is_not_written_into_the_void(path: Path, store: SqliteStore, how):
    record = confirmed(store)
    path.rename(path.with_name("moved.db"))
    if how == "replaced":
        path.write_bytes(b"")
    with pytest.raises(StoreError, match="removed or replaced"):
        store.move(to_claimed(record))
    assert not raw_of(store).in_transaction


def test_a_file_that_is_gone_before_a_thread_opens_it_is_not_made_anew(
    path: Path, store: SqliteStore
):
    added(store)
    path.rename(path.with_name("moved.db"))
    caught: list[StoreError] = []

    def act() -> None:
        try:
            store.get("k7f3")
        except StoreError as error:
            caught.append(error)

    thread = threading.Thread(target=act)
    thread.start()
    thread.join(30)
    assert len(caught) == 1
    assert not path.exists()


def test_a_damaged_page_is_found_when_it_is_read(path: Path, store: SqliteStore):
    for n in range(40):
        added(store, f"p{n}", body=b"x" * 3_000)
    store.close()
    content = bytearray(path.read_bytes())
    for page in range(3, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(content)
    with pytest.raises(StoreCorrupt) as corrupt:
        store.plans()
    assert corrupt.value.fix
    assert store.damage()
    store.close()


def test_tables_that_contradict_the_plan_stop_a_move(store: SqliteStore):
    record = confirmed(store)
    raw_of(store).execute('UPDATE journal SET "row" = 3 WHERE "row" = 1')
    with pytest.raises(StoreCorrupt, match="SQLITE_CONSTRAINT"):
        store.move(to_claimed(record))
    assert store.get("k7f3") == record


# --- what the driver says, in our words -------------------------------------------------------------


class Said(Exception):
    """An error of a driver, with SQLite's code."""

    def __init__(self, code: int | None, text: str = "") -> None:
        super().__init__(text)
        if code is not None:
            self.sqlite_errorcode = code
            self.sqlite_errorname = f"SQLITE_{code}"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (5, StoreBusy),
        (6, StoreBusy),
        (5 | 2 << 8, StoreBusy),
        (13, StoreFull),
        (8, StoreReadOnly),
        (8 | 6 << 8, StoreReadOnly),
        (3, StoreReadOnly),
        (11, StoreCorrupt),
        (26, StoreCorrupt),
        (24, StoreCorrupt),
        (1, StoreCorrupt),
        (17, StoreCorrupt),
        (19 | 8 << 8, StoreCorrupt),
        (10 | 3 << 8, StoreError),
        (14, StoreError),
        (7, StoreError),
        (None, StoreError),
    ],
)
def test_a_code_of_sqlite_becomes_an_error_of_ours(path: Path, code, kind):
    error = of_driver(Said(code), str(path))
    assert type(error) is kind
    assert error.where == str(path)
    assert error.what


def test_a_text_that_is_no_text_is_damage(path: Path):
    error = of_driver(Said(None, "Could not decode to UTF-8 column 'by' with text 'x'"), str(path))
    assert type(error) is StoreCorrupt
    assert "with text" not in str(error)


def test_a_disk_that_fails_because_it_is_full_is_full(small_disk: Path):
    fill_disk(small_disk)
    assert type(of_driver(Said(10), str(small_disk / "plans.db"))) is StoreFull


def test_a_disk_that_cannot_be_asked_is_not_called_full(path: Path):
    assert type(of_driver(Said(10), str(path / "deeper" / "plans.db"))) is StoreError


def test_an_error_shows_no_value_of_a_plan(store: SqliteStore):
    added(store)
    raw_of(store).execute("ALTER TABLE journal RENAME TO gone")
    with pytest.raises(StoreCorrupt) as corrupt:
        store.add(new_plan("b", body=b"top secret", key="top secret"))
    chain: BaseException | None = corrupt.value
    while chain is not None:
        assert "top secret" not in str(chain)
        chain = chain.__cause__ or chain.__context__


# --- a rollback that fails, and an interrupt ---------------------------------------------------------


class Stuck:
    """The driver's connection, but it will not roll back."""

    def __init__(self, raw):
        self.raw = raw
        self.in_transaction = True

    def execute(self, statement):
        if statement == "ROLLBACK":
            raise BUNDLED.OperationalError("no")
        return self.raw.execute(statement)


def test_a_connection_that_will_not_roll_back_is_given_up(path: Path, store: SqliteStore):
    record = confirmed(store)
    database = store._open().database
    held = database._held()
    held.raw = Stuck(held.raw)
    with pytest.raises(KeyboardInterrupt), database.writing():
        raise KeyboardInterrupt
    assert database._held() is not held
    assert store.move(to_claimed(record)) is not None


def test_an_interrupt_inside_a_change_leaves_nothing(store: SqliteStore):
    record = confirmed(store)
    with pytest.raises(KeyboardInterrupt), store._open().database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM journal")
        raise KeyboardInterrupt
    assert verify(store).ok
    assert store.move(to_claimed(record)) is not None


# --- threads ----------------------------------------------------------------------------------------


def test_each_thread_has_a_connection_that_ends_with_it(path: Path, store: SqliteStore):
    added(store)
    seen: list[object] = []

    def act() -> None:
        store.get("k7f3")
        seen.append(id(raw_of(store)))

    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    for _ in range(8):
        thread = threading.Thread(target=act)
        thread.start()
        thread.join(30)
    gc.collect()
    assert id(raw_of(store)) not in seen
    if before is not None:
        # SQLite keeps one handle back while others have locks, and uses it again.
        assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_closing_gives_back_the_connections_of_all_threads(path: Path, store: SqliteStore):
    added(store)
    opened, closed = threading.Event(), threading.Event()

    def act() -> None:
        store.get("k7f3")
        opened.set()
        closed.wait(30)

    thread = threading.Thread(target=act)
    thread.start()
    opened.wait(30)
    store.close()
    assert sorted(os.listdir(path.parent)) == ["plans.db", "plans.db-reserve"]
    closed.set()
    thread.join(30)


@pytest.mark.skipif(not OURS_IS_SAFE, reason="the SQLite here may not use WAL")
def test_a_store_that_is_let_go_gives_its_connections_back(path: Path):
    store = SqliteStore(path)
    added(store)
    assert len(os.listdir(path.parent)) > 2
    del store
    gc.collect()
    assert sorted(os.listdir(path.parent)) == ["plans.db", "plans.db-reserve"]
