"""Stand-ins: the result of an earlier step, used as an argument before it exists.

A stand-in is sealed as `{"$result": [step, pointer]}` and filled when the step has run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from lastlook.core.canonical import from_wire, to_wire
from lastlook.core.evidence import Wire
from lastlook.core.selectors import ABSENT, compile_selector
from lastlook.errors import BadArguments


class Result:
    """A stand-in for what an earlier step will return.

    `step.result["id"]` and `step.result.id` point into it.
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
        part = str(token).replace("~", "~0").replace("/", "~1")
        return Result(self._step, f"{self._pointer}/{part}")

    def __getattr__(self, name: str) -> Result:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __bool__(self) -> NoReturn:
        raise TypeError("the result of a step is not known until the step has run")

    def __iter__(self) -> NoReturn:
        raise TypeError("the result of a step is not known until the step has run")

    def __repr__(self) -> str:
        return f"<result of step {self._step}{self._pointer}>"


def seal_argument(value: object, *, where: str) -> Wire:
    """Return an argument as typed JSON, with stand-ins as `$result`.

    Raises:
        NotCanonical: The argument has no canonical form.
    """
    if isinstance(value, Result):
        return {"$result": list(value.__target__)}
    if isinstance(value, Mapping) and _holds_stand_in(value):
        return {
            _escaped(key): seal_argument(item, where=f"{where}/{key}")
            for key, item in value.items()
        }
    if isinstance(value, list | tuple) and _holds_stand_in(value):
        return [seal_argument(item, where=f"{where}/{i}") for i, item in enumerate(value)]
    return to_wire(value, where=where)


def has_stand_in(wire: Wire) -> bool:
    """Tell whether a sealed argument waits for an earlier step's result."""
    if isinstance(wire, dict):
        return "$result" in wire or any(has_stand_in(item) for item in wire.values())
    return isinstance(wire, list) and any(has_stand_in(item) for item in wire)


def open_argument(wire: Wire, results: Sequence[Any] = ()) -> object:
    """Return a sealed argument as a Python value, stand-ins filled from `results`.

    Raises:
        BadArguments: A stand-in points at something that the result does not have.
    """
    if not has_stand_in(wire):
        return from_wire(wire)
    if isinstance(wire, list):
        return [open_argument(item, results) for item in wire]
    if "$result" in wire:
        return _pick(results, *wire["$result"])
    return {_unescaped(key): open_argument(item, results) for key, item in wire.items()}


def _pick(results: Sequence[Any], step: int, pointer: str) -> object:
    value = compile_selector(pointer)(results[step - 1])
    if value is ABSENT:
        raise BadArguments(
            f"the result of step {step} has nothing at {pointer}",
            fix="Let the step return what the later step needs.",
        )
    return value


def _holds_stand_in(value: object) -> bool:
    if isinstance(value, Result):
        return True
    if isinstance(value, Mapping):
        return any(_holds_stand_in(item) for item in value.values())
    return isinstance(value, list | tuple) and any(_holds_stand_in(item) for item in value)


def _escaped(key: object) -> str:
    name: str = next(iter(to_wire({key: None})))
    return name


def _unescaped(key: str) -> str:
    return key.removeprefix("$")
