"""Queries at a source: declared with a function, read like a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from lastlook.core.canonical import from_wire
from lastlook.core.ports import Queryable
from lastlook.core.queries import Query
from lastlook.errors import DuplicateName, NotRegistered
from lastlook.sources.answers import own_copy, raised, settled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lastlook.core.evidence import Consistency, Reading, Wire
    from lastlook.core.fields import FieldsLike
    from lastlook.core.ports import Source


class Queries:
    """The queries of one source, by name."""

    def __init__(self) -> None:
        self._queries: dict[str, Query[..., Any]] = {}

    def __getitem__(self, name: str) -> Query[..., Any]:
        """Return a query.

        Raises:
            NotRegistered: There is none of that name.
        """
        query = self._queries.get(name)
        if query is None:
            known = ", ".join(self._queries) or "none"
            raise NotRegistered(f"there is no query named {name!r}", fix=f"There are {known}.")
        return query

    def add(
        self,
        function: Callable[..., Mapping[str, Any]],
        *,
        source: object,
        name: str | None,
        fields: FieldsLike,
        cap: int,
        may: Literal["", "grow", "shrink"],
        skip: int = 0,
    ) -> Any:
        """Declare a query.

        Raises:
            DuplicateName: There is one of that name.
            DeclarationError: The cap lets nothing through, or a field cannot be read.
        """
        query: Query[..., Any] = Query(
            function,
            source=source,
            name=name or function.__name__,
            fields=fields,
            cap=cap,
            may=may,
            skip=skip,
        )
        if query.name in self._queries:
            raise DuplicateName(f"there is already a query named {query.name!r}")
        self._queries[query.name] = query
        return query

    @staticmethod
    def run(query: Query[..., Any], arguments: Mapping[str, object], *own: object) -> Reading:
        """Ask a query afresh, and let nothing but a reading come out of it."""
        try:
            return settled(own_copy(query.read(arguments, *own)))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001  # whatever is raised is no value
            return raised(error)


class QueryRead:
    """One query with its arguments, in the shape of a source: so it is read beside others.

    Args:
        source: The source that the query belongs to.
        name: The query's name there.
        params: Its arguments by name, as typed JSON.

    Raises:
        NotRegistered: The source has no such query.

    Attributes:
        query: The query itself.
    """

    def __init__(self, source: Source, name: str, params: Wire) -> None:
        self.blocking: bool = source.blocking
        self.consistency: Consistency = source.consistency
        self.absence_is_proof: bool = source.absence_is_proof
        self.timeout: float = source.timeout
        if not isinstance(source, Queryable):
            raise NotRegistered(
                f"a {type(source).__name__} has no queries",
                fix="Declare them at a MemorySource or a PythonSource.",
            )
        self._source = source
        self.query = source.named(name)
        self._arguments = {key: from_wire(wire) for key, wire in (params or {}).items()}

    def read(self, _key: str, /) -> Reading:
        """Ask the query."""
        return self._source.ask(self.query, self._arguments)

    def describe(self) -> dict[str, object]:
        """Return what the source says of itself."""
        return self._source.describe()
