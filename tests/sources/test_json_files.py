"""Records in files: where they are found, and what is said when they are not."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from lastlook.core.evidence import Found, NoAnswer, NotFound
from lastlook.errors import DeclarationError
from lastlook.sources import JsonFiles

if TYPE_CHECKING:
    from pathlib import Path

SLOT = {"slot_id": "slot-42", "status": "available"}


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def reason(answer: object) -> str:
    assert isinstance(answer, NoAnswer)
    return answer.reason


# --- a folder ------------------------------------------------------------------------------------


def test_a_source_can_be_made_before_its_folder_is_there(tmp_path: Path) -> None:
    slots = JsonFiles(tmp_path / "slots")
    assert reason(slots.read("slot-42")) == f"the folder {tmp_path}/slots is not there"
    write(tmp_path / "slots" / "slot-42.json", SLOT)
    assert slots.read("slot-42") == Found(SLOT)


def test_a_relative_folder_stays_where_it_was_when_the_working_directory_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "slots" / "slot-42.json", SLOT)
    monkeypatch.chdir(tmp_path)
    slots = JsonFiles("slots")
    monkeypatch.chdir("/")
    assert slots.root == str(tmp_path / "slots")
    assert slots.read("slot-42") == Found(SLOT)


def test_a_key_may_name_folders_beneath(tmp_path: Path) -> None:
    write(tmp_path / "north" / "am" / "slot-42.json", SLOT)
    assert JsonFiles(tmp_path).read("north/am/slot-42") == Found(SLOT)


def test_a_record_in_a_folder_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    assert JsonFiles(tmp_path).read("north/slot-42") == NotFound()


def test_a_folder_that_is_really_a_file_is_no_answer(tmp_path: Path) -> None:
    write(tmp_path / "north", "x")
    assert "is not a folder" in reason(JsonFiles(tmp_path).read("north/slot-42"))


def test_a_root_that_is_a_file_says_how_to_read_one_file(tmp_path: Path) -> None:
    write(tmp_path / "data.json", [SLOT])
    assert "id= or records=" in reason(JsonFiles(tmp_path / "data.json").read("slot-42"))


def test_a_root_that_is_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    write(tmp_path / "real" / "slot-42.json", SLOT)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert JsonFiles(tmp_path / "link").read("slot-42") == Found(SLOT)


def test_a_second_name_of_one_file_is_read_like_the_first(tmp_path: Path) -> None:
    write(tmp_path / "slot-42.json", SLOT)
    os.link(tmp_path / "slot-42.json", tmp_path / "slot-43.json")
    assert JsonFiles(tmp_path).read("slot-43") == Found(SLOT)


def test_two_files_for_one_key_are_ambiguous(tmp_path: Path) -> None:
    write(tmp_path / "slot-42.json", SLOT)
    write(tmp_path / "slot-42.yaml", SLOT)
    answer = reason(JsonFiles(tmp_path).read("slot-42"))
    assert answer == "ambiguous: there are slot-42.json and slot-42.yaml"


def test_a_key_with_a_suffix_is_not_found_and_told_why(tmp_path: Path) -> None:
    write(tmp_path / "slot-42.json", SLOT)
    answer = JsonFiles(tmp_path).read("slot-42.json")
    assert answer == NotFound("not found: a key of this source is written without its suffix")


def test_a_key_may_have_a_suffix_where_the_file_has_it_twice(tmp_path: Path) -> None:
    write(tmp_path / "slot-42.json.json", SLOT)
    assert JsonFiles(tmp_path).read("slot-42.json") == Found(SLOT)


def test_keys_with_suffixes_name_the_file_as_it_is(tmp_path: Path) -> None:
    write(tmp_path / "slots" / "slot-42.json", SLOT)
    write(tmp_path / "slots" / "slot-42.toml", "seats = 2")
    write(tmp_path / "slots" / "bare", '{"n": 1}')
    files = JsonFiles(tmp_path, suffix_in_key=True)
    assert files.read("slots/slot-42.json") == Found(SLOT)
    assert files.read("slots/slot-42.toml") == Found({"seats": 2})
    assert files.read("slots/bare") == Found({"n": 1})
    assert files.read("slots/slot-42") == NotFound()
    assert files.read("slots/gone.json") == NotFound()


@pytest.mark.parametrize("value", [[1, 2], "x", None, 1.5, True, {}])
def test_a_record_may_be_any_json_value(tmp_path: Path, value: object) -> None:
    write(tmp_path / "any.json", json.dumps(value))
    assert JsonFiles(tmp_path).read("any") == Found(value)


def test_times_in_toml_come_as_times(tmp_path: Path) -> None:
    write(tmp_path / "slot-42.toml", "at = 2026-10-23T10:00:00Z")
    at = datetime(2026, 10, 23, 10, tzinfo=UTC)
    assert JsonFiles(tmp_path).read("slot-42") == Found({"at": at})


def test_yaml_without_its_library_is_no_answer_and_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "slot-42.yaml", "status: available")
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert "pip install 'lastlook[yaml]'" in reason(JsonFiles(tmp_path).read("slot-42"))


def test_a_parse_error_names_the_file_and_the_place(tmp_path: Path) -> None:
    write(tmp_path / "slot-42.json", '{"status":\n "avail')
    answer = reason(JsonFiles(tmp_path).read("slot-42"))
    assert answer.startswith("slot-42.json: ")
    assert "line 2" in answer


# --- one file of many records --------------------------------------------------------------------


def one_file(tmp_path: Path, value: object, **options: Any) -> JsonFiles:
    write(tmp_path / "data.json", value)
    return JsonFiles(tmp_path / "data.json", **options)


def test_an_object_of_records_is_read_by_key(tmp_path: Path) -> None:
    data = one_file(tmp_path, {"slot-42": SLOT, "a/b": {"n": 1}}, records="")
    assert data.read("slot-42") == Found(SLOT)
    assert data.read("a/b") == Found({"n": 1})
    assert data.read("slot-41") == NotFound()


def test_a_list_of_records_is_read_by_the_member_that_names_them(tmp_path: Path) -> None:
    data = one_file(tmp_path, [{"slot_id": "slot-41"}, SLOT], id="slot_id")
    assert data.read("slot-42") == Found(SLOT)
    assert data.read("slot-43") == NotFound()


def test_an_id_that_is_an_integer_is_named_by_its_digits(tmp_path: Path) -> None:
    data = one_file(tmp_path, [{"id": 42, "n": 1}], id="id")
    assert data.read("42") == Found({"id": 42, "n": 1})
    assert data.read("042") == NotFound()


def test_an_id_that_is_there_twice_is_ambiguous(tmp_path: Path) -> None:
    data = one_file(tmp_path, [{"id": 42}, {"id": "42"}], id="id")
    assert reason(data.read("42")) == "ambiguous: 2 records have the id 42"
    assert data.read("43") == NotFound()


@pytest.mark.parametrize("record", [{}, {"id": None}, {"id": True}, {"id": 1.0}, "x", None])
def test_a_record_without_an_id_leaves_no_absence_proved(tmp_path: Path, record: object) -> None:
    data = one_file(tmp_path, [{"id": "a"}, record], id="id")
    assert reason(data.read("b")) == "element 1 has no id that is a text or an integer"


def test_records_are_found_beneath_a_pointer(tmp_path: Path) -> None:
    whole = {"a/b": [{"slots": [SLOT]}], "~": 1}
    data = one_file(tmp_path, whole, records="/a~1b/0/slots", id="slot_id")
    assert data.read("slot-42") == Found(SLOT)


@pytest.mark.parametrize("pointer", ["/slots", "/a~1b/1", "/a~1b/-1", "/a~1b/0/slots/x", "/~0/x"])
def test_a_pointer_that_names_nothing_is_no_answer(tmp_path: Path, pointer: str) -> None:
    data = one_file(tmp_path, {"a/b": [{"slots": [SLOT]}], "~": 1}, records=pointer)
    assert reason(data.read("slot-42")).startswith(f"there is no {pointer} in ")


def test_a_list_without_an_id_and_an_object_with_one_say_what_to_change(tmp_path: Path) -> None:
    assert "for a list say id=" in reason(one_file(tmp_path, [SLOT], records="").read("slot-42"))
    keyed = one_file(tmp_path, {"slot-42": SLOT}, id="slot_id")
    assert "for an object leave id out" in reason(keyed.read("slot-42"))


def test_a_missing_file_of_many_is_a_source_without_answer(tmp_path: Path) -> None:
    data = JsonFiles(tmp_path / "data.json", id="id")
    assert reason(data.read("42")) == f"the file {tmp_path}/data.json is not there"


def test_a_broken_file_of_many_is_no_answer_for_every_key(tmp_path: Path) -> None:
    data = one_file(tmp_path, '{"slot-42": {}, ', records="")
    assert reason(data.read("slot-42")).startswith(f"{tmp_path}/data.json: not JSON")
    assert reason(data.read("slot-41")).startswith(f"{tmp_path}/data.json: not JSON")


def test_a_file_of_many_may_be_toml(tmp_path: Path) -> None:
    write(tmp_path / "data.toml", '[slots.slot-42]\nstatus = "available"\n')
    data = JsonFiles(tmp_path / "data.toml", records="/slots")
    assert data.read("slot-42") == Found({"status": "available"})


def test_a_file_of_many_may_hold_more_values_than_one_record_may(tmp_path: Path) -> None:
    many = {str(number): [0] * 10 for number in range(12_000)}
    assert one_file(tmp_path, many, records="").read("77") == Found([0] * 10)
    write(tmp_path / "one" / "record.json", many)
    assert "100,000" in reason(JsonFiles(tmp_path / "one").read("record"))


# --- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "a\0b", b"slots", 7, None])
def test_what_cannot_be_a_path_is_refused(path: Any) -> None:
    with pytest.raises(DeclarationError):
        JsonFiles(path)


@pytest.mark.parametrize(
    "options",
    [
        {"id": ""},
        {"id": 3},
        {"records": "slots"},
        {"records": "", "suffix_in_key": True},
        {"id": "id", "suffix_in_key": True},
        {"max_bytes": 0},
        {"max_bytes": True},
        {"max_bytes": 1.5},
    ],
)
def test_options_that_cannot_be_meant_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(DeclarationError):
        JsonFiles("slots", **options)


def test_a_working_directory_that_is_gone_is_a_mistake_with_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(DeclarationError, match="working directory"):
        JsonFiles("slots")


def test_the_configuration_tells_folders_and_ways_of_reading_apart(tmp_path: Path) -> None:
    made = [
        JsonFiles(tmp_path / "a"),
        JsonFiles(tmp_path / "b"),
        JsonFiles(tmp_path / "a", suffix_in_key=True),
        JsonFiles(tmp_path / "a", id="id"),
        JsonFiles(tmp_path / "a", records=""),
    ]
    assert len({json.dumps(source.describe()) for source in made}) == len(made)


def test_two_spellings_of_one_folder_are_one_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = [JsonFiles("slots"), JsonFiles("./x/../slots/"), JsonFiles(tmp_path / "slots")]
    assert all(source.describe() == written[0].describe() for source in written)
    assert written[0].describe() == {
        "kind": "files",
        "root": str(tmp_path / "slots"),
        "id": None,
        "records": None,
        "suffix_in_key": False,
    }
