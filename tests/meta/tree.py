"""The checkout as the meta tests see it: its tracked files, its modules, its pages."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "lastlook"


@cache
def modules() -> dict[Path, ast.Module]:
    """Every module of the package, parsed."""
    return {
        path: ast.parse(path.read_text(encoding="utf-8"), str(path))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def pages() -> list[Path]:
    """Every page that a user reads."""
    return [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]


def tracked() -> list[Path]:
    """Every file that git keeps, as text files and others; what is there where git isn't."""
    answer = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    paths = [ROOT / name for name in answer.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def shown(path: Path) -> str:
    """A path as a failure names it."""
    return path.relative_to(ROOT).as_posix()
