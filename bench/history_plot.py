"""The plot of `histories.py`: an SVG written by hand, the same bytes for the same summary."""

from __future__ import annotations

from html import escape
from typing import Any

WAYS = (
    ("whole", "whole record", "#8a8f98"),
    ("declared", "declared fields", "#2f6fb2"),
    ("conditions", "conditions", "#d9822b"),
)
LEFT, WIDE, GAP, TOP = 250, 290, 60, 96
BAR, GROUP = 9, 42


def plot(summary: dict[str, Any]) -> str:
    """Return an SVG: the share of blocked plans, one version later and a while later."""
    groups = [
        (history, plan)
        for history in summary["histories"]
        for plan in dict.fromkeys(each["plan"] for each in history["rows"])
    ]
    width, height = LEFT + 2 * WIDE + GAP + 40, TOP + GROUP * len(groups) + 40
    parts = [*_head(width, height), *_legend()]
    panels = ((LEFT, "one version later"), (LEFT + WIDE + GAP, "7 days later (outages: 6 hours)"))
    for at, title in panels:
        parts += _axis(at, height - 40, title)
    for number, (history, plan) in enumerate(groups):
        y = TOP + GROUP * number
        name = history["history"].removesuffix("_changed_fields_only")
        parts.append(_text(LEFT - 12, y + 13, name, anchor="end", size=12))
        parts.append(_text(LEFT - 12, y + 27, plan, anchor="end", size=11, colour="#5c6370"))
        rows = [each for each in history["rows"] if each["plan"] == plan]
        first = next(each for each in rows if each["unit"] == "versions" and each["lag"] == 1)
        later = [each for each in rows if each["unit"] != "versions"][1]
        for (at, _), row in zip(panels, (first, later), strict=True):
            parts += _bars(at, y, row)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _head(width: int, height: int) -> list[str]:
    title = "Share of plans that a last look would have blocked"
    about = (
        "For each history and plan three bars: blocked by whole record, by declared fields, by "
        "conditions. Left one version later, with 95% Wilson intervals, right some time later. "
        "The numbers are in the tables of the page."
    )
    return [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="t d" '
            'font-family="system-ui, sans-serif">'
        ),
        f'<title id="t">{title}</title>',
        f'<desc id="d">{about}</desc>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(16, 26, title, size=16),
    ]


def _legend() -> list[str]:
    parts, at = [], 16
    for _, words, colour in WAYS:
        parts.append(f'<rect x="{at}" y="42" width="12" height="12" fill="{colour}"/>')
        parts.append(_text(at + 18, 52, words, size=12))
        at += 44 + 7 * len(words)
    return parts


def _axis(at: int, bottom: int, title: str) -> list[str]:
    parts = [_text(at, 76, title, size=12)]
    for percent in (0, 25, 50, 75, 100):
        x = at + WIDE * percent // 100
        parts.append(f'<line x1="{x}" y1="{TOP - 8}" x2="{x}" y2="{bottom}" stroke="#e3e5e8"/>')
        parts.append(_text(x, bottom + 18, f"{percent}%", anchor="middle", size=11))
    return parts


def _bars(at: int, top: int, row: dict[str, Any]) -> list[str]:
    parts = []
    for number, (way, _, colour) in enumerate(WAYS):
        y = top + 2 + number * (BAR + 2)
        found = row["ways"].get(way)
        if not found or found["share"] is None:
            words = "not tried" if not found else "no plan"
            parts.append(_text(at + 4, y + BAR, words, size=9, colour="#8a8f98"))
            continue
        wide = max(1.0, found["share"] * WIDE)
        parts.append(f'<rect x="{at}" y="{y}" width="{wide:.1f}" height="{BAR}" fill="{colour}"/>')
        if "interval" in found:
            parts.append(_whisker(at, y + BAR / 2, found["interval"]))
    return parts


def _whisker(at: int, y: float, interval: list[float]) -> str:
    low, high = (at + end * WIDE for end in interval)
    ends = "".join(f"M{x:.1f} {y - 2.5}V{y + 2.5}" for x in (low, high))
    return f'<path d="M{low:.1f} {y}H{high:.1f}{ends}" stroke="#1f2328" fill="none"/>'


def _text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int, colour: str = "#1f2328"
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{colour}">{escape(words)}</text>'
    )
