"""The extension points, as Protocols: what Lastlook asks of the outside world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from msgspec import Struct

from lastlook.core.evidence import Consistency

if TYPE_CHECKING:
    from lastlook.core.evidence import Reading
    from lastlook.core.lifecycle import JournalRow, Look, Move, NewPlan, PlanRecord, State
    from lastlook.core.outcome import Outcome
    from lastlook.core.prompt import Answer, LookAgain, Question
    from lastlook.core.queries import Query
    from lastlook.errors import StoreCorrupt


class Clock(Protocol):
    """Where the time comes from; passed in, so that tests own it."""

    def now(self) -> datetime:
        """Return the wall-clock time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        ...


@runtime_checkable
class Source(Protocol):
    """A place where records are read by key.

    Attributes:
        blocking: Whether a read may wait (network, disk that may hang). Such reads
            run beside each other under a deadline; others on the caller's thread.
        consistency: What the source promises of its reads.
        absence_is_proof: Whether its *not found* may count as proof of absence.
        timeout: Seconds that one read may take before it counts as no answer.
    """

    blocking: bool
    consistency: Consistency
    absence_is_proof: bool
    timeout: float

    def read(self, key: str, /) -> Reading:
        """Read one record afresh, past every cache. Never raises for what it meets."""
        ...

    def describe(self) -> dict[str, object]:
        """Return the configuration that tells this source from another, as typed JSON."""
        ...


@runtime_checkable
class Queryable(Source, Protocol):
    """A source that also answers named queries."""

    def named(self, name: str, /) -> Query[..., Any]:
        """Return a query by its name; raises `NotRegistered`."""
        ...

    def ask(self, query: Query[..., Any], arguments: Mapping[str, object], /) -> Reading:
        """Ask a query afresh. Never raises for what it meets."""
        ...


class SourceTraits(Struct, frozen=True, kw_only=True):
    """What is kept of a source beside the evidence that was read there.

    Attributes:
        config: A digest of the source's configuration.
        consistency: What it promises of its reads.
        absence_is_proof: Whether its *not found* may count as proof of absence.
    """

    config: str
    consistency: Consistency
    absence_is_proof: bool


class Reader(Protocol):
    """Who reads for a planner: every read is afresh."""

    def read(self, ref: str, /) -> Reading:
        """Read one record; raises `NotRegistered` for an unknown source."""
        ...

    def query(self, ref: str, params: object, /) -> Reading:
        """Ask `source:query` with its arguments as typed JSON, by name."""
        ...

    def query_ref(self, query: Query[..., Any], /) -> str:
        """Return `source:query`; raises `NotRegistered` for a query from elsewhere."""
        ...

    def traits(self, ref: str, /) -> SourceTraits:
        """Return the traits of a ref's source; raises `NotRegistered`."""
        ...

    def now(self) -> datetime:
        """Return the time (UTC)."""
        ...

    def salt(self) -> bytes:
        """Return 32 random bytes for one secret field."""
        ...


class Store(Protocol):
    """Where plans, confirmations and the journal are kept.

    Every change is one transaction that holds exactly one journal row.

    Attributes:
        where: The place, for people: a path, a URL, or `memory`.
        why: Why it is that place.
        durable: Whether a committed change survives the process.
    """

    where: str
    why: str
    durable: bool

    def add(self, new: NewPlan, /) -> PlanRecord | None:
        """Insert a plan and its first journal row.

        Returns None, with nothing written, where its id, the live fresh plan of the
        plan it follows, or its requester's key is taken already.
        """
        ...

    def get(self, plan_id: str, /) -> PlanRecord:
        """Return a plan as it stands; raises `UnknownPlan`."""
        ...

    def move(self, move: Move, /) -> PlanRecord | None:
        """Compare and set: apply `move` if the plan stands as it expects.

        Returns the plan as it stands after, or None with nothing written.
        """
        ...

    def newest(self, lineage: str, /) -> PlanRecord:
        """Return the newest plan of a lineage; raises `UnknownPlan`."""
        ...

    def by_key(self, requested_by: str, key: str, /) -> PlanRecord | None:
        """Return the first plan that this requester proposed under this key."""
        ...

    def plans(self, states: Iterable[State] = (), /) -> Sequence[PlanRecord]:
        """Return plans in these states, or all, oldest first; those that can be read."""
        ...

    def unreadable(self) -> Sequence[StoreCorrupt]:
        """Return one error for each plan that is damaged, `where` its id."""
        ...

    def rows(self, plan_id: str = "", /) -> Iterator[JournalRow]:
        """Return the journal of one plan, or of all in the order of writing."""
        ...

    def looks(self, plan_id: str, /) -> Sequence[Look]:
        """Return what was read for this plan, oldest first."""
        ...

    def close(self) -> None:
        """Give back what the store holds open."""
        ...


class Asker(Protocol):
    """Who puts a question to a person, and shows what came of it.

    Attributes:
        channel: How an answer reaches the program, for the journal: `tty`.
    """

    channel: str

    def ask(self, question: Question | LookAgain, /) -> Answer:
        """Show the question in full and wait for the answer; never guess one."""
        ...

    def tell(self, outcome: Outcome, /) -> None:
        """Show an outcome."""
        ...
