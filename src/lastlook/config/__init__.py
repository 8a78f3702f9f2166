"""lastlook.toml: sources, commands as tools, and plans as templates, read strictly.

Whatever is misspelled is refused with the file, the table and the key, and with what may
stand there. Paths are relative to the file's folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lastlook.config.checks import check_plan, check_sources, check_tools, step_arguments
from lastlook.config.tables import FilesTable, PlanTable, ToolTable, read_tables, refuse
from lastlook.config.words import typed_words
from lastlook.core.canonical import LIMITS, to_wire
from lastlook.core.evidence import Wire
from lastlook.errors import BadJSON, DeclarationError, LastlookError, NotRegistered
from lastlook.planning.commands import CommandTool
from lastlook.planning.options import approvers_of
from lastlook.planning.recipes import Recipe, RecipeRead, RecipeStep
from lastlook.sources.safe_open import read_file
from lastlook.sources.texts import SLOW_BYTES, parse_text

if TYPE_CHECKING:
    from lastlook.sources.files import JsonFiles

__all__ = ["Config", "load_config"]

T = TypeVar("T")


class Config:
    """What a lastlook.toml says, checked as a whole.

    Args:
        path: The file's absolute path.
        tree: What it holds.

    Raises:
        DeclarationError: `where` names file, table and key.

    Attributes:
        folder: The file's folder, where its commands run.
    """

    def __init__(self, path: str, tree: Mapping[str, Any]) -> None:
        self.path = path
        self.folder = os.path.dirname(path)
        tables = read_tables(path, tree)
        self.sources: Mapping[str, FilesTable] = tables["sources"]
        self.tools: Mapping[str, ToolTable] = tables["tools"]
        self.plans: Mapping[str, PlanTable] = tables["plans"]
        check_sources(path, self.sources)
        check_tools(path, self.tools)
        for name, plan in self.plans.items():
            check_plan(path, name, plan, sources=self.sources, tools=self.tools)

    def source(self, name: str) -> JsonFiles:
        """Return the source of a table.

        Raises:
            DeclarationError: Its options cannot be meant.
        """
        from lastlook.sources.files import MAX_BYTES, JsonFiles

        table = self.sources[name]
        return self._placed(
            f"sources.{name}",
            lambda: JsonFiles(
                os.path.join(self.folder, table.root),
                id=table.id,
                records=table.records,
                suffix_in_key=table.suffix_in_key,
                max_bytes=MAX_BYTES if table.max_bytes is None else table.max_bytes,
            ),
        )

    def tool(self, name: str, *, output_to_stderr: bool = False) -> CommandTool:
        """Return the command of a table; it runs in the file's folder.

        Raises:
            DeclarationError: Its program is missing, or a template can't be used.
        """
        table = self.tools[name]
        return self._placed(
            f"tools.{name}",
            lambda: CommandTool(
                name,
                table.run,
                arguments=table.args,
                folder=self.folder,
                writes=table.writes,
                effect=table.effect,
                undo=table.undo,
                not_applied=table.not_applied,
                version=table.version,
                environment=table.environment,
                output_to_stderr=output_to_stderr,
            ),
        )

    def recipe(self, name: str) -> Recipe:
        """Return the plan of a table.

        Raises:
            NotRegistered: There is no such plan here.
        """
        plan = self._plan(name)
        return Recipe(
            name=name,
            intent=plan.intent,
            reads=tuple(
                RecipeRead(ref=item.ref, fields=item.fields, alias=item.alias, absent=item.absent)
                for item in plan.reads
            ),
            steps=tuple(
                RecipeStep(tool=step["tool"], arguments=self._wires(name, step))
                for step in plan.steps
            ),
            no_evidence=plan.no_evidence,
            two_people=plan.two_people,
            approvers=approvers_of(plan.approvers),
            expires_in=plan.expires_in,
        )

    def arguments(self, name: str, words: Sequence[str], *, line: str = "") -> dict[str, Wire]:
        """Return the arguments of a plan from `NAME=VALUE` words, by their declared types.

        Args:
            line: How the command line begins that takes the words, for messages.

        Raises:
            NotRegistered: There is no such plan here.
            BadArguments: A word names no argument, an argument is missing, or a value
                is not of the declared type.
        """
        return typed_words(name, words, self._plan(name).args, line=line)

    def _plan(self, name: str) -> PlanTable:
        if name not in self.plans:
            raise NotRegistered(
                f"there is no plan named {name}",
                where=self.path,
                fix=f"It has {', '.join(self.plans) or 'none'}.",
            )
        return self.plans[name]

    def _wires(self, name: str, step: Mapping[str, Any]) -> dict[str, Wire]:
        return self._placed(
            f"plans.{name}",
            lambda: {
                key: to_wire(item, where=f"/{key}") for key, item in step_arguments(step).items()
            },
        )

    def _placed(self, table: str, work: Callable[[], T]) -> T:
        """Do some work, and add file and table to what goes wrong in it."""
        try:
            return work()
        except LastlookError as error:
            refuse(self.path, table, error.what, fix=error.fix, key=error.where)


def load_config(path: str) -> Config:
    """Read a lastlook.toml.

    Raises:
        DeclarationError: It can't be read, is not TOML, or says something that can't
            be meant; `where` names file, table and key.
    """
    path = os.path.abspath(path)
    got = read_file(path, max_bytes=SLOW_BYTES)
    if not isinstance(got, tuple):
        raise DeclarationError(f"the configuration could not be read: {got.reason}", where=path)
    try:
        tree: Any = parse_text("lastlook.toml", got[1], LIMITS)
    except BadJSON as error:
        raise DeclarationError(error.what, where=path, fix=error.fix) from error
    return Config(path, tree)
