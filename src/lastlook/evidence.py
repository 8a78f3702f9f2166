"""Evidence in a file: kept by one program, and compared by another, without a plan or store.

```python
from lastlook import evidence

evidence.save("before.json", [look.read("slots:slot-42", "status == 'free'", "price")])
...
results = look.recheck(evidence.load("before.json"))
```

The file is JSON, and of one format for all languages; `lastlook check FILE` reads it, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lastlook.core.evidence_file import FORMAT, LIMITS, evidence_text, open_evidence
from lastlook.errors import DeclarationError
from lastlook.sources.safe_open import read_file

if TYPE_CHECKING:
    from lastlook.core.evidence import Evidence

__all__ = ["FORMAT", "load", "save"]

_CLOEXEC = getattr(os, "O_CLOEXEC", 0)


def save(path: str | os.PathLike[str], evidence: Iterable[Evidence[Any]], /) -> None:
    """Write evidence to a file, whole or not at all.

    It is written beside its place, brought to the disk, and then put there; what was
    there before is replaced. Its permissions are those of the file that it replaces, or
    what the umask leaves. It holds the captured values in the clear.

    Args:
        path: Where to. A symbolic link is followed.
        evidence: From `look.read`, `capture(..., ref=...)` or `plan.evidence`; each ref
            once. Of a class of `Facts` the fields are kept, and not the class.

    Raises:
        DeclarationError: There is no evidence; one ref stands there twice, or is missing;
            a field is secret, since its salt has no place to stay; or something that is
            no file is in the way.
        OSError: The file can't be written. Nothing was changed.
    """
    text = evidence_text(evidence)
    target = os.path.realpath(os.fspath(path))
    mode = _mode_of(target)
    folder = os.path.dirname(target)
    beside = os.path.join(folder, f".lastlook-{os.urandom(8).hex()}")
    try:
        _write(beside, text, mode)
        os.replace(beside, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError):
            error.filename, error.filename2 = os.fspath(path), None  # what the caller calls it
        raise
    _settle(folder)


def load(path: str | os.PathLike[str], /) -> tuple[Evidence[Any], ...]:
    """Read evidence back from a file, strictly.

    What was edited by hand is found by its digests. But the file is not signed: whoever
    may write it may make evidence up.

    Returns:
        The evidence in the order of the file, for `look.recheck`, `check` or
        `look.propose`.

    Raises:
        BadFormat: It is no evidence file, of an unknown format, or damaged; `where` says
            which file, and where in it.
        DeclarationError: The file can't be read.
    """
    name = os.fspath(path)
    got = read_file(name, max_bytes=LIMITS.bytes)
    if isinstance(got, tuple):
        return open_evidence(got[1], name=name)
    raise DeclarationError(
        f"the evidence could not be read: {got.reason}",
        where=name,
        fix="Make it with: lastlook capture -e REF#FIELD -o FILE",
    )


def _mode_of(target: str) -> int | None:
    """Return the permissions of a file that is there; refuse what is no file."""
    import stat

    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise DeclarationError("this is there, and is no file", where=target)
    return stat.S_IMODE(mode)


def _write(path: str, text: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOEXEC
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        if mode is not None:
            os.chmod(path, mode)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: str) -> None:
    """Bring the file's new name to the disk, where a folder can be opened."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
