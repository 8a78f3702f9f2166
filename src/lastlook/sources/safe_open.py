"""Open a file beneath a folder, and nothing else, and read it whole or not at all.

The folder is opened once and every name beneath it is looked up in the folder opened
before it, without following a symbolic link (`openat` with `O_NOFOLLOW`). So whatever
is moved, swapped or linked meanwhile, what is read lies beneath the folder. The file
is looked at before it is opened, so that opening disturbs no pipe or device, and
again once it is open: it must be a regular file. What changes while it is read is
read once more, and then given up.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, Final, TypeAlias

from lastlook.core.evidence import NoAccess, NoAnswer, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Content: TypeAlias = tuple[str, bytes]
"""The name of the file that was read, and what it holds."""

Missed: TypeAlias = "NotFound | NoAccess | NoAnswer"

_CLOEXEC: Final = getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOEXEC
_FILE: Final = os.O_RDONLY | _NONBLOCK | _CLOEXEC | getattr(os, "O_NOCTTY", 0)

SUPPORTED: Final = bool(_NOFOLLOW) and os.open in os.supports_dir_fd
"""Whether this system can open a file beneath a folder without following links."""

_TRIES: Final = 2
_LINK: Final = "a symbolic link, which is not followed"

_WORDS: Final = {
    errno.ELOOP: f"is {_LINK}",
    errno.EMLINK: f"is {_LINK}",
    errno.ENOTDIR: f"is not a folder, or is {_LINK}",
    errno.EISDIR: "is a folder, not a file",
    errno.ENAMETOOLONG: "has a name that is too long",
    errno.ENXIO: "is a device or a pipe, not a regular file",
    errno.EIO: "could not be read: the disk gave an error",
    errno.EMFILE: "could not be opened: this process has too many files open",
    errno.ENFILE: "could not be opened: this machine has too many files open",
}

_KINDS: Final = (
    (stat.S_ISLNK, _LINK),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_beneath(
    root: str, folders: Sequence[str], names: Sequence[str], *, max_bytes: int
) -> Content | Missed:
    """Read the one file of these names that is there, beneath `root`.

    Args:
        root: An absolute path of a folder. It may be a symbolic link itself: it was
            given by whoever set the source up. Nothing beneath it may be one.
        folders: The folders from the root down; plain names, looked at by the caller.
        names: The names that the file may have. Two that are there are an ambiguity.
        max_bytes: The most that is read.

    Returns:
        The name and the content, or why there is none: `NotFound` only where the root
        is there and the file or one of the folders is not.
    """
    if not SUPPORTED:
        return NoAnswer("this system cannot open files beneath a folder without following links")
    return _twice(lambda: _attempt(root, folders, names, max_bytes), names[0])


def read_file(path: str, *, max_bytes: int) -> Content | Missed:
    """Read one file that was named by whoever set the source up; it may be a link.

    Returns:
        The path and the content, or why there is none; never `NotFound`, since a
        missing file says nothing about the records in it.
    """
    return _twice(lambda: _attempt_file(path, max_bytes), path)


def _twice(attempt: Callable[[], Content | Missed | None], name: str) -> Content | Missed:
    for _ in range(_TRIES):
        got = attempt()
        if got is not None:
            return got
    return NoAnswer(f"{name} changed while it was read")


def _attempt(
    root: str, folders: Sequence[str], names: Sequence[str], max_bytes: int
) -> Content | Missed | None:
    """Read once; None where the file changed meanwhile."""
    try:
        folder = os.open(root, _FOLDER)
    except OSError as error:
        return _root_missed(root, error)
    place = names[0]
    try:
        for place in folders:
            inner = os.open(place, _FOLDER | _NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        place = names[0]
        there = [name for name in names if _is_there(name, folder)]
        if len(there) > 1:
            return NoAnswer(f"ambiguous: there are {' and '.join(there)}")
        if not there:
            return NotFound()
        place = there[0]
        return _read_beneath(place, folder, max_bytes)
    except FileNotFoundError:
        return NotFound()
    except OSError as error:
        return _missed(place, error)
    finally:
        os.close(folder)


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _read_beneath(name: str, folder: int, max_bytes: int) -> Content | Missed | None:
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not stat.S_ISREG(mode):
        return _wrong_kind(name, mode)
    return _read_open(name, os.open(name, _FILE | _NOFOLLOW, dir_fd=folder), max_bytes)


def _attempt_file(path: str, max_bytes: int) -> Content | Missed | None:
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            return _wrong_kind(path, mode)
        return _read_open(path, os.open(path, _FILE), max_bytes)
    except FileNotFoundError:
        return NoAnswer(f"the file {path} is not there")
    except OSError as error:
        return _missed(path, error)


def _read_open(name: str, file: int, max_bytes: int) -> Content | Missed | None:
    """Read an open file whole and close it; None where it changed meanwhile."""
    try:
        before = os.fstat(file)
        if not stat.S_ISREG(before.st_mode):
            return _wrong_kind(name, before.st_mode)
        if before.st_size > max_bytes:
            return NoAnswer(f"{name} is larger than {max_bytes:,} bytes")
        data = _drain(file, before.st_size + 1)
        after = os.fstat(file)
    finally:
        os.close(file)
    same = _identity(before) == _identity(after) and len(data) == after.st_size
    return (name, data) if same else None


def _identity(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev


def _drain(file: int, limit: int) -> bytes:
    """Read to the end of the file, or `limit` bytes: one more than it should hold."""
    parts: list[bytes] = []
    while limit > 0 and (part := os.read(file, limit)):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _wrong_kind(name: str, mode: int) -> NoAnswer:
    kind = next((words for test, words in _KINDS if test(mode)), "something unknown")
    return NoAnswer(f"{name} is {kind}, not a regular file")


def _root_missed(root: str, error: OSError) -> NoAccess | NoAnswer:
    """A root that is not there is a source that does not answer, not a missing record."""
    if error.errno == errno.ENOENT:
        return NoAnswer(f"the folder {root} is not there")
    if error.errno == errno.ENOTDIR:
        return NoAnswer(f"{root} is not a folder; for one file of many records say id= or records=")
    return _missed(root, error)


def _missed(name: str, error: OSError) -> NoAccess | NoAnswer:
    if error.errno in {errno.EACCES, errno.EPERM}:
        return NoAccess(f"{name} may not be read: permission denied")
    words = _WORDS.get(error.errno or 0)
    return NoAnswer(f"{name} {words or f'could not be read: {error.strerror}'}")
