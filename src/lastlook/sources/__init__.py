"""Sources: where records are read, each under a name.

```python
from lastlook.sources import Found, JsonFiles, MemorySource, NotFound, PythonSource

JsonFiles("slots")                          # slots:slot-42 is slots/slot-42.json
JsonFiles("slots.json", id="slot_id")       # one file of many records
PythonSource(fetch)                         # a function of the key
MemorySource({"slot-42": {"status": "available"}})
```

A source answers with one of four readings: `Found` a record, `NotFound`, `NoAccess`,
or `NoAnswer`. Only `Found` holds a value, and whatever goes wrong is never taken for
one. Nothing is loaded before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound
    from lastlook.sources.files import JsonFiles
    from lastlook.sources.memory import MemorySource
    from lastlook.sources.python import PythonSource
    from lastlook.sources.registry import Registry

__all__ = [
    "Found",
    "JsonFiles",
    "MemorySource",
    "NoAccess",
    "NoAnswer",
    "NotFound",
    "PythonSource",
    "Registry",
]

_HOME = {
    "Found": "lastlook.core.evidence",
    "JsonFiles": "lastlook.sources.files",
    "MemorySource": "lastlook.sources.memory",
    "NoAccess": "lastlook.core.evidence",
    "NoAnswer": "lastlook.core.evidence",
    "NotFound": "lastlook.core.evidence",
    "PythonSource": "lastlook.sources.python",
    "Registry": "lastlook.sources.registry",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
