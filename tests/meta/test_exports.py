"""The 25 names at the root: these, no other, and each of them there."""

from __future__ import annotations

import tomllib

import lastlook
from tests.meta.tree import ROOT

NAMES = {
    "ActionPlan",
    "Act",
    "AsyncLastlook",
    "Blocked",
    "BlockedStale",
    "BlockedUnresolvable",
    "DispatchOutcome",
    "Evidence",
    "Executed",
    "Facts",
    "JsonFiles",
    "Lastlook",
    "LastlookError",
    "PlannedStep",
    "Planning",
    "Refused",
    "SideEffect",
    "Stale",
    "Unresolvable",
    "Unsettled",
    "Valid",
    "capture",
    "check",
    "field",
    "fingerprint",
}


def test_the_root_offers_the_25_names_and_no_other() -> None:
    assert len(NAMES) == 25
    assert sorted(lastlook.__all__) == sorted(NAMES)


def test_each_name_is_there() -> None:
    assert [name for name in sorted(NAMES) if not hasattr(lastlook, name)] == []


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert lastlook.__version__ == project["version"]
