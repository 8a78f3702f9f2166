"""What to declare, by what `drift` saw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from lastlook.core.fieldtext import print_selector
from lastlook.core.paths import tokens_of
from lastlook.core.places import ALL, pattern, spelled
from lastlook.testing.reporting import Finding
from lastlook.testing.variants import DECOMPOSED, NUMERIC, REORDERED, RESPELT

if TYPE_CHECKING:
    from lastlook.core.evidence import Evidence
    from lastlook.core.fields import Field
    from lastlook.testing.variants import Path

_SPARED: Final = ((REORDERED, "unordered"), (RESPELT, "instant"), (DECOMPOSED, "nfc"))
_NOTHING: Final = "leave it out, unless the person decides by it"


class Seen(Struct, frozen=True, kw_only=True):
    """What one change came to.

    Attributes:
        place: Where it was read; `ref` of it without a query's arguments.
        path: What was changed, as names and indices, and `word`, in which way.
        altered: The parts in which the plan is another one.
        blocked: Whether the check of the first plan's evidence blocks.
        stale: By ref and selector, the fields that do not hold.
    """

    place: str
    ref: str
    path: Path
    word: str
    altered: tuple[str, ...]
    blocked: bool
    stale: tuple[tuple[str, str], ...]


def missing(tried: Iterable[Seen], evidence: Mapping[str, Evidence[Any]]) -> tuple[Finding, ...]:
    """Return the fields whose changes alter the plan and do not block."""
    groups: dict[tuple[str, Path], list[Seen]] = {}
    for seen in tried:
        if seen.altered and not seen.blocked:
            path = _below(seen, evidence.get(seen.place))
            groups.setdefault((seen.ref, pattern(path)), []).append(seen)
    return tuple(
        Finding(
            record=ref,
            field=spelled(path),
            changes=_unique(seen.word for seen in group),
            alters=_unique(word for seen in group for word in seen.altered),
            fix=_to_declare(ref, path, evidence.get(group[0].place)),
        )
        for (ref, path), group in groups.items()
        if not _goes_without(ref, path, groups)
    )


def _goes_without(ref: str, path: Path, groups: Mapping[tuple[str, Path], Sequence[Seen]]) -> bool:
    """Tell whether what is to be declared for another group covers this one as well."""
    if ALL in path and (ref, path[: path.index(ALL)]) in groups:
        return True
    words = {seen.word for seen in groups[ref, path]}
    below = [
        other
        for of, other in groups
        if of == ref and len(other) > len(path) and other[: len(path)] == path
    ]
    return words <= {"null", "removed"} and bool(below)


def needless(tried: Iterable[Seen], evidence: Mapping[str, Evidence[Any]]) -> tuple[Finding, ...]:
    """Return the fields that block where the plan stays as it was."""
    groups: dict[tuple[str, str], list[Seen]] = {}
    for seen in tried:
        for ref, selector in seen.stale:
            groups.setdefault((ref, selector), []).append(seen)
    found = []
    for (ref, selector), group in groups.items():
        idle = [seen for seen in group if not seen.altered]
        if idle:
            is_query = evidence.get(ref) is None
            field = "members" if is_query and not selector else print_selector(selector)
            changes = _unique(_worded(seen, selector, evidence) for seen in idle)
            fix = _to_spare(field, group, idle)
            found.append(Finding(record=ref, field=field, changes=changes, alters=(), fix=fix))
    return tuple(found)


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _below(seen: Seen, item: Evidence[Any] | None) -> Path:
    """Return the path within the record; that of a member begins with its key."""
    is_query = item is not None and item.kind == "query"
    return seen.path[1:] if is_query else seen.path


def _to_declare(ref: str, path: Path, item: Evidence[Any] | None) -> str:
    field = spelled(path)
    if item is None:
        return f"plan.read({ref!r}, {field!r})"
    of = f" in the query {ref}" if item.kind == "query" else ""
    if of and not path:
        return f"leave may= out{of}"
    over = _over(item.fields, path)
    if over is not None:
        return f"let {print_selector(over.selector)} stay, instead of {over.shown}{of}"
    whole = f", or {spelled(path[: path.index(ALL)])} as a whole" if ALL in path else ""
    return f"declare {field}{whole}{of}"


def _over(fields: Sequence[Field], path: Path) -> Field | None:
    """Return the declared field that a path lies in, or None."""
    for field in fields:
        tokens = tokens_of(field.selector)
        if field.selector == spelled(path) if tokens is None else tokens == path[: len(tokens)]:
            return field
    return None


def _worded(seen: Seen, selector: str, evidence: Mapping[str, Evidence[Any]]) -> str:
    """Return what was changed, with the place where that is not the field itself."""
    name = spelled(pattern(_below(seen, evidence.get(seen.place))))
    return seen.word if name in {print_selector(selector), "$"} else f"{name}: {seen.word}"


def _to_spare(field: str, group: Sequence[Seen], idle: Sequence[Seen]) -> str:
    """Return what would spare the idle questions and keep the others."""
    if len(idle) == len(group):
        return _NOTHING
    words = {seen.word for seen in idle}
    for word, mark in _SPARED:
        if words == {word}:
            return f"{field} ({mark})"
    if words <= NUMERIC and "zero" not in words:
        return f"a condition: {field} >= ..."
    if words <= NUMERIC and "far more" not in words:
        return f"a condition: {field} <= ..."
    return "a condition, or only the parts that count"
