"""Planners: functions that read, name steps, and can be called again after a block."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NoReturn, ParamSpec, Protocol

import msgspec

from lastlook.core.evidence import Wire
from lastlook.core.plan import ActionPlan, Origin
from lastlook.core.templates import Template
from lastlook.errors import DeclarationError
from lastlook.planning.calls import CallShape
from lastlook.planning.drafts import Draft
from lastlook.planning.given import must_say_something
from lastlook.planning.options import Options, Rules
from lastlook.planning.planning import Planning
from lastlook.planning.tools import in_planner, refuse_in_planner

if TYPE_CHECKING:
    from lastlook.core.outcome import DispatchOutcome

P = ParamSpec("P")


class Host(Protocol):
    """What a planner asks of the `Lastlook` that it belongs to."""

    def propose_planned(
        self, planner: Planner[Any], arguments: dict[str, Wire], options: Options
    ) -> ActionPlan:
        """Run the planner and store its plan."""
        ...

    def ask(self, plan: ActionPlan, /) -> DispatchOutcome:
        """Ask about a stored plan, up to its outcome."""
        ...


class Planner(Generic[P]):
    """A planner: propose a plan, or run it through to its outcome.

    Attributes:
        name: Unique in one `Lastlook`; a stored plan names its planner by it.
        host: The `Lastlook` that it belongs to.
    """

    def __init__(
        self,
        function: Callable[..., None],
        *,
        intent: str,
        name: str,
        rules: Rules,
        host: Host,
        options: Options | None = None,
    ) -> None:
        must_say_something(name, "a planner's name")
        self._function = function
        self.host = host
        self._intent = intent
        self._rules = rules
        self._options = options or Options()
        self.name = name
        self.intent = Template(intent)
        self.shape = CallShape(function, skip=1, what="planner")
        unknown = set(self.intent.names()) - set(self.shape.names)
        if unknown:
            raise DeclarationError(
                f"planner {name}: the intent names {', '.join(sorted(unknown))}, which is "
                "not an argument",
                fix=f"Its arguments are {', '.join(self.shape.names) or 'none'}.",
            )

    def propose(self, *args: P.args, **kwargs: P.kwargs) -> ActionPlan:
        """Run the planner and store its plan as a question. Nothing else runs.

        Raises:
            BadArguments: The planner does not take these arguments.
            CaptureFailed: A record that the plan rests on could not be read.
            DeclarationError: See its subclasses; or a planner is running: planners only
                read.
            StoreError: The plan could not be stored.
        """
        refuse_in_planner(f"proposed a plan of {self.name}")
        return self.host.propose_planned(self, self.shape.seal(args, kwargs), self._options)

    def run(self, *args: P.args, **kwargs: P.kwargs) -> DispatchOutcome:
        """Propose, ask in the terminal, look again, and run or block; ask afresh after.

        Raises:
            The same as `propose`.
        """
        return self.host.ask(self.propose(*args, **kwargs))

    def options(
        self,
        *,
        key: str | None = None,
        requested_by: str = "",
        expires_in: float | None = None,
    ) -> Planner[P]:
        """Return the same planner with options for its proposals.

        Args:
            key: The requester's own name for the proposal: a second one with the same
                key gives the lineage's newest plan, and the planner does not run again.
            requested_by: Who asks; without a prefix it is an `agent:`.
            expires_in: Seconds from the proposal until the plan is void.
        """
        options = Options(key=key, requested_by=requested_by, expires_in=expires_in)
        return Planner(
            self._function,
            intent=self._intent,
            name=self.name,
            rules=self._rules,
            host=self.host,
            options=options,
        )

    def draft(
        self,
        arguments: dict[str, Wire],
        planning: Planning,
        expires_in: float | None = None,
    ) -> Draft:
        """Run the planner over sealed arguments, with `planning` to read and name steps."""
        given = self.shape.open(arguments)
        token = in_planner.set(self.name)
        try:
            self._function(planning, **given)
        finally:
            in_planner.reset(token)
        rules = self._rules
        if expires_in is not None:
            rules = msgspec.structs.replace(rules, expires_in=expires_in)
        origin = Origin(kind="planner", name=self.name, arguments=arguments, digest=self.digest)
        return planning.draft(intent=str(self.intent.fill(given)), origin=origin, rules=rules)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the planner's source text; empty where it cannot be found."""
        from hashlib import sha256
        from inspect import getsource

        try:
            return sha256(getsource(self._function).encode()).hexdigest()
        except (OSError, TypeError):
            return ""

    def __repr__(self) -> str:
        return f"<planner {self.name}>"

    if not TYPE_CHECKING:

        def __call__(self, *_args: object, **_kwargs: object) -> NoReturn:
            """Refuse: a planner proposes, or runs through to its outcome."""
            raise TypeError(
                f"{self.name} is a planner: {self.name}.propose(...) stores a question, "
                f"{self.name}.run(...) asks it and goes on"
            )
