"""What the demo runs: plans over real files, through the public interface.

Nothing is decided in here. What is shown is read off the outcomes, the files and the
journal; `Demo.holds` says whether that is what the published articles say.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from lastlook import published
from lastlook.app import Lastlook
from lastlook.cli.demo_shop import RECORDS, V1, Shop
from lastlook.core.lifecycle import JournalRow, PlanRecord
from lastlook.core.outcome import BlockedStale, Executed
from lastlook.core.plan import ActionPlan
from lastlook.core.prompt import Question
from lastlook.core.schemes import PublishedScheme
from lastlook.planning.planning import Planning
from lastlook.sources.files import JsonFiles
from lastlook.stores.journal import verify

FIELDS: Final = ("slot_id", "status")
BY: Final = "person:demo"
REF: Final = "slots:slot-42"


class Version(Struct, frozen=True, kw_only=True):
    """The slot's file at one time, and its fingerprints over `FIELDS`.

    Attributes:
        published: 16 hex digits, by the published rule.
        full: `ll1:` and 64 hex digits.
    """

    name: str
    record: dict[str, Any]
    published: str
    full: str


class Run(Struct, frozen=True, kw_only=True):
    """What came of a booking after the file went from v1 to another version.

    Attributes:
        captured, current: The fingerprints that were compared; empty without a look.
        word: What it came to, in the articles' words.
        booked: What the file of bookings holds afterwards.
    """

    after: str
    protected: bool
    captured: str = ""
    current: str = ""
    word: str
    booked: tuple[str, ...]


class Priced(Struct, frozen=True, kw_only=True):
    """A run with an argument that is taken from the file, from question to question.

    Attributes:
        prices: The price when it was asked, and when it was to run.
        booked: What the file of bookings holds in the end.
    """

    question: Question
    prices: tuple[int, int]
    blocked: BlockedStale
    afresh: Question
    executed: Executed
    booked: tuple[str, ...]


class Demo(Struct, frozen=True, kw_only=True):
    """All runs, with the real objects that they left.

    Attributes:
        published, full: The comparison by the published names, and by ours.
        verified: What a check of the journal said.
    """

    folder: str
    by: str = BY
    versions: tuple[Version, ...]
    published: tuple[Run, ...]
    full: tuple[Run, ...]
    priced: Priced
    records: tuple[PlanRecord, ...]
    rows: tuple[JournalRow, ...]
    verified: str

    @property
    def holds(self) -> bool:
        """Whether each comparison came to what the articles say."""
        wanted = [("BLOCKS", 0), ("PASSES", 1), ("EXECUTES", 1)]
        return all(
            [(run.word, len(run.booked)) for run in runs] == wanted
            for runs in (self.published, self.full)
        )


def run_demo(folder: str) -> Demo:
    """Run everything in an empty folder."""
    shop = Shop(folder)
    look = Lastlook(
        sources={"slots": JsonFiles(shop.slots)}, store=os.path.join(folder, "plans.db")
    )
    try:
        return Demo(
            folder=folder,
            versions=tuple(_versions(shop, look)),
            published=tuple(_by_published_names(shop)),
            full=tuple(_by_our_names(shop, look)),
            priced=_priced(shop, look),
            records=tuple(look.world.store.plans()),
            rows=tuple(look.journal()),
            verified=verify(look.world.store).text(),
        )
    finally:
        look.close()


def _versions(shop: Shop, look: Lastlook) -> Iterator[Version]:
    for name, record in RECORDS.items():
        shop.write(record)
        evidence = look.read(REF, *FIELDS)
        yield Version(name=name, record=record, published=_digits(shop), full=evidence.fingerprint)


def _digits(shop: Shop) -> str:
    """Return the published fingerprint of the slot's file as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PublishedScheme)
        return published.FreshCtx(FIELDS).fingerprint(shop.slot)


def _by_published_names(shop: Shop) -> Iterator[Run]:
    """Dispatch after v1 became v2 and after it became v3; then act without a look."""
    evidence = published.EvidenceStore({"slots": JsonFiles(shop.slots)})
    executor = published.StepExecutor({"book": shop.book})
    validator = published.PreDispatchValidator(evidence)
    dispatcher = published.ActionDispatcher(validator, executor)
    step = published.PlannedStep(tool="book", arguments={"slot_id": "slot-42"})
    for after in ("v2", "v3"):
        shop.write(V1)
        plan = published.ActionPlan(
            action_id=f"book-{after}",
            intent="Book slot-42",
            steps=[step],
            evidence_dependencies=[evidence.capture(REF, FIELDS)],
            estimated_side_effects=["books slot-42"],
        )
        captured = _digits(shop)
        dispatcher.confirm(plan, by=BY)
        shop.write(RECORDS[after])
        outcome = dispatcher.dispatch(plan)
        yield Run(
            after=after, protected=True, captured=captured, current=_digits(shop),
            word=_word(outcome, published.Executed, published.BlockedStale), booked=shop.taken(),
        )  # fmt: skip
    yield _unprotected(shop, lambda: executor.execute(step))


def _by_our_names(shop: Shop, look: Lastlook) -> Iterator[Run]:
    """The same with a planner, and with what `look.dispatch` compared."""
    book = look.tool(writes=["slots:{slot_id}#status"], effect="books {slot_id}")(shop.book)

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", *FIELDS)
        plan.step(book, slot_id=slot_id)

    for after in ("v2", "v3"):
        shop.write(V1)
        plan = book_slot.propose("slot-42")
        look.confirm(plan, by=BY)
        shop.write(RECORDS[after])
        outcome = look.dispatch(plan)
        looked: Any = outcome.checks[0]
        yield Run(
            after=after, protected=True, captured=looked.captured, current=looked.current,
            word=_word(outcome, Executed, BlockedStale), booked=shop.taken(),
        )  # fmt: skip
    yield _unprotected(shop, lambda: book.unguarded("slot-42"))


def _word(outcome: object, passes: type, blocks: type) -> str:
    if isinstance(outcome, passes):
        return "PASSES"
    return "BLOCKS" if isinstance(outcome, blocks) else type(outcome).__name__


def _unprotected(shop: Shop, act: Any) -> Run:
    shop.write(V1)
    shop.write(RECORDS["v2"])
    act()
    booked = shop.taken()
    return Run(after="v2", protected=False, word="EXECUTES" if booked else "NOTHING", booked=booked)


def _priced(shop: Shop, look: Lastlook) -> Priced:
    """Ask, change the price, be blocked, ask afresh with the new price, and run."""
    tool = look.tool(
        writes=["slots:{slot_id}#status"],
        effect="books {slot_id} for {price}",
        name="booking",
    )(shop.pay)

    @look.planner("Buy {slot_id}")
    def buy_slot(plan: Planning, slot_id: str) -> None:
        slot = plan.read(f"slots:{slot_id}", 'status == "available"', "price")
        plan.step(tool, slot_id=slot_id, price=slot["price"])

    before, after = 80, 95
    shop.write({**V1, "price": before})
    plan: ActionPlan = buy_slot.propose("slot-42")
    look.confirm(plan, by=BY)
    shop.write({**RECORDS["v3"], "price": after})
    blocked: Any = look.dispatch(plan)
    look.confirm(blocked.fresh, by=BY)
    executed: Any = look.dispatch(blocked.fresh)
    return Priced(
        question=Question(plan=plan), prices=(before, after), blocked=blocked,
        afresh=Question(plan=blocked.fresh, previous=plan), executed=executed,
        booked=shop.taken(),
    )  # fmt: skip
