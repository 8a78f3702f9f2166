"""Values that are all different, though many look alike; as a program, it prints their digest.

Each goes into a record as `{"v": value}`, or is missing there, and is looked at by one field.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

MISSING = object()

TEXTS = [
    "", " ", "  ", "\t", "\n", "\r\n", "\x00", "\x7f", "\x85", "\xa0", "a", "A", "aa", "a ", " a", "a\x00", "a\u200b",
    "a\u200d", "a\u00ad", "a\ufeff", "\ufeffa", "a\u202e", "\u202ea", "a\u2066", "a\ufe0f", "a\U000e0001", "а", "ɑ", "ａ",
    "é", "e\u0301", "É", "ё", "ë", "e\u0308", "\u00c5", "\u212b", "A\u030a", "ﬁ", "fi", "ß", "ss", "ẞ", "ı", "i", "i\u0307", "İ",
    "K", "\u212a", "\u03a9", "\u2126", "µ", "μ", "가", "\u1100\u1161", "ñ", "n\u0303", "q\u0307\u0323", "q\u0323\u0307", "\u0301",
    "\u2028", "\u2029", "\u3000", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0001f600", "\U0010ffff", "😀a", "日本", "日本 ",
    "0", "1", "-0", "00", "1.0", "1e0", "0x1", "１", "١", "null", "None", "true", "True", "false", "NaN", "Infinity",
    "undefined", "[]", "{}", '""', '"', "'", "\\", "\\\\", "\\n", "\\u0061", "\\u00e9", "/", "~", "~0", "~1", "a/b",
    "$", "$$", "$int", "$$int", "value", "absent", "secret", '["absent"]', '["value",null]', "ll1:", "[1,2]", "[1, 2]",
    "2026-11-03", "2026-11-03T14:00:00Z", "2026-11-03T14:00:00+00:00", "2026-11-03T14:00:00.0Z", "AAH/", "AAH_",
    "12345678-9abc-def0-1234-56789abcdef0", "123456789abcdef0123456789abcdef0", "a,b", "a\",\"b", "a]", "[a", "a" * 100,
    "a" * 101, "b" * 5000, "b" * 5001,
]  # fmt: skip
INTS = sorted({
    *range(-12, 13), *(sign * (2**power + step) for sign in (1, -1) for power in (15, 16, 31, 32, 52, 53, 54, 63, 64, 100)
                       for step in (-1, 0, 1)),
    *(sign * 10**power for sign in (1, -1) for power in (2, 15, 16, 20, 21, 22, 23, 100, 308, 309, 400)),
    10**21 + 1, 10**22 - 1, 10**308 + 1,
})  # fmt: skip
FLOATS = [
    0.1, 0.2, 0.3, 0.1 + 0.2, 0.5, -0.5, 1.5, 1e-5, 1e-6, 1e-7, 1e-21, 5e-324, 2.2250738585072014e-308, 1.1, 1.7976931348623157e308,
    1e300, 1.0000000000000002, 0.9999999999999999, 123456.789, -123456.789, 3.141592653589793, 333333333.3333333,
]  # fmt: skip
DECIMALS = [
    Decimal(text)
    for text in (
        "0.10000000000000001", "0.1000000000000000055511151231257827", "0.10000000000000000001", "-0.10000000000000000001",
        "0.30000000000000004441", "1.00000000000000000000001", "1e-400", "1e-399", "9007199254740993.5", "9007199254740992.5",
        "123456789012345678901234567890.5", "0.33333333333333333333", "0.3333333333333333333",
    )
]  # fmt: skip
MOMENTS = [
    datetime(2026, 11, 3, 14, tzinfo=UTC), datetime(2026, 11, 3, 14, 0, 0, 1, tzinfo=UTC), datetime(2026, 11, 3, 14, 0, 0, 10, tzinfo=UTC),
    datetime(2026, 11, 3, 14, 0, 0, 100_000, tzinfo=UTC), datetime(2026, 11, 3, 14, tzinfo=timezone(timedelta(hours=1))),
    datetime(2026, 11, 3, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime(1970, 1, 1, tzinfo=UTC), date(2026, 11, 3), date(2026, 11, 4), date(1, 1, 1), date(1970, 1, 1),
]  # fmt: skip
BYTES = [
    b"",
    b"\x00",
    b"\x00\x00",
    b"a",
    b"null",
    b"\x00\x01\xff",
    "é".encode(),
    b"e\xcc\x81",
    b"AAH/",
]
IDS = [UUID(int=0), UUID(int=1), UUID("12345678-9abc-def0-1234-56789abcdef0")]
CONTAINERS = [
    [], {}, [[]], [{}], {"": []}, {"": {}}, {"": None}, {"": ""}, [None], [None, None], [""], ["", ""], [0], [False], [True], [1],
    ["1"], [[1]], [[[1]]], [1, 2], [2, 1], [[1], 2], [1, [2]], [[1, 2]], [1, [], 2], ["a", "b"], ["a,b"], ["ab"], ["a", "b", ""],
    {"a": None}, {"a": 1}, {"a": "1"}, {"a": [1]}, {"a": {"b": 1}}, {"a.b": 1}, {"a/b": 1}, {"a": 1, "b": None}, {"a": 1, "b": 2},
    {"a": 2, "b": 1}, [{"a": 1}, {"b": 2}], [{"a": 1, "b": 2}], [{"a": 1}, {"a": 1}], ["a", 1], [["a", 1]], {"A": 1}, {"а": 1},
    {"é": 1}, {"e\u0301": 1}, {"é": 1, "e\u0301": 1}, {"é": 1, "e\u0301": 2}, {"é": 2, "e\u0301": 1}, {"a ": 1}, {" a": 1},
    {"a\u200b": 1}, {"0": 1}, {"1": 0}, {"null": None}, {"$": 1}, {"$$": 1}, {"$int": "5"}, {"$$int": "5"}, {"$int": 5},
    {"$int": "9007199254740993"}, {"$decimal": "0.10000000000000000001"}, {"$date": "2026-11-03"}, {"$bytes": ""},
    {"$datetime": "2026-11-03T14:00:00Z"}, {"$uuid": "00000000-0000-0000-0000-000000000000"}, {"$float": 1}, {"$result": [1, ""]},
    {"$int": "5", "a": 1}, ["absent"], ["value", None], ["value", "absent"], ["secret", "00"], [["absent"]], {"absent": True},
    [9007199254740993], [9007199254740992], ["9007199254740993"], [Decimal("0.10000000000000000001")], [0.1], [b""], [date(1, 1, 1)],
    {"a": b""}, {"a": ""}, {"a": UUID(int=0)}, {"a": date(2026, 11, 3)}, {"a": "2026-11-03"},
    {"\ue000": 1, "\U0001f600": 2}, {"\ue000": 2, "\U0001f600": 1}, [[], []], [[[]]], [[], [[]]], [[[]], []], [{}, []], [[], {}],
    {"a": {}, "b": []}, {"a": [], "b": {}}, {"a": {"b": {"c": None}}}, {"a": {"b": {"c": {}}}}, [1, 1], [1, 1, 1], [True, 1], [1, True],
]  # fmt: skip

ZOO: list[object] = [
    MISSING, None, True, False, *TEXTS, *INTS, *FLOATS, *DECIMALS, *MOMENTS, *BYTES, *IDS, *CONTAINERS,
]  # fmt: skip


def record(**values: object) -> dict[str, object]:
    """The record that holds these values, without those that are missing."""
    return {name: value for name, value in values.items() if value is not MISSING}


def prints() -> list[str]:
    """The fingerprint of each value."""
    from lastlook.core.fields import parse_field
    from lastlook.core.fingerprint import fingerprint

    field = parse_field("v (optional)")
    return [fingerprint(record(v=value), field) for value in ZOO]


if __name__ == "__main__":
    print(hashlib.sha256("\n".join(prints()).encode()).hexdigest())
