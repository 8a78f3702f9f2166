"""`fingerprint`, `capture`, `check FILE` and `diff`: for scripts, without a plan or a store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lastlook
from lastlook import evidence
from tests.cli.conftest import SLOT, Run, World
from tests.cli.test_bad_input import SPOILS

AVAILABLE = 'slots/slot-42.json#time,status == "available"'
PRICE = "slots/slot-42.json#price within 5%"
SLOTS = '[sources.slots]\nkind = "files"\nroot = "slots"\n'


@pytest.fixture
def before(run: Run, world: World) -> str:
    """The name of a file with evidence of the slot, captured in the world's folder."""
    answer = run("capture", "-e", AVAILABLE, "-e", PRICE, "-o", "before.json")
    assert answer.code == 0, answer.err
    return "before.json"


def store_of(tmp_path: Path) -> Path:
    return tmp_path / "state" / "lastlook" / "plans.db"


# --- fingerprint


def test_a_fingerprint_is_that_of_the_python_function(run: Run, world: World) -> None:
    answer = run("fingerprint", "slots/slot-42.json#time,status")
    want = lastlook.fingerprint(SLOT, ["time", "status"])
    assert (answer.code, answer.out, answer.err) == (0, f"{want}\n", "")
    assert run("-q", "fingerprint", "slots/slot-42.json#time,status").out == f"{want}\n"
    said = run("--json", "fingerprint", "slots/slot-42.json#time,status").data
    assert said == {
        "ref": "cwd:slots/slot-42.json",
        "fields": ["status", "time"],
        "scheme": "ll1",
        "fingerprint": want,
        "exit": 0,
    }


def test_a_short_fingerprint_is_its_first_12_digits(run: Run, world: World) -> None:
    whole = run("fingerprint", AVAILABLE).out.strip()
    assert run("fingerprint", AVAILABLE, "--short").out == f"{whole[4:16]}\n"


def test_a_fingerprint_of_a_source_is_that_of_its_file(run: Run, world: World) -> None:
    world.toml(SLOTS)
    by_source = run("fingerprint", "slots:slot-42#status").out
    assert by_source == run("fingerprint", "slots/slot-42.json#status").out


def test_a_published_scheme_gives_the_published_digits_and_a_note(run: Run, world: World) -> None:
    what = "slots/slot-42.json#slot_id,status"
    answer = run("fingerprint", what, "--scheme", "freshctx16")
    assert (answer.code, answer.out) == (0, "ed3a5680f29c3dae\n")
    assert answer.err.startswith("Note: freshctx16 fingerprints are 16 digits")
    world.slot(status="unavailable")
    assert run("fingerprint", what, "--scheme", "freshctx16").out == "94c87157b0f0cba5\n"


# --- capture


def test_capture_keeps_what_python_reads_back(run: Run, world: World, before: str) -> None:
    (kept,) = evidence.load(before)
    assert kept.ref == "cwd:slots/slot-42.json"
    assert [str(field) for field in kept.fields] == [
        "price within 5%",
        'status == "available"',
        "time",
    ]
    assert kept["price"] == 80


def test_capture_says_what_it_kept_and_what_to_type(run: Run, world: World) -> None:
    answer = run("capture", "-e", AVAILABLE, "-o", "a b.json")
    assert 'status          is "available"' in answer.out
    assert "lastlook check 'a b.json'" in answer.out
    said = run("--json", "capture", "-e", AVAILABLE, "-o", "a.json").data
    (kept,) = evidence.load("a.json")
    assert said == {
        "file": "a.json",
        "evidence": [
            {
                "ref": "cwd:slots/slot-42.json",
                "fields": ['status == "available"', "time"],
                "fingerprint": kept.fingerprint,
            }
        ],
        "exit": 0,
    }


