"""Rules: how a field is compared, as the object that is hashed and sealed with it.

A rule holds at most one comparison and any marks that go with it. Without a comparison
the field stays as it was captured. `{}` is plain equality.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from lastlook.core import normal
from lastlook.core.canonical import encode
from lastlook.core.decimals import ratio
from lastlook.core.selectors import is_wildcard
from lastlook.core.typed import check_wire
from lastlook.errors import FieldSyntaxError, NotCanonical

COMPARISONS: Final = ("equals", "at_least", "at_most", "one_of", "within")
"""At most one of these is in a rule."""

NUMERIC: Final = ("at_least", "at_most", "within")
"""Comparisons that hold for numbers only."""

MARKS: Final = ("nfc", "unordered", "strict", "instant", "absent_is_null")
"""What else may be in a rule, always as `true`."""

_CLASHES: Final = (
    ("instant", "nfc", "an instant is compared as a moment, not as text"),
    ("instant", "strict", "an instant is no number"),
)
_CLASHES_OF_ONE: Final = (
    ("instant", "unordered", "a value is an instant or a list"),
    ("instant", "absent_is_null", "null is no instant"),
    ("unordered", "absent_is_null", "null is no list"),
)


def build_rule(
    selector: str,
    marks: Iterable[str] = (),
    comparison: str = "",
    operand: Any = None,
    *,
    secret: bool = False,
) -> dict[str, Any]:
    """Return the rule object of format.md.

    Args:
        marks: Which of `MARKS` hold.
        comparison: One of `COMPARISONS`, or an empty text for plain equality.
        operand: Typed JSON, normalised here; for `one_of` a list of values, for
            `within` a number or `{"percent": number}`.

    Raises:
        FieldSyntaxError: The parts do not go together, or the operand is of a kind that
            the comparison cannot use.
    """
    held = set(marks)
    rule: dict[str, Any] = {mark: True for mark in MARKS if mark in held}
    wildcard = is_wildcard(selector)
    _check_parts(rule, comparison, wildcard=wildcard, secret=secret)
    if comparison:
        try:
            rule[comparison] = _operand(comparison, operand, rule, wildcard=wildcard)
        except NotCanonical as error:
            refused = FieldSyntaxError(
                f"the operand of {comparison} has no canonical form: {error.what}",
                where=error.where,
            )
            raise _masked(refused, comparison, secret=secret) from None
        except FieldSyntaxError as error:
            raise _masked(error, comparison, secret=secret) from None
    return rule


def _masked(error: FieldSyntaxError, comparison: str, *, secret: bool) -> FieldSyntaxError:
    """Return the error of an operand, which is not repeated where the field is secret."""
    if not secret:
        return error
    what = f"{comparison} cannot take its operand, which is not repeated: the field is secret"
    return FieldSyntaxError(what, fix=error.fix)


def check_rule(selector: str, rule: Mapping[str, Any], *, secret: bool) -> None:
    """Refuse a rule object that `build_rule` would not have made.

    Raises:
        FieldSyntaxError: Unknown members, parts that do not go together, or an operand
            that is not in canonical form.
    """
    chosen = [name for name in rule if name in COMPARISONS]
    marks = [name for name in rule if name in MARKS and rule[name] is True]
    for name in rule:
        if name not in chosen and name not in marks:
            held = "(secret)" if secret else repr(rule[name])
            raise FieldSyntaxError(f"a rule has no {name!r} of {held}", where=selector)
    if len(chosen) > 1:
        raise FieldSyntaxError(
            f"a field has one comparison, not both {chosen[0]} and {chosen[1]}", where=selector
        )
    comparison = chosen[0] if chosen else ""
    made = build_rule(selector, marks, comparison, rule.get(comparison), secret=secret)
    if encode(made) != encode(dict(rule)):
        raise FieldSyntaxError(
            f"the operand of {comparison} is not in canonical form", where=selector
        )


def _check_parts(rule: Mapping[str, Any], comparison: str, *, wildcard: bool, secret: bool) -> None:
    if rule and comparison in NUMERIC:
        raise FieldSyntaxError(
            f"{comparison} compares numbers, and {next(iter(rule))} says nothing of them"
        )
    for first, second, why in (*_CLASHES, *(() if wildcard else _CLASHES_OF_ONE)):
        if first in rule and second in rule:
            raise FieldSyntaxError(f"{first} does not go with {second}: {why}")
    if wildcard and "absent_is_null" in rule:
        raise FieldSyntaxError("absent_is_null says nothing of a wildcard, which names no member")
    if wildcard and "unordered" in rule and comparison:
        raise FieldSyntaxError(f"{comparison} holds for each match, so unordered says nothing")
    if secret and comparison == "within":
        raise FieldSyntaxError(
            "a secret field cannot have within, which needs the captured value",
            fix="Use at_least or at_most.",
        )


def _operand(comparison: str, wire: Any, rule: Mapping[str, Any], *, wildcard: bool) -> Any:
    if comparison == "equals":
        return _value(wire, rule, wildcard=wildcard)
    if comparison == "one_of":
        return _choices(wire, rule, wildcard=wildcard)
    if comparison != "within":
        return _number(comparison, wire)
    if isinstance(wire, dict) and list(wire) == ["percent"]:
        return {"percent": _distance(wire["percent"])}
    return _distance(wire)


def _value(wire: Any, rule: Mapping[str, Any], *, wildcard: bool) -> Any:
    wire = check_wire(wire)
    _check_tags(wire, strict="strict" in rule)
    if "nfc" in rule:
        wire = normal.nfc(wire)
    if "instant" in rule:
        return _moment(wire)
    if "unordered" in rule and not wildcard:
        if not isinstance(wire, list):
            raise FieldSyntaxError(f"{wire!r} is not a list, and the field is unordered")
        return normal.unordered(wire)
    return wire


def _moment(wire: Any) -> Any:
    moment = normal.moment(wire)
    if moment is None:
        raise FieldSyntaxError(
            f"{wire!r} is not an instant",
            fix='Write it as RFC 3339 has it: "2026-03-01T08:00:00Z".',
        )
    return moment


def _check_tags(wire: Any, *, strict: bool) -> None:
    if isinstance(wire, dict):
        if "$result" in wire or ("$float" in wire and not strict):
            raise FieldSyntaxError(f"{wire!r} cannot be compared with")
        wire = list(wire.values())
    if isinstance(wire, list):
        for item in wire:
            _check_tags(item, strict=strict)


def _choices(wires: Any, rule: Mapping[str, Any], *, wildcard: bool) -> list[Any]:
    if not isinstance(wires, list) or not wires:
        raise FieldSyntaxError(f"one_of needs a list of values, not {wires!r}")
    made = [_value(wire, rule, wildcard=wildcard) for wire in wires]
    by_bytes = {encode(wire): wire for wire in made}
    return [by_bytes[key] for key in sorted(by_bytes)]


def _number(comparison: str, wire: Any) -> Any:
    wire = check_wire(wire)
    if ratio(wire) is None or (isinstance(wire, dict) and "$float" in wire):
        raise FieldSyntaxError(f"{comparison} needs a number, not {wire!r}")
    return wire


def _distance(wire: Any) -> Any:
    wire = _number("within", wire)
    size = ratio(wire)
    if size and size[0] < 0:
        raise FieldSyntaxError(f"within needs a distance that is not negative, not {wire!r}")
    return wire
