"""What a file or a name looks like: a program, data, an interpreter, or what starts others."""

from __future__ import annotations

import os
import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

_PROGRAMS: Final = frozenset(
    ".sh .bash .zsh .ksh .fish .csh .tcsh .py .pyw .pyc .pyz .rb .pl .pm .js .mjs .cjs .jsx .ts .mts"
    " .cts .tsx .php .lua .awk .sed .ps1 .psm1 .bat .cmd .jl .r .tcl .groovy .kts .scala .clj .ex"
    " .exs .erl .scm .raku .jar .class .so .wasm .sql .mk .jq .applescript .scpt".split()
)
"""Endings of files that something runs."""

_DATA: Final = frozenset(
    ".json .jsonl .ndjson .toml .yaml .yml .csv .tsv .xml .html .htm .txt .md .rst .ini .cfg .conf"
    " .env .lock .log .db .sqlite .parquet .pdf .png .jpg .jpeg .gif .svg .eml .ics .pem .crt .key"
    .split()
)  # fmt: skip
"""Endings of files that a script works on."""

_MAGIC: Final = (b"#!", b"\x7fELF")
_LONGEST_LINE: Final = 4096  # bytes of a first line; systems read fewer

_VERSION: Final = r"(?:[-.]?[0-9][^/]*)?(?:\.exe)?"
_KINDS: Final = {
    "python": re.compile(rf"(?:python|pypy){_VERSION}"),
    "shell": re.compile(rf"(?:ba|da|z|k|mk|pdk|fi|c|tc|a|rba)?sh{_VERSION}"),
    "node": re.compile(rf"(?:node|nodejs|bun|deno|tsx|ts-node){_VERSION}"),
    "interpreter": re.compile(
        r"(?:j?ruby|perl|raku|php|lua|luajit|java|groovy|julia|Rscript|pwsh|powershell|osascript"
        rf"|[gmn]?awk|tclsh|expect|guile|g?make|just|rake){_VERSION}"
    ),
    "starter": re.compile(
        r"env|nice|ionice|chrt|taskset|timeout|setsid|nohup|stdbuf|unbuffer|time|chronic|sudo|doas"
        r"|su|runuser|setpriv|unshare|nsenter|chroot|flock|xargs|parallel|watch|strace|ltrace"
        r"|valgrind|gdb|script|caffeinate|systemd-run|busybox|toybox|uv|uvx|npx|pnpx|bunx|pipx"
        r"|poetry|pipenv|hatch|pdm|rye|bundle|xvfb-run|dotenv|direnv|dumb-init|tini|firejail|bwrap"
    ),
}
_TEXTS: Final = {
    "python": re.compile(r"-[bBdEhiIOPqRsSuvVx]*c.*|-", re.DOTALL),
    "shell": re.compile(r"-[abefhiklmnprstuvx]*c[abefhiklmnprstuvx]*"),
}
_MODULES: Final = {
    "python": re.compile(r"-[bBdEhiIOPqRsSuvVx]*m(.*)", re.DOTALL),
    "starter": re.compile(r"-m()"),  # as `uv run -m` has it
}


class Head(Struct, frozen=True):
    """What takes the arguments that come next.

    Attributes:
        kind: `python`, `shell`, `node`, another `interpreter`, a `starter` of other
            programs, or an empty text.
        splits: Whether it splits a text into arguments, as `env -S` does.
        is_given: Whether its script or program stands already.
    """

    kind: str = ""
    splits: bool = False
    is_given: bool = False

    @property
    def takes_script(self) -> bool:
        """Whether the next file is its script."""
        return self.kind not in {"", "starter"} and not self.is_given

    @property
    def seeks(self) -> bool:
        """Whether it looks for the next name on the `PATH`."""
        return self.kind != "" and not self.is_given

    @property
    def implied(self) -> tuple[str, ...]:
        """What it adds to a name to find its script."""
        node = (".js", "/index.js", "/package.json") if self.kind == "node" else ()
        return ("/__main__.py", *node)

    def given(self) -> Head:
        """Return the same after its script or program was given."""
        return replace(self, is_given=True)

    def after_text(self) -> Head:
        """Return the same after an argument that names no file and belongs to no option."""
        return self if self.kind in {"starter", "node"} else self.given()

    def takes_text(self, option: str) -> bool:
        """Tell whether an option says that what runs is a text, and no file."""
        return self.kind in _TEXTS and _TEXTS[self.kind].fullmatch(option) is not None

    def module(self, word: str, before: str) -> str:
        """Return the module that `-m` names, in this argument or after the one before."""
        if self.kind not in _MODULES or self.is_given:
            return ""
        here, apart = (_MODULES[self.kind].fullmatch(text) for text in (word, before))
        return here[1] if here else word if apart and not apart[1] else ""


def head_of(program: str) -> Head:
    """Return what a program is, by its name or that of the file that it links to."""
    for path in (program, os.path.realpath(program) if "/" in program else ""):
        base = os.path.basename(path)
        for kind, pattern in _KINDS.items():
            if pattern.fullmatch(base):
                return Head(kind, splits=base == "env")
    return Head()


def is_program(path: str) -> bool:
    """Tell whether a file is one that runs: by its ending, its mode or its first bytes."""
    endings = {os.path.splitext(each)[1].lower() for each in (path, os.path.realpath(path))}
    if not _PROGRAMS.isdisjoint(endings) or os.stat(path).st_mode & 0o111:
        return True
    return _first_line(path).startswith(_MAGIC)


def is_data(path: str) -> bool:
    """Tell whether a file's ending says that it holds data."""
    return os.path.splitext(path)[1].lower() in _DATA


def first_words(path: str) -> list[str]:
    """Return what a script's first line runs: a program, and its arguments.

    Systems differ in how they take the arguments: as one or one by one. So more than one
    are returned both ways.
    """
    line = _first_line(path)
    if not line.startswith(b"#!"):
        return []
    program, *rest = os.fsdecode(line[2:]).strip().split(maxsplit=1) or [""]
    words = rest[0].split() if rest else []
    return [program, *words, *(rest if len(words) > 1 else ())] if program else []


def _first_line(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.readline(_LONGEST_LINE)
    except OSError:
        return b""
