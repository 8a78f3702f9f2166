"""The journal: one row a transition, each chained to the plan's row before it.

A plan counts its rows and keeps the newest digest, so that a row that was edited,
removed, put in or moved is found, and a tail that was cut off too. What no chain can
show is a journal that was rewritten as a whole, plan rows and all: that takes a head
that is kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from lastlook.core.lifecycle import LEGAL
from lastlook.errors import StoreCorrupt, StoreError, UnknownPlan
from lastlook.stores.rows import data_bytes, row_digest

if TYPE_CHECKING:
    from lastlook.core.lifecycle import JournalRow, PlanRecord
    from lastlook.core.ports import Store

_ATTEMPTS: Final = 3


class Problem(Struct, frozen=True, kw_only=True):
    """One thing that is wrong with the journal; `row` is 0 where it is the plan's own."""

    plan: str
    row: int
    what: str


class VerifyReport(Struct, frozen=True, kw_only=True):
    """What `verify` found.

    Attributes:
        rows: How many rows were read, and of how many `plans`.
        problems: All that is wrong; none means that the journal is intact.
        keyed: How many of the rows carry a keyed digest.
        head: One digest over the newest digests of all plans (64 hex digits).
    """

    rows: int
    plans: int
    problems: tuple[Problem, ...]
    keyed: int
    head: str

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def text(self) -> str:
        """Return it as one line for people."""
        if self.ok:
            return f"journal intact (head {self.head[:8]}, {self.rows:,} rows)"
        count = len(self.problems)
        return f"journal damaged ({count} problem{'s'[: count > 1]}, {self.rows:,} rows)"


class _Chain:
    """The rows of one plan so far, and what was wrong with them."""

    __slots__ = ("digest", "keyed", "last", "problems", "rows")

    def __init__(self) -> None:
        self.rows = 0
        self.keyed = 0
        self.last: JournalRow | None = None
        self.digest: str | None = ""  # None after a row whose key is not at hand
        self.problems: list[Problem] = []

    def add(self, row: JournalRow, keys: Mapping[str, bytes]) -> None:
        expected = 1 if self.last is None else self.last.row + 1
        if row.row != expected:
            self.say(row, f"row {row.row} stands where row {expected} belongs")
        elif self.digest is not None and row.prev != self.digest:
            before = "nothing before it" if self.last is None else f"row {self.last.row} as it is"
            self.say(row, f"row {row.row} was not chained to {before}: one of them was changed")
        self._arrow(row)
        self._count(row, keys)

    def _arrow(self, row: JournalRow) -> None:
        state = None if self.last is None else self.last.state
        if row.was != state:
            self.say(row, f"row {row.row} begins at {row.was}, and the row before ends at {state}")
        elif row.was is not None and row.state not in LEGAL.get(row.was, ()):
            self.say(row, f"row {row.row} goes from {row.was} to {row.state}, which is no way")

    def _count(self, row: JournalRow, keys: Mapping[str, bytes]) -> None:
        key = None if row.key_id is None else keys.get(row.key_id)
        if row.key_id is not None:
            self.keyed += 1
        if row.key_id is not None and key is None:
            self.say(row, f"row {row.row} can't be checked without the key {row.key_id}")
            self.digest = None
        else:
            self.digest = row_digest(row, data_bytes(row.data), key)
        self.rows += 1
        self.last = row

    def say(self, row: JournalRow, what: str) -> None:
        self.problems.append(Problem(plan=row.plan, row=row.row, what=what))

    def against(self, plan: PlanRecord) -> Iterator[Problem]:
        """Give what differs between the plan and the end of its chain."""
        last = self.last
        if last is None:
            yield Problem(plan=plan.id, row=0, what="it has no rows at all")
        elif plan.rows > last.row:
            gone = f"its journal ends at row {last.row}, and it has had {plan.rows}"
            yield Problem(plan=plan.id, row=last.row, what=gone)
        elif plan.rows < self.rows:
            more = f"it has had {plan.rows} rows, and its journal has {self.rows}"
            yield Problem(plan=plan.id, row=last.row, what=more)
        elif self.digest is not None and plan.head != self.digest:
            yield Problem(plan=plan.id, row=last.row, what=f"row {last.row} was changed")
        elif _ending(plan) != (last.state, last.at, last.epoch, last.step):
            differs = f"the plan stands at {plan.state}, and row {last.row} says {last.state}"
            yield Problem(plan=plan.id, row=0, what=differs)


