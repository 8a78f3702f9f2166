"""The sources of one Lastlook, by name: refs name these and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from lastlook.core.ports import Source
from lastlook.core.refs import check_source_name, parse_ref
from lastlook.errors import DeclarationError, DuplicateName, NotRegistered
from lastlook.sources.answers import a
from lastlook.sources.lanes import Lanes
from lastlook.sources.memory import MemorySource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SourceLike: TypeAlias = "Source | dict[str, Any] | Callable[[str], object]"
"""What can be registered: a source, a dict of records by key, a function of the key."""

_CONFIG: Final = b"lastlook:source/1\n"
_CWD: Final = "cwd"


class Registry:
    """Named sources; the order of registration is kept.

    Args:
        sources: Sources by name; see `add` for what each may be.

    Raises:
        DeclarationError: As `add` does.

    Attributes:
        lanes: Where reads that may block run, a few at a time for each source.
    """

    def __init__(self, sources: Mapping[str, SourceLike] | None = None) -> None:
        self.lanes = Lanes()
        self._sources: dict[str, Source] = {}
        self._configs: dict[str, str] = {}
        self._stood_for: dict[str, tuple[Source, ...]] = {}
        given: object = sources or {}
        if not isinstance(given, Mapping):
            raise DeclarationError(
                f"sources is a mapping from name to source, not {a(sources)}",
                fix='Write it as in sources={"slots": JsonFiles("slots")}.',
            )
        for name, source in given.items():
            self.add(name, source)

    def add(self, name: str, source: SourceLike, *, builtin: bool = False) -> Source:
        """Register a source under a name.

        Args:
            name: Small letters, digits, `_` and `-`, with a letter first. `tool` is
                never a source's name; `cwd` only where `builtin` is True.
            source: A source; a dict of records by key, which becomes a `MemorySource`;
                or a function of the key, which becomes a `PythonSource`.
            builtin: Whether this is the command line's own source, `cwd`.

        Returns:
            The source as it is registered.

        Raises:
            DuplicateName: There is a source of that name already.
            DeclarationError: The name cannot be one, or this is not a source.
        """
        _must_be_name(name, builtin=builtin)
        if name in self._sources:
            raise DuplicateName(
                f"there is already a source named {name!r}", fix="Give this one another name."
            )
        made = self._sources[name] = _made(name, source)
        return made

    def route(self, ref: str) -> tuple[Source, str]:
        """Return the source that a ref names, and the key within it.

        Raises:
            TemplateError: The text is not a ref.
            NotRegistered: There is no source of that name here.
        """
        name, _, key = ref.partition(":")
        source = self._sources.get(name)
        if source is not None and key:
            return source, key
        raise self._unknown(parse_ref(ref).source)

    def name_of(self, source: object) -> str | None:
        """Return the name of a source, or of the one that stands in for it; None for neither."""
        for name, own in self._sources.items():
            if source is own or any(source is each for each in self._stood_for.get(name, ())):
                return name
        return None

    def with_others(self, others: Mapping[str, SourceLike]) -> Registry:
        """Return the same sources with others in the place of some; see `add` for what they are.

        Raises:
            NotRegistered: There is no source of that name to stand in for.
            DeclarationError: As `add` does.
        """
        made = Registry()
        for name in others:
            self[name]
        for name, source in self._sources.items():
            made.add(name, others.get(name, source), builtin=True)
            before = self._stood_for.get(name, ())
            made._stood_for[name] = (*before, source) if name in others else before
        return made

    def config(self, name: str) -> str:
        """Return the digest of a source's configuration, 64 hex digits.

        SHA-256 over `lastlook:source/1` and a line feed, and the canonical bytes of
        what the source's `describe()` says. Worked out once for each source.

        Raises:
            NotRegistered: There is no source of that name here.
            NotCanonical: What `describe()` says has no canonical form.
        """
        digest = self._configs.get(name)
        if digest is None:
            from lastlook.core.canonical import canonical_bytes

            data = canonical_bytes(self[name].describe())
            digest = self._configs[name] = hashlib.sha256(_CONFIG + data).hexdigest()
        return digest

    def __getitem__(self, name: str) -> Source:
        source = self._sources.get(name)
        if source is None:
            raise self._unknown(name)
        return source

    def __contains__(self, name: object) -> bool:
        return name in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def _unknown(self, name: str) -> NotRegistered:
        known = ", ".join(self._sources)
        fix = f"Registered here: {known}." if known else "No source is registered here."
        return NotRegistered(f"there is no source named {name!r} here", fix=fix)


def _must_be_name(name: object, *, builtin: bool) -> None:
    if not isinstance(name, str):
        raise DeclarationError(f"{name!r} cannot name a source", fix="A name is a text.")
    if not (builtin and name == _CWD):
        check_source_name(name)


def _made(name: str, source: object) -> Source:
    """Make a source of whatever was given, and look at its declarations."""
    if isinstance(source, dict):
        return MemorySource(source)
    if isinstance(source, type):
        raise DeclarationError(
            f"source {name!r} is the class {source.__name__}, not a source",
            fix=f"Make one: {source.__name__}(...).",
        )
    if isinstance(source, Source):
        _must_be_declared(name, source)
        return source
    if callable(source):
        from lastlook.sources.python import PythonSource

        return PythonSource(source)
    raise DeclarationError(
        f"source {name!r} is {a(source)}, not a source",
        fix="Give it a JsonFiles, a PythonSource, a function of the key or a dict.",
    )


def _must_be_declared(name: str, source: Source) -> None:
    """Refuse a source whose promises cannot be meant."""
    timeout: object = source.timeout
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        raise DeclarationError(f"source {name!r} has no time-out above 0 seconds")
    if source.consistency not in {"linearizable", "session", "eventual"}:
        raise DeclarationError(
            f"source {name!r} declares the consistency {source.consistency!r}",
            fix="It is one of linearizable, session, eventual.",
        )
    promises: tuple[object, object] = (source.blocking, source.absence_is_proof)
    if not all(isinstance(promise, bool) for promise in promises):
        raise DeclarationError(
            f"source {name!r} does not say by True or False whether it is blocking, "
            "and whether its absence is proof"
        )
