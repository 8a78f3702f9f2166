"""Which program a command runs: its path, and the digests of what would run.

A program is known by the bytes of its file, and so is every other file that is found to
run with it (`pinning`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from hashlib import file_digest

from msgspec import Struct

from lastlook.core.plan import PinnedFile
from lastlook.errors import DeclarationError


class Program(Struct, frozen=True, kw_only=True):
    """What would run.

    Attributes:
        found: The path that is executed; links are not followed in it, since what a
            program does may depend on the name it is called by.
        path: The resolved path of the file itself; empty where nothing is found.
        sha256: 64 hex digits over its bytes; empty where nothing is found.
        files: What would run besides it, in the order in which it was found.
    """

    found: str = ""
    path: str = ""
    sha256: str = ""
    files: tuple[PinnedFile, ...] = ()


def find_program(vector: Sequence[str | None], folder: str) -> Program:
    """Return what an argument vector would run now, as its folder sees it.

    A name without a slash is looked for on the `PATH`.

    Args:
        vector: The arguments as they are passed, the program first; None for one that
            depends on a value, which names no file that counts.
        folder: The working directory, absolute.

    Raises:
        DeclarationError: There is no such program, or it cannot be run, or it or what
            runs with it cannot be read.
    """
    program = vector[0] or ""
    found = _found(program, folder)
    if not found:
        raise _not_found(program, folder)
    path = os.path.realpath(found)
    return Program(
        found=found, path=path, sha256=_digest(path), files=_files(found, vector, folder, _digest)
    )


def program_now(vector: Sequence[str | None], folder: str) -> Program:
    """Return the same where something may be missing: of that path and digest are empty."""
    found = _found(vector[0] or "", folder)
    path = os.path.realpath(found) if found else ""
    return Program(
        found=found,
        path=path,
        sha256=_digest_if_any(path),
        files=_files(found, vector, folder, _digest_if_any),
    )


def _files(
    found: str, vector: Sequence[str | None], folder: str, digest: Callable[[str], str]
) -> tuple[PinnedFile, ...]:
    from lastlook.planning.pinning import pinned_files

    files = pinned_files(found, vector[1:], folder)
    return tuple(
        PinnedFile(name=name, path=path, sha256=digest(path)) for name, path in files.items()
    )


def _found(program: str, folder: str) -> str:
    if not program or "\0" in program:
        return ""
    if "/" not in program:
        from shutil import which

        on_path = which(program)
        return os.path.join(folder, on_path) if on_path else ""
    path = os.path.join(folder, program)
    return path if os.path.isfile(path) and os.access(path, os.X_OK) else ""


def _not_found(program: str, folder: str) -> DeclarationError:
    """Return why there is nothing to run, and what to type."""
    path = os.path.join(folder, program)
    if not program or "\0" in program or not os.path.exists(path):
        where = "" if "/" in program else " on the PATH"
        fix = "" if where == "" else "Install it, or give its path."
        return DeclarationError(f"there is no program {program}{where}", where=folder, fix=fix)
    if not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "a device or a pipe"
        return DeclarationError(f"{program} is {kind}, and no program", where=folder)
    if not os.access(path, os.X_OK):
        from shlex import quote

        fix = f"Make it executable: chmod +x {quote(program)}"
        return DeclarationError(f"{program} is not executable", where=folder, fix=fix)
    return DeclarationError(
        f"there is no program {program} on the PATH",
        where=folder,
        fix=f"For the file in this folder: ./{program}",
    )


def _digest_if_any(path: str) -> str:
    try:
        return _digest(path)
    except DeclarationError:
        return ""


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DeclarationError(
            f"{path} cannot be read: {error.strerror}",
            fix="What runs is known by its bytes, so it must be readable.",
        ) from error
