from __future__ import annotations

import decimal
import sys
from decimal import Decimal

import pytest

from lastlook.core.decimals import (
    NoNumber,
    is_whole,
    json_number,
    positional,
    ratio,
    wire_of_decimal,
    wire_of_float,
    wire_of_int,
)

INTS = [
    (2**53, 2**53),
    (-(2**53), -(2**53)),
    (2**53 + 1, {"$int": "9007199254740993"}),
    (2**53 + 2, 2**53 + 2),
    (2**60, {"$int": "1152921504606846976"}),
    (1152921504606847000, 1152921504606847000),
    (-(10**20), -(10**20)),
    (10**21, 1e21),
    (10**23, 1e23),
    (10**308, 1e308),
    (10**309, {"$int": "1" + "0" * 309}),
    (-(10**22) - 1, {"$int": "-10000000000000000000001"}),
]


@pytest.mark.parametrize(("value", "wire"), INTS, ids=repr)
def test_an_int_is_a_json_number_where_a_double_writes_it(value, wire):
    made = wire_of_int(value)
    assert made == wire
    assert type(made) is type(wire)


def test_4300_digits_are_taken_and_one_more_is_not():
    most = 10**4300 - 1
    assert wire_of_int(most) == {"$int": "9" * 4300}
    for value in (most + 1, -most - 1, 10**4299 * 15, 10**20000):
        with pytest.raises(NoNumber, match="4300 digits"):
            wire_of_int(value)


FLOATS = [
    (0.1, 0.1),
    (3.0, 3),
    (-0.0, 0),
    (float(2**53), 2**53),
    (float(2**60), 1152921504606847000),
    (1e20, 10**20),
    (1e21, 1e21),
    (-1e300, -1e300),
    (5e-324, 5e-324),
]


@pytest.mark.parametrize(("value", "wire"), FLOATS, ids=repr)
def test_a_float_is_the_number_that_its_shortest_form_writes(value, wire):
    made = wire_of_float(value)
    assert made == wire
    assert type(made) is type(wire)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_float_that_is_no_number_is_refused(value):
    with pytest.raises(NoNumber):
        wire_of_float(value)


DECIMALS = [
    ("1.50", 1.5),
    ("-0", 0),
    ("0E+9999", 0),
    ("1E+2", 100),
    ("1E300", 1e300),
    ("0.1", 0.1),
    ("0.10000000000000000001", {"$decimal": "0.10000000000000000001"}),
    ("-12.3400000000000000000001000", {"$decimal": "-12.3400000000000000000001"}),
    ("1E-400", {"$decimal": "0." + "0" * 399 + "1"}),
    ("9007199254740993", {"$int": "9007199254740993"}),
    ("9007199254740993.5", {"$decimal": "9007199254740993.5"}),
]


@pytest.mark.parametrize(("text", "wire"), DECIMALS, ids=lambda value: str(value)[:30])
def test_a_decimal_has_its_own_value(text, wire):
    made = wire_of_decimal(Decimal(text))
    assert made == wire
    assert type(made) is type(wire)


def test_no_decimal_context_takes_part():
    with decimal.localcontext() as context:
        context.prec = 2
        context.traps[decimal.Inexact] = True
        context.traps[decimal.FloatOperation] = True
        assert wire_of_decimal(Decimal("1.23456")) == 1.23456
        assert wire_of_int(10**20 + 1) == {"$int": "100000000000000000001"}
        assert ratio({"$decimal": "1.23456"}) == (3858, 3125)
        assert json_number(1.23456e-7) == "1.23456e-7"


def test_the_interpreters_limit_on_digits_takes_no_part():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert wire_of_int(10**3000 + 1) == {"$int": "1" + "0" * 2999 + "1"}
        assert ratio({"$int": "1" + "0" * 2999 + "1"}) == (10**3000 + 1, 1)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    ("text", "written"),
    [("12.00", "12"), ("1E3", "1000"), ("0.0010", "0.001"), ("-1.2E-3", "-0.0012"), ("0.0", "0"),
     ("123.456", "123.456"), ("-7", "-7")],
)  # fmt: skip
def test_digits_are_written_without_exponent_and_surplus_zeros(text, written):
    assert positional(Decimal(text)) == written


def test_digits_around_the_point_count_together():
    assert positional(Decimal("0." + "0" * 4298 + "1")) == "0." + "0" * 4298 + "1"
    for text in ("1E-4300", "1E+4300", "1" + "0" * 4299 + ".5"):
        with pytest.raises(NoNumber):
            positional(Decimal(text))


# RFC 8785, appendix B, by their values.
APPENDIX_B = [
    (0.0, "0"), (-0.0, "0"), (5e-324, "5e-324"), (-5e-324, "-5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"), (9007199254740992.0, "9007199254740992"),
    (295147905179352830000.0, "295147905179352830000"), (9.999999999999997e22, "9.999999999999997e+22"),
    (1e23, "1e+23"), (1.0000000000000001e23, "1.0000000000000001e+23"),
    (999999999999999700000.0, "999999999999999700000"), (1e21, "1e+21"),
    (9.999999999999997e-7, "9.999999999999997e-7"), (0.000001, "0.000001"),
    (333333333.3333332, "333333333.3333332"), (-0.0000033333333333333333, "-0.0000033333333333333333"),
    (1424953923781206.2, "1424953923781206.2"), (7, "7"), (-12.5, "-12.5"), (1e-10, "1e-10"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), APPENDIX_B, ids=repr)
def test_a_number_is_written_as_ecmascript_writes_it(value, text):
    assert json_number(value) == text


def test_what_is_no_number_is_not_written():
    with pytest.raises(NoNumber):
        json_number(float("nan"))


RATIOS = [
    (3, (3, 1)),
    (-0.5, (-1, 2)),
    (0.1, (1, 10)),
    ({"$int": "9007199254740993"}, (9007199254740993, 1)),
    ({"$decimal": "0.25"}, (1, 4)),
    ({"$float": 20}, (20, 1)),
    ({"$float": {"$int": "9007199254740993"}}, (9007199254740993, 1)),
    (True, None),
    (None, None),
    ("3", None),
    ([3], None),
    ({}, None),
    ({"$date": "2026-01-01"}, None),
    ({"$$int": "3"}, None),
    ({"a": 1, "b": 2}, None),
]


@pytest.mark.parametrize(("wire", "expected"), RATIOS, ids=repr)
def test_only_numbers_have_a_ratio(wire, expected):
    assert ratio(wire) == expected


@pytest.mark.parametrize(
    ("wire", "whole"),
    [(3, True), (1e21, True), (0.5, False), ({"$int": "9007199254740993"}, True),
     ({"$decimal": "0.25"}, False), (True, False), ("3", False)],
)  # fmt: skip
def test_a_whole_number_is_known_in_every_spelling(wire, whole):
    assert is_whole(wire) is whole
