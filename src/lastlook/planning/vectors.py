"""Argument vectors: what in them stands fixed, and how they are written for people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from lastlook.core.templates import Template

_BARE: Final = re.compile(r"(?:[\w@%+=:,./-]|\{[\w.]*\})+")
_NOT_IN_DOUBLE: Final = re.compile(r'["$`\\!]')


class Runs(Template):
    """The words *runs ...* for a command: the filled arguments, each quoted where it needs it."""

    __slots__ = ("_vector",)

    def __init__(self, vector: Sequence[Template]) -> None:
        super().__init__(" ".join(element.source for element in vector))
        self._vector = tuple(vector)

    def text(self, arguments: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> str:
        """Return what runs, so that no two vectors read alike.

        Raises:
            TemplateError: A hole names nothing, or its value has no plain text.
        """
        return f"runs {spelled([each.text(arguments, evidence) for each in self._vector])}"

    def fill(self, arguments: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> str:
        """Return the same as `text`."""
        return self.text(arguments, evidence)


def fixed_words(vector: Sequence[Template]) -> list[str | None]:
    """Return the arguments that depend on no value as they are passed, and None for others.

    Of an option that ends in a value its fixed beginning is returned.
    """
    return [_fixed(element) for element in vector]


def _fixed(element: Template) -> str | None:
    if not element.names():
        return element.text({})
    return element.source.partition("{")[0] if element.source.startswith("-") else None


def spelled(vector: Sequence[str]) -> str:
    """Return an argument vector as a shell reads it, quoted where an argument needs it.

    A shell gets back what was given, so no two vectors are written alike.
    """
    return " ".join(map(_spelled, vector))


def _spelled(argument: str) -> str:
    if _BARE.fullmatch(argument):
        return argument
    if "'" in argument and not _NOT_IN_DOUBLE.search(argument):
        return f'"{argument}"'
    inner = argument.replace("'", r"'\''")
    return f"'{inner}'"
