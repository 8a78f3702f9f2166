"""The published design by its own names, over the same core.

```python
from lastlook.published import (
    ActionDispatcher, ActionPlan, EvidenceStore, PlannedStep, PreDispatchValidator, StepExecutor,
)

evidence = EvidenceStore({"slots": JsonFiles("slots")})
plan = ActionPlan(
    action_id="book-42",
    intent="Book slot-42",
    steps=[PlannedStep(tool="book", arguments={"slot_id": "slot-42"})],
    evidence_dependencies=[evidence.capture("slots:slot-42", ["slot_id", "status"])],
    estimated_side_effects=["books slot-42"],
)
dispatcher = ActionDispatcher(PreDispatchValidator(evidence), StepExecutor({"book": book}))
dispatcher.confirm(plan, by="ana")
outcome = dispatcher.dispatch(plan)     # Executed, BlockedStale or BlockedUnresolvable
```

`ActionDispatcher` goes through the full API: the plan is stored and sealed under its
action id, a yes is for that plan alone and pays for one dispatch, every transition is
journalled, and what is looked at is read after the claim. `dispatcher.look` is that API.

What these names lack beside it:

- Plans are put together by hand. After a block the fresh plan has the same steps and the
  updated evidence, and there is none where an argument was taken from a value that
  changed. A planner (`look.planner`) works such arguments out again.
- A tool can't promise that nothing was applied, has no words for undoing, is given no
  idempotency key, and can't say what it wrote.
- No approvers, no second person, no expiry, no keys, no policies: every plan takes a yes.
- Three outcomes. Whatever they have no word for raises `NotRun` or `MayHaveRun`.
- A dependency holds what was read, and can't be made of a fingerprint alone.
- `FreshCtx` gives the published 16 digits, for comparing notes with the articles. They
  are never compared in here.
"""

from __future__ import annotations

from lastlook.published.dispatching import ActionDispatcher, published_plan
from lastlook.published.evidence import (
    EvidenceDependency,
    EvidenceStore,
    FreshCtx,
    PreDispatchValidator,
    Stale,
    Unresolvable,
    Valid,
    ValidationResult,
)
from lastlook.published.plans import (
    ActionPlan,
    Blocked,
    BlockedStale,
    BlockedUnresolvable,
    Executed,
    PlannedStep,
    StalePlan,
    StepExecutor,
)

__all__ = [
    "ActionDispatcher",
    "ActionPlan",
    "Blocked",
    "BlockedStale",
    "BlockedUnresolvable",
    "EvidenceDependency",
    "EvidenceStore",
    "Executed",
    "FreshCtx",
    "PlannedStep",
    "PreDispatchValidator",
    "Stale",
    "StalePlan",
    "StepExecutor",
    "Unresolvable",
    "Valid",
    "ValidationResult",
    "published_plan",
]
