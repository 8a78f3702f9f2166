"""The files that a command runs besides its program: scripts, modules, interpreters.

Which argument of a program is a file that it runs is for that program to know. So the
rule goes by the files instead: what the argument vector names and what is a program by
its looks is pinned, as is what stands where an interpreter takes its script from, and
whatever a first line `#!` names. Data are not: of those the declared fields count.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lastlook.planning.looks import Head, first_words, head_of, is_data, is_program

_DEEPEST: Final = 8
"""Interpreters of interpreters that are followed; no system starts as many."""

_SPLIT: Final = re.compile(r"-[iv0]*S(.*)|--split-string(?:=(.*))?", re.DOTALL)


def pinned_files(program: str, words: Sequence[str | None], folder: str) -> dict[str, str]:
    """Return the files that would run besides the program, their resolved paths by name.

    A name is what the command calls the file; joined to the folder it is its path.

    Args:
        program: The path that is executed; empty where it is missing.
        words: The arguments; None for one that depends on a value.
        folder: The working directory, absolute.
    """
    search = _Search(folder, os.path.realpath(program) if program else "")
    if program:
        search.follow(program, 0)
    search.arguments(head_of(program), words, 0)
    return search.files


class _Search:
    """The files found so far: resolved paths by name."""

    def __init__(self, folder: str, program: str) -> None:
        self.files: dict[str, str] = {}
        self._folder = folder
        self._program = program

    def follow(self, path: str, depth: int) -> None:
        """Pin what a script's first line runs."""
        words = first_words(path)
        if not words or depth == _DEEPEST or not self._is_file(words[0]):
            return
        found = self._path(words[0])
        if os.path.realpath(found) not in {self._program, *self.files.values()}:
            self._pin(words[0], depth + 1)
        self.arguments(head_of(found), words[1:], depth + 1)

    def arguments(self, head: Head, words: Iterable[str | None], depth: int) -> None:
        """Pin what the arguments of a program name, and those of what it runs in turn."""
        before, left = "", deque(words)
        while left:
            word = left.popleft()
            if word is None:
                head = head if _is_option(before) else head.after_text()
            elif head.splits and (found := _SPLIT.fullmatch(word)):
                text = found[1] or found[2] or (left.popleft() if left else None)
                left.extendleft(reversed(_split(text or "")))
                continue
            else:
                head = self._word(word, before, head, depth)
            before = "?" if word is None else "" if word == "--" else word

    def _word(self, word: str, before: str, head: Head, depth: int) -> Head:
        """Pin what one argument names; return what takes the arguments after it."""
        if name := head.module(word, before):
            self._pin_all(_modules(name), depth)
            return head.given()
        is_marked = self._named(word, head, depth)
        for text in _values(word):
            self._named(text, head, depth)
        if word.startswith(("-", "+")):
            return head.given() if head.takes_text(word) else head
        if self._is_file(word):
            after = self._file(word, before, head, depth, is_marked=is_marked)
        elif "/" in word or os.path.exists(self._path(word)):
            after = head.after_text()
        else:
            after = self._on_path(word, head, depth)
        return head if _is_option(before) and after.kind in {"", head.kind} else after

    def _file(self, word: str, before: str, head: Head, depth: int, *, is_marked: bool) -> Head:
        if is_marked:
            return head_of(self._path(word))
        if head.takes_script and (not before or not is_data(word)):
            self._pin(word, depth)
        return head.given() if head.takes_script else head

    def _on_path(self, word: str, head: Head, depth: int) -> Head:
        """Pin what a name stands for, where a program is looked for; else take the name in."""
        from shutil import which

        found = which(word) if head.seeks else None
        if found is not None:
            self._pin(found, depth)
        named = head_of(self._path(found) if found else word)
        if found is None and named.kind in {"", "starter"}:
            return head.after_text()
        return named

    def _named(self, text: str, head: Head, depth: int) -> bool:
        """Pin what a text names if it is a program, or a folder with one; tell if it is."""
        if self._is_file(text):
            if is_program(self._path(text)):
                self._pin(text, depth)
                return True
        elif text:
            self._pin_all((f"{text}{end}" for end in head.implied), depth)
        return False

    def _pin_all(self, names: Iterable[str], depth: int) -> None:
        for name in names:
            if self._is_file(name):
                self._pin(name, depth)

    def _pin(self, name: str, depth: int) -> None:
        if name not in self.files:
            self.files[name] = os.path.realpath(self._path(name))
            self.follow(self.files[name], depth)

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _is_file(self, name: str) -> bool:
        return bool(name) and os.path.isfile(self._path(name))


def _is_option(word: str) -> bool:
    return word.startswith(("-", "+")) and word != "-"


def _values(word: str) -> Iterator[str]:
    """Yield what in an argument may name a file besides the whole: an option's value."""
    if "=" in word:
        yield word.partition("=")[2]
    if word.startswith("-") and not word.startswith("--"):
        yield word[2:]


def _modules(name: str) -> Iterator[str]:
    """Yield what `-m` runs of a module: it, and each package around it."""
    roots = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    parts = name.split(".")
    for root in dict.fromkeys(["", *roots]):
        for end in range(1, len(parts) + 1):
            yield os.path.join(root, *parts[:end], "__init__.py")
        yield os.path.join(root, *parts) + ".py"
        yield os.path.join(root, *parts, "__main__.py")


def _split(text: str) -> list[str]:
    from shlex import split

    try:
        return split(text)
    except ValueError:  # an open quote, at which `env` gives up
        return []
