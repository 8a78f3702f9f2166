"""Drift: does a planner declare what its plans depend on? Tried out, one change at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec

from lastlook.app import Lastlook
from lastlook.core.canonical import encode
from lastlook.core.check import Stale
from lastlook.core.deciding import verdict
from lastlook.core.evidence import Evidence, Found
from lastlook.dispatch.world import World, place_of
from lastlook.errors import DeclarationError
from lastlook.planning.planner import Planner
from lastlook.planning.planning import Planning
from lastlook.testing.advising import Seen, missing, needless
from lastlook.testing.doubles import ScriptedAsker
from lastlook.testing.overlay import Overlay
from lastlook.testing.reporting import DriftReport
from lastlook.testing.variants import Variant, members, variants

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire
    from lastlook.planning.drafts import Draft

P = ParamSpec("P")

LIMIT: Final = 1000
"""Changes that one `drift` tries; the report says how many were left out."""


def drift(planner: Planner[P], /, *args: P.args, **kwargs: P.kwargs) -> DriftReport:
    """Change all that a planner reads, one thing at a time, and see what comes of it.

    The planner runs over the records as they are, and again over each change of each
    record that it read through its `Lastlook`: other texts and numbers, bools flipped,
    null, removed, list items more, fewer and in another order. Each time the evidence of
    the first run is checked against the changed record. Nothing is stored, dispatched or
    asked, and no record is really changed. What a planner reads in another way, past its
    `Lastlook`, is not seen.

    Args:
        planner: The planner; it runs up to a thousand times.
        args, kwargs: What it is called with.

    Returns:
        The fields to declare (`missing`) and those to think about (`needless`).

    Raises:
        DeclarationError: It is no planner, or comes to another plan each time.
        Whatever `planner.propose` raises for these arguments and records.
    """
    given: object = planner
    look = given.host if isinstance(given, Planner) else None
    if not isinstance(look, Lastlook):
        raise DeclarationError(
            f"drift takes a planner of a Lastlook, not a {type(planner).__name__}",
            fix="Pass what @look.planner(...) returned, and then what it is called with.",
        )
    arguments = planner.shape.seal(args, kwargs)
    world = look.world
    overlay = Overlay()
    sources: Any = {name: overlay.over(name, world.sources[name]) for name in world.sources}
    with look.override(sources=sources, store="memory", asker=ScriptedAsker()):
        return _Drift(world, planner, arguments, overlay).report()


class _Change(NamedTuple):
    """One variant of what one place answered."""

    place: str
    found: Found
    variant: Variant


class _Drift:
    """One run of `drift`: the plan from the records as they are, to compare with."""

    def __init__(
        self, world: World, planner: Planner[Any], arguments: dict[str, Wire], overlay: Overlay
    ) -> None:
        self._world = world
        self._planner = planner
        self._arguments = arguments
        self._overlay = overlay
        self._base = self._draft(())
        self._read = dict(overlay.readings)
        self._evidence = {place_of(item): item for item in self._base.evidence}

    def report(self) -> DriftReport:
        """Try every change, and report."""
        changes = self._changes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the first run has said what there is to say
            self._refuse_unsteady()
            tried = [self._try(each) for each in islice(changes, LIMIT)]
        return DriftReport(
            planner=self._planner.name,
            records=tuple(self._overlay.names[place] for place in self._read),
            tried=len(tried),
            left_out=sum(1 for _ in changes),
            missing=missing(tried, self._evidence),
            needless=needless(tried, self._evidence),
        )

    def _changes(self) -> Iterator[_Change]:
        for place, reading in self._read.items():
            if isinstance(reading, Found):
                is_query = place != self._overlay.names[place]
                of = members if is_query else variants
                yield from (_Change(place, reading, each) for each in of(reading.record))

    def _draft(self, previous: tuple[Evidence[Any], ...]) -> Draft:
        planning = Planning(self._world, self._world.tools, previous)
        return self._planner.draft(self._arguments, planning)

    def _refuse_unsteady(self) -> None:
        altered = self._altered()
        if altered:
            raise DeclarationError(
                f"planner {self._planner.name} comes to another plan from the same records: "
                f"{', '.join(altered)}",
                fix="Give it as an argument what depends on time, chance or the world outside.",
            )

    def _try(self, change: _Change) -> Seen:
        record = change.variant.of(change.found.record)
        self._overlay.change(change.place, Found(record, change.found.version))
        altered = self._altered()
        checks = self._world.look(self._base.evidence, self._base.salts)
        self._overlay.settle()
        stale = [(item.ref, each) for item in checks if isinstance(item, Stale)
                 for each in item.changed]  # fmt: skip
        return Seen(
            place=change.place,
            ref=self._overlay.names[change.place],
            path=change.variant.path,
            word=change.variant.word,
            altered=altered,
            blocked=verdict(checks) != "valid",
            stale=tuple(stale),
        )

    def _altered(self) -> tuple[str, ...]:
        """Run the planner, and say in which parts the plan is another one."""
        try:
            draft = self._draft(self._base.evidence)
        except Exception as error:  # noqa: BLE001  # a planner may raise anything
            return (f"raises {type(error).__name__}",)
        return tuple(dict.fromkeys(_different(self._base, draft)))


def _different(base: Draft, draft: Draft) -> Iterator[str]:
    if draft.intent != base.intent:
        yield "intent"
    yield from _different_steps(base, draft)
    was, now = ({place_of(item): item.fields for item in each.evidence} for each in (base, draft))
    if was.keys() != now.keys():
        yield "refs"
    if any(was[place] != now[place] for place in was.keys() & now.keys()):
        yield "conditions"


def _different_steps(base: Draft, draft: Draft) -> Iterator[str]:
    if [step.tool for step in draft.steps] != [step.tool for step in base.steps]:
        yield "steps"
        return
    for was, now in zip(base.steps, draft.steps, strict=True):
        for name, wire in was.arguments.items():
            if encode(wire) != encode(now.arguments[name]):
                yield f"{was.tool}: {name}"
        if (was.evidence, was.writes) != (now.evidence, now.writes):
            yield "steps"
