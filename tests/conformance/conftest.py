"""Published suites that lie outside of the repository: `conformance` in LASTLOOK_DATA."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Callable[[str], Path]:
    """Return the place of a suite; the test is skipped, and says so, where it is not at hand."""

    def place(name: str) -> Path:
        root = os.environ.get("LASTLOOK_DATA")
        if not root:
            pytest.skip("LASTLOOK_DATA does not say where the published suites are")
        path = Path(root) / "conformance" / name
        if not path.exists():
            pytest.skip(f"LASTLOOK_DATA has no conformance/{name}")
        return path

    return place
