"""Planners and what they are given: they read, name steps, and can be called again."""

from __future__ import annotations

import functools
import hashlib
import inspect
from typing import Annotated, Any

import pytest

from lastlook import Facts, Lastlook, Planning, field
from lastlook.errors import (
    BadArguments,
    CaptureFailed,
    DeclarationError,
    LastlookError,
    NotAllowed,
    NotDeclared,
)
from lastlook.fields import one_of
from lastlook.sources import MemorySource
from lastlook.testing import FakeClock, Hang, ScriptedSource

SLOTS = {"a": {"status": "free", "price": 80, "at": "2026"}, "b": {"status": "held"}}


class Slot(Facts):
    status: Annotated[str, one_of("free", "held")]
    price: int


class Office:
    def __init__(self) -> None:
        self.source = ScriptedSource(lambda key: dict(SLOTS[key]))
        self.look = Lastlook(
            sources={"slots": self.source, "memory": MemorySource({"here": {}})},
            store="memory",
            clock=FakeClock(),
        )

        @self.look.tool(writes=["slots:{slot_id}#status"], effect="books {slot_id}")
        def book(slot_id: str, amount: int = 1) -> dict[str, str]:
            return {"id": slot_id}

        self.book = book

    def plan(self, work: Any, intent: str = "Try", **options: Any) -> Any:
        """Propose a plan of what `work` does, and book a slot at its end."""
        names = self.look.world.planners

        @self.look.planner(intent, name=f"planner{len(names)}", **options)
        def made(plan: Planning) -> None:
            work(plan)
            plan.step(self.book, slot_id="a")

        return made.propose()


@pytest.fixture
def office() -> Office:
    return Office()


# --- reading -------------------------------------------------------------------------------------


def test_one_record_is_read_once_in_a_run_and_its_fields_are_put_together(office: Office) -> None:
    seen: list[Any] = []

    def work(plan: Planning) -> None:
        seen.append(plan.read("slots:a", "status"))
        seen.append(plan.read("slots:a", "price <= 90"))
        seen.append(plan.read("slots:a", "status"))

    plan = office.plan(work)
    assert office.source.reads == ["a"]
    assert [str(item) for item in plan.evidence[0].fields] == ["price <= 90", "status"]
    assert seen[0]["status"] == "free"
    with pytest.raises(NotDeclared):
        seen[0]["price"]
    assert seen[1]["price"] == 80


def test_one_field_with_two_meanings_is_refused(office: Office) -> None:
    def work(plan: Planning) -> None:
        plan.read("slots:a", "price <= 90")
        plan.read("slots:a", "price <= 100")

    with pytest.raises(DeclarationError, match="declared twice, as price <= 90 and as price <="):
        office.plan(work)


def test_what_a_secret_is_compared_with_is_not_told_by_the_error(office: Office) -> None:
    def work(plan: Planning) -> None:
        plan.read("slots:a", field("status").equals("free").secret)
        plan.read("slots:a", field("status").one_of("free", "held").secret)

    with pytest.raises(DeclarationError, match="declared twice") as caught:
        office.plan(work)
    assert "free" not in str(caught.value)


def test_a_record_read_by_a_class_gives_its_facts_typed(office: Office) -> None:
    seen: list[Slot] = []
    plan = office.plan(lambda plan: seen.append(plan.read("slots:a", Slot).facts))
    assert (seen[0].status, seen[0].price) == ("free", 80)
    assert [str(item) for item in plan.evidence[0].fields] == [
        "price", "status in ['free', 'held']".replace("'", '"'),
    ]  # fmt: skip


def test_a_record_read_by_fields_has_no_facts(office: Office) -> None:
    with pytest.raises(NotDeclared, match="was read by fields, not by a class"):
        office.plan(lambda plan: plan.read("slots:a", "status").facts)


@pytest.mark.parametrize(
    ("answer", "what", "fix"),
    [
        (ScriptedSource().read, "slots:a could not be read: the script has no answer", ""),
        (ValueError("no line"), "slots:a could not be read: it raised ValueError: no line", ""),
        (7, "slots:a could not be read: the source answered with an int", ""),
        (MemorySource().read, "slots:a does not exist (not found)", "plan.absent(ref)"),
    ],
)
def test_what_cannot_be_read_is_no_plan_and_says_why(
    office: Office, answer: Any, what: str, fix: str
) -> None:
    office.source.then(answer)
    with pytest.raises(CaptureFailed) as caught:
        office.plan(lambda plan: plan.read("slots:a", "status"))
    assert caught.value.what.startswith(what)
    assert fix in caught.value.fix
    assert caught.value.where == "slots:a"
    assert list(office.look.journal()) == []


