"""Where plans, confirmations and the journal are kept: SQLite, or memory."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from lastlook.errors import StoreError
from lastlook.stores.location import MEMORY, Location, locate

if TYPE_CHECKING:
    from lastlook.core.ports import Store

__all__ = ["Location", "locate", "open_store"]

log = logging.getLogger("lastlook")


def open_store(spec: str | os.PathLike[str] | Store | None = None) -> Store:
    """Return the store that `spec` names; a file is opened only when it is first used.

    Args:
        spec: A path, `memory`, a store (which is returned as it is), or None to look
            for the place as `locate` does.

    Raises:
        StoreError: What was said is no path, not `memory` and no store.
    """
    if spec is not None and not isinstance(spec, str | os.PathLike):
        if not all(hasattr(spec, name) for name in ("add", "get", "move", "rows")):
            raise StoreError(
                f"a {type(spec).__name__} is no store",
                fix='Give a path, "memory", or an object with the methods of a store.',
            )
        return spec
    place = locate(spec)
    if place.path == MEMORY:
        from lastlook.stores.memory import MemoryStore

        log.info("plans are kept in memory (%s)", place.why)
        return MemoryStore(place.why)
    from lastlook.stores.sqlite import SqliteStore

    return SqliteStore(place.path, why=place.why, hidden=place.hidden)
