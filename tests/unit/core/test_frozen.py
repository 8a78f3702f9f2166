from __future__ import annotations

import copy
import json
import pickle

import pytest

from lastlook.core.canonical import encode, from_wire
from lastlook.core.frozen import FrozenDict, FrozenList, frozen

TREE = {"a": [1, {"b": None}], "c": "x", "d": {"$int": str(2**70)}}


def test_a_frozen_tree_equals_what_it_was_made_of_and_reads_alike():
    tree = frozen(TREE)
    assert tree == TREE
    assert encode(tree) == encode(TREE)
    assert from_wire(tree) == from_wire(TREE)
    assert json.loads(json.dumps(tree)) == TREE
    assert frozen(("value", [1])) == ("value", [1])


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, copy.copy, lambda x: pickle.loads(pickle.dumps(x))]
)
@pytest.mark.parametrize("value", [frozen(TREE), frozen([1, [2]])])
def test_a_copy_is_plain_and_can_be_changed(duplicate, value):
    made = duplicate(value)
    assert made == value
    assert type(made) in {dict, list}
    made.clear()
    assert made != value


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: tree.__setitem__("a", 1),
        lambda tree: tree.__delitem__("a"),
        lambda tree: tree.__ior__({"z": 1}),
        lambda tree: tree.pop("a"),
        lambda tree: tree.popitem(),
        lambda tree: tree["a"].append(1),
        lambda tree: tree["a"].__setitem__(0, 2),
        lambda tree: tree["a"].__iadd__([1]),
        lambda tree: tree["a"].sort(),
        lambda tree: tree["a"][1].update(b=1),
    ],
)
def test_what_would_change_one_raises_and_changes_nothing(change):
    tree = frozen(TREE)
    with pytest.raises(TypeError, match="make a copy"):
        change(tree)
    assert tree == TREE
    assert isinstance(tree, FrozenDict)
    assert isinstance(tree["a"], FrozenList)
