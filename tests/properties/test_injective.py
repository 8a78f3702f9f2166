"""Different values have different fingerprints, and one value has one, wherever it is made."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from unicodedata import normalize

import pytest

from lastlook.core.fields import field, parse_field
from lastlook.core.fingerprint import fingerprint
from tests.meta.tree import ROOT
from tests.properties.zoo import MISSING, ZOO, prints, record

PROGRAM = Path(__file__).with_name("zoo.py")


def collisions(made):
    """The fingerprints that several values share, with their places."""
    return [key for key, count in Counter(made).items() if count > 1]


def test_the_zoo_is_large_enough():
    assert len(ZOO) >= 400


def test_no_two_values_of_the_zoo_share_a_fingerprint():
    assert collisions(prints()) == []


def test_strict_tells_whole_floats_from_integers_and_the_rest_as_before():
    declared = parse_field("v (optional, strict)")
    whole = [20.0, 1.0, 0.0, 1e22, {"a": 2.0}, [1.0]]
    others = [value for value in ZOO if not (isinstance(value, float) and value.is_integer())]
    made = [fingerprint(record(v=value), declared) for value in [*others, *whole]]
    assert collisions(made) == []


def test_form_c_folds_texts_that_are_one_in_it_and_no_others():
    declared = parse_field("v (nfc)")
    texts = [value for value in ZOO if isinstance(value, str)]
    made = {text: fingerprint({"v": text}, declared) for text in texts}
    forms = {text: normalize("NFC", text) for text in texts}
    assert len(set(forms.values())) < len(texts)
    for one in texts:
        for other in texts:
            assert (made[one] == made[other]) == (forms[one] == forms[other])


@pytest.mark.slow
def test_no_two_pairs_of_values_share_a_fingerprint():
    fields = [parse_field("a (optional)"), parse_field("b (optional)")]
    seen = set()
    for one in ZOO:
        for other in ZOO:
            text = fingerprint(record(a=one, b=other), fields)
            seen.add(bytes.fromhex(text[4:20]))  # 64 bits are enough to tell them apart
    assert len(seen) == len(ZOO) ** 2


def test_selectors_rules_and_refs_are_in_the_fingerprint():
    value = {"a": 1, "b": 1, "a/b": 1, "c": {"d": 1}, "d": 1}
    declared = [
        "a", "b", '"a/b"', "/c/d", "d", "$.a", "$", "a (nfc)", "a (strict)", "a (absent_is_null)", "a == 1", "a in [1]",
        "a in [1, 2]", "a >= 1", "a >= 0", "a <= 1", "a within 1", "a within 1%", "a within 0",
    ]  # fmt: skip
    assert collisions([fingerprint(value, text) for text in declared]) == []
    assert fingerprint(value, ["a", "b"]) != fingerprint(value, ["a", "d"])


class Colour(Enum):
    RED = "red"


SAME = [
    [0, -0, 0.0, -0.0, Decimal(0), Decimal("-0"), Decimal("0E+5"), Decimal("0.000")],
    [20, 20.0, Decimal(20), Decimal("20.00"), Decimal("2E+1")],
    [10**20, 1e20, Decimal("1E20")],
    [0.1, Decimal("0.1"), Decimal("0.10")],
    [10**22, 1e22, Decimal("1E+22")],
    [2**60, Decimal(2**60)],
    ["red", Colour.RED],
    [[1, 2], (1, 2), [1.0, Decimal(2)]],
    [{"a": 1, "b": 2}, {"b": 2, "a": 1}, MappingProxyType({"a": 1, "b": 2})],
    [
        datetime(2026, 11, 3, 14, tzinfo=UTC),
        datetime(2026, 11, 3, 16, tzinfo=timezone(timedelta(hours=2))),
        datetime(2026, 11, 3, 8, 30, tzinfo=timezone(timedelta(hours=-5, minutes=-30))),
    ],
]


@pytest.mark.parametrize("values", SAME, ids=lambda values: repr(values[0]))
def test_what_is_one_value_has_one_fingerprint(values):
    assert len({fingerprint({"v": value}, field("v")) for value in values}) == 1


def digest():
    return hashlib.sha256("\n".join(prints()).encode()).hexdigest()


def answer_of(python, **environment):
    known = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [python, str(PROGRAM)],
        capture_output=True,
        text=True,
        check=False,
        env=known | environment,
    )


@pytest.mark.parametrize("seed", ["0", "1", "4294967295", "random"])
def test_another_process_with_another_hash_seed_makes_the_same(seed):
    answer = answer_of(sys.executable, PYTHONHASHSEED=seed)
    assert answer.stdout.strip() == digest(), answer.stderr


def pythons(minor):
    """Where a Python of this version may be: test environments first, which have msgspec."""
    name = f"python3.{minor}"
    yield str(ROOT / ".cache" / name / "bin" / "python")
    if found := shutil.which(name):
        yield found
    root = Path(os.environ.get("PYENV_ROOT") or Path("~").expanduser() / ".pyenv")
    yield from map(str, sorted(root.glob(f"versions/3.{minor}.*/bin/python3")))


@pytest.mark.parametrize("minor", [11, 12, 13, 14])
def test_every_python_that_is_here_makes_the_same(minor):
    if sys.version_info[:2] == (3, minor):
        pytest.skip("this is the Python that runs the tests")
    said = f"there is no Python 3.{minor} here"
    wanted = f"import sys, msgspec; sys.exit(sys.version_info[:2] != (3, {minor}))"
    for python in filter(os.path.exists, pythons(minor)):
        ready = subprocess.run([python, "-c", wanted], capture_output=True, check=False)
        if ready.returncode == 0:
            answer = answer_of(python)
            assert answer.stdout.strip() == digest(), answer.stderr
            return
        said = f"Python 3.{minor} is here without msgspec"
    pytest.skip(said)


def test_what_is_missing_differs_from_all_that_is_there():
    assert MISSING is ZOO[0]
    assert prints().count(prints()[0]) == 1
