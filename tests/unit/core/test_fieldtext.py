from __future__ import annotations

import pytest

from lastlook.core.canonical import encode
from lastlook.core.fields import field, parse_field
from lastlook.core.fieldtext import print_selector
from lastlook.errors import FieldSyntaxError

DECIMAL = '{"$decimal": "0.10000000000000000001"}'


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("status", "/status"),
        ("a.b", "/a.b"),
        ("check the time", "/check the time"),
        ("in", "/in"),
        ("within 5", "/within 5"),
        ("in stock", "/in stock"),
        ("a/b~c", "/a~1b~0c"),
        ("/payment/amount", "/payment/amount"),
        ("/", "/"),
        ("$", ""),
        ("$.lines[?@.a == 'x, (y)'].price", "$.lines[?@.a == 'x, (y)'].price"),
        ('""', "/"),
        ('"check in"', "/check in"),
        ('"a = b"', "/a = b"),
        ('"$x"', "/$x"),
        ('"/a b/c = d"', "/a b/c = d"),
        (r'"tab\there \u00e9"', "/tab\there é"),
    ],
)
def test_a_selector_is_a_name_a_pointer_a_query_or_quoted(text, selector):
    assert parse_field(text).selector == selector
    assert field(text).selector == selector


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("s == 'free'", {"equals": "free"}),
        (r"""s == 'it\'s "x"'""", {"equals": 'it\'s "x"'}),
        (r's == "\u0041\"\\"', {"equals": 'A"\\'}),
        ("s == true", {"equals": True}),
        ("s == null", {"equals": None}),
        ("n == 20.0", {"equals": 20}),
        ("n == -0.0", {"equals": 0}),
        ("n == 12345678901234567890123", {"equals": {"$int": "12345678901234567890123"}}),
        ('s == {"a": [1, {"b": 0.50}]}', {"equals": {"a": [1, {"b": 0.5}]}}),
        ('s == {"$$tag": 1}', {"equals": {"$$tag": 1}}),
        ('s == {"$uuid": "547606da-b6a6-4876-9d86-627d0976a907"}',
         {"equals": {"$uuid": "547606da-b6a6-4876-9d86-627d0976a907"}}),
        ("n >= 2", {"at_least": 2}),
        (f"n <= {DECIMAL}", {"at_most": {"$decimal": "0.10000000000000000001"}}),
        ("t in ['silver','gold','gold']", {"one_of": ["gold", "silver"]}),
        ("t in [1, 1.0, true]", {"one_of": [1, True]}),
        ("p within 5%", {"within": {"percent": 5}}),
        ("p within 0", {"within": 0}),
        ("p within 0.5%", {"within": {"percent": 0.5}}),
        ("at (instant)", {"instant": True}),
        ("at == '2026-10-23T12:00:00+02:00' (instant)",
         {"instant": True, "equals": {"$datetime": "2026-10-23T10:00:00Z"}}),
        ('at == {"$datetime": "2026-10-23T10:00:00.123456789Z"} (instant)',
         {"instant": True, "equals": {"$datetime": "2026-10-23T10:00:00.123456789Z"}}),
        ("n == 20.0 (strict)", {"strict": True, "equals": {"$float": 20}}),
        ("n == 1e21 (strict)", {"strict": True, "equals": {"$float": 1e21}}),
        ("n == 1000000000000000000000 (strict)", {"strict": True, "equals": 1e21}),
        ("n == 0.5 (strict)", {"strict": True, "equals": 0.5}),
        ("z == 'Zoe\u0308' (nfc)", {"nfc": True, "equals": "Zoë"}),
        ("l == [2, 1] (unordered)", {"unordered": True, "equals": [1, 2]}),
        ("l in [[2, 1], [1, 2]] (unordered)", {"unordered": True, "one_of": [[1, 2]]}),
        ("m == null (absent_is_null)", {"absent_is_null": True, "equals": None}),
        ("$.l[*] == [2, 1]", {"equals": [2, 1]}),
        ("$.l[*] (unordered, instant)", {"unordered": True, "instant": True}),
    ],
)  # fmt: skip
def test_a_condition_becomes_the_rule_of_the_format(text, rule):
    made = parse_field(text)
    assert encode(made.rule) == encode(rule)
    assert parse_field(str(made)) == made


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("/status", "status"),
        ("/a/b", "/a/b"),
        ("/a~1b", "/a~1b"),
        ("/", '""'),
        ("/$x", '"$x"'),
        ("$", "$"),
        ('"a\\u0009b"', '"a\\tb"'),
        ('"/a b/(c)"', '"/a b/(c)"'),
        ('" a"', '" a"'),
        ('"check in"', '"check in"'),
        ('"a in b"', '"a in b"'),
        ("in", "in"),
        ("s == 'free'", 's == "free"'),
        ("t in ['silver','gold']", 't in ["gold", "silver"]'),
        ("n == 1e21", "n == 1000000000000000000000"),
        ("n == 1.1920928955078125e23", "n == 119209289550781250000000"),
        ("n == 0.0000001", "n == 1e-7"),
        ("p within 5.0%", "p within 5%"),
        ('s == {"b":1,"a":[]}', 's == {"a": [], "b": 1}'),
        ('s == {"percent": 5}', 's == {"percent": 5}'),
        ("n == 20.0 (strict, optional)", 'n == {"$float": 20} (optional, strict)'),
        ("s (absent_is_null, nfc, secret)", "s (secret, nfc, absent_is_null)"),
    ],
)
def test_a_field_prints_in_one_way_and_reads_back(text, printed):
    assert str(parse_field(text)) == printed
    assert parse_field(printed) == parse_field(text)


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("status = 'x'", 'Write status == "x", or "status = \'x\'" for a name.'),
        ("status=='x'", 'Write status == "x", or "status==\'x\'" for a name.'),
        ("status === 3", 'Write status == 3, or "status === 3" for a name.'),
        ("status = free", 'Write status == "free", or "status = free" for a name.'),
        ("open = True", 'Write open == true, or "open = True" for a name.'),
        ("x > 3", 'Write x >= 3 with the least value that will do (there is no >), or "x > 3" for a name.'),
        ("x < 3", 'Write x <= 3 with the greatest value that will do (there is no <), or "x < 3" for a name.'),
        ("s != 'x'", 'Write s in [...] with the values that will do (there is no !=), or "s != \'x\'" for a name.'),
        ("check in time", 'Write check in ["time"] for a condition, or "check in time" for a name.'),
        ("check in", 'Write check in [""] for a condition, or "check in" for a name.'),
        ("s == free", 'Write s == "free" for a condition, or "s == free" for a name.'),
        ("s == True", 'Write s == true for a condition, or "s == True" for a name.'),
        ("x >= two", 'Write x >= 2 for a condition, or "x >= two" for a name.'),
        ("p within some", 'Write p within 5% for a condition, or "p within some" for a name.'),
        ("s == NaN", 'Write s == "NaN" for a condition, or "s == NaN" for a name.'),
        ("s == 1e400", 'Write s == "1e400" for a condition, or "s == 1e400" for a name.'),
        ("s ==  1", 'Write s == 1 for a condition, or "s ==  1" for a name.'),
        ("b[0] == x", 'Write "b[0]" == "x" for a condition, or "b[0] == x" for a name.'),
        ("x >= {limit}", 'A condition takes literals only; a value goes in through field("x").at_least(value).'),
        ("{name}", 'A field is a literal text; a value goes in through field("name").equals(value), and a name with braces stands in quotes: "{name}".'),
        ("'it'", 'Write "it".'),
        ("it's", 'Quote a name that holds it: "it\'s".'),
        (" a", 'Write "a".'),
        ("", 'Write "".'),
        ("x=", 'Write "x=".'),
        ('"a" b', 'Write it as a JSON string: "a name".'),
        ('"a', 'Quote a name that holds it: "\\"a".'),
    ],
)  # fmt: skip
def test_a_wrong_spelling_is_refused_with_the_right_one(text, fix):
    with pytest.raises(FieldSyntaxError) as caught:
        parse_field(text)
    assert caught.value.fix == fix


