"""Selecting agrees with the plainest reading of the RFCs, over any JSON record."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastlook.core.objects import unescape
from lastlook.core.selectors import ABSENT, compile_selector, has_bare_index, pointer_to

names = st.sampled_from(["a", "b", "", "0", "1", "-", "a/b", "~1", "é"])
records = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)
pointers = st.lists(names | st.integers(0, 3).map(str), max_size=4).map(tuple).map(pointer_to)


def _plainly(pointer, record):
    """RFC 6901, section 4, word by word."""
    value = record
    for token in (unescape(part) for part in pointer.split("/")[1:]):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif (
            isinstance(value, list)
            and re.fullmatch("0|[1-9][0-9]*", token)
            and int(token) < len(value)
        ):
            value = value[int(token)]
        else:
            return ABSENT
    return value


@settings(max_examples=200)
@given(pointers, records)
def test_a_pointer_selects_what_rfc_6901_says(pointer, record):
    assert compile_selector(pointer)(record) is _plainly(pointer, record)


@settings(max_examples=100)
@given(pointers, records)
def test_a_bare_index_is_told_where_the_pointer_goes_through_a_list(pointer, record):
    parts = pointer.split("/")[1:]
    above = ["".join(f"/{part}" for part in parts[:depth]) for depth in range(len(parts))]
    lists = [isinstance(_plainly(prefix, record), list) for prefix in above]
    first = lists.index(True) if True in lists else None
    if first is None:
        assert not has_bare_index(pointer, record)
    else:
        prefix = "".join(f"/{part}" for part in parts[: first + 1])
        assert has_bare_index(pointer, record) == (_plainly(prefix, record) is not ABSENT)


segments = st.sampled_from(
    [".a", "['b']", "[0]", "[-1]", ".*", "[*]", "..a", "..*", "[0,1]", "[1:]", "[::-1]", "['a','b']",
     "[?@.a]", "[?@.a == @.b]", "[?@ == 1]", "[?@.a < 2 || !@.b]", "[?count(@.*) > 1]",
     "[?length(@.a) == 1]", "[?value(@..b) == 'a']", "[?search(@.a, '[ab]')]"],
)  # fmt: skip
queries = st.lists(segments, min_size=1, max_size=3).map(lambda parts: "$" + "".join(parts))
# The library takes 1 for true, falsy texts for absent, and the characters of a text for items.
tame = st.recursive(
    st.integers(1, 3).map(float) | st.sampled_from(["ab", "a", "b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3)
    ),
    max_leaves=10,
)
containers = st.lists(tame, max_size=3) | st.dictionaries(
    st.sampled_from(["a", "b", "c"]), tame, max_size=3
)


@settings(max_examples=150)
@given(queries, containers)
def test_a_query_selects_what_the_library_selects_where_that_is_right(query, record):
    jsonpath = pytest.importorskip("jsonpath")

    class Environment(jsonpath.JSONPathEnvironment):
        def getitem(self, obj, key):
            return [] if isinstance(obj, str) and isinstance(key, slice) else obj[key]

    theirs = Environment(strict=True).finditer(query, record)
    wanted = {match.parts: match.obj for match in theirs}
    found = compile_selector(query)(record)
    if found is ABSENT:
        assert wanted == {}
    elif isinstance(found, list) and found and hasattr(found[0], "path"):
        assert {_location(match): match.value for match in found} == wanted
    else:
        assert list(wanted.values()) == [found]


def _location(match):
    indices = iter(match.indices)
    return tuple(next(indices) if name is None else name for name in match.path)
