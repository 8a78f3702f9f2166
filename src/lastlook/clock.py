"""The clock and the chance of the real world; tests pass their own."""

from __future__ import annotations

import os
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
    return "".join(_pick(_SIGNS if place else _LETTERS) for place in range(length))


def new_salt() -> bytes:
    """Return 32 random bytes, for one secret field of one capture."""
    return os.urandom(32)


def _pick(signs: str) -> str:
    """Return one of the signs, each as likely as the others."""
    even = 256 - 256 % len(signs)
    while (byte := os.urandom(1)[0]) >= even:
        pass
    return signs[byte % len(signs)]
