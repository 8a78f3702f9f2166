"""From the intent to the end: later steps, what the plan wrote itself, and every way to stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from lastlook import Act, ActionPlan, Planning, field
from lastlook.core.lifecycle import State
from lastlook.core.outcome import Executed, Failed, Partial, Unknown
from lastlook.errors import NotDeclared, StoreFull
from lastlook.planning.processes import CommandFailed, CommandNotStarted
from lastlook.testing import FakeClock
from tests.unit.dispatch.watched import WatchedDesk

ORDER = {"status": "paid", "amount": 80, "to": "kim", "lines": [{"n": 1}, {"n": 2}]}


class Shop:
    """A plan of as many steps as a test writes down, over one order.

    A step is a function of the act; `writes` is what all of them declare.
    """

    def __init__(self, desk: WatchedDesk, *fields: Any, writes: str = "#status") -> None:
        self.desk = desk
        self.orders: dict[str, Any] = {"W1": dict(ORDER)}
        self.steps: list[Callable[[Act], object]] = []
        desk.look.world.sources.add("orders", self.orders)

        @desk.look.tool(writes=[f"orders:W1{writes}"] if writes else [], not_applied=[LookupError])
        def do(act: Act, number: int) -> object:
            desk.effects.append(number)
            return self.steps[number](act)

        @desk.look.planner("Do it all")
        def all_of_it(plan: Planning) -> None:
            plan.read("orders:W1", *(fields or ("status", "amount", "to")))
            for number in range(len(self.steps)):
                plan.step(do, number=number)

        self.planner = all_of_it

    def write(self, **changes: Any) -> None:
        self.orders["W1"] = self.orders["W1"] | changes

    def run(self, *steps: Callable[[Act], object]) -> Any:
        self.steps = list(steps)
        return self.desk.look.dispatch(self.confirmed(*steps))

    def confirmed(self, *steps: Callable[[Act], object]) -> ActionPlan:
        self.steps = list(steps)
        return self.desk.confirmed(self.planner.propose())


def nothing(_: Act) -> None:
    pass


def stop(_: object) -> NoReturn:
    raise KeyboardInterrupt


def test_before_each_later_step_it_looks_again_and_writes_that_it_begins(desk: WatchedDesk) -> None:
    plan_of_two = Shop(desk)
    desk.look.world.sources._sources["orders"] = desk.source
    desk.world["W1"] = dict(ORDER)
    plan = plan_of_two.confirmed(nothing, nothing)
    desk.events.clear()
    assert desk.look.dispatch(plan).ok
    assert desk.events == [
        "claimed", "read W1", "executing 1", "read W1", "executing 2", "executed",
    ]  # fmt: skip
    assert [look.moment for look in desk.store.looks(plan.id)] == [
        "at_yes", "before_step_1", "before_step_2",
    ]  # fmt: skip


# --- what the plan wrote itself ------------------------------------------------------------------


def says(shop: Shop, real: dict[str, Any], said: dict[str, Any]) -> Callable[[Act], None]:
    def step(act: Act) -> None:
        shop.write(**real)
        act.wrote("orders:W1", said)

    return step


def test_a_said_value_is_what_the_later_look_expects(desk: WatchedDesk) -> None:
    shop = Shop(desk)
    outcome = shop.run(says(shop, {"status": "refunded"}, {"status": "refunded"}), nothing)
    assert outcome.ok
    assert [item.unsaid for item in outcome.done] == [(), ()]


def test_a_tool_that_wrote_other_than_it_said_is_stopped(desk: WatchedDesk) -> None:
    shop = Shop(desk)
    outcome = shop.run(says(shop, {"status": "disputed"}, {"status": "refunded"}), nothing)
    assert isinstance(outcome, Partial)
    assert outcome.changed == {"orders:W1": ("/status",)}
    assert desk.effects == [0]


def test_an_unsaid_field_is_left_out_and_others_still_stop(desk: WatchedDesk) -> None:
    shop = Shop(desk)
    outcome = shop.run(lambda _: shop.write(status="x"), lambda _: shop.write(to="lee"), nothing)
    assert isinstance(outcome, Partial)
    assert outcome.changed == {"orders:W1": ("/to",)}
    assert outcome.done[0].unsaid == ("orders:W1#/status",)
    assert (outcome.step, outcome.not_done) == (3, ())


def test_a_whole_record_left_unsaid_leaves_nothing_to_look_at(desk: WatchedDesk) -> None:
    shop = Shop(desk, writes="")
    shop = _second_shop(desk, shop)
    outcome = shop.run(lambda _: shop.write(status="x", to="lee"), nothing)
    assert outcome.ok
    assert outcome.done[0].unsaid == ("orders:W1",)
    assert outcome.checks == ()


def _second_shop(desk: WatchedDesk, shop: Shop) -> Shop:
    """The same shop, whose tool declares the whole record."""

    @desk.look.tool(writes=["orders:W1"], name="whole")
    def whole(act: Act, number: int) -> object:
        desk.effects.append(number)
        return shop.steps[number](act)

    @desk.look.planner("Do it all", name="whole")
    def planner(plan: Planning) -> None:
        plan.read("orders:W1", "status", "to")
        for number in range(len(shop.steps)):
            plan.step(whole, number=number)

    shop.planner = planner
    return shop


def test_of_a_whole_record_the_said_part_is_compared_and_the_rest_told(desk: WatchedDesk) -> None:
    shop = _second_shop(desk, Shop(desk, writes=""))
    write = says(shop, {"status": "disputed", "to": "lee"}, {"status": "refunded"})
    outcome = shop.run(write, nothing)
    assert isinstance(outcome, Partial)
    assert outcome.changed == {"orders:W1": ("/status",)}
    assert outcome.done[0].unsaid == ("orders:W1",)
    assert "did not say what it wrote to" in " ".join(outcome.text().split())


def test_the_latest_word_counts(desk: WatchedDesk) -> None:
    shop = Shop(desk)
    write = [says(shop, {"status": value}, {"status": value}) for value in ("a", "b", "c")]
    assert shop.run(*write, nothing).ok


def test_a_said_part_is_put_into_the_field_that_holds_it(desk: WatchedDesk) -> None:
    shop = Shop(desk, "lines", "to", writes="#/lines/0/n")
    write = says(shop, {"lines": [{"n": 9}, {"n": 2}]}, {"/lines/0/n": 9})
    assert shop.run(write, nothing).ok
    shop.orders["W1"] = dict(ORDER)
    outcome = shop.run(says(shop, {"lines": [{"n": 9}, {"n": 3}]}, {"/lines/0/n": 9}), nothing)
    assert isinstance(outcome, Partial)
    assert outcome.changed == {"orders:W1": ("/lines",)}


def test_a_secret_that_was_said_is_compared_too(desk: WatchedDesk) -> None:
    shop = Shop(desk, field("status").secret, "to")
    write = says(shop, {"status": "s3cret"}, {"status": "s3cret"})
    assert shop.run(write, nothing).ok
    shop.orders["W1"] = dict(ORDER)
    outcome = shop.run(says(shop, {"status": "other"}, {"status": "s3cret"}), nothing)
    assert isinstance(outcome, Partial)
    assert "s3cret" not in outcome.text() + json.dumps(outcome.data())


def test_after_the_last_step_nothing_is_left_out_of_any_look(desk: WatchedDesk) -> None:
    outcome = Shop(desk).run(nothing)
    assert outcome.done[0].unsaid == ()


def test_a_later_step_is_given_what_was_checked_right_before_it(desk: WatchedDesk) -> None:
    shop = Shop(desk, "status", "amount >= 1", "to")
    seen: list[dict[str, Any]] = []

    def first(act: Act) -> None:
        seen.append(dict(act.checked["orders:W1"]))
        shop.write(amount=70)

    def second(act: Act) -> None:
        seen.append(dict(act.checked["orders:W1"]))
        with pytest.raises(NotDeclared):
            act.checked["orders:W1"]["status"]

    assert shop.run(first, second).ok
    assert seen == [
        {"/amount": 80, "/status": "paid", "/to": "kim"},
        {"/amount": 70, "/to": "kim"},
    ]


def test_of_two_refs_each_has_its_own_checked_values(desk: WatchedDesk) -> None:
    seen: list[Any] = []
    desk.look.world.sources.add("rooms", {"r1": {"free": True}})

    @desk.look.planner("Book both", name="both")
    def both(plan: Planning) -> None:
        plan.read("rooms:r1", "free")
        plan.read("slots:slot-42", "price")
        plan.step(desk.book, slot_id="slot-42", amount=1)

    desk.on_book = lambda act: seen.append({ref: dict(view) for ref, view in act.checked.items()})
    assert desk.look.dispatch(desk.confirmed(both.propose())).ok
    assert seen == [{"rooms:r1": {"/free": True}, "slots:slot-42": {"/price": 80}}]


# --- a result as a later argument ----------------------------------------------------------------


def chain(desk: WatchedDesk, result: object, pick: Callable[[Any], object]) -> Any:
    desk.look.world.sources.add("orders", {"W1": dict(ORDER)})

    @desk.look.tool(writes=[], name="give")
    def give() -> Any:
        desk.effects.append("give")
        return result

    @desk.look.tool(writes=[], name="take")
    def take(what: int, text: str = "") -> None:
        desk.effects.append(("take", what))

    @desk.look.planner("Chain", name="chain")
    def planner(plan: Planning) -> None:
        plan.read("orders:W1", "status")
        plan.step(take, what=pick(plan.step(give).result), text="x")

    return desk.look.dispatch(desk.confirmed(planner.propose()))


def test_a_result_is_taken_apart_by_names_and_places(desk: WatchedDesk) -> None:
    assert chain(desk, {"lines": [{"n": 1}, {"n": 7}]}, lambda r: r["lines"][1].n).ok
    assert desk.effects == ["give", ("take", 7)]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"lines": []}, "nothing at /lines/1/n"),
        ({"lines": [0, {"n": "seven"}]}, "expected `int`, got `str`"),
    ],
)
def test_a_result_that_the_next_step_cannot_take_stops_before_it(
    desk: WatchedDesk, result: object, words: str
) -> None:
    outcome = chain(desk, result, lambda r: r["lines"][1].n)
    assert isinstance(outcome, Partial)
    assert outcome.reason.startswith("it never began:")
    assert words in outcome.reason
    assert desk.effects == ["give"]
    assert [item.tool for item in outcome.done] == ["give"]


# --- every way to stop ---------------------------------------------------------------------------


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError("line\x1b[31m dead"), "do raised OSError: line\x1b[31m dead"),
        (OSError(), "do raised OSError"),
        (Unprintable(), "do raised Unprintable"),
        (OSError("\ud800"), r"do raised OSError: \ud800"),
        (StoreFull("no space"), "do raised StoreFull: no space"),
    ],
)
def test_what_a_tool_raises_is_unknown_and_recorded_whatever_it_says(
    desk: WatchedDesk, error: Exception, words: str
) -> None:
    def fail(_: Act) -> NoReturn:
        raise error

    shop = Shop(desk)
    plan = shop.confirmed(fail)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Unknown)
    assert outcome.reason == words
    assert desk.state(plan) is State.UNKNOWN
    assert json.loads(desk.store.get(plan.id).outcome)["outcome"] == "unknown"


class Hostile:
    def __repr__(self) -> str:
        raise ValueError("no")

    __str__ = __repr__


@pytest.mark.parametrize(
    "result",
    [
        "\ud800", "ünïcode", 2**70, -(2**63), {"\ud800": 1}, float("nan"), object(), Hostile(),
        {1: 2}, b"bytes", [float("inf")], {"a": {"b"}},
    ],
)  # fmt: skip
def test_whatever_a_tool_returns_it_ran_and_that_is_recorded(
    desk: WatchedDesk, result: object
) -> None:
    shop = Shop(desk)
    plan = shop.confirmed(lambda _: result)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Executed)
    assert outcome.results == (result,)
    record = desk.store.get(plan.id)
    assert record.state is State.EXECUTED
    assert json.loads(record.outcome)["outcome"] == "executed"


@pytest.mark.parametrize("result", ["booked", 7, None, True, "ünïcode"])
def test_a_plain_result_is_kept_as_it_is(desk: WatchedDesk, result: object) -> None:
    plan = Shop(desk).confirmed(lambda _: result)
    desk.look.dispatch(plan)
    assert json.loads(desk.store.get(plan.id).outcome)["results"] == [result]


async def later() -> str:
    return "done"


class Promise:
    def __await__(self) -> Any:
        yield


@pytest.mark.parametrize("result", [later, Promise])
def test_a_tool_that_returns_something_to_await_is_unknown(desk: WatchedDesk, result: Any) -> None:
    outcome = Shop(desk).run(lambda _: result())
    assert isinstance(outcome, Unknown)
    assert "it returned something that nobody awaits" in outcome.reason


def test_a_program_that_lost_the_tool_after_the_intent_did_nothing(desk: WatchedDesk) -> None:
    plan = Shop(desk).confirmed(nothing)
    desk.store.before(State.EXECUTING, lambda: desk.look.world.tools.pop("do"))
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("it never began: tool do is not registered here")
    assert desk.state(plan) is State.FAILED
    assert desk.effects == []


def test_an_interrupt_between_two_steps_stops_halfway_and_is_raised_on(desk: WatchedDesk) -> None:
    shop = Shop(desk)

    def first(_: Act) -> None:
        desk.look.world.sources._sources["orders"] = desk.source
        desk.source.then(stop)

    plan = shop.confirmed(first, nothing)
    with pytest.raises(KeyboardInterrupt):
        desk.look.dispatch(plan)
    assert desk.state(plan) is State.PARTIAL
    told = json.loads(desk.store.get(plan.id).outcome)
    assert [item["step"] for item in told["done"]] == [1]
    assert (told["step"], told["reason"]) == (2, "it never began: KeyboardInterrupt")
    assert desk.effects == [0]


class Stopping(FakeClock):
    """A clock that raises what it is told to when the wall clock is asked."""

    error: BaseException | None = None

    def now(self) -> Any:
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return super().now()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ZeroDivisionError("clock")])
def test_what_breaks_off_after_the_act_is_unknown(error: BaseException) -> None:
    desk = WatchedDesk()
    desk.look.world.clock = clock = Stopping()

    def act(_: Act) -> None:
        clock.error = error

    plan = Shop(desk).confirmed(act)
    if isinstance(error, Exception):
        outcome = desk.look.dispatch(plan)
        assert isinstance(outcome, Unknown)
        assert outcome.reason == "it was broken off: ZeroDivisionError: clock"
    else:
        with pytest.raises(KeyboardInterrupt):
            desk.look.dispatch(plan)
    assert desk.state(plan) is State.UNKNOWN
    assert desk.effects == [0]


def test_a_look_that_fails_itself_before_a_later_step_stops_halfway(desk: WatchedDesk) -> None:
    shop = Shop(desk)
    plan = shop.confirmed(lambda _: desk.look.world.sources._sources.pop("orders"), nothing)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert outcome.reason == "the look itself failed: NotRegistered"
    assert outcome.checks == ()
    assert desk.state(plan) is State.PARTIAL
    assert desk.effects == [0]


def test_a_plan_that_was_taken_over_between_steps_goes_no_further(desk: WatchedDesk) -> None:
    plan = Shop(desk).confirmed(lambda _: desk.store.doctor(plan, epoch=7), nothing)
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert outcome.reason == "the plan was taken over by somebody else"
    assert [item.step for item in outcome.done] == [1]
    assert desk.effects == [0]
    assert desk.state(plan) is State.EXECUTING


def test_an_end_that_was_taken_over_is_not_called_executed(
    desk: WatchedDesk, caplog: pytest.LogCaptureFixture
) -> None:
    plan = Shop(desk).confirmed(lambda _: desk.store.doctor(plan, epoch=7))
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Unknown)
    why = "the plan was taken over by somebody else"
    assert outcome.reason == f"it came to executed here, but {why}"
    assert f"plan={plan.id} came to executed, and {why}" in caplog.messages


def test_not_applied_counts_for_its_own_step_alone(desk: WatchedDesk) -> None:
    def sold_out(_: Act) -> NoReturn:
        raise KeyError("sold out")

    outcome = Shop(desk).run(sold_out, nothing)
    assert isinstance(outcome, Failed)
    assert outcome.reason == "do says nothing was done: KeyError: 'sold out'"
    assert (outcome.step, outcome.not_done) == (1, (2,))
    assert desk.effects == [0]


@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        (CommandNotStarted("there is no program ./book.sh"), Failed,
         "there is no program ./book.sh"),
        (CommandFailed("book", 75), Failed,
         "book ended with exit code 75, which promises that nothing was done"),
        (CommandFailed("book", -9), Unknown, "book ended by signal 9"),
    ],
)  # fmt: skip
def test_a_command_tells_how_it_ended_in_its_own_words(
    desk: WatchedDesk, error: Exception, kind: type[Any], reason: str
) -> None:
    promised = [type(error)] if kind is Failed else []

    @desk.look.tool(writes=[], not_applied=promised)
    def run() -> None:
        raise error

    @desk.look.planner("Run", name="run_it")
    def run_it(plan: Planning) -> None:
        plan.read("slots:slot-42", "status")
        plan.step(run)

    outcome = desk.look.dispatch(desk.confirmed(run_it.propose()))
    assert isinstance(outcome, kind)
    assert outcome.reason == reason


def test_the_window_is_the_longest_between_a_look_and_its_act(desk: WatchedDesk) -> None:
    shop = Shop(desk, writes="")
    plan = shop.confirmed(lambda _: desk.clock.advance(100), nothing)
    desk.store.before(State.EXECUTING, lambda: desk.clock.advance(3))
    outcome = desk.look.dispatch(plan)
    assert isinstance(outcome, Executed)
    assert (outcome.guarantee.level, outcome.guarantee.window) == ("checked", 3.0)
