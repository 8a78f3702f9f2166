"""What the vectors of the specification ask, by group; `scripts/vectors` adds the answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parents[1] / "tests" / "vectors"
SALT = "00112233445566778899aabbccddeeff" * 2
KEY = "0f" * 32

Request = dict[str, Any]


def _stored(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


NUMBERS = """
0 -0 0.0 -0.0 1 -1 1.0 20.0 0.1 0.5 1e0 1E+2 1e-7 0.000001 1e-6 123.456 1e20 1e21 1E21 -1e21 1e22
9007199254740991 9007199254740992 9007199254740993 -9007199254740993 9007199254740994
9007199254740993.0 100000000000000000000 123456789012345678901 123456789012345680000
1000000000000000000000 1000000000000000000001 333333333.33333329 4.50 2e-3 0.1e1
1.7976931348623157e308 2.2250738585072014e-308 5e-324 4.9406564584124654e-324 0e-400 0.000e999
295147905179352830000 295147905179352825856 0.3 0.30000000000000004 1424953923781206.25
""".split()
JSON_TEXTS = [
    *NUMBERS,
    "null", "true", "false", '""', '"a"', '"\\u00e9"', '"é"', '"e\\u0301"', '"\\ud83d\\ude00"',
    '"\\/\\b\\f\\n\\r\\t\\u000b\\u001f\\u007f\\u2028"', '"€$"', "[]", "{}", "[ ]", "{ }", "[[]]",
    "[1,2,3]", "[3,2,1]", ' [ 1 , { "b" : 2 , "a" : null } ]\r\n', '{"b":1,"a":2}', '{"":0}',
    '{"$int":"5"}', '{"$":1}', '{"$$":1}', '{"$date":"2026-11-03","b":1}', '{"1":1,"10":2,"2":3}',
    '{"\\ue000":1,"\\ud83d\\ude00":2,"\\ud7ff":3}', '{"__proto__":1,"constructor":2}',
    '{"A":1,"a":2,"Å":3,"A\\u030a":4}', "[" * 64 + "]" * 64, '{"a":{"a":{"a":[0.0,-0.0,1e300]}}}',
]  # fmt: skip
STRICT_TEXTS = ["20", "20.0", "2e1", "-0.0", "0", "1e21", "1000000000000000000000", "0.5",
                "[1.0, 1]", '{"a": 9007199254740993.0}']  # fmt: skip
BAD_TEXTS = [
    "", " ", "nul", "True", "NaN", "Infinity", "-Infinity", "01", "-01", "+1", "1.", ".5", "1e", "1e+",
    "0x10", "1_000", "١", "[1,]", "[,1]", "[1 2]", "[", "]", '{"a":1,}', '{"a"}', "{a:1}", '{"a":1 "b":2}',
    "{'a':1}", '"a', '"\\x"', '"\\u12"', '"\t"', '"\n"', "1 2", "[] []", "\ufeff1", "\u00a01", "// a\n1",
    '{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{"c":1,"c":2}}]', '"\\ud800"', '"\\udc00x"',
    '{"\\ud800":1}', "1e400", "-1e400", "1e-400", "-0.00001e-400", "[" * 65 + "]" * 65, "\x0c1", "1\x00", '{"a":{"a":[1e400]}}',
]  # fmt: skip
TYPED = [
    '{"$int":"9007199254740993"}', '{"$int":"-123456789012345678901"}', '{"$decimal":"0.10000000000000000001"}',
    '{"$decimal":"-9007199254740993.5"}', '{"$decimal":"1.00000000000000005"}',
    '{"$datetime":"2026-11-03T14:00:00Z"}', '{"$datetime":"2026-11-03T14:00:00.5Z"}',
    '{"$datetime":"2026-11-03T14:00:00.123456789Z"}', '{"$datetime":"0001-01-01T00:00:00Z"}',
    '{"$datetime":"9999-12-31T23:59:59.999999Z"}', '{"$datetime":"2024-02-29T00:00:00Z"}',
    '{"$date":"2026-11-03"}', '{"$date":"0001-01-01"}', '{"$date":"2000-02-29"}', '{"$bytes":""}',
    '{"$bytes":"AA=="}', '{"$bytes":"AAH/"}', '{"$uuid":"12345678-9abc-def0-1234-56789abcdef0"}',
    '{"$float":20}', '{"$float":-1}', '{"$float":0}', '{"$float":1e21}', '{"$float":{"$int":"9007199254740993"}}',
    '{"$result":[1,""]}', '{"$result":[2,"/id"]}', '{"$$int":"5"}', '{"$$$x":1,"$$":2}', '{"a":{"$date":"2026-11-03"}}',
    "9007199254740992", "1e21", "1000000000000000000000", "[1.0]", "-0.0", "0.1",
]  # fmt: skip
NOT_TYPED = [
    "9007199254740993", "[123456789012345678901]", '{"$int":"5"}', '{"$int":"9007199254740992"}', '{"$int":5}',
    '{"$int":"-0"}', '{"$int":"09007199254740993"}', '{"$int":"+9007199254740993"}', '{"$int":"1e30"}',
    '{"$int":"9007199254740993","b":1}', '{"$int":"9007199254740993","$date":"2026-11-03"}',
    '{"$decimal":"1.5"}', '{"$decimal":"1.50"}', '{"$decimal":"0.100000000000000000010"}', '{"$decimal":"1e-30"}',
    '{"$decimal":".10000000000000000001"}', '{"$decimal":"9007199254740993"}', '{"$decimal":0.1}',
    '{"$datetime":"2026-11-03T14:00:00+00:00"}', '{"$datetime":"2026-11-03T14:00:00"}',
    '{"$datetime":"2026-11-03T14:00:00.50Z"}', '{"$datetime":"2026-11-03T14:00:00.Z"}',
    '{"$datetime":"2026-11-03 14:00:00Z"}', '{"$datetime":"2026-11-03t14:00:00z"}',
    '{"$datetime":"2026-02-29T14:00:00Z"}', '{"$datetime":"2026-11-03T24:00:00Z"}',
    '{"$datetime":"2026-11-03T23:59:60Z"}', '{"$datetime":"0000-01-01T00:00:00Z"}', '{"$datetime":1}',
    '{"$date":"2026-11-31"}', '{"$date":"20261103"}', '{"$date":"2026-W45-2"}', '{"$date":"2026-11-03T00:00:00Z"}',
    '{"$bytes":"AA"}', '{"$bytes":"AB=="}', '{"$bytes":"AA=="," b":1}', '{"$bytes":"_-8="}', '{"$bytes":"AA==\\n"}',
    '{"$uuid":"12345678-9ABC-def0-1234-56789abcdef0"}', '{"$uuid":"123456789abcdef0123456789abcdef0"}',
    '{"$float":0.5}', '{"$float":"20"}', '{"$float":{"$float":20}}', '{"$float":true}', '{"$float":null}',
    '{"$result":[0,""]}', '{"$result":[1]}', '{"$result":["1",""]}', '{"$x":1}', '{"$":1}', '{"a":[{"$nope":null}]}',
]  # fmt: skip
FIELDS = [
    "é", "日本語", "a b", "x.y.z", "a:b", "a#b", "a,b", "0", "-", "*", "a*", "a@b", "@", "a?b", "a%", "%",
    "/0", "/a/0/b", "/a~0b~1c", "/~01", "//", "/a//b", "/ a/b", '"/a b"', '"/a/b = c"', '" x "', '"a\\tb"',
    '"\\u0000"', '"$"', '"$.a"', '"x in y"', '"/x/y in z"', '"it\'s"', '"a" ', '"[0]"', '"/a~1b"', '"a/b"', '"a~b"',
    "x == -1.50", "x == 1E2", "x == 9007199254740993", "x == -9007199254740993", "x == 0.10000000000000000001",
    "x == ''", 'x == ""', "x == '\\''", "x == '\"'", "x == '\\\\'", "x == '\\u00e9\\n'", "x == \"'\"",
    "x == ' in '", "x == '== 5'", "x == 'a (secret)'", "x in ['a in b', \"c == d\"]", "x in [1]", "x in [[1, 2], [1]]",
    "x in [null, false, 0, '']", "x in [2, 10, 1]", "x in ['é', 'e\u0301', 'z']", "x in [{\"a\": 1}, {}]",
    "x == []", "x == {}", "x == [1, [2, {'a': 'b'}]]", 'x == {"b": 1, "a": {"$int": "9007199254740993"}}',
    'x == {"\\ue000": 1, "\\ud83d\\ude00": 2}', "x == {'a': 1.0}", "a b == 1", "in == 1", "within within 5", "in in [1]", "x >= 0", "x >= -0.0", "x >= 1e21", "x <= 1e-7", "x <= 123456789012345678901",
    'x >= {"$int": "9007199254740993"}', "x within 0", "x within 0.5", "x within 12345678901234567890123",
    "x within 0%", "x within 100%", "x within 0.1%", 'x within {"percent": 5}', "x == true (optional)",
    "x (nfc)", "x (unordered)", "x (strict)", "x (absent_is_null)", "x (secret)", "x (secret, optional)",
    "x (nfc, unordered, strict)", "x (strict, nfc, optional, secret)", "x (absent_is_null, strict, nfc)",
    "x in ['e\u0301', 'é'] (nfc)", "x == {'e\u0301': 1} (nfc)", "x in [20.0, 20] (strict)", "x == [1.0] (strict)",
    "x in [[2, 1], [1, 2]] (unordered)", "x == [{'b': 1}, 'a', 10, 9] (unordered)",
    "x in ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'] (instant)", "x == '2026-01-01T00:00:00.000Z' (instant)",
    'x == {"$datetime": "2026-01-01T00:00:00Z"} (instant)', "x >= 2 (optional)", "x >= 2 (secret)", "x in [1] (secret)",
    "$.a", "$['a']", '$["a"]', "$.a.b[0]", "$[-1]", "$ .a", "$.a [0]", "$['\\u00e9']", "$.é", "$['it\\'s']", '$["\\""]',
    "$.*", "$..a", "$..*", "$[*]", "$.a[0,1]", "$.a['b','c']", "$.a[1:3]", "$.a[::-1]", "$.a[?@.b]", "$.a[?@.b == 1].c",
    "$.a[?@.b == 'x in y'] == 5", "$.a[?(@.b > 1 && @.c) || !@.d]", "$.a[?count(@.*) > 1]", "$.a[?length(@.b) == 2]",
    "$.a[*] in [1, 2]", "$.a[*] (unordered)", "$.a[*] (nfc, unordered, strict)", "$.a[*] within 5% (optional)",
    "$.a[*] == [1] (optional)", "$.a[*] (unordered, instant)",
]  # fmt: skip
NOT_FIELDS = [
    " x", "x ", "\u00a0x", "x\u2003", "x\t", "x\n", "a\x01b", "x == ", "x ==", "x in", "x >=", "x >= ", "x == 1 ", "x == y",
    "x == 1 2", "x == 'a", "x == a'", "x == [1", "x == 1]", "x == {a: 1}", "x == {'a': 1, 'a': 2}", "x == 1e400", "x == 1e-400",
    "x == Infinity", "x == +1", "x == 1.", "x == .5", "x == '\\x'", "x == '\\ud800'", "x == \"\t\"", "x == \u00a01",
    "x in 1", "x in {}", "x in [1, ]", "x in ['a', a]", "x >= 'a'", "x >= null", "x >= [1]", "x >= 5%", "x <= {\"$float\": 1}",
    "x within true", "x within -0.1%", "x within 5 %", "x within '5'", "x within 5%%", 'x within {"percent": -1}',
    "x > 1", "x < 1", "x != 1", "x = 1", "x=1", "x>=1", "x === 1", "x == 1 (nfc) (secret)", "x (", "x )", "x ()", "x (nfc )",
    "x ( nfc)", "x (nfc,secret)", "x (nfc, nfc)", "x (NFC)", "x (fast)", "x(nfc)", "x (secret, within)", "f(x)", "x[0]", "{x}",
    "x}", "a'b", 'a"b', "<x>", "a!b", '"a"b', '"a', '"a\\', "'a'", "== == 1", '"\\ud800"', "[1]", "1 in 2",
    "x >= 2 (strict)", "x >= 2 (unordered)", "x <= 2 (absent_is_null)", "x within 2 (nfc)", "x within 2 (secret)",
    "x within 2% (optional, secret)", "x (instant, nfc)", "x (instant, strict)", "x (instant, unordered)",
    "x (instant, absent_is_null)", "x (unordered, absent_is_null)", "$.a[*] (absent_is_null)", "$.a[*] == 1 (unordered)",
    "x == 5 (unordered)", "x in [[1], 5] (unordered)", "x == 5 (instant)", "x == '2026-01-01' (instant)",
    "x == '2026-01-01T00:00:00' (instant)", "x == '2026-01-01T24:00:00Z' (instant)", "x == {'e\u0301': 1, 'é': 2} (nfc)",
    'x == {"$float": 1}', 'x == [{"$float": 1}]', 'x == {"$result": [1, ""]}', 'x == {"$int": "5"}', 'x == {"$x": 1}',
    'x == {"$float": 0.5} (strict)', "/a~", "/a~2b", '"/a~"', "$x", "$.", "$.a.", "$a.b", "$[", "$]", "$.a[0", "$.'a'",
    "$.a b", "$.a ", "x" * 4096 + "y", "$.a[9007199254740992]",
]  # fmt: skip


def _singles(op: str, texts: list[str], **more: object) -> Iterator[tuple[str, Request]]:
    for text in texts:
        shown = text if len(text) < 60 else f"{text[:20]}... ({len(text)} characters)"
        yield json.dumps(shown, ensure_ascii=False), {"op": op, "text": text, **more}


def typed_json() -> Iterator[tuple[str, Request]]:
    """Strict JSON, typed JSON, their bytes, and what is refused."""
    yield from _singles("json", [*JSON_TEXTS, *BAD_TEXTS], strict=False)
    for name, request in _singles("json", STRICT_TEXTS, strict=True):
        yield f"{name}, strict", request
    for name, request in _singles("typed", [*TYPED, *NOT_TYPED]):
        yield f"{name} as typed JSON", request
    for item in _stored("ll1.json")["encoding"]:
        text = json.dumps(item["value"], ensure_ascii=False)
        yield (
            f"{json.dumps(text, ensure_ascii=False)}, read as typed JSON",
            {"op": "typed", "text": text},
        )


def fields() -> Iterator[tuple[str, Request]]:
    """Texts of fields, and texts that are none."""
    stored = _stored("field-text.json")
    texts = [item["text"] for item in stored["fields"]]
    yield from _singles(
        "field", [*dict.fromkeys([*texts, *FIELDS, *stored["refused"], *NOT_FIELDS])]
    )


def _record(record: str, *declared: str, ref: str = "", **more: object) -> Request:
    return {
        "op": "capture",
        "kind": "record",
        "ref": ref,
        "record": record,
        "fields": list(declared),
        **more,
    }


RECORDS: dict[str, tuple[str, ...]] = {
    '{"a":{"b":[10,{"c":1}]}}': ("/a/b/1/c", "$.a.b[1].c", "/a/b/0", "$['a']['b'][-2]"),
    '{"0":"name","list":["index"]}': ("0", "/list/0", "$.list[0]"),
    '{"list":[1,2]}': ("/list/00 (optional)", "/list/- (optional)", "/list/2 (optional)", "$.list[2] (optional)",
                       "/list/-1 (optional)", "$.list['0'] (optional)", "$[0] (optional)"),
    '{"$$int":"5","$$$":1}': ("$", '"$int"', '"$$"'),
    '{"x":{"$int":"9007199254740993"}}': ("x", "/x/$int (optional)", "$.x['$int'] (optional)"),
    '{"":{"":1}}': ("/", "//", "$['']"),
    '{"\ue000":1,"\U0001f600":2,"é":3,"e\u0301":4}': ('"\ue000"', "\U0001f600", "é", "e\u0301", "$"),
    '{"x":{"$float":20},"y":[{"$float":1},1,0.5,{"$float":{"$int":"9007199254740993"}}]}':
        ("x", "y (strict)", "$.x (strict)"),
    '{"x":"e\u0301","m":{"e\u0301":["e\u0301"]}}': ("x (nfc)", "m (nfc)"),
    '{"a":"2026-10-23T12:00:00+02:00","b":"2026-10-23T10:00:00.000000000120Z","c":{"$datetime":"2026-10-23T10:00:00Z"},'
    '"d":"0001-01-01T00:00:00Z","e":"2024-02-29T23:59:59-23:59"}':
        ("a (instant)", "b (instant)", "c (instant)", "d (instant)", "e (instant)"),
    '{"x":[[2,1],[1,2],null,"b","a",10,9,{"b":1,"a":2},[2,1]]}': ("x (unordered)",),
    '{"x":null}': ("x (absent_is_null)", "y (optional, absent_is_null)", "z (optional)"),
    '{"x":["b","a"],"y":null}': ("x == ['a','b'] (unordered)", "y == null", "z == 1 (optional)"),
    '{"n":{"$int":"9007199254740993"},"d":{"$decimal":"0.10000000000000000001"},"f":0.1}':
        ("n >= 9007199254740993", "d >= 0.1", "f <= 0.1", "$.n == 9007199254740993"),
    '{"p":100,"z":0,"q":-40}': ("p within 5%", "z within 0", "q within 12.5%"),
    '{"t":true,"n":1,"s":"1"}': ("t == true", "n == 1", "s == '1'"),
    '{"x":[1,2]}': ("x in [[1,2],[1]]", "$.x == [1,2]"),
    "[1,2]": ("/0", "$[1]", "$"),
    '"text"': ("$",),
    "null": ("$",),
}  # fmt: skip
WILDCARDS: dict[str, tuple[str, ...]] = {
    '{"lines":[{"sku":"b","p":400},{"sku":"a","p":250},{"sku":"b","p":{"$float":20}},{"note":null}],"x":[1,2,3,4,5]}': (
        "$.lines[*].p", "$.lines[*]['p','sku']", "$.lines[*].p (unordered)", "$.lines[?@.sku == 'b'].p", "$.lines[?@.p < 300].sku",
        "$.lines[?@.p >= 20 && @.p <= 250].p", "$.lines[?!@.sku].note", "$.lines[?@.note == null].note", "$.lines[?@.sku != 'b']",
        "$..p", "$..sku (unordered)", "$.x[1:3]", "$.x[::2]", "$.x[::-2]", "$.x[-2:]", "$.x[10:] (optional)", "$.x[0,0,-5]",
        "$.x[::0] (optional)", "$.x[?@ > 2]", "$.x[?@ > $.x[1]]", "$.x[*] >= 1", "$.x[*] in [1,2,3,4,5]", "$.x[*] within 50%",
        "$.lines[?count(@.*) == 2].sku", "$.lines[?length(@.sku) == 1].p", "$.lines[?length(@) == 1].note",
        "$[?@.a] (optional)", "$.lines[*].p (strict)", "$.nope[*] (optional)", "$.*", "$.lines[?value(@.p) == 20].sku",
        "$.lines[?(@.sku == 'a' || @.note == null) && @.p].p", "$.lines[?@['sku'] > 'a'].p", "$.lines[?@.p == 2e1].sku",
    ),
    '{"b":{"p":2},"a":{"p":1},"\ue000":{"p":3},"\U0001f600":{"p":4},"*":{"p":5},"$$d":{"p":6}}': ("$.*.p", "$..p", "$['a','b','$d'].p"),
    '{"a":[[1,2],[3]],"b":[[]],"c":[{"$date":"2026-10-23"},{"$int":"9007199254740993"}]}': (
        "$.a[*][*]", "$.a[*]", "$.b[*]", "$..*", "$.c[*]", "$.c[?@ > 5]", "$.a[?@[1]]", "$.a..[0]", "$.c[*].* (optional)",
    ),
    '{"m":[{"e\u0301":"e\u0301"},{"é":"é"}],"t":["2026-01-01T01:00:00+01:00","2026-01-01T00:00:00Z"]}': (
        "$.m[*].* (nfc)", "$.m[*].* (nfc, unordered)", "$.m[*].*", "$.t[*] (instant)", "$.t[*] (instant, unordered)",
        "$.t[*] == '2026-01-01T00:00:00Z' (instant)",
    ),
    "[11,10,9,8,7,6,5,4,3,2,1,0]": ("$[*]", "$[*] (unordered)", "$[?@ == 9 || @ == 10]"),
}  # fmt: skip
REFUSED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a field that names nothing": ("", '{"a":1}', ("b",)),
    "absent_is_null alone does not lift that": ("", '{"a":1}', ("b (absent_is_null)",)),
    "a wildcard without a match": ("", '{"a":[]}', ("$.a[*]",)),
    "a field inside a text": ("", '{"a":"b"}', ("/a/b",)),
    "a field inside null": ("", '{"a":null}', ("/a/b",)),
    "no field at all": ("", '{"a":1}', ()),
    "one selector twice": ("", '{"a":1}', ("a", "a == 1")),
    "one selector in two spellings": ("", '{"a":1}', ("a", "/a")),
    "a condition that is false": ("", '{"a":1}', ("a == 2",)),
    "true is no number": ("", '{"a":true}', ("a >= 0",)),
    "a text is no number": ("", '{"a":"5"}', ("a >= 0",)),
    "1 is not true": ("", '{"a":1}', ("a == true",)),
    "not one of them": ("", '{"a":"x"}', ("a in ['y','z']",)),
    "too small by less than a double tells": ("", '{"a":{"$int":"9007199254740993"}}', ("a >= 9007199254740994",)),
    "one match of a wildcard is too small": ("", '{"a":[1,2]}', ("$.a[*] >= 2",)),
    "null is not at least 0": ("", '{"a":null}', ("a >= 0",)),
    "absent counts as null, and null is not 1": ("", "{}", ("a == 1 (optional, absent_is_null)",)),
    "nothing is near a text": ("", '{"a":"5"}', ("a within 5",)),
    "a share of 0": ("", '{"a":0}', ("a within 5%",)),
    "unordered, and no list": ("", '{"a":{"b":1}}', ("a (unordered)",)),
    "instant, and no time": ("", '{"a":"tomorrow"}', ("a (instant)",)),
    "instant, and second 60": ("", '{"a":"2026-12-31T23:59:60Z"}', ("a (instant)",)),
    "instant, and hour 24": ("", '{"a":"2026-12-31T24:00:00Z"}', ("a (instant)",)),
    "instant, and no zone": ("", '{"a":"2026-12-31T23:59:59"}', ("a (instant)",)),
    "instant, and small letters": ("", '{"a":"2026-12-31t23:59:59z"}', ("a (instant)",)),
    "instant, and before the year 1 in UTC": ("", '{"a":"0001-01-01T00:00:00+00:01"}', ("a (instant)",)),
    "instant, and a number": ("", '{"a":5}', ("a (instant)",)),
    "two names that are one in form C": ("", '{"a":{"e\u0301":1,"é":2}}', ("a (nfc)",)),
    "two places that are one in form C": ("", '{"e\u0301":1,"é":2}', ("$.* (nfc)",)),
    "a secret without its salt": ("people:kim", '{"a":1}', ("a (secret)",)),
    "a stand-in for a result": ("", '{"a":{"$result":[1,""]}}', ("a",)),
    "a record that is not typed JSON": ("", '{"a":{"$x":1}}', ("a",)),
    "a record that is not JSON": ("", '{"a":1', ("a",)),
    "a query in a filter that may name several": ("", '{"a":[]}', ("$.a[?@.b[*] == 1] (optional)",)),
    "a function that is none": ("", '{"a":[]}', ("$.a[?size(@) == 1] (optional)",)),
    "a function alone": ("", '{"a":[]}', ("$.a[?count(@.*)] (optional)",)),
    "a literal alone": ("", '{"a":[]}', ("$.a[?1] (optional)",)),
}  # fmt: skip


def fingerprints() -> Iterator[tuple[str, Request]]:
    """Cells, digests and fingerprints of records, absences and queries."""
    for item in _stored("ll1.json")["vectors"]:
        yield item["name"], _of_stored(item)
    for record, declared in [*RECORDS.items(), *WILDCARDS.items()]:
        for field in declared:
            yield (
                f"{field} of {record if len(record) < 60 else record[:56] + '...'}",
                _record(record, field),
            )
    yield (
        "all fields of a record at once",
        _record(next(iter(RECORDS)), *next(iter(RECORDS.values()))),
    )
    yield (
        "selectors are sorted by UTF-8",
        _record(
            '{"\ue000":1,"\U0001f600":2,"a":3}',
            "\U0001f600",
            "\ue000",
            "a",
            "$",
            "$.a",
            ref="x:\U0001f600",
        ),
    )
    salts = {"people:kim#/a": SALT, "people:kim#$.b[*]": SALT}
    for declared in (
        ("a (secret)",),
        ("a == 'x' (secret)", "c"),
        ("$.b[*] (secret)",),
        ("a (secret, nfc)",),
    ):
        record = '{"a":"x","b":[1,2],"c":null}'
        yield (
            f"secret: {', '.join(declared)}",
            _record(record, *declared, ref="people:kim", salts=salts),
        )
    for name, (ref, record, texts) in REFUSED.items():
        yield f"refused: {name}", _record(record, *texts, ref=ref)
    for name, members, texts, cap in _queries():
        yield f"query: {name}", {
            "op": "capture", "kind": "query", "ref": "slots:free", "params": '{"day":{"$date":"2026-10-23"},"n":2}',
            "members": members, "fields": texts, "cap": cap,
        }  # fmt: skip


def _queries() -> list[tuple[str, str, list[str], int]]:
    return [
        ("no member", "[]", ["s"], 5),
        (
            "members are sorted by UTF-8",
            '[["\U0001f600",{"s":1}],["\ue000",{"s":2}],["a",{"s":3}]]',
            ["s"],
            5,
        ),
        (
            "several fields",
            '[["b",{"s":1,"t":[2,1]}],["a",{"t":[]}]]',
            ["t (unordered)", "s (optional)"],
            5,
        ),
        ("conditions", '[["b",{"s":1}],["a",{"s":5}]]', ["s >= 1"], 5),
        ("a condition that is false for one", '[["b",{"s":1}],["a",{"s":0}]]', ["s >= 1"], 5),
        ("a field that one lacks", '[["b",{"s":1}],["a",{}]]', ["s"], 5),
        ("as many as the cap", '[["b",{}],["a",{}]]', [], 2),
        ("more than the cap", '[["b",{}],["a",{}],["c",{}]]', [], 2),
        ("one key twice", '[["b",{}],["b",{}]]', [], 5),
        ("a key that is no text", "[[1,{}]]", [], 5),
    ]


def _of_stored(item: dict[str, Any]) -> Request:
    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    known: Request = {
        "op": "capture",
        "kind": item["kind"],
        "ref": item["ref"],
        "fields": item["fields"],
    }
    if item["kind"] == "query":
        members = text([list(pair) for pair in item["record"].items()])
        return {**known, "params": text(item["params"]), "members": members, "cap": item["cap"]}
    if item["name"] == "a whole float, strict":
        return {**known, "record": '{"x":{"$float":20},"y":20}'}
    salts = {"salts": item["salts"]} if "salts" in item else {}
    return {**known, "record": text(item["record"]), **salts}


def seals() -> Iterator[tuple[str, Request]]:
    """Seals over bodies, and idempotency keys."""
    for body in (
        "",
        "{}",
        '{"format":"lastlook:plan/1","id":"k7f3"}',
        '{"a":"é\U0001f600"}',
        "{}\n",
    ):
        yield f"the seal of {body!r}", {"op": "seal", "body": body}
    calls = [
        ("k7f3", 1, "book", '{"slot_id":"slot-42"}'),
        ("k7f3", 2, "book", '{"slot_id":"slot-42"}'),
        ("k7f3.2", 1, "book", '{"slot_id":"slot-42"}'),
        ("k7f3", 1, "bo\U0001f600k", '{"b":1.0,"a":{"$int":"9007199254740993"},"$$c":[]}'),
        ("k7f3", 2, "mail", '{"to":{"$result":[1,"/address"]},"template":"{name}"}'),
        ("k7f3", 1, "book", "{}"),
        ("k7f3", 1, "book", '{"a":{"$int":"5"}}'),
    ]
    for root, step, tool, arguments in calls:
        shown = f"the key of step {step} of {root}, {tool} {arguments}"
        yield shown, {"op": "key", "root": root, "step": step, "tool": tool, "arguments": arguments}
