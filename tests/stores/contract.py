"""What every store promises; a store's tests are this class with a `store` fixture."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from msgspec.structs import replace

from lastlook.core.lifecycle import Look, State
from lastlook.core.ports import Store
from lastlook.errors import LastlookError, NotCanonical, SealMismatch, UnknownPlan, WrongState
from lastlook.stores.journal import verify
from tests.stores.world import (
    T0,
    added,
    apply,
    at,
    confirmed,
    everything,
    executed,
    executing,
    move,
    new_plan,
    to_claimed,
    to_confirmed,
    to_executing,
    yes,
)

BERLIN = timezone(timedelta(hours=2))


def together(race: Callable[[int], None], threads: int) -> None:
    """Run `race` in several threads that the interpreter switches as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        racing = [threading.Thread(target=race, args=(me,)) for me in range(threads)]
        for thread in racing:
            thread.start()
        for thread in racing:
            thread.join(60)
    finally:
        sys.setswitchinterval(before)


class StoreContract:
    # --- adding ---------------------------------------------------------------------------------

    def test_a_new_plan_comes_back_as_it_was_given(self, store: Store):
        new = new_plan(key="mail-17", salts={"a:b#/c": b"\x00" * 32, "a:b#/d": b"\xff" * 32})
        record = store.add(new)
        assert record == store.get("k7f3")
        assert record is not None
        for name in ("id", "lineage", "number", "follows", "requested_by", "key", "body", "seal"):
            assert getattr(record, name) == getattr(new, name)
        assert (record.state, record.state_at, record.salts) == (State.PENDING, T0, new.salts)
        assert (record.epoch, record.step, record.rows) == (0, 0, 1)
        assert len(record.head) == 64
        assert record.owner is record.lease_until is record.confirmation is None
        assert record.burned_at is record.outcome is None

    def test_the_first_row_says_who_asked(self, store: Store):
        added(store, data={"seal": "5e5e"})
        (row,) = store.rows("k7f3")
        assert (row.plan, row.row, row.at, row.was) == ("k7f3", 1, T0, None)
        assert (row.state, row.by, row.data) == (State.PENDING, "agent:support", {"seal": "5e5e"})
        assert (row.epoch, row.step, row.key_id, row.prev) == (0, 0, None, "")

    def test_any_bytes_are_a_body(self, store: Store):
        body = bytes(range(256)) * 40
        assert added(store, body=body).body == store.get("k7f3").body == body

    def test_an_id_is_taken_once(self, store: Store):
        added(store)
        before = everything(store)
        assert store.add(new_plan(body=b"another", requested_by="agent:other")) is None
        assert everything(store) == before

    def test_a_blocked_plan_has_one_fresh_plan(self, store: Store):
        added(store)
        assert added(store, "k7f3.2", follows="k7f3").follows == "k7f3"
        before = everything(store)
        assert store.add(new_plan("k7f3.3", follows="k7f3")) is None
        assert everything(store) == before
        assert added(store, "k7f3.3", follows="k7f3.2").number == 3

    def test_a_plan_cannot_follow_one_that_is_not_there(self, store: Store):
        with pytest.raises(UnknownPlan, match="k7f3"):
            store.add(new_plan("k7f3.2", follows="k7f3"))
        assert everything(store) == ([], [], [])

    def test_a_requester_uses_a_key_once(self, store: Store):
        added(store, key="mail-17")
        before = everything(store)
        assert store.add(new_plan("q8d1", key="mail-17")) is None
        assert everything(store) == before
        assert added(store, "q8d1", key="mail-17", requested_by="agent:other").key == "mail-17"
        assert added(store, "r2a9", key="mail-18").key == "mail-18"

    def test_a_fresh_plan_takes_its_predecessors_key_over(self, store: Store):
        added(store, key="mail-17")
        added(store, "k7f3.2", key="mail-17", follows="k7f3")
        found = store.by_key("agent:support", "mail-17")
        assert found is not None
        assert found.id == "k7f3"

    def test_many_plans_have_no_key(self, store: Store):
        assert [added(store, name).key for name in ("a", "b", "c")] == [None, None, None]

    @pytest.mark.parametrize(
        "changes",
        [
            {"at": datetime(2026, 10, 3, 14, 2)},
            {"at": datetime(1, 1, 1, tzinfo=BERLIN)},
            {"id": "k\ud800"},
            {"key": "k\ud800"},
            {"requested_by": "agent:\udfff"},
            {"salts": {"\ud800": b""}},
            {"data": {"seal": float("nan")}},
            {"data": object()},
        ],
        ids=str,
    )
    def test_what_cannot_be_written_down_is_refused_whole(self, store: Store, changes):
        with pytest.raises(NotCanonical):
            store.add(new_plan(**changes))
        assert everything(store) == ([], [], [])

    # --- moving ---------------------------------------------------------------------------------

    def test_a_plan_lives_its_life(self, store: Store):
        record = added(store, salts={"a": b"1"})
        record = apply(store, to_confirmed(record))
        assert (record.state, record.confirmation, record.epoch) == (State.CONFIRMED, yes(), 0)
        record = apply(store, to_claimed(record))
        assert (record.epoch, record.owner, record.lease_until) == (1, "host:boot:17", at(90))
        record = apply(store, to_executing(record, at=at(33)))
        assert (record.step, record.burned_at, record.state_at) == (1, at(33), at(33))
        record = apply(store, move(record, State.EXECUTED, outcome=b"{}"))
        assert (record.outcome, record.owner, record.lease_until) == (b"{}", None, None)
        assert (record.confirmation, record.burned_at) == (yes(), at(33))
        assert (record.rows, record.salts) == (5, {"a": b"1"})
        assert store.get("k7f3") == record
        assert verify(store).ok

    def test_each_move_writes_one_row_that_is_chained_to_the_last(self, store: Store):
        record = executed(store)
        rows = list(store.rows("k7f3"))
        states = [State.PENDING, State.CONFIRMED, State.CLAIMED, State.EXECUTING, State.EXECUTED]
        assert [row.row for row in rows] == [1, 2, 3, 4, 5]
        assert [row.state for row in rows] == states
        assert [row.was for row in rows] == [None, *states[:-1]]
        assert [row.epoch for row in rows] == [0, 0, 1, 1, 1]
        assert [row.step for row in rows] == [0, 0, 0, 1, 1]
        assert rows[1].by == "person:ana"
        assert len({row.prev for row in rows} | {record.head}) == 6

    @pytest.mark.parametrize(
        "changes",
        [
            {"expect": State.PENDING, "to": State.CONFIRMED},
            {"expect_epoch": 1},
            {"plan": "gone"},
        ],
        ids=["another state", "another epoch", "another plan"],
    )
    def test_a_move_that_expects_something_else_changes_nothing(self, store: Store, changes):
        record = confirmed(store)
        before = everything(store)
        look = Look(moment="before_step_1", at=T0, seen={})
        given = {"to": State.CLAIMED, "look": look, "outcome": b"{}", **changes}
        assert store.move(move(record, **given)) is None
        assert everything(store) == before

    def test_a_move_applies_once(self, store: Store):
        wanted = to_claimed(confirmed(store))
        assert store.move(wanted) is not None
        assert store.move(wanted) is None

    def test_an_older_epoch_cannot_write_any_more(self, store: Store):
        zombie = apply(store, to_claimed(confirmed(store)))
        freed = apply(store, move(zombie, State.CONFIRMED))
        apply(store, to_claimed(freed))
        assert store.move(to_executing(zombie)) is None

    def test_a_yes_is_used_up_once(self, store: Store):
        record = executing(store)
        before = everything(store)
        assert store.move(to_executing(record, step=2)) is None
        assert everything(store) == before
        assert store.move(to_executing(record, step=2, burn=False)) is not None

    @pytest.mark.parametrize("to", [State.EXECUTED, State.UNKNOWN, State.PENDING, State.CLAIMED])
    def test_an_arrow_that_is_none_is_refused(self, store: Store, to):
        record = added(store)
        before = everything(store)
        with pytest.raises(WrongState, match="pending"):
            store.move(move(record, to))
        assert everything(store) == before

    def test_a_final_state_is_left_by_nobody(self, store: Store):
        record = executed(store)
        for to in State:
            with pytest.raises(WrongState):
                store.move(move(record, to))

    def test_a_yes_for_another_plan_is_none(self, store: Store):
        record = added(store)
        before = everything(store)
        with pytest.raises(SealMismatch, match="q8d1"):
            store.move(to_confirmed(record, confirmation=yes("q8d1")))
        assert everything(store) == before

    @pytest.mark.parametrize(
        "changes",
        [
            {"at": datetime(2026, 10, 3)},
            {"lease_until": datetime(2026, 10, 3)},
            {"confirmation": yes(at=datetime(2026, 10, 3))},
            {"look": Look(moment="at_yes", at=datetime(2026, 10, 3), seen={})},
            {"by": "person:\ud800"},
            {"owner": "host:\ud800"},
            {"confirmation": yes(by="person:\ud800")},
            {"look": Look(moment="\ud800", at=T0, seen={})},
            {"look": Look(moment="at_yes", at=T0, seen={"a": "\ud800"})},
            {"look": Look(moment="at_yes", at=T0, seen={"a": float("nan")})},
            {"look": Look(moment="at_yes", at=T0, seen=object())},
            {"data": {"a": {1, 2}}},
            {"outcome": b"\xff\xfe"},
            {"outcome": b"[1]"},
            {"outcome": b'{"a":'},
            {"outcome": b'{"a":"\xff"}'},
            {"outcome": b"[" * 100_000},
        ],
        ids=lambda changes: str(changes)[:60],
    )
    def test_a_move_that_cannot_be_written_down_is_refused_whole(self, store: Store, changes):
        record = added(store)
        before = everything(store)
        with pytest.raises(NotCanonical):
            store.move(to_confirmed(record, **changes))
        assert everything(store) == before

    def test_times_come_back_as_the_same_instant_in_utc(self, store: Store):
        local = datetime(2026, 10, 3, 16, 2, 11, 120_001, tzinfo=BERLIN)
        look = Look(moment="at_yes", at=local, seen={})
        record = added(store, at=local)
        record = apply(
            store,
            to_confirmed(
                record, at=local, lease_until=local, confirmation=yes(at=local), look=look
            ),
        )
        assert record.confirmation is not None
        (seen,) = store.looks("k7f3")
        times = [
            record.state_at,
            record.lease_until,
            record.confirmation.at,
            seen.at,
            *(row.at for row in store.rows()),
        ]
        assert times == [local] * 6
        assert {time.tzinfo for time in times if time} == {UTC}
        assert store.get("k7f3") == record

    def test_a_confirmation_keeps_all_it_says(self, store: Store):
        keyed = yes(key_id="key-1", mac="ab" * 32)
        apply(store, to_confirmed(added(store), confirmation=keyed))
        assert store.get("k7f3").confirmation == keyed

    def test_what_a_row_says_comes_back_as_it_was(self, store: Store):
        data = {
            "fields": ["orders:#W1#/items", "$.lines[*]"],
            "$.lines[*]": 3,
            "ratio": 0.25,
            "big": 2**80,
            "when": at(1),
            "nested": {"none": None, "yes": True, "ärger": ["\U0001f511", ""]},
        }
        apply(store, to_confirmed(added(store), data=data))
        assert list(store.rows())[1].data == data
        assert verify(store).ok

    def test_what_was_written_does_not_change_with_what_was_given(self, store: Store):
        data = {"fields": ["status"]}
        seen = {"orders:#W1": ["delivered"]}
        look = Look(moment="at_yes", at=T0, seen=seen)
        salts = {"a": b"1"}
        apply(store, to_confirmed(added(store, salts=salts), data=data, look=look))
        data["fields"].append("price")
        seen["orders:#W1"].append("gone")
        salts["b"] = b"2"
        store.get("k7f3").salts["c"] = b"3"
        store.plans()[0].salts["c"] = b"3"
        assert list(store.rows())[1].data == {"fields": ["status"]}
        assert store.looks("k7f3")[0].seen == {"orders:#W1": ["delivered"]}
        assert store.get("k7f3").salts == {"a": b"1"}
        assert verify(store).ok

    # --- asking ---------------------------------------------------------------------------------

    def test_a_plan_that_is_not_there_is_unknown(self, store: Store):
        with pytest.raises(UnknownPlan, match="k7f3"):
            store.get("k7f3")
        with pytest.raises(UnknownPlan, match="k7f3"):
            store.newest("k7f3")
        assert store.by_key("agent:support", "mail-17") is None
        assert list(store.plans()) == list(store.rows("k7f3")) == list(store.looks("k7f3")) == []

    def test_a_name_that_is_no_text_is_the_name_of_nothing(self, store: Store):
        record = added(store)
        odd = "\udcff\udcfe"
        with pytest.raises(UnknownPlan):
            store.get(odd)
        with pytest.raises(UnknownPlan):
            store.newest(odd)
        assert store.by_key(odd, "mail-17") is None
        assert store.by_key("agent:support", odd) is None
        assert list(store.rows(odd)) == list(store.looks(odd)) == []
        assert store.move(replace(to_confirmed(record), plan=odd, confirmation=None)) is None
        assert list(store.unreadable()) == []

    def test_ids_are_told_apart_by_every_letter(self, store: Store):
        added(store, "K7F3")
        with pytest.raises(UnknownPlan):
            store.get("k7f3")
        assert store.get("K7F3").id == "K7F3"

    def test_the_newest_of_a_lineage_has_the_highest_number(self, store: Store):
        added(store)
        added(store, "q8d1")
        added(store, "k7f3.2", follows="k7f3")
        assert store.newest("k7f3").id == "k7f3.2"
        assert store.newest("q8d1").id == "q8d1"

    def test_plans_are_listed_by_state_oldest_first(self, store: Store):
        for name in ("b", "a", "c"):
            added(store, name)
        apply(store, to_confirmed(store.get("a")))
        assert [plan.id for plan in store.plans()] == ["b", "a", "c"]
        assert [plan.id for plan in store.plans([State.PENDING])] == ["b", "c"]
        assert [plan.id for plan in store.plans({State.PENDING, State.CONFIRMED})] == [
            "b",
            "a",
            "c",
        ]
        assert list(store.plans(iter([State.EXPIRED]))) == []

    def test_the_journal_of_all_is_in_the_order_of_writing(self, store: Store):
        first, second = added(store, "a"), added(store, "b")
        apply(store, to_confirmed(second))
        apply(store, to_confirmed(first))
        assert [(row.plan, row.row) for row in store.rows()] == [
            ("a", 1),
            ("b", 1),
            ("b", 2),
            ("a", 2),
        ]
        assert [row.row for row in store.rows("b")] == [1, 2]

    def test_a_long_journal_is_read_to_its_end(self, store: Store):
        record = executing(store)
        for _ in range(1_100):
            record = apply(store, move(record, State.EXECUTING, step=record.step + 1))
        assert [row.row for row in store.rows()] == list(range(1, 1_105))
        assert verify(store).rows == 1_104

    def test_the_journal_can_be_read_while_it_grows(self, store: Store):
        record = executing(store)
        for row in store.rows():
            if row.row < 4:
                record = apply(store, move(record, State.EXECUTING, step=record.step + 1))
        assert record.rows == 7
        assert verify(store).ok

    def test_looks_come_in_the_order_in_which_they_were_taken(self, store: Store):
        record = confirmed(store)
        first = Look(moment="before_step_1", at=at(2), seen={"a": ["value", 1.5, 2, None]})
        record = apply(store, to_claimed(record, look=first))
        second = Look(moment="before_step_1", at=at(1), seen=[])
        apply(store, to_executing(record, look=second))
        assert [look.moment for look in store.looks("k7f3")] == [
            "at_yes",
            "before_step_1",
            "before_step_1",
        ]
        assert list(store.looks("k7f3"))[1:] == [first, second]

    def test_a_closed_store_can_be_closed_again(self, store: Store):
        record = added(store)
        store.close()
        store.close()
        assert store.get("k7f3") == record

    def test_it_says_where_it_is_and_why(self, store: Store):
        assert store.where
        assert store.why
        assert store.durable in {True, False}

    # --- racing ---------------------------------------------------------------------------------

    def test_of_many_threads_one_gets_the_claim(self, store: Store):
        threads, rounds = 8, 20
        for n in range(rounds):
            confirmed(store, f"p{n}")
        barrier = threading.Barrier(threads, timeout=30)
        won: list[tuple[int, int]] = []
        errors: list[LastlookError] = []

        def race(me: int) -> None:
            for n in range(rounds):
                wanted = to_claimed(store.get(f"p{n}"), owner=f"thread-{me}")
                barrier.wait()
                try:
                    if store.move(wanted) is not None:
                        won.append((n, me))
                except LastlookError as error:
                    errors.append(error)

        together(race, threads)
        assert errors == []
        assert sorted(n for n, _ in won) == list(range(rounds))
        assert {(n, store.get(f"p{n}").owner) for n in range(rounds)} == {
            (n, f"thread-{me}") for n, me in won
        }
        assert verify(store).ok

    def test_of_many_threads_one_gets_the_id_and_one_the_key(self, store: Store):
        threads = 8
        barrier = threading.Barrier(threads, timeout=30)
        won: list[str] = []

        def race(me: int) -> None:
            barrier.wait()
            if store.add(new_plan(body=b"%d" % me, requested_by=f"agent:{me}")) is not None:
                won.append("id")
            if store.add(new_plan(f"t{me}", key="mail-17")) is not None:
                won.append("key")

        together(race, threads)
        assert sorted(won) == ["id", "key"]
        assert verify(store).ok
