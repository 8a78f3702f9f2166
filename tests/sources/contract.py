"""What every source must do, as one suite: subclass it and say how to change the world.

```python
class TestMySource(SourceContract):
    @pytest.fixture
    def world(self):
        return MyWorld()      # .source, .put(key, record), .remove(key)
```
"""

from __future__ import annotations

import threading
import time
from typing import Any, Protocol

import pytest

from lastlook.core.canonical import canonical_bytes
from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound
from lastlook.core.ports import Source
from lastlook.sources.reading import read_all
from lastlook.sources.registry import Registry

RECORD = {"slot_id": "slot-42", "status": "available", "seats": 2, "tags": ["north", "am"]}

HOSTILE_KEYS = [
    "../secret",
    "../../etc/passwd",
    "/etc/passwd",
    "slot-42/../slot-42",
    "./slot-42",
    "a//b",
    "slot-42/",
    "..",
    ".",
    "/",
    "..\\secret",
    "C:\\secret",
    "slot-42\0.json",
    "slot\n42",
    "\x1b[31m",
    "\ud800",
    "\x85",
    "%2e%2e%2fsecret",
    "x" * 300,
    "x" * 100_000,
    "/".join("abc" * 30),
    "'; DROP TABLE slots; --",
    "{}",
    "*",
    "~",
    "~root",
    "$HOME",
    "\u202etxt.24-tols",
    " slot-42",
    "slot-42 ",
    "SLOT-42",
]


def told(answer: object) -> object:
    """Return what the answer says of the members of `RECORD`; a source may add its own."""
    assert isinstance(answer, Found)
    return {name: answer.record[name] for name in RECORD}


class World(Protocol):
    """A source, and the way to change what it reads."""

    source: Source

    def put(self, key: str, record: dict[str, Any]) -> None: ...

    def remove(self, key: str) -> None: ...


class SourceContract:
    """The suite; the subclass has a fixture `world`."""

    def test_it_has_what_a_source_has(self, world: World) -> None:
        assert isinstance(world.source, Source)
        assert Registry({"slots": world.source})["slots"] is world.source

    def test_a_record_that_is_there_is_found_with_its_values(self, world: World) -> None:
        world.put("slot-42", RECORD)
        assert told(world.source.read("slot-42")) == RECORD

    def test_a_record_that_was_never_there_is_not_found(self, world: World) -> None:
        world.put("slot-42", RECORD)
        assert isinstance(world.source.read("slot-41"), NotFound)

    def test_a_record_that_was_taken_away_is_not_found(self, world: World) -> None:
        world.put("slot-41", RECORD)
        world.put("slot-42", RECORD)
        world.source.read("slot-42")
        world.remove("slot-42")
        assert isinstance(world.source.read("slot-42"), NotFound)

    def test_a_change_is_seen_by_the_very_next_read(self, world: World) -> None:
        for status in ("available", "unavailable", "available"):
            world.put("slot-42", RECORD | {"status": status})
            assert told(world.source.read("slot-42")) == RECORD | {"status": status}

    def test_each_key_has_its_own_record(self, world: World) -> None:
        for number in range(5):
            world.put(f"slot-{number}", RECORD | {"seats": number})
        for number in (3, 0, 4):
            assert told(world.source.read(f"slot-{number}")) == RECORD | {"seats": number}

    def test_what_a_read_gave_can_be_changed_without_harm(self, world: World) -> None:
        world.put("slot-42", RECORD)
        first = world.source.read("slot-42")
        assert isinstance(first, Found)
        first.record["tags"].append("hacked")
        first.record["status"] = "hacked"
        assert told(world.source.read("slot-42")) == RECORD

    @pytest.mark.parametrize("key", HOSTILE_KEYS, ids=lambda key: ascii(key[:24]))
    def test_a_hostile_key_finds_nothing_and_raises_nothing(self, world: World, key: str) -> None:
        world.put("slot-42", RECORD)
        answer = world.source.read(key)
        assert isinstance(answer, (NotFound, NoAccess, NoAnswer))
        assert answer.reason

    def test_reads_from_several_threads_all_see_the_record(self, world: World) -> None:
        world.put("slot-42", RECORD)
        start = threading.Barrier(4)
        answers: list[object] = []

        def read() -> None:
            start.wait(5)
            answers.extend(world.source.read("slot-42") for _ in range(10))

        threads = [threading.Thread(target=read, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert [told(answer) for answer in answers] == [RECORD] * 40

    def test_its_configuration_is_canonical_and_no_content(self, world: World) -> None:
        before = canonical_bytes(world.source.describe())
        assert b"kind" in before
        world.put("slot-42", RECORD)
        world.source.read("slot-42")
        assert canonical_bytes(world.source.describe()) == before

    def test_it_is_read_through_a_registry_beside_others(self, world: World) -> None:
        world.put("slot-42", RECORD)
        registry = Registry({"slots": world.source, "other": {"x": {"n": 1}}})
        readings = read_all(
            registry,
            ["slots:slot-42", "other:x", "slots:slot-41"],
            deadline_seconds=10,
            monotonic=time.monotonic,
        )
        assert list(readings) == ["slots:slot-42", "other:x", "slots:slot-41"]
        assert told(readings["slots:slot-42"]) == RECORD
        assert readings["other:x"] == Found({"n": 1})
        assert isinstance(readings["slots:slot-41"], NotFound)
