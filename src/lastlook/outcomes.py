"""Every outcome by its name, for those who match on the leaves.

```
Executed       everything ran
Blocked        nothing ran: BlockedStale, BlockedUnresolvable, BlockedTampered
Refused        nothing ran now: AlreadyUsed, InProgress, NotConfirmed, Rejected,
               Cancelled, Parked, Expired, StoreUnavailable
Unsettled      something may have run: Partial, Compensated, Unknown, Failed
```

`Confirmed` is what a yes that counts comes to; nothing has run then.
"""

from __future__ import annotations

from lastlook.core.outcome import (
    AlreadyUsed,
    Blocked,
    BlockedStale,
    BlockedTampered,
    BlockedUnresolvable,
    Cancelled,
    Compensated,
    Confirmed,
    ConfirmOutcome,
    DispatchOutcome,
    Done,
    Executed,
    Expired,
    Failed,
    Guarantee,
    InProgress,
    NotConfirmed,
    Outcome,
    Parked,
    Partial,
    Refused,
    Rejected,
    StoreUnavailable,
    Unknown,
    Unsettled,
)

__all__ = [
    "AlreadyUsed",
    "Blocked",
    "BlockedStale",
    "BlockedTampered",
    "BlockedUnresolvable",
    "Cancelled",
    "Compensated",
    "ConfirmOutcome",
    "Confirmed",
    "DispatchOutcome",
    "Done",
    "Executed",
    "Expired",
    "Failed",
    "Guarantee",
    "InProgress",
    "NotConfirmed",
    "Outcome",
    "Parked",
    "Partial",
    "Refused",
    "Rejected",
    "StoreUnavailable",
    "Unknown",
    "Unsettled",
]
