"""Where the store is, and why there."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from lastlook.errors import StoreError
from lastlook.stores import Location, locate, open_store
from lastlook.stores.location import short
from lastlook.stores.memory import MemoryStore
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import added


def test_what_the_program_says_comes_first(tmp_path: Path):
    (tmp_path / "lastlook.toml").touch()
    environ = {"LASTLOOK_STORE": "/elsewhere/plans.db"}
    place = locate("my.db", environ=environ, folder=str(tmp_path))
    assert place == Location(path=str(tmp_path / "my.db"), why="given by the program")
    assert locate(tmp_path / "my.db", environ=environ, folder="/") == place


def test_then_the_environment(tmp_path: Path):
    (tmp_path / "lastlook.toml").touch()
    environ = {"LASTLOOK_STORE": "/elsewhere/plans.db"}
    place = locate(environ=environ, folder=str(tmp_path))
    assert place == Location(path="/elsewhere/plans.db", why="LASTLOOK_STORE says so")


def test_then_the_nearest_configuration_upwards(tmp_path: Path):
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "lastlook.toml").touch()
    (tmp_path / "a" / "lastlook.toml").touch()
    place = locate(environ={"LASTLOOK_STORE": ""}, folder=str(below))
    assert place.path == str(tmp_path / "a" / ".lastlook" / "plans.db")
    assert place.why == f"beside {tmp_path}/a/lastlook.toml"
    assert place.hidden


def test_a_folder_of_that_name_is_no_configuration(tmp_path: Path):
    (tmp_path / "lastlook.toml").mkdir()
    place = locate(environ={"XDG_STATE_HOME": "/state"}, folder=str(tmp_path))
    assert place.path == "/state/lastlook/plans.db"


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({"XDG_STATE_HOME": "/state", "HOME": "/h"}, "/state/lastlook/plans.db"),
        ({"XDG_STATE_HOME": "state", "HOME": "/h"}, "/h/.local/state/lastlook/plans.db"),
        ({"XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state/lastlook/plans.db"),
    ],
)
def test_and_else_the_users_state_folder(tmp_path: Path, environ, path):
    place = locate(environ=environ, folder=str(tmp_path))
    assert place == Location(path=path, why="no lastlook.toml above this folder")


def test_a_home_that_is_not_named_is_looked_up(tmp_path: Path):
    home = os.path.expanduser("~")
    assert locate(environ={}, folder=str(tmp_path)).path.startswith(f"{home}/.local/state/")


def test_the_working_directory_and_environment_are_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert locate("my.db").path == str(tmp_path / "my.db")
    monkeypatch.setenv("LASTLOOK_STORE", "memory")
    assert locate() == Location(path="memory", why="LASTLOOK_STORE says so")


def test_a_home_is_written_and_read_as_a_tilde():
    home = os.path.expanduser("~")
    assert locate("~/plans.db", environ={}, folder="/").path == f"{home}/plans.db"
    assert short(f"{home}/x/plans.db") == "~/x/plans.db"
    assert short(f"{home}stead/plans.db") == f"{home}stead/plans.db"
    assert short("/x/plans.db") == "/x/plans.db"


@pytest.mark.parametrize(
    "spec", ["", ":memory:", "postgresql://host/plans", "sqlite:///plans.db", "a\0b"]
)
def test_what_is_no_place_is_refused_with_what_to_say(spec):
    with pytest.raises(StoreError) as refused:
        locate(spec, environ={}, folder="/")
    assert "memory" in refused.value.fix
    assert "given by the program" in str(refused.value)


def test_memory_is_a_store_in_memory(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "lastlook")
    store = open_store("memory")
    assert isinstance(store, MemoryStore)
    assert (store.where, store.why, store.durable) == ("memory", "given by the program", False)
    assert caplog.messages == ["plans are kept in memory (given by the program)"]


def test_a_store_is_taken_as_it_is():
    store = MemoryStore()
    assert open_store(store) is store
    assert store.why == "a yes does not survive this process"


def test_a_file_is_opened_when_it_is_first_used_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, "lastlook")
    store = open_store(tmp_path / "a" / "plans.db")
    assert isinstance(store, SqliteStore)
    assert (list(tmp_path.iterdir()), caplog.messages) == ([], [])
    added(store)
    store.close()
    added(store, "q8d1")
    store.close()
    assert caplog.messages == [f"plans are kept in {tmp_path}/a/plans.db (given by the program)"]
    assert {record.levelname for record in caplog.records} == {"INFO"}
    assert store.durable


def test_a_store_beside_a_configuration_stays_out_of_version_control(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lastlook.toml").touch()
    store = open_store()
    added(store)
    store.close()
    assert (tmp_path / ".lastlook" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    again = open_store()
    assert again.get("k7f3").id == "k7f3"
    again.close()
