"""The tables, as SQLAlchemy sees them; `migrations` is what makes them.

Loaded when a store is first used, and not before: SQLAlchemy takes a while.

Times are text in UTC with six digits of a second, so that they sort as they follow each
other. Bodies and outcomes are kept as the bytes that they were given as.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, MetaData, Table, Text

METADATA: Final = MetaData()

META: Final = Table(
    "meta",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

PLANS: Final = Table(
    "plans",
    METADATA,
    Column("seq", Integer, primary_key=True),
    Column("id", Text, nullable=False),
    Column("lineage", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("follows", Text, ForeignKey("plans.id")),
    Column("requested_by", Text, nullable=False),
    Column("key", Text),
    Column("body", LargeBinary, nullable=False),
    Column("seal", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("state_at", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("owner", Text),
    Column("lease_until", Text),
    Column("yes_seal", Text),
    Column("yes_shown", Text),
    Column("yes_by", Text),
    Column("yes_at", Text),
    Column("yes_key_id", Text),
    Column("yes_mac", Text),
    Column("burned_at", Text),
    Column("outcome", LargeBinary),
    Column("salted", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("head", Text, nullable=False),
)
"""One row a plan. `yes_...` is its confirmation; `salted` counts its rows in `salts`."""

SALTS: Final = Table(
    "salts",
    METADATA,
    Column("plan", Text, ForeignKey("plans.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("salt", LargeBinary, nullable=False),
)
"""The salts of secret fields, outside the sealed bodies."""

LOOKS: Final = Table(
    "looks",
    METADATA,
    Column("plan", Text, ForeignKey("plans.id"), primary_key=True),
    Column("row", Integer, primary_key=True),
    Column("moment", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("seen", LargeBinary, nullable=False),
)
"""What was read for a plan, beside the journal row that it was written with."""

JOURNAL: Final = Table(
    "journal",
    METADATA,
    Column("seq", Integer, primary_key=True),
    Column("plan", Text, ForeignKey("plans.id"), nullable=False),
    Column("row", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("was", Text),
    Column("state", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("data", LargeBinary),
    Column("key_id", Text),
    Column("prev", Text, nullable=False),
)
"""One row a transition; `seq` is the order of writing over all plans."""
