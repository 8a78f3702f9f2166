"""Stand-ins: the result of an earlier step, used as an argument before it exists.

A stand-in is sealed as `{"$result": [step, pointer]}` and filled when the step has run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from lastlook.core.canonical import LIMITS, from_wire, to_wire
from lastlook.core.evidence import Wire
from lastlook.core.objects import escape
from lastlook.core.selectors import ABSENT, compile_selector
from lastlook.errors import BadArguments, NotCanonical


class Result:
    """A stand-in for what an earlier step will return.

    `step.result["id"]` and `step.result.id` point into it. It can be handed on as an
    argument, alone or within one, and nothing else: it has no value yet.
    """

    __slots__ = ("_pointer", "_step")

    def __init__(self, step: int, pointer: str = "") -> None:
        self._step = step
        self._pointer = pointer

    @property
    def __target__(self) -> tuple[int, str]:
        """The step and the pointer into its result."""
        return self._step, self._pointer

    def __getitem__(self, token: str | int) -> Result:
        return Result(self._step, f"{self._pointer}/{escape(str(token))}")

    def __getattr__(self, name: str) -> Result:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __bool__(self) -> NoReturn:
        raise _misused(self)

    def __iter__(self) -> NoReturn:
        raise _misused(self)

    def __eq__(self, _other: object) -> NoReturn:
        raise _misused(self)

    def __hash__(self) -> NoReturn:
        raise _misused(self)

    def __str__(self) -> NoReturn:
        raise _misused(self)

    def __format__(self, _spec: str) -> NoReturn:
        raise _misused(self)

    def __repr__(self) -> str:
        return f"<result of step {self._step}{self._pointer}>"


def _misused(result: Result) -> TypeError:
    return TypeError(
        f"{result!r} is not known until the step has run: hand it on as an argument as it is, "
        "and let the later tool work with it"
    )


def seal_argument(value: object, *, where: str) -> Wire:
    """Return an argument as typed JSON, with stand-ins as `$result`.

    Args:
        value: The argument.
        where: Its place, as a JSON Pointer, for the error.

    Raises:
        NotCanonical: The argument has no canonical form.
    """
    if not _holds_stand_in(value):
        return to_wire(value, where=where)
    return _sealed(value, where, iter(range(LIMITS.nodes)), 0)


def _sealed(value: object, where: str, room: Iterator[int], depth: int) -> Wire:
    if isinstance(value, Result):
        return {"$result": list(value.__target__)}
    if next(room, None) is None or depth > LIMITS.depth:
        raise NotCanonical("the argument is too deep or too large", where=where)
    if isinstance(value, Mapping):
        return {
            _escaped(key, where): _sealed(item, f"{where}/{escape(str(key))}", room, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_sealed(item, f"{where}/{i}", room, depth + 1) for i, item in enumerate(value)]
    return to_wire(value, where=where)


def has_stand_in(wire: Wire) -> bool:
    """Tell whether a sealed argument waits for an earlier step's result."""
    return next(steps_of(wire), None) is not None


def steps_of(wire: Wire) -> Iterator[int]:
    """Give the numbers of the steps whose results a sealed argument waits for."""
    if isinstance(wire, list):
        for item in wire:
            yield from steps_of(item)
    elif isinstance(wire, dict):
        if "$result" in wire:
            yield wire["$result"][0]
        else:
            yield from steps_of(list(wire.values()))


def open_argument(wire: Wire, results: Sequence[Any] = ()) -> object:
    """Return a sealed argument as a Python value, stand-ins filled from `results`.

    Args:
        wire: What `seal_argument` returned.
        results: What the steps that ran returned, in order.

    Raises:
        BadArguments: A stand-in points at something that the result does not have, or
            its step has not run.
    """
    if not has_stand_in(wire):
        return from_wire(wire)
    if isinstance(wire, list):
        return [open_argument(item, results) for item in wire]
    if "$result" in wire:
        return _pick(results, *wire["$result"])
    return {key.removeprefix("$"): open_argument(item, results) for key, item in wire.items()}


def _pick(results: Sequence[Any], step: int, pointer: str) -> object:
    if not 1 <= step <= len(results):
        raise BadArguments(f"step {step}, whose result is wanted, has not run")
    value = compile_selector(pointer)(results[step - 1])
    if value is ABSENT:
        raise BadArguments(
            f"the result of step {step} has nothing at {pointer}",
            fix="Let the step return what the later step needs.",
        )
    return value


def _holds_stand_in(value: object) -> bool:
    """Look for a stand-in; what is beyond the limits is refused by `to_wire` anyway."""
    waiting = [value]
    for _ in range(LIMITS.nodes):
        if not waiting or len(waiting) > LIMITS.nodes:
            break
        item = waiting.pop()
        if isinstance(item, Result):
            return True
        if isinstance(item, Mapping):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
    return False


def _escaped(key: object, where: str) -> str:
    name: str = next(iter(to_wire({key: None}, where=where)))
    return name
