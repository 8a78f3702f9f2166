"""Every public name says what it is, and stands in the reference."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.meta.tree import PACKAGE, ROOT, modules, shown

DOCUMENTED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def public_definitions(node: ast.AST, trail: str = "") -> Iterator[tuple[str, DOCUMENTED]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If | ast.Try):
            yield from public_definitions(child, trail)
        if not isinstance(child, DOCUMENTED) or child.name.startswith("_") or helper(child):
            continue
        yield f"{trail}{child.name}", child
        if isinstance(child, ast.ClassDef):
            yield from public_definitions(child, f"{trail}{child.name}.")


def helper(node: DOCUMENTED) -> bool:
    """An overload or a setter: the definition beside it has the words."""
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    return "overload" in marks or any(m.endswith((".setter", ".overload")) for m in marks)


def test_every_public_name_has_a_docstring() -> None:
    bare = [
        f"{shown(path)}: {name}"
        for path, tree in modules().items()
        for name, node in public_definitions(tree)
        if not ast.get_docstring(node)
    ]
    # The package's own marker files may be empty; every other module says what it is for.
    bare += [
        shown(path) for path, tree in modules().items() if tree.body and not ast.get_docstring(tree)
    ]
    assert bare == []


def reference() -> str:
    pages = sorted((ROOT / "docs" / "reference").glob("*.md"))
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


def directives() -> set[str]:
    return set(re.findall(r"^::: (\S+)", reference(), re.MULTILINE))


def exported(path: Path) -> list[str]:
    for node in modules()[path].body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            return list(ast.literal_eval(node.value))  # type: ignore[attr-defined]  # an Assign
    return []


def test_every_name_at_the_root_stands_in_the_reference() -> None:
    whole = directives()
    names = exported(PACKAGE / "__init__.py")
    assert names
    members = set(re.findall(r"^ {8}- (\w+)$", reference(), re.MULTILINE))
    assert [n for n in names if f"lastlook.{n}" not in whole and n not in members] == []


def test_every_public_module_has_its_place_in_the_reference() -> None:
    whole = directives()
    public = ["errors", "outcomes", "published", "sources", "testing"]
    assert [name for name in public if f"lastlook.{name}" not in whole] == []


def test_every_decision_is_listed_with_its_own_title() -> None:
    folder = ROOT / "docs" / "adr"
    index = (folder / "index.md").read_text(encoding="utf-8")
    listed = dict(
        re.findall(r"^\| \[\d{4}\]\((\S+)\) \| (.+) \| accepted \|$", index, re.MULTILINE)
    )
    titles = {
        path.name: path.read_text(encoding="utf-8")
        .split("\n")[0]
        .removeprefix(f"# {path.name[:4]} ")
        for path in folder.glob("[0-9]*.md")
    }
    assert listed == titles
    numbers = sorted(name[:4] for name in titles)
    assert numbers == [f"{n:04}" for n in range(len(numbers))]
