"""What is given in the place of a text, a list, a plan or a tool is a typed error that says so."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lastlook import JsonFiles, Lastlook, Planning, capture, check, field, fingerprint
from lastlook.errors import DeclarationError, LastlookError, StoreError

BLANKS = ["", " ", "\u200b", "\u2800", "\u3164", "..."]


class World:
    def __init__(self, **options: Any) -> None:
        records = {"1": {"a": 1}}
        self.look: Any = Lastlook(sources={"s": records}, store="memory", **options)
        self.tool: Any = self.look.tool(writes=["s:{k}"])(self._book)
        self.step = self.tool.step(k="1")
        self.evidence = self.look.read("s:1", "a")

    @staticmethod
    def _book(k: str) -> None:
        raise AssertionError(f"{k} was acted on")

    def plans(self, body: Callable[[Any], object]) -> None:
        """Propose with a planner of this body."""

        def planner(plan: Planning) -> None:
            body(plan)
            plan.step(self.tool, k="1")

        self.look.planner("Do it", name="doing")(planner).propose()

    def by_hand(self, **given: Any) -> None:
        said = {"intent": "Do it", "steps": [self.step], "evidence": [self.evidence], **given}
        self.look.propose(said.pop("intent"), said.pop("steps"), **said)

    def plan(self) -> Any:
        return self.look.propose("Do it", [self.step], evidence=[self.evidence])

    def registered(self, **given: Any) -> None:
        said = {"writes": [], "name": "other", **given}
        self.look.tool(**said)(said.pop("function", lambda: None))

    def guarded(self, **given: Any) -> Any:
        said = {"intent": "Do it", "rests_on": {"s:1": "a"}, "name": "other", **given}
        return self.look.guarded(said.pop("intent"), writes=[], **said)(lambda: None)


@pytest.fixture
def world() -> Iterator[World]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield World()


CASES: dict[str, Callable[[World], object]] = {
    "by is None": lambda w: w.look.confirm(w.plan(), by=None),
    "by is a number": lambda w: w.look.confirm(w.plan(), by=5),
    "a no by None": lambda w: w.look.reject(w.plan(), by=None),
    "a no with a number": lambda w: w.look.reject(w.plan(), by="ana", why=5),
    "a yes by nothing visible": lambda w: w.look.confirm(w.plan(), by="\u200b"),
    "cancelled by a number": lambda w: w.look.cancel(w.plan(), by=5),
    "asked by a number": lambda w: w.by_hand(requested_by=5),
    "asked by a list": lambda w: w.by_hand(requested_by=["kim"]),
    "a policy of None": lambda _: World(confirms={"small": None}),
    "a policy of numbers": lambda _: World(confirms={"small": [5]}),
    "a policy of a plain function": lambda _: World(confirms={"small": [len]}),
    "a policy of one text": lambda _: World(confirms={"small": "book"}),
    "policies in a list": lambda _: World(confirms=["small"]),
    "a policy without a name": lambda _: World(confirms={5: ["book"]}),
    "an exception without its list": lambda w: w.registered(not_applied=ValueError),
    "an exception by its name": lambda w: w.registered(not_applied=["ValueError"]),
    "no exceptions": lambda w: w.registered(not_applied=None),
    "writes is None": lambda w: w.registered(writes=None),
    "writes is one text": lambda w: w.registered(writes="s:1"),
    "writes holds a number": lambda w: w.registered(writes=[5]),
    "effect is a number": lambda w: w.registered(effect=5),
    "undo is a number": lambda w: w.registered(undo=5),
    "version is a number": lambda w: w.registered(version=5),
    "a tool's name is a number": lambda w: w.registered(name=5),
    "a tool is no function": lambda w: w.look.tool(writes=[], name="other")(5),
    "rests_on is a list": lambda w: w.guarded(rests_on=["s:1"]),
    "rests_on is None": lambda w: w.guarded(rests_on=None),
    "rests_on has a number": lambda w: w.guarded(rests_on={5: "a"}),
    "fields are a number": lambda w: w.guarded(rests_on={"s:1": 5}).propose(),
    "a guarded intent is a number": lambda w: w.guarded(intent=5),
    "a ref is a number": lambda w: w.plans(lambda plan: plan.read(5)),
    "a ref with fields is a number": lambda w: w.plans(lambda plan: plan.read(5, "a")),
    "a ref is a list": lambda w: w.plans(lambda plan: plan.read(["s:1"], "a")),
    "a field is a number": lambda w: w.plans(lambda plan: plan.read("s:1", 5)),
    "a field is None": lambda w: w.plans(lambda plan: plan.read("s:1", None)),
    "an absent number": lambda w: w.plans(lambda plan: plan.absent(5)),
    "no evidence, and a number": lambda w: w.plans(lambda plan: plan.no_evidence(5)),
    "no evidence, and None": lambda w: w.plans(lambda plan: plan.no_evidence(None)),
    "a query is a number": lambda w: w.plans(lambda plan: plan.query(5)),
    "a step's tool is a number": lambda w: w.plans(lambda plan: plan.step(5)),
    "a number is narrowed": lambda w: w.plans(lambda plan: plan.narrow(5)),
    "a step rests on a number": lambda w: w.plans(
        lambda plan: plan.narrow(plan.step(w.tool, k="1"), 5)
    ),
    "evidence without its list": lambda w: w.by_hand(evidence=w.evidence),
    "evidence is None": lambda w: w.by_hand(evidence=None),
    "evidence is numbers": lambda w: w.by_hand(evidence=[5]),
    "a step without its list": lambda w: w.by_hand(steps=w.step),
    "steps are None": lambda w: w.by_hand(steps=None),
    "an intent is a number": lambda w: w.by_hand(intent=5),
    "why is a number": lambda w: w.by_hand(evidence=[], no_evidence=5),
    "a plan's id is a number": lambda w: w.look.get(5),
    "a plan's id is a list": lambda w: w.look.get([]),
    "a plan's id is no text that could be": lambda w: w.look.get("\udcff"),
    "None is dispatched": lambda w: w.look.dispatch(None),
    "a list is checked": lambda w: w.look.check([]),
    "a number is asked about": lambda w: w.look.ask(5),
    "a number is renewed": lambda w: w.look.renew(5),
    "approvers are one text": lambda w: w.look.planner("Do it", approvers="ana"),
    "approvers are a number": lambda w: w.look.planner("Do it", approvers=5),
    "an approver is a number": lambda w: w.look.planner("Do it", approvers=[5]),
    "a planner's name is a number": lambda w: w.look.planner("Do it", name=5)(lambda plan: plan),
    "two people is a word": lambda w: w.look.planner("Do it", two_people="no"),
    "sources are a list": lambda _: Lastlook(sources=["s"]),
    "a store is a number": lambda _: Lastlook(sources={}, store=5).pending(),
    "a fingerprint of a number's fields": lambda _: fingerprint({"a": 1}, 5),
    "a capture without fields": lambda _: capture({"a": 1}, None),
    "a check of a number": lambda _: check(5, {}),
    "a field of a number": lambda _: field(5),
    "files in a number": lambda _: JsonFiles(5),
}


@pytest.mark.parametrize("mistake", CASES.values(), ids=CASES)
def test_a_mistake_in_a_type_is_one_of_our_errors(
    world: World, mistake: Callable[[World], object]
) -> None:
    with pytest.raises(LastlookError) as refused:
        mistake(world)
    assert not isinstance(refused.value, StoreError) or "is no store" in refused.value.what


@pytest.mark.parametrize("why", BLANKS)
def test_a_reason_that_nobody_can_read_is_none(world: World, why: str) -> None:
    with pytest.raises(DeclarationError, match="needs a reason"):
        world.plans(lambda plan: plan.no_evidence(why))
    with pytest.raises(DeclarationError, match="rests on no evidence"):
        world.by_hand(evidence=[], no_evidence=why)


@pytest.mark.parametrize("intent", BLANKS)
def test_an_intent_that_nobody_can_read_is_none(world: World, intent: str) -> None:
    with pytest.raises(DeclarationError, match="does not say what it is for"):
        world.by_hand(intent=intent)


@pytest.mark.parametrize("why", ["why", "理由 1", "é"])
def test_a_reason_in_any_script_is_one(world: World, why: str) -> None:
    world.plans(lambda plan: plan.no_evidence(why))
    (plan,) = world.look.pending()
    assert plan.no_evidence == why


@pytest.mark.parametrize("verb", ["propose", "run"])
def test_a_planner_that_proposes_itself_is_told_that_planners_only_read(
    world: World, verb: str
) -> None:
    def again(plan: Planning) -> None:
        getattr(planner, verb)()

    planner: Any = world.look.planner("Again", name="again")(again)
    with pytest.raises(DeclarationError, match="planner again proposed a plan of again"):
        planner.propose()
    assert world.look.pending() == ()
