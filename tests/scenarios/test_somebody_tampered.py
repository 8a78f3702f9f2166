"""What is stored, or what runs, is not what was sealed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import msgspec
import pytest

from lastlook import Act, BlockedStale, Lastlook, Planning
from lastlook.core.lifecycle import State
from lastlook.core.outcome import AlreadyUsed, BlockedTampered
from lastlook.errors import NotRegistered, SealMismatch
from lastlook.sources import JsonFiles, MemorySource
from lastlook.stores.memory import MemoryStore
from tests.scenarios.desk import Desk


def overwrite(desk: Desk, plan_id: str, body: bytes) -> None:
    """Change the stored bytes of a plan behind the store's back."""
    if isinstance(desk.store, MemoryStore):
        record = desk.store._plans[plan_id]
        desk.store._plans[plan_id] = msgspec.structs.replace(record, body=body)
        return
    desk.look.close()
    with closing(sqlite3.connect(desk.store)) as connection, connection:
        connection.execute("UPDATE plans SET body = ? WHERE id = ?", (body, plan_id))


def edited(plan: Any, old: bytes, new: bytes) -> bytes:
    body: bytes = plan.body.replace(old, new)
    assert body != plan.body
    return body


def test_an_edited_argument_blocks_before_anything_is_read(desk: Desk) -> None:
    plan = desk.confirmed()
    overwrite(desk, plan.id, edited(plan, b'"amount":80', b'"amount":8'))
    outcome = desk.look.dispatch(plan.id)
    assert isinstance(outcome, BlockedTampered)
    assert outcome.checks == ()
    assert desk.effects == []
    assert desk.state(plan) is State.BLOCKED_TAMPERED
    assert outcome.fresh is None
    assert outcome.why_no_fresh


def test_evidence_taken_out_of_the_stored_plan_blocks(desk: Desk) -> None:
    plan = desk.confirmed()
    thinner = msgspec.structs.replace(plan, evidence=(), no_evidence="trust me")
    overwrite(desk, plan.id, thinner.body)
    assert isinstance(desk.look.dispatch(plan.id), BlockedTampered)
    assert desk.effects == []


@pytest.mark.parametrize("body", [b"", b"{}", b"not JSON", b"\xff\xfe"])
def test_bytes_that_are_no_plan_block(desk: Desk, body: bytes) -> None:
    plan = desk.confirmed()
    overwrite(desk, plan.id, body)
    assert isinstance(desk.look.dispatch(plan.id), BlockedTampered)
    assert desk.effects == []


def test_a_plan_edited_before_the_yes_is_blocked_at_the_yes(desk: Desk) -> None:
    plan = desk.proposed()
    overwrite(desk, plan.id, edited(plan, b'"amount":80', b'"amount":8'))
    answer = desk.look.confirm(plan, by="ana")
    assert isinstance(answer, BlockedTampered)
    assert desk.state(plan) is State.BLOCKED_TAMPERED


def test_the_old_bytes_put_back_do_not_bring_the_plan_back(desk: Desk) -> None:
    plan = desk.confirmed()
    overwrite(desk, plan.id, edited(plan, b'"amount":80', b'"amount":8'))
    assert isinstance(desk.look.dispatch(plan.id), BlockedTampered)
    overwrite(desk, plan.id, plan.body)
    assert isinstance(desk.look.dispatch(plan.id), AlreadyUsed)
    assert desk.effects == []


def test_a_tampered_plan_is_not_shown(desk: Desk) -> None:
    plan = desk.proposed()
    overwrite(desk, plan.id, edited(plan, b'"amount":80', b'"amount":8'))
    with pytest.raises(SealMismatch):
        desk.look.get(plan.id)
    assert desk.look.pending() == ()


def test_the_body_of_another_plan_under_this_id_blocks(desk: Desk) -> None:
    plan, other = desk.confirmed(), desk.proposed()
    overwrite(desk, plan.id, other.body)
    assert isinstance(desk.look.dispatch(plan.id), BlockedTampered)
    assert desk.effects == []


