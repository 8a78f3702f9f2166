"""What the pages promise is proved by a test, and no test proves what nobody promised.

A promise carries its id in a hidden comment, `<!-- P-001 -->`, behind the sentence that makes it;
a test that proves it carries `@pytest.mark.promise("P-001")`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.meta.tree import ROOT, pages, shown

ID = re.compile(r"<!-- (P-\d{3}) -->")


def promised() -> dict[str, str]:
    return {
        found: f"{shown(page)}:{number}"
        for page in pages()
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
        for found in ID.findall(line)
    }


def marks(path: Path) -> list[str]:
    """The ids in `@pytest.mark.promise(...)` decorators of one file."""
    return [
        argument.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.promise"
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def proved() -> dict[str, str]:
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    return {found: shown(path) for path in tests for found in marks(path)}


def test_every_promise_is_proved_by_a_test() -> None:
    assert {k: v for k, v in promised().items() if k not in proved()} == {}


def test_no_test_proves_what_nobody_promised() -> None:
    assert {k: v for k, v in proved().items() if k not in promised()} == {}


def test_pages_do_make_promises() -> None:
    assert len(promised()) >= 10
