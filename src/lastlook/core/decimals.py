"""Numbers: the one decimal value that an int, a float or a Decimal has.

A double stands for the number that its shortest round-trip form writes. Where some
double writes a value, the value is a plain JSON number; elsewhere its digits are kept
in full under a tag. No decimal context takes part, so that the answer is the same in
every program, whatever it has set.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire

DIGITS = 4300
"""The most digits that one number may be written with."""

EXACT = 2**53
"""Up to here, every integer is what some double's shortest form writes."""

_PLAIN = 10**21  # from here on ECMAScript writes an exponent, so that text reads as a float
_MOST_BITS = 14285  # of 10**4300


class NoNumber(ValueError):
    """A number without a decimal value, or with too many digits."""


def wire_of_int(value: int) -> Wire:
    """Return an int as typed JSON.

    Raises:
        NoNumber: It has more than 4,300 digits.
    """
    if -EXACT <= value <= EXACT:
        return value
    if value.bit_length() > _MOST_BITS:
        raise NoNumber(f"a number has more than {DIGITS} digits")
    digits = str(Decimal(value))  # str(int) has a limit that the interpreter can be told
    if len(digits.lstrip("-")) > DIGITS:
        raise NoNumber(f"a number has more than {DIGITS} digits")
    try:
        near = float(value)
    except OverflowError:
        return {"$int": digits}
    if Decimal(repr(near)) != value:
        return {"$int": digits}
    return value if abs(value) < _PLAIN else near


def wire_of_float(value: float) -> Wire:
    """Return a float as typed JSON: an int where it is integral and below 10**21.

    Raises:
        NoNumber: It is NaN or infinite.
    """
    if value - value != 0:
        raise NoNumber(f"{value!r} is not a number that can be compared")
    if not value.is_integer() or abs(value) >= _PLAIN:
        return value
    return int(value) if abs(value) <= EXACT else int(Decimal(repr(value)))


def wire_of_decimal(value: Decimal) -> Wire:
    """Return a Decimal as typed JSON.

    Raises:
        NoNumber: It is NaN or infinite, or has more than 4,300 digits.
    """
    value = Decimal(value)
    if not value.is_finite():
        raise NoNumber(f"{value} is not a number that can be compared")
    text = positional(value)
    if "." not in text:
        return wire_of_int(int(Decimal(text)))
    near = float(text)
    return near if Decimal(repr(near)) == value else {"$decimal": text}


def positional(value: Decimal) -> str:
    """Return a finite Decimal's digits without exponent and without surplus zeros.

    Raises:
        NoNumber: There are more than 4,300.
    """
    sign, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    bare = text.rstrip("0")
    if not bare:
        return "0"
    point = len(text) + int(exponent)  # how many digits stand before the point
    if max(point, 1) + max(len(bare) - point, 0) > DIGITS:
        raise NoNumber(f"a number has more than {DIGITS} digits")
    if point <= 0:
        bare, point = "0" * (1 - point) + bare, 1
    whole, rest = bare[:point].ljust(point, "0"), bare[point:]
    return f"{'-' * sign}{whole}{'.' * bool(rest)}{rest}"


def json_number(value: float) -> str:
    """Return the text that RFC 8785, section 3.2.2.3, gives a number (as ECMAScript does).

    Raises:
        NoNumber: It is NaN or infinite.
    """
    wire = value if isinstance(value, int) else wire_of_float(value)
    if isinstance(wire, int):
        return str(Decimal(wire))
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + int(exponent)
    if -6 < point <= 0:
        body = "0." + "0" * -point + text
    elif 0 < point <= 21:
        body = f"{text[:point]}.{text[point:]}"
    else:
        body = f"{text[0]}{'.' * (len(text) > 1)}{text[1:]}e{point - 1:+d}"
    return "-" * sign + body


def is_whole(wire: Wire) -> bool:
    """Return whether typed JSON is an integral number, however it is written."""
    if type(wire) is float:
        return wire.is_integer()
    return type(wire) is int or (isinstance(wire, dict) and "$int" in wire)


def ratio(wire: Wire) -> tuple[int, int] | None:
    """Return a number of typed JSON as numerator and denominator, exactly.

    None is returned for all that is not a number: for true and false too.
    """
    kind = type(wire)
    if kind is int:
        return wire, 1
    if kind is float:
        return Decimal(repr(wire)).as_integer_ratio()
    if isinstance(wire, dict) and len(wire) == 1:
        [(tag, inner)] = wire.items()
        if tag in {"$int", "$decimal"}:
            return Decimal(inner).as_integer_ratio()
        return ratio(inner) if tag == "$float" else None
    return None
