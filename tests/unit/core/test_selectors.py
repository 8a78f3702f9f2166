from __future__ import annotations

from collections import OrderedDict, UserDict, defaultdict
from enum import Enum
from types import MappingProxyType

import msgspec
import pytest

from lastlook.core.selectors import (
    ABSENT,
    compile_selector,
    has_bare_index,
    is_wildcard,
    pointer_to,
    tokens_of,
)
from lastlook.errors import FieldSyntaxError, NotCanonical

# RFC 6901, section 5.
RFC6901 = {
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6,
    " ": 7, "m~n": 8,
}  # fmt: skip


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC6901), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1),
        ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ('/k"l', 6), ("/ ", 7), ("/m~0n", 8),
    ],
)  # fmt: skip
def test_the_examples_of_rfc_6901_select_what_it_says(pointer, value):
    assert compile_selector(pointer)(RFC6901) == value


@pytest.mark.parametrize(
    "pointer",
    ["/nope", "/foo/2", "/foo/-", "/foo/00", "/foo/-1", "/foo/+1", "/foo/١", "/foo/bar",
     "/foo/0/x", "/a/b", "/foo/99999999999999999999999", "//x"],
)  # fmt: skip
def test_a_pointer_that_names_nothing_gives_absent(pointer):
    assert compile_selector(pointer)(RFC6901) is ABSENT


RECORD = {"a": {"b": {"c": [1, None, {"d": "x"}]}}, "n": None, "0": "name"}


@pytest.mark.parametrize(
    ("selector", "value"),
    [
        ("/n", None), ("/a/b/c/1", None), ("/a/b/c/2/d", "x"), ("/0", "name"),
        ("$.a.b.c[0]", 1), ("$.a.b.c[-1].d", "x"), ("$['a'][\"b\"]['c'][0]", 1),
        ("$ .a\n['b'] .c [ 0 ]", 1), ("$['0']", "name"), ("$[0]", ABSENT), ("$.a[0]", ABSENT),
        ("$.a.b.c.d", ABSENT), ("$.a.b.c['0']", ABSENT), ("$.a.b.c[3]", ABSENT),
        ("$.a.b.c[-4]", ABSENT), ("$.n.x", ABSENT),
    ],
)  # fmt: skip
def test_null_absent_names_and_indices_are_told_apart(selector, value):
    found = compile_selector(selector)(RECORD)
    assert found is value or found == value


@pytest.mark.parametrize(
    ("selector", "tokens"),
    [
        ("", ()),
        ("/a~1b/~0", ("a/b", "~")),
        ("$.é_1", ("é_1",)),
        (r"""$['it\'s "x"']""", ('it\'s "x"',)),
        (r'$["\u00e9\ud83d\ude00\n"]', ("é😀\n",)),
        (r"$['\\']", ("\\",)),
        ("$[0][-1]", (0, -1)),
        ("$.a[*]", None),
        ("$..a", None),
        ("$.a[0,1]", None),
        ("$.a[?@.b == ')']", None),
    ],
)
def test_singular_queries_are_read_without_a_library_and_others_are_wildcards(selector, tokens):
    assert tokens_of(selector) == tokens
    assert is_wildcard(selector) == (tokens is None)


@pytest.mark.parametrize(
    "selector",
    ["a", "a/b", "/~", "/~2", "/a~", "$", "$a", "$.a ", "$. a", "$.1", "$..", "$.a in .b",
     "$.a(optional)", "$.'x'", "$.a == 1", "$[", "$.a]", "$['a]", "$.a, b", "/\ud800", "$.\udc00",
     "/" + "a" * 4096, "$[9007199254740992]", "$[-9007199254740992]",
     "$[" + "9" * 5000 + "]"],
)  # fmt: skip
def test_what_can_be_no_selector_is_refused(selector):
    with pytest.raises(FieldSyntaxError):
        compile_selector(selector)


@pytest.mark.parametrize("selector", ["$[01]", "$[-0]", "$['\\x']", "$['\\ud800']", "$['a'"])
def test_a_query_that_breaks_the_rfc_is_refused_when_it_is_compiled(selector):
    pytest.importorskip("jsonpath")
    with pytest.raises(FieldSyntaxError):
        compile_selector(selector)


def test_the_error_shows_a_right_spelling():
    with pytest.raises(FieldSyntaxError) as caught:
        compile_selector("a/b")
    assert caught.value.fix == "Write '/a~1b'."


@pytest.mark.parametrize(
    "record",
    [
        {"a": {"b": 1}},
        OrderedDict(a=OrderedDict(b=1)),
        MappingProxyType({"a": MappingProxyType({"b": 1})}),
        UserDict({"a": {"b": 1}}),
        {"a": UserDict({"b": 1})},
    ],
    ids=lambda record: type(record).__name__,
)
def test_every_mapping_is_followed_alike(record):
    assert compile_selector("/a/b")(record) == 1
    assert compile_selector("/a/c")(record) is ABSENT
    assert compile_selector("/c/b")(record) is ABSENT


def test_looking_does_not_create_a_member():
    record = defaultdict(dict, {"a": 1})
    assert compile_selector("/b")(record) is ABSENT
    assert dict(record) == {"a": 1}


class Payment(msgspec.Struct):
    amount: int
    parts: tuple[int, ...] = ()


class Box(Enum):
    FULL = {"size": 3}  # noqa: RUF012  # a member's value


def test_objects_are_followed_by_what_their_class_declares():
    record = {"payment": Payment(amount=3, parts=(7, 8)), "box": Box.FULL}
    assert compile_selector("/payment/amount")(record) == 3
    assert compile_selector("/payment/parts/1")(record) == 8
    assert compile_selector("/payment/__class__")(record) is ABSENT
    assert compile_selector("$.payment[0]")(record) is ABSENT
    assert compile_selector("/box/size")(record) == 3
    assert compile_selector("/amount")(Payment(amount=4)) == 4


def test_an_attribute_that_raises_is_refused_with_its_whole_path():
    class Broken(msgspec.Struct):
        total: int

    broken = Broken(total=1)
    del broken.total
    with pytest.raises(NotCanonical) as caught:
        compile_selector("/a/0/total")({"a": [broken]})
    assert caught.value.where == "/a/0/total"


@pytest.mark.parametrize(
    ("selector", "bare"),
    [
        ("", False), ("/a", False), ("/a/0", True), ("/a/0/b", True), ("/a/9", False),
        ("/0", False), ("$.a[0]", True), ("$.a[-1].b", True), ("$.a[*].b", False),
        ("/o/a/1", True), ("/x/y", False),
    ],
)  # fmt: skip
def test_a_field_that_counts_on_a_place_in_an_array_is_told(selector, bare):
    record = {"a": [{"b": 1}], "0": 1, "o": {"a": [1, 2]}}
    assert has_bare_index(selector, record) is bare


def test_tokens_make_a_pointer():
    assert pointer_to(("a/b", 0, "~")) == "/a~1b/0/~0"


def test_a_selector_is_compiled_once():
    assert compile_selector("/once/only") is compile_selector("/once/only")
