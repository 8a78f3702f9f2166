"""Commands as tools: a program and its argument vector, without a shell.

What decides which program runs, and how, is the tool's definition: the vector as
templates, the program's resolved path and the digest of its bytes, the same of each file
that is found to run with it, the working directory and the names of passed-on variables.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from lastlook.core.evidence import Wire
from lastlook.core.plan import Command, ToolDefinition
from lastlook.core.refs import parse_writes
from lastlook.core.stand_ins import open_argument
from lastlook.core.templates import HOLE, Template
from lastlook.core.tool_change import changed_files
from lastlook.core.visible import show
from lastlook.errors import BadArguments, DeclarationError
from lastlook.planning.processes import CommandFailed, CommandNotStarted, run_program
from lastlook.planning.programs import Program, find_program, program_now
from lastlook.planning.tools import Act
from lastlook.planning.vectors import Runs, fixed_words, spelled

KEY_VARIABLE: Final = "LASTLOOK_IDEMPOTENCY_KEY"
"""The variable in which a command finds its idempotency key."""

TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float, Decimal),
    "boolean": (bool,),
    "any": (object,),
}
"""The types of argument, by the names that JSON Schema has for them, and `any`."""

__all__ = ["KEY_VARIABLE", "TYPES", "CommandTool", "spelled"]

_EVERYTHING: Final = ("*",)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BEGINS_WITH_HOLE: Final = re.compile(HOLE)


class CommandTool:
    """A program that acts, as a tool.

    Args:
        name: The tool's name.
        run: The argument vector; each element is a template and stays one argument.
        arguments: By name, the JSON type of each argument, one of `TYPES`.
        folder: The working directory, absolute.
        writes: What it writes, as templates of `REF#FIELD,FIELD`.
        effect: Words for the person; by default what runs.
        undo: How it can be undone, or None.
        not_applied: Exit codes that promise that nothing was done.
        version: Changes when the tool's meaning does.
        environment: Names of variables that are passed on; None passes all on.
        output_to_stderr: Whether what it prints goes to standard error.
        sealed: The command as it was sealed, where this is that tool once more. What is
            missing by now is then no error but a difference, and nothing else is run.

    Raises:
        DeclarationError: The program is not found, or a template names an argument
            that is not declared.
        TemplateError: An entry of `writes` cannot be read.
    """

    def __init__(
        self,
        name: str,
        run: Sequence[str],
        *,
        arguments: Mapping[str, str],
        folder: str,
        writes: Sequence[str] = (),
        effect: str = "",
        undo: str | None = None,
        not_applied: Sequence[int] = (),
        version: str = "",
        environment: Sequence[str] | None = None,
        output_to_stderr: bool = False,
        sealed: Command | None = None,
    ) -> None:
        self.name = name
        self.writes = tuple(parse_writes(text) for text in writes)
        self.undo = None if undo is None else Template(undo)
        self._run = tuple(run)
        self._vector = [Template(element) for element in run]
        self._fixed = fixed_words(self._vector)
        self.effect = Template(effect) if effect else Runs(self._vector)
        self._arguments = dict(arguments)
        self._folder = folder
        self._texts: dict[str, Any] = {"writes": tuple(writes), "effect": effect, "undo": undo}
        self._not_applied = frozenset(not_applied)
        self._version = version
        self._environment = None if environment is None else tuple(environment)
        self._output_to_stderr = output_to_stderr
        self._sealed = sealed
        self._refuse_declarations()
        if sealed is None:
            find_program(self._fixed, self._folder)

    @classmethod
    def from_definition(
        cls, sealed: ToolDefinition, *, output_to_stderr: bool = False
    ) -> CommandTool:
        """Rebuild a tool from its sealed definition; path and digests are taken again.

        A program that is gone by now makes its definition another one than the sealed.

        Raises:
            DeclarationError: The definition is not that of a command.
        """
        command = sealed.command
        if command is None:
            raise DeclarationError(f"tool {sealed.name} is not a command")
        properties = sealed.arguments["properties"]
        everything = command.environment == _EVERYTHING
        return cls(
            sealed.name,
            command.run,
            folder=command.folder,
            arguments={
                name: properties[name].get("type", "any") for name in sealed.arguments["required"]
            },
            writes=sealed.writes,
            effect=sealed.effect,
            undo=sealed.undo,
            not_applied=[int(code) for code in sealed.not_applied],
            version=sealed.version,
            environment=None if everything else command.environment,
            output_to_stderr=output_to_stderr,
            sealed=command,
        )

    @property
    def definition(self) -> ToolDefinition:
        """What the tool is now: the files' digests are taken at each call."""
        find = find_program if self._sealed is None else program_now
        program = find(self._fixed, self._folder)
        return ToolDefinition(
            kind="command",
            name=self.name,
            arguments=_schema(self._arguments),
            version=self._version,
            not_applied=tuple(str(code) for code in sorted(self._not_applied)),
            command=self._command(program),
            **self._texts,
        )

    def _command(self, program: Program) -> Command:
        return Command(
            run=self._run,
            program=program.path,
            sha256=program.sha256,
            files=program.files,
            folder=self._folder,
            environment=_EVERYTHING if self._environment is None else self._environment,
        )

    def require_program(self) -> None:
        """Refuse a program that is gone; raises `DeclarationError`."""
        find_program(self._fixed, self._folder)

    def seal(self, arguments: Mapping[str, Wire]) -> dict[str, Wire]:
        """Check arguments in typed JSON by name, and the vector they make.

        Raises:
            BadArguments: A name or type is not the declared one, or a value would be
                taken for an option.
            TemplateError: A value has no plain text.
        """
        if set(arguments) != set(self._arguments):
            raise BadArguments(
                f"tool {self.name} takes {', '.join(self._arguments) or 'no arguments'}, "
                f"not {', '.join(arguments) or 'none'}"
            )
        for name, kind in self._arguments.items():
            _check_type(self.name, name, kind, arguments[name])
        self.open(arguments)
        return {name: arguments[name] for name in self._arguments}

    def open(self, sealed: Mapping[str, Wire], results: Sequence[Any] = ()) -> list[str]:
        """Return the argument vector of a call, one element an argument.

        Raises:
            BadArguments: A value would be taken for an option, or holds a NUL character.
            TemplateError: A value has no plain text.
        """
        values = {name: open_argument(wire, results) for name, wire in sealed.items()}
        vector, options_are_over = [], False
        for text, template in zip(self._run, self._vector, strict=True):
            element = template.text(values)
            if "\0" in element:
                raise BadArguments(f"tool {self.name}: an argument holds a NUL character")
            opens = _BEGINS_WITH_HOLE.match(text)
            if opens and element.startswith("-") and not options_are_over:
                raise BadArguments(
                    f"tool {self.name}: {show(element)} would be taken for an option",
                    fix='Put "--" before it in the command, where the program knows that.',
                )
            options_are_over = options_are_over or text == "--"
            vector.append(element)
        return vector

    def act(self, act: Act, arguments: list[str]) -> dict[str, int]:
        """Run the program and wait for it.

        Returns:
            `{"exit": 0}`.

        Raises:
            CommandFailed: It ended in another way.
            CommandNotStarted: It could not be started, or is not what was sealed, and
                did nothing.
        """
        code = self._ended(act, arguments)
        if code != 0:
            raise CommandFailed(self.name, code)
        return {"exit": 0}

    def promises_nothing_applied(self, error: BaseException) -> bool:
        """Tell whether it never began, or ended with a code that was declared to say so."""
        if isinstance(error, CommandNotStarted):
            return True
        return isinstance(error, CommandFailed) and error.code in self._not_applied

    def _ended(self, act: Act, arguments: list[str]) -> int:
        return run_program(
            self._sealed_program().found,
            arguments,
            folder=self._folder,
            variables=self._variables() | {KEY_VARIABLE: act.key},
            output_to_stderr=self._output_to_stderr,
        )

    def _sealed_program(self) -> Program:
        """Return what runs now, once more compared with what was sealed."""
        try:
            program = find_program(self._fixed, self._folder)
        except DeclarationError as error:
            raise CommandNotStarted(error.what, where=error.where, fix=error.fix) from error
        if self._sealed is not None:
            changed = changed_files(self._sealed, self._command(program))
            if changed:
                files = ", ".join(change.text for change in changed)
                raise CommandNotStarted(
                    f"{self.name} is not what the yes was for; changed: {files}"
                )
        return program

    def _variables(self) -> dict[str, str]:
        if self._environment is None:
            return dict(os.environ)
        return {name: os.environ[name] for name in self._environment if name in os.environ}

    def _refuse_declarations(self) -> None:
        if not self._run:
            raise DeclarationError(f"tool {self.name} runs nothing", fix='run = ["./program"]')
        if self._vector[0].names():
            raise DeclarationError(
                f"tool {self.name}: which program runs can't depend on an argument",
                fix="Write the program's name without a hole.",
            )
        for name, kind in self._arguments.items():
            if kind not in TYPES:
                raise DeclarationError(
                    f"tool {self.name}: {kind!r} is no type of argument",
                    where=name,
                    fix=f"Use one of {', '.join(TYPES)}.",
                )
        for name in self._environment or ():
            if not _VARIABLE.fullmatch(name):
                raise DeclarationError(
                    f"tool {self.name}: {name!r} is no name of a variable",
                    where="environment",
                    fix="Name each variable; without the list all are passed on.",
                )
        named = {name for item in (*self._vector, self.effect) for name in item.names()}
        named.update(name for entry in self.writes for name in entry.names())
        named.update(self.undo.names() if self.undo else ())
        unknown = named - set(self._arguments)
        if unknown:
            raise DeclarationError(
                f"tool {self.name} names {', '.join(sorted(unknown))}, which is not an argument",
                fix=f"Its arguments are {', '.join(self._arguments) or 'none'}.",
            )


def _schema(arguments: Mapping[str, str]) -> Wire:
    properties = {name: {} if kind == "any" else {"type": kind} for name, kind in arguments.items()}
    return {"type": "object", "properties": properties, "required": list(arguments)}


def _check_type(tool: str, name: str, kind: str, wire: Wire) -> None:
    value = open_argument(wire)
    is_bool = isinstance(value, bool) and kind in {"integer", "number"}
    if is_bool or not isinstance(value, TYPES[kind]):
        raise BadArguments(f"tool {tool}: {name} is a {kind}, not {show(wire, 60)}", where=name)
