"""The command line: `lastlook VERB`, one module a verb or a few, over the public interface.

`main` is the console entry. It never shows a traceback for a user's mistake: what went
wrong, where, and what to do go to standard error, and the exit code says the rest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from lastlook.cli.hinting import hints
from lastlook.cli.interrupts import INTERRUPTED, Interrupts, after_interrupt
from lastlook.cli.output import Output, Usage
from lastlook.errors import LastlookError, NotRegistered, UnknownPlan

if TYPE_CHECKING:
    from lastlook.cli.context import Context
    from lastlook.core.ports import Asker

_FLAGS: Final = ("--json", "--quiet", "-q", "--no-color", "--verbose", "-v")
_VALUES: Final = ("--store", "--app", "--config")


def main(argv: Sequence[str] | None = None, *, asker: Asker | None = None) -> int:
    """Run one command line, and return its exit code.

    Args:
        argv: The words after the program's name; the process's own by default.
        asker: Who puts questions to a person; the terminal by default.

    Returns:
        0 to 7 as the documentation lists them, or 130 after Ctrl-C.
    """
    interrupts = Interrupts(whole=argv is None)
    try:
        return _guarded(interrupts, list(sys.argv[1:] if argv is None else argv), asker)
    except KeyboardInterrupt:
        return INTERRUPTED


def _guarded(interrupts: Interrupts, words: Sequence[str], asker: Asker | None) -> int:
    """Run one command line, with Ctrl-C in our hands from here to the end."""
    code: int | None = None
    context: Context | None = None
    output: Output | None = None
    try:
        interrupts.begin()
        head, command = split_command(words)
        _say_all_characters()
        output = Output(json="--json" in head)
        from lastlook.cli.context import Context

        context = Context(output, command, head=head, asker=asker, interrupts=interrupts)
        with hints(output):
            code = _run(context, head)
    except KeyboardInterrupt:
        interrupts.hold()
        code = INTERRUPTED if code is None else code
    finally:
        verb = "" if context is None else context.verb
        interrupts.hold(after_interrupt(code, verb=verb))
        for part in (context, output):
            if part is not None:
                interrupts.closed(part)
        interrupts.end()
    return interrupts.exit_code(code, verb=verb)


def split_command(words: Sequence[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """Split at the first `--`: our own words, and the command after it (None without)."""
    if "--" not in words:
        return list(words), None
    at = words.index("--")
    return list(words[:at]), tuple(words[at + 1 :])


def hoisted(words: Sequence[str]) -> list[str]:
    """Put the options that every verb has first, wherever they stood.

    Raises:
        Usage: One of them lacks its value.
    """
    taken: list[str] = []
    rest: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word in _FLAGS or ("=" in word and word.partition("=")[0] in _VALUES):
            taken.append(word)
        elif word in _VALUES:
            value = next(waiting, None)
            if value is None:
                raise Usage(f"{word} takes a value", fix="Type: lastlook --help")
            taken += [word, value]
        else:
            rest.append(word)
    return [*taken, *rest]


def _run(context: Context, words: list[str]) -> int:
    from lastlook.cli.verbs import ClickError, app

    try:
        code: Any = app(
            args=hoisted(words) or ["--help"], prog_name="lastlook", standalone_mode=False,
            obj=context,
        )  # fmt: skip
    except UnknownPlan as error:
        return context.output.error(context.missing(error), exit_code=1)
    except LastlookError as error:
        is_usage = isinstance(error, Usage | NotRegistered)
        return context.output.error(error, exit_code=2 if is_usage else 1)
    except ClickError as error:
        return context.output.error(_usage(error), exit_code=2)
    except OSError as error:
        return context.output.error(_of_system(error), exit_code=1)
    return INTERRUPTED if code is None and context.interrupts.noted else code or 0


def _usage(error: Any) -> Usage:
    path = getattr(getattr(error, "ctx", None), "command_path", "lastlook")
    return Usage(error.format_message().rstrip("."), fix=f"Type: {path} --help")


def _of_system(error: OSError) -> LastlookError:
    where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    return LastlookError(f"the system refuses: {error.strerror or error}", where=where)


def _say_all_characters() -> None:
    """Let no character that the terminal lacks be an error."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # tried
