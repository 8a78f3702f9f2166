from __future__ import annotations

import pytest

from tests.unit.dispatch.watched import WatchedDesk


@pytest.fixture
def desk() -> WatchedDesk:
    return WatchedDesk()
