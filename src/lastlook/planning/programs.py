"""Which program a command runs: its path, and the digests of what would run.

A program is known by the bytes of its file. Where it is an interpreter that is given a
script beneath the command's folder, that script's bytes count too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from hashlib import file_digest
from typing import Final

from msgspec import Struct

from lastlook.errors import DeclarationError

_INTERPRETER: Final = re.compile(
    r"(?:python|pypy|node|nodejs|deno|bun|ruby|perl|php|lua|java|groovy|julia|Rscript|pwsh"
    r"|osascript|awk|gawk|env|uv|uvx|npx|tsx|(?:ba|da|z|k|fi)?sh)[0-9.]*(?:\.exe)?"
)
"""Programs that run a file that they are given. Of others, a file is what they work on."""


class Program(Struct, frozen=True, kw_only=True):
    """What would run.

    Attributes:
        found: The path that is executed; links are not followed in it, since what a
            program does may depend on the name it is called by.
        path: The resolved path of the file itself; empty where nothing is found.
        sha256: 64 hex digits over its bytes; empty where nothing is found.
        script, script_sha256: The same for a script that it interprets, or empty.
    """

    found: str = ""
    path: str = ""
    sha256: str = ""
    script: str = ""
    script_sha256: str = ""


def find_program(run: Sequence[str], folder: str) -> Program:
    """Return what an argument vector would run now, as its folder sees it.

    A name without a slash is looked for on the `PATH`.

    Args:
        run: The argument vector; elements with holes are never a script.
        folder: The working directory, absolute.

    Raises:
        DeclarationError: There is no such program, or it cannot be run or read.
    """
    found = _found(run[0], folder)
    if not found:
        raise _not_found(run[0], folder)
    path = os.path.realpath(found)
    script = _script(run, folder)
    return Program(
        found=found,
        path=path,
        sha256=_digest(path),
        script=script,
        script_sha256=_digest(script) if script else "",
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


def _script(run: Sequence[str], folder: str) -> str:
    """Return the path of the script beneath the folder that is interpreted, or ''."""
    if not _INTERPRETER.fullmatch(os.path.basename(run[0])):
        return ""
    beneath = os.path.join(os.path.realpath(folder), "")
    for argument in run[1:]:
        if argument.startswith("-") or "{" in argument or "\0" in argument:
            continue
        path = os.path.realpath(os.path.join(folder, argument))
        if path.startswith(beneath) and os.path.isfile(path):
            return path
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
