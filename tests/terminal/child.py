"""A program in a session of its own that asks one question at the terminal it is given.

Its argument is JSON: `tty` (the path of the terminal, or empty), `what` to ask, and
`timeout` in seconds. It says `ready` on standard output, waits for a line on standard
input, asks, and prints the answer as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from datetime import UTC, datetime
from typing import Any

from lastlook.core.check import Unresolvable
from lastlook.core.outcome import BlockedUnresolvable
from lastlook.core.prompt import LookAgain, Question
from lastlook.terminal import TerminalAsker
from tests.unit.core.refund import REF, at, blocked, plan


def question(what: str) -> Any:
    about = plan(created_at=datetime.now(UTC))
    match what:
        case "look again":
            gone = (Unresolvable(ref=REF, reason="no answer"),)
            return LookAgain(blocked=BlockedUnresolvable(plan=about, checks=gone, at=at(14, 9)))
        case "parked":
            return Question(plan=about, parked=True)
        case "old":
            return Question(plan=plan())
        case "hostile":
            return Question(plan=plan(intent="\x1b[2J\x1b]0;x\x07 Pay \u202e"))
        case "odd letters":
            return Question(plan=plan(intent="Pay 漢"))
        case _:
            return Question(plan=about)


def main() -> None:
    given = json.loads(sys.argv[1])
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if given["tty"]:
        os.open(given["tty"], os.O_RDWR)  # the first terminal a session opens becomes its own
    if given["what"] == "background":
        in_background()
    say("ready")
    sys.stdin.readline()
    asker = TerminalAsker(timeout=given["timeout"], zone=UTC)
    if given["what"] == "tell":
        asker.tell(blocked(why_no_fresh="no"))
    else:
        answer = asker.ask(question(given["what"]))
        say(json.dumps({"kind": answer.kind, "by": answer.by}))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def in_background() -> None:
    """Go on in a child of another process group than the one that has the terminal."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    os.setpgid(0, 0)


if __name__ == "__main__":
    main()
