"""Imports go one way, and the rules that say so do notice when they don't."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.tree import PACKAGE, ROOT, modules, shown

LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def lint(source: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", str(ROOT / "pyproject.toml")],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(source), "PYTHONUTF8": "1"},
    )


def test_the_import_rules_hold() -> None:
    answer = lint(ROOT / "src")
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("core/check.py", "import os"),
        ("core/canonical.py", "import socket"),
        ("core/canonical.py", "from time import monotonic"),
        ("core/evidence.py", "import random"),
        ("core/fields.py", "from lastlook.dispatch import engine"),
        ("core/fields.py", "import lastlook"),
        ("errors.py", "import lastlook.core"),
        ("sources/__init__.py", "import lastlook.app"),
    ],
)
def test_a_wrong_import_breaks_the_rules(tmp_path: Path, module: str, line: str) -> None:
    shutil.copytree(PACKAGE, tmp_path / "lastlook", ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / "lastlook" / module
    target.write_text(f"{target.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    answer = lint(tmp_path)
    assert answer.returncode == 1, answer.stdout + answer.stderr
    assert "BROKEN" in answer.stdout


SLOW_TO_LOAD = {
    "asyncio",
    "concurrent",
    "dataclasses",
    "importlib",
    "inspect",
    "jsonpath",
    "pysqlite3",
    "rich",
    "sqlalchemy",
    "subprocess",
    "typer",
    "uuid",
    "yaml",
}


def test_importing_lastlook_loads_nothing_slow_or_optional() -> None:
    script = (
        "import msgspec, sys; before = set(sys.modules); import lastlook\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True
    )
    assert "lastlook" in answer.stdout.split()
    assert not SLOW_TO_LOAD & set(answer.stdout.split())


def test_no_module_turns_its_own_checks_off() -> None:
    found = [
        f"{shown(path)}:{node.lineno}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node)
    ]
    assert found == []
    words = ["pragma: no " + "cover", "TO" + "DO", "FIX" + "ME", "type: ignore\n", "noqa\n"]
    texts = {path: path.read_text(encoding="utf-8") for path in modules()}
    assert [(shown(p), w) for p, text in texts.items() for w in words if w in text] == []
