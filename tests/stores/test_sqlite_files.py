"""The store's file and folder: private whatever the umask, and refused where they are not."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lastlook.errors import StoreCorrupt, StoreError, StoreFull, StoreReadOnly
from lastlook.stores import files
from lastlook.stores.driver import load
from lastlook.stores.faults import of_system
from lastlook.stores.files import check_file, create, keep_reserve, prepare_folder
from lastlook.stores.mounts import network_type, refuse_network
from lastlook.stores.sqlite import SqliteStore
from tests.stores.world import added, confirmed

ROOT = os.geteuid() == 0
NOBODY = 65534


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path | str) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a store that has been used and closed."""
    path = tmp_path / "plans.db"
    store = SqliteStore(path)
    confirmed(store)
    store.close()
    return path


def refused(path: Path, kind: type[StoreError] = StoreError) -> StoreError:
    """What a store says of this file, which must stay as it is."""
    before = path.read_bytes() if path.is_file() else None
    beside = sorted(os.listdir(path.parent))
    with pytest.raises(StoreError) as caught:
        SqliteStore(path).plans()
    assert type(caught.value) is kind
    assert (path.read_bytes() if path.is_file() else None) == before
    assert sorted(os.listdir(path.parent)) == beside
    assert caught.value.where
    return caught.value


# --- made private ---------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o777], ids=oct)
@pytest.mark.parametrize("kind", ["bundled", "standard library"])
def test_files_are_private_whatever_the_umask(tmp_path: Path, mask, kind):
    import sqlite3

    folder = tmp_path / "a" / "b"
    driver = sqlite3 if kind == "standard library" else None
    with umask(mask):
        store = SqliteStore(folder / "plans.db", driver=driver, hidden=True)
        confirmed(store)
        found = {name: mode(folder / name) for name in os.listdir(folder)}
        store.close()
    assert {"plans.db", "plans.db-reserve", ".gitignore"} <= found.keys()
    if store.settings()["journal_mode"] == "wal":
        assert {"plans.db-wal", "plans.db-shm"} <= found.keys()
    store.close()
    assert set(found.values()) == {0o600}
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


def test_a_journal_file_beside_the_store_is_private_too(tmp_path: Path):
    import sqlite3

    with umask(0):
        store = SqliteStore(tmp_path / "plans.db", driver=sqlite3)
        confirmed(store)
        left = [name for name in os.listdir(tmp_path) if name.endswith("-journal")]
        assert [mode(tmp_path / name) for name in left] == [0o600] * len(left)
        store.close()


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path):
    folder = tmp_path / "a"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    store = SqliteStore(folder / "plans.db")
    added(store)
    store.close()
    assert mode(folder) == 0o755


def test_nothing_is_left_of_the_making(path: Path):
    assert sorted(os.listdir(path.parent)) == ["plans.db", "plans.db-reserve"]
    assert os.stat(path).st_nlink == 1


def test_of_two_that_make_a_store_at_once_one_wins(tmp_path: Path):
    path = tmp_path / "plans.db"

    def build(part: str) -> None:
        Path(part).write_bytes(b"mine")
        path.write_bytes(b"theirs")

    create(str(path), build)
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["plans.db"]


def test_a_store_that_could_not_be_made_leaves_nothing(tmp_path: Path):
    def build(part: str) -> None:
        Path(f"{part}-journal").write_bytes(b"")
        raise StoreFull("the disk is full")

    with pytest.raises(StoreFull):
        create(str(tmp_path / "plans.db"), build)
    assert os.listdir(tmp_path) == []


def test_a_store_on_a_disk_that_cannot_link_is_refused(tmp_path: Path):
    with pytest.raises(StoreError, match="No such file"):
        create(str(tmp_path / "plans.db"), os.unlink)
    assert os.listdir(tmp_path) == []


def test_odd_names_are_fine(tmp_path: Path):
    for name in ("a b", "50%", "wh?t", "#1", "ä", "a&b=c"):
        store = SqliteStore(tmp_path / name / f"{name}.db")
        added(store)
        store.close()
        assert sorted(os.listdir(tmp_path / name)) == [f"{name}.db", f"{name}.db-reserve"]


def test_a_relative_path_stays_where_it_was_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    store = SqliteStore("plans.db")
    monkeypatch.chdir("/")
    added(store)
    store.close()
    assert (tmp_path / "plans.db").exists()


# --- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o666], ids=oct)
def test_a_file_that_others_may_use_is_refused_with_what_to_type(path: Path, bits):
    path.chmod(bits)
    assert refused(path).fix == f"Type: chmod 600 {path}"
    path.chmod(0o600)
    SqliteStore(path).get("k7f3")


