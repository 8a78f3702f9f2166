from __future__ import annotations

import pytest

from lastlook.core.conditions import condition, is_within, no_base

BIG = {"$int": "9007199254740993"}
FINE = {"$decimal": "0.10000000000000000001"}

HOLDS = [
    ({"equals": 20}, [20], [True, "20", 21, {"$float": 20}, None]),
    ({"equals": True}, [True], [1, "true"]),
    ({"equals": {"a": 1, "b": 2}}, [{"b": 2, "a": 1}], [{"a": 1}]),
    ({"equals": None}, [None], ["null", False, 0, ""]),
    ({"one_of": ["free", None, 1]}, ["free", None, 1], [True, "Free", "", 0]),
    ({"at_least": 2}, [2, 3, 2.5, BIG, {"$float": 2}], [1.9999999999999998, -3, True, "3", None]),
    ({"at_least": 0.1}, [0.1, FINE], [0.09999999999999999]),
    ({"at_least": FINE}, [FINE, 0.2], [0.1]),
    ({"at_most": -1.5}, [-1.5, -2], [-1.4, 0, [], {}]),
    ({"at_most": BIG}, [BIG, 1, 2**53], [{"$int": "9007199254740995"}, 1e300]),
]


@pytest.mark.parametrize(("rule", "yes", "no"), HOLDS, ids=repr)
def test_a_condition_holds_for_these_and_not_for_those(rule, yes, no):
    holds = condition(rule)
    assert all(holds(value) for value in yes)
    assert not any(holds(value) for value in no)


@pytest.mark.parametrize("rule", [{}, {"within": 1}, {"nfc": True}])
def test_a_rule_without_a_literal_has_no_condition(rule):
    assert condition(rule) is None


PERCENT = {"percent": 5}

NEAR = [
    (1, 10, 11, True),
    (1, 10, 9, True),
    (1, 10, 11.000000000000002, False),
    (0.1, 0.2, 0.3, True),  # 0.2 + 0.1 > 0.3 in doubles
    (0, 7, 7, True),
    (0, 7, 8, False),
    (PERCENT, 200, 210, True),
    (PERCENT, 200, 190, True),
    (PERCENT, 200, 210.01, False),
    (PERCENT, -200, -210, True),
    (PERCENT, -200, -211, False),
    ({"percent": 0.5}, 0.1, 0.1005, True),
    ({"percent": 0.5}, 0.1, 0.10051, False),
    (FINE, BIG, {"$decimal": "9007199254740993.1"}, True),
    (FINE, BIG, {"$decimal": "9007199254740993.2"}, False),
    (1, 10, "10", False),
    (1, 10, True, False),
    (1, "10", 10, False),
]


@pytest.mark.parametrize(("limit", "before", "now", "near"), NEAR, ids=repr)
def test_distance_is_exact_and_its_ends_are_included(limit, before, now, near):
    assert is_within(limit, before, now) is near


@pytest.mark.parametrize(
    ("limit", "value", "why"),
    [(1, 0, ""), (PERCENT, 1, ""), (PERCENT, 0, "a share of 0"), (1, "x", "not a number"),
     (1, True, "not a number"), (PERCENT, None, "not a number")],
)  # fmt: skip
def test_a_value_that_nothing_can_be_near_is_named(limit, value, why):
    said = no_base(limit, value)
    assert why in said
    assert bool(said) is bool(why)
