"""`Lastlook`: sources, store and clock put together; a thin shell over the verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from lastlook.clock import SystemClock, new_id, new_salt
from lastlook.core.check import CheckResult
from lastlook.core.evidence import Evidence
from lastlook.core.facts import Facts
from lastlook.core.fields import Field
from lastlook.core.lifecycle import JournalRow, State
from lastlook.core.outcome import Blocked, ConfirmOutcome, DispatchOutcome
from lastlook.core.plan import ActionPlan, PlannedStep
from lastlook.core.ports import Asker, Clock, Reader, Store
from lastlook.core.view import View
from lastlook.dispatch import confirming, proposing, running
from lastlook.dispatch.world import World
from lastlook.errors import BadArguments, SealMismatch
from lastlook.planning.declaring import Declaring
from lastlook.planning.drafts import Draft
from lastlook.planning.options import Options, check_key, policies_of
from lastlook.planning.planner import Planner
from lastlook.planning.reads import Reads, read_fields
from lastlook.planning.tools import AnyTool
from lastlook.sources.registry import Registry, SourceLike

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from os import PathLike

    from lastlook.aio import AsyncLastlook
    from lastlook.core.asked import Questions
    from lastlook.core.evidence import Wire

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Facts)
B = TypeVar("B", bound=Blocked)


class Lastlook(Declaring):
    """Plans that are looked at once more before they run.

    Args:
        sources: Where records are read, by name: a source, a dict of records, or a
            function of the key.
        store: Where plans are kept: a path, `"memory"`, a `Store`; by default
            `LASTLOOK_STORE`, `.lastlook/` beside the nearest lastlook.toml, or the
            user's state folder. Opened at the first proposal.
        clock: Where the time comes from.
        confirms: Policies that confirm plans by themselves: by the policy's name, the
            tools that such a plan may consist of.
        asker: Who puts questions to a person; the terminal by default.

    Raises:
        DeclarationError: A source's name or kind cannot be used, or a policy has no list
            of tools.
    """

    def __init__(
        self,
        *,
        sources: Mapping[str, SourceLike],
        store: str | PathLike[str] | Store | None = None,
        clock: Clock | None = None,
        confirms: Mapping[str, Sequence[AnyTool | str]] | None = None,
        asker: Asker | None = None,
    ) -> None:
        self.world = World(
            sources=Registry(sources),
            open_store=lambda: _open_store(store),
            clock=clock or SystemClock(),
            new_id=new_id,
            new_salt=new_salt,
            policies=policies_of(confirms),
            asker=lambda: asker or _terminal(),
        )

    @overload
    def read(self, ref: str, shape: type[F], /) -> Evidence[F]: ...

    @overload
    def read(self, ref: str, /, *fields: str | Field) -> Evidence[View]: ...

    def read(self, ref: str, /, *fields: Any) -> Evidence[Any]:
        """Read a record now, as evidence for `propose`. Raises as `Planning.read`."""
        return read_fields(Reads(self.world), ref, fields)

    def propose(
        self,
        intent: str,
        steps: Sequence[PlannedStep[Any]],
        /,
        *,
        evidence: Sequence[Evidence[Any]],
        key: str | None = None,
        requested_by: str = "",
        no_evidence: str | None = None,
    ) -> ActionPlan:
        """Store a plan whose steps were given by hand, from `tool.step(...)`.

        Where an argument was taken from a value that changes, there is no fresh plan
        after a block; a planner works such arguments out again.

        Args:
            evidence: From `look.read`, read before the arguments were chosen.
            key: The requester's own name for this proposal.
            requested_by: Who asks; without a prefix it is an `agent:`.
            no_evidence: Why the plan rests on nothing, said out loud.

        Raises:
            NoEvidence: There is no evidence, and no reason for that.
            StoreError: The plan could not be stored.
        """
        check_key(key)
        return proposing.propose_by_hand(
            self.world,
            intent,
            steps,
            evidence=evidence,
            key=key,
            requested_by=requested_by,
            no_evidence=no_evidence,
        )

    @overload
    def confirm(self, plan: ActionPlan, /, *, by: str) -> ConfirmOutcome: ...

    @overload
    def confirm(self, plan: str, /, *, seal: str, by: str) -> ConfirmOutcome: ...

    def confirm(self, plan: ActionPlan | str, /, *, by: str, seal: str = "") -> ConfirmOutcome:
        """Take a person's yes to one plan. Reads first; nothing runs yet.

        Args:
            plan: The plan that was shown, or its id together with its `seal`.
            by: Who said yes; without a prefix it is a `person:`. In one process this
                is a label, not a proof.

        Raises:
            SealMismatch: The yes is for other bytes than the stored plan's.
            NotAllowed: `by` may not approve this plan.
            UnknownPlan: There is no such plan.
        """
        name, named_seal = _id(plan), seal
        if isinstance(plan, ActionPlan) and not seal:
            named_seal = plan.seal
        if not named_seal:
            raise SealMismatch(
                f"a yes to {name} must name the plan's seal",
                fix="Pass the plan itself, or seal=plan.seal as it was shown.",
            )
        outcome = confirming.confirm(self.world, name, seal=named_seal, by=by)
        return _with_fresh(self.world, outcome) if isinstance(outcome, Blocked) else outcome

    def reject(self, plan: ActionPlan | str, /, *, by: str, why: str = "") -> None:
        """Take a person's no: the plan will never run. Raises `WrongState` when too late."""
        confirming.reject(self.world, _id(plan), by=by, why=why)

    def cancel(self, plan: ActionPlan | str, /, *, by: str = "agent:program") -> None:
        """Withdraw a plan that has not begun. Raises `WrongState` when too late."""
        confirming.cancel(self.world, _id(plan), by=by)

    def dispatch(self, plan: ActionPlan | str, /) -> DispatchOutcome:
        """Look again, and run the plan or block it. A yes pays for at most one dispatch.

        Raises:
            NotRegistered: This program lacks a tool or source of the plan.
            UnknownPlan: There is no such plan.
        """
        outcome = running.dispatch(self.world, _id(plan))
        return _with_fresh(self.world, outcome) if isinstance(outcome, Blocked) else outcome

    def check(self, plan: ActionPlan | str, /) -> tuple[CheckResult, ...]:
        """Look at a plan's evidence now. A preview: it counts for nothing."""
        record = self.world.store.get(_id(plan))
        stored = proposing.readable(self.world, record)
        self.world.require_sources(stored)
        return self.world.look(stored.evidence, record.salts)

    def recheck(self, evidence: Iterable[Evidence[Any]], /) -> tuple[CheckResult, ...]:
        """Read again what evidence names, and compare: without a plan, and without a store.

        Args:
            evidence: From `read`, or from a file by `lastlook.evidence.load`.

        Returns:
            Valid, Stale or Unresolvable for each, in order.

        Raises:
            NotRegistered: A source is missing here, or configured in another way than
                where the evidence was read.
            BadFormat: The evidence is damaged.
        """
        items = tuple(evidence)
        for item in items:
            self.world.require_source(item)
        salts = {k: v for item in items for k, v in item.__dict__.get("salts", {}).items()}
        return self.world.look(items, salts)

    def renew(self, plan: ActionPlan | str, /) -> ActionPlan:
        """Return the fresh plan of a blocked one. Raises `NoFreshPlan` with the reason."""
        from lastlook.dispatch.renewing import renew

        return renew(self.world, _id(plan))

    def ask(self, plan: ActionPlan, /) -> DispatchOutcome:
        """Ask about a plan in the terminal, dispatch it, and ask afresh after a block."""
        from lastlook.dispatch.asking import ask

        if not isinstance(plan, ActionPlan):
            raise BadArguments(
                f"only a plan can be asked about, not a {type(plan).__name__}",
                fix="Pass what propose() returned, or look.get(id)[0].",
            )
        return ask(self.world, plan)

    def get(self, plan_id: str, /) -> tuple[ActionPlan, State]:
        """Return a stored plan and where it stands.

        Raises:
            UnknownPlan: There is no such plan.
            SealMismatch: The stored bytes are not those that were sealed.
        """
        record = self.world.store.get(_id(plan_id))
        return proposing.readable(self.world, record), record.state

    def pending(self) -> tuple[ActionPlan, ...]:
        """Return the plans that wait for a person, oldest first."""
        records = self.world.store.plans((State.PENDING, State.PARKED))
        return tuple(plan for item in records if (plan := self.world.plan_of(item)))

    def journal(self, plan: ActionPlan | str = "", /) -> Iterator[JournalRow]:
        """Return the journal rows of one plan, or of all in the order of writing."""
        return self.world.store.rows(_id(plan))

    def questions(self) -> Questions:
        """Return which fields blocked, and which of those questions need not have been asked.

        It is worked out from the journal and the stored plans; `.text()` is a table.
        """
        from lastlook.dispatch.questioning import questions

        return questions(self.world.store)

    def override(
        self,
        *,
        sources: Mapping[str, SourceLike] | None = None,
        clock: Clock | None = None,
        store: str | PathLike[str] | Store | None = None,
        asker: Asker | None = None,
    ) -> AbstractContextManager[None]:
        """Use other sources, another clock, store or asker within a `with`; for tests.

        What is left out stays as it is, and everything is given back at the end, after an
        exception too. Overrides can be nested. The whole object is affected, so every
        thread that uses it sees what is given.

        Plans that are made within rest on what was read at the given sources. Where such
        a source is configured in another way than its namesake, they can't be confirmed
        or dispatched outside. A query goes to the query of its name at the given source.

        Args:
            sources: By the names of sources that are there, what stands in for each.
            clock: Where the time comes from.
            store: A path, `"memory"` or a store. One that is opened here is closed at the
                end, with what it holds.
            asker: Who puts questions to a person.

        Raises:
            NotRegistered: There is no source of one of the names.
            DeclarationError: Something given can't be a source.
        """
        from lastlook.dispatch.overriding import overridden

        return overridden(self.world, sources=sources, clock=clock, store=store, asker=asker)

    @property
    def aio(self) -> AsyncLastlook:
        """The same object for async programs: `await look.aio.dispatch(plan)`."""
        from lastlook.aio import AsyncLastlook

        return AsyncLastlook(self)

    @property
    def reader(self) -> Reader:
        """Where records come from, for planners."""
        return self.world

    @property
    def tools(self) -> Mapping[str, AnyTool]:
        """The registered tools by name."""
        return self.world.tools

    def add_tool(self, tool: AnyTool, /) -> None:
        """Register a tool; raises `DuplicateName`."""
        self.world.add_tool(tool)

    def add_planner(self, planner: Planner[Any], /) -> None:
        """Register a planner; raises `DuplicateName`."""
        self.world.add_planner(planner)

    def propose_planned(
        self, planner: Planner[Any], arguments: dict[str, Wire], options: Options
    ) -> ActionPlan:
        """Run a planner and store its plan; what `planner.propose` calls."""
        if self.world.planners.get(planner.name) is None:
            raise BadArguments(f"planner {planner.name} belongs to another Lastlook")
        return proposing.propose_planned(self.world, planner, arguments, options)

    def propose_draft(self, draft: Draft, /, *, requested_by: str = "") -> ActionPlan:
        """Store a draft; what guarded calls and the command line call."""
        return proposing.store(self.world, draft, requested_by=requested_by or "agent:program")

    def close(self) -> None:
        """Give back what the store holds open."""
        if "store" in self.world.__dict__:
            self.world.store.close()


def _id(plan: ActionPlan | str) -> str:
    if isinstance(plan, ActionPlan):
        return plan.id
    if isinstance(plan, str):
        return plan
    raise BadArguments(
        f"{type(plan).__name__} is neither a plan nor a plan's id",
        fix="Pass what propose() returned, or its .id.",
    )


def _with_fresh(world: World, blocked: B) -> B:
    from lastlook.dispatch.renewing import with_fresh

    return with_fresh(world, blocked)


def _open_store(spec: str | PathLike[str] | Store | None) -> Store:
    from lastlook.stores import open_store

    return open_store(spec)


def _terminal() -> Asker:
    from lastlook.terminal import TerminalAsker

    return TerminalAsker()
