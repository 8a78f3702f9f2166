"""The overlay of `drift`: sources read once, and read again with one record changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lastlook.core.canonical import canonical_bytes
from lastlook.core.ports import Queryable, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lastlook.core.evidence import Consistency, Reading
    from lastlook.core.queries import Query


class Overlay:
    """Every reading that was made, by place, and the one that is changed just now.

    Attributes:
        readings: By place (a ref; of a query with its arguments), what was answered.
        names: By place, the ref; of a query `source:name`.
    """

    def __init__(self) -> None:
        self.readings: dict[str, Reading] = {}
        self.names: dict[str, str] = {}
        self._changed: dict[str, Reading] = {}

    def over(self, name: str, source: Source) -> Source:
        """Return a source that reads what lies beneath once, and the changes above it."""
        if isinstance(source, Queryable):
            return _OverQueries(self, name, source)
        return _Over(self, name, source)

    def change(self, place: str, reading: Reading) -> None:
        """Let one place answer this from now on, and every other as it did."""
        self._changed = {place: reading}

    def settle(self) -> None:
        """Let every place answer as it did."""
        self._changed = {}

    def reading(self, place: str, ref: str, read: Callable[[], Reading]) -> Reading:
        """Return what a place answers; what lies beneath is read the first time."""
        if place in self._changed:
            return self._changed[place]
        if place not in self.readings:
            self.readings[place] = read()
            self.names[place] = ref
        return self.readings[place]


class _Over:
    """A source with the overlay above it; its promises are those of what lies beneath."""

    def __init__(self, overlay: Overlay, name: str, source: Source) -> None:
        self.blocking: bool = source.blocking
        self.consistency: Consistency = source.consistency
        self.absence_is_proof: bool = source.absence_is_proof
        self.timeout: float = source.timeout
        self._overlay = overlay
        self._name = name
        self._source = source

    def read(self, key: str, /) -> Reading:
        """Read a record, with the change if it is the one."""
        ref = f"{self._name}:{key}"
        return self._overlay.reading(ref, ref, lambda: self._source.read(key))

    def describe(self) -> dict[str, object]:
        """Return the configuration of what lies beneath."""
        return self._source.describe()


class _OverQueries(_Over):
    """The same over a source that has queries."""

    def __init__(self, overlay: Overlay, name: str, source: Queryable) -> None:
        super().__init__(overlay, name, source)
        self._queries = source

    def named(self, name: str, /) -> Query[..., Any]:
        """Return a query of what lies beneath by its name."""
        return self._queries.named(name)

    def ask(self, query: Query[..., Any], arguments: Mapping[str, object], /) -> Reading:
        """Ask a query, with the change if it is the one."""
        ref = f"{self._name}:{query.name}"
        place = f"{ref}?{canonical_bytes(dict(arguments)).decode()}"
        return self._overlay.reading(place, ref, lambda: self._queries.ask(query, arguments))
