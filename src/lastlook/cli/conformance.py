"""`conformance`: whether another program reads and writes the formats as specified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from lastlook.cli.context import Context
from lastlook.cli.output import Usage
from lastlook.core.screens.layout import Screen, Span, prose
from lastlook.core.visible import visible

if TYPE_CHECKING:
    from lastlook.conformance import Failure, Report, Vector
    from lastlook.core.screens.layout import Line

_SHOWN: Final = 10
_WIDE: Final = 300


def conformance(
    ctx: typer.Context,
    group: Annotated[
        str | None, typer.Option("--group", metavar="GROUP", help="Only the vectors of this group.")
    ] = None,
    xfail: Annotated[
        str | None,
        typer.Option("--xfail", metavar="FILE", help="Vectors that are known to fail, one a line."),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="SECONDS", min=0.1, help="How long for each answer."),
    ] = 10.0,
) -> int:
    """Ask a program the vectors of the specification.

    The program stands after `--`; without one this Lastlook itself is asked. It reads one
    request a line and writes one answer a line, as the specification has it. Exits with 1
    where an answer is wrong, or a vector in FILE passes.
    """
    context: Context = ctx.obj
    from lastlook.conformance import examine, vectors
    from lastlook.conformance.answers import answer
    from lastlook.conformance.talking import NoProgram, Program

    asked = vectors(group or "")
    expected = _titles(xfail) if xfail else frozenset()
    if not context.command:
        _need_wildcards(asked)
        report = examine(answer, asked, xfail=expected)
        return _said(context, report, asked)
    try:
        with Program(context.command, seconds=seconds) as program:
            report = examine(program.ask, asked, xfail=expected)
    except NoProgram as error:
        raise Usage(error.what, fix=error.fix) from None
    return _said(context, report, asked)


def _need_wildcards(asked: tuple[Vector, ...]) -> None:
    """Refuse to ask this Lastlook what it can't answer without an extra."""
    from importlib.util import find_spec

    if find_spec("jsonpath") is None and any(each.group == "fingerprints" for each in asked):
        raise Usage(
            "some vectors hold wildcards, and the extra jsonpath is not installed",
            fix="Run: pip install 'lastlook[jsonpath]'. Programs behind -- are asked without it.",
        )


def _titles(path: str) -> frozenset[str]:
    """Return the titles of a file, one a line; `#` begins a comment line."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n") for line in file]
    except UnicodeDecodeError:
        raise Usage(f"{path} is not UTF-8 text", fix="One title a line.") from None
    return frozenset(line for line in lines if line.strip() and not line.startswith("#"))


def _said(context: Context, report: Report, asked: tuple[Vector, ...]) -> int:
    from msgspec import to_builtins

    context.output.screen(Screen(tuple(_lines(report, len(asked)))))
    context.output.data({"ok": report.ok, "vectors": len(asked), **to_builtins(report)})
    return 0 if report.ok else 1


def _lines(report: Report, number: int) -> list[Line]:
    lines: list[Line] = [
        (Span(f"{'GROUP':<16}{'PASSED':>8}{'FAILED':>8}{'EXPECTED':>10}", "head"),)
    ]
    for each in report.groups:
        numbers = f"{each.passed:>8}{each.failed:>8}{each.expected:>10}"
        style: Any = "bad" if each.failed else "plain"
        lines.append((Span(f"{each.group:<16}"), Span(numbers, style)))
    wrong = [failure for failure in report.failures if not failure.expected]
    for failure in wrong[:_SHOWN]:
        lines += [(), *_failure(failure)]
    if len(wrong) > _SHOWN:
        lines += [(), *prose(f"And {len(wrong) - _SHOWN:,} more; --json has all of them.")]
    for title in report.surprises:
        lines += [(), *prose(f"Expected to fail, and did not: {visible(title)}", style="bad")]
    end = (
        f"All {number:,} vectors came out as they should." if report.ok else "It does not conform."
    )
    return [*lines, (), *prose(end, style="good" if report.ok else "bad")]


def _failure(failure: Failure) -> list[Line]:
    lines = prose(visible(failure.title), style="strong") + prose(visible(failure.why), indent=2)
    for label, value in (("wanted", failure.wanted), ("got", failure.got)):
        if value is not None:
            lines += prose(visible(f"{label} {value!r}"[:_WIDE]), indent=2, style="dim")
    return lines
