"""Every kind of tampering with the journal is found, and what was not touched is not."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.core.canonical import canonical_bytes
from lastlook.core.lifecycle import JournalRow, PlanRecord, State
from lastlook.errors import NotCanonical, StoreCorrupt, UnknownPlan
from lastlook.stores.driver import load
from lastlook.stores.journal import VerifyReport, heads_digest, verify
from lastlook.stores.memory import MemoryStore
from lastlook.stores.rows import data_bytes, data_value, row_bytes, row_digest
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import T0, added, apply, at, executed, executing, move, to_confirmed

ROW = JournalRow(
    plan="k7f3", row=2, at=T0, was=State.PENDING, state=State.CONFIRMED, by="person:ana",
    epoch=0, step=0, data={"seal": "5e"}, prev="ab" * 32,
)  # fmt: skip


def as_mapping(row: JournalRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__struct_fields__}


# --- rows and digests ------------------------------------------------------------------------------


def test_a_row_is_written_member_by_member():
    assert row_bytes(ROW, data_bytes(ROW.data)) == (
        b'{"at":{"$datetime":"2026-10-03T14:02:11.12Z"},"by":"person:ana","data":{"seal":"5e"},'
        b'"epoch":0,"key_id":null,"plan":"k7f3","prev":"' + b"ab" * 32 + b'","row":2,'
        b'"state":"confirmed","step":0,"was":"pending"}'
    )


def test_a_digest_is_over_the_tag_and_the_row():
    data = data_bytes(ROW.data)
    tagged = b"lastlook:journal/1\n" + row_bytes(ROW, data)
    assert row_digest(ROW, data) == hashlib.sha256(tagged).hexdigest()


def test_a_keyed_digest_needs_its_key():
    row = JournalRow(**{**as_mapping(ROW), "key_id": "key-1"})
    tagged = b"lastlook:journal/1\n" + row_bytes(row, None)
    assert row_digest(row, None, b"secret") == hmac.new(b"secret", tagged, "sha256").hexdigest()
    with pytest.raises(KeyError, match="key-1"):
        row_digest(row, None)


TEXTS = (
    st.text(max_size=8)
    | st.text(alphabet='$"\\/\n\x00\x1f\x7f<>a', max_size=8)
    | st.sampled_from(["$", "$$a", "$int", "$.a[*]", "\ue000", "\U0001f511", "\u20ac"])
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(
    data=VALUES,
    by=TEXTS,
    time=st.datetimes(timezones=st.just(UTC)),
    was=st.none() | st.sampled_from(State),
    key_id=st.none() | TEXTS,
)
def test_a_row_has_the_bytes_of_its_canonical_form(data, by, time, was, key_id):
    row = JournalRow(
        plan="k", row=1, at=time, was=was, state=State.PENDING, by=by, epoch=3, step=0,
        data=data, key_id=key_id, prev="",
    )  # fmt: skip
    assert row_bytes(row, data_bytes(data)) == canonical_bytes(as_mapping(row))


@given(VALUES | st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS), max_size=4))
def test_the_quick_way_to_write_data_gives_the_bytes_of_the_careful_one(data):
    kept = data_bytes(data)
    assert kept == (None if data is None else canonical_bytes(data))
    assert data_bytes(data_value(kept)) == kept


@pytest.mark.parametrize(
    "data",
    [
        {1: "a"},
        {"$a": "b"},
        {"a": "$b"},
        {"\ue000": 1, "\U0001f511": 2},
        {"a": "x" * 70_000},
        {"a": [T0]},
        {"a": State.PENDING},
        {"a": 1.0},
        {"a": 2**60},
    ],
    ids=lambda data: repr(data)[:40],
)
def test_data_that_is_not_plain_is_written_with_care(data):
    if 1 in data:
        with pytest.raises(NotCanonical):
            data_bytes(data)
    else:
        assert data_bytes(data) == canonical_bytes(data)


def test_a_name_without_utf_8_form_is_no_row():
    row = JournalRow(**{**as_mapping(ROW), "by": "person:\ud800"})
    with pytest.raises(NotCanonical):
        row_bytes(row, None)


# --- one head over all ----------------------------------------------------------------------------


def leaf(text: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + text).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def test_the_head_is_a_merkle_root_as_in_rfc_6962():
    a, b, c, d, e = (leaf(b"%s\n1\nff" % name) for name in (b"a", b"b", b"c", b"d", b"e"))
    heads = [(name, 1, "ff") for name in "ecabd"]
    root = node(node(node(a, b), node(c, d)), e)
    assert heads_digest(heads) == root.hex()
    assert heads_digest([]) == hashlib.sha256().hexdigest()
    assert heads_digest(heads[:1]) == e.hex()


def test_the_head_tells_counts_and_heads_apart():
    said = {heads_digest([("a", 1, "ff")]), heads_digest([("a", 2, "ff")]),
            heads_digest([("a", 1, "fe")]), heads_digest([("b", 1, "ff")])}  # fmt: skip
    assert len(said) == 4


# --- an intact journal ----------------------------------------------------------------------------


def test_an_empty_journal_is_intact():
    report = verify(MemoryStore())
    assert (report.rows, report.plans, report.keyed, report.ok) == (0, 0, 0, True)


def test_an_intact_journal_says_so_in_one_line():
    store = MemoryStore()
    executed(store, "a")
    executed(store, "b")
    report = verify(store)
    assert (report.rows, report.plans, report.problems) == (10, 2, ())
    assert report.text() == f"journal intact (head {report.head[:8]}, 10 rows)"
    assert VerifyReport(rows=4118, plans=2, problems=(), keyed=0, head="9c1e04ab" * 8).text() == (
        "journal intact (head 9c1e04ab, 4,118 rows)"
    )


# --- tampering -------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "plans.db")


@pytest.fixture
def store(path: str) -> Iterator[SqliteStore]:
    store = SqliteStore(path)
    executed(store, "other")
    executed(store)
    assert verify(store).ok
    store.close()
    yield store
    store.close()


def tamper(path: str, *statements: str) -> None:
    raw = load().connect(path, isolation_level=None)
    try:
        for statement in statements:
            raw.execute(statement)
    finally:
        raw.close()


WHERE = "WHERE plan = 'k7f3' AND \"row\""
SHIFT = (
    f'UPDATE journal SET "row" = "row" + 100 {WHERE} >= 3',
    f'UPDATE journal SET "row" = "row" - 99 {WHERE} >= 103',
)
INSERTED = """INSERT INTO journal (plan, "row", at, was, state, "by", epoch, step, prev)
    SELECT plan, {row}, at, {was}, {state}, "by", epoch, step, {prev} FROM journal
    WHERE plan = 'k7f3' AND "row" = {like}"""


@pytest.mark.parametrize(
    ("row", "column", "value"),
    [
        (1, "at", "'2026-10-03T14:02:11.120001Z'"),
        (1, '"by"', "'agent:other'"),
        (2, '"by"', "'person:bob'"),
        (2, "data", "CAST('{\"a\":1}' AS BLOB)"),
        (3, "epoch", "2"),
        (4, "step", "2"),
        (4, "state", "'unknown'"),
        (4, "was", "'confirmed'"),
        (5, "at", "'2026-10-03T14:02:12.000000Z'"),
        (5, "state", "'failed'"),
        (3, "prev", "'" + "00" * 32 + "'"),
        (2, "key_id", "'key-1'"),
        (3, "plan", "'other'"),
    ],
)
def test_an_edited_row_is_found(store, path, row, column, value):
    if column == "plan":
        tamper(path, f'UPDATE journal SET plan = {value}, "row" = 6 {WHERE} = {row}')
    else:
        tamper(path, f"UPDATE journal SET {column} = {value} {WHERE} = {row}")
    report = verify(store)
    assert not report.ok
    assert "k7f3" in {problem.plan for problem in report.problems}
    if column != "plan":
        assert {problem.plan for problem in report.problems} == {"k7f3"}
        assert {problem.row for problem in report.problems} & {row, row + 1}


@pytest.mark.parametrize("row", [1, 2, 3, 4])
def test_a_removed_row_is_found(store, path, row):
    tamper(path, f"DELETE FROM journal {WHERE} = {row}")
    report = verify(store)
    assert f"row {row + 1} stands where row {row} belongs" in {p.what for p in report.problems}
    assert {problem.plan for problem in report.problems} == {"k7f3"}


def test_a_removed_row_is_found_when_the_rest_is_numbered_anew(store, path):
    tamper(
        path,
        f"DELETE FROM journal {WHERE} = 3",
        f'UPDATE journal SET "row" = "row" - 1 {WHERE} > 3',
        "UPDATE plans SET \"rows\" = 4 WHERE id = 'k7f3'",
    )
    problems = verify(store).problems
    assert [problem.row for problem in problems if "was not chained" in problem.what] == [3, 4]


@pytest.mark.parametrize("keep", [4, 1])
def test_a_cut_tail_is_found(store, path, keep):
    tamper(path, f"DELETE FROM journal {WHERE} > {keep}")
    (problem,) = verify(store).problems
    assert problem.what == f"its journal ends at row {keep}, and it has had 5"


def test_a_cut_tail_is_found_when_the_count_is_lowered_with_it(store, path):
    tamper(
        path,
        f"DELETE FROM journal {WHERE} > 4",
        "UPDATE plans SET \"rows\" = 4, state = 'executing' WHERE id = 'k7f3'",
    )
    (problem,) = verify(store).problems
    assert (problem.plan, problem.row, problem.what) == ("k7f3", 4, "row 4 was changed")


def test_a_journal_that_is_gone_as_a_whole_is_found(store, path):
    tamper(path, "DELETE FROM journal WHERE plan = 'k7f3'")
    (problem,) = verify(store).problems
    assert problem.what == "it has no rows at all"


def test_a_plan_that_is_gone_is_found_by_its_rows(store, path):
    tamper(path, "PRAGMA foreign_keys = OFF", "DELETE FROM plans WHERE id = 'k7f3'")
    (problem,) = verify(store).problems
    assert (problem.plan, problem.what) == ("k7f3", "rows of a plan that isn't there")


def test_swapped_rows_are_found(store, path):
    tamper(
        path,
        f'UPDATE journal SET "row" = 99 {WHERE} = 3',
        f'UPDATE journal SET "row" = 3 {WHERE} = 4',
        f'UPDATE journal SET "row" = 4 {WHERE} = 99',
    )
    assert "row 4 stands where row 3 belongs" in {p.what for p in verify(store).problems}


def test_rows_in_another_order_of_writing_are_found(store, path):
    tamper(path, f"UPDATE journal SET seq = seq + 100 {WHERE} = 2")
    assert "row 3 stands where row 2 belongs" in {p.what for p in verify(store).problems}


def test_a_row_put_in_between_is_found(store, path):
    put = INSERTED.format(row=3, was="'confirmed'", state="'claimed'", prev="prev", like=2)
    tamper(path, *SHIFT, put)
    problems = verify(store).problems
    assert problems
    assert {problem.plan for problem in problems} == {"k7f3"}


def test_a_row_put_at_the_end_is_found(store, path):
    plan = store.get("k7f3")
    store.close()
    put = INSERTED.format(row=6, was="'executed'", state="'unknown'", prev=f"'{plan.head}'", like=5)
    tamper(path, put)
    said = {problem.what for problem in verify(store).problems}
    assert said == {
        "row 6 goes from executed to unknown, which is no way",
        "it has had 5 rows, and its journal has 6",
    }


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("state", "'confirmed'"),
        ("epoch", "7"),
        ("step", "7"),
        ("state_at", "'2026-10-03T14:02:12.000000Z'"),
    ],
)
def test_a_plan_that_stands_elsewhere_than_its_last_row_is_found(store, path, column, value):
    tamper(path, f"UPDATE plans SET {column} = {value} WHERE id = 'k7f3'")
    (problem,) = verify(store).problems
    assert (problem.plan, problem.row) == ("k7f3", 0)
    assert problem.what.startswith("the plan stands at ")


def test_a_plan_whose_head_was_changed_is_found(store, path):
    tamper(path, f"UPDATE plans SET head = '{'00' * 32}' WHERE id = 'k7f3'")
    (problem,) = verify(store).problems
    assert problem.what == "row 5 was changed"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("at", "'yesterday'"),
        ("state", "'done'"),
        ("data", "CAST('{\"a\":' AS BLOB)"),
        ("data", "CAST('{\"$what\":1}' AS BLOB)"),
        ('"by"', "CAST(X'FFFE' AS TEXT)"),
    ],
)
def test_a_row_that_cannot_be_read_is_found(store, path, column, value):
    tamper(path, f"UPDATE journal SET {column} = {value} {WHERE} = 3")
    report = verify(store)
    assert "" in {problem.plan for problem in report.problems}
    with pytest.raises(StoreCorrupt):
        list(store.rows("k7f3"))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("state", "'done'"),
        ("state_at", "'0001-01-01T00:00:00.000000Z'"),
        ("yes_at", "'now'"),
        ("yes_at", "NULL"),
        ("yes_by", "NULL"),
        ("yes_shown", "NULL"),
        ("yes_seal", "NULL"),
        ("lease_until", "'now'"),
        ("outcome", "X'FFFE'"),
        ("outcome", "CAST('[1]' AS BLOB)"),
    ],
)
def test_a_damaged_plan_is_named_and_takes_no_other_down(store, path, caplog, column, value):
    others = [plan.id for plan in store.plans() if plan.id != "k7f3"]
    assert others
    tamper(path, f"UPDATE plans SET {column} = {value} WHERE id = 'k7f3'")
    with pytest.raises(StoreCorrupt, match="plan k7f3") as damaged:
        store.get("k7f3")
    assert damaged.value.where == "k7f3"
    assert "lastlook doctor" in damaged.value.fix
    assert [plan.id for plan in store.plans()] == others
    assert "plan=k7f3 can't be read, and is left out" in caplog.messages
    assert [error.where for error in store.unreadable()] == ["k7f3"]
    assert [problem.plan for problem in verify(store).problems] == ["k7f3"]


def test_a_plan_that_cannot_be_fetched_takes_no_other_down(store, path):
    others = [plan.id for plan in store.plans() if plan.id != "k7f3"]
    tamper(path, "UPDATE plans SET yes_by = CAST(X'FFFE' AS TEXT) WHERE id = 'k7f3'")
    with pytest.raises(StoreCorrupt):
        store.get("k7f3")
    assert [plan.id for plan in store.plans()] == others
    assert store.plans([State.REJECTED]) == []
    (damaged,) = store.unreadable()
    assert damaged.where.startswith("(row ")
    assert not verify(store).ok


def test_a_look_that_cannot_be_read_is_a_corrupt_store(store, path):
    tamper(path, "UPDATE looks SET seen = CAST('{' AS BLOB) WHERE plan = 'k7f3'")
    with pytest.raises(StoreCorrupt, match="a look at plan k7f3"):
        store.looks("k7f3")


def test_damage_is_told_in_one_line(store, path):
    tamper(path, f"DELETE FROM journal {WHERE} = 5")
    assert verify(store).text() == "journal damaged (1 problem, 9 rows)"
    tamper(path, f"DELETE FROM journal {WHERE} = 2")
    report = verify(store)
    assert report.text() == f"journal damaged ({len(report.problems)} problems, 8 rows)"


def test_a_change_to_any_plan_changes_the_head():
    one, two = MemoryStore(), MemoryStore()
    for each in (one, two):
        executing(each)
        added(each, "other")
    assert verify(one).head == verify(two).head
    apply(two, to_confirmed(two.get("other"), look=None))
    assert verify(one).head != verify(two).head


# --- keyed rows ------------------------------------------------------------------------------------


class Keyed(MemoryStore):
    """A store whose rows are keyed from the second on; heads follow."""

    KEY = b"secret"

    def rows(self, plan_id: str = "", /) -> Iterator[JournalRow]:
        prev = ""
        for row in super().rows(plan_id):
            key_id = "key-1" if row.row > 1 else None
            keyed = JournalRow(**{**as_mapping(row), "key_id": key_id, "prev": prev})
            prev = row_digest(keyed, data_bytes(keyed.data), self.KEY)
            yield keyed

    def get(self, plan_id: str, /) -> PlanRecord:
        record = super().get(plan_id)
        *_, last = self.rows(plan_id)
        head = row_digest(last, data_bytes(last.data), self.KEY)
        return PlanRecord(**{**{n: getattr(record, n) for n in record.__struct_fields__},
                             "head": head})  # fmt: skip

    def plans(self, states=(), /):
        return [self.get(plan.id) for plan in super().plans(states)]


def test_keyed_rows_are_checked_with_their_key():
    store = Keyed()
    executing(store)
    report = verify(store, keys={"key-1": b"secret"})
    assert (report.ok, report.keyed, report.rows) == (True, 3, 4)
    assert not verify(store, keys={"key-1": b"another"}).ok


def test_keyed_rows_without_a_key_are_not_called_intact():
    store = Keyed()
    executing(store)
    said = [problem.what for problem in verify(store).problems]
    assert said == [f"row {n} can't be checked without the key key-1" for n in (2, 3, 4)]


# --- writers meanwhile -----------------------------------------------------------------------------


class Busy(MemoryStore):
    """A store in which something happens whenever its plans have just been listed."""

    def plans(self, states=(), /):
        found = super().plans(states)
        record = self.get("k7f3")
        if record.state is State.EXECUTING:
            apply(self, move(record, State.EXECUTING, step=record.step + 1))
        if record.rows < 6:
            added(self, f"new-{record.rows}")
        return found


def test_a_plan_that_moves_during_the_check_is_not_called_wrong():
    store = Busy()
    executing(store)
    report = verify(store)
    assert report.problems == ()
    assert (report.rows, report.plans) == (6, 2)


class Restless(MemoryStore):
    """A store whose one plan moves on between any two questions."""

    def get(self, plan_id: str, /) -> PlanRecord:
        record = super().get(plan_id)
        if record.rows < 50:
            apply(self, move(record, State.EXECUTING, step=record.step + 1, at=at(record.rows)))
        return record


def test_the_check_of_a_plan_that_never_rests_ends():
    store = Restless()
    with pytest.raises(UnknownPlan):
        store.get("k7f3")
    executing(store)
    store.get("k7f3")
    rows = list(store.rows())
    store.rows = lambda plan_id="", /: iter(rows[:4])  # type: ignore[method-assign]  # never catches up
    assert [problem.plan for problem in verify(store).problems] == ["k7f3"]
