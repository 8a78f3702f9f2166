"""A plan is its bytes: read back they are the same, and one leaf changed is another plan."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lastlook import ActionPlan, capture
from lastlook.core.canonical import canonical_bytes, encode, to_wire
from lastlook.core.fields import Field
from lastlook.core.lifecycle import State
from lastlook.core.outcome import BlockedTampered
from lastlook.core.plan import (
    Origin,
    PlannedStep,
    SideEffect,
    ToolDefinition,
    Write,
    idempotency_key,
    open_plan,
    plan_bytes,
    seal_of,
)
from lastlook.core.stand_ins import Result, open_argument, seal_argument
from lastlook.stores.memory import MemoryStore
from tests.properties.values import NAMES, TEXT, VALUES
from tests.scenarios.desk import Desk

NOW = datetime(2026, 10, 23, 10, 0, tzinfo=UTC)
TIMES = st.integers(0, 10**10).map(lambda us: NOW + timedelta(microseconds=us))
ARGUMENTS = st.dictionaries(NAMES, VALUES, max_size=3).map(
    lambda given: {name: seal_argument(value, where="") for name, value in given.items()}
)


@st.composite
def evidence(draw: Any) -> Any:
    record = draw(st.dictionaries(NAMES, VALUES, min_size=1, max_size=3))
    names = draw(st.lists(st.sampled_from(sorted(record)), min_size=1, unique=True))
    fields = [Field(selector="/" + name.replace("~", "~0").replace("/", "~1")) for name in names]
    return capture(record, fields, ref=f"slots:{draw(TEXT)}", captured_at=draw(TIMES))


@st.composite
def steps(draw: Any, number: int) -> PlannedStep[Any]:
    writes = draw(st.lists(TEXT.map(lambda key: Write(ref=f"slots:{key}")), max_size=2))
    return PlannedStep(
        number=number, tool=draw(TEXT), arguments=draw(ARGUMENTS), writes=tuple(writes),
        evidence=draw(st.none() | st.lists(TEXT, max_size=2).map(tuple)), key=draw(TEXT),
    )  # fmt: skip


@st.composite
def plans(draw: Any) -> ActionPlan:
    count = draw(st.integers(0, 3))
    return ActionPlan(
        id=draw(TEXT), lineage=draw(TEXT), number=draw(st.integers(1, 9)),
        follows=draw(st.none() | TEXT), root=draw(TEXT), intent=draw(TEXT),
        requested_by=draw(TEXT),
        origin=Origin(kind="planner", name=draw(TEXT), arguments=draw(ARGUMENTS)),
        tools=tuple(ToolDefinition(name=name) for name in draw(st.lists(TEXT, max_size=2))),
        steps=tuple(draw(steps(number)) for number in range(1, count + 1)),
        estimated_side_effects=(SideEffect(step=1, text=draw(TEXT), undo=draw(st.none() | TEXT)),),
        evidence=tuple(draw(st.lists(evidence(), max_size=2))),
        no_evidence=draw(st.none() | TEXT), two_people=draw(st.booleans()),
        approvers=tuple(draw(st.lists(TEXT, max_size=2))),
        expires_at=draw(st.none() | TIMES), created_at=draw(TIMES),
    )  # fmt: skip


@given(plans())
def test_a_plan_read_back_from_its_bytes_has_the_same_bytes(plan: ActionPlan) -> None:
    body = plan.body
    back = open_plan(body)
    assert plan_bytes(back) == back.body == body
    assert back.seal == plan.seal == seal_of(body)
    assert encode(json.loads(body)) == body
    assert (back.steps, back.origin, back.expires_at) == (plan.steps, plan.origin, plan.expires_at)


def leaves(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all leaves; an empty list or object is a leaf too."""
    if isinstance(tree, dict | list) and tree:
        pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
        for key, item in pairs:
            yield from leaves(item, (*path, key))
    else:
        yield path


