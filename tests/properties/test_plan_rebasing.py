"""What a plan wrote itself never stops it, and never hides what others wrote."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from lastlook import capture, check
from lastlook.core.check import Stale, Valid
from lastlook.core.plan import Write
from lastlook.core.rebasing import Rebased, covers, overlaps, rebase
from lastlook.core.selectors import ABSENT, compile_selector, pointer_to

REF = "r:1"
NAMES = st.sampled_from(["a", "b", "a/b", "~", "é", "ab"])
PATHS = st.lists(NAMES, min_size=0, max_size=3).map(tuple)
SCALARS = st.one_of(st.integers(0, 9), st.sampled_from(["x", "y", None, True]))
TREES = st.recursive(SCALARS, lambda inner: st.dictionaries(NAMES, inner, max_size=4))
RECORDS = st.dictionaries(NAMES, TREES, min_size=1, max_size=4)


def put(record: Any, path: tuple[str, ...], value: Any) -> Any:
    """A copy of the record with one place written, members made on the way."""
    if not path:
        return copy.deepcopy(value)
    made = dict(record) if isinstance(record, dict) else {}
    made[path[0]] = put(made.get(path[0]), path[1:], value)
    return made


def places(record: Any, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    inner = record.items() if isinstance(record, dict) else ()
    deeper = [place for name, item in inner for place in places(item, (*before, name))]
    return [before, *deeper]


@given(PATHS, PATHS)
def test_covers_and_overlaps_are_about_paths_and_not_about_texts(
    one: tuple[str, ...], two: tuple[str, ...]
) -> None:
    write, wanted = pointer_to(one), pointer_to(two)
    assert covers(write, wanted) is (two[: len(one)] == one)
    assert overlaps(write, wanted) is (two[: len(one)] == one or one[: len(two)] == two)


@st.composite
def plans(draw: Any) -> tuple[Any, list[str]]:
    """A record, and selectors of evidence that are in it."""
    record = draw(RECORDS)
    chosen = draw(st.lists(st.sampled_from(places(record)), min_size=1, max_size=4, unique=True))
    return record, [pointer_to(path) for path in chosen]


def captured(record: Any, selectors: list[str]) -> Any:
    from lastlook.core.fields import Field

    return capture(record, [Field(selector=item) for item in selectors], ref=REF)


WRITES = st.lists(st.tuples(PATHS, TREES, st.booleans()), min_size=1, max_size=4)


@given(plans(), WRITES)
def test_a_field_that_the_plan_touched_never_stops_it(
    plan: tuple[Any, list[str]], writes: list[tuple[tuple[str, ...], Any, bool]]
) -> None:
    record, selectors = plan
    evidence = captured(record, selectors)
    rebased = Rebased([evidence])
    told: set[str] = set()
    for path, value, said in writes:
        record = put(record, path, value)
        pointer = pointer_to(path)
        write = Write(ref=REF, fields=(pointer,) if path else ())
        told.update(rebased.add([write], {REF: {pointer: value}} if said else {}))
    assume(isinstance(record, dict))
    after = rebase([evidence], rebased)
    assert all(isinstance(check(item, record), Valid) for item in after)
    kept = {item.selector for old in after for item in old.fields}
    reported = {text.removeprefix(REF).removeprefix("#") for text in told}
    for lost in set(selectors) - kept:
        assert any(overlaps(item, lost) for item in reported), lost


@given(plans(), PATHS, TREES, st.booleans(), st.booleans())
def test_a_write_never_hides_a_field_that_it_cannot_touch(
    plan: tuple[Any, list[str]], path: tuple[str, ...], value: Any, said: bool, declared: bool
) -> None:
    record, selectors = plan
    evidence = captured(record, selectors)
    pointer = pointer_to(path)
    rebased = Rebased([evidence])
    write = Write(ref=REF, fields=(pointer,) if path else ())
    rebased.add([write] if declared else [], {REF: {pointer: value}} if said else {})
    untouched = {item for item in selectors if not overlaps(pointer, item)}
    after = rebase([evidence], rebased)
    cells = {f.selector: c for item in after for f, c in zip(item.fields, item.cells, strict=True)}
    before = dict(zip((f.selector for f in evidence.fields), evidence.cells, strict=True))
    assert {item: cells.get(item) for item in untouched} == {i: before[i] for i in untouched}
    for selector in untouched:
        was = compile_selector(selector)(record)
        others = put(put(record, path, value), tuple(_tokens(selector)), ["changed", was])
        result = check(after[0], others)
        assert isinstance(result, Stale)
        assert selector in result.changed


def _tokens(pointer: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


@given(plans(), TREES)
def test_a_whole_record_that_was_said_is_compared_field_by_field(
    plan: tuple[Any, list[str]], value: Any
) -> None:
    record, selectors = plan
    evidence = captured(record, selectors)
    rebased = Rebased([evidence])
    assert rebased.add([Write(ref=REF)], {REF: {"": value}}) == ()
    (after,) = rebase([evidence], rebased)
    assert isinstance(check(after, value), Valid)
    for item in after.fields:
        if compile_selector(item.selector)(value) is not ABSENT:
            assert after.cells[after.fields.index(item)][0] == "value"