def test_no_verb_without_a_plan_makes_or_opens_a_store(
    run: Run, world: World, before: str, tmp_path: Path
) -> None:
    for words in (("check", before), ("diff", before), ("fingerprint", AVAILABLE)):
        assert run(*words).code == 0
    assert not store_of(tmp_path).exists()
    store_of(tmp_path).parent.mkdir(parents=True)
    store_of(tmp_path).write_bytes(b"no database" * 1000)
    for words in (("check", before), ("diff", before), ("fingerprint", AVAILABLE)):
        assert run(*words).code == 0


def test_an_evidence_file_is_replaced_and_no_other(run: Run, world: World, before: str) -> None:
    world.slot(price=95)
    assert run("capture", "-e", PRICE, "-o", before).code == 0
    assert evidence.load(before)[0]["price"] == 95
    answer = run("--json", "capture", "-e", PRICE, "-o", "slots/slot-42.json")
    assert (answer.code, answer.error["type"]) == (2, "Usage")
    assert answer.error["where"] == "slots/slot-42.json"
    assert json.loads(Path("slots/slot-42.json").read_text("utf-8"))["price"] == 95


def test_a_secret_is_refused_with_the_reason(run: Run, world: World) -> None:
    answer = run("--json", "capture", "-e", "slots/slot-42.json#time (secret)", "-o", "a.json")
    assert (answer.code, answer.error["type"]) == (1, "DeclarationError")
    assert "no place for its salt" in answer.error["what"]
    assert not os.path.exists("a.json")


def test_a_field_by_its_place_is_noted(run: Run, world: World) -> None:
    world.slot(tags=["a", "b"])
    answer = run("capture", "-e", "slots/slot-42.json#/tags/0", "-o", "a.json")
    assert answer.code == 0
    assert "Note: " in answer.err
    assert "counts on a place in an array" in answer.err


@pytest.mark.parametrize("how", SPOILS)
def test_what_cannot_be_read_is_not_captured(run: Run, world: World, how: str) -> None:
    SPOILS[how](world.folder / "slots" / "slot-42.json")
    for words in (("capture", "-o", "a.json", "-e", AVAILABLE), ("fingerprint", AVAILABLE)):
        answer = run("--json", *words)
        assert (answer.code, answer.error["type"]) == (1, "CaptureFailed"), words
        assert answer.error["where"] == "cwd:slots/slot-42.json"
    assert not os.path.exists("a.json")


# --- check FILE


def test_0_all_of_it_holds(run: Run, world: World, before: str) -> None:
    world.slot(last_modified_by="scheduler-v2", price=82)
    answer = run("check", before)
    assert answer.code == 0, answer.out
    assert "80 -> 82, which still holds" in answer.out
    assert "All of it holds now." in answer.out


def test_3_something_changed(run: Run, world: World, before: str) -> None:
    world.slot(status="unavailable")
    answer = run("check", before)
    assert answer.code == 3
    assert '"available" -> "unavailable"' in answer.out
    said = run("--json", "check", before).data
    assert (said["verdict"], said["exit"], said["file"]) == ("stale", 3, before)
    assert said["checks"][0]["changed"] == ["/status"]
    assert run("-q", "check", before) == (3, "", "")


@pytest.mark.parametrize("how", SPOILS)
def test_4_something_cannot_be_read(run: Run, world: World, before: str, how: str) -> None:
    SPOILS[how](world.folder / "slots" / "slot-42.json")
    for verb in ("check", "diff"):
        answer = run(verb, before, "--json")
        assert (answer.code, answer.data["verdict"]) == (4, "unresolvable")
        assert answer.data["checks"][0]["result"] == "unresolvable"


def test_a_change_is_the_headline_where_another_record_is_gone(run: Run, world: World) -> None:
    (world.folder / "slots" / "slot-43.json").write_text(json.dumps(SLOT), "utf-8")
    both = ("-e", AVAILABLE, "-e", "slots/slot-43.json#time")
    assert run("capture", *both, "-o", "a.json").code == 0
    world.slot(status="unavailable")
    (world.folder / "slots" / "slot-43.json").unlink()
    assert run("check", "a.json").code == 3
    assert run("diff", "a.json").code == 3


