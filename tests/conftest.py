"""What every test gets: a home of its own, and property tests that end in good time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

# Time limits of single examples would fail on a busy machine, not on bad code.
settings.register_profile("lastlook", max_examples=100, deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("lastlook"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "lastlook")


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep every store, and every setting of whoever runs the tests, out of them."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in [n for n in os.environ if n.startswith("LASTLOOK_") and n != "LASTLOOK_DATA"]:
            patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_STATE_HOME", str(home / "state"))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.delenv("NO_COLOR", raising=False)
        patch.delenv("FORCE_COLOR", raising=False)
        yield
