"""The clock and the chance of the real world."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from lastlook import clock
from lastlook.clock import SystemClock, new_id, new_salt

LETTERS = "abcdefghjkmnpqrstuvwxyz"
SIGNS = LETTERS + "23456789"


def test_the_wall_clock_tells_utc_and_stands_between_two_looks_at_it() -> None:
    before = datetime.now(UTC)
    told = SystemClock().now()
    assert before <= told <= datetime.now(UTC)
    assert told.tzinfo is UTC


def test_the_monotonic_clock_does_not_go_back() -> None:
    told = SystemClock()
    times = [told.monotonic() for _ in range(100)]
    assert times == sorted(times)


@pytest.mark.parametrize("length", [4, 5, 14])
def test_an_id_is_short_and_typable_and_begins_with_a_letter(length: int) -> None:
    made = [new_id(length) for _ in range(200)]
    assert {len(name) for name in made} == {length}
    assert {name[0] for name in made} <= set(LETTERS)
    assert {sign for name in made for sign in name} <= set(SIGNS)
    assert len(set(made)) > 150


def test_no_sign_of_an_id_is_mistaken_for_another() -> None:
    assert not set("il1o0") & set(SIGNS)
    assert new_id() != ""
    assert len(new_id()) == 4


def test_a_byte_that_would_favour_some_signs_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: Iterator[int] = iter([255, 253, 0, 248, 247, 30])
    monkeypatch.setattr(clock.os, "urandom", lambda size: bytes([next(drawn)]))
    assert clock._pick(LETTERS) == "a"
    assert clock._pick(SIGNS) == SIGNS[247 % 31]
    assert clock._pick(SIGNS) == SIGNS[30]


def test_a_salt_is_32_bytes_and_another_each_time() -> None:
    salts = {new_salt() for _ in range(50)}
    assert {len(salt) for salt in salts} == {32}
    assert len(salts) == 50
