"""Starting a program and waiting for it, so that a failed start is told from a failure."""

from __future__ import annotations

import errno
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from lastlook.errors import LastlookError

if TYPE_CHECKING:
    from subprocess import Popen

_STDERR: Final = 2
_LONGEST_LINE: Final = 256  # bytes of a first line that systems read


class CommandError(LastlookError):
    """A command did not do what it was to do; `what` names it, and says how it ended."""


class CommandFailed(CommandError):
    """A command ended with another exit code than 0, or by a signal.

    Attributes:
        code: The exit code; negative for a signal.
    """

    def __init__(self, name: str, code: int) -> None:
        self.code = code
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        super().__init__(f"{name} ended {how}")


class CommandNotStarted(CommandError):
    """A command could not be started, so it did nothing."""


def run_program(
    path: str,
    arguments: Sequence[str],
    *,
    folder: str,
    variables: Mapping[str, str],
    output_to_stderr: bool,
) -> int:
    """Run a program to its end, without a shell and without input.

    Args:
        path: The file that is executed.
        arguments: The whole vector; the first is the name it is called by.
        folder: The working directory.
        variables: All of its environment.
        output_to_stderr: Whether what it prints goes to standard error.

    Returns:
        The exit code; negative for a signal.

    Raises:
        CommandNotStarted: The system did not start it.
    """
    from subprocess import DEVNULL, Popen

    with suppress(AttributeError, OSError, ValueError):
        sys.stdout.flush()
    try:
        process = Popen(  # noqa: S603  # no shell, and what runs was shown and confirmed
            arguments,
            executable=path,
            cwd=folder,
            env=variables,
            stdin=DEVNULL,
            stdout=_STDERR if output_to_stderr else None,
        )
    except (OSError, ValueError) as error:
        raise _not_started(path, arguments[0], folder, error) from error
    return _wait(process)


def _not_started(path: str, name: str, folder: str, error: Exception) -> CommandNotStarted:
    """Return why the system did not start a program, by what it says and what is there."""
    code = getattr(error, "errno", None)
    why, fix = getattr(error, "strerror", None) or str(error), ""
    if code == errno.ENOEXEC:
        why, fix = "it is no program", "A script begins with a line such as #!/bin/sh."
    elif code == errno.ENOENT and getattr(error, "filename", None) == folder:
        why = f"its folder {folder} is not there"
    elif code in {errno.ENOENT, errno.EACCES} and (interpreter := _interpreter(path)):
        why = f"its first line names {interpreter}, which can't be run here"
        fix = "Install that, or name another in the first line."
    return CommandNotStarted(f"{name} could not be started: {why}", fix=fix)


def _interpreter(path: str) -> str:
    """Return the program that a script's first line names, or an empty text."""
    try:
        with open(path, "rb") as file:
            first = file.readline(_LONGEST_LINE)
    except OSError:
        return ""
    words = first[2:].split(maxsplit=1) if first.startswith(b"#!") else []
    return words[0].decode(errors="backslashreplace") if words else ""


def _wait(process: Popen[bytes]) -> int:
    """Wait for a process; a first Ctrl-C reached it as well, so its end is waited for."""
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise
