"""Files that are not what they seem, or change while they are read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound
from lastlook.sources import JsonFiles, safe_open

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECRET = {"secret": "from outside"}
SLOT = {"status": "available"}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the root, with a record that must never be read."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "slot-42.json").write_text(json.dumps(SECRET), encoding="utf-8")
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def put(path: Path, value: object = SLOT) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def reason(answer: object) -> str:
    assert isinstance(answer, NoAnswer)
    return answer.reason


class Os:
    """The module `os`, with some functions replaced by others, for one module alone."""

    def __init__(self, **replaced: Callable[..., Any]) -> None:
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced.get(name) or getattr(os, name)


# --- links ---------------------------------------------------------------------------------------


def test_a_link_in_place_of_the_file_is_not_followed(root: Path, outside: Path) -> None:
    (root / "slot-42.json").symlink_to(outside / "slot-42.json")
    words = reason(JsonFiles(root).read("slot-42"))
    assert words == ("slot-42.json is a symbolic link, which is not followed, not a regular file")


def test_a_link_that_stays_inside_is_not_followed_either(root: Path) -> None:
    put(root / "slot-41.json")
    (root / "slot-42.json").symlink_to("slot-41.json")
    assert "symbolic link" in reason(JsonFiles(root).read("slot-42"))


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_link_in_place_of_any_folder_is_not_followed(
    root: Path, outside: Path, depth: int
) -> None:
    folders = ["a", "b", "c"]
    above = root.joinpath(*folders[:depth])
    above.mkdir(parents=True, exist_ok=True)
    real = outside.joinpath(*folders[depth + 1 :])
    real.mkdir(parents=True, exist_ok=True)
    put(real / "slot-42.json", SECRET)
    (above / folders[depth]).symlink_to(outside)
    assert (root / "a/b/c/slot-42.json").exists()
    assert "symbolic link" in reason(JsonFiles(root).read("a/b/c/slot-42"))


def test_a_link_that_leads_nowhere_is_no_proof_of_absence(root: Path) -> None:
    (root / "slot-42.json").symlink_to("gone")
    assert "symbolic link" in reason(JsonFiles(root).read("slot-42"))


def test_a_link_to_itself_is_no_answer(root: Path) -> None:
    (root / "slot-42.json").symlink_to("slot-42.json")
    (root / "a").symlink_to("a")
    assert "symbolic link" in reason(JsonFiles(root).read("slot-42"))
    assert "symbolic link" in reason(JsonFiles(root).read("a/slot-42"))


def test_a_link_beside_a_file_of_the_same_key_is_ambiguous(root: Path, outside: Path) -> None:
    put(root / "slot-42.yaml")
    (root / "slot-42.json").symlink_to(outside / "slot-42.json")
    assert reason(JsonFiles(root).read("slot-42")).startswith("ambiguous")


def test_a_file_swapped_for_a_link_after_it_was_looked_at_is_not_followed(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json")

    def swap_then_open(path: str, flags: int, **rest: Any) -> int:
        if path == "slot-42.json":
            (root / "slot-42.json").unlink()
            (root / "slot-42.json").symlink_to(outside / "slot-42.json")
        return os.open(path, flags, **rest)

    monkeypatch.setattr(safe_open, "os", Os(open=swap_then_open))
    assert "symbolic link" in reason(JsonFiles(root).read("slot-42"))


def test_a_folder_swapped_for_a_link_while_it_is_walked_leads_nowhere(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a").mkdir()
    put(root / "a" / "slot-42.json")

    def open_then_swap(path: str, flags: int, **rest: Any) -> int:
        opened = os.open(path, flags, **rest)
        if path == "a":
            (root / "a").rename(root / "away")
            (root / "a").symlink_to(outside)
        return opened

    monkeypatch.setattr(safe_open, "os", Os(open=open_then_swap))
    assert JsonFiles(root).read("a/slot-42") == Found(SLOT)
    assert "symbolic link" in reason(JsonFiles(root).read("a/slot-42"))


def test_a_root_swapped_for_a_link_while_it_is_walked_leads_nowhere(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json")

    def open_then_swap(path: str, flags: int, **rest: Any) -> int:
        opened = os.open(path, flags, **rest)
        if path == str(root):
            root.rename(root.with_name("away"))
            root.symlink_to(outside)
        return opened

    monkeypatch.setattr(safe_open, "os", Os(open=open_then_swap))
    assert JsonFiles(root).read("slot-42") == Found(SLOT)


@pytest.fixture
def swapping(root: Path, outside: Path) -> Iterator[threading.Event]:
    """Swap the file, and the folder above it, for links to outside, again and again."""
    (root / "a").mkdir()
    put(root / "a" / "slot-42.json")
    put(root / "slot-42.json")
    (root / "file-link").symlink_to(outside / "slot-42.json")
    (root / "folder-link").symlink_to(outside)
    stop, swapped = threading.Event(), threading.Event()

    def exchange(name: str, link: str) -> None:
        os.rename(root / name, root / "away")
        os.rename(root / link, root / name)
        os.rename(root / name, root / link)
        os.rename(root / "away", root / name)

    def swap() -> None:
        while not stop.is_set():
            exchange("slot-42.json", "file-link")
            exchange("a", "folder-link")
            swapped.set()

    thread = threading.Thread(target=swap, daemon=True)
    thread.start()
    yield swapped
    stop.set()
    thread.join(5)


def test_links_swapped_in_a_loop_never_lead_outside(root: Path, swapping: threading.Event) -> None:
    assert swapping.wait(5)
    source = JsonFiles(root)
    end = time.monotonic() + 1.0
    answers = []
    while time.monotonic() < end and len(answers) < 4_000:
        answers += [source.read("slot-42"), source.read("a/slot-42")]
    found = [answer for answer in answers if isinstance(answer, Found)]
    assert answers
    assert all(answer.record == SLOT for answer in found)


# --- what is no regular file ---------------------------------------------------------------------


def test_a_folder_with_the_name_of_the_file_is_no_answer(root: Path) -> None:
    (root / "slot-42.json").mkdir()
    assert "a folder, not a regular file" in reason(JsonFiles(root).read("slot-42"))


def test_a_pipe_nobody_writes_to_does_not_hang_the_read(root: Path) -> None:
    os.mkfifo(root / "slot-42.json")
    assert "a named pipe" in reason(JsonFiles(root).read("slot-42"))


def test_a_file_swapped_for_a_pipe_after_it_was_looked_at_does_not_hang(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json")

    def swap_then_open(path: str, flags: int, **rest: Any) -> int:
        if path == "slot-42.json":
            (root / "slot-42.json").unlink()
            os.mkfifo(root / "slot-42.json")
        return os.open(path, flags, **rest)

    monkeypatch.setattr(safe_open, "os", Os(open=swap_then_open))
    assert "a named pipe" in reason(JsonFiles(root).read("slot-42"))


def test_a_socket_is_no_answer(root: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as server, pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        server.bind("slot-42.json")
        assert "a socket" in reason(JsonFiles(root).read("slot-42"))


def test_a_device_is_no_answer_by_folder_link_or_name(root: Path) -> None:
    (root / "zero.json").symlink_to("/dev/zero")
    assert "symbolic link" in reason(JsonFiles(root).read("zero"))
    assert "a device" in reason(JsonFiles("/dev", suffix_in_key=True).read("zero"))
    assert "a device" in reason(JsonFiles("/dev/zero", records="").read("x"))


def test_a_file_of_many_that_is_a_pipe_does_not_hang(root: Path) -> None:
    os.mkfifo(root / "data.json")
    assert "a named pipe" in reason(JsonFiles(root / "data.json", id="id").read("x"))


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_a_file_made_while_it_is_read_is_no_answer() -> None:
    answer = JsonFiles("/proc/self", suffix_in_key=True).read("status")
    assert reason(answer) == "status changed while it was read"


# --- size and change -----------------------------------------------------------------------------


def test_a_sparse_file_of_ten_gibibytes_is_refused_without_being_read(root: Path) -> None:
    put(root / "slot-42.json")
    os.truncate(root / "slot-42.json", 10 * 2**30)
    words = "slot-42.json is larger than 4,194,304 bytes"
    assert reason(JsonFiles(root).read("slot-42")) == words
    assert "larger" in reason(JsonFiles(root / "slot-42.json", records="").read("x"))


def test_the_size_cap_holds_to_the_byte(root: Path) -> None:
    (root / "slot-42.json").write_bytes(b'"' + b"x" * 98 + b'"')
    assert JsonFiles(root, max_bytes=100).read("slot-42") == Found("x" * 98)
    assert "larger than 99 bytes" in reason(JsonFiles(root, max_bytes=99).read("slot-42"))


class Meddling:
    """Reads like `os.read`, and lets something happen after each whole look at the file."""

    def __init__(self, *happenings: Callable[[], object]) -> None:
        self.left = list(happenings)

    def read(self, file: int, size: int) -> bytes:
        data = os.read(file, size)
        if data and self.left:
            self.left.pop(0)()
        return data


def append(path: Path) -> Callable[[], object]:
    def more() -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(" ")

    return more


def test_a_file_that_grew_while_it_was_read_is_read_once_more(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json", {"n": 1})
    new = root / "slot-42.json"
    meddling = Meddling(lambda: put(new, {"n": "a longer value"}))
    monkeypatch.setattr(safe_open, "os", Os(read=meddling.read))
    assert JsonFiles(root).read("slot-42") == Found({"n": "a longer value"})
    assert not meddling.left


def test_a_file_that_keeps_growing_is_no_answer(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json")
    grow = append(root / "slot-42.json")
    monkeypatch.setattr(safe_open, "os", Os(read=Meddling(*[grow] * 9).read))
    assert reason(JsonFiles(root).read("slot-42")) == "slot-42.json changed while it was read"
    assert "changed" in reason(JsonFiles(root / "slot-42.json", records="").read("status"))


def test_a_file_that_grows_beyond_the_cap_while_it_is_read_is_too_large(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json")
    size = os.path.getsize(root / "slot-42.json")
    grow = append(root / "slot-42.json")
    monkeypatch.setattr(safe_open, "os", Os(read=Meddling(*[grow] * 9).read))
    answer = JsonFiles(root, max_bytes=size).read("slot-42")
    assert reason(answer) == f"slot-42.json is larger than {size} bytes"


def test_a_write_that_keeps_the_size_is_noticed_by_its_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = root / "slot-42.json"
    put(file, {"n": 1})
    os.utime(file, ns=(1, 1))
    meddling = Meddling(lambda: put(file, {"n": 2}))
    monkeypatch.setattr(safe_open, "os", Os(read=meddling.read))
    assert JsonFiles(root).read("slot-42") == Found({"n": 2})


def test_a_file_that_is_renamed_over_while_it_is_read_is_read_as_it_was(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json", {"n": 1})
    put(root / "new", {"n": 2})
    meddling = Meddling(lambda: os.replace(root / "new", root / "slot-42.json"))
    monkeypatch.setattr(safe_open, "os", Os(read=meddling.read))
    assert JsonFiles(root).read("slot-42") == Found({"n": 1})
    assert JsonFiles(root).read("slot-42") == Found({"n": 2})


def test_a_file_taken_away_between_look_and_open_is_not_found(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json")

    def gone_then_open(path: str, flags: int, **rest: Any) -> int:
        (root / "slot-42.json").unlink(missing_ok=True)
        return os.open(path, flags, **rest)

    monkeypatch.setattr(safe_open, "os", Os(open=gone_then_open))
    assert JsonFiles(root).read("slot-42") == NotFound()
    put(root / "slot-42.json")
    many = JsonFiles(root / "slot-42.json", records="")
    assert reason(many.read("status")).endswith("slot-42.json is not there")


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (PermissionError(1, "Operation not permitted"), NoAccess, "permission denied"),
        (OSError(5, "Input/output error"), NoAnswer, "the disk gave an error"),
        (OSError(6, "No such device or address"), NoAnswer, "a device or a pipe"),
        (OSError(24, "Too many open files"), NoAnswer, "too many files open"),
        (OSError(116, "Stale file handle"), NoAnswer, "Stale file handle"),
    ],
)
def test_what_the_system_says_comes_in_plain_words(
    root: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, kind: type, words: str
) -> None:
    put(root / "slot-42.json")

    def failing(path: str, *_: Any, **__: Any) -> int:
        raise error

    monkeypatch.setattr(safe_open, "os", Os(open=failing))
    for source in (JsonFiles(root), JsonFiles(root / "slot-42.json", records="")):
        answer = source.read("slot-42")
        assert isinstance(answer, kind)
        assert words in answer.reason


def test_a_system_without_safe_opening_gives_no_answer(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "slot-42.json")
    monkeypatch.setattr(safe_open, "SUPPORTED", False)
    assert "this system cannot" in reason(JsonFiles(root).read("slot-42"))


def test_a_kind_of_file_without_a_name_is_no_answer() -> None:
    assert "something unknown" in safe_open._wrong_kind("x", 0).reason


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_no_read_however_it_ends_leaves_a_file_open(root: Path, outside: Path) -> None:
    put(root / "good.json")
    (root / "link.json").symlink_to(outside / "slot-42.json")
    os.mkfifo(root / "pipe.json")
    (root / "bad.json").write_text("{", encoding="utf-8")
    (root / "a").mkdir()
    os.truncate(root / "bad.json", 10 * 2**30)
    keys = ["good", "link", "pipe", "bad", "gone", "a/gone", "a/b/gone", "good/x", "../x"]
    before = len(os.listdir("/proc/self/fd"))
    for key in keys * 3:
        JsonFiles(root).read(key)
        JsonFiles(root / "good.json", records="").read(key)
    assert len(os.listdir("/proc/self/fd")) == before


# --- permission ----------------------------------------------------------------------------------

CHILD = """
import os, sys
from lastlook.sources import JsonFiles
root = sys.argv[1]
JsonFiles(root).read("warm-up")
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
for source, key in [
    (JsonFiles(root), "open"), (JsonFiles(root), "shut"), (JsonFiles(root), "closed/slot"),
    (JsonFiles(root + "/closed"), "slot"), (JsonFiles(root + "/shut.json", records=""), "x"),
]:
    print(type(source.read(key)).__name__)
