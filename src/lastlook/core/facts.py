"""Facts: fields declared as a class, and captured values given back as its instance.

```python
class Order(Facts):
    status: Annotated[str, one_of("delivered")]
    amount: Decimal
    note: str | None = None
```

Each attribute is one field: the member of that name, as a whole. An attribute whose type
is itself a class of `Facts` stands for that class's fields, one level down
(`/payment/amount`). An attribute with a default is optional. Conditions and normalisers
go into `Annotated`; so does `field("/other/place")`, where the member has another name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
)

import msgspec
from msgspec import Struct

from lastlook.core.fields import Field
from lastlook.core.objects import ABSENT, escape
from lastlook.errors import CaptureFailed, DeclarationError, NoFields

if TYPE_CHECKING:
    from msgspec.structs import FieldInfo


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Facts(Struct, frozen=True):
    """The base of classes that declare fields by their attributes."""


F = TypeVar("F", bound=Facts)


class Condition:
    """What `Annotated` says of an attribute: how its field is compared."""

    __slots__ = ("_say", "_text")

    def __init__(self, say: Callable[[Field], Field], text: str) -> None:
        self._say = say
        self._text = text

    def on(self, field: Field) -> Field:
        """Return the field, so compared."""
        return self._say(field)

    def __repr__(self) -> str:
        return self._text


def equals(value: object, /) -> Condition:
    """Hold while the value is this one."""
    return Condition(lambda field: field.equals(value), f"equals({value!r})")


def at_least(number: object, /) -> Condition:
    """Hold while the value is a number that is not smaller."""
    return Condition(lambda field: field.at_least(number), f"at_least({number!r})")


def at_most(number: object, /) -> Condition:
    """Hold while the value is a number that is not greater."""
    return Condition(lambda field: field.at_most(number), f"at_most({number!r})")


def one_of(*values: object) -> Condition:
    """Hold while the value is one of these."""
    return Condition(lambda field: field.one_of(*values), f"one_of{values!r}")


def within(number: object = None, /, *, percent: object = None) -> Condition:
    """Hold while the number stays this close to the captured one, ends included."""
    return Condition(
        lambda field: field.within(number, percent=percent),
        f"within({number!r})" if percent is None else f"within(percent={percent!r})",
    )


secret: Final = Condition(lambda field: field.secret, "secret")
unordered: Final = Condition(lambda field: field.unordered, "unordered")
instant: Final = Condition(lambda field: field.instant, "instant")
strict: Final = Condition(lambda field: field.strict, "strict")
nfc: Final = Condition(lambda field: field.nfc, "nfc")
absent_is_null: Final = Condition(lambda field: field.absent_is_null, "absent_is_null")


class _Member(Struct, frozen=True):
    """One attribute: its name in JSON, and its field or the class that it stands for."""

    name: str
    stands_for: Field | type[Facts]


@lru_cache(maxsize=256)
def fields_of(cls: type) -> tuple[Field, ...]:
    """Return the fields that a class of `Facts` declares, in the order of its attributes.

    Raises:
        DeclarationError: It is no class of `Facts`, or an annotation cannot be meant.
        NoFields: It declares no attribute.
    """
    if not issubclass(cls, Facts):
        raise DeclarationError(
            f"{cls.__name__} declares no fields",
            fix=f"Write class {cls.__name__}(Facts): ...",
        )
    fields = tuple(field for member in _members(cls) for field in _fields(member))
    if not fields:
        raise NoFields(f"{cls.__name__} has no attribute, so nothing would be protected")
    return fields


def make(cls: type[F], values: Mapping[str, Any]) -> F:
    """Return captured values as an instance of the class that declared them.

    A number that the class takes for a `Decimal` is read from its decimal text, so 0.1
    and 0.2 make 0.3.

    Args:
        values: By selector, the Python values; a field that was absent is missing or
            `ABSENT`. Of a wildcard the list of its values.

    Raises:
        CaptureFailed: A value is not of the type that the class declares.
    """
    try:
        return msgspec.convert(_tree(cls, values, ""), cls)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        for spelled, token in ((".", "/"), ("[", "/"), ("]", ""), ("`", "")):
            place = place.replace(spelled, token)
        raise CaptureFailed(
            f"the record does not have the shape of {cls.__name__}: {reason}",
            where=place,
            fix="Declare the type that the record has.",
        ) from error


def _tree(cls: type[Facts], values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for member in _members(cls):
        inner = member.stands_for
        if not isinstance(inner, Field):
            tree[member.name] = _tree(inner, values, f"{prefix}/{escape(member.name)}")
        elif (value := values.get(prefix + inner.selector, ABSENT)) is not ABSENT:
            tree[member.name] = value
    return tree


def _fields(member: _Member) -> list[Field]:
    if isinstance(member.stands_for, Field):
        return [member.stands_for]
    prefix = "/" + escape(member.name)
    return [_below(prefix, field) for field in fields_of(member.stands_for)]


def _below(prefix: str, field: Field) -> Field:
    if field.selector.startswith("$"):
        raise DeclarationError(
            f"{field.shown} is a JSONPath, and stands in a class that is itself an attribute",
            fix="Declare it in the outermost class.",
        )
    return msgspec.structs.replace(field, selector=prefix + field.selector)


@lru_cache(maxsize=256)
def _members(cls: type[Facts]) -> tuple[_Member, ...]:
    return tuple(_member(cls, info) for info in msgspec.structs.fields(cls))


def _member(cls: type[Facts], info: FieldInfo) -> _Member:
    said: tuple[Any, ...] = ()
    kind = info.type
    if get_origin(kind) is Annotated:
        kind, *rest = get_args(kind)
        said = tuple(each for each in rest if isinstance(each, Condition | Field))
    if isinstance(kind, type) and issubclass(kind, Facts):
        if said or not info.required:
            raise DeclarationError(
                f"{cls.__name__}.{info.name} stands for the fields of {kind.__name__}, and "
                "has no condition or default of its own",
                fix=f"Put it into {kind.__name__}, or make that a msgspec.Struct, which is "
                "compared as a whole.",
            )
        return _Member(info.encode_name, kind)
    return _Member(info.encode_name, _declared(info, said))


def _declared(info: FieldInfo, said: tuple[Condition | Field, ...]) -> Field:
    field = Field(selector="/" + escape(info.encode_name))
    if secret in said:  # first, so that no mistake in a literal repeats it
        field = field.secret
    for each in said:
        field = each if isinstance(each, Field) else each.on(field)
    return field if info.required else field.optional


__all__ = [
    "Condition",
    "Facts",
    "absent_is_null",
    "at_least",
    "at_most",
    "equals",
    "fields_of",
    "instant",
    "make",
    "nfc",
    "one_of",
    "secret",
    "strict",
    "unordered",
    "within",
]
