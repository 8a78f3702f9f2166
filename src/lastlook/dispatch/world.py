"""The world of one `Lastlook`: its ports, gathered, and what all verbs need of them."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from lastlook.core.canonical import encode
from lastlook.core.check import CheckResult, check_reading
from lastlook.core.evidence import Evidence, Reading
from lastlook.core.lifecycle import Move, PlanRecord, State
from lastlook.core.plan import ActionPlan, ToolDefinition, open_plan, seal_of
from lastlook.core.ports import Asker, Clock, Source, SourceTraits, Store
from lastlook.core.queries import Query
from lastlook.core.refs import parse_ref
from lastlook.core.tool_change import changed_tool
from lastlook.core.visible import visible
from lastlook.errors import BadFormat, DuplicateName, NotRegistered
from lastlook.planning.planner import Planner
from lastlook.planning.tools import AnyTool
from lastlook.sources.queries import QueryRead
from lastlook.sources.reading import read_routes
from lastlook.sources.registry import Registry

log = logging.getLogger("lastlook")

_LEVELS = {
    state: logging.WARNING
    for state in State
    if state.startswith("blocked") or state in {State.UNKNOWN, State.PARTIAL, State.FAILED}
}

_REMEMBERED: Final = 128

READ_SECONDS: Final = 10.0
"""How long all reads of one look may take together."""


class World:
    """What the verbs work with. Nothing in here decides anything.

    Args:
        sources: The registered sources.
        open_store: Opens the store at first use.
        clock: Where the time comes from.
        new_id: Makes a lineage's id of a length; called again where one is taken.
        new_salt: Makes 32 random bytes.
        policies: Tools whose plans a policy confirms, by the policy's name.
        asker: Who puts questions to a person; made at first use.
    """

    def __init__(
        self,
        *,
        sources: Registry,
        open_store: Callable[[], Store],
        clock: Clock,
        new_id: Callable[[int], str],
        new_salt: Callable[[], bytes],
        policies: Mapping[str, frozenset[str]],
        asker: Callable[[], Asker],
    ) -> None:
        self.sources = sources
        self.clock = clock
        self.new_id = new_id
        self.salt = new_salt
        self.policies = policies
        self.tools: dict[str, AnyTool] = {}
        self.command_tool: Callable[[ToolDefinition], AnyTool] | None = None
        self.planners: dict[str, Planner[Any]] = {}
        self._open_store = open_store
        # Plans are frozen and a function of their bytes, so the same bytes are read once.
        self._open = lru_cache(maxsize=_REMEMBERED)(open_plan)
        self._make_asker = asker

    @cached_property
    def store(self) -> Store:
        """The store, opened at first use."""
        return self._open_store()

    @cached_property
    def asker(self) -> Asker:
        """Who asks, made at first use."""
        return self._make_asker()

    @cached_property
    def _owner(self) -> tuple[int, str]:
        import socket

        return os.getpid(), f"{socket.gethostname()}/{os.getpid()}"

    @property
    def owner(self) -> str:
        """Host and process, remade in a forked child."""
        if self._owner[0] != os.getpid():
            del self._owner
        return self._owner[1]

    def now(self) -> datetime:
        """Return the time (UTC)."""
        return self.clock.now()

    def read(self, ref: str) -> Reading:
        """Read one record afresh; raises `NotRegistered`."""
        return self._read({ref: self.sources.route(ref)})[ref]

    def traits(self, ref: str) -> SourceTraits:
        """Return the traits of a ref's source; raises `NotRegistered`."""
        name = parse_ref(ref)[0]
        source = self.sources[name]
        return SourceTraits(
            config=self.sources.config(name),
            consistency=source.consistency,
            absence_is_proof=source.absence_is_proof,
        )

    def look(
        self, evidence: Sequence[Evidence[Any]], salts: Mapping[str, bytes]
    ) -> tuple[CheckResult, ...]:
        """Read everything again and check it. Never raises for what it reads."""
        places = [place_of(item) for item in evidence]
        routes = {place: self._route(item) for place, item in zip(places, evidence, strict=True)}
        readings = self._read(routes)
        return tuple(
            check_reading(
                item,
                readings[place],
                salts=salts,
                absence_is_proof=routes[place][0].absence_is_proof,
            )
            for place, item in zip(places, evidence, strict=True)
        )

    def _route(self, item: Evidence[Any]) -> tuple[Source, str]:
        source, key = self.sources.route(item.ref)
        if item.kind == "query":
            return QueryRead(source, key, item.params), key
        return source, key

    def _read(self, routes: dict[str, tuple[Source, str]]) -> dict[str, Reading]:
        return read_routes(
            self.sources.lanes,
            routes,
            deadline_seconds=READ_SECONDS,
            monotonic=self.clock.monotonic,
        )

    def query(self, ref: str, params: object) -> Reading:
        """Ask `source:query` with its arguments as typed JSON; raises `NotRegistered`."""
        source, name = self.sources.route(ref)
        return self._read({ref: (QueryRead(source, name, params), name)})[ref]

    def named_query(self, ref: str) -> Query[..., Any]:
        """Return the query of `source:query`; raises `NotRegistered`."""
        source, name = self.sources.route(ref)
        return QueryRead(source, name, None).query

    def query_ref(self, query: Query[..., Any]) -> str:
        """Return `source:query`; raises `NotRegistered` for a query from elsewhere."""
        name = self.sources.name_of(query.source)
        if name is None:
            raise NotRegistered(f"the source of query {query.name} is not registered here")
        return f"{name}:{query.name}"

    def move(self, move: Move) -> PlanRecord | None:
        """Apply a move and log it; None where somebody else moved the plan."""
        record = self.store.move(move)
        level = _LEVELS.get(move.to, logging.INFO)
        if record is not None and log.isEnabledFor(level):
            log.log(level, "plan=%s %s%s", record.id, record.state, _named(move.data))
        return record

    @staticmethod
    def failed(plan_id: str, what: str, error: BaseException) -> None:
        """Log that the program's own code failed; its words may hold values, so DEBUG only."""
        log.warning("plan=%s %s failed: %s", visible(plan_id), what, type(error).__name__)
        log.debug("plan=%s %s failed", visible(plan_id), what, exc_info=error)

    def plan_of(self, record: PlanRecord) -> ActionPlan | None:
        """Return the stored plan, or None where the bytes are not what was sealed."""
        if seal_of(record.body) != record.seal:
            return None
        try:
            plan = self._open(record.body)
        except BadFormat:
            return None
        return plan if plan.id == record.id else None

    def add_tool(self, tool: AnyTool) -> None:
        """Register a tool; raises `DuplicateName`."""
        _add(self.tools, tool.name, tool, "tool")

    def add_planner(self, planner: Planner[Any]) -> None:
        """Register a planner; raises `DuplicateName`."""
        _add(self.planners, planner.name, planner, "planner")

    def tool(self, definition: ToolDefinition) -> AnyTool:
        """Return the live tool of a sealed definition.

        Raises:
            NotRegistered: There is no such tool here.
        """
        if definition.kind == "command" and self.command_tool is not None:
            return self.command_tool(definition)
        if definition.name not in self.tools:
            raise NotRegistered(
                f"tool {definition.name} is not registered here",
                fix="Dispatch the plan from the program that has it, or with --app module:name.",
            )
        return self.tools[definition.name]

    def changed_tools(self, plan: ActionPlan) -> tuple[CheckResult, ...]:
        """Return a Stale for each tool that is not what it was when the plan was made."""
        pairs = [(sealed, self.tool(sealed).definition) for sealed in plan.tools]
        return tuple(changed_tool(old, new) for old, new in pairs if old != new)

    def require(self, plan: ActionPlan) -> None:
        """Refuse a plan that this program can't dispatch.

        Raises:
            NotRegistered: A tool or a source is missing here, or a source is
                configured in another way than where the plan was made.
        """
        for definition in plan.tools:
            self.tool(definition)
        self.require_sources(plan)

    def require_sources(self, plan: ActionPlan) -> None:
        """Refuse a plan whose sources are missing here, or configured in another way.

        Raises:
            NotRegistered: One of them is, or a query of theirs is not there; `fix`
                says where to go.
        """
        for item in plan.evidence:
            self.require_source(item)

    def require_source(self, item: Evidence[Any]) -> None:
        """Refuse evidence whose source is missing here, or configured in another way.

        Raises:
            NotRegistered: As `require_sources` does.
        """
        self._route(item)
        if self.sources.config(item.ref.partition(":")[0]) != item.source_config:
            raise NotRegistered(
                f"the source of {item.ref} is configured in another way here",
                where=item.ref,
                fix="Go on where it was read, with the same configuration.",
            )


def place_of(item: Evidence[Any]) -> str:
    """Return what tells one read from another: the ref, and a query's arguments."""
    if item.kind != "query":
        return item.ref
    return f"{item.ref}?{encode(item.params).decode()}"


def _named(data: Any) -> str:
    """Return the refs and fields of a block for the log: names, and no value."""
    if not isinstance(data, dict) or "changed" not in data:
        return ""
    from lastlook.core.screens.fields import label

    refs = ",".join(visible(ref) for ref in [*data["changed"], *data["unreadable"]])
    fields = ",".join(label(item) for part in data["changed"].values() for item in part)
    return (f" refs={refs}" if refs else "") + (f" fields={fields}" if fields else "")


def _add(table: dict[str, Any], name: str, item: object, what: str) -> None:
    if name in table:
        raise DuplicateName(
            f"there is a {what} named {name} already", fix='Give this one another: name="...".'
        )
    table[name] = item


if TYPE_CHECKING:
    from lastlook.core.ports import Reader

    def _is_reader(world: World) -> Reader:
        return world
