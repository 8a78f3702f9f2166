from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest

from lastlook.core.evidence import Found, NoAnswer, NotFound
from lastlook.core.ports import Source
from lastlook.testing import START, FakeClock, Hang, ScriptedSource


def test_a_new_clock_stands_still_at_the_start() -> None:
    clock = FakeClock()
    assert clock.now() == clock.now() == START == datetime(2026, 10, 23, 10, tzinfo=UTC)
    assert clock.monotonic() == clock.monotonic() == 0.0


def test_advancing_moves_both_clocks_by_the_same_seconds() -> None:
    clock = FakeClock()
    clock.advance(90.5)
    assert clock.now() == START + timedelta(seconds=90.5)
    assert clock.monotonic() == 90.5


def test_setting_the_wall_clock_back_leaves_the_monotonic_clock() -> None:
    clock = FakeClock()
    clock.advance(10)
    clock.set_back(3600)
    assert clock.now() == START - timedelta(seconds=3590)
    assert clock.monotonic() == 10


def test_a_clock_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="backwards"):
        FakeClock().advance(-1)


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        FakeClock(START.replace(tzinfo=None))


def test_a_clock_started_in_another_zone_tells_utc() -> None:
    clock = FakeClock(datetime(2026, 10, 23, 12, tzinfo=timezone(timedelta(hours=2))))
    assert clock.now().isoformat() == "2026-10-23T10:00:00+00:00"


def test_a_scripted_source_is_a_source() -> None:
    source = ScriptedSource(name="slots")
    assert isinstance(source, Source)
    assert source.describe() == {"kind": "scripted", "name": "slots"}


def test_answers_come_in_turn_and_the_last_stays() -> None:
    source = ScriptedSource({"n": 1}, NotFound(), Found({"n": 2}, version="7"))
    assert [source.read("a"), source.read("b"), source.read("a"), source.read("a")] == [
        Found({"n": 1}),
        NotFound(),
        Found({"n": 2}, version="7"),
        Found({"n": 2}, version="7"),
    ]
    assert source.reads == ["a", "b", "a", "a"]


def test_a_mapping_is_copied_so_that_the_script_cannot_be_changed() -> None:
    source = ScriptedSource({"list": [1]})
    first = source.read("a")
    assert isinstance(first, Found)
    first.record["list"].append(2)
    assert source.read("a") == Found({"list": [1]})


def test_an_exception_is_raised_and_the_read_still_kept() -> None:
    source = ScriptedSource(OSError("unplugged"), {"n": 1})
    with pytest.raises(OSError, match="unplugged"):
        source.read("a")
    assert source.read("a") == Found({"n": 1})
    assert source.reads == ["a", "a"]


def test_a_function_answers_by_key() -> None:
    source = ScriptedSource(lambda key: {"id": key} if key == "a" else NotFound())
    assert source.read("a") == Found({"id": "a"})
    assert source.read("b") == NotFound()


def test_a_source_without_a_script_gives_no_answer() -> None:
    assert ScriptedSource().read("a") == NoAnswer("the script has no answer")


def test_a_new_script_takes_the_place_of_the_old() -> None:
    source = ScriptedSource({"n": 1})
    source.read("a")
    source.then({"n": 2}, {"n": 3})
    assert [source.read("a"), source.read("a")] == [Found({"n": 2}), Found({"n": 3})]


def test_what_is_no_answer_is_returned_as_it_is() -> None:
    assert ScriptedSource(object).read("a") is object


def test_a_hang_holds_the_read_until_it_is_released() -> None:
    hang = Hang(then={"n": 1})
    source = ScriptedSource(hang)
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.append(source.read("a")), daemon=True)
    reader.start()
    assert hang.entered.wait(5)
    assert got == []
    hang.release()
    reader.join(5)
    assert got == [Found({"n": 1})]


def test_a_source_that_hangs_is_blocking_unless_told_otherwise() -> None:
    assert ScriptedSource(Hang()).blocking
    assert not ScriptedSource({}).blocking
    assert not ScriptedSource(Hang(), blocking=False).blocking
