"""A command line at a terminal of its own, as a person has it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
PATIENCE = 20.0
# The first terminal that a session opens becomes its own.
START = (
    "import os, sys; os.open(sys.argv[1], os.O_RDWR); "
    "from lastlook.cli import main; sys.exit(main(sys.argv[2:]))"
)


class AtTerminal:
    """`lastlook` in a session of its own, with a pseudo terminal of 60 lines."""

    def __init__(
        self, *words: str, folder: Path, stdin: int = subprocess.DEVNULL, columns: int = 80
    ) -> None:
        self._master, self._slave = os.openpty()
        termios.tcsetwinsize(self._slave, (60, columns))
        self.seen = ""
        self.child = subprocess.Popen(
            [sys.executable, "-c", START, os.ttyname(self._slave), *words],
            cwd=folder,
            stdin=stdin,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", "NO_COLOR": "1"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.kill()
        self.child.wait(PATIENCE)
        os.close(self._master)
        os.close(self._slave)

    def wait_for(self, text: str, times: int = 1) -> None:
        """Read what stands there until a text has come so many times."""
        ends = time.monotonic() + PATIENCE
        while self.seen.count(text) < times:
            assert time.monotonic() < ends, f"{text!r} did not come: {self.seen}"
            self._listen(0.05)

    def say(self, line: str, then: str, times: int = 1) -> None:
        """Type a line, and again where it came before the question stood and was dropped."""
        ends = time.monotonic() + PATIENCE
        while self.seen.count(then) < times:
            assert time.monotonic() < ends, f"{line!r} had no effect: {self.seen}"
            os.write(self._master, line.encode())
            once = time.monotonic() + 0.5
            while self.seen.count(then) < times and time.monotonic() < once:
                self._listen(0.05)

    def ends(self, line: str = "") -> int:
        """Wait for the end, typing a line until it comes, and return the exit code."""
        ends = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            assert time.monotonic() < ends, f"it does not end: {self.seen}"
            if line:
                os.write(self._master, line.encode())
            once = time.monotonic() + 0.5
            while self.child.poll() is None and time.monotonic() < once:
                self._listen(0.05)
        while self._listen(0):
            pass
        return self.child.wait(PATIENCE)

    def _listen(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        self.seen += os.read(self._master, 65536).decode().replace("\r\n", "\n")
        return True
