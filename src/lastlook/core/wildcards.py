"""Wildcards: JSONPath queries that may select several values (RFC 9535).

python-jsonpath, in its strict mode, reads the query and checks its types; the query is
followed here, over the record as it is. So a filter compares values as fields do (`1` is
not `true`, also inside of lists), `?@` tests for presence whatever the value, and only
what the query names is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from lastlook.core.canonical import LIMITS, encode
from lastlook.core.filters import COMPARE, matches
from lastlook.core.objects import ABSENT, declared_names, read_attribute
from lastlook.core.scan import depth
from lastlook.core.selectors import Match, child, pointer_to
from lastlook.errors import FieldSyntaxError, NotCanonical

VISITS: Final = 10 * LIMITS.nodes
"""How many values one query may look at in one record; `$..*..*` grows without end."""


class _Node(NamedTuple):
    value: Any
    at: tuple[str | int, ...]


def compile_wildcard(selector: str) -> Callable[[object], Any]:
    """Return a function from a record to the sorted list of `Match`, or `ABSENT`.

    Raises:
        FieldSyntaxError: The query is not RFC 9535, or the extra is not installed.
    """
    query = _read(selector)

    def select(record: object) -> Any:
        nodes = _Search(record).follow(query.segments, [_Node(record, ())])
        return _sorted({node.at: node.value for node in nodes}) or ABSENT

    return select


def _sorted(found: dict[tuple[str | int, ...], Any]) -> list[Match]:
    matches = []
    for at, value in found.items():
        path = [None if isinstance(token, int) else token for token in at]
        indices = tuple(token for token in at if isinstance(token, int))
        matches.append(Match(path, indices, value))
    return sorted(matches, key=lambda match: (encode(match.path), match.indices))


DEEPEST: Final = 64
"""How deep the brackets of a query may stand in each other."""


def _read(selector: str) -> Any:
    try:
        from jsonpath import JSONPathEnvironment
        from jsonpath.exceptions import JSONPathError
    except ImportError as error:
        raise _missing(selector, "python-jsonpath") from error
    environment = JSONPathEnvironment(strict=True)
    # Without these two the reader takes more than RFC 9535, and patterns may never end.
    if not (environment.regex_available and environment.iregexp_available):
        raise _missing(selector, "regex and iregexp-check")
    # How deep the reader may go would else depend on who calls, and on the Python.
    if depth(selector) > DEEPEST:
        raise FieldSyntaxError(f"{selector[:80]!r}... has brackets more than {DEEPEST} deep")
    try:
        return environment.compile(selector)
    except (JSONPathError, RecursionError) as error:
        reason = str(error.args[0]) if error.args else type(error).__name__
        raise FieldSyntaxError(
            f"{selector!r} is not a JSONPath: {reason}", fix="See RFC 9535."
        ) from error


def _missing(selector: str, packages: str) -> FieldSyntaxError:
    return FieldSyntaxError(
        f"{selector!r} is a JSONPath, and {packages} is not installed",
        fix="Run: pip install 'lastlook[jsonpath]'.",
    )


class _Search:
    """One query over one record, with what it has used of `VISITS`."""

    __slots__ = ("left", "root")

    def __init__(self, root: object) -> None:
        self.root = root
        self.left = VISITS

    def follow(self, segments: Iterable[Any], nodes: Iterable[_Node]) -> Iterable[_Node]:
        for segment in segments:
            deep = type(segment).__name__ == "JSONPathRecursiveDescentSegment"
            nodes = self._step(segment.selectors, nodes, deep=deep)
        return nodes

    def _step(
        self, selectors: Iterable[Any], nodes: Iterable[_Node], *, deep: bool
    ) -> Iterator[_Node]:
        for node in nodes:
            for start in self._descend(node) if deep else (node,):
                for selector in selectors:
                    yield from _SELECTORS[type(selector).__name__](self, selector, start)

    def _descend(self, node: _Node) -> Iterator[_Node]:
        waiting = [node]
        while waiting:
            found = waiting.pop()
            yield found
            waiting.extend(reversed(list(self.children(found))))

    def children(self, node: _Node) -> Iterator[_Node]:
        """Yield the members or items of a value, in their order."""
        if len(node.at) > LIMITS.depth:
            raise NotCanonical(
                f"arrays and objects are more than {LIMITS.depth} deep", where=pointer_to(node.at)
            )
        for token, value in _parts(node):
            self.left -= 1
            if self.left < 0:
                raise NotCanonical(f"the query looks at more than {VISITS:,} values")
            yield _Node(value, (*node.at, token))

    def name(self, selector: Any, node: _Node) -> Iterator[_Node]:
        value = child(node.value, selector.name, node.at)
        if value is not ABSENT:
            yield _Node(value, (*node.at, selector.name))

    def index(self, selector: Any, node: _Node) -> Iterator[_Node]:
        value = child(node.value, selector.index, node.at)
        if value is not ABSENT:
            size = len(_plain(node.value))
            yield _Node(value, (*node.at, selector.index % size))

    def slice(self, selector: Any, node: _Node) -> Iterator[_Node]:
        items = _plain(node.value)
        if isinstance(items, list | tuple) and selector.slice.step != 0:
            for at in range(*selector.slice.indices(len(items))):
                yield _Node(items[at], (*node.at, at))

    def every(self, _selector: Any, node: _Node) -> Iterator[_Node]:
        return self.children(node)

    def filter(self, selector: Any, node: _Node) -> Iterator[_Node]:
        for found in self.children(node):
            if self.holds(selector.expression, found):
                yield found

    def holds(self, expression: Any, node: _Node) -> bool:
        """Return what a logical expression says of a node (RFC 9535, section 2.3.5)."""
        kind = type(expression).__name__
        if kind == "FilterExpression":
            return self.holds(expression.expression, node)
        if kind == "PrefixExpression":
            return not self.holds(expression.right, node)
        if kind == "FunctionExtension":
            return bool(self.call(expression, node))
        if kind != "InfixExpression":
            return any(True for _ in self.nodes(expression, node))
        if expression.operator == "&&":
            return self.holds(expression.left, node) and self.holds(expression.right, node)
        if expression.operator == "||":
            return self.holds(expression.left, node) or self.holds(expression.right, node)
        left, right = self.value(expression.left, node), self.value(expression.right, node)
        return COMPARE[expression.operator](left, right)

    def nodes(self, query: Any, node: _Node) -> Iterable[_Node]:
        """Return what a query in a filter selects, from the node or from the root."""
        relative = type(query).__name__ == "RelativeFilterQuery"
        start = node if relative else _Node(self.root, ())
        return self.follow(query.path.segments, [start])

    def value(self, expression: Any, node: _Node) -> Any:
        """Return the value of an expression, or `ABSENT` for what RFC 9535 calls Nothing."""
        kind = type(expression).__name__
        if kind == "Nil":
            return None
        if kind == "FunctionExtension":
            return self.call(expression, node)
        if kind in {"RelativeFilterQuery", "RootFilterQuery"}:
            return next((_plain(found.value) for found in self.nodes(expression, node)), ABSENT)
        return expression.value

    def call(self, function: Any, node: _Node) -> Any:
        """Return what one of the five functions says (RFC 9535, section 2.4)."""
        if function.name in {"count", "value"}:
            found = list(self.nodes(function.args[0], node))
            if function.name == "count":
                return len(found)
            return _plain(found[0].value) if len(found) == 1 else ABSENT
        values = [self.value(argument, node) for argument in function.args]
        if function.name == "length":
            return self.length(values[0], node)
        return matches(*values, whole=function.name == "match")

    def length(self, value: Any, node: _Node) -> Any:
        if isinstance(value, str):
            return len(value)
        if isinstance(value, list | tuple | Mapping) or declared_names(type(value)):
            return sum(1 for _ in self.children(_Node(value, node.at)))
        return ABSENT


_SELECTORS: Final[dict[str, Callable[[_Search, Any, _Node], Iterator[_Node]]]] = {
    "NameSelector": _Search.name,
    "IndexSelector": _Search.index,
    "SliceSelector": _Search.slice,
    "WildcardSelector": _Search.every,
    "Filter": _Search.filter,
}


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _parts(node: _Node) -> Iterator[tuple[str | int, Any]]:
    value = _plain(node.value)
    if isinstance(value, Mapping):
        for name, item in value.items():
            if not isinstance(name, str):
                raise NotCanonical(
                    f"a member's name is not a text but of type {type(name).__name__}",
                    where=pointer_to(node.at),
                )
            yield name, item
    elif isinstance(value, list | tuple):
        yield from enumerate(value)
    else:
        for name in declared_names(type(value)) or ():
            item = read_attribute(value, name, pointer_to(node.at))
            if item is not ABSENT:
                yield name, item
