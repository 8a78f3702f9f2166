"""The published fingerprints, digit for digit, and why they are never compared."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from lastlook import fingerprint
from lastlook.core.schemes import PublishedScheme
from lastlook.errors import CaptureFailed, LastlookError, NotCanonical
from lastlook.published import EvidenceStore, FreshCtx
from tests.published.conftest import FIELDS, VERSIONS

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "published-fingerprints.json").read_text("utf-8")
)
STAREBRAIN = [
    {"slot_id": "slot-42", "status": "available"},
    {"slot_id": "slot-42", "status": "unavailable"},
    {"d": 1.0e10, "f": 0.1, "l": [1, 2, True], "m": {"a": "x", "b": 1}, "n": None},
    {"d": 1.0},
    {"d": 1.0e-5},
    {"d": 123456789.125},
]

pytestmark = pytest.mark.filterwarnings("ignore::lastlook.core.schemes.PublishedScheme")


def written(folder: Path, record: object) -> Path:
    path = folder / "slot-42.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("version", "digits"),
    [("v1", "ed3a5680f29c3dae"), ("v2", "94c87157b0f0cba5"), ("v3", "ed3a5680f29c3dae")],
)
def test_the_three_versions_have_the_published_digits(version: str, digits: str) -> None:
    assert FreshCtx(FIELDS).fingerprint(VERSIONS / f"slot-42-{version}.json") == digits


@pytest.mark.parametrize("vector", VECTORS["freshctx16"]["vectors"])
def test_every_freshctx_vector_is_reproduced(tmp_path: Path, vector: dict[str, Any]) -> None:
    path = written(tmp_path, vector["record"])
    assert FreshCtx(vector["fields"]).fingerprint(str(path)) == vector["fingerprint"]


@pytest.mark.parametrize(
    ("record", "vector"), list(zip(STAREBRAIN, VECTORS["starebrain16"]["vectors"], strict=True))
)
def test_every_starebrain_vector_is_reproduced(
    tmp_path: Path, record: dict[str, Any], vector: dict[str, Any]
) -> None:
    path = written(tmp_path, record | {"other": 1})
    context = FreshCtx(record, scheme="starebrain16")
    assert context.fingerprint(path) == vector["fingerprint"]


def test_the_published_digits_collide_and_ours_do_not(tmp_path: Path) -> None:
    collision = VECTORS["collision"]
    one, other = (collision[name] for name in "ab")
    fields = ["slot_id", "status", "title"]
    assert one["status"] != other["status"]
    digits = [FreshCtx(fields).fingerprint(written(tmp_path, item)) for item in (one, other)]
    assert digits == [collision["fingerprint"]] * 2
    assert fingerprint(one, fields) != fingerprint(other, fields)
    slots = {"s": one}
    store = EvidenceStore({"slots": slots})
    held = store.capture("slots:s", fields)
    slots["s"] = other
    assert store.diff_fields(held) == ("status", "title")


def test_a_text_that_two_records_could_have_made_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": "1, b=2", "b": "3"})
    with pytest.raises(NotCanonical):
        FreshCtx(["a", "b"], scheme="starebrain16").fingerprint(path)


def test_a_published_fingerprint_comes_with_a_warning() -> None:
    with pytest.warns(PublishedScheme, match="16 digits"):
        FreshCtx(FIELDS).fingerprint(VERSIONS / "slot-42-v1.json")


def test_evidence_holds_no_published_digits() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        held = EvidenceStore({"slots": {"s": {"status": "a"}}}).capture("slots:s", "status")
    assert held.fingerprint.startswith("ll1:")
    assert len(held.fingerprint) == len("ll1:") + 64


@pytest.mark.parametrize(
    "text",
    [
        b'{"slot_id": 1, "status": "a", "status": "b"}',
        b'{"slot_id": NaN, "status": "a"}',
        b'{"slot_id": 1, "status": "a"} x',
        b'\xef\xbb\xbf{"slot_id": 1, "status": "a"}',
        b'{"slot_id": 1, "status": "\xff"}',
        b"[1]",
        b"null",
        b"",
    ],
)
def test_a_file_that_is_not_strict_json_has_no_fingerprint(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "slot-42.json"
    path.write_bytes(text)
    with pytest.raises(CaptureFailed):
        FreshCtx(FIELDS).fingerprint(path)


def test_a_link_or_a_missing_file_has_no_fingerprint(tmp_path: Path) -> None:
    link = tmp_path / "slot-42.json"
    link.symlink_to(VERSIONS / "slot-42-v1.json")
    for path in (link, tmp_path / "none.json", tmp_path):
        with pytest.raises(CaptureFailed):
            FreshCtx(FIELDS).fingerprint(path)


def test_a_field_that_is_no_name_is_refused() -> None:
    with pytest.raises(LastlookError):
        FreshCtx(["status == 'available'"]).fingerprint(VERSIONS / "slot-42-v1.json")
