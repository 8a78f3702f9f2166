"""How a store's tables came to be: a numbered list that only ever grows.

A migration that has been released is never edited: stores out there have been through
it as it was. All that a store lacks are applied in one transaction, so that no store is
ever left half-way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from lastlook.errors import StoreCorrupt, StoreTooNew

if TYPE_CHECKING:
    from sqlite3 import Connection

APPLICATION_ID: Final = 0x4C4C4F4B  # "LLOK", in the header of the file


class Migration(Struct, frozen=True, kw_only=True):
    """One step from a version to the next.

    Attributes:
        number: The version that the store has afterwards.
        reader: The lowest version of this list that may still use such a store.
        statements: SQL, one statement each.
    """

    number: int
    reader: int
    statements: tuple[str, ...]


_FIRST: Final = Migration(
    number=1,
    reader=1,
    statements=(
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
        """CREATE TABLE plans (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            lineage TEXT NOT NULL,
            number INTEGER NOT NULL,
            follows TEXT REFERENCES plans (id),
            requested_by TEXT NOT NULL,
            "key" TEXT,
            body BLOB NOT NULL,
            seal TEXT NOT NULL,
            state TEXT NOT NULL,
            state_at TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            step INTEGER NOT NULL,
            owner TEXT,
            lease_until TEXT,
            yes_seal TEXT,
            yes_shown TEXT,
            yes_by TEXT,
            yes_at TEXT,
            yes_key_id TEXT,
            yes_mac TEXT,
            burned_at TEXT,
            outcome BLOB,
            salted INTEGER NOT NULL,
            "rows" INTEGER NOT NULL,
            head TEXT NOT NULL
        ) STRICT""",
        "CREATE UNIQUE INDEX plans_follows ON plans (follows) WHERE follows IS NOT NULL",
        """CREATE UNIQUE INDEX plans_key ON plans (requested_by, "key")
            WHERE "key" IS NOT NULL AND follows IS NULL""",
        "CREATE INDEX plans_lineage ON plans (lineage, number)",
        "CREATE INDEX plans_state ON plans (state)",
        """CREATE TABLE salts (
            plan TEXT NOT NULL REFERENCES plans (id),
            name TEXT NOT NULL,
            salt BLOB NOT NULL,
            PRIMARY KEY (plan, name)
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE looks (
            plan TEXT NOT NULL REFERENCES plans (id),
            "row" INTEGER NOT NULL,
            moment TEXT NOT NULL,
            at TEXT NOT NULL,
            seen BLOB NOT NULL,
            PRIMARY KEY (plan, "row")
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE journal (
            seq INTEGER PRIMARY KEY,
            plan TEXT NOT NULL REFERENCES plans (id),
            "row" INTEGER NOT NULL,
            at TEXT NOT NULL,
            was TEXT,
            state TEXT NOT NULL,
            "by" TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            step INTEGER NOT NULL,
            data BLOB,
            key_id TEXT,
            prev TEXT NOT NULL,
            UNIQUE (plan, "row")
        ) STRICT""",
    ),
)

MIGRATIONS: Final[tuple[Migration, ...]] = (_FIRST,)
_OBJECTS: Final = frozenset(
    "meta plans plans_follows plans_key plans_lineage plans_state salts looks journal".split()
)
"""What must be in every store: without its indexes, two fresh plans could follow one."""


def check_version(raw: Connection, path: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Refuse a file that is no store, or not one for this version; only reads.

    Raises:
        StoreTooNew: A later version of Lastlook changed the store so that this one
            must not use it.
        StoreCorrupt: The file is a database, but no store, or something in it is
            missing.
    """
    if _version(raw, path, migrations) == 0:
        raise StoreCorrupt("the file is a database without tables, and no store", where=path)


def migrate(raw: Connection, path: str, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Bring a store up to date, or make one of an empty file; return its version.

    Args:
        raw: The driver's connection, in no transaction; to be closed if this raises.
        path: The store's path, for errors.
        migrations: The list to go by.

    Raises:
        StoreTooNew: As `check_version`.
        StoreCorrupt: As `check_version`.
    """
    if _version(raw, path, migrations) < migrations[-1].number:
        raw.execute("BEGIN IMMEDIATE")
        # Another process may have been faster.
        for migration in migrations[_version(raw, path, migrations) :]:
            _apply(raw, migration)
        raw.execute("COMMIT")
    return _version(raw, path, migrations)


def _apply(raw: Connection, migration: Migration) -> None:
    for statement in migration.statements:
        raw.execute(statement)
    if migration.number == 1:
        raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    raw.executemany(
        "INSERT INTO meta (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [("version", str(migration.number)), ("reader", str(migration.reader))],
    )


def _version(raw: Connection, path: str, migrations: Sequence[Migration]) -> int:
    """Return the store's version, 0 for an empty file; refuse what can't be used."""
    objects = _objects(raw)
    application = _one(raw, "PRAGMA application_id")
    if application == 0 and not objects:
        return 0
    if application != APPLICATION_ID or "meta" not in objects:
        raise StoreCorrupt(
            "the file is the database of another program",
            where=path,
            fix="Name another place, with store= or LASTLOOK_STORE.",
        )
    version, reader = _number(raw, "version", path), _number(raw, "reader", path)
    if reader > migrations[-1].number:
        raise StoreTooNew(
            f"the store was written by a later version of Lastlook (format {version}, and this "
            f"one knows {migrations[-1].number})",
            where=path,
            fix="Update Lastlook here.",
        )
    missing = _OBJECTS - objects
    if missing:
        raise StoreCorrupt(f"the store lacks its {', '.join(sorted(missing))}", where=path)
    return version


def _objects(raw: Connection) -> set[str]:
    return {str(name) for (name,) in raw.execute("SELECT name FROM sqlite_master")}


def _number(raw: Connection, name: str, path: str) -> int:
    value = _one(raw, "SELECT value FROM meta WHERE name = ?", name)
    if not str(value).isdecimal() or value == "0":
        raise StoreCorrupt(f"the store does not say its {name}", where=path)
    return int(value)


def _one(raw: Connection, statement: str, *arguments: str) -> Any:
    row = raw.execute(statement, arguments).fetchone()
    return None if row is None else row[0]
