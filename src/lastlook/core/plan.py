"""The plan: one immutable document, and the seal over its bytes.

A plan's bytes are made once, by `seal_plan`, and everything afterwards is read back
from them by `open_plan`: what is shown, what is checked and what runs. What is not in
the bytes is neither shown nor run.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from lastlook.core.canonical import encode
from lastlook.core.evidence import Evidence, Wire, freeze_evidence
from lastlook.core.frozen import frozen
from lastlook.core.stand_ins import Result
from lastlook.errors import BadFormat

R = TypeVar("R", covariant=True)

PLAN_FORMAT: Final = "lastlook:plan/1"
_SEAL_TAG: Final = b"lastlook:seal/1\n"


class Write(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a step declares that it writes.

    Attributes:
        ref: The record, `source:key`.
        fields: The selectors that are written; empty says the whole record.
    """

    ref: str
    fields: tuple[str, ...] = ()


class PinnedFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that a command runs besides its program, and what was in it.

    Attributes:
        name: What the command calls it; relative to the folder, or absolute.
        path: The resolved absolute path, links followed.
        sha256: The digest of its bytes, 64 hex digits.
    """

    name: str
    path: str
    sha256: str


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a command tool is: everything that decides which program runs, and how.

    Attributes:
        run: The argument vector, as templates; one element, one argument.
        program: The resolved absolute path of the program.
        sha256: The digest of the program's bytes.
        files: What would run besides: scripts, modules, interpreters.
        folder: The working directory, absolute.
        environment: The names of the variables that are passed on.
    """

    run: tuple[str, ...]
    program: str
    sha256: str
    files: tuple[PinnedFile, ...] = ()
    folder: str
    environment: tuple[str, ...] = ()


class ToolDefinition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tool was when the plan was made; a later difference makes the plan stale.

    Attributes:
        arguments: The JSON Schema of the arguments.
        writes: The declared writes, as templates.
        effect, undo: Words for the person; without `undo` it can't be undone.
        not_applied: The exceptions or exit codes that promise that nothing was done.
    """

    kind: Literal["python", "command"] = "python"
    name: str
    description: str = ""
    arguments: Wire = None
    writes: tuple[str, ...] = ()
    effect: str = ""
    undo: str | None = None
    version: str = ""
    not_applied: tuple[str, ...] = ()
    command: Command | None = None


class PlannedStep(Struct, Generic[R], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One call of one tool.

    Attributes:
        number: Counts from 1.
        arguments: By name, as typed JSON; may hold `$result` stand-ins.
        writes: What the step says it will write.
        evidence: The refs that this step rests on; None says all of the plan's.
        key: The idempotency key (64 hex digits), stable for plan and step.
    """

    number: int
    tool: str
    arguments: dict[str, Wire]
    writes: tuple[Write, ...] = ()
    evidence: tuple[str, ...] | None = None
    key: str = ""

    @property
    def result(self) -> R:
        """A stand-in for what this step will return; use it as a later argument."""
        return Result(self.number)  # type: ignore[return-value]  # stands in for an R


class SideEffect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a step does to the world, in words for the person who confirms.

    Attributes:
        step: The step's number.
        text: The tool's `effect`, filled in, or its name where it has none.
        undo: How it can be undone, filled in; None says that it can't be.
        writes: The refs that change.
    """

    step: int
    text: str
    undo: str | None = None
    writes: tuple[str, ...] = ()


class Origin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a plan comes from, and so how a fresh one is made after a block.

    Attributes:
        kind: `planner` is called again; a `template` is filled again; `guarded`
            reads again and keeps its arguments; `hand` keeps the steps as given.
        name: The planner's, template's or tool's name.
        arguments: What it was called with, by name, as typed JSON.
        digest: SHA-256 of the planner's source, where it is known.
        template: The template itself, where it is one.
    """

    kind: Literal["planner", "template", "guarded", "hand"] = "hand"
    name: str = ""
    arguments: dict[str, Wire] = {}
    digest: str = ""
    template: Wire = None


class ActionPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A sealed plan: what will run, what it rests on, and who may say yes.

    Attributes:
        format: The format of the stored bytes.
        id: Short and typable, with the lineage in it: `k7f3`, then `k7f3.2`.
        lineage: The id of the first plan of the family.
        number: Counts the plans of a lineage from 1.
        follows: The blocked plan that this one follows, or None.
        root: What the idempotency keys are made from.
        intent: What the plan is for, filled from the developer's template.
        requested_by: The principal who asked for it, such as `agent:support`.
        origin: Where it comes from.
        tools: The tools' definitions when the plan was made, sorted by name.
        steps: What will run, in order.
        estimated_side_effects: What that does to the world.
        evidence: What the plan rests on.
        no_evidence: Why it rests on nothing, or None.
        requires_confirmation: False only where the application's policy confirms it.
        two_people: Whether the requester may not be the one who confirms.
        approvers: Who may confirm; empty says any person.
        expires_at: From when on it can't be dispatched (UTC), or None.
        created_at: When it was made (UTC).
    """

    format: Literal["lastlook:plan/1"] = PLAN_FORMAT
    id: str
    lineage: str
    number: int = 1
    follows: str | None = None
    root: str
    intent: str
    requested_by: str
    origin: Origin = Origin()
    tools: tuple[ToolDefinition, ...] = ()
    steps: tuple[PlannedStep[Any], ...]
    estimated_side_effects: tuple[SideEffect, ...] = ()
    evidence: tuple[Evidence[Any], ...] = ()
    no_evidence: str | None = None
    requires_confirmation: bool = True
    two_people: bool = False
    approvers: tuple[str, ...] = ()
    expires_at: datetime | None = None
    created_at: datetime

    @property
    def body(self) -> bytes:
        """The sealed bytes: RFC 8785 of the plan as typed JSON."""
        if "body" not in self.__dict__:
            self.__dict__["body"] = plan_bytes(self)
        body: bytes = self.__dict__["body"]
        return body

    @property
    def seal(self) -> str:
        """`sha256:` and 64 hex digits over the sealed bytes; what a yes names."""
        if "seal" not in self.__dict__:
            self.__dict__["seal"] = seal_of(self.body)
        seal: str = self.__dict__["seal"]
        return seal

    @property
    def action_id(self) -> str:
        """The plan's id, under its published name."""
        return self.id

    @property
    def evidence_dependencies(self) -> tuple[Evidence[Any], ...]:
        """The plan's evidence, under its published name."""
        return self.evidence

    def text(self) -> str:
        """Return the question that a person is asked, as plain text of 80 columns."""
        from lastlook.core.prompt import Question
        from lastlook.core.screens import question_screen

        return question_screen(Question(plan=self)).plain()

    def data(self) -> dict[str, Any]:
        """Return the plan as JSON data, secret fields masked."""
        from lastlook.core.telling import plan_data

        return plan_data(self)

    def tool(self, name: str) -> ToolDefinition:
        """Return the sealed definition of a tool that the plan uses.

        Raises:
            KeyError: The plan uses no such tool.
        """
        for definition in self.tools:
            if definition.name == name:
                return definition
        raise KeyError(name)

    def evidence_of(self, step: PlannedStep[Any]) -> tuple[Evidence[Any], ...]:
        """Return what one step rests on."""
        if step.evidence is None:
            return self.evidence
        return tuple(item for item in self.evidence if item.ref in step.evidence)


def seal_of(body: bytes) -> str:
    """Return the seal of a plan's stored bytes."""
    return "sha256:" + sha256(_SEAL_TAG + body).hexdigest()


def plan_bytes(plan: ActionPlan) -> bytes:
    """Return the bytes that are stored and sealed."""
    return encode(msgspec.to_builtins(plan))


_decoder = msgspec.json.Decoder(ActionPlan)


def open_plan(body: bytes) -> ActionPlan:
    """Read a plan back from its stored bytes.

    Raises:
        BadFormat: The bytes are not a plan of a format that this version knows.
    """
    try:
        plan = _decoder.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadFormat(
            f"the stored plan cannot be read: {error}",
            fix="It may be of a later version, or damaged; `lastlook doctor` looks at the store.",
        ) from error
    plan.__dict__["body"] = body
    _freeze(plan)
    return plan


def _freeze(plan: ActionPlan) -> None:
    """Freeze the trees in a plan: what was sealed is what everybody holds."""
    for step in plan.steps:
        force_setattr(step, "arguments", frozen(step.arguments))
    for tool in plan.tools:
        force_setattr(tool, "arguments", frozen(tool.arguments))
    force_setattr(plan.origin, "arguments", frozen(plan.origin.arguments))
    force_setattr(plan.origin, "template", frozen(plan.origin.template))
    for item in plan.evidence:
        freeze_evidence(item)


def idempotency_key(root: str, step: int, tool: str, arguments: dict[str, Wire]) -> str:
    """Return the key that a tool passes on, 64 hex digits, the same for each attempt."""
    text = encode([root, step, tool, arguments])
    return sha256(b"lastlook:key/1\n" + text).hexdigest()
