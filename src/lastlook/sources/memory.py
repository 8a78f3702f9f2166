"""Records in this process's memory: for tests, demos and small programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec

from lastlook.core.evidence import Found, NotFound, Reading
from lastlook.core.queries import CAP, Query
from lastlook.errors import DeclarationError
from lastlook.sources.answers import a, own_copy, raised
from lastlook.sources.queries import Queries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lastlook.core.evidence import Consistency
    from lastlook.core.fields import Field
    from lastlook.core.view import View

Q = ParamSpec("Q")

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
        self._queries = Queries()

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

    def query(
        self,
        *fields: str | Field,
        cap: int = CAP,
        may: Literal["", "grow", "shrink"] = "",
        name: str | None = None,
    ) -> Callable[[Callable[Concatenate[Mapping[str, Any], Q], Mapping[str, Any]]], Query[Q, View]]:
        """Make a query of a function that picks records: `(records, ...) -> {key: record}`.

        Args:
            fields: What of each member counts; none says that membership alone does.
            cap: The most members it may have; a longer answer is no answer.
            may: Whether members may be added (`grow`) or go (`shrink`) without harm.
            name: The query's name; the function's by default.

        Raises:
            DuplicateName: There is a query of that name already.
            DeclarationError: A field cannot be read, or the cap lets nothing through.
        """

        def make(
            function: Callable[Concatenate[Mapping[str, Any], Q], Mapping[str, Any]],
        ) -> Query[Q, View]:
            made: Query[Q, View] = self._queries.add(
                function, source=self, name=name, fields=fields, cap=cap, may=may, skip=1
            )
            return made

        return make

    def named(self, name: str, /) -> Query[..., Any]:
        """Return a query by its name; raises `NotRegistered`."""
        return self._queries[name]

    def ask(self, query: Query[..., Any], arguments: Mapping[str, object], /) -> Reading:
        """Ask a query over a copy of the records as they are now."""
        return self._queries.run(query, arguments, own_copy(dict(self._records)))

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
