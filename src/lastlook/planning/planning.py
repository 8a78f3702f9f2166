"""What a planner is given: it reads evidence and names steps, and does nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ParamSpec, TypeVar, overload

import msgspec

from lastlook.core.evidence import Evidence, Wire
from lastlook.core.facts import Facts
from lastlook.core.fields import Field
from lastlook.core.plan import Origin, PlannedStep
from lastlook.core.ports import Reader
from lastlook.core.queries import Query, QueryMember
from lastlook.core.stand_ins import steps_of
from lastlook.core.view import View
from lastlook.core.visible import says_something
from lastlook.errors import BadArguments, DeclarationError, NotRegistered
from lastlook.planning.calls import CallShape
from lastlook.planning.drafts import Draft, planned, with_tools
from lastlook.planning.options import Rules
from lastlook.planning.reads import Reads, read_fields
from lastlook.planning.tools import AnyTool, Tool

Q = ParamSpec("Q")
R = TypeVar("R")
T = TypeVar("T")
F = TypeVar("F", bound=Facts)


class Planning:
    """What a planner is given: it reads evidence and names steps, and does nothing else.

    Attributes:
        done: By tool name, the results of steps that ran already, where the plan is
            for the rest after a stop halfway; otherwise empty.
    """

    def __init__(
        self,
        reader: Reader,
        tools: Mapping[str, AnyTool],
        previous: Sequence[Evidence[Any]] = (),
        done: Mapping[str, Any] | None = None,
    ) -> None:
        self._reads = Reads(reader, previous)
        self._tools = tools
        self._steps: list[PlannedStep[Any]] = []
        self._no_evidence: str | None = None
        self.done: Mapping[str, Any] = done or {}

    @overload
    def read(self, ref: str, shape: type[F], /) -> Evidence[F]: ...

    @overload
    def read(self, ref: str, /, *fields: str | Field) -> Evidence[View]: ...

    def read(self, ref: str, /, *fields: Any) -> Evidence[Any]:
        """Read a record now and rest the plan on the declared fields.

        Args:
            ref: `source:key`.
            fields: Fields as text or `field(...)`, or one class of `Facts`.

        Raises:
            CaptureFailed: There is no such record, or it could not be read.
            ConditionNotMet: A declared condition is false already.
            PathNamesNothing: A declared field is not in the record.
            NotRegistered: There is no such source.
        """
        return read_fields(self._reads, ref, fields)

    def query(
        self, query: Query[Q, T], /, *args: Q.args, **kwargs: Q.kwargs
    ) -> list[QueryMember[T]]:
        """Ask a query now and rest the plan on its members and their declared fields.

        Raises:
            BadArguments: The query does not take these arguments.
            CaptureFailed: It could not be read, or has more members than its cap.
            NotRegistered: Its source is not registered here.
        """
        if not isinstance(query, Query):
            raise DeclarationError(
                f"{query!r} is not a query", fix="Declare it with @source.query(...)."
            )
        shape = CallShape(query.function, skip=query.skip, what="query")
        evidence = self._reads.query(query, shape.seal(args, kwargs))
        return [
            QueryMember(member.key, View(evidence.ref, evidence.fields, member.cells))
            for member in evidence.members
        ]

    def absent(self, ref: str, /) -> None:
        """Rest the plan on there being no such record.

        Raises:
            ConditionNotMet: There is one.
            DeclarationError: The source's *not found* proves nothing.
        """
        self._reads.absence(ref)

    def no_evidence(self, why: str, /) -> None:
        """Say out loud that the plan rests on nothing, and why; the person is told.

        Raises:
            DeclarationError: No reason is given that can be read.
        """
        given: object = why
        if not isinstance(given, str) or not says_something(given):
            raise DeclarationError(
                "a plan that rests on nothing needs a reason, in letters or digits",
                fix='Write plan.no_evidence("why nothing can change").',
            )
        self._no_evidence = why

    def step(self, tool: Tool[Q, R], /, *args: Q.args, **kwargs: Q.kwargs) -> PlannedStep[R]:
        """Name a call that will run if the plan is confirmed and still holds.

        Raises:
            BadArguments: The tool does not take these arguments.
            NotRegistered: The tool belongs to another `Lastlook`.
        """
        if not isinstance(tool, Tool):
            raise DeclarationError(
                f"{tool!r} is not a tool", fix="Decorate the function with @look.tool(...)."
            )
        if self._tools.get(tool.name) is not tool:
            raise NotRegistered(f"tool {tool.name} is not a tool of this Lastlook")
        sealed = tool.shape.seal(args, kwargs)
        self._refuse_later_results(tool, sealed)
        step = planned(tool, sealed, len(self._steps) + 1)
        self._steps.append(step)
        return step

    def _refuse_later_results(self, tool: AnyTool, sealed: Mapping[str, Wire]) -> None:
        for name, wire in sealed.items():
            for number in steps_of(wire):
                if not 1 <= number <= len(self._steps):
                    raise BadArguments(
                        f"tool {tool.name}: {name} is the result of a step that does not run before",
                        where=f"/{name}",
                        fix="Take .result of what plan.step(...) returned earlier in this planner.",
                    )

    def narrow(self, step: PlannedStep[Any], /, *refs: str) -> None:
        """Say that a step rests on these refs only, not on all of the plan's evidence.

        Raises:
            DeclarationError: A ref was not read, or none is given.
        """
        if not isinstance(step, PlannedStep):
            raise DeclarationError(
                f"{step!r} is not a step", fix="Pass what plan.step(...) returned."
            )
        known = tuple(dict.fromkeys(item.ref for item in self._reads.evidence.values()))
        unread = [str(ref) for ref in refs if ref not in known]
        if unread or not refs:
            raise DeclarationError(
                f"step {step.number} can only rest on refs that the plan reads"
                + (f"; it does not read {', '.join(unread)}" if unread else ""),
                fix=f"The plan reads {', '.join(known) or 'nothing'}.",
            )
        self._steps[step.number - 1] = msgspec.structs.replace(step, evidence=tuple(refs))

    def draft(self, *, intent: str, origin: Origin, rules: Rules) -> Draft:
        """Return what the planner has put together."""
        return Draft(
            intent=intent,
            evidence=tuple(self._reads.evidence.values()),
            no_evidence=self._no_evidence,
            origin=origin,
            salts=self._reads.salts,
            two_people=rules.two_people,
            approvers=rules.approvers,
            expires_in=rules.expires_in,
            **with_tools(self._steps, self._tools),
        )
