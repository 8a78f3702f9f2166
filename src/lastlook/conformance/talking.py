"""A program that speaks the line protocol: one request a line, one answer a line."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, Final, Self

from lastlook.errors import LastlookError

LONGEST_ANSWER: Final = 4 * 2**20
"""How many bytes one answer may have."""

CHANCES: Final = 3
"""How often a program that hung, ended or talked out of turn is started again."""


class BadAnswer(LastlookError):
    """A program gave no answer that could be compared."""


class NoProgram(LastlookError):
    """A program could not be started."""


class Program:
    """A running program, started again where it hangs or loses the thread.

    Args:
        command: The program and its arguments.
        seconds: How long it has for each answer.

    Raises:
        NoProgram: It could not be started.
    """

    def __init__(self, command: Sequence[str], *, seconds: float = 10.0) -> None:
        self.command = list(command)
        self.seconds = seconds
        self._asked = 0
        self._left = CHANCES
        self._child: _Child | None = _Child(self.command)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one request, without its id.

        Raises:
            BadAnswer: It hung, ended, or said something that is no answer to this
                request; or it did so too often before, and is not asked any more.
            NoProgram: It could not be started again.
        """
        child = self._child = self._child or self._again()
        self._asked += 1
        try:
            return _answered(child, {"id": self._asked, **request}, self.seconds)
        except BadAnswer:
            self.close()
            raise

    def _again(self) -> _Child:
        if self._left == 0:
            raise BadAnswer("not asked, since the program stopped answering before")
        self._left -= 1
        return _Child(self.command)

    def close(self) -> None:
        """End the program, and whatever it started."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _answered(child: _Child, request: dict[str, Any], seconds: float) -> dict[str, Any]:
    line = child.say(json.dumps(request), seconds)
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise BadAnswer(f"no JSON: {line[:80]!r}") from None
    if not isinstance(answer, dict) or "id" not in answer:
        raise BadAnswer(f"an answer without an id: {line[:80]!r}")
    if answer.pop("id") != request["id"]:
        raise BadAnswer("the answer to another request")
    return answer


class _Child:
    """One process, with a thread that reads what it says."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the caller's own program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=sys.platform != "win32",
            )
        except (OSError, ValueError) as error:
            raise NoProgram(
                f"{command[0]!r} could not be started: {getattr(error, 'strerror', '') or error}",
                fix="Name a program that is there: lastlook conformance -- PROGRAM [ARG...]",
            ) from None
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self._stopped = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise BadAnswer("the program has no standard streams")
        return stdin, stdout

    def _read(self) -> None:
        stdout = self._pipes[1]
        while not self._stopped.is_set():
            try:
                line = stdout.readline(LONGEST_ANSWER + 1)
            except (OSError, ValueError):
                line = b""
            if not self._kept(line) or not line:
                return

    def _kept(self, line: bytes) -> bool:
        while not self._stopped.is_set():
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return True
        return False

    def say(self, request: str, seconds: float) -> bytes:
        """Return the line that follows on a request."""
        stdin = self._pipes[0]
        try:
            stdin.write(request.encode() + b"\n")
            stdin.flush()
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise BadAnswer(f"no answer within {seconds:g} s") from None
        except OSError:
            raise BadAnswer("the program ended") from None
        if not line:
            raise BadAnswer("the program ended")
        if len(line) > LONGEST_ANSWER:
            raise BadAnswer(f"an answer of more than {LONGEST_ANSWER:,} bytes")
        return line

    def end(self) -> None:
        self._stopped.set()
        with suppress(OSError):
            self._pipes[0].close()
        try:
            self._process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            self._kill()
        self._process.wait()
        self._reader.join(timeout=5)
        with suppress(OSError):
            self._pipes[1].close()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
