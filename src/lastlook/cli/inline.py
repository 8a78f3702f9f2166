"""A command from the command line, as a tool and a recipe: no Python, no configuration.

Every hole in the command becomes a named argument of a tool, and the hole itself what
that argument is filled with. So a value that was taken from evidence is worked out again
after a block, like in a plan of lastlook.toml.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from lastlook.cli.advising import refuse_nameless
from lastlook.core.refs import parse_e_option
from lastlook.core.templates import HOLE, Template
from lastlook.errors import NoEvidence
from lastlook.planning.commands import CommandTool, spelled
from lastlook.planning.recipes import Recipe, RecipeRead, RecipeStep

_TOKEN: Final = re.compile(rf"\{{\{{|{HOLE}")


class Inline(Struct, frozen=True, kw_only=True):
    """What the command line says of a command; the attributes are the options' values."""

    command: tuple[str, ...]
    evidence: tuple[str, ...] = ()
    no_evidence: str | None = None
    intent: str | None = None
    writes: tuple[str, ...] = ()
    effect: str = ""
    undo: str | None = None
    not_applied: tuple[int, ...] = ()
    expires_in: float | None = None


def recipe_of(
    inline: Inline, *, folder: str, sources: Collection[str], output_to_stderr: bool = False
) -> tuple[Recipe, CommandTool]:
    """Return the recipe and the tool of a command.

    Args:
        folder: The working directory, where the command runs.
        sources: The names of the registered sources; any other ref is a file.

    Raises:
        NoEvidence: It rests on nothing, and does not say so.
        DeclarationError: An option cannot be read, or there is no such program.
    """
    if not inline.evidence and inline.no_evidence is None:
        raise NoEvidence(
            "this command rests on nothing, so nothing would stop it",
            fix="Say what it rests on: -e 'slots/slot-42.json#status'. "
            "Where it truly rests on nothing: --no-evidence 'why'.",
        )
    reads = tuple(read_of(text, sources, folder) for text in inline.evidence)
    holes = _Holes()
    tool = CommandTool(
        os.path.basename(inline.command[0]) or inline.command[0],
        [holes.lifted(element) for element in inline.command],
        writes=[holes.lifted(_ref(text, sources)) for text in inline.writes],
        effect=holes.lifted(inline.effect),
        undo=None if inline.undo is None else holes.lifted(inline.undo),
        arguments=dict.fromkeys(holes.names, "any"),
        folder=folder,
        not_applied=inline.not_applied,
        output_to_stderr=output_to_stderr,
    )
    _refuse_nameless(inline, reads)
    recipe = Recipe(
        intent=inline.intent or "",
        reads=reads,
        steps=(RecipeStep(tool=tool.name, arguments=dict(holes.names)),),
        no_evidence=inline.no_evidence,
        expires_in=inline.expires_in,
    )
    return recipe, tool


def _refuse_nameless(inline: Inline, reads: Sequence[RecipeRead]) -> None:
    """Refuse a hole that no evidence fills, before anything is read."""
    texts = [*inline.command, *inline.writes, inline.effect, inline.undo or "", inline.intent or ""]
    refuse_nameless(
        [f"{{{name}}}" for text in texts for name in Template(text).names()],
        [text for text, read in zip(inline.evidence, reads, strict=True) if not read.alias],
        {read.alias: read.fields for read in reads if read.alias},
    )


class _Holes:
    """The holes that were lifted out, by the name that each got as an argument."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def lifted(self, text: str) -> str:
        """Return the text with each hole under its new name."""
        return _TOKEN.sub(self._named, text)

    def _named(self, found: re.Match[str]) -> str:
        hole = found[0]
        if hole == "{{":
            return hole
        known = next((name for name, text in self.names.items() if text == hole), None)
        if known is None:
            known = self._new(re.sub(r"\W", "_", hole[1:-1].rpartition(".")[2]))
            self.names[known] = hole
        return f"{{{known}}}"

    def _new(self, wanted: str) -> str:
        if wanted.isidentifier() and wanted.isascii() and wanted not in self.names:
            return wanted
        numbers = range(1, len(self.names) + 2)
        return next(name for n in numbers if (name := f"arg{n}") not in self.names)


def read_of(text: str, sources: Collection[str], folder: str) -> RecipeRead:
    """Return what `[NAME=]REF#FIELD,...` says is read; a file is one beneath the folder.

    Raises:
        DeclarationError: The text cannot be read; see the subclasses.
    """
    declared = parse_e_option(text, sources)
    source, key = declared.ref
    return RecipeRead(
        ref=f"{source}:{_beneath(key, folder) if source == 'cwd' else key}",
        fields=tuple(str(item) for item in declared.fields),
        alias=declared.alias,
    )


def _ref(text: str, sources: Collection[str]) -> str:
    source, colon, _ = text.partition(":")
    return text if colon and source in {*sources, "cwd"} else f"cwd:{text.removeprefix('./')}"


def _beneath(path: str, folder: str) -> str:
    """Return a path as the source `cwd` knows it, where it lies beneath the folder."""
    tidy = os.path.normpath(path)
    return tidy.removeprefix(os.path.join(folder, ""))


def needs_dashes(words: Sequence[str]) -> str:
    """Return how a command is written that stands without `--` before it."""
    return f"Put -- before the command: -- {spelled(words)}"
