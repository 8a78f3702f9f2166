"""The clock and the chance of the real world; tests pass their own."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime
from typing import Final

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"
_SIGNS: Final = _LETTERS + "23456789"


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the wall-clock time, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        return time.monotonic()


def new_id(length: int = 4) -> str:
    """Return a short id that can be read aloud and typed, such as `k7f3`."""
    rest = (secrets.choice(_SIGNS) for _ in range(length - 1))
    return secrets.choice(_LETTERS) + "".join(rest)


def new_salt() -> bytes:
    """Return 32 random bytes, for one secret field of one capture."""
    return secrets.token_bytes(32)
