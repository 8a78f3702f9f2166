"""The shape of a call: named arguments, checked and sealed, and opened again.

Tools and planners take their arguments through one `CallShape`, so that what a person
is shown, what is stored and what the function is given are the same values.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from lastlook.core.canonical import from_wire, to_wire
from lastlook.core.evidence import Wire
from lastlook.core.stand_ins import has_stand_in, open_argument, seal_argument
from lastlook.errors import BadArguments, DeclarationError, NotCanonical

_UNNAMED: Final = (
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
    inspect.Parameter.POSITIONAL_ONLY,
)


class CallShape:
    """How one function is called: its parameters, their types and defaults.

    Args:
        function: The user's function.
        skip: How many leading parameters are ours (`act`, `plan`) and not the caller's.
        what: `tool` or `planner`, for messages.
    """

    def __init__(self, function: Callable[..., Any], *, skip: int, what: str) -> None:
        self._what = f"{what} {getattr(function, '__name__', type(function).__name__)}"
        _refuse_later(function, self._what)
        every = list(inspect.signature(function).parameters.values())
        if len(every) < skip:
            raise DeclarationError(
                f"{self._what} has no first parameter for what it reads and names steps with",
                fix="Write def f(plan: Planning, ...).",
            )
        parameters = every[skip:]
        for parameter in parameters:
            if parameter.kind in _UNNAMED:
                raise DeclarationError(
                    f"{self._what}: {parameter} cannot be given by name, and each argument "
                    "is shown by its name",
                    fix="Let the function take plain named arguments.",
                )
        self._signature = inspect.Signature(parameters)
        self._function = function
        self.names = tuple(parameter.name for parameter in parameters)

    @cached_property
    def _struct(self) -> type[msgspec.Struct]:
        """A struct with one field a parameter, to check and convert by."""
        hints = _type_hints(self._function)
        fields = [(name, _checkable(hints.get(name, Any))) for name in self.names]
        name = self._what.replace(" ", "_")
        return msgspec.defstruct(name, fields, kw_only=True, forbid_unknown_fields=True)

    @cached_property
    def schema(self) -> Wire:
        """The arguments as JSON Schema, in typed JSON."""
        whole = msgspec.json.schema(self._struct)
        definitions = whole["$defs"]
        schema = definitions.pop(whole["$ref"].rpartition("/")[2])
        return to_wire(schema | {"$defs": definitions} if definitions else schema)

    def seal(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Wire]:
        """Bind a call, fill in defaults, check the types, and return typed JSON by name.

        Raises:
            BadArguments: The function does not take these arguments, or a value is of
                another type than declared, or has no canonical form.
        """
        self._refuse_unknown(kwargs)
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise BadArguments(f"{self._what}: {error}", fix=self._takes()) from None
        bound.apply_defaults()
        return self.seal_named(bound.arguments)

    def _refuse_unknown(self, kwargs: Mapping[str, Any]) -> None:
        from difflib import get_close_matches

        for name in kwargs:
            if name not in self.names:
                close = get_close_matches(name, self.names, 1)
                meant = f"Did you mean {close[0]}? " if close else ""
                raise BadArguments(
                    f"{self._what}: it does not take {name}", fix=f"{meant}{self._takes()}"
                )

    def seal_named(self, arguments: Mapping[str, Any]) -> dict[str, Wire]:
        """Like `seal`, for arguments that are all given by name."""
        missing = [name for name in self.names if name not in arguments]
        surplus = [name for name in arguments if name not in self.names]
        if missing or surplus:
            raise BadArguments(
                f"{self._what}: {_difference(missing, surplus)}",
                fix=self._takes(),
            )
        sealed = {name: self._seal_one(name, arguments[name]) for name in self.names}
        self._check(sealed)
        return sealed

    def _takes(self) -> str:
        """Return what the function takes, in words, its types without quotes."""
        hints = _type_hints(self._function)
        given = self._signature.parameters.values()
        shown = [each.replace(annotation=hints.get(each.name, each.annotation)) for each in given]
        return f"It takes {inspect.Signature(shown)}."

    def _seal_one(self, name: str, value: object) -> Wire:
        try:
            return seal_argument(value, where=f"/{name}")
        except NotCanonical as error:
            raise BadArguments(
                f"{self._what}: {error.what}", where=error.where, fix=error.fix
            ) from error

    def _check(self, sealed: Mapping[str, Wire]) -> None:
        known = {name: wire for name, wire in sealed.items() if not has_stand_in(wire)}
        if len(known) == len(sealed):
            self.open(known)
            return
        for item in msgspec.structs.fields(self._struct):
            if item.name in known:
                self._convert(item.name, from_wire(known[item.name]), item.type)

    def open(self, sealed: Mapping[str, Wire], results: Sequence[Any] = ()) -> dict[str, Any]:
        """Return what the function is called with, from the sealed form.

        Raises:
            BadArguments: A value is of another type than declared; can happen late
                only for an earlier step's result.
        """
        values = {name: open_argument(wire, results) for name, wire in sealed.items()}
        try:
            made = msgspec.convert(values, self._struct)
        except msgspec.ValidationError as error:
            raise self._refused(error) from None
        return {name: getattr(made, name) for name in self.names}

    def _convert(self, name: str, value: object, kind: Any) -> None:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise self._refused(error, name) from None

    def _refused(self, error: msgspec.ValidationError, name: str = "") -> BadArguments:
        text, _, path = str(error).partition(" - at `$")
        place = path.rstrip("`").lstrip(".") or name
        return BadArguments(
            f"{self._what}: {text[:1].lower()}{text[1:]}",
            where=place,
            fix=self._takes(),
        )


def _refuse_later(function: Callable[..., Any], what: str) -> None:
    """Refuse a function whose call does nothing yet: nobody would await or iterate it."""
    kinds = {
        "a coroutine function": inspect.iscoroutinefunction,
        "a generator function": inspect.isgeneratorfunction,
        "an async generator function": inspect.isasyncgenfunction,
    }
    called = function if inspect.isroutine(function) else type(function).__call__
    for kind, is_kind in kinds.items():
        if is_kind(function) or is_kind(called):
            raise DeclarationError(f"{what} is {kind}", fix="Write it as a plain function.")


def _type_hints(function: Callable[..., Any]) -> dict[str, Any]:
    # Of an object that can be called, the method has the types.
    typed = function if inspect.isroutine(function) else type(function).__call__
    try:
        return typing.get_type_hints(typed, include_extras=True)
    except Exception:  # noqa: BLE001  # a name that only type checkers can resolve
        return {}


def _checkable(hint: Any) -> Any:
    """Return the type if values can be checked against it, else Any."""
    try:
        msgspec.json.schema(hint)
    except Exception:  # noqa: BLE001  # msgspec knows no such type, or the class misbehaves
        return Any
    return hint


def _difference(missing: Sequence[str], surplus: Sequence[str]) -> str:
    parts = []
    if missing:
        parts.append("missing " + ", ".join(missing))
    if surplus:
        parts.append("does not take " + ", ".join(surplus))
    return "; ".join(parts)
