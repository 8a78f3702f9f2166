"""Commands as tools: a program and its argument vector, without a shell.

What decides which program runs, and how, is the tool's definition: the vector as
templates, the program's resolved path and the digest of its bytes, the same of a script
that it interprets, the working directory and the names of passed-on variables.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import file_digest
from typing import Any, Final

from lastlook.core.evidence import Wire
from lastlook.core.plan import Command, ToolDefinition
from lastlook.core.refs import parse_writes
from lastlook.core.stand_ins import open_argument
from lastlook.core.templates import Template
from lastlook.errors import BadArguments, DeclarationError, LastlookError
from lastlook.planning.tools import Act

KEY_VARIABLE: Final = "LASTLOOK_IDEMPOTENCY_KEY"
_TYPES: Final = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "any": object,
}  # fmt: skip


class CommandFailed(LastlookError):
    """A command ended with another exit code than 0, or by a signal.

    Attributes:
        code: The exit code; negative for a signal.
    """

    def __init__(self, program: str, code: int) -> None:
        self.code = code
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        super().__init__(f"{program} ended {how}")


class CommandTool:
    """A program that acts, as a tool.

    Args:
        name: The tool's name.
        run: The argument vector; each element is a template and stays one argument.
        arguments: By name, the JSON type of each argument: `string`, `integer`,
            `number`, `boolean` or `any`.
        folder: The working directory, absolute.
        not_applied: Exit codes that promise that nothing was done.
        environment: Names of variables that are passed on; None passes all on.

    Raises:
        DeclarationError: The program is not found, or a template names an argument
            that is not declared.
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
    ) -> None:
        self.name = name
        self.writes = tuple(parse_writes(text) for text in writes)
        self.effect = Template(effect or _words(run))
        self.undo = None if undo is None else Template(undo)
        self._run = tuple(run)
        self._vector = [Template(element) for element in run]
        self._arguments = dict(arguments)
        self._folder = folder
        self._texts: dict[str, Any] = {"writes": tuple(writes), "effect": effect, "undo": undo}
        self._not_applied = frozenset(not_applied)
        self._version = version
        self._environment = None if environment is None else tuple(environment)
        self._output_to_stderr = output_to_stderr
        self._refuse_unknown_names()
        self._definition = self._define()

    @classmethod
    def from_definition(
        cls, sealed: ToolDefinition, *, output_to_stderr: bool = False
    ) -> CommandTool:
        """Rebuild a tool from its sealed definition; path and digests are taken again."""
        command = sealed.command
        if command is None:
            raise DeclarationError(f"tool {sealed.name} is not a command")
        properties = sealed.arguments["properties"]
        return cls(
            sealed.name, command.run, folder=command.folder,
            arguments={name: _type_of(schema) for name, schema in properties.items()},
            writes=sealed.writes, effect=sealed.effect, undo=sealed.undo,
            not_applied=[int(code) for code in sealed.not_applied], version=sealed.version,
            environment=None if command.environment == ("*",) else command.environment,
            output_to_stderr=output_to_stderr,
        )  # fmt: skip

    @property
    def definition(self) -> ToolDefinition:
        """What the tool is now: the files' digests are taken at each call."""
        return self._define()

    def _define(self) -> ToolDefinition:
        program = _resolve(self._run[0], self._folder)
        script = _script(self._run[1:], self._folder)
        return ToolDefinition(
            kind="command",
            name=self.name,
            arguments=_schema(self._arguments),
            version=self._version,
            not_applied=tuple(sorted(str(code) for code in self._not_applied)),
            command=Command(
                run=self._run,
                program=program,
                sha256=_digest(program),
                script=script,
                script_sha256=_digest(script) if script else "",
                folder=self._folder,
                environment=("*",) if self._environment is None else self._environment,
            ),
            **self._texts,
        )

    def seal(self, arguments: Mapping[str, Wire]) -> dict[str, Wire]:
        """Check arguments in typed JSON by name, and the vector they make.

        Raises:
            BadArguments: A name or type is not the declared one, or a value would be
                taken for an option.
        """
        if set(arguments) != set(self._arguments):
            raise BadArguments(
                f"tool {self.name} takes {', '.join(self._arguments) or 'no arguments'}, "
                f"not {', '.join(arguments) or 'none'}"
            )
        for name, kind in self._arguments.items():
            _check_type(self.name, name, kind, arguments[name])
        self.open(arguments)
        return dict(arguments)

    def open(self, sealed: Mapping[str, Wire], results: Sequence[Any] = ()) -> list[str]:
        """Return the argument vector of a call, one element an argument."""
        values = {name: open_argument(wire, results) for name, wire in sealed.items()}
        vector, options_over = [], False
        for text, template in zip(self._run, self._vector, strict=True):
            element = template.text(values)
            if "\0" in element:
                raise BadArguments(f"tool {self.name}: an argument holds a NUL character")
            if template.names() and element.startswith("-") and not options_over:
                raise BadArguments(
                    f"tool {self.name}: {element!r} would be taken for an option",
                    fix='Put "--" before it in the command, where the program knows that.',
                )
            options_over = options_over or text == "--"
            vector.append(element)
        return vector

    def act(self, act: Act, arguments: list[str]) -> dict[str, int]:
        """Run the program and wait for it.

        Returns:
            `{"exit": 0}`.

        Raises:
            CommandFailed: It ended in another way.
            OSError: It could not be started.
        """
        program = _resolve(self._run[0], self._folder)
        done = subprocess.run(
            arguments,
            executable=program,
            cwd=self._folder,
            env=self._variables() | {KEY_VARIABLE: act.key},
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr if self._output_to_stderr else None,
            check=False,
        )
        if done.returncode != 0:
            raise CommandFailed(self.name, done.returncode)
        return {"exit": 0}

    def promises_nothing_applied(self, error: BaseException) -> bool:
        """Tell whether the exit code was declared to mean that nothing was done."""
        return isinstance(error, CommandFailed) and error.code in self._not_applied

    def _variables(self) -> dict[str, str]:
        if self._environment is None:
            return dict(os.environ)
        return {name: os.environ[name] for name in self._environment if name in os.environ}

    def _refuse_unknown_names(self) -> None:
        texts = [*self._vector, *self.writes, self.effect, *([self.undo] if self.undo else [])]
        unknown = {name for item in texts for name in item.names()} - set(self._arguments)
        if unknown:
            raise DeclarationError(
                f"tool {self.name} names {', '.join(sorted(unknown))}, which is not an argument",
                fix=f"Its arguments are {', '.join(self._arguments) or 'none'}.",
            )


