"""What becomes of whatever a source returns or raises: always one of the four readings."""

from __future__ import annotations

import copy
from types import CoroutineType
from typing import Any, Final

from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound, Reading

READINGS: Final = (Found, NotFound, NoAccess, NoAnswer)

LONGEST_REASON: Final = 300
"""Characters of a reason that are kept: a source's words may be written by anybody."""

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})


def ask(source: Any, key: str) -> Reading:
    """Read one record, and let nothing but a reading come out of it.

    Args:
        source: What should be a `Source`; nothing is taken on trust.
        key: The key of the record.

    Raises:
        KeyboardInterrupt, SystemExit: As the source let them through; everything else
            that it raises is `NoAnswer`.
    """
    try:
        answer = source.read(key)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  # whatever is raised is no value
        return raised(error)
    if type(answer) is Found and answer.version is None:
        return answer
    return settled(answer)


def settled(answer: object) -> Reading:
    """Return `answer` where it is a sound reading, and `NoAnswer` where it is not."""
    if isinstance(answer, Found):
        version: object = answer.version
        if version is None or isinstance(version, str):
            return answer
        return NoAnswer(f"the source gave a version that is {a(version)}, not a text")
    if isinstance(answer, (NotFound, NoAccess, NoAnswer)):
        reason: object = answer.reason
        if isinstance(reason, str) and len(reason) <= LONGEST_REASON:
            return answer
        return type(answer)(capped(spoken(reason)))
    dropped(answer)
    return NoAnswer(f"the source answered with {a(answer)}, not with a reading")


def raised(error: BaseException) -> NoAnswer:
    """Return the `NoAnswer` that stands for an exception: its type, and its words capped."""
    words = spoken(error)
    name = type(error).__name__
    return NoAnswer(capped(f"it raised {name}: {words}" if words else f"it raised {name}"))


def late(seconds: float) -> NoAnswer:
    """Return the `NoAnswer` of a read that took longer than it may."""
    return NoAnswer(f"no answer within {seconds:g} s")


def capped(text: str) -> str:
    """Return `text`, or as much of it as a reason may hold and the mark that it was cut."""
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 3] + "..."


def spoken(value: object) -> str:
    """Return `str(value)`, or nothing where even that goes wrong."""
    try:
        return str(value)
    except Exception:  # noqa: BLE001  # an error that cannot be printed is still an error
        return ""


def a(value: object) -> str:
    """Name the type of a value for people: `a generator`, `an int`, `None`."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def dropped(answer: object) -> None:
    """Close a coroutine that nobody will await, so that Python does not warn of it."""
    if isinstance(answer, CoroutineType):
        answer.close()


def own_copy(value: Any) -> Any:
    """Return a copy that shares nothing changeable with `value`.

    Plain data (dict, list, tuple and scalars) are copied fast; anything else goes
    through `copy.deepcopy`, whatever that raises.
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is dict:
        return {k: v if type(v) in _SCALARS else own_copy(v) for k, v in value.items()}
    if kind is list:
        return [v if type(v) in _SCALARS else own_copy(v) for v in value]
    return copy.deepcopy(value)
