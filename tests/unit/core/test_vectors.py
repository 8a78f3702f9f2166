"""The vectors of `ll1`, by the library and by a second, tiny implementation."""

from __future__ import annotations

import json
import warnings
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest

from lastlook.core.canonical import encode, from_wire
from lastlook.core.check import check_reading
from lastlook.core.evidence import Found, IndexedField, NotFound, capture
from lastlook.core.members import capture_members
from lastlook.core.results import Valid
from lastlook.core.typed import check_wire
from lastlook.errors import NotCanonical

VECTORS = Path(__file__).parents[2] / "vectors"
LL1 = json.loads((VECTORS / "ll1.json").read_text(encoding="utf-8"))


def plain(tree):
    """Write a tree as RFC 8785 does where names are ASCII and floats are ordinary."""
    return json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def second_opinion(tag, vector, cells):
    body = plain([vector["kind"], vector["ref"], vector["params"], cells])
    return f"ll1:{sha256(tag + body).hexdigest()}"


def taken(vector):
    salts = {key: bytes.fromhex(salt) for key, salt in vector.get("salts", {}).items()} or None
    record = from_wire(vector["record"])
    if vector["kind"] == "query":
        return capture_members(
            record, vector["fields"], ref=vector["ref"], params=vector["params"], cap=vector["cap"]
        ), salts
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evidence = capture(
            record, vector["fields"], ref=vector["ref"], kind=vector["kind"], salts=salts
        )
    assert [each.category for each in caught] == [IndexedField] * vector.get("warns", False)
    return evidence, salts


@pytest.fixture(params=LL1["vectors"], ids=lambda vector: vector["name"])
def vector(request):
    if request.param.get("needs") == "jsonpath" and find_spec("jsonpath") is None:
        pytest.skip("the extra jsonpath is not installed")
    return request.param


def test_the_library_makes_the_fingerprint_of_the_vector(vector):
    evidence, _ = taken(vector)
    assert evidence.fingerprint == vector["fingerprint"]
    assert list(evidence.digests) == vector.get("digests", [])


def test_the_vectors_fingerprint_is_the_digest_of_its_cells(vector):
    whole = second_opinion(b"lastlook:ll1\n", vector, vector["cells"])
    assert whole == vector["fingerprint"]
    digests = [second_opinion(b"lastlook:ll1/field\n", vector, [c]) for c in vector["cells"]]
    assert vector.get("digests", digests) == digests


def test_the_library_keeps_the_cells_of_the_vector(vector):
    evidence, _ = taken(vector)
    if vector["kind"] == "query":
        rows = [
            [member.key, [[f.selector, f.rule, list(c)]
                          for f, c in zip(evidence.fields, member.cells, strict=True)]]
            for member in evidence.members
        ]  # fmt: skip
    else:
        rows = [
            [field.selector, field.rule, list(cell)]
            for field, cell in zip(evidence.fields, evidence.cells, strict=True)
        ]
    assert plain(rows) == plain(vector["cells"])


def test_what_the_vector_read_is_valid_when_it_is_read_again(vector):
    evidence, salts = taken(vector)
    found = Found(from_wire(vector["record"]))
    reading = NotFound() if vector["kind"] == "absence" else found
    result = check_reading(evidence, reading, salts=salts, absence_is_proof=True)
    assert isinstance(result, Valid)
    assert result.current == result.captured == vector["fingerprint"]


@pytest.mark.parametrize("case", LL1["encoding"], ids=lambda case: repr(case["value"]))
def test_typed_json_has_the_bytes_of_the_vector_or_is_refused(case):
    if case.get("refused"):
        with pytest.raises(NotCanonical):
            check_wire(case["value"])
    else:
        assert encode(check_wire(case["value"])) == case["bytes"].encode()


def test_every_kind_of_rule_is_in_the_vectors():
    rules = {name for vector in LL1["vectors"] if vector["kind"] == "record"
             for _, rule, _ in vector["cells"] for name in rule}  # fmt: skip
    assert rules == {
        "absent_is_null", "at_least", "at_most", "equals", "instant", "nfc", "one_of", "strict",
        "unordered", "within",
    }  # fmt: skip
