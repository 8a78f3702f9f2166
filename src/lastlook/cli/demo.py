"""`demo`: the runs of `demo_runs`, as a person sees them."""

from __future__ import annotations

import tempfile
import time
from typing import TYPE_CHECKING, Any

from lastlook.core.screens.layout import BLANK, Line, Screen, Span, Style, columns, prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from lastlook.cli.demo_runs import Demo, Run
    from lastlook.cli.output import Output
    from lastlook.core.prompt import Question

_RULE = 74
_STYLES: dict[str, Style] = {"BLOCKS": "good", "PASSES": "good"}


def show_demo(output: Output, *, seconds: float = 0.0) -> int:
    """Run it all on real files in a temporary folder, and show it.

    Args:
        output: Where it is shown.
        seconds: How long to wait after each part.

    Returns:
        0 where every run came to what the published articles say; else 1.
    """
    from lastlook.cli.demo_runs import run_demo
    from lastlook.terminal import local_zone

    with tempfile.TemporaryDirectory(prefix="lastlook-demo-") as folder:
        demo = run_demo(folder)
        for part in demo_parts(demo, zone=local_zone()):
            output.screen(part)
            time.sleep(seconds)
    output.data(demo_data(demo))
    return 0 if demo.holds else 1


def demo_parts(demo: Demo, *, zone: tzinfo) -> Iterator[Screen]:
    """Yield the parts in order; every figure and word of an outcome is a run's own."""
    yield Screen((
        (Span("LASTLOOK", "strong"), Span("  the last look before an agent acts")),
        (Span(f"Every figure below comes from runs on real files in {demo.folder}", "dim"),),
    ))  # fmt: skip
    yield _published(demo)
    yield _in_full(demo)
    yield from _priced(demo, zone)
    yield _journal(demo, zone)


def _published(demo: Demo) -> Screen:
    lines = _heading(1, "The published comparison")
    lines += _said(
        "A person has said yes to booking slot-42. The plan rests on two fields of its",
        "file, slot_id and status. Before the plan runs, somebody edits the file.",
    )
    for version in demo.versions:
        told = f"{version.record['status']}, by {version.record['last_modified_by']}"
        cells = (version.name, told, version.published[:8])
        lines.append(_row((2, 6, 38), cells, ("strong", "plain", "plain")))
    lines.append(BLANK)
    lines += [_run(run, run.captured[:8], run.current[:8]) for run in demo.published]
    lines += _said(
        "",
        "v3 passes: who edited the file last was not declared, so it bothers nobody.",
        style="dim",
    )
    return Screen(tuple(lines[:-1]))


def _in_full(demo: Demo) -> Screen:
    lines = _heading(2, "The same, compared in full")
    lines += _said(
        "Sixteen digits can be made to collide in minutes. Plans rest on ll1: typed",
        "values, SHA-256 in full, a digest for each field.",
    )
    for version in demo.versions:
        lines.append(_row((2, 6), (version.name, version.full), ("strong", "plain")))
    lines.append(BLANK)
    lines += [_run(run, _short(run.captured), _short(run.current)) for run in demo.full]
    return Screen(tuple(lines))


def _short(fingerprint: str) -> str:
    return fingerprint.partition(":")[2][:12]


def _run(run: Run, captured: str, current: str) -> Line:
    name = "protected" if run.protected else "unprotected"
    compared = f"{captured} vs {current}" if run.protected else "no look"
    booked = "; ".join(run.booked) or "nothing booked"
    style = _STYLES.get(run.word, "bad") if run.protected else "bad"
    return _row(
        (2, 15, 25, 55, 65),
        (name, f"v1 to {run.after}", compared, run.word, booked),
        ("plain", "plain", "plain", style, "plain"),
    )


def _priced(demo: Demo, zone: tzinfo) -> Iterator[Screen]:
    from lastlook.core.screens import outcome_screen

    priced = demo.priced
    before, after = priced.prices
    yield Screen((
        *_heading(3, "An amount that was taken from the file"),
        *_asked(priced.question, demo.by, zone),
        *_said(f"Before it runs, somebody else sets the price from {before} to {after}."),
        *outcome_screen(priced.blocked, zone=zone).lines,
        BLANK,
    ))  # fmt: skip
    yield Screen((
        *_asked(priced.afresh, demo.by, zone),
        *outcome_screen(priced.executed, zone=zone).lines,
        BLANK,
        (Span(f"The file of bookings holds: {'; '.join(priced.booked)}"),),
    ))  # fmt: skip


def _asked(question: Question, by: str, zone: tzinfo) -> list[Line]:
    from lastlook.core.screens import question_screen

    *lines, asking = question_screen(question, zone=zone).lines
    said = f"(y was said through the API, as {by}; in earnest a person types it)"
    return [*lines, (*asking, Span(" y", "strong")), (Span(said, "dim"),), BLANK]


def _journal(demo: Demo, zone: tzinfo) -> Screen:
    from lastlook.core.screens import journal_screen

    return Screen((
        *_heading(4, "The journal"),
        *journal_screen(demo.records, demo.rows, zone=zone).lines,
        *prose(demo.verified),
        BLANK,
        (Span("Begin with files of your own: lastlook init", "strong"),),
    ))  # fmt: skip


def _heading(number: int, text: str) -> list[Line]:
    rule = "-" * (_RULE - columns(text) - 4)
    return [BLANK, (Span(f"{number}  {text} ", "head"), Span(rule, "dim")), BLANK]


def _said(*texts: str, style: Style = "plain") -> list[Line]:
    return [*(line for text in texts for line in prose(text, style=style)), BLANK]


def _row(starts: Sequence[int], texts: Sequence[str], styles: Sequence[Style]) -> Line:
    """Return texts in columns that begin at `starts`, at least two apart."""
    spans: list[Span] = []
    used = 0
    for start, text, style in zip(starts, texts, styles, strict=True):
        gap = max(start - used, 2)
        spans += [Span(" " * gap), Span(text, style)]
        used += gap + columns(text)
    return tuple(spans)


def demo_data(demo: Demo) -> dict[str, Any]:
    """Return the figures of all runs as JSON data."""
    from msgspec import to_builtins

    priced = demo.priced
    return {
        "holds": demo.holds,
        "confirmed_by": demo.by,
        "versions": to_builtins(demo.versions),
        "published": to_builtins(demo.published),
        "ll1": to_builtins(demo.full),
        "priced": {
            "prices": list(priced.prices),
            "blocked": priced.blocked.data(),
            "executed": priced.executed.data(),
            "booked": list(priced.booked),
        },
        "journal": {"plans": len(demo.records), "rows": len(demo.rows), "said": demo.verified},
    }
