"""Run the blocks of one page in this process and folder: `python run_page.py page.md`.

Leaves with the first block that does not do what the page says, and names its line.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import traceback
from pathlib import Path
from types import ModuleType

sys.path.insert(0, os.environ["LASTLOOK_CHECKOUT"])
from tests.docs.blocks import Block, blocks, commands, matches


def main(page: Path) -> None:
    program = ModuleType("__main__")
    program.__file__ = str(Path.cwd() / "page.py")  # as if the page were a program in its folder
    sys.modules["__main__"] = program
    printed = ""
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{page.name}:{block.line}"
        if block.verb == "skip":
            continue
        if block.verb == "file":
            write(block)
        elif block.verb == "prints":
            if not matches(block.text, printed):
                sys.exit(f"{where}: the block before it prints this instead:\n{printed}")
        elif block.language == "python":
            printed = run_python(block, program, page)
        elif block.language == "console":
            run_console(block, where)


def write(block: Block) -> None:
    path = Path(block.what)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    if block.text.startswith("#!"):
        path.chmod(0o755)


def run_python(block: Block, program: ModuleType, page: Path) -> str:
    shift = "\n" * (block.line - 1)  # so that a traceback names the page's own line
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(shift + block.text, str(page), "exec"), vars(program))
    except BaseException:  # noqa: BLE001  # a block may raise anything, and leave too
        traceback.print_exc()
        sys.exit(f"{page.name}:{block.line}: this block raises")
    return out.getvalue()


def run_console(block: Block, where: str) -> None:
    for command in commands(block.text):
        answer = subprocess.run(
            command.typed,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        if answer.returncode != command.code:
            sys.exit(
                f"{where}: `{command.typed}` exits with {answer.returncode}, not {command.code}:\n"
                f"{answer.stdout}"
            )
        if command.output is not None and not matches(command.output, answer.stdout):
            sys.exit(f"{where}: `{command.typed}` prints this instead:\n{answer.stdout}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
