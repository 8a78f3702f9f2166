"""The code blocks of a Markdown page, and what the comment before each says to do with it.

A block runs unless its page says otherwise. The comment stands on the line before the fence:

```
(nothing)                     python runs, console runs, any other language is only shown
<!-- skip: reason -->         is only shown, and why
<!-- file: slots/a.json -->   is written to this file first, whatever its language
<!-- prints -->               is what the Python block before it prints
```

The blocks of one page run in order, in one folder and one program: a page reads from top to
bottom. In a console block lines that begin with `$ ` are typed, the others are what comes back;
`# exit 3` behind a command says how it ends. In what comes back `...` stands for anything.
"""

from __future__ import annotations

import re
from typing import NamedTuple

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>\w*)[^`]*$")
NOTE = re.compile(r"^ *<!-- (?P<verb>skip|file|prints)(?:: (?P<what>.+?))? -->$")
EXIT = re.compile(r"\s+# exit (\d+)$")


class Block(NamedTuple):
    """One fenced block: `line` is the line of its first line of code."""

    line: int
    language: str
    verb: str
    what: str
    text: str


class Command(NamedTuple):
    """One command of a console block, what it must print (None: anything) and its exit code."""

    typed: str
    output: str | None
    code: int


def blocks(page: str) -> list[Block]:
    """Every fenced block of a page, in order."""
    found: list[Block] = []
    lines = page.splitlines()
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if not fence:
            at += 1
            continue
        note = NOTE.match(lines[at - 1]) if at else None
        end = at + 1
        while lines[end].strip() != fence["ticks"]:
            end += 1
        code = "".join(line.removeprefix(fence["indent"]) + "\n" for line in lines[at + 1 : end])
        verb, what = (note["verb"], note["what"] or "") if note else ("", "")
        found.append(Block(at + 2, fence["language"], verb, what, code))
        at = end + 1
    return found


def commands(text: str) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
        if not part.strip():
            continue
        lines = part.split("\n")
        typed = [lines.pop(0).removeprefix("$ ")]
        while typed[-1].endswith("\\"):
            typed.append(lines.pop(0))
        code = EXIT.search(typed[-1])
        output = "\n".join(lines).strip("\n")
        typed[-1] = EXIT.sub("", typed[-1])
        found.append(Command("\n".join(typed), output or None, int(code[1]) if code else 0))
    return found


def matches(said: str, printed: str) -> bool:
    """Whether what was printed is what the page says, `...` standing for anything."""
    parts = [re.escape(part) for part in tidy(said).split("...")]
    return re.fullmatch(r"[\s\S]*".join(parts), tidy(printed)) is not None


def tidy(text: str) -> str:
    """The text without white space at the ends of lines and of the whole."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
