"""Evidence in a file: whole or not there, read back strictly, and compared without a store."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastlook import Lastlook, Stale, Unresolvable, Valid, capture, evidence
from lastlook.errors import BadFormat, DeclarationError, LastlookError, NotRegistered

SLOT = {"status": "free", "price": 80, "note": None}


@pytest.fixture
def slots() -> dict[str, Any]:
    return {"slot-42": dict(SLOT), "slot-43": dict(SLOT)}


@pytest.fixture
def look(slots: dict[str, Any]) -> Lastlook:
    return Lastlook(sources={"slots": slots}, store="memory")


@pytest.fixture
def path(tmp_path: Path, look: Lastlook) -> Path:
    made = tmp_path / "before.json"
    evidence.save(made, [look.read("slots:slot-42", "status == 'free'", "price")])
    return made


def test_what_was_saved_is_loaded(tmp_path: Path, look: Lastlook) -> None:
    path = tmp_path / "before.json"
    kept = [
        look.read("slots:slot-42", "status == 'free'", "price within 5%", "seats (optional)"),
        look.read("slots:slot-43", "note", "$"),
    ]
    evidence.save(path, kept)
    assert evidence.load(str(path)) == tuple(kept)
    assert json.loads(path.read_text("utf-8"))["format"] == evidence.FORMAT


def test_the_file_can_be_read_again_in_another_program(path: Path, slots: dict[str, Any]) -> None:
    other = Lastlook(sources={"slots": slots}, store="memory")
    kept = evidence.load(path)
    assert isinstance(other.recheck(kept)[0], Valid)
    slots["slot-42"]["price"] = 95
    (found,) = other.recheck(kept)
    assert isinstance(found, Stale)
    assert found.changed == ("/price",)
    del slots["slot-42"]
    (gone,) = other.recheck(kept)
    assert isinstance(gone, Unresolvable)
    assert gone.kind == "not_found"


def test_an_async_program_looks_again_too(path: Path, look: Lastlook) -> None:
    (found,) = asyncio.run(look.aio.recheck(evidence.load(path)))
    assert isinstance(found, Valid)


def test_rechecking_opens_no_store(path: Path, slots: dict[str, Any], tmp_path: Path) -> None:
    place = tmp_path / "plans.db"
    other = Lastlook(sources={"slots": slots}, store=place)
    assert isinstance(other.recheck(evidence.load(path))[0], Valid)
    other.close()
    assert not place.exists()


def test_a_source_that_is_not_here_is_refused(path: Path) -> None:
    with pytest.raises(NotRegistered, match="no source named 'slots'"):
        Lastlook(sources={}, store="memory").recheck(evidence.load(path))


def test_a_source_of_another_configuration_is_refused(tmp_path: Path) -> None:
    from lastlook import JsonFiles

    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "slot-42.json").write_text(json.dumps(SLOT), "utf-8")
    here, there = (
        Lastlook(sources={"slots": JsonFiles(tmp_path / name)}, store="memory")
        for name in ("here", "there")
    )
    evidence.save(tmp_path / "a.json", [here.read("slots:slot-42", "price")])
    with pytest.raises(NotRegistered, match="configured in another way"):
        there.recheck(evidence.load(tmp_path / "a.json"))


def test_secret_evidence_is_compared_in_its_own_process(
    look: Lastlook, slots: dict[str, Any]
) -> None:
    kept = [look.read("slots:slot-42", "price (secret)")]
    assert isinstance(look.recheck(kept)[0], Valid)
    slots["slot-42"]["price"] = 95
    assert isinstance(look.recheck(kept)[0], Stale)


def test_what_the_pure_function_captured_is_kept_under_its_ref(tmp_path: Path) -> None:
    kept = capture(SLOT, "price", ref="slots:slot-42")
    evidence.save(tmp_path / "a.json", [kept])
    assert evidence.load(tmp_path / "a.json") == (kept,)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda _: [], "no evidence to keep"),
        (lambda look: [look.read("slots:slot-42", "price (secret)")], "is secret"),
        (lambda look: [look.read("slots:slot-42", name) for name in SLOT], "twice"),
        (lambda _: [capture(SLOT, "price")], "names no record"),
        (lambda _: ["slots:slot-42"], "is of type str, not evidence"),
    ],
)
def test_what_a_file_cannot_keep_is_refused_and_nothing_is_written(
    tmp_path: Path, look: Lastlook, make: Callable[[Lastlook], list[Any]], what: str
) -> None:
    with pytest.raises(DeclarationError, match=what):
        evidence.save(tmp_path / "a.json", make(look))
    assert list(tmp_path.iterdir()) == []


def test_a_secret_value_is_not_in_what_refuses_it(tmp_path: Path, look: Lastlook) -> None:
    kept = [look.read("slots:slot-42", "status == 'free' (secret)")]
    with pytest.raises(DeclarationError) as caught:
        evidence.save(tmp_path / "a.json", kept)
    assert "free" not in str(caught.value)
    assert "salt" in str(caught.value)


def test_a_new_file_has_what_the_umask_leaves(tmp_path: Path, look: Lastlook) -> None:
    kept = [look.read("slots:slot-42", "price")]
    before = os.umask(0o027)
    try:
        evidence.save(tmp_path / "a.json", kept)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o640


def test_a_file_that_is_replaced_keeps_its_permissions(path: Path, look: Lastlook) -> None:
    path.chmod(0o600)
    evidence.save(path, [look.read("slots:slot-43", "price")])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert evidence.load(path)[0].ref == "slots:slot-43"


def test_a_link_is_followed_and_stays_one(path: Path, tmp_path: Path, look: Lastlook) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(path)
    evidence.save(link, [look.read("slots:slot-43", "price")])
    assert link.is_symlink()
    assert evidence.load(path)[0].ref == "slots:slot-43"


def test_a_folder_or_a_pipe_in_the_way_is_refused(tmp_path: Path, look: Lastlook) -> None:
    os.mkfifo(tmp_path / "pipe")
    kept = [look.read("slots:slot-42", "price")]
    for target in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(DeclarationError, match="is no file"):
            evidence.save(target, kept)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_a_folder_that_is_not_there_is_an_ordinary_error(tmp_path: Path, look: Lastlook) -> None:
    target = str(tmp_path / "no" / "a.json")
    with pytest.raises(FileNotFoundError) as caught:
        evidence.save(target, [look.read("slots:slot-42", "price")])
    assert caught.value.filename == target


def test_a_disk_that_fails_leaves_the_old_file_whole_and_nothing_beside_it(
    path: Path, look: Lastlook, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        evidence.save(path, [look.read("slots:slot-43", "price")])
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["before.json"]


def test_ctrl_c_leaves_the_old_file_whole_and_nothing_beside_it(
    path: Path, look: Lastlook, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        evidence.save(path, [look.read("slots:slot-43", "price")])
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["before.json"]


def test_a_file_that_cannot_be_read_says_which_and_what_to_do(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("nope.json", "pipe", "."):
        with pytest.raises(DeclarationError, match="could not be read") as caught:
            evidence.load(tmp_path / name)
        assert caught.value.where == str(tmp_path / name)
        assert "lastlook capture" in caught.value.fix


Edit = Callable[[dict[str, Any]], object]


def of_first(**changes: object) -> Edit:
    return lambda tree: tree["evidence"][0].update(changes)


EDITS: dict[str, tuple[Edit, str]] = {
    "a value": (lambda t: t["evidence"][0]["cells"][0].__setitem__(1, 95), "price: not what was"),
    "a rule": (
        lambda t: t["evidence"][0]["fields"][1]["rule"].update(equals="taken"),
        'status == "taken": not what was captured',
    ),
    "a digest": (lambda t: t["evidence"][0]["digests"].reverse(), "price, status"),
    "a ref": (of_first(ref="slots:slot-43"), "not what was captured"),
    "a ref that is none": (of_first(ref="slot-43"), "is not a ref"),
    "the fingerprint": (of_first(fingerprint="ll1:" + "0" * 64), "not those of its fingerprint"),
    "an unknown scheme": (of_first(fingerprint="ll9:" + "0" * 64), "only ll1 is compared"),
    "a format to come": (lambda t: t.update(format="lastlook:evidence/2"), "lastlook:evidence/2"),
    "another format": (lambda t: t.update(format="lastlook:plan/1"), "no evidence file"),
    "no format": (lambda t: t.pop("format"), "no evidence file"),
    "a member more": (lambda t: t.update(more=1), "unknown field"),
    "a piece less": (lambda t: t["evidence"][0].pop("fingerprint"), "missing required field"),
    "a cell less": (lambda t: t["evidence"][0]["cells"].pop(), "damaged"),
    "a cell that is none": (lambda t: t["evidence"][0]["cells"].__setitem__(0, []), "a cell"),
    "a cell of numbers": (lambda t: t["evidence"][0]["cells"].__setitem__(0, [1, 2]), "a cell"),
    "a stand-in": (
        lambda t: t["evidence"][0]["cells"][0].__setitem__(1, {"$result": [1, ""]}),
        "a value is damaged",
    ),
    "an unknown tag": (
        lambda t: t["evidence"][0]["cells"][0].__setitem__(1, {"$money": "1"}),
        "a value is damaged",
    ),
    "a secret": (lambda t: t["evidence"][0]["fields"][0].update(secret=True), "is secret"),
    "a field out of order": (lambda t: t["evidence"][0]["fields"].reverse(), "not in order"),
    "a selector that is none": (
        lambda t: t["evidence"][0]["fields"][0].update(selector="price"),
        "damaged",
    ),
    "a time without a zone": (of_first(captured_at="2026-11-03T14:00:00"), "no zone"),
    "a cap": (of_first(cap=3), "only a query"),
    "a kind": (of_first(kind="absence"), "has no fields"),
    "a query": (of_first(kind="query", cap=3, params={}), "no cells of its own"),
    "no fields": (of_first(fields=[], cells=[], digests=[]), "damaged"),
    "twice": (lambda t: t["evidence"].extend(t["evidence"]), "twice"),
    "a list": (lambda t: t.update(evidence={}), "Expected `array`"),
}


@pytest.mark.parametrize("how", EDITS)
def test_an_edit_is_refused_with_what_where_and_what_to_do(path: Path, how: str) -> None:
    edit, what = EDITS[how]
    tree = json.loads(path.read_text("utf-8"))
    edit(tree)
    path.write_text(json.dumps(tree), "utf-8")
    with pytest.raises(BadFormat) as caught:
        evidence.load(path)
    assert what in caught.value.what
    assert caught.value.where.startswith(str(path))
    assert caught.value.fix


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b'"lastlook:evidence/1"',
        b'{"format": "lastlook:evidence/1", "format": "lastlook:evidence/1", "evidence": []}',
        b'{"format": "lastlook:evidence/1", "evidence": NaN}',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b'{"format": ["lastlook:evidence/1"]}',
    ],
)
def test_what_is_no_evidence_file_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(BadFormat, match="evidence file") as caught:
        evidence.load(tmp_path / "a.json")
    assert caught.value.where.startswith(str(tmp_path / "a.json"))


def test_every_byte_that_is_lost_or_turned_is_an_error_or_the_same_evidence(path: Path) -> None:
    data, kept = path.read_bytes(), evidence.load(path)
    for at in range(len(data)):
        for other in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]):
            path.write_bytes(other)
            try:
                got = evidence.load(path)
            except LastlookError:
                continue
            # What no digest covers is where and when it was read, never what was read.
            assert [(e.ref, e.fields, e.cells) for e in got] == [
                (e.ref, e.fields, e.cells) for e in kept
            ]
