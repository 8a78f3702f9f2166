"""How large one value may be."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lastlook.core.decimals import DIGITS


class Limits(Struct, frozen=True, kw_only=True):
    """How large one value may be; beyond it, it is refused.

    Attributes:
        depth: Arrays and objects inside each other.
        nodes: Values in all, names not counted.
        bytes: UTF-8 bytes of all texts and names together, or of a JSON text.
        digits: Digits of one number.
    """

    depth: int = 64
    nodes: int = 100_000
    bytes: int = 4 * 2**20
    digits: int = DIGITS


LIMITS: Final = Limits()
"""The limits for what is read from a source."""
