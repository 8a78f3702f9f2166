"""Where plans are kept, and why there.

In this order: what the program says, `LASTLOOK_STORE`, `.lastlook/plans.db` beside the
nearest `lastlook.toml` above the working directory, and else the user's state folder.
Never simply the working directory: two processes that start in different folders would
keep two stores, and a plan could be dispatched in both.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike
from typing import Final

from msgspec import Struct

from lastlook.errors import StoreError

MEMORY: Final = "memory"
CONFIG: Final = "lastlook.toml"
_FILE: Final = "plans.db"


class Location(Struct, frozen=True, kw_only=True):
    """Where the store is.

    Attributes:
        path: An absolute path, or `memory`.
        why: Why it is there, for people.
        hidden: Whether its folder is Lastlook's own inside a project, and so is kept
            out of the project's version control.
    """

    path: str
    why: str
    hidden: bool = False


def locate(
    spec: str | PathLike[str] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: str | None = None,
) -> Location:
    """Return where the store is; nothing is opened or made.

    Args:
        spec: What the program says: a path, `memory`, or None.
        environ: The environment; the process's own by default.
        folder: The working directory; the process's own by default.

    Raises:
        StoreError: What was said is neither a path nor `memory`.
    """
    environ = os.environ if environ is None else environ
    folder = os.getcwd() if folder is None else folder
    if spec is not None:
        return _said(os.fspath(spec), "given by the program", folder)
    if environ.get("LASTLOOK_STORE"):
        return _said(environ["LASTLOOK_STORE"], "LASTLOOK_STORE says so", folder)
    config = nearest_config(folder)
    if config is not None:
        path = os.path.join(os.path.dirname(config), ".lastlook", _FILE)
        return Location(path=path, why=f"beside {short(config)}", hidden=True)
    return Location(
        path=os.path.join(_state_folder(environ), "lastlook", _FILE),
        why=f"no {CONFIG} above this folder",
    )


def _said(text: str, why: str, folder: str) -> Location:
    if text == MEMORY:
        return Location(path=MEMORY, why=why)
    if not text or "\0" in text or "://" in text or text.startswith(":"):
        raise StoreError(
            f"this is not a place for a store: {text!r}",
            where=why,
            fix='Name a file, such as "plans.db", or "memory".',
        )
    return Location(path=os.path.join(folder, os.path.expanduser(text)), why=why)


def nearest_config(folder: str) -> str | None:
    """Return the path of the nearest `lastlook.toml` in `folder` or above it."""
    while True:
        config = os.path.join(folder, CONFIG)
        if os.path.isfile(config):
            return config
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _state_folder(environ: Mapping[str, str]) -> str:
    """Return the folder that the XDG Base Directory Specification names for state."""
    folder = environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(folder):
        return folder
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(home, ".local", "state")


def short(path: str) -> str:
    """Return a path as people write it, with `~` for their home."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path