def test_a_source_that_hangs_is_no_answer_and_no_plan(office: Office) -> None:
    hang = Hang()
    office.look.world.sources.add("slow", ScriptedSource(hang, timeout=0.01))
    with pytest.raises(CaptureFailed, match=r"slow:a could not be read: no answer within 0\.01 s"):
        office.plan(lambda plan: plan.read("slow:a", "status"))
    hang.release()
    assert list(office.look.journal()) == []


def test_an_absence_is_evidence_where_the_source_vouches_for_it(office: Office) -> None:
    plan = office.plan(lambda plan: plan.absent("memory:gone"))
    assert (plan.evidence[0].kind, plan.evidence[0].ref) == ("absence", "memory:gone")
    assert office.look.confirm(plan, by="ana").ok
    office.look.world.sources["memory"].set("gone", {})
    outcome = office.look.dispatch(plan)
    assert outcome.name == "blocked_stale"
    assert "memory:gone exists" in outcome.why_no_fresh


def test_an_absence_that_could_not_be_asked_for_is_no_plan(office: Office) -> None:
    office.look.world.sources.add("slow", ScriptedSource(absence_is_proof=True))
    with pytest.raises(CaptureFailed, match="slow:x could not be read") as caught:
        office.plan(lambda plan: plan.absent("slow:x"))
    assert caught.value.where == "slow:x"


def test_no_evidence_is_said_out_loud_and_sealed(office: Office) -> None:
    plan = office.plan(lambda plan: plan.no_evidence("nothing can change"))
    assert (plan.evidence, plan.no_evidence) == ((), "nothing can change")
    assert office.look.confirm(plan, by="ana").ok
    assert office.look.dispatch(plan).ok


# --- steps ---------------------------------------------------------------------------------------


def test_steps_are_numbered_and_say_what_they_do_and_write(office: Office) -> None:
    def work(plan: Planning) -> None:
        plan.read("slots:a", "status")
        plan.step(office.book, "b", amount=2)

    plan = office.plan(work)
    assert [(step.number, step.arguments["slot_id"]) for step in plan.steps] == [(1, "b"), (2, "a")]
    assert [effect.text for effect in plan.estimated_side_effects] == ["books b", "books a"]
    assert [effect.writes for effect in plan.estimated_side_effects] == [("slots:b",), ("slots:a",)]
    assert plan.steps[0].writes[0].fields == ("/status",)
    assert len({step.key for step in plan.steps}) == 2
    assert [tool.name for tool in plan.tools] == ["book"]


def test_a_step_that_takes_a_result_says_so_in_its_words(office: Office) -> None:
    def work(plan: Planning) -> None:
        plan.read("slots:a", "status")
        plan.step(office.book, slot_id=plan.step(office.book, slot_id="a").result["id"])

    plan = office.plan(work)
    assert plan.steps[1].arguments["slot_id"] == {"$result": [1, "/id"]}
    assert plan.estimated_side_effects[1].text == "books <result of an earlier step>"


def test_a_step_may_rest_on_less_and_only_on_what_was_read(office: Office) -> None:
    def work(plan: Planning) -> None:
        plan.read("slots:a", "status")
        plan.read("slots:b", "status")
        plan.narrow(plan.step(office.book, slot_id="b"), "slots:b")

    plan = office.plan(work)
    assert [step.evidence for step in plan.steps] == [("slots:b",), None]


# --- planners ------------------------------------------------------------------------------------


def test_a_planner_is_run_with_the_sealed_values_of_its_arguments(office: Office) -> None:
    given: list[Any] = []

    @office.look.planner("Book for {who}")
    def book_all(plan: Planning, slots: list[str], who: str = "kim") -> None:
        given.append((slots, who))
        plan.read("slots:a", "status")
        plan.step(office.book, slot_id=slots[0])

    mine = ["a"]
    plan = book_all.propose(mine)
    assert given == [(["a"], "kim")]
    assert given[0][0] is not mine
    assert plan.origin.arguments == {"slots": ["a"], "who": "kim"}
    assert (plan.origin.kind, plan.origin.name) == ("planner", "book_all")
    assert "kim" in plan.intent
    assert repr(book_all) == "<planner book_all>"


