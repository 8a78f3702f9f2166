"""`drift`: what alters a plan and would not block, and what blocks and alters nothing."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from lastlook import Lastlook, Planning
from lastlook.core.fields import field
from lastlook.errors import ConditionNotMet, DeclarationError
from lastlook.sources import MemorySource, PythonSource
from lastlook.stores.memory import MemoryStore
from lastlook.testing import DriftReport, drift
from lastlook.testing import drifting as module

SLOT = {
    "status": "available",
    "price": 80,
    "seats": 4,
    "tags": ["a", "b"],
    "time": "2026-11-03T14:00:00Z",
    "lines": [{"sku": "x", "qty": 1}, {"sku": "y", "qty": 2}],
    "owner": {"name": "Ana"},
}

Plans = Callable[[Planning, Lastlook, Any], None]


class Tried:
    """One planner over one slot, and a tool that takes anything."""

    def __init__(self, plans: Plans, record: dict[str, Any] = SLOT, **sources: Any) -> None:
        self.records: dict[str, Any] = {"a": record}
        self.store = MemoryStore()
        sources = {"slots": self.records, **sources}
        self.look = Lastlook(sources=sources, store=self.store)
        self.ran: list[object] = []

        @self.look.tool(writes=[])
        def act(value: Any = None) -> None:
            self.ran.append(value)

        @self.look.planner("Act on {key}")
        def planner(plan: Planning, key: str = "a") -> None:
            plans(plan, self.look, act)

        self.act, self.planner = act, planner

    def drift(self) -> DriftReport:
        return drift(self.planner)


def found(report: DriftReport) -> tuple[dict[str, str], dict[str, str]]:
    """By field, what is to be done."""
    missing = {each.field: each.fix for each in report.missing}
    return missing, {each.field: each.fix for each in report.needless}


def test_a_planner_that_declares_what_it_uses_is_ok() -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        slot = plan.read("slots:a", "status == 'available'", "price")
        plan.step(act, slot["price"])

    report = Tried(plans).drift()
    assert report.ok
    assert report.records == ("slots:a",)
    assert report.tried > 20
    assert report.text() == (
        f"drift of planner: 0 missing, 0 needless; 1 record, {report.tried} changes tried"
    )


def test_an_argument_from_a_field_that_may_move_is_missing() -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.step(act, plan.read("slots:a", "price <= 200")["price"])

    report = Tried(plans).drift()
    (finding,) = report.missing
    assert (finding.record, finding.field, finding.alters) == (
        "slots:a", "price", ("act: value",),
    )  # fmt: skip
    assert finding.changes == ("one more", "one less", "zero")
    assert finding.fix == "let price stay, instead of price <= 200"
    assert not report.ok


def test_what_is_read_past_the_plan_is_missing() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "status == 'available'")
        plan.step(act, look.read("slots:a", "price")["price"])

    assert found(Tried(plans).drift()) == ({"price": "declare price"}, {})


def test_a_record_that_the_plan_does_not_rest_on_is_to_be_read_by_it() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.no_evidence("none")
        plan.step(act, look.read("slots:a", "price")["price"])

    assert found(Tried(plans).drift()) == ({"price": "plan.read('slots:a', 'price')"}, {})


def test_an_error_from_a_field_that_is_not_declared_is_missing() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "status == 'available'")
        if look.read("slots:a", field("seats").optional).view.get("seats", 9) < 2:
            raise LookupError("too few")
        plan.step(act)

    (finding,) = Tried(plans).drift().missing
    assert finding.alters == ("raises LookupError", "raises TypeError")
    assert finding.changes == ("zero", "null")


def test_items_of_a_list_are_told_as_the_list() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "status == 'available'")
        lines = look.read("slots:a", "lines")["lines"]
        plan.step(act, sum(line["qty"] for line in lines))

    assert found(Tried(plans).drift()) == ({"lines": "declare lines"}, {})


def test_one_member_of_each_item_is_told_by_a_wildcard() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "status == 'available'")
        found = look.read("slots:a", field("/lines/0/unit price").optional)
        plan.step(act, found.view.get("/lines/0/unit price") == 7)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = Tried(plans, SLOT | {"lines": [{"unit price": 7}]}).drift()
    assert [each.field for each in report.missing] == ["lines"]
    only = module.missing(
        [
            module.Seen(
                place="s:a", ref="s:a", path=("lines", 0, "unit price"), word="one more",
                altered=("intent",), blocked=False, stale=(),
            )
        ],
        {},
    )  # fmt: skip
    assert only[0].field == '$.lines[*]["unit price"]'


def test_a_member_of_a_member_is_told_and_its_parent_is_not() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "status == 'available'")
        owner = look.read("slots:a", "owner")["owner"]
        plan.step(act, owner["name"])

    assert found(Tried(plans).drift())[0] == {"/owner/name": "declare /owner/name"}


def test_an_order_that_is_used_though_declared_unordered_is_missing() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "tags (unordered)")
        plan.step(act, look.read("slots:a", "tags")["tags"][0])

    report = Tried(plans).drift()
    (finding,) = report.missing
    assert (finding.field, finding.changes) == ("tags", ("in another order",))
    assert finding.fix == "let tags stay, instead of tags (unordered)"
    assert found(report)[1] == {"tags": "a condition, or only the parts that count"}


def test_a_wildcard_that_lets_a_value_move_is_told_by_its_own_name() -> None:
    pytest.importorskip("jsonpath")

    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "$.lines[*].qty >= 1")
        plan.step(act, max(look.read("slots:a", "$.lines[*].qty")["$.lines[*].qty"]))

    missing, _ = found(Tried(plans).drift())
    assert missing["$.lines[*].qty"] == "let $.lines[*].qty stay, instead of $.lines[*].qty >= 1"


def test_a_field_that_nothing_is_made_of_is_needless() -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.read("slots:a", "time", "status == 'available'")
        plan.step(act)

    report = Tried(plans).drift()
    assert found(report) == ({}, {"time": "leave it out, unless the person decides by it"})
    assert report.needless[0].alters == ()
    assert not report.ok


@pytest.mark.parametrize(
    ("name", "use", "fix"),
    [
        ("tags", sorted, "tags (unordered)"),
        ("time", lambda text: text.replace("Z", "+00:00"), "time (instant)"),
        ("seats", lambda count: 1 // (count > 0) + (count > 4) * 0, "a condition: seats >= ..."),
        ("seats", lambda count: 1 // (count < 1000), "a condition: seats <= ..."),
        ("lines", len, "a condition, or only the parts that count"),
    ],
)
def test_a_field_of_which_only_part_counts_is_to_be_said_more_narrowly(
    name: str, use: Callable[[Any], object], fix: str
) -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        value = plan.read("slots:a", name)[name]
        plan.step(act, use(value))

    assert found(Tried(plans).drift()) == ({}, {name: fix})


def test_text_in_another_unicode_form_is_spared_by_nfc() -> None:
    from unicodedata import normalize

    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.step(act, normalize("NFC", plan.read("slots:a", "name")["name"]))

    assert found(Tried(plans, {"name": "Café"}).drift()) == ({}, {"name": "name (nfc)"})


def test_a_value_that_a_condition_is_made_of_is_missing() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        seats = look.read("slots:a", "seats")["seats"]
        plan.read("slots:a", field("price").at_least(seats))
        plan.step(act)

    report = Tried(plans).drift()
    assert report.missing[0].field == "seats"
    assert "conditions" in report.missing[0].alters


def test_what_the_plan_reads_next_is_part_of_the_plan() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "price")
        name = look.read("slots:a", "owner")["owner"]["name"]
        plan.read(f"people:{'x' if name == 'Ana' else 'y'}", "age")
        plan.step(act)

    people = {"x": {"age": 1}, "y": {"age": 1}}
    report = Tried(plans, people=people).drift()
    assert report.records == ("slots:a", "people:x")
    assert report.missing[0].alters[0] == "refs"


def test_other_steps_and_another_intent_are_told() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "price")
        for _ in look.read("slots:a", "tags")["tags"]:
            plan.step(act)

    assert "steps" in Tried(plans).drift().missing[0].alters

    tried = Tried(plans)
    base = tried.planner.draft({"key": "a"}, Planning(tried.look.world, tried.look.tools))
    other = tried.planner.draft({"key": "b"}, Planning(tried.look.world, tried.look.tools))
    assert list(module._different(base, other)) == ["intent"]


def test_a_step_that_rests_on_other_refs_is_another_step() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "price")
        plan.read("people:x", "age == 1")
        step = plan.step(act)
        tags = look.read("slots:a", "tags")["tags"]
        plan.narrow(step, "people:x" if "b" in tags else "slots:a")

    report = Tried(plans, people={"x": {"age": 1}}).drift()
    assert report.missing[0].alters[0] == "steps"


def with_query(may: Any) -> Tried:
    source = MemorySource({"a": {"price": 80, "seen": 1}, "b": {"price": 70, "seen": 1}})

    @source.query("price <= 100", may=may)
    def cheap(records: Any, most: int) -> Any:
        return dict(records)

    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        members = plan.query(cheap, 100)
        plan.step(act, [[member.key, member["price"]] for member in members])

    return Tried(plans, offers=source)


def test_the_members_of_a_query_are_changed_too() -> None:
    report = with_query("").drift()
    assert report.records == ("offers:cheap",)
    (finding,) = report.missing
    assert (finding.record, finding.field) == ("offers:cheap", "price")
    assert finding.fix == "let price stay, instead of price <= 100 in the query offers:cheap"
    assert report.needless == ()


def test_a_member_that_may_come_and_counts_is_missing() -> None:
    report = with_query("grow").drift()
    assert found(report)[0]["$"] == "leave may= out in the query offers:cheap"


def test_members_that_nothing_is_made_of_are_needless() -> None:
    source = MemorySource({"a": {"price": 80}})

    @source.query()
    def all_of_them(records: Any) -> Any:
        return dict(records)

    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.query(all_of_them)
        plan.step(act)

    (finding,) = Tried(plans, offers=source).drift().needless
    assert (finding.field, finding.changes) == ("members", ("a member more", "a member less"))


def test_nothing_is_stored_run_asked_or_changed() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        slot = look.read("slots:a", "price")
        look.propose("Another", [act.step("a")], evidence=[slot])
        plan.read("slots:a", "price")
        plan.step(act, slot["price"])

    tried = Tried(plans)
    report = tried.drift()
    assert report.tried > 20
    assert tried.records == {"a": SLOT}
    assert list(tried.store.plans()) == []
    assert tried.ran == []


def test_a_source_is_read_once_for_each_record() -> None:
    asked: list[str] = []

    def fetch(key: str) -> object:
        asked.append(key)
        return {"age": 1}

    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.step(act, plan.read("people:x", "age")["age"])

    assert Tried(plans, people=PythonSource(fetch)).drift().ok
    assert asked == ["x"]


def test_a_secret_fields_changes_are_told_without_its_value() -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.read("slots:a", "pin == 'hunter2' (secret)", field("iban").secret)
        plan.step(act)

    report = Tried(plans, {"pin": "hunter2", "iban": "DE02"}).drift()
    assert [each.field for each in report.needless] == ["iban"]
    assert "hunter2" not in report.text() + repr(report)
    assert "DE02" not in report.text() + repr(report)


def test_two_reports_of_one_planner_are_the_same() -> None:
    def plans(plan: Planning, look: Lastlook, act: Any) -> None:
        plan.read("slots:a", "tags", "time")
        plan.step(act, look.read("slots:a", "lines")["lines"])

    assert Tried(plans).drift() == Tried(plans).drift()


def test_a_planner_that_comes_to_another_plan_each_time_is_refused() -> None:
    numbers = itertools.count()

    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.read("slots:a", "price")
        plan.step(act, next(numbers))

    with pytest.raises(DeclarationError, match="another plan from the same records: act: value"):
        Tried(plans).drift()


def test_what_a_proposal_would_raise_comes_through_and_all_is_given_back() -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.read("slots:a", "price >= 100")
        plan.step(act)

    tried = Tried(plans)
    sources = tried.look.world.sources
    with pytest.raises(ConditionNotMet):
        tried.drift()
    assert tried.look.world.sources is sources
    assert tried.look.world.store is tried.store


def test_what_is_no_planner_is_refused() -> None:
    tried: Any = Tried(lambda *_: None)
    with pytest.raises(DeclarationError, match="not a Tool"):
        drift(tried.act)


def test_too_many_changes_are_cut_and_the_report_says_so() -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.read("slots:a", "price == 80")
        plan.step(act)

    record = {"price": 80} | {f"n{n}": n for n in range(300)}
    report = Tried(plans, record).drift()
    assert report.tried == module.LIMIT
    assert report.left_out > 500
    assert f"At least {report.left_out:,} changes more were left out." in report.text()


def test_the_table_and_the_repr_name_record_field_change_and_what_to_do() -> None:
    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        slot = plan.read("slots:a", "price <= 200", "lines")
        plan.step(act, slot["price"])

    report = Tried(plans).drift()
    lines = report.text().splitlines()
    assert lines[0].startswith("drift of planner: 1 missing, 1 needless; 1 record, ")
    assert lines[2] == "MISSING: these alter the plan, and nothing blocks"
    assert lines[3].split() == ["RECORD", "FIELD", "CHANGE", "ALTERS", "TO", "DO"]
    assert "one more, one less, zero" in lines[4]
    assert lines[6] == "NEEDLESS: these block, and the plan stays as it was"
    assert "ALTERS" not in lines[7]
    assert "more" in lines[8]
    assert str(report) == report.text()
    assert repr(report.missing).startswith("(<slots:a | price | one more, one less, zero | act")
    assert repr(report.missing[0]) in repr(report)


def test_sources_without_queries_and_absent_records_are_read_as_they_are() -> None:
    class Plain:
        blocking = False
        consistency = "linearizable"
        absence_is_proof = True
        timeout = 1.0

        def read(self, _key: str) -> Any:
            from lastlook.sources import NotFound

            return NotFound()

        def describe(self) -> dict[str, object]:
            return {"kind": "plain"}

    def plans(plan: Planning, _: Lastlook, act: Any) -> None:
        plan.absent("bookings:a")
        plan.step(act)

    report = Tried(plans, bookings=Plain()).drift()
    assert (report.records, report.tried, report.ok) == (("bookings:a",), 0, True)
