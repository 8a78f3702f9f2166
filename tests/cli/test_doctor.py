"""doctor says where, why, how safely, and what is wrong."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run, World
from tests.cli.test_exit_codes import proposed


def found(run: Run, *words: str) -> dict[str, dict[str, object]]:
    return {item["name"]: item for item in run(*words, "doctor", "--json").data["findings"]}


def test_a_sound_place_has_settings_and_an_intact_journal(run: Run, world: World) -> None:
    proposed(run)
    text = run("doctor")
    assert text.code == 0
    assert "Nothing is wrong." in text.out
    said = found(run)
    assert "synchronous 2" in str(said["settings"]["said"])
    assert "journal_mode" in str(said["settings"]["said"])
    assert "sound" in str(said["file"]["said"])
    assert "journal intact" in str(said["journal"]["said"])


def test_a_place_without_a_store_is_no_fault(run: Run, world: World) -> None:
    assert "not there yet" in str(found(run)["state"]["said"])
    assert "none here or above" in str(found(run)["lastlook.toml"]["said"])


def test_a_store_in_memory_has_no_file_to_look_at(run: Run, world: World) -> None:
    said = found(run, "--store", "memory")
    assert said["store"]["said"] == "memory"


def test_a_file_that_is_no_store_is_found(run: Run, world: World) -> None:
    (world.folder / "bad.db").write_text("this is no database at all, not by far" * 50, "utf-8")
    (world.folder / "bad.db").chmod(0o600)
    answer = run("doctor", "--store", "bad.db")
    assert answer.code == 1
    assert "1 thing wrong." in answer.out


def test_a_place_that_cannot_be_one_is_found(run: Run, world: World) -> None:
    answer = run("doctor", "--store", "http://example.org")
    assert answer.code == 1
    assert "not a place" in answer.out


def test_a_broken_configuration_is_found(run: Run, world: World) -> None:
    world.toml("[sources.slots]\nkind = 'files'\n")
    answer = run("doctor")
    assert answer.code == 1
    assert "missing required key root" in answer.out


def test_a_hole_that_names_nothing_is_found(run: Run, world: World) -> None:
    world.toml(
        '[tools.book]\nrun = ["./book.sh", "{price}"]\nargs = { price = "number" }\n'
        '[plans.book]\nintent = "Book"\n'
        'reads = [{ ref = "cwd:slots/slot-42.json", as = "slot", fields = ["price"] }]\n'
        'steps = [{ tool = "book", price = "{slot.prise}" }]\n'
    )
    answer = run("doctor")
    assert answer.code == 1
    assert "{slot.prise} names nothing" in answer.out
    assert "Did you mean {slot.price}?" in answer.out


def test_what_the_configuration_names_and_is_not_there_is_found(run: Run, world: World) -> None:
    world.toml(
        '[sources.slots]\nkind = "files"\nroot = "slots"\n'
        '[sources.gone]\nkind = "files"\nroot = "gone"\n'
        '[sources.odd]\nkind = "files"\nroot = "x"\nid = "id"\nsuffix_in_key = true\n'
        '[tools.book]\nrun = ["./book.sh"]\n[tools.nope]\nrun = ["./nope.sh"]\n'
    )
    said = found(run)
    wrong = {name for name, item in said.items() if not item["ok"]}
    assert wrong == {"source gone", "source odd", "tool nope"}
    assert said["tools"]["said"] == "book, nope"


def test_an_application_has_its_own_store(run: Run, world: World) -> None:
    text = "from lastlook import Lastlook\nlook = Lastlook(sources={}, store='memory')\n"
    (world.folder / "shop_doctored.py").write_text(text, "utf-8")
    said = found(run, "--app", "shop_doctored:look")
    assert said["application"]["said"] == "shop_doctored:look"
    assert said["store"]["said"] == "memory"


def test_a_damaged_store_is_found(run: Run, world: World, tmp_path: Path) -> None:
    proposed(run)
    path = tmp_path / "state" / "lastlook" / "plans.db"
    data = bytearray(path.read_bytes())
    data[4096 + 200 : 4096 * 3] = bytes(4096 * 2 - 200)
    path.write_bytes(data)
    answer = run("doctor")
    assert answer.code == 1
    assert "Traceback" not in answer.err
