"""A function of the key as a source: for everything that Python can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec

from lastlook.core.evidence import Found, NoAnswer, Reading
from lastlook.core.queries import CAP, Query
from lastlook.errors import DeclarationError
from lastlook.sources.answers import READINGS, a, dropped, own_copy, raised, settled
from lastlook.sources.queries import Queries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lastlook.core.evidence import Consistency
    from lastlook.core.fields import Field
    from lastlook.core.view import View

Q = ParamSpec("Q")

# inspect has names for these flags of a code object, and takes long to load.
_GENERATOR: Final = 0x20
_COROUTINE: Final = 0x80
_ASYNC_GENERATOR: Final = 0x200


class PythonSource:
    """A source that calls a function with the key, each time afresh.

    The function returns the record, or a reading of its own (`Found` with a version,
    `NotFound`, `NoAccess`, `NoAnswer`). Return `NotFound()` where there is no record:
    None is taken for a mistake, and so is an exception, a generator, a coroutine, a
    set or a function; all of them are `NoAnswer`. What is returned is copied. The
    function must not cache: a look that sees an old value is no look.

    Args:
        call: Takes the key, returns the record.
        timeout: Seconds that one call may take before it counts as no answer.
        consistency: What the function promises of its reads.
        absence_is_proof: Whether its `NotFound` proves that there is no record.
        blocking: Whether a call may wait. True runs it in a thread of its own under
            the deadline; say False only for a function that returns at once.
        config: What tells this source from another that is read by the same
            function: a base URL, a database name. Becomes part of what a plan names.

    Raises:
        DeclarationError: `call` cannot be called, or is async or a generator.
    """

    def __init__(
        self,
        call: Callable[[str], object],
        *,
        timeout: float = 2.0,
        consistency: Consistency = "linearizable",
        absence_is_proof: bool = False,
        blocking: bool = True,
        config: Mapping[str, object] | None = None,
    ) -> None:
        _must_be_plain(call)
        self.blocking = blocking
        self.consistency: Consistency = consistency
        self.absence_is_proof = absence_is_proof
        self.timeout = timeout
        self._call = call
        self._config = dict(config or {})
        self._queries = Queries()

    def read(self, key: str, /) -> Reading:
        """Call the function, and return what it gave as a reading."""
        try:
            return _reading_of(self._call(key))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001  # whatever is raised is no value
            return raised(error)

    def query(
        self,
        *fields: str | Field,
        cap: int = CAP,
        may: Literal["", "grow", "shrink"] = "",
        name: str | None = None,
    ) -> Callable[[Callable[Q, Mapping[str, Any]]], Query[Q, View]]:
        """Make a query of a function that returns records by key, each time afresh.

        The arguments are those of `MemorySource.query`; the function takes none of ours.
        """

        def make(function: Callable[Q, Mapping[str, Any]]) -> Query[Q, View]:
            made: Query[Q, View] = self._queries.add(
                function, source=self, name=name, fields=fields, cap=cap, may=may
            )
            return made

        return make

    def named(self, name: str, /) -> Query[..., Any]:
        """Return a query by its name; raises `NotRegistered`."""
        return self._queries[name]

    def ask(self, query: Query[..., Any], arguments: Mapping[str, object], /) -> Reading:
        """Call the query's function, and return what it gave as a reading."""
        return self._queries.run(query, arguments)

    def describe(self) -> dict[str, object]:
        """Return the function's name, without its module, and what was configured.

        A script's module is called `__main__` in the process that runs it and by its
        own name in every other, so it cannot tell whether two are the same.
        """
        return {
            "kind": "python",
            "call": getattr(self._call, "__qualname__", type(self._call).__qualname__),
            "consistency": self.consistency,
            "absence_is_proof": self.absence_is_proof,
            "config": own_copy(self._config),
        }


def _must_be_plain(call: object) -> None:
    """Refuse at declaration what could never answer."""
    if not callable(call):
        raise DeclarationError(
            f"PythonSource takes a function of the key, not {a(call)}",
            fix="For records in a dict, use MemorySource.",
        )
    code: Any = getattr(call, "__code__", None)
    flags = getattr(code, "co_flags", 0)
    if flags & (_GENERATOR | _COROUTINE | _ASYNC_GENERATOR):
        kind = "a generator" if flags & _GENERATOR else "async"
        raise DeclarationError(
            f"PythonSource calls a plain function, and this one is {kind}",
            where=getattr(call, "__qualname__", ""),
            fix="Give it a function that returns the record.",
        )


def _reading_of(answer: object) -> Reading:
    """Turn what the function returned into a reading that owns its record."""
    if isinstance(answer, Found):
        return settled(Found(own_copy(answer.record), answer.version))
    if isinstance(answer, READINGS):
        return settled(answer)
    if answer is None:
        return NoAnswer("it returned None; return NotFound() where there is no record")
    if _is_no_record(answer):
        dropped(answer)
        return NoAnswer(f"it returned {a(answer)}, which is no record")
    return Found(own_copy(answer))


def _is_no_record(answer: object) -> bool:
    if isinstance(answer, (set, frozenset)) or callable(answer):
        return True
    return any(hasattr(answer, name) for name in ("__next__", "__await__", "__anext__"))
