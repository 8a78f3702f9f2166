"""Guarded functions: tool and plan in one, for a single call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from lastlook.core.outcome import DispatchOutcome
from lastlook.core.plan import ActionPlan, Origin
from lastlook.core.ports import Reader
from lastlook.core.refs import RefTemplate
from lastlook.core.templates import Template
from lastlook.errors import DeclarationError
from lastlook.planning.drafts import Draft, planned, with_tools
from lastlook.planning.given import must_be_text
from lastlook.planning.reads import Reads
from lastlook.planning.recipes import fill_field
from lastlook.planning.tools import AnyTool, Tool

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class GuardedHost(Protocol):
    """What a guarded call asks of its `Lastlook`."""

    def propose_draft(self, draft: Draft, /) -> ActionPlan:
        """Store a draft as a question."""
        ...

    def ask(self, plan: ActionPlan, /) -> DispatchOutcome:
        """Ask about a stored plan, up to its outcome."""
        ...

    @property
    def reader(self) -> Reader:
        """Where records come from."""
        ...

    @property
    def tools(self) -> Mapping[str, AnyTool]:
        """The registered tools by name."""
        ...


class Guarded(Generic[P, R]):
    """A function whose call asks first, looks again, and then runs or raises.

    Calling it returns what the function returned, or raises `NotRun` or `MayHaveRun`
    with the outcome.
    """

    def __init__(
        self,
        tool: Tool[P, R],
        *,
        intent: str,
        rests_on: Mapping[str, Any],
        host: GuardedHost,
    ) -> None:
        must_be_text(intent, f"{tool.name}: the intent")
        given: object = rests_on
        if not isinstance(given, Mapping) or not all(isinstance(ref, str) for ref in given):
            raise DeclarationError(
                f"{tool.name}: rests_on is a mapping from ref to fields, not {rests_on!r}",
                fix='Write it as in rests_on={"slots:{slot_id}": ["status"]}.',
            )
        self._tool = tool
        self._intent = Template(intent)
        self._rests_on = [(RefTemplate(ref), fields) for ref, fields in rests_on.items()]
        self._host = host
        self._refuse_unknown_names()
        update_wrapper(self, tool.function)

    def propose(self, *args: P.args, **kwargs: P.kwargs) -> ActionPlan:
        """Store the call as a question. Nothing runs."""
        return self._host.propose_draft(self._draft(self._tool.shape.seal(args, kwargs)))

    def run(self, *args: P.args, **kwargs: P.kwargs) -> DispatchOutcome:
        """Propose, ask, look again, and return the outcome instead of raising."""
        return self._host.ask(self.propose(*args, **kwargs))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask, look again, run, and return what the function returned.

        Raises:
            NotRun: Nothing ran; `.outcome` says why.
            MayHaveRun: Something may have run; `.outcome` says what is known.
        """
        result: R = self.run(*args, **kwargs).unwrap()[0]
        return result

    def _draft(self, arguments: dict[str, Any]) -> Draft:
        given = self._tool.open(arguments)
        reads = Reads(self._host.reader)
        for ref, fields in self._rests_on:
            reads.record(ref.fill(given), _fields(fields, given))
        steps = [planned(self._tool, arguments, 1)]
        return Draft(
            intent=self._intent.text(given),
            origin=Origin(kind="guarded", name=self._tool.name, arguments=arguments),
            evidence=tuple(reads.evidence.values()),
            salts=reads.salts,
            **with_tools(steps, self._host.tools),
        )

    def _refuse_unknown_names(self) -> None:
        named = {name for ref, _ in self._rests_on for name in ref.names()}
        unknown = named.union(self._intent.names()) - set(self._tool.shape.names)
        if unknown:
            raise DeclarationError(
                f"{self._tool.name}: intent or rests_on name {', '.join(sorted(unknown))}, "
                "which is not an argument",
                fix=f"Its arguments are {', '.join(self._tool.shape.names) or 'none'}.",
            )


def _fields(spec: Any, given: Mapping[str, object]) -> Any:
    if isinstance(spec, str):
        return fill_field(spec, given)
    if isinstance(spec, Sequence):
        return [fill_field(item, given) if isinstance(item, str) else item for item in spec]
    return spec
