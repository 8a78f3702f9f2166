"""What is in the repository belongs to everyone: no place on one machine, no index, no store."""

from __future__ import annotations

import re

from tests.meta.tree import ROOT, shown, tracked

# Spelled so that this file doesn't find itself.
OF_A_MACHINE = re.compile(rb"(?<![\w.}~*-])/(?:w[o]rk|r[o]ot)/")
OF_AN_INDEX = re.compile(r"--(?:extra-)?index-url|--find-links|--trusted-host|https?://")


def test_no_file_names_a_place_on_one_machine() -> None:
    found = [
        f"{shown(path)}: {match.group().decode()}"
        for path in tracked()
        for match in OF_A_MACHINE.finditer(path.read_bytes())
    ]
    assert found == []


def test_locks_name_no_index_and_hash_every_package() -> None:
    locks = sorted((ROOT / "requirements").glob("*.txt"))
    assert [path.name for path in locks] == ["dev.txt", "lock.txt", "run.txt"]
    for path in locks:
        text = path.read_text(encoding="utf-8")
        assert not OF_AN_INDEX.search(text), path.name
        entries = re.split(r"\n(?=[a-z0-9])", text)[1:]
        assert entries
        assert all("--hash=sha256:" in entry for entry in entries), path.name


def test_the_demo_and_the_tests_run_on_the_same_versions() -> None:
    def pins(name: str) -> set[str]:
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        return set(re.findall(r"^[a-z0-9][\w.-]*==[^\s;]+", text, re.MULTILINE))

    assert pins("run.txt") <= pins("dev.txt")


def test_no_store_and_no_built_thing_is_tracked() -> None:
    bad = (".pyc", ".whl", ".db-wal", ".db-shm", ".log")
    assert [shown(path) for path in tracked() if path.name.endswith(bad)] == []
