"""Values that have a canonical form, and plain JSON, for property tests."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from hypothesis import strategies as st

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = st.one_of(
    TEXT, TEXT.map("${}".format), st.sampled_from(["$int", "$$", "$date", "\ue000", "\U0001f600"])
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
INTS = st.one_of(st.integers(), st.integers(-(10**400), 10**400), st.integers(2**53 - 3, 2**53 + 3))
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False).filter(
    lambda d: abs(d.adjusted()) < 2000
)
ZONES = st.integers(-1439, 1439).map(lambda m: timezone(timedelta(minutes=m)))
MOMENTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=ZONES)
LEAVES = st.one_of(
    st.none(), st.booleans(), INTS, FLOATS, DECIMALS, TEXT, st.binary(max_size=9), st.dates(),
    MOMENTS, st.uuids(),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), FLOATS, TEXT),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
