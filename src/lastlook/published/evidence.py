"""Evidence under its published names: taken, looked at again, and compared."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, assert_never

from msgspec import Struct

from lastlook.app import Lastlook
from lastlook.core import check
from lastlook.core.evidence import Evidence, Found
from lastlook.core.fieldtext import print_selector
from lastlook.core.fingerprint import fingerprint
from lastlook.core.ports import Clock
from lastlook.errors import CaptureFailed
from lastlook.sources.files import JsonFiles

if TYPE_CHECKING:
    from lastlook.published.plans import ActionPlan
    from lastlook.sources.registry import SourceLike


class FreshCtx:
    """The published fingerprint of a JSON file, digit for digit.

    Sixteen digits, which other records can be made to share, and which take a missing
    member for null. They are for comparing notes with the articles; what is compared in
    here has `ll1` fingerprints, as `EvidenceStore.fingerprint_now` gives them.

    Args:
        fields: The names of the members that count.
        scheme: `freshctx16`, or `starebrain16` for the other article's.
    """

    def __init__(
        self,
        fields: Iterable[str],
        *,
        scheme: Literal["freshctx16", "starebrain16"] = "freshctx16",
    ) -> None:
        self.fields = as_names(fields)
        self.scheme = scheme

    def fingerprint(self, slot_path: str | os.PathLike[str]) -> str:
        """Read the file strictly, through no link, and return 16 hex digits.

        Warns:
            PublishedScheme: Each such fingerprint is too weak to be compared.

        Raises:
            CaptureFailed: There is no such file, or no JSON object in it.
        """
        path = os.path.abspath(os.fspath(slot_path))
        folder, name = os.path.split(path)
        reading = JsonFiles(folder, suffix_in_key=True).read(name)
        if not isinstance(reading, Found):
            raise CaptureFailed(f"the file could not be read: {reading.reason}", where=path)
        if not isinstance(reading.record, dict):
            raise CaptureFailed("the file holds no JSON object", where=path)
        return fingerprint(reading.record, self.fields, scheme=self.scheme)


class EvidenceDependency(Struct, frozen=True):
    """What a plan rests on; `EvidenceStore.capture` makes it.

    It can't be made of a bare fingerprint, since from two digests nobody can tell which
    field changed. `evidence` keeps the values that were read.
    """

    evidence: Evidence[Any]

    @property
    def source_id(self) -> str:
        """The record, `source:key`."""
        return self.evidence.ref

    @property
    def fields(self) -> tuple[str, ...]:
        """The declared fields as text, sorted by selector; no literal of a secret one."""
        return tuple(item.shown for item in self.evidence.fields)

    @property
    def fingerprint(self) -> str:
        """`ll1:` and 64 hex digits over the declared fields when they were read."""
        return self.evidence.fingerprint

    @property
    def captured_at(self) -> datetime | None:
        """When they were read (UTC)."""
        return self.evidence.captured_at


class Valid(Struct, frozen=True, kw_only=True):
    """Every declared field still holds."""

    source_id: str


class Stale(Struct, frozen=True, kw_only=True):
    """At least one declared field changed.

    Attributes:
        changed_fields: Their names.
        changes: The same with the values before and now.
    """

    source_id: str
    changed_fields: tuple[str, ...]
    captured_fingerprint: str
    current_fingerprint: str
    changes: tuple[check.Change, ...] = ()


class Unresolvable(Struct, frozen=True, kw_only=True):
    """The dependency could not be read, and so never passes."""

    source_id: str
    reason: str


ValidationResult: TypeAlias = Valid | Stale | Unresolvable


class EvidenceStore:
    """Where records are read, each time afresh.

    Args:
        sources: By name, as for `Lastlook`: a source, a dict of records, a function.
        clock: Where the time comes from.
    """

    def __init__(self, sources: Mapping[str, SourceLike], *, clock: Clock | None = None) -> None:
        self.sources = dict(sources)
        self.clock = clock
        self._look = Lastlook(sources=self.sources, store="memory", clock=clock)

    def capture(self, source_id: str, fields: Iterable[str]) -> EvidenceDependency:
        """Read a record now and keep its declared fields, values and all.

        Raises:
            CaptureFailed: There is no such record, or it could not be read.
            DeclarationError: A field names nothing, or its condition is false already.
            NotRegistered: There is no such source.
        """
        return EvidenceDependency(self._look.read(source_id, *as_names(fields)))

    def fingerprint_now(self, source_id: str, fields: Iterable[str]) -> str:
        """Return the fingerprint of a record's declared fields as they are now.

        Equal to a dependency's where nothing changed. A record that can't be read has
        none, and raises as `capture` does.
        """
        return self.capture(source_id, fields).fingerprint

    def diff_fields(self, dependency: EvidenceDependency) -> tuple[str, ...]:
        """Return the names of the fields that are not what they were; () if all hold.

        Raises:
            CaptureFailed: The record can't be read now, so nothing can be said.
        """
        (result,) = self.look([dependency])
        if isinstance(result, Unresolvable):
            raise CaptureFailed(f"could not be read: {result.reason}", where=result.source_id)
        return result.changed_fields if isinstance(result, Stale) else ()

    def look(self, dependencies: Sequence[EvidenceDependency]) -> list[ValidationResult]:
        """Read all of them again under one deadline, and compare; never raises for a read."""
        evidence = [item.evidence for item in dependencies]
        return [published_result(item) for item in self._look.world.look(evidence, salts(evidence))]


class PreDispatchValidator:
    """Looks at what a plan rests on.

    A preview for whoever wants one: `ActionDispatcher` looks itself, after its claim.
    """

    def __init__(self, evidence_store: EvidenceStore) -> None:
        self.evidence_store = evidence_store

    def validate(self, plan: ActionPlan) -> list[ValidationResult]:
        """Return one result a dependency, in order; a failure hides no other."""
        return self.evidence_store.look(plan.evidence_dependencies)


def published_result(result: check.CheckResult) -> ValidationResult:
    """Return a check's result under its published names."""
    match result:
        case check.Valid():
            return Valid(source_id=result.ref)
        case check.Stale():
            return Stale(
                source_id=result.ref,
                changed_fields=tuple(dict.fromkeys(map(print_selector, result.changed))),
                captured_fingerprint=result.captured,
                current_fingerprint=result.current,
                changes=result.changes,
            )
        case check.Unresolvable():
            return Unresolvable(source_id=result.ref, reason=result.reason)
        case _ as unreachable:
            assert_never(unreachable)


def salts(evidence: Iterable[Evidence[Any]]) -> dict[str, bytes]:
    """Return the salts of secret fields, which are kept beside what was read."""
    return {k: v for item in evidence for k, v in item.__dict__.get("salts", {}).items()}


def as_names(fields: Iterable[str]) -> tuple[str, ...]:
    """Return fields as a tuple; one text is one field, not its letters."""
    return (fields,) if isinstance(fields, str) else tuple(fields)
