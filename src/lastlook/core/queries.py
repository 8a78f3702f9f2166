"""Queries: several records at once, named and parametrised at their source.

A plan carries a query's name and its arguments, never its text. Its answer is a set of
members, each a record under a key of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, Literal, ParamSpec, TypeVar

from lastlook.core.evidence import Found, NoAnswer, Reading
from lastlook.core.fields import Field, FieldsLike, as_fields
from lastlook.core.view import View
from lastlook.errors import DeclarationError

Q = ParamSpec("Q")
T = TypeVar("T", covariant=True)

CAP: Final = 1000
"""How many members a query may have where it does not say."""


class Query(Generic[Q, T]):
    """A query of one source.

    Attributes:
        name: Unique at its source; `source:name` is its ref.
        source: The source that it belongs to.
        function: Takes the arguments, returns the records by key.
        skip: How many leading parameters of `function` are the source's own.
        fields: The fields of each member; none says that membership alone counts.
        cap: The most members it may have; a longer answer is no answer.
        may: Whether members may be added (`grow`) or go (`shrink`) without harm.
    """

    def __init__(
        self,
        function: Callable[..., Mapping[str, Any]],
        *,
        source: object,
        name: str,
        fields: FieldsLike,
        cap: int,
        may: Literal["", "grow", "shrink"],
        skip: int,
    ) -> None:
        if cap < 1:
            raise DeclarationError(f"query {name}: a cap of {cap} lets no member through")
        self.name = name
        self.source = source
        self.function = function
        self.skip = skip
        self.fields: tuple[Field, ...] = as_fields(fields) if fields else ()
        self.cap = cap
        self.may = may

    def read(self, arguments: Mapping[str, Any], *own: Any) -> Reading:
        """Run the query, and return its members by key as one reading."""
        answer: object = self.function(*own, **arguments)
        if not isinstance(answer, Mapping) or not all(isinstance(key, str) for key in answer):
            return NoAnswer(f"query {self.name} did not return records by key")
        if len(answer) > self.cap:
            return NoAnswer(f"query {self.name} has more than {self.cap} members")
        return Found(dict(answer))


class QueryMember(Generic[T]):
    """One member of a query's answer: its key and its declared fields.

    Attributes:
        key: The member's key.
    """

    __slots__ = ("_view", "key")

    def __init__(self, key: str, view: View) -> None:
        self.key = key
        self._view = view

    def __getitem__(self, name: str) -> Any:
        return self._view[name]

    def __contains__(self, name: object) -> bool:
        return name in self._view

    def __repr__(self) -> str:
        return f"<member {self.key}>"