def test_what_to_type_is_quoted(tmp_path: Path):
    path = tmp_path / "my plans.db"
    store = SqliteStore(path)
    added(store)
    store.close()
    path.chmod(0o644)
    assert refused(path).fix == f"Type: chmod 600 '{path}'"


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_a_file_beside_the_store_that_others_may_use_is_refused(path: Path, end):
    beside = path.with_name(path.name + end)
    beside.touch()
    beside.chmod(0o644)
    assert refused(path).fix == f"Type: chmod 600 {beside}"


@pytest.mark.parametrize("bits", [0o770, 0o707, 0o777], ids=oct)
def test_a_folder_in_which_others_may_write_is_refused_with_what_to_type(path: Path, bits):
    path.parent.chmod(bits)
    assert refused(path).fix == f"Type: chmod go-w {path.parent}"


def test_a_link_to_a_store_is_refused(path: Path):
    link = path.with_name("link.db")
    link.symlink_to(path)
    assert refused(link).fix == f"Name the place itself: {path}"


def test_a_link_to_nothing_is_refused_and_not_followed(tmp_path: Path):
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "target.db")
    refused(link)
    assert not (tmp_path / "target.db").exists()


def test_a_link_to_the_folder_is_refused(path: Path, tmp_path_factory: pytest.TempPathFactory):
    link = tmp_path_factory.mktemp("other") / "link"
    link.symlink_to(path.parent)
    assert "symbolic link" in refused(link / "plans.db").what


@pytest.mark.skipif(not ROOT, reason="only root can give a file away")
@pytest.mark.parametrize("what", ["file", "folder", "beside"])
def test_another_owner_is_refused(path: Path, what):
    beside = path.with_name("plans.db-wal")
    beside.touch(mode=0o600)
    os.chown({"file": path, "folder": path.parent, "beside": beside}[what], NOBODY, NOBODY)
    assert "another user" in refused(path).what


def test_a_folder_in_place_of_the_store_is_refused(tmp_path: Path):
    (tmp_path / "plans.db").mkdir()
    refused(tmp_path / "plans.db", StoreCorrupt)


def test_a_pipe_or_socket_in_place_of_the_store_is_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.db", 0o600)
    refused(tmp_path / "pipe.db", StoreCorrupt)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket.db"))
        (tmp_path / "socket.db").chmod(0o600)
        refused(tmp_path / "socket.db", StoreCorrupt)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path):
    (tmp_path / "folder").write_bytes(b"")
    with pytest.raises(StoreError, match="not a folder"):
        SqliteStore(tmp_path / "folder" / "plans.db").plans()
    with pytest.raises(StoreError, match="Not a directory"):
        SqliteStore(tmp_path / "folder" / "deeper" / "plans.db").plans()


