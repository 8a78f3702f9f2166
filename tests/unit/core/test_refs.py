from __future__ import annotations

import pytest

from lastlook.core.refs import (
    RESERVED,
    Ref,
    RefTemplate,
    Written,
    check_source_name,
    parse_e_option,
    parse_ref,
    parse_writes,
)
from lastlook.errors import DeclarationError, FieldSyntaxError, NoFields, TemplateError


@pytest.mark.parametrize(
    ("text", "source", "key"),
    [
        ("orders:#W1", "orders", "#W1"),
        ("a-b_2:x:y", "a-b_2", "x:y"),
        ("cwd:slots/slot 42.json", "cwd", "slots/slot 42.json"),
        ("tool:book", "tool", "book"),
    ],
)
def test_a_ref_is_split_at_the_first_colon(text, source, key):
    assert parse_ref(text) == (source, key)
    assert str(parse_ref(text)) == text


@pytest.mark.parametrize(
    "text", ["", "orders", "orders:", ":x", "Orders:x", "1a:x", "a b:x", "é:x"]
)
def test_what_is_no_ref_is_refused(text):
    with pytest.raises(TemplateError):
        parse_ref(text)


def test_a_source_has_a_plain_name_that_is_not_reserved():
    check_source_name("orders-2")
    for name in (*RESERVED, "Orders", "", "a:b", "-a"):
        with pytest.raises(DeclarationError):
            check_source_name(name)


@pytest.mark.parametrize(
    ("text", "alias", "ref", "fields"),
    [
        ('slots/slot-42.json#slot_id,status == "available"', "", "cwd:slots/slot-42.json",
         ["slot_id", 'status == "available"']),
        ("slot=slots/a.json#status", "slot", "cwd:slots/a.json", ["status"]),
        ("orders:#W1#status, items (unordered, optional)", "", "orders:#W1",
         ["items (optional, unordered)", "status"]),
        ("o=orders:W1#status", "o", "orders:W1", ["status"]),
        ("other:W1#status", "", "cwd:other:W1", ["status"]),
        ("cwd:a=b.json#c", "", "cwd:a=b.json", ["c"]),
        ("./a=b.json#c", "", "cwd:./a=b.json", ["c"]),
        ("a.json#t in ['#1','x,y'],b", "", "cwd:a.json", ["b", 't in ["#1", "x,y"]']),
        ("a.json#$.l[?@.n == '#'].p", "", "cwd:a.json", ["$.l[?@.n == '#'].p"]),
        ('a.json#"x#y,z"', "", "cwd:a.json", ["x#y,z"]),
        ("it's.json#a == 'x'", "", "cwd:it's.json", ['a == "x"']),
        ("it's (1.json#a", "", "cwd:it's (1.json", ["a"]),
        ("a.json#$", "", "cwd:a.json", ["$"]),
    ],
)  # fmt: skip
def test_an_evidence_option_names_alias_ref_and_fields(text, alias, ref, fields):
    made = parse_e_option(text, ["orders"])
    assert (made.alias, str(made.ref)) == (alias, ref)
    assert [str(each) for each in made.fields] == fields


@pytest.mark.parametrize("text", ["a.json", "a.json#", "a.json# ", "it's.json", "a=b.json"])
def test_an_evidence_option_without_fields_is_refused(text):
    with pytest.raises(NoFields) as caught:
        parse_e_option(text, [])
    assert "#status" in caught.value.fix


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("#a", TemplateError),
        ("x=#a", TemplateError),
        ("orders:#a", TemplateError),
        ("a.json#b c == ", FieldSyntaxError),
        ("a.json#a,a", FieldSyntaxError),
        ("a.json#a,,b", FieldSyntaxError),
        ("a.json#it's", FieldSyntaxError),
    ],
)
def test_an_evidence_option_that_can_not_be_read_is_refused(text, error):
    with pytest.raises(error):
        parse_e_option(text, ["orders"])


GIVEN = {"slot_id": "#a:{x}", "n": 2.50, "empty": "", "list": [1]}


@pytest.mark.parametrize(
    ("text", "names", "ref", "fields"),
    [
        ("slots:fixed", (), "slots:fixed", ()),
        ("slots:{slot_id}", ("slot_id",), "slots:#a:{x}", ()),
        ("slots:x-{n}-{n}", ("n",), "slots:x-2.5-2.5", ()),
        ("slots:{n}#status, /a/b", ("n",), "slots:2.5", ("/status", "/a/b")),
        ("slots:##{n}#status", ("n",), "slots:#2.5", ("/status",)),
        ("slots:{{n}}##", (), "slots:{n}#", ()),
        ('slots:a#"x##y, {{z}}",b', (), "slots:a", ("/x#y, {z}", "/b")),
        ("slots:a#$.l[0,1]", (), "slots:a", ("$.l[0,1]",)),
        ("slots:all#/slots/{slot_id}/status", ("slot_id",), "slots:all",
         ("/slots/#a:{x}/status",)),
        ("slots:all#slot~{n}", ("n",), "slots:all", ("/slot~02.5",)),
    ],
)  # fmt: skip
def test_what_a_tool_writes_is_parsed_before_it_is_filled(text, names, ref, fields):
    entry = parse_writes(text)
    assert entry.names() == names
    assert entry.fill(GIVEN) == Written(ref, fields)


def test_a_filled_token_stays_one_token():
    assert parse_writes("s:a#/x/{k}").fill({"k": "a/b~c"}).fields == ("/x/a~1b~0c",)


@pytest.mark.parametrize(
    "text",
    ["slots", "slots:", "Slots:a", "{n}:a", "slots:a#b#c", "slots:a#", "slots:a#b,,c", "slots:{n",
     "slots:a}", "slots:a#{", 'slots:a#"{n}"', "slots:a#$.{n}", "slots:a#it's", "slots:a#b[",
     "slots:#a", "slots:a#{{x}}", "slots:a#b = {n}", "slots:a#/x/~{n}"],
)  # fmt: skip
def test_writes_that_can_not_be_read_are_refused(text):
    with pytest.raises(DeclarationError):
        parse_writes(text)


@pytest.mark.parametrize("text", ["slots:{empty}", "slots:{list}", "slots:{nope}", "slots:{n.x}"])
def test_a_value_that_makes_no_key_is_refused(text):
    with pytest.raises(TemplateError):
        parse_writes(text).fill(GIVEN)


def test_a_ref_is_a_pair():
    assert Ref("a", "b") == ("a", "b")


def test_a_hole_in_a_ref_fills_its_key_and_can_not_choose_its_source():
    assert RefTemplate("orders:{id}").fill({"id": "#W1"}) == "orders:#W1"
    with pytest.raises(TemplateError, match="is not a ref"):
        RefTemplate("{anything}:key")
    with pytest.raises(TemplateError, match="is not a ref"):
        RefTemplate("{anything}")


def test_a_ref_with_a_hole_names_it_and_refuses_an_empty_key():
    template = RefTemplate("orders:{slot.order}")
    assert template.names() == ("slot.order",)
    assert template.fill({}, {"slot": {"/order": "7"}}) == "orders:7"
    with pytest.raises(TemplateError, match="is not a ref"):
        RefTemplate("orders:{id}").fill({"id": ""})
