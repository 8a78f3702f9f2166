"""Records in this process's memory: for tests, demos and small programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lastlook.core.evidence import Found, NotFound, Reading
from lastlook.errors import DeclarationError
from lastlook.sources.answers import a, own_copy, raised

if TYPE_CHECKING:
    from lastlook.core.evidence import Consistency

_TRIES = 3


class MemorySource:
    """A source over a dict of records by key.

    The dict is the world: a read sees what it holds at that moment, and what you
    change in it is changed. What a read gives is a copy. Reads and writes may come
    from several threads; `set` swaps a record as a whole, so that no read sees half
    of it.

    Args:
        records: Records by key; used as it is, not copied.

    Raises:
        DeclarationError: `records` is not a dict.
    """

    blocking: bool = False
    consistency: Consistency = "linearizable"
    absence_is_proof: bool = True
    timeout: float = 2.0

    def __init__(self, records: dict[str, Any] | None = None) -> None:
        if records is not None and not isinstance(records, dict):
            raise DeclarationError(f"MemorySource takes a dict of records by key, not {a(records)}")
        self._records: dict[str, Any] = {} if records is None else records

    def set(self, key: str, record: object) -> None:
        """Put a copy of `record` under `key`, in place of what is there."""
        self._records[key] = own_copy(record)

    def delete(self, key: str) -> None:
        """Take the record away; one that is not there is already away."""
        self._records.pop(key, None)

    def read(self, key: str, /) -> Reading:
        """Return a copy of the record as it is now, or `NotFound`."""
        try:
            record = self._records[key]
        except KeyError:
            return NotFound()
        try:
            return Found(own_copy(record))
        except Exception as error:  # noqa: BLE001  # it may have changed meanwhile
            return self._again(key, error)

    def describe(self) -> dict[str, object]:
        """Return the kind alone: what is in memory is content, not configuration."""
        return {"kind": "memory"}

    def _again(self, key: str, error: Exception) -> Reading:
        """Copy once more: another thread may have changed the record meanwhile."""
        for _ in range(_TRIES):
            if key not in self._records:
                return NotFound()
            try:
                return Found(own_copy(self._records[key]))
            except Exception as again:  # noqa: BLE001  # what cannot be copied is no value
                error = again
        return raised(error)
