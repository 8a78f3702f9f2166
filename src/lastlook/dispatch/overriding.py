"""Overriding: for a while, another clock, store or asker, and other sources by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lastlook.stores import open_store

if TYPE_CHECKING:
    from os import PathLike

    from lastlook.core.ports import Asker, Clock, Store
    from lastlook.dispatch.world import World
    from lastlook.sources.registry import SourceLike


@contextmanager
def overridden(
    world: World,
    *,
    sources: Mapping[str, SourceLike] | None = None,
    clock: Clock | None = None,
    store: str | PathLike[str] | Store | None = None,
    asker: Asker | None = None,
) -> Iterator[None]:
    """Let a world use what is given, and give it back what it had, whatever happens inside.

    A store that is opened here, from a path or `"memory"`, is closed at the end; one that
    was handed over stays open.

    Raises:
        NotRegistered: There is no source of one of the names.
        DeclarationError: Something given cannot be a source.
        StoreError: What was said is neither a path nor `memory`.
    """
    ports: dict[str, Any] = {"clock": clock, "asker": asker}
    if sources is not None:
        ports["sources"] = world.sources.with_others(sources)
    opened = None if store is None else open_store(store)
    ports["store"] = opened
    given = {name: port for name, port in ports.items() if port is not None}
    own = vars(world)  # a store or an asker that is not made yet is not in there
    before = {name: own[name] for name in given if name in own}
    own.update(given)
    try:
        yield
    finally:
        for name in given:
            own.pop(name, None)
        own.update(before)
        if opened is not None and opened is not store:
            opened.close()
