"""The same booking, guarded by Lastlook, by its neighbours, and not at all; for `peers.py`.

The record is a JSON file. A guard reads it, gets its yes, lets the world change, and acts.
Packages are imported by name where they are used, since none of them has to be here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from lastlook import JsonFiles, Lastlook, Planning
from overhead import FIELDS, published

SLOT = {
    "slot_id": "slot-42",
    "time": "2026-10-23T10:00:00Z",
    "status": "available",
    "last_modified_by": "scheduler-v1",
}


class World(NamedTuple):
    """What happens between the yes and the act, and how often the act is tried after it."""

    name: str
    change: Callable[[Path], object]
    times: int = 1


def writes(**values: str) -> Callable[[Path], object]:
    """Return a change of the record's file."""
    return lambda path: path.write_text(json.dumps(SLOT | values), encoding="utf-8")


WORLDS = (
    World("nothing changes", lambda _: None),
    World("a field that does not matter changes", writes(last_modified_by="scheduler-v2")),
    World("a field that matters changes", writes(status="unavailable")),
    World("the record is gone", Path.unlink),
    World("acted on twice", lambda _: None, times=2),
)


class Bookings(list[str]):
    """What ran, and how long it took from the first read on, stores being open."""

    began = ended = 0.0

    def book(self, slot_id: str) -> str:
        """Do what is guarded."""
        self.append(slot_id)
        return f"booked {slot_id}"

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Take the time of what is inside."""
        self.began = perf_counter()
        yield
        self.ended = perf_counter()


Guard = Callable[[Path, World], Bookings]
"""Takes the record's file and what happens, and returns what ran."""


def read(path: Path) -> dict[str, Any]:
    """Return the record, empty where it is gone."""
    record: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return record


def unguarded(path: Path, world: World) -> Bookings:
    """Act on the yes, whatever happened since."""
    ran = Bookings()
    read(path)
    world.change(path)
    for _ in range(world.times):
        ran.book("slot-42")
    return ran


def compared(path: Path, world: World) -> Bookings:
    """Keep the record, and compare it with `==` before the act."""
    return _looked_at(path, world, lambda record: record)


def four_lines(path: Path, world: World) -> Bookings:
    """Keep the published fingerprint of the declared fields, and compare that."""
    return _looked_at(path, world, lambda record: published(record, FIELDS))


def _looked_at(path: Path, world: World, kept: Callable[[dict[str, Any]], object]) -> Bookings:
    ran = Bookings()
    before = kept(read(path))
    world.change(path)
    for _ in range(world.times):
        if kept(read(path)) == before:
            ran.book("slot-42")
    return ran


def lastlook(path: Path, world: World) -> Bookings:
    """Propose, confirm, dispatch."""
    ran = Bookings()
    store = path.parent.parent / "store" / "plans.db"
    look = Lastlook(sources={"slots": JsonFiles(path.parent)}, store=store)
    book = look.tool(writes=["slots:{slot_id}"], name="book")(ran.book)

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", *FIELDS)
        plan.step(book, slot_id=slot_id)

    look.pending()  # the store is opened
    with ran.timed():
        plan = book_slot.propose("slot-42")
        look.confirm(plan, by="ana")
        world.change(path)
        for _ in range(world.times):
            look.dispatch(plan)
    look.close()
    return ran


def agentbarrier(path: Path, world: World) -> Bookings:
    """Ask for approval by policy, approve, and call again with the same arguments."""
    runtime = import_module("agentbarrier.runtime")
    errors = import_module("agentbarrier.errors")
    decision = import_module("agentbarrier").Decision
    ran = Bookings()
    store = runtime.SQLiteRuntimeStore(path.parent.parent / "barrier.db")
    rule = runtime.PolicyRule("ask", runtime.PolicyEffect.REQUIRE_APPROVAL, "book")
    policy = runtime.RuntimePolicy(version="1", rules=(rule,))
    barrier = runtime.RuntimeBarrier(policy=policy, store=store)
    book = barrier.protect(ran.book, tool_name="book", idempotency_key=lambda _: "one booking")
    with ran.timed():
        read(path)
        try:
            book("slot-42")
        except errors.ApprovalRequired as asked:
            store.decide(asked.action.action_id, decision.APPROVE, decided_by="ana")
        world.change(path)
        for _ in range(world.times):
            book("slot-42")
    store.close()
    return ran


def freshctx(path: Path, world: World, *, adapter: str = "filesystem") -> Bookings:
    """Observe the record, and run what depends on it behind the guard."""
    package = import_module("freshctx")
    ran = Bookings()
    home = path.parent.parent
    store = package.SQLiteStore(str(home / "freshctx.db"))
    audit = home / "audit.jsonl"
    with ran.timed(), package.guard(policy="block", store=store, audit_path=audit) as context:
        seen = package.observe(str(path), adapter=adapter)
        with package.reasoning("book it", depends_on=[seen]) as decided:
            world.change(path)
        for _ in range(world.times):
            with suppress(package.FreshnessBlocked):
                context.run(ran.book, "slot-42", depends_on=[decided])
    return ran


