"""Every source that comes with Lastlook passes the contract."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from lastlook.core.evidence import NotFound
from lastlook.sources import JsonFiles, MemorySource, PythonSource
from tests.sources.contract import SourceContract

if TYPE_CHECKING:
    from pathlib import Path


class MemoryWorld:
    def __init__(self) -> None:
        self.source = MemorySource()
        self.put, self.remove = self.source.set, self.source.delete


class PythonWorld:
    def __init__(self, *, blocking: bool) -> None:
        self.records: dict[str, Any] = {}
        self.source = PythonSource(self.fetch, blocking=blocking)

    def fetch(self, key: str) -> object:
        return self.records.get(key, NotFound())

    def put(self, key: str, record: dict[str, Any]) -> None:
        self.records[key] = record

    def remove(self, key: str) -> None:
        del self.records[key]


class FolderWorld:
    """A folder with one file a record, written as editors write: beside it, then renamed."""

    def __init__(self, folder: Path, suffix: str, *, suffix_in_key: bool = False) -> None:
        self.folder, self.suffix = folder, suffix
        self.source = JsonFiles(folder, suffix_in_key=suffix_in_key)

    def put(self, key: str, record: dict[str, Any]) -> None:
        text = json.dumps(record)
        if self.suffix == ".toml":
            text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in record.items())
        new = self.folder / "new~"
        new.write_text(text, encoding="utf-8")
        new.replace(self.folder / (key + self.suffix))

    def remove(self, key: str) -> None:
        os.unlink(self.folder / (key + self.suffix))


class OneFileWorld:
    def __init__(self, file: Path, *, by_id: bool, records: str | None) -> None:
        self.file, self.by_id, self.pointer = file, by_id, records
        self.records: dict[str, Any] = {}
        self.source = JsonFiles(file, id="key" if by_id else None, records=records)
        self.write()

    def put(self, key: str, record: dict[str, Any]) -> None:
        self.records[key] = record
        self.write()

    def remove(self, key: str) -> None:
        del self.records[key]
        self.write()

    def write(self) -> None:
        whole: Any = self.records
        if self.by_id:
            whole = [{"key": key, **record} for key, record in self.records.items()]
        if self.pointer:
            whole = {"made": "today", "slots": whole}
        self.file.write_text(json.dumps(whole), encoding="utf-8")


class TestMemorySource(SourceContract):
    @pytest.fixture
    def world(self) -> MemoryWorld:
        return MemoryWorld()


class TestPythonSourceInAThread(SourceContract):
    @pytest.fixture
    def world(self) -> PythonWorld:
        return PythonWorld(blocking=True)


class TestPythonSourceOnTheCallersThread(SourceContract):
    @pytest.fixture
    def world(self) -> PythonWorld:
        return PythonWorld(blocking=False)


class TestFolder(SourceContract):
    @pytest.fixture(params=[".json", ".toml", ".yaml", ".yml"])
    def world(self, request: pytest.FixtureRequest, tmp_path: Path) -> FolderWorld:
        return FolderWorld(tmp_path, request.param)


class TestFolderWithSuffixesInKeys(SourceContract):
    @pytest.fixture
    def world(self, tmp_path: Path) -> FolderWorld:
        return FolderWorld(tmp_path, "", suffix_in_key=True)


class TestOneFileOfRecordsByKey(SourceContract):
    @pytest.fixture(params=["", "/slots"])
    def world(self, request: pytest.FixtureRequest, tmp_path: Path) -> OneFileWorld:
        return OneFileWorld(tmp_path / "data.json", by_id=False, records=request.param)


class TestOneFileOfRecordsWithIds(SourceContract):
    @pytest.fixture(params=[None, "/slots"])
    def world(self, request: pytest.FixtureRequest, tmp_path: Path) -> OneFileWorld:
        return OneFileWorld(tmp_path / "data.json", by_id=True, records=request.param)