"""


def test_what_may_not_be_read_is_no_access() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("open.json", "shut.json"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("{}")
        os.mkdir(os.path.join(folder, "closed"))
        os.chmod(os.path.join(folder, "open.json"), 0o644)
        os.chmod(os.path.join(folder, "shut.json"), 0)
        os.chmod(os.path.join(folder, "closed"), 0)
        run = subprocess.run(
            [sys.executable, "-c", CHILD, folder],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        os.chmod(os.path.join(folder, "closed"), 0o700)
    assert run.stderr == ""
    assert run.stdout.split() == ["Found", "NoAccess", "NoAccess", "NoAccess", "NoAccess"]


# --- content -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n",
        b'{"status": "avail',
        b'{"status": "available"}}',
        b'{"status": "available"} {"status": "gone"}',
        b'{"status": "available", "status": "unavailable"}',
        b'{"n": NaN}',
        b'{"n": -Infinity}',
        b'{"n": 1e999}',
        b'{"n": 1e-999}',
        b'{"n": ' + b"9" * 100_000 + b"}",
        b"[" * 100_000,
        b"[" * 65 + b"]" * 65,
        b'{"a":' * 100_000,
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b'{"status": "\xff"}',
        b'{"status": "\\ud800"}',
        b"\x00" * 1000,
        b"{'status': 'available'}",
        b"\x7fELF",
    ],
    ids=lambda content: ascii(content[:24]),
)
def test_content_that_is_not_strict_json_is_no_answer(root: Path, content: bytes) -> None:
    (root / "slot-42.json").write_bytes(content)
    answer = JsonFiles(root).read("slot-42")
    assert reason(answer).startswith("slot-42.json: ")
    assert len(reason(answer)) <= 300


def test_a_long_name_is_no_proof_of_absence(root: Path) -> None:
    assert "too long" in reason(JsonFiles(root).read("x" * 300))
    assert "longer than" in reason(JsonFiles(root).read("x" * 5000))


@pytest.mark.parametrize(
    "key", ["..", "a/../b", "/a", "a/", "a//b", ".", "", "a\\b", "a\0", "\x7f"]
)
def test_a_key_that_is_no_plain_path_is_no_proof_of_absence(root: Path, key: str) -> None:
    assert "the key" in reason(JsonFiles(root).read(key))