def freshctx_fields(path: Path, world: World) -> Bookings:
    """Do the same with an adapter of one's own that looks at the declared fields alone."""
    package = import_module("freshctx")
    model = import_module("freshctx.model")

    class Fields:
        name = "fields"

        def observe(self, locator: str) -> Any:
            return model.ObservationToken(self.name, locator, self.taken(locator))

        def validate(self, token: Any) -> Any:
            try:
                same = self.taken(token.locator) == token.fingerprint
            except (OSError, KeyError) as error:
                return model.AdapterResult("indeterminate", error_code=type(error).__name__)
            return model.AdapterResult("equivalent" if same else "changed")

        def taken(self, locator: str) -> str:
            record = json.loads(Path(locator).read_text("utf-8"))
            return json.dumps([record[name] for name in FIELDS])

    package.register_adapter("fields", Fields())
    return freshctx(path, world, adapter="fields")


def agent_coherence(path: Path, world: World) -> Bookings:
    """Decide on the file behind the gate; asked for a second act it decides anew."""
    adapters = import_module("ccs.adapters")
    stale = import_module("ccs.core.exceptions").StaleView
    ran = Bookings()
    volume = adapters.CoherentVolume(path.parent.parent, managed=("slots/**",))

    def decide(_: bytes) -> str:
        world.change(path)
        return "slot-42"

    with ran.timed(), suppress(stale):
        for _ in range(world.times):
            adapters.gate(volume, "slots/slot-42.json", decide=decide, effect=ran.book)
    import_module("ccs.adapters.claude_code.lifecycle").stop_coordinator(path.parent.parent)
    return ran


def langgraph(path: Path, world: World) -> Bookings:
    """Interrupt in front of the call, and resume with a yes."""
    graphs, types = import_module("langgraph.graph"), import_module("langgraph.types")
    savers = import_module("langgraph.checkpoint.memory")
    ran = Bookings()

    def act(state: dict[str, Any]) -> dict[str, Any]:
        if types.interrupt({"book": state["slot_id"]}) == "yes":
            ran.book(state["slot_id"])
        return {}

    builder = graphs.StateGraph(dict)
    builder.add_node("act", act)
    builder.add_edge(graphs.START, "act")
    graph = builder.compile(checkpointer=savers.InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    read(path)
    graph.invoke({"slot_id": "slot-42"}, thread)
    world.change(path)
    for _ in range(world.times):
        graph.invoke(types.Command(resume="yes"), thread)
    return ran


def pydantic_ai(path: Path, world: World) -> Bookings:
    """Defer the call, and hand in the approval with the history."""
    package, models = import_module("pydantic_ai"), import_module("pydantic_ai.models.function")
    parts = import_module("pydantic_ai.messages")
    ran = Bookings()

    def model(messages: list[Any], _info: Any) -> Any:
        if len(messages) > 1:
            return parts.ModelResponse(parts=[parts.TextPart("done")])
        call = parts.ToolCallPart("book", {"slot_id": "slot-42"}, tool_call_id="call-1")
        return parts.ModelResponse(parts=[call])

    agent = package.Agent(
        models.FunctionModel(model), output_type=[str, package.DeferredToolRequests]
    )
    agent.tool_plain(name="book", requires_approval=True)(ran.book)
    read(path)
    asked = agent.run_sync("Book slot-42")
    world.change(path)
    yes = package.DeferredToolResults(approvals={"call-1": True})
    for _ in range(world.times):
        agent.run_sync(message_history=asked.all_messages(), deferred_tool_results=yes)
    return ran


def openai_agents(path: Path, world: World) -> Bookings:
    """Stop at a tool that needs approval, approve, and resume the state."""
    package, doubles = import_module("agents"), import_module("agents.testing")
    package.set_tracing_disabled(True)
    ran = Bookings()
    tool = package.function_tool(ran.book, name_override="book", needs_approval=True)
    call = doubles.function_call("book", {"slot_id": "slot-42"}, call_id="call-1")
    said = [[doubles.assistant_message("done")] for _ in range(world.times)]
    agent = package.Agent(name="a", model=doubles.ScriptedModel([[call], *said]), tools=[tool])
    read(path)

    async def conversation() -> None:
        asked = await package.Runner.run(agent, "Book slot-42")
        state = asked.to_state()
        for item in asked.interruptions:
            state.approve(item)
        kept = state.to_string()
        world.change(path)
        for _ in range(world.times):
            again = await package.RunState.from_string(agent, kept)
            await package.Runner.run(agent, again)

    asyncio.run(conversation())
    return ran


GUARDS: dict[str, tuple[str, Guard]] = {
    "nothing": ("", unguarded),
    "the record, compared with ==": ("", compared),
    "the published four lines": ("", four_lines),
    "Lastlook": ("", lastlook),
    "agentbarrier": ("agentbarrier", agentbarrier),
    "freshctx, the file": ("freshctx", freshctx),
    "freshctx, an adapter of one's own": ("freshctx", freshctx_fields),
    "agent-coherence, gate": ("agent-coherence", agent_coherence),
    "LangGraph, interrupt": ("langgraph", langgraph),
    "pydantic-ai, deferred tools": ("pydantic-ai-slim", pydantic_ai),
    "OpenAI Agents, needs_approval": ("openai-agents", openai_agents),
}
"""Each guard, and the package that it needs."""
