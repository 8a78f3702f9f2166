"""Connections to one SQLite file: one a thread, and never the same one after a fork."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from lastlook.errors import StoreError
from lastlook.stores import driver, files, migrations
from lastlook.stores.faults import of_driver
from lastlook.stores.mounts import refuse_network

if TYPE_CHECKING:
    import sqlite3
    from types import ModuleType

    from sqlalchemy.engine import Connection


class Held:
    """One thread's connection: SQLAlchemy's, and the driver's beneath it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.raw: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]  # the driver's own class
        # Closes with the thread that it belongs to, or else when the program ends.
        self.close = weakref.finalize(self, _close, connection, os.getpid())


def _close(connection: Connection, pid: int) -> None:
    """Close a connection, but never in a child that a fork gave it to.

    SQLite forbids that a connection crosses a fork, even to be closed: closing may
    write the file while the parent uses it. So it is kept there, untouched, for good.
    """
    if pid == os.getpid():
        with suppress(Exception):
            connection.close()
    else:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))


def _connected(module: ModuleType, path: str, busy_ms: int) -> sqlite3.Connection:
    raw = driver.connect(module, path, busy_ms=busy_ms)
    try:
        driver.configure(raw, module, path, busy_ms=busy_ms)
        migrations.migrate(raw, path)
    except BaseException:
        raw.close()
        raise
    return raw


class Database:
    """One open store file. Made when a store is first used.

    Args:
        path: The absolute path.
        hidden: Whether to keep its folder out of version control.
        module: The driver.
        busy_ms: How long to wait for another process, in milliseconds.

    Raises:
        StoreError: The file can't be used; it is as it was.
    """

    def __init__(self, path: str, *, hidden: bool, module: ModuleType, busy_ms: int) -> None:
        self.path = path
        self.module = module
        self._busy_ms = busy_ms
        self._errors: type[Exception] = module.Error
        self._own = threading.local()
        self._guard = threading.Lock()
        self._all: weakref.WeakSet[Held] = weakref.WeakSet()
        self._engine = create_engine(
            "sqlite+pysqlite://",
            module=module,
            creator=lambda: _connected(module, path, busy_ms),  # without a way back to us
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",  # SQLAlchemy begins nothing either: we do
            hide_parameters=True,
        )
        with self.translated():
            self._prepare(hidden=hidden)
            self._held()

    def _prepare(self, *, hidden: bool) -> None:
        driver.refuse_old(self.module, self.path)
        folder = os.path.dirname(self.path)
        files.prepare_folder(folder, hidden=hidden)
        refuse_network(folder)
        if not files.check_file(self.path):
            files.create(self.path, self._build)
            files.check_file(self.path)
        found = os.stat(self.path)
        self._identity = (found.st_dev, found.st_ino)
        self._look()
        with suppress(OSError):
            files.keep_reserve(self.path)

    def _build(self, path: str) -> None:
        raw = driver.connect(self.module, path, busy_ms=self._busy_ms)
        try:
            driver.begin_file(raw, self.module)
            migrations.migrate(raw, self.path)
        finally:
            raw.close()

    def _look(self) -> None:
        """See what the file is, before any setting could change a foreign one.

        Closing would write a foreign log into its file, unless it is only read; but only
        who may write clears SQLite's empty files away.
        """
        mode = "ro" if files.has_log(self.path) else "rw"
        raw = driver.connect(self.module, self.path, mode=mode, busy_ms=self._busy_ms)
        try:
            migrations.check_version(raw, self.path)
        finally:
            raw.close()

    def _held(self) -> Held:
        held: Held | None = getattr(self._own, "held", None)
        if held is None:
            held = self._own.held = Held(self._engine.connect())
            with self._guard:
                self._all.add(held)
        return held

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn the driver's errors into the store's, with the driver's as the cause."""
        try:
            yield
        except DBAPIError as error:
            cause = error.orig or error
            raise of_driver(cause, self.path) from cause
        except self._errors as error:
            raise of_driver(error, self.path) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give this thread's connection, outside any transaction."""
        with self.translated():
            yield self._held().connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give this thread's connection inside a transaction that holds the write lock.

        It is committed at the end, durably, and rolled back where anything is raised.
        """
        with self.translated():
            held = self._held()
            held.raw.execute("BEGIN IMMEDIATE")
            try:
                self._refuse_replaced()
                yield held.connection
                held.raw.execute("COMMIT")
            except BaseException:
                self._roll_back(held)
                raise

    def _roll_back(self, held: Held) -> None:
        # Some errors, a full disk among them, roll back by themselves; a second time
        # would raise, and hide what really happened.
        if held.raw.in_transaction:
            with suppress(self._errors):
                held.raw.execute("ROLLBACK")
        if held.raw.in_transaction:
            self._own.held = None
            held.close()

    def _refuse_replaced(self) -> None:
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != self._identity:
            raise StoreError(
                "the store's file was removed or replaced while it was in use",
                where=self.path,
                fix="Put it back, and start the program again.",
            )

    def settings(self) -> dict[str, Any]:
        """Return how the store is set, as `driver.settings` does."""
        with self.translated():
            return driver.settings(self._held().raw, self.module)

    def damage(self) -> list[str]:
        """Return what SQLite's own check of the whole file finds; nothing if it is well."""
        with self.translated():
            found = self._held().raw.execute("PRAGMA integrity_check").fetchall()
        return [str(text) for (text,) in found if text != "ok"]

    def free_reserve(self) -> bool:
        """Give up the room that was kept for a full disk; say whether there was any."""
        return files.free_reserve(self.path)

    def close(self) -> None:
        """Close all connections, of whatever thread."""
        with self._guard:
            for held in list(self._all):
                held.close()
        self._own = threading.local()
