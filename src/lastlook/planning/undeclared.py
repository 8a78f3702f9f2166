"""A hint where a plan holds a value that a record has in a field that was not declared."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from inspect import currentframe
from typing import Any, Final

from lastlook.core.evidence import Evidence, Wire
from lastlook.core.places import pattern, spelled
from lastlook.core.selectors import ABSENT, compile_selector
from lastlook.core.visible import visible
from lastlook.planning.beside import Beside, leaves
from lastlook.planning.drafts import Draft

_NAMED: Final = 3  # fields that one hint names
_TRIVIAL: Final = re.compile(r"-?[0-9]|(?![0-9]).{0,2}", re.DOTALL)


class UndeclaredValue(UserWarning):
    """An argument or the intent holds a value of a record, in a field that is not declared.

    The plan would run with the old value after that field has changed: declare the field
    if the value was taken from there. The words name fields and arguments, and no values.
    """


def warn_of_undeclared(draft: Draft) -> None:
    """Warn of each value that may have been taken from a field that nothing protects.

    It goes by values, those that say little aside: true, false, null, one digit, texts of
    one or two characters. A value that some declared field holds, or that a ref names, is
    protected. What was worked out of a value is not found.
    """
    try:
        hints = list(_hints(draft))
    except Exception:  # noqa: BLE001  # a record's own code may raise, and a hint is no reason to
        return
    for hint in hints:
        warnings.warn(hint, UndeclaredValue, stacklevel=_outside())


def _hints(draft: Draft) -> Iterator[str]:
    wanted = _wanted(draft)
    read = [(item, item.__dict__["beside"]) for item in draft.evidence if "beside" in item.__dict__]
    if not wanted or not read:
        return
    every = {text for texts in wanted.values() for text in texts}
    bare = every - _protected(draft, read, every)
    for item, beside in read if bare else ():
        fields = _undeclared(beside, bare)
        for place, texts in wanted.items():
            found = dict.fromkeys(name for text in texts for name in fields.get(text, ()))
            if found:
                yield _hint(item.ref, place, list(found))


def _hint(ref: str, place: str, fields: list[str]) -> str:
    more = [f"{len(fields) - _NAMED} more"] if len(fields) > _NAMED else []
    named = " or ".join([*map(visible, fields[:_NAMED]), *more])
    return (
        f"{place} holds a value that {visible(ref)} has in {named}, which is not declared: "
        "if it was taken from there, declare that field"
    )


def _wanted(draft: Draft) -> dict[str, list[str]]:
    """Return the values that say something, by the place where the plan holds them."""
    found = {
        visible(f"{step.tool}: {name}"): _scalars(wire)
        for step in draft.steps
        for name, wire in step.arguments.items()
    }
    if draft.origin.kind == "template" and not draft.origin.name:
        # A line that somebody, or some agent, has just typed: its words are the arguments.
        commands = [tool.command for tool in draft.tools if tool.command is not None]
        found["the command"] = (word for each in commands for word in each.run)
    wanted = {place: _telling(texts) for place, texts in found.items()}
    said = {text for texts in wanted.values() for text in texts}
    wanted["the intent"] = [text for text in _telling(_in_intent(draft)) if text not in said]
    return {place: texts for place, texts in wanted.items() if texts}


def _telling(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if not _TRIVIAL.fullmatch(text)]


def _in_intent(draft: Draft) -> Iterator[str]:
    """Give what the intent holds: the arguments it was made of, or all that it may quote."""
    if draft.origin.kind != "hand":
        given = _scalars(draft.origin.arguments)
    else:
        besides = [item.__dict__["beside"] for item in draft.evidence if "beside" in item.__dict__]
        given = (text for each in besides for record in each.records
                 for _, text in leaves(record))  # fmt: skip
    return (text for text in given if _names(draft.intent, text))


def _protected(
    draft: Draft, read: list[tuple[Evidence[Any], Beside]], texts: Iterable[str]
) -> frozenset[str]:
    """Return the values that declared fields hold, and those of `texts` that name a record."""
    held: set[str] = set()
    for item, beside in read:
        held.update(_scalars(item.params))
        for record in beside.records:
            held.update(_held(item, record))
    refs = [item.ref for item in draft.evidence]
    refs += [write.ref for step in draft.steps for write in step.writes]
    keys = [ref.partition(":")[2].casefold() for ref in refs]
    held.update(text for text in texts for key in keys if _names(key, text.casefold()))
    return frozenset(held)


def _held(item: Evidence[Any], record: object) -> Iterator[str]:
    for field in item.fields:
        found = compile_selector(field.selector)(record)
        if found is not ABSENT:
            values = [match.value for match in found] if field.is_wildcard else [found]
            yield from (text for value in values for _, text in leaves(value))


def _undeclared(beside: Beside, bare: Collection[str]) -> dict[str, list[str]]:
    """Return by value the fields of a record that hold it, for values that nothing protects."""
    fields: dict[str, list[str]] = {}
    for record in beside.records:
        for path, text in leaves(record):
            if text in bare:
                fields.setdefault(text, []).append(spelled(pattern(path)))
    return fields


def _names(text: str, value: str) -> bool:
    """Tell whether a value stands in a text, as a word of its own."""
    return value in text and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _scalars(wire: Wire) -> Iterator[str]:
    """Give the scalars in an argument as bare text; a number and its digits are one."""
    for _, text in leaves(wire, is_wire=True):
        yield text


def _outside() -> int:
    """Return the stack level of whoever called Lastlook, seen from the caller of this."""
    level, frame = 0, currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("lastlook."):
        level, frame = level + 1, frame.f_back
    return level
