"""Which SQLite, and how it is set: what decides whether a yes survives a power cut.

WAL with FULL, or TRUNCATE with FULL, keep every committed change; SQLite's defaults do
not. WAL needs SQLite 3.51.3: before it, two connections that write and checkpoint at
once can damage the file (https://www.sqlite.org/wal.html). The settings are read back,
and a store that did not take them is not used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lastlook.errors import StoreError

if TYPE_CHECKING:
    from sqlite3 import Connection
    from types import ModuleType

OLDEST: Final = (3, 37, 0)  # STRICT tables
WAL_SAFE: Final = (3, 51, 3)
BUSY_MS: Final = 5_000

_FIXED: Final = {
    "synchronous": ("FULL", 2),
    "foreign_keys": ("ON", 1),
    "trusted_schema": ("OFF", 0),
    "cell_size_check": ("ON", 1),
    "fullfsync": ("ON", 1),  # macOS: fsync alone leaves data in the drive's cache
    "checkpoint_fullfsync": ("ON", 1),
}


def load() -> ModuleType:
    """Return the driver: `pysqlite3` with its own SQLite, else the standard library's."""
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        import sqlite3

        return sqlite3
    module: ModuleType = dbapi2
    return module


def connect(
    module: ModuleType, path: str, *, mode: str = "rw", busy_ms: int = BUSY_MS
) -> Connection:
    """Open a file that is there, with no setting changed yet.

    Transactions are left to us: the driver begins and commits nothing by itself.

    Args:
        module: The driver.
        path: The file; it is not made.
        mode: `rw`, or `ro` to look at a file without changing it.
        busy_ms: How long to wait for another process, in milliseconds.
    """
    from urllib.parse import quote

    raw: Connection = module.connect(
        f"file:{quote(path)}?mode={mode}",
        uri=True,
        timeout=busy_ms / 1000,
        isolation_level=None,
        check_same_thread=False,  # closed by whoever closes the store
    )
    return raw


def configure(raw: Connection, module: ModuleType, path: str, *, busy_ms: int = BUSY_MS) -> None:
    """Set what makes a store safe, and read it back.

    Raises:
        StoreError: SQLite is too old, or did not take a setting.
    """
    _set_journal_mode(raw, module, path)
    wanted = {**_FIXED, "busy_timeout": (str(busy_ms), busy_ms)}
    for name, (value, number) in wanted.items():
        raw.execute(f"PRAGMA {name} = {value}")
        found = _pragma(raw, name)
        if found != number:
            raise _refused(f"{name} is {found} and not {number}", path)


def _set_journal_mode(raw: Connection, module: ModuleType, path: str) -> None:
    """Take TRUNCATE, unless the file is in WAL mode already and SQLite is safe with it.

    A file becomes WAL when it is made and never afterwards: so no older SQLite that has
    it open can be switched to WAL under its feet.
    """
    mode = _pragma(raw, "journal_mode")
    if mode == "wal" and wal_is_safe(module):
        return
    mode = _pragma(raw, "journal_mode = TRUNCATE")
    if mode != "truncate":
        raise _refused(f"journal_mode is {mode} and not truncate", path)


def begin_file(raw: Connection, module: ModuleType) -> None:
    """Choose the journal mode of a file that is being made."""
    if wal_is_safe(module):
        raw.execute("PRAGMA journal_mode = WAL")


def wal_is_safe(module: ModuleType) -> bool:
    """Say whether this SQLite may use WAL with several connections."""
    return tuple(module.sqlite_version_info) >= WAL_SAFE


def refuse_old(module: ModuleType, path: str) -> None:
    """Refuse an SQLite that lacks what the tables need.

    Raises:
        StoreError: It is older than `OLDEST`.
    """
    if tuple(module.sqlite_version_info) < OLDEST:
        raise StoreError(
            f"SQLite {module.sqlite_version} is too old for a store; 3.37 is needed",
            where=path,
            fix="Type: pip install pysqlite3",
        )


def settings(raw: Connection, module: ModuleType) -> dict[str, object]:
    """Return how an open store is set, for whoever looks into it."""
    names = ("journal_mode", *_FIXED, "busy_timeout")
    return {
        "driver": module.__name__.partition(".")[0],
        "sqlite": module.sqlite_version,
        **{name: _pragma(raw, name) for name in names},
    }


def _pragma(raw: Connection, text: str) -> Any:
    row = raw.execute(f"PRAGMA {text}").fetchone()
    return None if row is None else row[0]


def _refused(what: str, path: str) -> StoreError:
    return StoreError(
        f"the store can't be made safe against a power cut: {what}",
        where=path,
        fix="Name a place on a local disk, with store= or LASTLOOK_STORE.",
    )
