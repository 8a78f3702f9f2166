"""Read many records under one deadline, each at most once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeAlias

from lastlook.sources.answers import ask, late
from lastlook.sources.lanes import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lastlook.core.evidence import Reading
    from lastlook.core.ports import Source
    from lastlook.sources.lanes import Lanes
    from lastlook.sources.registry import Registry

Routes: TypeAlias = "dict[str, tuple[Source, str]]"


def read_all(
    registry: Registry,
    refs: Iterable[str],
    *,
    deadline_seconds: float,
    monotonic: Callable[[], float],
) -> dict[str, Reading]:
    """Read records afresh, all of them within `deadline_seconds`.

    Sources that may block are read side by side in threads, the others one after
    another on the caller's thread. Each read also has its source's own time-out. An
    answer that comes late is no answer, whatever it says.

    Args:
        registry: The sources.
        refs: What to read, `source:key`; one that is named twice is read once.
        deadline_seconds: What all reads together may take.
        monotonic: The clock by which an answer is late; `Clock.monotonic`.

    Returns:
        One reading for each ref, in the order in which they were first named.

    Raises:
        TemplateError: A text is not a ref; nothing was read.
        NotRegistered: A ref names a source that is not here; nothing was read.
    """
    routes = {ref: registry.route(ref) for ref in refs}
    return read_routes(
        registry.lanes, routes, deadline_seconds=deadline_seconds, monotonic=monotonic
    )


def read_routes(
    lanes: Lanes,
    routes: Routes,
    *,
    deadline_seconds: float,
    monotonic: Callable[[], float],
) -> dict[str, Reading]:
    """Read as `read_all` does, for sources and keys that were looked up already.

    Args:
        lanes: Where reads that may block run, by source.
        routes: By a text that begins `source:`, the source to read and the key there.
        deadline_seconds: What all reads together may take.
        monotonic: The clock by which an answer is late.
    """
    end = monotonic() + deadline_seconds
    for source, _ in routes.values():
        if source.blocking:
            return _side_by_side(lanes, routes, end, deadline_seconds, monotonic)
    return _read_here(routes, end, deadline_seconds, monotonic)


def _side_by_side(
    all_lanes: Lanes, routes: Routes, end: float, whole: float, monotonic: Callable[[], float]
) -> dict[str, Reading]:
    """Start the reads that may block, do the others meanwhile, and wait for the first."""
    wait_until = time.monotonic() + end - monotonic()
    here = {ref: route for ref, route in routes.items() if not route[0].blocking}
    jobs = {ref: Job(*route, monotonic) for ref, route in routes.items() if ref not in here}
    lanes = {ref: all_lanes[ref.partition(":")[0]] for ref in jobs}
    try:
        for ref, job in jobs.items():
            lanes[ref].submit(job)
        readings = _read_here(here, end, whole, monotonic)
        for ref, job in jobs.items():
            readings[ref] = job.result(wait_until, end, whole)
            lanes[ref].leave(job)
    finally:
        for ref, job in jobs.items():
            lanes[ref].leave(job)
    return {ref: readings[ref] for ref in routes}


def _read_here(
    routes: Routes, end: float, whole: float, monotonic: Callable[[], float]
) -> dict[str, Reading]:
    """Read on this thread; an answer beyond its time-out or the deadline is none."""
    readings: dict[str, Reading] = {}
    now = monotonic()
    for ref, (source, key) in routes.items():
        if now >= end:
            readings[ref] = late(whole)
            continue
        began, answer = now, ask(source, key)
        now = monotonic()
        if now > end:
            answer = late(whole)
        elif now - began > source.timeout:
            answer = late(source.timeout)
        readings[ref] = answer
    return readings