def test_a_file_without_a_slash_or_suffix_is_found_and_a_plan_still_is(
    run: Run, world: World, before: str
) -> None:
    Path(before).rename("kept")
    assert "All of it holds" in run("check", "kept").out
    plan = run("propose", "--json", "-e", AVAILABLE, "--", "./book.sh").data["id"]
    assert run("check", "--json", plan).data["plan"] == plan
    assert run("--json", "check", "zzzz").error["type"] == "UnknownPlan"
    assert run("check", "kept").code == 0  # beside a store that has no such plan


def test_a_name_that_is_a_plan_and_a_file_is_refused_with_what_to_type(
    run: Run, world: World, before: str
) -> None:
    plan = run("propose", "--json", "-e", AVAILABLE, "--", "./book.sh").data["id"]
    Path(before).rename(plan)
    answer = run("--json", "check", plan)
    assert (answer.code, answer.error["type"]) == (2, "Usage")
    assert f"lastlook check ./{plan}" in answer.error["fix"]
    assert run("--json", "check", f"./{plan}").data["file"] == f"./{plan}"


def test_evidence_of_another_folder_says_the_cd_to_type(
    run: Run, world: World, before: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(world.folder / "slots")
    for verb in ("check", "diff"):
        answer = run("--json", verb, "../before.json")
        assert (answer.code, answer.error["type"]) == (2, "NotRegistered")
        line = f"cd {world.folder} && lastlook {verb} {world.folder}/before.json"
        assert answer.error["fix"] == f"Type: {line}"
    monkeypatch.chdir(tmp_path)  # above the file's folder
    assert f"cd {world.folder} &&" in run("--json", "check", "world/before.json").error["fix"]
    Path("world/before.json").rename("elsewhere.json")
    answer = run("--json", "check", "elsewhere.json")
    assert (answer.code, answer.error["type"]) == (2, "NotRegistered")
    assert "cd " not in answer.error["fix"]


def test_evidence_of_a_source_of_lastlook_toml_says_the_cd_to_type(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    world.toml(SLOTS)
    assert run("capture", "-e", "slots:slot-42#time", "-o", "a.json").code == 0
    monkeypatch.chdir(world.folder / "slots")
    assert run("check", "../a.json").code == 0  # the same lastlook.toml holds here
    monkeypatch.chdir(tmp_path)
    answer = run("--json", "check", "world/a.json")
    assert (answer.code, answer.error["type"]) == (2, "NotRegistered")
    assert f"cd {world.folder} && lastlook check" in answer.error["fix"]


def test_an_application_has_its_own_sources(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("verbs_shop.py").write_text(
        "from lastlook import Lastlook\n"
        "look = Lastlook(sources={'desk': {'a': {'n': 1}}}, store='memory')\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(str(world.folder))
    app = ("--app", "verbs_shop:look")
    assert run(*app, "capture", "-e", "desk:a#n", "-o", "a.json").code == 0
    assert run(*app, "check", "a.json").code == 0
    assert run(*app, "diff", "a.json").code == 0
    for verb in ("check", "diff"):
        answer = run("--json", verb, "a.json")
        assert (answer.code, answer.error["type"]) == (2, "NotRegistered")


def test_evidence_that_does_not_say_when_it_was_read_is_checked(
    run: Run, world: World, before: str
) -> None:
    tree = json.loads(Path(before).read_text("utf-8"))
    del tree["evidence"][0]["captured_at"]
    Path(before).write_text(json.dumps(tree), "utf-8")
    for verb in ("check", "diff"):
        answer = run(verb, before)
        assert answer.code == 0
        assert answer.out.splitlines()[1].startswith("Looking at ")


# --- diff


def test_diff_shows_what_may_move_too(run: Run, world: World, before: str) -> None:
    assert run("diff", before).code == 0
    world.slot(price=82)
    answer = run("diff", before)
    assert answer.code == 3
    assert "80 -> 82" in answer.out
    assert "still holds" not in answer.out
    assert "This is all that differs." in answer.out


def test_diff_of_two_files_needs_no_source(
    run: Run, world: World, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.slot(status="unavailable")
    assert run("capture", "-e", "slots/slot-42.json#status,slot_id", "-o", "after.json").code == 0
    monkeypatch.chdir(tmp_path)
    answer = run("diff", "world/before.json", "world/after.json")
    assert answer.code == 3
    for said in (
        '"available" -> "unavailable"',
        "slot_id is only in world/after.json",
        "price within 5% is only in world/before.json",
        'status is declared as status == "available" -> status',
    ):
        assert said in answer.out
    assert run("diff", "world/before.json", "world/before.json").code == 0
    said = run("--json", "diff", "world/before.json", "world/after.json").data
    assert (said["before"], said["after"]) == ("world/before.json", "world/after.json")
    assert (said["verdict"], said["exit"]) == ("different", 3)
    assert {note["kind"] for note in said["notes"]} == {"only_before", "only_after", "declared"}


def test_diff_of_captures_of_two_folders_compares_values(
    run: Run, world: World, tmp_path: Path, before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = World(tmp_path / "other")
    monkeypatch.chdir(other.folder)
    assert run("capture", "-e", AVAILABLE, "-e", PRICE, "-o", "after.json").code == 0
    answer = run("diff", "../world/before.json", "after.json")
    assert answer.code == 0
    assert "its source is configured in another way" in answer.out.replace("\n ", "")


DESK = """\
import json, pathlib
from lastlook import Lastlook
from lastlook.sources import MemorySource

rooms = MemorySource(json.loads(pathlib.Path("rooms.json").read_text("utf-8")))
look = Lastlook(sources={"rooms": rooms}, store="memory")


@rooms.query("price")
def on_floor(records, floor: int):
    return {key: room for key, room in records.items() if room["floor"] == floor}


"""
KEEP = """
from lastlook import evidence
from lastlook.planning.reads import Reads

reads = Reads(look.reader)
reads.query(on_floor, {"floor": 2})
reads.absence("rooms:r9")
evidence.save("kept.json", reads.evidence.values())
"""


def test_evidence_of_queries_and_absences_is_looked_at_again(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = {"r1": {"floor": 2, "price": 80}, "r2": {"floor": 2, "price": 90}}

    def app(changed: dict[str, Any], name: str) -> tuple[str, str]:
        Path("rooms.json").write_text(json.dumps(rooms | changed), "utf-8")
        Path(f"{name}.py").write_text(DESK + (KEEP if name == "verbs_keep" else ""), "utf-8")
        return "--app", f"{name}:look"

    monkeypatch.syspath_prepend(str(world.folder))
    assert run(*app({}, "verbs_keep"), "pending").code == 0  # imports it, which saves
    assert run(*app({}, "verbs_same"), "check", "kept.json").code == 0
    assert run(*app({}, "verbs_same"), "diff", "kept.json").code == 0
    changed = app({"r3": {"floor": 2, "price": 70}, "r9": {"floor": 1}}, "verbs_more")
    for verb in ("check", "diff"):
        answer = run(*changed, verb, "kept.json")
        assert answer.code == 3, answer.err
        assert "1 difference among its members" in answer.out
        assert "exists now" in answer.out


# --- what can't be meant


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("capture",), "--output"),
        (("capture", "-o", "a.json"), "--evidence"),
        (("capture", "-e", AVAILABLE), "--output"),
        (("capture", "-e", AVAILABLE, "-o", "-"), "name of a file"),
        (("capture", "-e", AVAILABLE, "-o", ""), "name of a file"),
        (("capture", "-e", f"slot={AVAILABLE}", "-o", "a.json"), "is for a command"),
        (("capture", "-e", AVAILABLE, "-o", "a.json", "--", "./book.sh"), "takes no command"),
        (("fingerprint",), "REF#FIELD"),
        (("fingerprint", AVAILABLE, "--scheme", "md5"), "no scheme 'md5'"),
        (("diff",), "FILE"),
        (("diff", "a.json", "b.json", "c.json"), "c.json"),
        (("check",), "PLAN"),
    ],
)
def test_usage_is_2_and_says_what_is_meant(
    run: Run, world: World, words: tuple[str, ...], what: str
) -> None:
    answer = run(*words)
    assert answer.code == 2
    assert what in answer.err
    assert "Traceback" not in answer.err
    assert not os.path.exists("a.json")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("slots/slot-42.json", "NoFields"),
        ("#status", "TemplateError"),
        ("slots/slot-42.json#{status}", "FieldSyntaxError"),
        ("slots/slot-42.json#status,status", "FieldSyntaxError"),
        ("slots/slot-42.json#statuss", "PathNamesNothing"),
        ("slots/slot-42.json#status in ['booked']", "ConditionNotMet"),
        ("../world/slots/slot-42.json#status", "CaptureFailed"),
        ("slots/slot-41.json#status", "CaptureFailed"),
    ],
)
def test_a_record_or_field_that_cannot_be_meant_is_a_typed_error(
    run: Run, world: World, text: str, kind: str
) -> None:
    for words in (("capture", "-o", "a.json", "-e", text), ("fingerprint", text)):
        answer = run("--json", *words)
        assert (answer.code, answer.error["type"]) == (1, kind), answer.err
        assert answer.error["what"]
    assert not os.path.exists("a.json")


def test_a_refused_fingerprint_says_of_which_record(run: Run, world: World) -> None:
    answer = run("--json", "fingerprint", "slots/slot-42.json#status in ['booked']")
    assert answer.error["where"] == "cwd:slots/slot-42.json#/status"
    answer = run("--json", "fingerprint", "slots/slot-42.json#status (secret)")
    assert (answer.code, answer.error["type"]) == (1, "DeclarationError")
    assert answer.error["where"] == "cwd:slots/slot-42.json"


Spoil = Callable[[Path], object]

SPOILT: dict[str, Spoil] = {
    **SPOILS,
    "edited": lambda path: path.write_text(
        path.read_text("utf-8").replace("available", "taken"), "utf-8"
    ),
    "of a later format": lambda path: path.write_text(
        path.read_text("utf-8").replace("evidence/1", "evidence/2"), "utf-8"
    ),
}
del SPOILT["a link"]  # whoever names the file may name a link


@pytest.mark.parametrize("how", SPOILT)
def test_a_file_that_cannot_be_used_is_a_typed_error(
    run: Run, world: World, before: str, how: str
) -> None:
    good = Path(before).read_bytes()
    SPOILT[how](world.folder / before)
    Path("good.json").write_bytes(good)
    for words in (
        ("check", before), ("diff", before), ("diff", before, "good.json"),
        ("diff", "good.json", before),
    ):  # fmt: skip
        answer = run("--json", *words)
        assert answer.code == 1, words
        assert answer.error["type"] in {"BadFormat", "DeclarationError"}
        assert answer.error["where"].startswith(before)
        assert answer.error["fix"]
        assert "Traceback" not in answer.err


def test_a_place_that_cannot_be_written_is_named(run: Run, world: World) -> None:
    answer = run("--json", "capture", "-e", AVAILABLE, "-o", "no/a.json")
    assert answer.code == 1
    assert answer.error["where"] == "no/a.json"
    answer = run("--json", "capture", "-e", AVAILABLE, "-o", "slots")
    assert (answer.code, answer.error["type"]) == (1, "DeclarationError")


def test_a_hostile_file_name_and_ref_show_no_raw_control_character(run: Run, world: World) -> None:
    (world.folder / "slots" / "\u202ex.json").write_text(json.dumps(SLOT), "utf-8")
    name = "b\u200be\u202e.json"
    answer = run("capture", "-e", "slots/\u202ex.json#time", "-o", name)
    assert answer.code == 0
    seen = answer.out + run("check", name).out + run("diff", name).out + run("diff", name, name).out
    assert not {"\u200b", "\u202e"} & set(seen)
