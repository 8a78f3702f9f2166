"""Evidence in the hand: its declared fields by name, and nothing else."""

from __future__ import annotations

from decimal import Decimal

import pytest

from lastlook.core.evidence import capture
from lastlook.core.facts import Facts
from lastlook.errors import NotDeclared

ORDER = {"total": Decimal("0.10000000000000000001"), "items": [{"sku": "p1"}], "note": None}


class Order(Facts):
    total: Decimal
    note: str | None


def test_a_declared_value_is_had_by_its_name():
    evidence = capture(ORDER, ["total", "items"])
    assert evidence["total"] == ORDER["total"]
    assert evidence["items"] == ({"sku": "p1"},)
    assert "total" in evidence
    assert "note" not in evidence
    with pytest.raises(NotDeclared):
        evidence["note"]


def test_facts_are_an_instance_of_the_class_they_were_read_by():
    evidence = capture(ORDER, Order)
    evidence.__dict__["shape"] = Order
    assert evidence.facts.total == ORDER["total"]
    assert evidence.facts is evidence.facts


def test_evidence_read_by_fields_has_no_facts():
    with pytest.raises(NotDeclared, match="read by fields"):
        capture(ORDER, ["total"]).facts  # noqa: B018  # reading it is what is tested
