"""Which file systems a store may not be on.

SQLite's locks and its shared memory need one machine's own file system. Over a network
two machines may each believe that they hold the lock, and so dispatch one plan twice.
"""

from __future__ import annotations

import os
from typing import Final

from lastlook.errors import StoreError

_TABLE: Final = "/proc/self/mountinfo"
_NETWORK: Final = frozenset(
    "9p afs beegfs ceph cifs coda davfs davfs2 gfs2 glusterfs gpfs lustre ncp ncpfs nfs nfs4 "
    "ocfs2 orangefs prl_fs pvfs2 smb2 smb3 smbfs vboxsf vmhgfs".split()
)
_FUSE: Final = frozenset(
    "blobfuse blobfuse2 ceph ceph-fuse curlftpfs davfs gcsfuse glusterfs goofys google-drive-ocamlfuse "
    "juicefs mount-s3 mountpoint-s3 rclone s3fs seaweedfs smbnetfs sshfs vmhgfs-fuse".split()
)


def network_type(path: str, table: str) -> str | None:
    """Return the type of the network file system that `path` is on, or None.

    Args:
        path: An absolute path without symbolic links.
        table: What stands in `/proc/self/mountinfo` (proc(5)).
    """
    best, kind = "", ""
    for line in table.splitlines():
        mount, _, source = line.partition(" - ")
        point = _plain(mount.split(" ")[4])
        if _beneath(path, point) and len(point) >= len(best):
            best, kind = point, source.split(" ")[0]
    family, _, helper = kind.partition(".")
    distant = helper in _FUSE if family == "fuse" else kind in _NETWORK
    return kind if distant else None


def _plain(point: str) -> str:
    """Undo the octal escapes that the table has for white space and backslash."""
    for escape, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(escape, letter)
    return point


def _beneath(path: str, point: str) -> bool:
    return point in {"/", path} or path.startswith(f"{point}/")


def refuse_network(folder: str, table: str = _TABLE) -> None:
    """Refuse a folder that is on a network file system, where that can be told.

    Raises:
        StoreError: It is on one.
    """
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:
            kind = network_type(os.path.realpath(folder), file.read())
    except OSError:
        return  # only Linux has the table
    if kind is not None:
        raise StoreError(
            f"a store can't be on a network file system ({kind}): its locks don't hold there",
            where=folder,
            fix="Name a path on a local disk, with store= or LASTLOOK_STORE.",
        )
