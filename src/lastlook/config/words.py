"""Words of the command line as arguments: `slot_id=slot-42`, by declared types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lastlook.core.canonical import to_wire
from lastlook.core.evidence import Wire
from lastlook.core.jsontext import parse_json
from lastlook.errors import BadArguments, BadJSON, NotCanonical

_LIKE: Final = {"integer": "42", "number": "2.5", "boolean": "true"}


def typed_words(plan: str, words: Sequence[str], declared: Mapping[str, str]) -> dict[str, Wire]:
    """Return arguments in typed JSON by name, in the declared order.

    Args:
        plan: The plan's name, for messages.
        words: `NAME=VALUE`, each name once.
        declared: The type of each argument by name.

    Raises:
        BadArguments: A word names no argument, an argument is missing or given twice,
            or a value is not of its type.
    """
    given: dict[str, Wire] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign or name not in declared or name in given:
            why = "is given twice" if name in given else "names no argument"
            raise BadArguments(f"plan {plan}: {word!r} {why}", fix=_usage(plan, declared))
        given[name] = typed_word(name, text, declared[name])
    missing = [name for name in declared if name not in given]
    if missing:
        is_missing = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        raise BadArguments(f"plan {plan}: {is_missing}", fix=_usage(plan, declared))
    return {name: given[name] for name in declared}


def typed_word(name: str, text: str, kind: str) -> Wire:
    """Return one word as a value of a declared type, in typed JSON.

    A `string` is taken as it is; everything else is written as in JSON. What `any` can't
    read as JSON is a text.

    Raises:
        BadArguments: The word is not of that type.
    """
    if kind == "string":
        return _wire(name, text)
    try:
        value = parse_json(text)
    except BadJSON as error:
        if kind == "any":
            return _wire(name, text)
        raise _wrong(name, text, kind) from error
    right = {
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "boolean": isinstance(value, bool),
        "any": True,
    }
    if not right[kind]:
        raise _wrong(name, text, kind)
    return _wire(name, value)


def _wire(name: str, value: object) -> Wire:
    try:
        return to_wire(value)
    except NotCanonical as error:
        raise BadArguments(f"{name}: {error.what}", fix=error.fix) from error


def _wrong(name: str, text: str, kind: str) -> BadArguments:
    a = "an" if kind == "integer" else "a"
    return BadArguments(
        f"{name} is {a} {kind}, not {text!r}", fix=f"Write it as in {name}={_LIKE[kind]}."
    )


def _usage(plan: str, declared: Mapping[str, str]) -> str:
    shown = " ".join(f"{name}={kind.upper()}" for name, kind in declared.items())
    return f"Type: lastlook propose {plan} {shown}".rstrip()
