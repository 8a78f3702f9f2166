"""What a dispatch and an import cost; `overhead.py` measures with these."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import FileIO
from time import perf_counter
from typing import Any

from lastlook import ActionPlan, Executed, Lastlook, Planning
from lastlook.core.ports import Store
from lastlook.planning.planner import Planner
from lastlook.stores import open_store

Record = Mapping[str, Any]


def book(slot_id: str) -> str:
    """Do what the guarded call does, without the guard."""
    return f"booked {slot_id}"


def application(record: Record, store: Store) -> tuple[Lastlook, Planner[[str]]]:
    """Return an application of one source, one tool and one planner of two fields."""
    look = Lastlook(sources={"slots": {"slot-42": dict(record)}}, store=store)
    tool = look.tool(writes=["slots:{slot_id}#status"])(book)

    @look.planner("Book {slot_id}")
    def book_slot(plan: Planning, slot_id: str) -> None:
        plan.read(f"slots:{slot_id}", "slot_id", "status")
        plan.step(tool, slot_id=slot_id)

    return look, book_slot


def confirmed(look: Lastlook, planner: Planner[[str]], count: int) -> list[ActionPlan]:
    """Return plans that a person said yes to."""
    plans = [planner.propose("slot-42") for _ in range(count)]
    for plan in plans:
        assert look.confirm(plan, by="ana").ok
    return plans


def mean_dispatch(look: Lastlook, plans: list[ActionPlan]) -> float:
    """Return the seconds that one dispatch took, over plans that were never dispatched."""
    began = perf_counter()
    outcomes = [look.dispatch(plan) for plan in plans]
    took = (perf_counter() - began) / len(plans)
    assert all(isinstance(outcome, Executed) for outcome in outcomes)
    return took


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the garbage collector out of the figures, as `timeit` does."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def dispatch_figures(
    record: Record, published: Callable[[], object], *, turns: int = 40, each: int = 50
) -> dict[str, float]:
    """Return what a dispatch on the memory store costs beside the published four lines.

    Warm: the process that dispatches took the yes. Cold: another application on the same
    store dispatches, and reads the sealed bytes for the first time.
    """
    least = {"published": float("inf"), "warm": float("inf"), "cold": float("inf")}
    store = open_store("memory")
    look, planner = application(record, store)
    for _ in range(turns):
        other, _ = application(record, store)
        plans, elsewhere = confirmed(look, planner, each), confirmed(look, planner, each)
        with no_collection():
            began = perf_counter()
            for _ in range(each):
                published()
            taken = {"published": (perf_counter() - began) / each}
            taken["warm"] = mean_dispatch(look, plans)
            taken["cold"] = mean_dispatch(other, elsewhere)
        least = {name: min(least[name], taken[name]) for name in least}
    return {
        "dispatch_us": least["warm"] * 1e6,
        "dispatch_vs_published": least["warm"] / least["published"],
        "dispatch_cold_vs_published": least["cold"] / least["published"],
    }


def sqlite_figures(record: Record, *, rounds: int = 40) -> dict[str, float]:
    """Return what a dispatch on SQLite costs beside one fsync and the bare call."""
    fsync, whole, bare = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        look, planner = application(record, open_store(os.path.join(folder, "store", "plans.db")))
        with open(os.path.join(folder, "beside"), "wb", buffering=0) as beside:
            for plan in confirmed(look, planner, rounds):
                fsync.append(_took(lambda: _write_durably(beside)))
                whole.append(_took(partial(look.dispatch, plan)))
                bare.append(_took(partial(book, "slot-42")))
        look.close()
    middle = {name: sorted(times)[rounds // 2] for name, times in
              {"fsync": fsync, "whole": whole, "bare": bare}.items()}  # fmt: skip
    return {
        "sqlite_dispatch_ms": middle["whole"] * 1e3,
        "fsync_ms": middle["fsync"] * 1e3,
        "bare_call_us": middle["bare"] * 1e6,
        "sqlite_dispatch_vs_fsync": middle["whole"] / middle["fsync"],
    }


def import_figures(*, runs: int = 10) -> dict[str, float]:
    """Return the milliseconds that importing takes over the bare interpreter.

    The least of several runs of each, in turns, with compiled bytecode at hand.
    """
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        _start(environment, "import lastlook")
        bare, whole = [], []
        for _ in range(runs):
            bare.append(_took(lambda: _start(environment, "pass")))
            whole.append(_took(lambda: _start(environment, "import lastlook")))
    return {"import_ms": (min(whole) - min(bare)) * 1e3}


def _write_durably(file: FileIO) -> None:
    file.write(b"x" * 4096)
    os.fsync(file.fileno())


def _start(environment: Mapping[str, str], code: str) -> None:
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def _took(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began
