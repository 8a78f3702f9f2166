"""Reads: how evidence is captured while a plan is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from lastlook.core.canonical import encode, from_wire
from lastlook.core.evidence import Evidence, Found, NotFound, Reading, Wire, capture
from lastlook.core.fields import Field, as_fields, beside
from lastlook.core.members import capture_members
from lastlook.core.ports import Reader
from lastlook.core.queries import Query
from lastlook.core.withheld import told
from lastlook.errors import (
    CaptureFailed,
    ConditionNotMet,
    DeclarationError,
    NotCanonical,
    TemplateError,
)
from lastlook.planning.beside import Beside

_ABSENT: Final = "Where the plan rests on its absence, say plan.absent(ref)."


class Reads:
    """The reads of one planner run: one ref is read once, however often it is named.

    Args:
        reader: Where records come from.
        previous: The evidence of the blocked plan, by ref, where a fresh one is made:
            a field that it had may be absent now.
        missing: Returns what to do about a ref whose record is not there.
    """

    def __init__(
        self,
        reader: Reader,
        previous: Sequence[Evidence[Any]] = (),
        *,
        missing: Callable[[str], str] = lambda _: _ABSENT,
    ) -> None:
        self._reader = reader
        self._missing = missing
        self._previous = {item.ref: item for item in previous}
        self._readings: dict[str, Reading] = {}
        self._fields: dict[str, dict[str, Field]] = {}
        self.evidence: dict[str, Evidence[Any]] = {}
        self.salts: dict[str, bytes] = {}

    def record(self, ref: str, spec: Any) -> Evidence[Any]:
        """Read the record, keep the declared fields, and return them as evidence.

        Raises:
            CaptureFailed: The source has no such record, or did not answer.
            NotRegistered: There is no such source.
            DeclarationError: The fields cannot be captured: see its subclasses.
        """
        wanted = as_fields(spec)
        _must_be_ref(ref)
        fields = dict(self._fields.get(ref, {}))
        for item in wanted:
            self._add(ref, fields, item)
        found = self._found(ref, fields.values())
        self._salt(ref, wanted)
        traits = self._reader.traits(ref)
        with _naming(ref):
            evidence = capture(
                found.record,
                list(fields.values()),
                ref=ref,
                captured_at=self._reader.now(),
                version=found.version,
                source_config=traits.config,
                consistency=traits.consistency,
                salts=self.salts,
                previous=self._previous.get(ref),
            )
        # Salts stay outside what is sealed, and go along for a plan made by hand.
        evidence.__dict__["salts"] = self.salts
        evidence.__dict__["beside"] = Beside([found.record])
        self._fields[ref] = fields
        self.evidence[ref] = evidence
        return evidence

    def absence(self, ref: str) -> Evidence[Any]:
        """Read that there is no such record, and keep that as evidence.

        Raises:
            DeclarationError: The source's *not found* is no proof of absence.
            ConditionNotMet: There is such a record.
            CaptureFailed: The source did not answer.
        """
        _must_be_ref(ref)
        traits = self._reader.traits(ref)
        if not traits.absence_is_proof:
            raise DeclarationError(
                f"{ref}: that its source finds nothing is no proof that there is nothing",
                fix="Declare absence at a source whose negative answer can be relied on.",
            )
        match self._reading(ref):
            case NotFound():
                pass
            case Found():
                raise ConditionNotMet(f"{ref} exists, and the plan rests on its absence")
            case silent:
                raise _silent(ref, silent.reason)
        evidence: Evidence[Any] = capture(
            None,
            (),
            kind="absence",
            ref=ref,
            captured_at=self._reader.now(),
            source_config=traits.config,
            consistency=traits.consistency,
        )
        self.evidence[ref] = evidence
        return evidence

    def query(self, query: Query[..., Any], sealed: dict[str, Wire]) -> Evidence[Any]:
        """Ask a query, keep its members' declared fields, and return them as evidence.

        Args:
            sealed: The query's arguments by name, as typed JSON.

        Raises:
            CaptureFailed: The source did not answer, or there are too many members.
            NotRegistered: The query's source is not registered here.
            DeclarationError: The fields cannot be captured: see its subclasses.
        """
        ref = self._reader.query_ref(query)
        place = f"{ref}?{encode(sealed).decode()}"
        if place not in self._readings:
            self._readings[place] = self._reader.query(ref, sealed)
        answer = self._readings[place]
        if not isinstance(answer, Found):
            raise _silent(ref, answer.reason, query.fields)
        self._salt(ref, query.fields)
        traits = self._reader.traits(ref)
        with _naming(ref):
            evidence = capture_members(
                answer.record,
                query.fields,
                ref=ref,
                params={name: from_wire(wire) for name, wire in sealed.items()},
                may=query.may,
                cap=query.cap,
                captured_at=self._reader.now(),
                version=answer.version,
                source_config=traits.config,
                consistency=traits.consistency,
                salts=self.salts,
                previous=self._previous.get(ref),
            )
        evidence.__dict__["beside"] = Beside(dict(answer.record).values())
        self.evidence[place] = evidence
        return evidence

    def _salt(self, ref: str, fields: Sequence[Field]) -> None:
        for item in fields:
            if item.is_secret:
                self.salts.setdefault(f"{ref}#{item.selector}", self._reader.salt())

    def _found(self, ref: str, fields: Iterable[Field]) -> Found:
        match self._reading(ref):
            case Found() as found:
                return found
            case NotFound(reason=reason):
                raise CaptureFailed(
                    f"{ref} does not exist ({told(reason, 'not found', fields)})",
                    where=ref,
                    fix=self._missing(ref),
                )
            case silent:
                raise _silent(ref, silent.reason, fields)

    def _reading(self, ref: str) -> Reading:
        if ref not in self._readings:
            self._readings[ref] = self._reader.read(ref)
        return self._readings[ref]

    @staticmethod
    def _add(ref: str, fields: dict[str, Field], item: Field) -> None:
        known = fields.setdefault(item.selector, item)
        if known != item:
            raise DeclarationError(
                f"{ref}: one field is declared twice, as {beside(known, item)} and as "
                f"{beside(item, known)}",
                fix="Declare it once, with all that must hold.",
            )


def _must_be_ref(ref: object) -> None:
    if not isinstance(ref, str):
        raise TemplateError(f"{ref!r} is not a ref", fix='Write "source:key".')


def _silent(ref: str, reason: str, fields: Iterable[Field] = ()) -> CaptureFailed:
    reason = told(reason, "no answer", fields)
    return CaptureFailed(f"{ref} could not be read: {reason}", where=ref)


@contextmanager
def _naming(ref: str) -> Iterator[None]:
    """Let what is refused at a capture say of which record."""
    try:
        yield
    except (DeclarationError, NotCanonical) as error:
        error.where = f"{ref}#{error.where}" if error.where else ref
        raise


def read_fields(reads: Reads, ref: str, spec: Sequence[Any]) -> Evidence[Any]:
    """Read a record by fields, or by one class of `Facts`, which its `.facts` then is."""
    one = spec[0] if len(spec) == 1 else spec
    evidence = reads.record(ref, one)
    if isinstance(one, type):
        evidence.__dict__["shape"] = one
    return evidence
