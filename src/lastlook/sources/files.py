"""Records in files: a folder with one file each, or one file with many."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from lastlook.core.canonical import LIMITS, Limits
from lastlook.core.evidence import Found, NoAnswer, NotFound, Reading
from lastlook.errors import BadJSON, DeclarationError
from lastlook.sources.answers import a, capped
from lastlook.sources.safe_open import read_beneath, read_file
from lastlook.sources.texts import SUFFIXES, parse_text

if TYPE_CHECKING:
    from lastlook.core.evidence import Consistency

MAX_BYTES: Final = LIMITS.bytes
"""The most that is read of one file, unless said otherwise: 4 MiB."""

_LONGEST_KEY: Final = 4096


class JsonFiles:
    """Records in JSON, TOML or YAML files.

    A folder holds one file for each record: `slots:slot-42` is `slots/slot-42.json`,
    or `.toml`, `.yaml`, `.yml`; a key may name folders beneath, as in `north/slot-42`.
    One file holds many records where `id` or `records` is given. Every read opens the
    file anew; nothing beneath the folder is read through a symbolic link, and nothing
    that is not a regular file (see `lastlook.sources.safe_open`). JSON is read
    strictly; YAML needs the extra `yaml`; TOML and YAML are read up to 128 KiB.

    Args:
        root: The folder, or the file of many records. A relative path is relative to
            the working directory of this moment. It need not be there yet.
        id: The member that names a record, in a file that holds a list of them.
        records: Where in the file the records are, as a JSON Pointer; `""` is the
            whole. What is there is a list (then give `id`) or an object by key.
        suffix_in_key: Whether keys are whole file names, as in `slots/slot-42.json`.
        max_bytes: The most that is read of one file.

    Raises:
        DeclarationError: Options that cannot be meant, or no usable path.

    Attributes:
        root: The absolute path.
    """

    blocking: bool = False
    consistency: Consistency = "linearizable"
    absence_is_proof: bool = True
    timeout: float = 2.0

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        id: str | None = None,  # noqa: A002  # what people call it
        records: str | None = None,
        suffix_in_key: bool = False,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.root = _absolute(root)
        self._id = _member_name(id)
        self._pointer = records
        self._tokens = _tokens(records or "")
        self._one_file = id is not None or records is not None
        self._suffixes = ("",) if suffix_in_key else SUFFIXES
        self._max_bytes = _size(max_bytes)
        # The limit on values is meant for one record; a file of many is held by its bytes.
        nodes = max_bytes if self._one_file else LIMITS.nodes
        self._limits = Limits(bytes=max_bytes, nodes=nodes)
        if self._one_file and suffix_in_key:
            raise DeclarationError("suffix_in_key is for a folder; id and records are for one file")

    def read(self, key: str, /) -> Reading:
        """Open the file anew, and return the record that it holds now."""
        if self._one_file:
            return self._read_member(key)
        parts = _parts(key)
        if isinstance(parts, NoAnswer):
            return parts
        *folders, last = parts
        names = [last + suffix for suffix in self._suffixes]
        got = read_beneath(self.root, folders, names, max_bytes=self._max_bytes)
        if isinstance(got, tuple):
            return self._parsed(*got)
        if isinstance(got, NotFound) and last.endswith(self._suffixes) and self._suffixes[0]:
            return NotFound("not found: a key of this source is written without its suffix")
        return got

    def describe(self) -> dict[str, object]:
        """Return the kind, the absolute path and the options that say what is read."""
        return {
            "kind": "files",
            "root": self.root,
            "id": self._id,
            "records": self._pointer,
            "suffix_in_key": not self._suffixes[0],
        }

    def _parsed(self, name: str, data: bytes) -> Reading:
        try:
            return Found(parse_text(name, data, self._limits))
        except BadJSON as error:
            return NoAnswer(capped(f"{name}: {error}"))

    def _read_member(self, key: str) -> Reading:
        got = read_file(self.root, max_bytes=self._max_bytes)
        if not isinstance(got, tuple):
            return got
        whole = self._parsed(*got)
        if not isinstance(whole, Found):
            return whole
        there, records = _at(whole.record, self._tokens)
        if not there:
            return NoAnswer(f"there is no {self._pointer} in {self.root}")
        if self._id is not None:
            return _by_id(records, self._id, key)
        if not isinstance(records, dict):
            return NoAnswer(f"the records are {a(records)}, not an object; for a list say id=")
        return Found(records[key]) if key in records else NotFound()


def _absolute(root: str | os.PathLike[str]) -> str:
    try:
        path: object = os.fspath(root)
    except TypeError:
        raise DeclarationError(f"JsonFiles takes a path, not {a(root)}") from None
    if not isinstance(path, str) or not path or "\0" in path:
        raise DeclarationError(f"{path!r} cannot be a path")
    try:
        return os.path.abspath(path)
    except OSError as error:
        raise DeclarationError(
            f"the working directory cannot be told: {error.strerror}", where=path
        ) from None


def _member_name(name: object) -> str | None:
    if name is None or (isinstance(name, str) and name):
        return name
    raise DeclarationError(f"id names the member of a record that holds its key, not {name!r}")


def _tokens(pointer: str) -> tuple[str, ...]:
    """Split a JSON Pointer (RFC 6901) into its tokens."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise DeclarationError(
            f"records is a JSON Pointer, and {pointer!r} is none", fix='Write it as in "/slots".'
        )
    parts = pointer[1:].split("/")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def _size(max_bytes: int) -> int:
    if type(max_bytes) is not int or max_bytes < 1:
        raise DeclarationError(f"max_bytes is a number of bytes above 0, not {max_bytes!r}")
    return max_bytes


def _parts(key: str) -> list[str] | NoAnswer:
    """Split a key into names of folders and a file, or say why it can be none.

    A key that is refused is not `NotFound`: it proves the absence of nothing.
    """
    if len(key) > _LONGEST_KEY:
        return NoAnswer(f"the key is longer than {_LONGEST_KEY:,} characters")
    if any(ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000 for c in key):
        return NoAnswer("the key holds a character that no name of a file may hold")
    if "\\" in key:
        return NoAnswer("the key holds a backslash; folders are separated by /")
    parts = key.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        return NoAnswer("the key is not a plain path beneath the folder: an empty part, . or ..")
    return parts


def _at(value: Any, tokens: tuple[str, ...]) -> tuple[bool, Any]:
    """Follow a pointer; False where it names nothing."""
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            return False, None
    return True, value


def _by_id(records: object, member: str, key: str) -> Reading:
    """Find the one element of that id; each must have one, or absence would prove nothing."""
    if not isinstance(records, list):
        return NoAnswer(f"the records are {a(records)}, not a list; for an object leave id out")
    found: list[object] = []
    for place, record in enumerate(records):
        name = record.get(member) if isinstance(record, dict) else None
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            return NoAnswer(f"element {place} has no {member} that is a text or an integer")
        if str(name) == key:
            found.append(record)
    if len(found) > 1:
        return NoAnswer(f"ambiguous: {len(found)} records have the {member} {key}")
    return Found(found[0]) if found else NotFound()