def put(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(tree)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


OTHERS: list[Any] = [None, True, 0, 8, 81, "", "x", "slot-43", [], {}, ["x"], {"x": 1}, ...]


def doctored(body: bytes, *, sealed: bool) -> None:
    """Put other bytes under a confirmed plan: it blocks as tampered, and nothing is done."""
    desk = Desk(MemoryStore())
    plan = desk.confirmed(PLAN_OF(desk))
    record = desk.store.get(plan.id)
    seal = seal_of(body) if sealed else record.seal
    desk.store._plans[plan.id] = replace(record, body=body, seal=seal)
    outcome = desk.look.dispatch(plan.id)
    assert isinstance(outcome, BlockedTampered)
    assert desk.effects == []
    assert desk.store.get(plan.id).state is State.BLOCKED_TAMPERED
    assert outcome.fresh is None


def PLAN_OF(desk: Desk) -> ActionPlan:  # noqa: N802  # the one plan that all examples change
    desk.look.world.new_id = lambda _: "k7f3"
    return desk.proposed()


BODY = PLAN_OF(Desk(MemoryStore())).body
TREE = json.loads(BODY)


@given(st.sampled_from(list(leaves(TREE))), st.sampled_from(OTHERS), st.booleans())
def test_one_leaf_changed_in_the_store_blocks_and_does_nothing(
    path: tuple[Any, ...], value: Any, sealed: bool
) -> None:
    changed = put(TREE, path, value)
    if encode(changed) != BODY:
        doctored(encode(changed), sealed=sealed)


@given(st.integers(0, len(BODY) - 1), st.integers(1, 255), st.booleans())
def test_one_byte_changed_in_the_store_blocks_and_does_nothing(
    place: int, by: int, sealed: bool
) -> None:
    changed = bytearray(BODY)
    changed[place] ^= by
    doctored(bytes(changed), sealed=sealed)


@given(st.sampled_from([" ", "\n", "\t"]), st.booleans())
def test_white_space_that_means_nothing_is_still_other_bytes(space: str, sealed: bool) -> None:
    doctored(BODY.replace(b"{", b"{" + space.encode(), 1), sealed=sealed)


CALLS = st.tuples(
    st.sampled_from(["k7f3", "k7f3.2"]), st.integers(1, 3), st.sampled_from(["book", "pay"]),
    st.dictionaries(st.sampled_from(["a", "b"]), VALUES, max_size=2),
)  # fmt: skip


@given(CALLS, CALLS)
def test_two_calls_have_one_key_only_where_they_are_one_call(one: Any, two: Any) -> None:
    keys = [idempotency_key(*call[:3], to_wire(call[3])) for call in (one, two)]
    same = canonical_bytes(list(one)) == canonical_bytes(list(two))
    assert (keys[0] == keys[1]) is same
    again = copy.deepcopy(one)
    turned = dict(reversed(to_wire(again[3]).items()))
    assert idempotency_key(*again[:3], turned) == keys[0]


@st.composite
def with_stand_ins(draw: Any) -> tuple[Any, Any, list[Any]]:
    """An argument, the same with its stand-ins filled, and the results that fill them."""
    results = [draw(VALUES), {"a/b": [draw(VALUES)]}]

    def planted(value: Any) -> tuple[Any, Any]:
        if draw(st.integers(0, 3)) == 0:
            whole = draw(st.booleans())
            return (Result(1), results[0]) if whole else (Result(2)["a/b"][0], results[1]["a/b"][0])
        if isinstance(value, list):
            pairs = [planted(item) for item in value]
            return [one for one, _ in pairs], [two for _, two in pairs]
        if isinstance(value, dict):
            made = {key: planted(item) for key, item in value.items()}
            return ({key: one for key, (one, _) in made.items()},
                    {key: two for key, (_, two) in made.items()})  # fmt: skip
        return value, value

    argument, filled = planted(draw(VALUES))
    return argument, filled, results


@given(with_stand_ins())
def test_an_argument_that_is_opened_is_what_was_sealed_with_its_results_filled_in(
    given: tuple[Any, Any, list[Any]],
) -> None:
    argument, filled, results = given
    sealed = seal_argument(argument, where="/x")
    stored = json.loads(encode(sealed))
    for wire in (sealed, stored):
        assert canonical_bytes(open_argument(wire, results)) == canonical_bytes(filled)
