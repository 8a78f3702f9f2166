"""Words of the command line as arguments: `slot_id=slot-42`, by declared types."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from lastlook.core.canonical import to_wire
from lastlook.core.evidence import Wire
from lastlook.core.jsontext import parse_json
from lastlook.errors import BadArguments, BadJSON, NotCanonical

_LIKE: Final = {"integer": "42", "number": "2.5", "boolean": "true"}


def typed_words(
    plan: str, words: Sequence[str], declared: Mapping[str, str], *, line: str = ""
) -> dict[str, Wire]:
    """Return arguments in typed JSON by name, in the declared order.

    Args:
        plan: The plan's name, for messages.
        words: `NAME=VALUE`, each name once.
        declared: The type of each argument by name.
        line: How the command line begins that takes the words, for messages;
            `lastlook propose PLAN` by default.

    Raises:
        BadArguments: A word names no argument, an argument is missing or given twice,
            or a value is not of its type.
    """
    usage = usage_of(line or f"lastlook propose {plan}", declared)
    given: dict[str, Wire] = {}
    for name, text in named_words(plan, words, declared, usage):
        given[name] = typed_word(name, text, declared[name])
    missing = [name for name in declared if name not in given]
    if missing:
        is_missing = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        raise BadArguments(f"plan {plan}: {is_missing}", fix=usage)
    return {name: given[name] for name in declared}


def named_words(
    plan: str, words: Sequence[str], known: Collection[str], usage: str
) -> list[tuple[str, str]]:
    """Split `NAME=VALUE` words, each name once and one that is known.

    Raises:
        BadArguments: A word names no argument, or one for the second time.
    """
    given: dict[str, str] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if sign and name in known and name not in given:
            given[name] = text
            continue
        why = "is given twice" if name in given else "names no argument"
        why = why if sign else "is not NAME=VALUE"
        raise BadArguments(f"plan {plan}: {word!r} {why}", fix=_meant(name, known) + usage)
    return list(given.items())


def usage_of(line: str, declared: Mapping[str, str]) -> str:
    """Return what to type, each argument with its type."""
    shown = " ".join(f"{name}={kind.upper()}" for name, kind in declared.items())
    return f"Type: {line} {shown}".rstrip()


def _meant(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, 1)
    return f"Did you mean {close[0]}? " if close and name not in known else ""


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
