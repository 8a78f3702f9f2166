"""Several steps: what the plan writes itself, and what others write in between."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook import Act, ActionPlan, Planning
from lastlook.core.lifecycle import State
from lastlook.core.outcome import AlreadyUsed, Partial
from lastlook.errors import MayHaveRun
from tests.scenarios.desk import Desk


class Shop:
    """Two steps over one order: a refund that writes `status`, and a letter after it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.orders: dict[str, Any] = {"W1": {"status": "delivered", "amount": 80, "to": "kim"}}
        self.in_between: Any = lambda: None
        self.said: dict[str, Any] | None = {"status": "refunded"}
        desk.look.world.sources.add("orders", self.orders)

        @desk.look.tool(writes=["orders:{order_id}#status"])
        def refund(act: Act, order_id: str, amount: int) -> dict[str, str]:
            desk.effects.append(("refund", order_id, amount))
            self.orders[order_id] = self.orders[order_id] | {"status": "refunded"}
            if self.said is not None:
                act.wrote(f"orders:{order_id}", self.said)
            self.in_between()
            return {"reference": f"R-{order_id}"}

        @desk.look.tool(writes=[])
        def letter(to: str, reference: str) -> str:
            desk.effects.append(("letter", to, reference))
            return "sent"

        @desk.look.planner("Refund {order_id} and say so")
        def refund_order(plan: Planning, order_id: str) -> None:
            order = plan.read(f"orders:{order_id}", "status", "amount", "to")
            paid = plan.step(refund, order_id=order_id, amount=order["amount"])
            plan.step(letter, to=order["to"], reference=paid.result["reference"])

        self.refund_order = refund_order

    def confirmed(self) -> ActionPlan:
        return self.desk.confirmed(self.refund_order.propose("W1"))

    def change(self, **changes: Any) -> None:
        self.orders["W1"] = self.orders["W1"] | changes


@pytest.fixture
def shop(desk: Desk) -> Shop:
    return Shop(desk)


def test_what_the_plan_said_it_wrote_does_not_block_it(shop: Shop) -> None:
    outcome = shop.desk.look.dispatch(shop.confirmed())
    assert outcome.unwrap() == ({"reference": "R-W1"}, "sent")
    assert shop.desk.effects == [("refund", "W1", 80), ("letter", "kim", "R-W1")]
    assert outcome.done[0].unsaid == ()


def test_what_the_plan_declared_and_did_not_say_is_left_out_and_that_is_told(
    shop: Shop,
) -> None:
    shop.said = None
    outcome = shop.desk.look.dispatch(shop.confirmed())
    assert outcome.ok
    assert outcome.done[0].unsaid == ("orders:W1#/status",)
    assert "did not say what it wrote" in " ".join(outcome.text().split())


def test_somebody_elses_change_between_the_steps_stops_halfway(shop: Shop) -> None:
    plan = shop.confirmed()
    shop.in_between = lambda: shop.change(to="lee")
    outcome = shop.desk.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert [item.tool for item in outcome.done] == ["refund"]
    assert (outcome.step, outcome.not_done) == (2, ())
    assert outcome.changed == {"orders:W1": ("/to",)}
    assert shop.desk.effects == [("refund", "W1", 80)]
    assert shop.desk.state(plan) is State.PARTIAL


def test_a_stop_halfway_lists_done_and_not_done_and_never_claims_that_nothing_ran(
    shop: Shop,
) -> None:
    plan = shop.confirmed()
    shop.in_between = lambda: shop.change(to="lee")
    outcome = shop.desk.look.dispatch(plan)
    text = outcome.text()
    assert text.startswith("STOPPED HALFWAY")
    assert "Nothing was done" not in text
    done, not_done = text.split("WAS DONE")[1].split("WAS NOT DONE")
    assert "1 refund" in done
    assert "2 letter" in not_done
    with pytest.raises(MayHaveRun):
        outcome.unwrap()
    assert isinstance(shop.desk.look.dispatch(plan), AlreadyUsed)


def test_a_value_the_plan_said_it_wrote_and_others_overwrote_stops_halfway(shop: Shop) -> None:
    plan = shop.confirmed()
    shop.in_between = lambda: shop.change(status="disputed")
    outcome = shop.desk.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert outcome.changed == {"orders:W1": ("/status",)}


def test_a_record_that_goes_between_the_steps_stops_halfway(shop: Shop) -> None:
    plan = shop.confirmed()
    shop.in_between = shop.orders.clear
    outcome = shop.desk.look.dispatch(plan)
    assert isinstance(outcome, Partial)
    assert outcome.checks[0].kind == "not_found"


def test_a_write_that_was_not_declared_stops_the_plan_itself(desk: Desk) -> None:
    @desk.look.tool(writes=[])
    def hush(slot_id: str) -> None:
        desk.change(slot_id, status="held")

    @desk.look.planner("Hold and book {slot_id}")
    def both(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(hush, slot_id=slot_id)
        plan.step(desk.book, slot_id=slot_id, amount=1)

    outcome = desk.look.dispatch(desk.confirmed(both.propose("slot-42")))
    assert isinstance(outcome, Partial)
    assert outcome.changed == {"slots:slot-42": ("/status",)}
    assert desk.effects == []


def test_a_change_before_the_first_step_leaves_both_undone(shop: Shop) -> None:
    plan = shop.confirmed()
    shop.change(to="lee")
    outcome = shop.desk.look.dispatch(plan)
    assert outcome.changed == {"orders:W1": ("/to",)}
    assert shop.desk.state(plan) is State.BLOCKED_STALE
    assert shop.desk.effects == []


def test_a_step_that_rests_on_less_is_not_stopped_by_the_rest(desk: Desk) -> None:
    desk.look.world.sources.add("rooms", {"r1": {"free": True}})
    rooms = desk.look.world.sources["rooms"]
    desk.on_book = lambda _: rooms.set("r1", {"free": False})

    @desk.look.tool(writes=[])
    def note() -> None:
        desk.effects.append(("note",))

    @desk.look.planner("Book and note {slot_id}", name="narrowed")
    def narrowed(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "slot_id")
        plan.read("rooms:r1", "free")
        plan.step(desk.book, slot_id=slot_id, amount=1)
        plan.narrow(plan.step(note), f"slots:{slot_id}")

    assert desk.look.dispatch(desk.confirmed(narrowed.propose("slot-42"))).ok
    assert desk.effects[-1] == ("note",)
