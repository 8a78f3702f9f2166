"""Conditions: what a rule asks of a value, in exact arithmetic.

A condition with a literal never looks at the captured value. `within` does; its ends
are included, and a share of 0 is refused when evidence is captured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from lastlook.core.decimals import ratio
from lastlook.core.jcs import encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastlook.core.evidence import Wire

Holds: TypeAlias = Callable[[Any], bool]


def condition(rule: Mapping[str, Wire]) -> Holds | None:
    """Return the test of a rule's condition, or None where it has no literal one."""
    if "equals" in rule:
        return _one_of([rule["equals"]])
    if "one_of" in rule:
        return _one_of(rule["one_of"])
    if "at_least" in rule:
        return _bound(rule["at_least"], 1)
    if "at_most" in rule:
        return _bound(rule["at_most"], -1)
    return None


def _one_of(values: list[Wire]) -> Holds:
    wanted = frozenset(encode(value) for value in values)
    return lambda value: encode(value) in wanted


def _bound(limit: Wire, sign: int) -> Holds:
    least, scale = ratio(limit) or (0, 0)

    def holds(value: Wire) -> bool:
        number = ratio(value)
        return number is not None and sign * (number[0] * scale - least * number[1]) >= 0

    return holds


def is_within(limit: Wire, before: Wire, now: Wire) -> bool:
    """Tell whether a number is still as near to the captured one as the rule asks.

    Args:
        limit: A number, or `{"percent": number}` of the captured value.
        before: The captured value, as typed JSON.
        now: The value now. What is not a number is not near.
    """
    old, new = ratio(before), ratio(now)
    if old is None or new is None:
        return False
    apart = abs(new[0] * old[1] - old[0] * new[1])  # over old[1] * new[1]
    share = isinstance(limit, dict) and "percent" in limit
    most, scale = ratio(limit["percent"] if share else limit) or (0, 1)
    if share:
        return 100 * apart * scale <= most * abs(old[0]) * new[1]
    return apart * scale <= most * old[1] * new[1]


def no_base(limit: Wire, value: Wire) -> str:
    """Return why a captured value can't be the base of `within`, or an empty text."""
    number = ratio(value)
    if number is None:
        return "is not a number, so nothing is near it"
    if number[0] == 0 and isinstance(limit, dict) and "percent" in limit:
        return "is 0, and a share of 0 is only 0"
    return ""
