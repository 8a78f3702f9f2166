"""The store's file and folder: made private, and refused where they are not.

A store holds what people approved and the salts of what is secret, and whoever can
write it can say yes. So its folder is made 0700 and its file 0600, whatever the umask,
before SQLite sees them; SQLite gives `-wal` and `-shm` the mode of the main file.

Nothing here opens the file of a store that may be in use: closing any handle of a file
drops all locks that the process has on it (fcntl(2)).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from lastlook.errors import StoreCorrupt, StoreError, StoreReadOnly
from lastlook.stores.faults import of_system

_BESIDE: Final = ("-wal", "-shm", "-journal")
RESERVE: Final = "-reserve"
RESERVE_BYTES: Final = 64 * 1024
_ELSEWHERE: Final = "Name another place, with store= or LASTLOOK_STORE."
_NEW: Final = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
_POSIX: Final = os.name == "posix"


@contextmanager
def _system(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise of_system(error, path) from error


def prepare_folder(folder: str, *, hidden: bool) -> None:
    """Make the folder if it is missing, and refuse one that others can change.

    Args:
        folder: An absolute path.
        hidden: Whether to keep its content out of version control.

    Raises:
        StoreError: It is a symbolic link, somebody else's, or open to others.
        StoreReadOnly: It can't be made or written.
    """
    with _system(folder):
        _make(folder)
        found = os.lstat(folder)
        _refuse_strange(folder, found)
        if not stat.S_ISDIR(found.st_mode):
            raise StoreError("the store's folder is not a folder", where=folder, fix=_ELSEWHERE)
        if _POSIX and found.st_mode & 0o022:
            raise StoreError(
                "others can write in the store's folder, and so replace the store",
                where=folder,
                fix=f"Type: chmod go-w {_quoted(folder)}",
            )
        if hidden:
            _hide(folder)


def _make(folder: str) -> None:
    if os.path.lexists(folder):
        return
    above = os.path.dirname(folder)
    _make(above)
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
        os.chmod(folder, 0o700)  # as in _new
        sync_folder(above)


def _hide(folder: str) -> None:
    name = os.path.join(folder, ".gitignore")
    with suppress(FileExistsError), open(_new(name), "w", encoding="utf-8") as file:
        file.write("*\n")


def _refuse_strange(path: str, found: os.stat_result) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise StoreError(
            "a symbolic link stands where the store should be",
            where=path,
            fix=f"Name the place itself: {os.path.realpath(path)}",
        )
    if _POSIX and found.st_uid != os.geteuid():
        raise StoreError("the store belongs to another user", where=path, fix=_ELSEWHERE)


def check_file(path: str) -> bool:
    """Look at the store's file without opening it; say whether it is there.

    Raises:
        StoreError: It, or one of SQLite's files beside it, is a symbolic link, somebody
            else's, or open to others.
        StoreReadOnly: It or its folder can't be written.
        StoreCorrupt: It is no regular file, or it is empty.
    """
    with _system(path):
        for name in (path + end for end in _BESIDE):
            if os.path.lexists(name):
                _refuse_open(name)
        if not os.path.lexists(path):
            _refuse_read_only(os.path.dirname(path), os.W_OK | os.X_OK)
            return False
        size = _refuse_open(path)
    _refuse_read_only(path, os.R_OK | os.W_OK)
    _refuse_read_only(os.path.dirname(path), os.W_OK | os.X_OK)
    if size == 0:
        raise StoreCorrupt(
            "the file is empty: it is not a store, or it lost what it held",
            where=path,
            fix="Put back a backup, or remove the file if it never held plans.",
        )
    return True


def _refuse_open(path: str) -> int:
    found = os.lstat(path)
    _refuse_strange(path, found)
    if not stat.S_ISREG(found.st_mode):
        raise StoreCorrupt("this is not a file, so it is no store", where=path, fix=_ELSEWHERE)
    if _POSIX and found.st_mode & 0o077:
        raise StoreError(
            "others can read or write the store", where=path, fix=f"Type: chmod 600 {_quoted(path)}"
        )
    return found.st_size


def _refuse_read_only(path: str, mode: int) -> None:
    if not os.access(path, mode):
        what = "the store can't be written"
        raise StoreReadOnly(what, where=path, fix="Give yourself the right, or name another place.")


def _quoted(path: str) -> str:
    from shlex import quote

    return quote(path)


def create(path: str, build: Callable[[str], None]) -> None:
    """Make the store's file, whole or not at all; one that is there already stays.

    It is built under another name beside its place and then linked to it, so that no
    process ever sees half a store, and of two that come at once one wins.

    Args:
        path: Where the file shall be; its folder is there.
        build: Called with the path of a private empty file, to make a store of it.
    """
    part = f"{path}.new-{os.getpid()}-{os.urandom(4).hex()}"
    try:
        with _system(path):
            os.close(_new(part))
        build(part)
        with _system(path), suppress(FileExistsError):
            _sync(part)
            os.link(part, path)
            sync_folder(os.path.dirname(path))
    finally:
        for name in (part, *(part + end for end in _BESIDE)):
            with suppress(OSError):
                os.unlink(name)


def has_log(path: str) -> bool:
    """Say whether SQLite's log beside a database holds anything."""
    try:
        return os.stat(f"{path}-wal").st_size > 0
    except OSError:
        return False


def keep_reserve(path: str) -> None:
    """Put room aside beside the store, to record an outcome when the disk is full."""
    name = path + RESERVE
    with suppress(FileExistsError):
        handle = _new(name)
        try:
            with open(handle, "wb") as file:
                file.write(os.urandom(RESERVE_BYTES))  # zeros might take no room at all
        except OSError:
            free_reserve(path)


def free_reserve(path: str) -> bool:
    """Give that room back; say whether there was any."""
    try:
        os.unlink(path + RESERVE)
    except OSError:
        return False
    return True


def _new(path: str) -> int:
    handle = os.open(path, _NEW, 0o600)
    if _POSIX:
        os.fchmod(handle, 0o600)  # a umask may have taken even the owner's bits
    return handle


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: str) -> None:
    """Make what was made or named in a folder durable, where folders can be synced."""
    if _POSIX:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