def _resolve(program: str, folder: str) -> str:
    """Return the absolute path of a program, as the command's folder sees it."""
    if "/" in program:
        path = os.path.realpath(os.path.join(folder, program))
        found = path if os.path.isfile(path) and os.access(path, os.X_OK) else None
    else:
        found = shutil.which(program)
        found = os.path.realpath(found) if found else None
    if found is None:
        raise DeclarationError(
            f"there is no program {program} that can be run", where=folder,
            fix="Give its path, and make the file executable: chmod +x.",
        )  # fmt: skip
    return found


def _script(arguments: Sequence[str], folder: str) -> str:
    """Return the path of a script beneath the folder that the program is given, or ''."""
    for argument in arguments:
        if argument.startswith("-") or "{" in argument:
            continue
        path = os.path.realpath(os.path.join(folder, argument))
        beneath = path.startswith(os.path.join(folder, ""))
        return path if beneath and os.path.isfile(path) else ""
    return ""


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DeclarationError(f"{path} cannot be read: {error.strerror}") from error


def _schema(arguments: Mapping[str, str]) -> Wire:
    properties = {
        name: {} if kind == "any" else {"type": kind} for name, kind in arguments.items()
    }
    return {"type": "object", "properties": properties, "required": list(arguments)}


def _type_of(schema: Mapping[str, str]) -> str:
    return schema.get("type", "any")


def _check_type(tool: str, name: str, kind: str, wire: Wire) -> None:
    expected: Any = _TYPES.get(kind)
    if expected is None:
        raise DeclarationError(
            f"tool {tool}: {kind!r} is no type of argument", where=name,
            fix=f"Use one of {', '.join(_TYPES)}.",
        )  # fmt: skip
    value = open_argument(wire)
    is_bool = isinstance(value, bool) and kind in {"integer", "number"}
    if is_bool or not isinstance(value, expected):
        raise BadArguments(
            f"tool {tool}: {name} is a {kind}, not {value!r}", where=name
        )


def _words(run: Sequence[str]) -> str:
    return "runs " + " ".join(run)