@pytest.mark.parametrize(
    "text",
    [
        "seats (max)", "s (optional, optional)", "s (optional,secret)", "s ()", "s(optional)",
        "s == 'x' (foo)", "(optional)", "x == 1 == 2", "x == 5%", "x in 5", "x in []",
        "x in 'ab'", "x >= 'a'", "x >= true", "x <= null", 'x >= {"$float": 20}', "x within -1",
        "x within -0.5%", "x within %", 'x within {"percent": 5, "b": 1}', "x within 'a'%",
        'x == {"$nope": 1}', 'x == {"$int": "5"}', 'x == {"$result": [1, "/a"]}',
        'x == {"$float": 20}', 'x == {"a": [{"$float": 20}]}', 'x == {"a": 1, "a": 2}',
        "x == 1e-400", "x == " + "9" * 4301, "x == 01", "x == 'a' 'b'", r"x == '\x'",
        'x == "\\ud800"', '"/a~2"', '"\\ud800"', "x == [1] (unordered, instant)",
        "x == 5 (unordered)", "x in [5] (unordered)", "x == 'noon' (instant)",
        "x == 5 (instant)", "x within 5 (secret)", "x >= 1 (nfc)", "x <= 1 (strict)",
        "x within 1 (absent_is_null)", "x >= 1 (unordered)", "x >= 1 (instant)",
        "x (instant, nfc)", "x (instant, strict)", "x (instant, unordered)",
        "x (instant, absent_is_null)", "x (unordered, absent_is_null)",
        "$.a[*] (absent_is_null)", "$.a[*] == 1 (unordered)", "$.a[", "$ == ", "5 >= x",
        'x == {"e\u0301": 1, "\u00e9": 2} (nfc)',
    ],
)  # fmt: skip
def test_what_can_not_be_meant_is_refused(text):
    with pytest.raises(FieldSyntaxError):
        parse_field(text)


@pytest.mark.parametrize("text", ["s == 'x'", "s >= 2", "s (optional)", "s in ['x']"])
def test_field_takes_a_selector_alone(text):
    with pytest.raises(FieldSyntaxError):
        field(text)


def test_a_very_long_text_is_refused_and_does_not_hang():
    with pytest.raises(FieldSyntaxError):
        parse_field(" =" * 200_000)


def test_a_selector_prints_as_people_write_it():
    assert print_selector("") == "$"
    assert print_selector("/items/0/price") == "/items/0/price"
    assert print_selector("$.a[*]") == "$.a[*]"
