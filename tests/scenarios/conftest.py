"""Every scenario plays twice: on the memory store, and on SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lastlook.stores.memory import MemoryStore
from tests.scenarios.desk import Desk


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return MemoryStore() if request.param == "memory" else tmp_path / "plans.db"


@pytest.fixture
def open_desk(store: Any) -> Iterator[Callable[..., Desk]]:
    """Open desks over the one store of this test; they are closed after it."""
    desks: list[Desk] = []

    def opened(*args: Any, **options: Any) -> Desk:
        desks.append(Desk(store, *args, **options))
        return desks[-1]

    yield opened
    for desk in desks:
        desk.look.close()


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk()
