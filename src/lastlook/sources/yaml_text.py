"""YAML as plain values, with nothing guessed, shared or built.

Plain scalars are read by the core schema of YAML 1.2.2 (section 10.3.2): `true`,
`null`, numbers, and else text. So `no` and `2026-10-23` stay text. Aliases, repeated
keys, keys that are not text, several documents, and tags other than that schema's are
refused. PyYAML does the parsing and nothing more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from lastlook.errors import BadJSON
from lastlook.sources.texts import number

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH: Final = 64

_DIGITS: Final = 3000

_TAG: Final = "tag:yaml.org,2002:"
_NULL: Final = re.compile(r"null|Null|NULL|~|")
_BOOL: Final = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT: Final = re.compile(r"[-+]?[0-9]+")
_OCTAL: Final = re.compile(r"0o[0-7]+")
_HEX: Final = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)


def parse_yaml(text: str) -> object:
    """Return the one document of a YAML text.

    Raises:
        BadJSON: The text cannot be read, or uses what is refused; `where` is the line
            and column. Also where PyYAML is not installed.
    """
    try:
        import yaml
    except ImportError:
        raise BadJSON(
            "reading YAML needs PyYAML, which is not installed",
            fix="pip install 'lastlook[yaml]'",
        ) from None
    try:
        return _Builder(yaml, text).document()
    except yaml.YAMLError as error:
        raise _not_yaml(error) from None


class _Builder:
    """Builds values from PyYAML's events, one event at a time."""

    def __init__(self, yaml: Any, text: str) -> None:
        self._yaml = yaml
        self._events: Iterator[Any] = yaml.parse(text, Loader=yaml.SafeLoader)

    def document(self) -> object:
        """Return the value of the only document."""
        yaml = self._yaml
        next(self._events)
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            raise BadJSON("this is empty", where=_place(event.start_mark))
        value = self._value(next(self._events), 0)
        next(self._events)
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise BadJSON("this holds a second document", where=_place(event.start_mark))
        return value

    def _value(self, event: Any, depth: int) -> object:
        yaml = self._yaml
        if isinstance(event, yaml.AliasEvent):
            raise BadJSON("an alias (*name) is not read", where=_place(event.start_mark))
        if depth > DEPTH:
            raise BadJSON("this is nested too deep", where=_place(event.start_mark))
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event)
        if isinstance(event, yaml.MappingStartEvent):
            _only_tag(event, "map")
            return self._mapping(depth + 1)
        _only_tag(event, "seq")
        return self._sequence(depth + 1)

    def _mapping(self, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        for event in self._until(self._yaml.MappingEndEvent):
            key = self._value(event, depth)
            if not isinstance(key, str):
                raise BadJSON("a key is not text; quote it", where=_place(event.start_mark))
            if key in found:
                raise BadJSON("a key is there twice", where=_place(event.start_mark))
            found[key] = self._value(next(self._events), depth)
        return found

    def _sequence(self, depth: int) -> list[object]:
        return [self._value(event, depth) for event in self._until(self._yaml.SequenceEndEvent)]

    def _until(self, end: type) -> Iterator[Any]:
        while not isinstance(event := next(self._events), end):
            yield event


def _only_tag(event: Any, kind: str) -> None:
    if event.tag not in {None, "!", _TAG + kind}:
        raise BadJSON("a tag (!name) is not read", where=_place(event.start_mark))


def _scalar(event: Any) -> object:
    """Read a scalar by its tag, or by the core schema where it is plain and has none."""
    text: str = event.value
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BadJSON("a text holds half a surrogate pair", where=_place(event.start_mark))
    tag = event.tag
    if tag is None and event.implicit[0]:
        tag = _TAG + _kind(text)
    try:
        return _by_tag(tag, text)
    except BadJSON as error:
        raise BadJSON(error.what, where=_place(event.start_mark)) from None


def _kind(text: str) -> str:
    if _NULL.fullmatch(text):
        return "null"
    if _BOOL.fullmatch(text):
        return "bool"
    if _INT.fullmatch(text) or _OCTAL.fullmatch(text) or _HEX.fullmatch(text):
        return "int"
    return "float" if _FLOAT.fullmatch(text) else "str"


def _by_tag(tag: str | None, text: str) -> object:
    if tag in {None, "!", _TAG + "str"}:
        return text
    kind = _kind(text)
    if tag == _TAG + "float" and kind == "int":
        kind = "float"
    if tag != _TAG + kind:
        raise BadJSON("a tag (!name) is not read, or does not fit its value")
    if kind == "null":
        return None
    if kind == "bool":
        return text[0] in "tT"
    if kind == "int":
        return _integer(text)
    return number(text.replace(".inf", "inf").replace(".nan", "nan"))


def _integer(text: str) -> int:
    if len(text) > _DIGITS:
        raise BadJSON(f"an integer has more than {_DIGITS:,} digits")
    return int(text, 0) if text.startswith(("0o", "0x")) else int(text)


def _place(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


def _not_yaml(error: Any) -> BadJSON:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None)
    where = _place(mark) if mark is not None else ""
    return BadJSON(
        f"this is not YAML: {problem or 'a character that it may not hold'}", where=where
    )
