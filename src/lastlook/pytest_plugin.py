"""Fixtures for pytest: a clock, a person and a store, made anew for each test that asks.

Installing Lastlook is enough for pytest to find them; a test that does not name one is
not touched. `-p no:lastlook` leaves them out.
"""

from __future__ import annotations

import pytest

from lastlook.stores.memory import MemoryStore
from lastlook.testing import FakeClock, ScriptedAsker


@pytest.fixture
def look_clock() -> FakeClock:
    """A clock that stands still until the test moves it: `look_clock.advance(60)`."""
    return FakeClock()


@pytest.fixture
def look_asker() -> ScriptedAsker:
    """The person, who says nothing until the test tells her what: `look_asker.then("yes")`."""
    return ScriptedAsker()


@pytest.fixture
def memory_store() -> MemoryStore:
    """A store by the same rules as on disk, which is gone after the test."""
    return MemoryStore()
