"""What SQLite and the system report, in the words of Lastlook's errors."""

from __future__ import annotations

import errno
import os
from typing import Final

from lastlook.errors import StoreBusy, StoreCorrupt, StoreError, StoreFull, StoreReadOnly

_FULL_ERRNO: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY_ERRNO: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

# Primary result codes: https://www.sqlite.org/rescode.html
_ERROR, _PERM, _BUSY, _LOCKED, _READONLY, _IOERR = 1, 3, 5, 6, 8, 10
_CORRUPT, _FULL, _CANTOPEN, _SCHEMA, _CONSTRAINT, _FORMAT, _NOTADB = 11, 13, 14, 17, 19, 24, 26
_DAMAGE: Final = {
    _CORRUPT: "the store is damaged",
    _NOTADB: "the file is not a store",
    _FORMAT: "the file is not a store",
    _ERROR: "the file does not hold the tables of a store",
    _SCHEMA: "the file does not hold the tables of a store",
    _CONSTRAINT: "the store's tables contradict each other",
}
_RESTORE: Final = "Nothing was changed. Keep the file, and put back a backup."


def of_system(error: OSError, path: str) -> StoreError:
    """Return the store's error for an error of the operating system."""
    reason = error.strerror or type(error).__name__
    if error.errno in _FULL_ERRNO:
        return full(path)
    if error.errno in _READ_ONLY_ERRNO:
        return read_only(path)
    return StoreError(f"the store can't be used: {reason}", where=path)


def of_driver(error: BaseException, path: str) -> StoreError:
    """Return the store's error for one that SQLite's driver raised."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return _without_code(error, path)
    primary, name = code & 0xFF, getattr(error, "sqlite_errorname", str(code))
    if primary in {_BUSY, _LOCKED}:
        return StoreBusy(
            "another process holds the store for too long",
            where=path,
            fix="Try again; if that does not help, look for a process that hangs.",
        )
    if primary == _FULL or (primary == _IOERR and _no_room(path)):
        return full(path)
    if primary in {_READONLY, _PERM}:
        return read_only(path)
    if primary in _DAMAGE:
        return StoreCorrupt(f"{_DAMAGE[primary]} ({name})", where=path, fix=_RESTORE)
    return StoreError(f"the store can't be used ({name})", where=path)


def _without_code(error: BaseException, path: str) -> StoreError:
    # The driver's own errors have no code; this one shows a text that is not UTF-8.
    if str(error).startswith("Could not decode"):
        return StoreCorrupt("the store holds text that is not text", where=path, fix=_RESTORE)
    return StoreError(f"the store can't be used ({type(error).__name__})", where=path)


def _no_room(path: str) -> bool:
    try:
        return os.statvfs(os.path.dirname(path)).f_bavail == 0
    except OSError:
        return False


def full(path: str) -> StoreFull:
    """Return the error for a disk without room."""
    return StoreFull("the disk is full", where=path, fix="Make room, and try again.")


def read_only(path: str) -> StoreReadOnly:
    """Return the error for a store that can't be written."""
    fix = "Give yourself the right, or name another place with store= or LASTLOOK_STORE."
    return StoreReadOnly("the store can't be written", where=path, fix=fix)
