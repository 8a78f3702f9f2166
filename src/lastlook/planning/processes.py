"""Starting a program and waiting for it, so that a failed start is told from a failure."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from lastlook.errors import LastlookError

if TYPE_CHECKING:
    from subprocess import Popen

_STDERR: Final = 2


class CommandFailed(LastlookError):
    """A command ended with another exit code than 0, or by a signal.

    Attributes:
        code: The exit code; negative for a signal.
    """

    def __init__(self, name: str, code: int) -> None:
        self.code = code
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        super().__init__(f"{name} ended {how}")


class CommandNotStarted(LastlookError):
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
        raise CommandNotStarted(
            f"{arguments[0]} could not be started: {getattr(error, 'strerror', None) or error}",
            fix="A script begins with a line such as #!/bin/sh.",
        ) from error
    return _wait(process)


def _wait(process: Popen[bytes]) -> int:
    """Wait for a process; a first Ctrl-C reached it as well, so its end is waited for."""
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise
