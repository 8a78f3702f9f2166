"""The likely slip behind a command line that can't be meant, and the line to type instead."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from lastlook.cli.output import Usage
from lastlook.core.fields import parse_field
from lastlook.core.fieldtext import may_be_secret
from lastlook.errors import TemplateError

if TYPE_CHECKING:
    from lastlook.app import Lastlook

_COMPARES: Final = frozenset({"==", "=", "!=", ">=", "<=", ">", "<", "in", "within"})
_EVIDENCE: Final = ("-e", "--evidence")
_NEAR: Final = 3  # names that are offered for one that is not there


def refuse_unquoted(head: Sequence[str], command: Sequence[str] | None) -> None:
    """Refuse a condition that the shell has taken apart, with the line to type instead.

    Args:
        head: The words before `--`, as they were typed.
        command: The words after it, or None where there is none.

    Raises:
        Usage: What `-e` was given goes on in the words behind it.
    """
    for at, word in enumerate(head):
        long = word.startswith("--evidence=")
        if not long and word not in _EVIDENCE:
            continue
        begin = at if long else at + 1
        end = _next_option(head, begin + 1)
        text, apart = " ".join(head[begin : begin + 1]), head[begin + 1 : end]
        if not apart or not (apart[0] in _COMPARES or text.endswith(",")):
            continue
        whole = f"{text.removeprefix('--evidence=')} {_joined(apart)}"
        words = [*head[:at], "-e", whole, *head[end:]]
        secret = may_be_secret(whole)
        raise Usage(
            f"{'a condition' if secret else repr(apart[0])} has come apart from its -e: the shell "
            "splits at spaces",
            fix=f"Put all of it in single quotes{'.' if secret else ': ' + line_of(words, command)}",
        )


def _next_option(head: Sequence[str], start: int) -> int:
    return next((at for at in range(start, len(head)) if head[at].startswith("-")), len(head))


def _joined(apart: Sequence[str]) -> str:
    """Return the words as one condition, with the quotes that the shell took off a text."""
    operator, literal = apart[0], " ".join(apart[1:])
    return f"{operator} {_quoted(literal)}" if operator == "==" and literal else " ".join(apart)


def _quoted(text: str) -> str:
    try:
        json.loads(text)
    except ValueError:
        return json.dumps(text, ensure_ascii=False)
    return text


def line_of(words: Iterable[str], command: Sequence[str] | None) -> str:
    """Return a whole command line from the words before and after `--`, quoted for a shell."""
    from shlex import quote

    tail = [] if command is None else ["--", *command]
    return " ".join(["lastlook", *map(quote, [*words, *tail])])


def refuse_nameless(
    holes: Iterable[str], evidence: Sequence[str], aliases: Mapping[str, Sequence[str]]
) -> None:
    """Refuse a hole that no evidence has the name of, with the `-e` that gives it one.

    Args:
        holes: With their braces, as in `{slot.time}`.
        evidence: What was said with `-e` and has no name.
        aliases: The fields of the evidence that has one, by that name.

    Raises:
        TemplateError: A hole names nothing.
    """
    for hole in holes:
        alias, dot, _ = hole[1:-1].partition(".")
        if dot and alias in aliases:
            continue
        what = (
            f"no evidence is called {alias}" if dot else "a hole names evidence and a field of it"
        )
        raise TemplateError(
            f"{hole} names nothing: {what}",
            fix=f"{_naming(alias if dot else 'slot', evidence, aliases)} "
            "A brace that is text is doubled: {{.",
        )


def _naming(alias: str, evidence: Sequence[str], aliases: Mapping[str, Sequence[str]]) -> str:
    from shlex import quote

    there = [f"{{{name}.{_part(field)}}}" for name, fields in aliases.items() for field in fields]
    said = [f"There is {', '.join(there)}."] if there else []
    if evidence and not may_be_secret(evidence[0]):
        said.append(f"Name the evidence: -e {quote(f'{alias}={evidence[0]}')}.")
    return " ".join(said) or "Say what it rests on: -e 'slot=slots/slot-42.json#time'."


def _part(field: str) -> str:
    """Return how a hole names a field that was given as text, without its condition."""
    return parse_field(field).selector.removeprefix("/").replace("/", ".") or "FIELD"


def missing_record(look: Lastlook, ref: str) -> str:
    """Return where a record was looked for, what is near it, and how to rest on its absence."""
    source, _, key = ref.partition(":")
    described = look.world.sources[source].describe()
    root = described.get("root") if described.get("kind") == "files" else None
    place = ""
    if source == "cwd" and ":" in key:
        others = ", ".join(name for name in look.world.sources if name != "cwd") or "none but files"
        place = f"There is no source {key.partition(':')[0]} here: there is {others}. "
    if isinstance(root, str):
        whole = described.get("id") is not None or described.get("records") is not None
        bare = not described.get("suffix_in_key")
        place += (
            f"Looked in {root}. " if whole else _beside(root, key, f"{source}:" if bare else "")
        )
    return f"{place}A plan of lastlook.toml that rests on there being none says: absent = true."


def _beside(root: str, key: str, source: str) -> str:
    """Return the path that was looked at, and what is most like it.

    Args:
        source: What stands before a key that is written without its suffix; else empty.
    """
    from difflib import get_close_matches

    path = os.path.join(root, key) + (".json" if source else "")
    folder = os.path.dirname(path)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return f"There is no folder {folder}. "
    near = get_close_matches(os.path.basename(path), names, _NEAR)
    keys = [os.path.join(os.path.dirname(key), name) for name in near]
    shown = [f"{source}{os.path.splitext(item)[0]}" if source else item for item in keys]
    meant = f" Near it: {', '.join(shown)}." if shown else ""
    return f"There is no file {path}.{meant} "
