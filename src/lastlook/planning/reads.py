"""Reads: how evidence is captured while a plan is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lastlook.core.evidence import Evidence, Found, NotFound, Reading, capture
from lastlook.core.fields import Field, as_fields
from lastlook.core.ports import Reader
from lastlook.errors import CaptureFailed, ConditionNotMet, DeclarationError


class Reads:
    """The reads of one planner run: one ref is read once, however often it is named.

    Args:
        reader: Where records come from.
        previous: The evidence of the blocked plan, by ref, where a fresh one is made:
            a field that it had may be absent now.
    """

    def __init__(self, reader: Reader, previous: Sequence[Evidence[Any]] = ()) -> None:
        self._reader = reader
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
        found = self._found(ref)
        fields = self._fields.setdefault(ref, {})
        for item in wanted:
            self._add(ref, fields, item)
            if item.is_secret:
                self.salts.setdefault(f"{ref}#{item.selector}", self._reader.salt())
        traits = self._reader.traits(ref)
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
        self.evidence[ref] = evidence
        return evidence

    def absence(self, ref: str) -> Evidence[Any]:
        """Read that there is no such record, and keep that as evidence.

        Raises:
            DeclarationError: The source's *not found* is no proof of absence.
            ConditionNotMet: There is such a record.
            CaptureFailed: The source did not answer.
        """
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
                raise CaptureFailed(f"{ref} could not be read: {silent.reason}", where=ref)
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

    def _found(self, ref: str) -> Found:
        match self._reading(ref):
            case Found() as found:
                return found
            case NotFound(reason=reason):
                raise CaptureFailed(
                    f"{ref} does not exist ({reason})",
                    where=ref,
                    fix="Where the plan rests on its absence, say plan.absent(ref).",
                )
            case silent:
                raise CaptureFailed(f"{ref} could not be read: {silent.reason}", where=ref)

    def _reading(self, ref: str) -> Reading:
        if ref not in self._readings:
            self._readings[ref] = self._reader.read(ref)
        return self._readings[ref]

    @staticmethod
    def _add(ref: str, fields: dict[str, Field], item: Field) -> None:
        known = fields.setdefault(item.selector, item)
        if known != item:
            raise DeclarationError(
                f"{ref}: one field is declared twice, as {known} and as {item}",
                fix="Declare it once, with all that must hold.",
            )