def _ending(plan: PlanRecord) -> tuple[object, datetime, int, int]:
    return plan.state, plan.state_at, plan.epoch, plan.step


def verify(store: Store, *, keys: Mapping[str, bytes] | None = None) -> VerifyReport:
    """Check every row, every chain, and every plan against the end of its chain.

    Other processes may go on writing meanwhile: a plan that seems to differ is read
    again by itself before it counts as wrong.

    Args:
        store: Any store.
        keys: The keys that rows may name, by their id.
    """
    known = {} if keys is None else keys
    plans = {plan.id: plan for plan in store.plans()}
    damaged = {error.where: error.what for error in store.unreadable()}
    chains, unreadable = _chains(store.rows(), known)
    problems: list[Problem] = list(unreadable)
    problems += [Problem(plan=item, row=0, what=what) for item, what in damaged.items()]
    for plan_id in (plans.keys() | chains.keys()) - damaged.keys():
        plan, chain = plans.get(plan_id), chains.get(plan_id, _Chain())
        if plan is None or plan.rows != chain.rows:
            plan, chain = _again(store, plan_id, known)
        chains[plan_id] = chain
        problems += chain.problems
        if plan is None:
            problems.append(Problem(plan=plan_id, row=0, what="rows of a plan that isn't there"))
        else:
            plans[plan_id] = plan
            problems += chain.against(plan)
    return _report(plans, chains, problems)


def _report(
    plans: Mapping[str, PlanRecord], chains: Mapping[str, _Chain], problems: Iterable[Problem]
) -> VerifyReport:
    return VerifyReport(
        rows=sum(chain.rows for chain in chains.values()),
        plans=len(plans),
        problems=tuple(sorted(problems, key=lambda p: (p.plan, p.row))),
        keyed=sum(chain.keyed for chain in chains.values()),
        head=heads_digest((p.id, p.rows, p.head) for p in plans.values()),
    )


def _chains(
    rows: Iterable[JournalRow], keys: Mapping[str, bytes]
) -> tuple[dict[str, _Chain], list[Problem]]:
    chains: dict[str, _Chain] = {}
    try:
        for row in rows:
            chains.setdefault(row.plan, _Chain()).add(row, keys)
    except StoreError as error:
        return chains, [Problem(plan="", row=0, what=str(error))]
    return chains, []


def _again(
    store: Store, plan_id: str, keys: Mapping[str, bytes], attempts: int = _ATTEMPTS
) -> tuple[PlanRecord | None, _Chain]:
    try:
        plan = store.get(plan_id)
    except (UnknownPlan, StoreCorrupt):
        plan = None
    chains, _ = _chains(store.rows(plan_id), keys)
    chain = chains.get(plan_id, _Chain())
    if plan is None or plan.rows == chain.rows or attempts == 1:
        return plan, chain
    return _again(store, plan_id, keys, attempts - 1)


def heads_digest(heads: Iterable[tuple[str, int, str]]) -> str:
    """Return one digest over the heads of all plans, as 64 hex digits.

    It is the root of a Merkle tree as in RFC 6962 section 2.1, whose leaves are
    `id`, count of rows and newest digest, sorted by id: so that one plan's head can
    be shown to be in it without the others.
    """
    leaves = sorted((plan.encode(), rows, head) for plan, rows, head in heads)
    level = [
        sha256(b"\x00" + b"\n".join((plan, b"%d" % rows, head.encode()))).digest()
        for plan, rows, head in leaves
    ]
    return _root(level).hex()


def _root(level: list[bytes]) -> bytes:
    if not level:
        return sha256().digest()
    while len(level) > 1:
        # RFC 6962 splits at the largest power of two, which leaves an odd last node as it is.
        pairs = [
            sha256(b"\x01" + a + b).digest() for a, b in zip(level[::2], level[1::2], strict=False)
        ]
        level = pairs + level[len(pairs) * 2 :]
    return level[0]