def test_the_source_of_a_planner_is_sealed_as_a_digest(office: Office) -> None:
    @office.look.planner("Try")
    def here(plan: Planning) -> None:
        plan.read("slots:a", "status")
        plan.step(office.book, slot_id="a")

    text = inspect.getsource(here._function)
    assert here.propose().origin.digest == hashlib.sha256(text.encode()).hexdigest()


def test_a_planner_without_a_source_text_has_no_digest(office: Office) -> None:
    def work(plan: Planning, slot_id: str) -> None:
        plan.read("slots:a", "status")
        plan.step(office.book, slot_id=slot_id)

    bound: Any = functools.partial(work)
    planner = office.look.planner("Try", name="bound")(bound)
    assert planner.propose(slot_id="a").origin.digest == ""


def test_an_intent_that_names_no_argument_is_refused_when_declared(office: Office) -> None:
    with pytest.raises(DeclarationError, match="intent names slot, which is not an") as caught:
        office.look.planner("Book {slot}", name="p")(lambda plan, slot_id: None)
    assert caught.value.fix == "Its arguments are slot_id."
    with pytest.raises(DeclarationError) as caught:
        office.look.planner("Book {slot}", name="p")(lambda plan: None)
    assert caught.value.fix == "Its arguments are none."


def test_an_async_planner_is_refused_when_declared(office: Office) -> None:
    async def later(plan: Planning) -> None:
        """Do nothing until it is awaited."""

    with pytest.raises(DeclarationError, match="planner later is a coroutine function"):
        office.look.planner("Try")(later)


@pytest.mark.parametrize("approvers", ["ana", ["agent:bot"], ["policy:p"]])
def test_approvers_that_are_no_persons_are_refused_when_declared(
    office: Office, approvers: Any
) -> None:
    with pytest.raises(DeclarationError, match="only persons say yes") as caught:
        office.look.planner("Try", approvers=approvers)
    assert caught.value.fix == 'Give a list, as in approvers=["ana"].'


def test_an_approver_of_no_name_is_refused_when_declared(office: Office) -> None:
    with pytest.raises(NotAllowed):
        office.look.planner("Try", approvers=[""])


def test_a_name_among_the_approvers_is_a_person(office: Office) -> None:
    def work(plan: Planning) -> None:
        plan.read("slots:a", "status")

    plan = office.plan(work, approvers=["ana"])
    with pytest.raises(NotAllowed):
        office.look.confirm(plan, by="ben")
    assert office.look.confirm(plan, by="ana").ok


def test_options_are_for_one_proposal_and_leave_the_planner_as_it_was(office: Office) -> None:
    @office.look.planner("Try", expires_in=60)
    def planner(plan: Planning) -> None:
        plan.read("slots:a", "status")
        plan.step(office.book, slot_id="a")

    short = planner.options(expires_in=5, requested_by="support", key="7").propose()
    usual = planner.propose()
    assert [(p.expires_at - p.created_at).total_seconds() for p in (short, usual)] == [5, 60]
    assert [p.requested_by for p in (short, usual)] == ["agent:support", "agent:program"]


def test_run_proposes_and_asks(office: Office) -> None:
    from lastlook.testing import ScriptedAsker

    @office.look.planner("Try")
    def planner(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "status")
        plan.step(office.book, slot_id=slot_id)

    office.look.world.__dict__["asker"] = ScriptedAsker("yes")
    assert planner.run("a").unwrap() == ({"id": "a"},)


def test_a_field_object_reads_like_its_text(office: Office) -> None:
    texts = office.plan(lambda plan: plan.read("slots:a", "price >= 10", "status"))
    objects = office.plan(
        lambda plan: plan.read("slots:a", field("price").at_least(10), field("status"))
    )
    assert texts.evidence[0].fingerprint == objects.evidence[0].fingerprint


@pytest.mark.parametrize(
    "ref", ["", "slots", "slots:", ":a", "Slots:a", "slots a", 7, None, ["slots:a"]]
)
def test_what_is_no_ref_is_a_typed_error(office: Office, ref: Any) -> None:
    with pytest.raises((LastlookError, BadArguments)):
        office.plan(lambda plan: plan.read(ref, "status"))
    assert list(office.look.journal()) == []
