"""What Lastlook is tested with, and what you can test your own code with.

`ScriptedSource` answers what you tell it, in turn, and keeps what it was asked.
`Hang` is an answer that does not come until you let it. `FakeClock` is a clock that
stands still until you move it. `ScriptedAsker` is the person: it says what you tell it,
and can change the world while the question stands. None of them sleeps, and none reads
the real clock. `drift` tries out whether a planner declares what its plans depend on.

```python
from lastlook.testing import FakeClock, ScriptedSource

slots = ScriptedSource({"status": "available"}, {"status": "unavailable"})
slots.read("slot-42")        # Found({"status": "available"})
slots.read("slot-42")        # Found({"status": "unavailable"}), and so from now on
slots.reads                  # ["slot-42", "slot-42"]
```
"""

from __future__ import annotations

from lastlook.testing.doubles import START, FakeClock, Hang, ScriptedAsker, ScriptedSource
from lastlook.testing.drifting import drift
from lastlook.testing.reporting import DriftReport, Finding

__all__ = [
    "START",
    "DriftReport",
    "FakeClock",
    "Finding",
    "Hang",
    "ScriptedAsker",
    "ScriptedSource",
    "drift",
]
