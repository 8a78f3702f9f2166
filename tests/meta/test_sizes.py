"""What can be read at one sitting: short modules, short functions, little nesting."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.meta.tree import PACKAGE, modules, shown

MODULE_LINES = 400
FUNCTION_LINES = 60
NESTING = 3

Function = ast.FunctionDef | ast.AsyncFunctionDef
NESTS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def code_lines(function: Function) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def depth(node: ast.AST, *, is_elif: bool = False) -> int:
    own = 1 if isinstance(node, NESTS) and not is_elif else 0
    below = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef | ast.Lambda):
            continue
        chained = isinstance(node, ast.If) and node.orelse == [child] and isinstance(child, ast.If)
        below = max(below, depth(child, is_elif=chained))
    return own + below


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_can_be_read_at_one_sitting(path: Path) -> None:
    tree = modules()[path]
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES
    long = {f.name: code_lines(f) for f in functions(tree) if code_lines(f) > FUNCTION_LINES}
    deep = {f.name: depth(f) for f in functions(tree) if depth(f) > NESTING}
    assert (long, deep) == ({}, {}), shown(path)


def test_nesting_is_counted_as_a_reader_sees_it() -> None:
    source = """
def f():
    for x in y:
        if a:
            pass
        elif b:
            pass
        elif c:
            with d:
                pass
"""
    (function,) = functions(ast.parse(source))
    assert depth(function) == 3
    assert code_lines(function) == 8
