"""Examples are loaded from their files, as a reader would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], ModuleType]:
    """Load an example by its name, in a folder of its own, with plans kept in memory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LASTLOOK_STORE", "memory")

    def loaded(name: str) -> ModuleType:
        module = ModuleType(f"example_{name}")
        path = EXAMPLES / f"{name}.py"
        module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(compile(path.read_text("utf-8"), str(path), "exec"), vars(module))
        return module

    return loaded


@pytest.fixture
def run_example(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run an example as a program of its own, with no terminal to ask in."""

    def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "LASTLOOK_STORE": "memory",
            "PYTHONPATH": str(EXAMPLES.parent / "src"),
            "PYTHONUTF8": "1",
            "TMPDIR": str(tmp_path),
        }
        return subprocess.run(
            [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), *arguments],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            start_new_session=True,
            check=False,
        )

    return run