def private(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def test_an_empty_file_is_refused(tmp_path: Path):
    error = refused(private(tmp_path / "plans.db", b""), StoreCorrupt)
    assert "empty" in error.what


@pytest.mark.parametrize(
    "content",
    [b"hello\n", b"x" * 8192, b"SQLite format 3\x00", b"SQLite format 3\x00" + b"\x00" * 8192],
    ids=["text", "noise", "half a header", "a header and nothing"],
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content):
    refused(private(tmp_path / "plans.db", content), StoreCorrupt)


@pytest.mark.parametrize("setting", ["application_id = 252006", "journal_mode = WAL"])
def test_the_database_of_another_program_is_refused(tmp_path: Path, setting):
    path = private(tmp_path / "plans.db", b"")
    raw = load().connect(str(path), isolation_level=None)
    raw.execute(f"PRAGMA {setting}")
    raw.execute("CREATE TABLE plans (id)")
    raw.close()
    assert "another program" in refused(path, StoreCorrupt).what


def test_a_database_of_another_program_with_work_in_its_log_is_left_alone(tmp_path: Path):
    path = private(tmp_path / "plans.db", b"")
    raw = load().connect(str(path), isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("CREATE TABLE other (id)")
    for end in ("", "-wal"):
        private(tmp_path / f"copy.db{end}", path.with_name(path.name + end).read_bytes())
    raw.close()
    before = {end: (tmp_path / f"copy.db{end}").read_bytes() for end in ("", "-wal")}
    with pytest.raises(StoreCorrupt):
        SqliteStore(tmp_path / "copy.db").plans()
    assert {end: (tmp_path / f"copy.db{end}").read_bytes() for end in before} == before


def test_a_database_without_tables_is_refused(tmp_path: Path):
    path = private(tmp_path / "plans.db", b"")
    raw = load().connect(str(path), isolation_level=None)
    raw.execute("PRAGMA user_version = 1")
    raw.close()
    refused(path, StoreCorrupt)


@pytest.mark.parametrize("part", [0.5, 0.9])
def test_a_store_that_was_cut_off_is_refused(path: Path, part):
    os.truncate(path, int(path.stat().st_size * part))
    refused(path, StoreCorrupt)


def test_a_file_that_may_not_be_written_is_refused(path: Path):
    path.chmod(0o400)
    if ROOT:
        assert SqliteStore(path).plans()  # a mode does not bind root
    else:
        refused(path, StoreReadOnly)


def as_nobody(act) -> type[BaseException] | None:
    """What `act` raises in a child that is not root."""
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            act()
            code = 0
        except StoreReadOnly:
            code = 1
        except StoreError:
            code = 2
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return {0: None, 1: StoreReadOnly, 2: StoreError}[os.waitstatus_to_exitcode(status)]


@pytest.mark.skipif(not ROOT, reason="only root can become somebody else")
@pytest.mark.parametrize("bits", [0o500, 0o600, 0o000], ids=oct)
def test_a_folder_that_may_not_be_written_is_refused(bits):
    folder = Path(tempfile.mkdtemp())  # where everybody may look
    try:
        os.chown(folder, NOBODY, NOBODY)
        folder.chmod(bits)
        store = SqliteStore(folder / "plans.db")
        assert as_nobody(store.plans) is StoreReadOnly
        assert as_nobody(SqliteStore(folder / "a" / "plans.db").plans) is StoreReadOnly
        assert os.listdir(folder) == []
    finally:
        folder.rmdir()


@pytest.mark.skipif(ROOT, reason="a mode does not bind root")
def test_a_folder_that_we_may_not_write_is_refused(tmp_path: Path):
    tmp_path.chmod(0o500)
    try:
        refused(tmp_path / "plans.db", StoreReadOnly)
    finally:
        tmp_path.chmod(0o700)


def test_the_words_of_the_system_become_ours():
    import errno

    for number, kind in [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EROFS, StoreReadOnly),
        (errno.EACCES, StoreReadOnly),
        (errno.EMFILE, StoreError),
    ]:
        error = of_system(OSError(number, os.strerror(number)), "/x")
        assert type(error) is kind
        assert error.where == "/x"
    assert "OSError" in str(of_system(OSError("odd"), "/x"))


def test_without_owners_and_modes_only_the_rest_is_looked_at(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(files, "_POSIX", False)
    path.chmod(0o666)
    path.parent.chmod(0o777)
    prepare_folder(str(path.parent), hidden=False)
    assert check_file(str(path))
    create(str(path.with_name("new.db")), lambda part: None)
    assert path.with_name("new.db").exists()


# --- the reserve ----------------------------------------------------------------------------------


def test_room_is_kept_beside_the_store(path: Path):
    reserve = path.with_name("plans.db-reserve")
    assert reserve.stat().st_size == files.RESERVE_BYTES
    reserve.unlink()
    store = SqliteStore(path)
    store.get("k7f3")
    store.close()
    assert reserve.stat().st_size == files.RESERVE_BYTES


def test_a_reserve_that_is_there_stays(path: Path):
    before = path.with_name("plans.db-reserve").read_bytes()
    keep_reserve(str(path))
    assert path.with_name("plans.db-reserve").read_bytes() == before


# --- network file systems -------------------------------------------------------------------------

TABLE = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
23 22 0:21 / /proc rw,nosuid - proc proc rw
30 22 0:40 / /mnt/nfs rw - nfs4 host:/x rw,vers=4.2
31 22 0:41 / /mnt/nfs/local rw - ext4 /dev/vdb rw
32 22 0:42 / /mnt/share\\040one rw master:3 - cifs //host/x rw
33 22 0:43 / /mnt/ssh rw - fuse.sshfs host: rw
34 22 0:44 / /mnt/usb rw - fuseblk /dev/sdb rw
35 22 0:45 / /mnt/plan9 rw - 9p host rw
36 22 0:46 / /mnt/doc rw - fuse.portal portal rw
37 22 0:47 / /mnt/over rw - ext4 /dev/vdc rw
38 37 0:48 / /mnt/over rw - smb3 //host/y rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ana", None),
        ("/mnt/nfs", "nfs4"),
        ("/mnt/nfs/deep/er", "nfs4"),
        ("/mnt/nfs/local/x", None),
        ("/mnt/nfsx", None),
        ("/mnt/share one/x", "cifs"),
        ("/mnt/ssh/x", "fuse.sshfs"),
        ("/mnt/usb", None),
        ("/mnt/plan9", "9p"),
        ("/mnt/doc", None),
        ("/mnt/over/x", "smb3"),
    ],
)
def test_a_network_file_system_is_told_by_its_mount(path, kind):
    assert network_type(path, TABLE) == kind


def test_a_store_on_a_network_file_system_is_refused(tmp_path: Path):
    table = tmp_path / "mountinfo"
    table.write_text(f"22 1 0:40 / {tmp_path} rw - nfs4 host:/x rw\n", encoding="utf-8")
    with pytest.raises(StoreError, match="nfs4"):
        refuse_network(str(tmp_path), str(table))


def test_where_there_is_no_table_of_mounts_nothing_is_refused(tmp_path: Path):
    refuse_network(str(tmp_path), str(tmp_path / "none"))
