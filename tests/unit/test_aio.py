"""The async face: the same script of worlds gives the same outcomes, and what began goes on."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, Protocol

import pytest
from msgspec.structs import replace

import lastlook
from lastlook import ActionPlan, AsyncLastlook
from lastlook.core.lifecycle import State
from lastlook.core.outcome import AlreadyUsed, Executed, InProgress, Outcome
from lastlook.errors import LastlookError
from lastlook.stores.memory import MemoryStore
from tests.scenarios.desk import Desk

PATIENCE = 60


class Verbs(Protocol):
    """How a world is played: at once, or awaited."""

    def __call__(self, verb: str, *args: Any, **more: Any) -> Any: ...


def at_once(desk: Desk) -> Verbs:
    def call(verb: str, *args: Any, **more: Any) -> Any:
        if verb == "propose":
            planner, *rest = args
            return planner.propose(*rest, **more)
        return getattr(desk.look, verb)(*args, **more)

    return call


def awaited(desk: Desk, runner: asyncio.Runner) -> Verbs:
    def call(verb: str, *args: Any, **more: Any) -> Any:
        return runner.run(getattr(desk.look.aio, verb)(*args, **more))

    return call


# --- the worlds ----------------------------------------------------------------------------------


def proposed(desk: Desk, do: Verbs) -> ActionPlan:
    plan: ActionPlan = do("propose", desk.book_slot, "slot-42")
    return plan


def confirmed(desk: Desk, do: Verbs) -> ActionPlan:
    plan = proposed(desk, do)
    assert do("confirm", plan, by="ana").ok
    return plan


def nothing_changes(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = proposed(desk, do)
    yield do("get", plan.id)
    yield do("pending")
    yield do("confirm", plan.id, seal=plan.seal, by="ana")
    yield do("check", plan)
    yield do("dispatch", plan)
    yield do("dispatch", plan.id)


def it_changes_before_the_dispatch(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = confirmed(desk, do)
    desk.change(price=95)
    blocked = do("dispatch", plan)
    yield blocked
    yield do("renew", plan)
    yield do("confirm", blocked.fresh, by="ana")
    yield do("dispatch", blocked.fresh)


def it_changes_before_the_yes(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = proposed(desk, do)
    desk.change(status="held")
    yield do("check", plan)
    yield do("confirm", plan, by="ana")
    yield do("pending")


def it_is_gone(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = confirmed(desk, do)
    desk.slots.clear()
    yield do("dispatch", plan)
    yield do("renew", plan)


def it_expires(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = do("propose", desk.book_slot.options(expires_in=60), "slot-42")
    yield do("confirm", plan, by="ana")
    desk.clock.advance(61)
    yield do("dispatch", plan)


def a_person_says_no(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = proposed(desk, do)
    yield do("reject", plan, by="ana", why="too dear")
    yield do("confirm", plan, by="ben")
    yield do("dispatch", plan)
    yield do("cancel", plan)


def it_is_taken_back(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = confirmed(desk, do)
    yield do("cancel", plan, by="support")
    yield do("dispatch", plan)


def the_tool_fails(desk: Desk, do: Verbs) -> Iterator[Any]:
    def fail(_: object) -> NoReturn:
        raise OSError("the line went dead")

    plan = confirmed(desk, do)
    desk.on_book = fail
    yield do("dispatch", plan)
    yield do("dispatch", plan)


def it_is_edited(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = confirmed(desk, do)
    record = desk.store._plans[plan.id]
    desk.store._plans[plan.id] = replace(record, body=b"{}")
    yield do("dispatch", plan)
    yield do("get", plan.id)


def it_cannot_be_meant(desk: Desk, do: Verbs) -> Iterator[Any]:
    plan = proposed(desk, do)
    yield do("propose", desk.book_slot, 7)
    yield do("propose", desk.book_slot, "slot-43")
    yield do("confirm", plan.id, by="ana")
    yield do("confirm", plan.id, seal="sha256:0", by="ana")
    yield do("confirm", plan, by="agent:bot")
    yield do("dispatch", plan)
    yield do("dispatch", "zzzz")
    yield do("renew", plan)


WORLDS = [
    nothing_changes, it_changes_before_the_dispatch, it_changes_before_the_yes, it_is_gone,
    it_expires, a_person_says_no, it_is_taken_back, the_tool_fails, it_is_edited,
    it_cannot_be_meant,
]  # fmt: skip


def new_desk(store: Any = None) -> Desk:
    desk = Desk(store or MemoryStore())
    numbers = itertools.count()
    desk.look.world.new_id = lambda length: f"p{next(numbers):0{length}}"
    return desk


def played(world: Callable[..., Iterator[Any]], desk: Desk, do: Verbs) -> list[Any]:
    """Play a world to its end; an error of ours is a result, and the play goes on."""

    def safely(verb: str, *args: Any, **more: Any) -> Any:
        try:
            return do(verb, *args, **more)
        except LastlookError as error:
            return (type(error).__name__, str(error))

    told = [item.data() if isinstance(item, Outcome) else item for item in world(desk, safely)]
    rows = [(row.plan, row.state, row.by, row.data) for row in desk.look.journal()]
    return [*told, desk.effects, rows]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_each_world_comes_out_the_same_at_once_and_awaited(
    world: Callable[..., Iterator[Any]],
) -> None:
    one, two = new_desk(), new_desk()
    with asyncio.Runner() as runner:
        later = played(world, two, awaited(two, runner))
    assert played(world, one, at_once(one)) == later
    assert len(later) > 3


# --- what is different ---------------------------------------------------------------------------


@pytest.fixture(params=["memory", "sqlite"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(MemoryStore() if request.param == "memory" else tmp_path / "plans.db")
    yield made
    made.look.close()


@pytest.mark.parametrize("fails", [False, True])
def test_a_dispatch_that_is_cancelled_while_the_tool_runs_goes_on_and_is_recorded(
    desk: Desk, *, fails: bool
) -> None:
    plan = desk.confirmed()
    begun, go_on = threading.Event(), threading.Event()

    def act(_: object) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)
        if fails:
            raise OSError("the line went dead")

    async def give_up() -> None:
        task = asyncio.create_task(desk.look.aio.dispatch(plan))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await desk.look.aio.get(plan.id))[1] is State.EXECUTING
        go_on.set()

    desk.on_book = act
    asyncio.run(give_up())
    assert desk.state(plan) is (State.UNKNOWN if fails else State.EXECUTED)
    assert len(desk.effects) == 1
    assert isinstance(desk.look.dispatch(plan), AlreadyUsed)


def test_of_two_dispatches_awaited_together_one_runs(desk: Desk) -> None:
    plan = desk.confirmed()

    async def both() -> list[Outcome]:
        aio = desk.look.aio
        return list(await asyncio.gather(aio.dispatch(plan), aio.dispatch(plan.id)))

    outcomes = asyncio.run(both())
    assert [isinstance(outcome, Executed) for outcome in outcomes].count(True) == 1
    assert any(isinstance(outcome, AlreadyUsed | InProgress) for outcome in outcomes)
    assert len(desk.effects) == 1


def test_the_loop_is_free_while_a_tool_runs(desk: Desk) -> None:
    plan = desk.confirmed()
    go_on = threading.Event()
    desk.on_book = lambda _: go_on.wait(PATIENCE)

    async def run() -> Outcome:
        task = asyncio.create_task(desk.look.aio.dispatch(plan))
        await desk.look.aio.pending()
        go_on.set()
        return await task

    assert asyncio.run(run()).ok


def test_the_async_face_is_loaded_only_when_it_is_asked_for() -> None:
    assert lastlook.AsyncLastlook is AsyncLastlook
    with pytest.raises(AttributeError, match="no attribute 'SyncLastlook'"):
        lastlook.SyncLastlook  # noqa: B018  # the access is the test
