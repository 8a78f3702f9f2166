"""Declaring: the decorators of a `Lastlook`, which make tools, planners and guarded calls."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from lastlook.errors import DeclarationError
from lastlook.planning.decorating import ToolDecorator
from lastlook.planning.guarded import Guarded
from lastlook.planning.options import Options, Rules, approvers_of
from lastlook.planning.planner import Planner
from lastlook.planning.planning import Planning
from lastlook.planning.tools import AnyTool, Tool

if TYPE_CHECKING:
    from lastlook.core.evidence import Wire
    from lastlook.core.outcome import DispatchOutcome
    from lastlook.core.plan import ActionPlan
    from lastlook.core.ports import Reader
    from lastlook.planning.drafts import Draft

P = ParamSpec("P")
R = TypeVar("R")


class Declaring:
    """What can be declared. `Lastlook` adds the verbs, and what the abstract methods do."""

    @abstractmethod
    def add_tool(self, tool: AnyTool, /) -> None:
        """Register a tool; raises `DuplicateName`."""

    @abstractmethod
    def add_planner(self, planner: Planner[Any], /) -> None:
        """Register a planner; raises `DuplicateName`."""

    @abstractmethod
    def propose_planned(
        self, planner: Planner[Any], arguments: dict[str, Wire], options: Options
    ) -> ActionPlan:
        """Run a planner and store its plan; what `planner.propose` calls."""

    @abstractmethod
    def propose_draft(self, draft: Draft, /, *, requested_by: str = "") -> ActionPlan:
        """Store a draft; what guarded calls and the command line call."""

    @abstractmethod
    def ask(self, plan: ActionPlan, /) -> DispatchOutcome:
        """Ask about a plan in the terminal, dispatch it, and ask afresh after a block."""

    @property
    @abstractmethod
    def reader(self) -> Reader:
        """Where records come from, for planners."""

    @property
    @abstractmethod
    def tools(self) -> Mapping[str, AnyTool]:
        """The registered tools by name."""

    def tool(
        self,
        *,
        writes: Sequence[str],
        effect: str = "",
        undo: str | None = None,
        not_applied: Sequence[type[Exception]] = (),
        version: str = "",
        name: str | None = None,
    ) -> ToolDecorator:
        """Make a tool of a function that acts on the world.

        Args:
            writes: What it writes: `source:{argument}#field,field`, or a ref alone for
                the whole record. Empty where it writes no record.
            effect: Words for the person, with `{argument}`s: `pays {amount} to {to}`.
            undo: How it can be undone; without it the person is told that it can't be.
            not_applied: Exceptions that promise that nothing was done. Every other
                exception leaves the outcome unknown.
            version: Changes when the tool's meaning does; older plans are then stale.
            name: The tool's name; the function's by default.

        Raises:
            DeclarationError: The function or a template cannot be used.
            DuplicateName: There is such a tool already.
        """

        def make(function: Callable[..., Any]) -> Tool[..., Any]:
            made: Tool[..., Any] = Tool(
                function,
                name=name or function.__name__,
                writes=writes,
                effect=effect,
                undo=undo,
                not_applied=not_applied,
                version=version,
            )
            self.add_tool(made)
            return made

        return ToolDecorator(make)

    def planner(
        self,
        intent: str,
        /,
        *,
        name: str | None = None,
        two_people: bool = False,
        approvers: Sequence[str] = (),
        expires_in: float | None = None,
    ) -> Callable[[Callable[Concatenate[Planning, P], None]], Planner[P]]:
        """Make a planner of a function that reads evidence and names steps.

        Args:
            intent: What its plans are for, with `{argument}`s.
            name: The planner's name; the function's by default.
            two_people: Whether the requester may not be the one who confirms.
            approvers: Who may confirm, as `person:ana`; empty says any person.
            expires_in: Seconds from the proposal until a plan is void.

        Raises:
            DeclarationError: The function or the intent cannot be used.
            DuplicateName: There is such a planner already.
        """
        if not isinstance(intent, str):
            raise DeclarationError(
                "a planner needs to say what its plans are for",
                fix='Write @look.planner("Book {slot_id}"), with the intent in parentheses.',
            )
        rules = Rules(
            two_people=two_people, approvers=approvers_of(approvers), expires_in=expires_in
        )

        def make(function: Callable[Concatenate[Planning, P], None]) -> Planner[P]:
            made: Planner[P] = Planner(
                function, intent=intent, name=name or function.__name__, rules=rules, host=self
            )
            self.add_planner(made)
            return made

        return make

    def guarded(
        self,
        intent: str,
        /,
        *,
        rests_on: Mapping[str, Any],
        writes: Sequence[str],
        effect: str = "",
        undo: str | None = None,
        not_applied: Sequence[type[Exception]] = (),
        version: str = "",
        name: str | None = None,
    ) -> Callable[[Callable[P, R]], Guarded[P, R]]:
        """Guard one function: each call asks, looks again, and then runs or raises.

        Args:
            intent: What a call is for, with `{argument}`s.
            rests_on: By ref (with `{argument}`s), the fields that must hold.
            writes, effect, undo, not_applied, version, name: As for `tool`.
        """

        def make(function: Callable[P, R]) -> Guarded[P, R]:
            tool: Tool[P, R] = self.tool(
                writes=writes,
                effect=effect,
                undo=undo,
                not_applied=not_applied,
                version=version,
                name=name,
            )(function)
            return Guarded(tool, intent=intent, rests_on=rests_on, host=self)

        return make
