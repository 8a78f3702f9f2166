"""Says, without failing, which modules have grown past what is aimed at."""

from __future__ import annotations

import pytest

from tests.meta.tree import modules, shown

AIM = 250


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    over = sorted(((n, path) for path, n in lengths.items() if n > AIM), reverse=True)
    if over:
        listed = ", ".join(f"{shown(path)} {n}" for n, path in over)
        terminalreporter.write_line(f"modules longer than the {AIM} lines aimed at: {listed}")