def office(store: Any, slots: dict[str, Any], effects: list[str], *, version: str) -> Lastlook:
    look = Lastlook(sources={"slots": MemorySource(slots)}, store=store)

    @look.tool(writes=[], version=version)
    def book(slot_id: str) -> None:
        effects.append(slot_id)

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(book, slot_id=slot_id)

    return look


def test_a_tool_that_is_not_what_it_was_blocks_and_is_named(store: Any) -> None:
    slots, effects = {"slot-42": {"status": "available"}}, []
    before, after = (office(store, slots, effects, version=version) for version in "12")
    plan = before.world.planners["book_slot"].propose("slot-42")
    assert before.confirm(plan, by="ana").ok
    outcome = after.dispatch(plan.id)
    assert isinstance(outcome, BlockedStale)
    assert outcome.changed == {"tool:book": ("/version",)}
    assert effects == []
    assert outcome.fresh is not None
    assert outcome.fresh.tool("book").version == "2"
    before.close()
    after.close()


def test_a_changed_tool_does_not_hide_changed_evidence(store: Any) -> None:
    slots, effects = {"slot-42": {"status": "available"}}, []
    before, after = (office(store, slots, effects, version=version) for version in "12")
    plan = before.world.planners["book_slot"].propose("slot-42")
    assert before.confirm(plan, by="ana").ok
    slots["slot-42"] = {"status": "unavailable"}
    changed = after.dispatch(plan.id).changed
    assert changed == {"tool:book": ("/version",), "slots:slot-42": ("/status",)}
    before.close()
    after.close()


def test_a_program_without_the_tool_leaves_the_plan_as_it_was(desk: Desk) -> None:
    plan = desk.confirmed()
    bare = Lastlook(sources={"slots": MemorySource(desk.slots)}, store=desk.store)
    with pytest.raises(NotRegistered, match="book"):
        bare.dispatch(plan.id)
    bare.close()
    assert desk.state(plan) is State.CONFIRMED
    assert desk.look.dispatch(plan).ok


def test_a_source_of_the_same_name_elsewhere_is_not_the_source(desk: Desk, tmp_path: Any) -> None:
    plan = desk.confirmed()
    other = Lastlook(sources={"slots": JsonFiles(tmp_path)}, store=desk.store)

    @other.tool(writes=["slots:{slot_id}#status"], effect="books {slot_id} for {amount}")
    def book(act: Act, slot_id: str, amount: int) -> str:
        desk.effects.append(("elsewhere", slot_id, amount))
        return ""

    with pytest.raises(NotRegistered, match="slots:slot-42"):
        other.dispatch(plan.id)
    other.close()
    assert desk.state(plan) is State.CONFIRMED
    assert desk.effects == []


def test_a_program_without_the_planner_blocks_and_says_why_there_is_no_new_question(
    desk: Desk, open_desk: Callable[..., Desk]
) -> None:
    plan = desk.confirmed()
    other = open_desk(desk.slots)
    del other.look.world.planners["book_slot"]
    other.change(status="unavailable")
    outcome = other.look.dispatch(plan.id)
    assert isinstance(outcome, BlockedStale)
    assert outcome.fresh is None
    assert "book_slot is not registered here" in outcome.why_no_fresh
    fresh = desk.look.renew(plan)
    assert fresh.follows == plan.id


def test_a_yes_that_was_turned_to_another_seal_blocks(desk: Desk) -> None:
    plan = desk.confirmed()
    if isinstance(desk.store, MemoryStore):
        record = desk.store._plans[plan.id]
        yes = msgspec.structs.replace(record.confirmation, seal="sha256:00")
        desk.store._plans[plan.id] = msgspec.structs.replace(record, confirmation=yes)
    else:
        desk.look.close()
        with closing(sqlite3.connect(desk.store)) as connection, connection:
            connection.execute("UPDATE plans SET yes_seal = 'sha256:00'")
    assert isinstance(desk.look.dispatch(plan), BlockedTampered)
    assert desk.effects == []
