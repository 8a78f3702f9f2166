"""Tools: the functions that act, and the handle they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import cached_property
from inspect import iscoroutine, signature
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, ParamSpec, Protocol, TypeVar

from lastlook.core.canonical import to_wire
from lastlook.core.evidence import Wire
from lastlook.core.fields import field
from lastlook.core.plan import PlannedStep, ToolDefinition
from lastlook.core.refs import WritesEntry, parse_writes
from lastlook.core.templates import Template
from lastlook.errors import DeclarationError
from lastlook.planning.calls import CallShape
from lastlook.planning.given import must_be_text, must_be_texts, must_say_something

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

in_planner: Final[ContextVar[str]] = ContextVar("in_planner", default="")
"""The name of the planner that is running here, or an empty text."""


def refuse_in_planner(what: str) -> None:
    """Refuse what would act, where a planner is running: planners only read.

    Raises:
        DeclarationError: A planner is running here.
    """
    if planner := in_planner.get():
        raise DeclarationError(
            f"planner {planner} {what}: planners only read and name steps",
            fix="Write plan.step(tool, ...) for what is to run.",
        )


class Act:
    """What a tool may ask for as its first argument: the dispatch it is part of.

    Attributes:
        key: The idempotency key of this step, 64 hex digits. Pass it on to a target
            that takes one.
        plan: The plan's id.
    """

    __slots__ = ("_look", "_written", "key", "plan")

    def __init__(
        self, *, key: str, plan: str, look: Callable[[], Mapping[str, Mapping[str, Any]]]
    ) -> None:
        self.key = key
        self.plan = plan
        self._look = look
        self._written: dict[str, dict[str, Wire]] = {}

    @property
    def checked(self) -> Mapping[str, Mapping[str, Any]]:
        """By ref, the fields as they were checked right before the act."""
        return self._look()

    def held(self, source: str) -> NoReturn:
        """Return the handle that a source holds for this act.

        Raises:
            DeclarationError: Nothing is held: no source of this plan has a fence.
        """
        raise DeclarationError(
            f"nothing is held at {source}: the look and the act are not one step there"
        )

    def wrote(self, ref: str, values: Mapping[str, Any]) -> None:
        """Say what this step wrote, so that later steps compare against it.

        Args:
            ref: The record, `source:key`.
            values: By field, the value that the record now has.
        """
        written = self._written.setdefault(ref, {})
        for name, value in values.items():
            written[field(name).selector] = to_wire(value, where=f"/{name}")

    @property
    def written(self) -> Mapping[str, Mapping[str, Wire]]:
        """By ref and selector, what the tool said it wrote, as typed JSON."""
        return self._written


class AnyTool(Protocol):
    """What the machinery asks of a tool, whatever kind it is.

    Attributes:
        writes, effect, undo: The parsed templates of what it says of itself.
    """

    name: str
    writes: tuple[WritesEntry, ...]
    effect: Template
    undo: Template | None

    @property
    def definition(self) -> ToolDefinition:
        """What the tool is now."""
        ...

    def open(self, sealed: Mapping[str, Wire], results: Sequence[Any], /) -> Any:
        """Return the arguments of a call; raises `BadArguments`."""
        ...

    def act(self, act: Act, arguments: Any, /) -> Any:
        """Act; what it raises after it began is *unknown*."""
        ...

    def promises_nothing_applied(self, error: BaseException, /) -> bool:
        """Tell whether this error was declared to mean that nothing was done."""
        ...


class Tool(Generic[P, R]):
    """A function that acts on the world, and that only a dispatched plan may call.

    Attributes:
        name: Unique in one `Lastlook`; a stored plan names its tools by it.
        function: The user's function.
    """

    def __init__(
        self,
        function: Callable[..., R],
        *,
        name: str,
        writes: Sequence[str],
        effect: str,
        undo: str | None,
        not_applied: Sequence[type[Exception]],
        version: str,
    ) -> None:
        _must_be_declared(name, function, writes, effect, undo, version)
        self.name = name
        self.function = function
        self.takes_act = _takes_act(function)
        self.shape = CallShape(function, skip=int(self.takes_act), what="tool")
        self.not_applied = _errors(not_applied, name)
        self._texts = tuple(writes), effect, undo
        self._version = version
        self.writes = tuple(parse_writes(text) for text in writes)
        self.effect = Template(effect or name)
        self.undo = None if undo is None else Template(undo)
        self._refuse_unknown_names()

    def _refuse_unknown_names(self) -> None:
        named = [name for entry in self.writes for name in entry.names()]
        named += [*self.effect.names(), *(self.undo.names() if self.undo else ())]
        unknown = set(named) - set(self.shape.names)
        if unknown:
            raise DeclarationError(
                f"tool {self.name}: writes, effect and undo name {', '.join(sorted(unknown))}, "
                "which is not an argument",
                fix=f"Its arguments are {', '.join(self.shape.names) or 'none'}.",
            )

    @cached_property
    def definition(self) -> ToolDefinition:
        """What the tool is now; sealed into each plan and compared before it runs."""
        from inspect import getdoc

        return ToolDefinition(
            name=self.name,
            description=getdoc(self.function) or "",
            arguments=self.shape.schema,
            writes=self._texts[0],
            effect=self._texts[1],
            undo=self._texts[2],
            version=self._version,
            not_applied=tuple(sorted(kind.__qualname__ for kind in self.not_applied)),
        )

    def step(self, *args: P.args, **kwargs: P.kwargs) -> PlannedStep[R]:
        """Plan one call, for `look.propose`. Nothing runs.

        Raises:
            BadArguments: The tool does not take these arguments.
        """
        return PlannedStep(number=0, tool=self.name, arguments=self.shape.seal(args, kwargs))

    def unguarded(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function at once, with no plan, no yes and no look. For its own tests.

        A tool that takes an `Act` gets one with the key `unguarded`.

        Raises:
            DeclarationError: A planner is running: planners only read.
        """
        refuse_in_planner(f"called tool {self.name}")
        act = Act(key="unguarded", plan="unguarded", look=dict)
        return self.function(*((act,) if self.takes_act else ()), *args, **kwargs)

    def open(self, sealed: Mapping[str, Wire], results: Sequence[Any] = ()) -> dict[str, Any]:
        """Return the arguments of a call by name, stand-ins filled; raises `BadArguments`."""
        return self.shape.open(sealed, results)

    def act(self, act: Act, arguments: Mapping[str, Any]) -> R:
        """Call the function for a dispatch, with arguments by name."""
        result = self.function(*((act,) if self.takes_act else ()), **arguments)
        if hasattr(result, "__await__"):
            if iscoroutine(result):
                result.close()
            raise TypeError("it returned something that nobody awaits; write a plain function")
        return result

    def promises_nothing_applied(self, error: BaseException) -> bool:
        """Tell whether the tool declared that this error means that nothing was done."""
        return isinstance(error, self.not_applied)

    def __repr__(self) -> str:
        return f"<tool {self.name}>"

    if not TYPE_CHECKING:

        def __call__(self, *_args: object, **_kwargs: object) -> NoReturn:
            """Refuse: a tool runs through a plan."""
            raise TypeError(
                f"{self.name} is a tool and runs through a plan: plan.step({self.name}, ...) "
                f"in a planner, or {self.name}.unguarded(...) in its own tests"
            )


def _must_be_declared(
    name: object, function: object, writes: object, effect: object, undo: object, version: object
) -> None:
    """Refuse what was given in the place of a name, a function or its words."""
    must_say_something(name, "a tool's name")
    if not callable(function):
        raise DeclarationError(
            f"tool {name}: {function!r} can't be called", fix="Put @look.tool(...) above a def."
        )
    must_be_texts(writes, f"tool {name}: writes")
    texts = {"effect": effect, "undo": "" if undo is None else undo, "version": version}
    for what, text in texts.items():
        must_be_text(text, f"tool {name}: {what}")


def _errors(given: Any, name: str) -> tuple[type[Exception], ...]:
    kinds: Sequence[Any] = given if isinstance(given, Sequence) else (None,)
    if not all(isinstance(kind, type) and issubclass(kind, Exception) for kind in kinds):
        raise DeclarationError(
            f"tool {name}: not_applied is not a list of exceptions",
            fix="Write not_applied=[OutOfStock].",
        )
    return tuple(kinds)


def _takes_act(function: Callable[..., Any]) -> bool:
    parameters = list(signature(function).parameters.values())
    if not parameters:
        return False
    annotation = parameters[0].annotation
    return annotation is Act or str(annotation).rpartition(".")[2] == "Act"
