"""A field: what evidence looks at in a record, and how it is compared.

Three spellings make the same thing: text (`"seats >= 2"`, read by `parse_field`), calls
(`field("seats").at_least(2)`), and a class of `Facts`. `str` of a field is its text form,
and reads back as the same field.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from lastlook.core.canonical import encode, to_wire
from lastlook.core.fieldtext import (
    may_be_secret,
    parse_parts,
    parse_selector,
    print_parts,
    quote,
    unrepeated,
)
from lastlook.core.rules import COMPARISONS, MARKS, build_rule, check_rule
from lastlook.core.selectors import check_selector, is_wildcard
from lastlook.errors import FieldSyntaxError, NoFields, NotCanonical

if TYPE_CHECKING:
    from lastlook.core.facts import Facts

Wire: TypeAlias = Any


class Field(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    eq=False,
    dict=True,
    rename={"is_optional": "optional", "is_secret": "secret"},
):
    """One declared field; made by `field`, `parse_field` or a class of `Facts`.

    The flags are stored as `is_optional` and `is_secret`, and named `optional` and
    `secret` in JSON, because `.optional` and `.secret` are the fluent spelling: each
    returns a new field that has the flag, like `.unordered`, `.nfc` and the rest.

    Two fields are equal, and hash alike, where selector, flags and the RFC 8785 bytes of
    their rules are equal; so `== 1` and `== true` differ.

    Attributes:
        selector: A JSON Pointer, a JSONPath, or the empty text for the whole record.
        rule: The rule object of format.md, operands in typed JSON; `{}` is plain equality.
        is_optional: Whether the field may be absent at capture.
        is_secret: Whether its value is kept as a keyed digest only.

    Raises:
        FieldSyntaxError: The selector cannot be read, or rule and flags do not go together.
    """

    selector: str
    rule: dict[str, Wire] = {}
    is_optional: bool = False
    is_secret: bool = False

    def __post_init__(self) -> None:
        check_selector(self.selector)
        if self.rule:
            check_rule(self.selector, self.rule, secret=self.is_secret)

    @cached_property
    def _key(self) -> tuple[str, bool, bool, bytes]:
        rule = encode(self.rule) if self.rule else b""
        return self.selector, self.is_optional, self.is_secret, rule

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and self._key == other._key

    def __ne__(self, other: object) -> bool:
        return not self == other  # msgspec's own would not ask __eq__

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """The text form, as prompt, journal, TOML and command line have it."""
        return print_parts(
            self.selector, self.rule, optional=self.is_optional, secret=self.is_secret
        )

    def __repr__(self) -> str:
        return f"Field({self.shown!r})"

    @cached_property
    def shown(self) -> str:
        """The text form for eyes: of a secret field without the literal of its condition."""
        return self.masked if self.is_secret else self.text

    @cached_property
    def masked(self) -> str:
        """The text form without the literal of its condition."""
        return print_parts(
            self.selector, self.rule, optional=self.is_optional, secret=self.is_secret, masked=True
        )

    @property
    def is_plain(self) -> bool:
        """Whether the field is compared for plain equality and kept in the clear."""
        return not self.rule and not self.is_secret

    @property
    def is_wildcard(self) -> bool:
        """Whether the selector may name several values."""
        return is_wildcard(self.selector)

    @property
    def comparison(self) -> str:
        """The name of the comparison in the rule, or an empty text."""
        return next((name for name in COMPARISONS if name in self.rule), "")

    def equals(self, value: object, /) -> Field:
        """Hold while the value is this one."""
        return self._compared("equals", value)

    def at_least(self, number: object, /) -> Field:
        """Hold while the value is a number that is not smaller."""
        return self._compared("at_least", number)

    def at_most(self, number: object, /) -> Field:
        """Hold while the value is a number that is not greater."""
        return self._compared("at_most", number)

    def one_of(self, /, *values: object) -> Field:
        """Hold while the value is one of these."""
        if len(values) == 1 and isinstance(values[0], list | tuple | set | frozenset):
            raise FieldSyntaxError(
                "one_of takes the values one by one",
                fix="Write one_of(*values), or equals(values) where the value is a list.",
            )
        return self._compared("one_of", list(values))

    def within(self, number: object = None, /, *, percent: object = None) -> Field:
        """Hold while the number stays this close to the captured one, ends included.

        Args:
            number: The greatest distance.
            percent: Instead, the greatest distance in hundredths of the captured value.
        """
        if (number is None) == (percent is None):
            raise FieldSyntaxError("within takes a number or percent=, one of the two")
        return self._compared("within", number if percent is None else {"percent": percent})

    @property
    def optional(self) -> Field:
        """The same field, which may be absent at capture; to come or go later is Stale."""
        return replace(self, is_optional=True)

    @property
    def secret(self) -> Field:
        """The same field, kept as a keyed digest: in no prompt, log, repr or journal."""
        return replace(self, is_secret=True)

    @property
    def unordered(self) -> Field:
        """The same field, its list compared in any order; repeats still count."""
        return self._marked("unordered")

    @property
    def instant(self) -> Field:
        """The same field, its text compared as the moment that it names (RFC 3339)."""
        return self._marked("instant")

    @property
    def strict(self) -> Field:
        """The same field, in which 20 and 20.0 differ."""
        return self._marked("strict")

    @property
    def nfc(self) -> Field:
        """The same field, its text and member names compared in Unicode form C."""
        return self._marked("nfc")

    @property
    def absent_is_null(self) -> Field:
        """The same field, where a missing member counts as null."""
        return self._marked("absent_is_null")

    @property
    def _marks(self) -> list[str]:
        return [mark for mark in MARKS if mark in self.rule]

    def _compared(self, comparison: str, operand: object) -> Field:
        if self.comparison:
            raise FieldSyntaxError(
                f"{self.shown} has a comparison, and a field has one", where=self.selector
            )
        wire = self._operand(operand)
        rule = build_rule(self.selector, self._marks, comparison, wire, secret=self.is_secret)
        return replace(self, rule=rule)

    def _operand(self, operand: object) -> Wire:
        try:
            return to_wire(operand, strict="strict" in self.rule)
        except NotCanonical:
            if not self.is_secret:
                raise
        raise NotCanonical(
            "the operand of a secret field has no canonical form", where=self.selector
        )

    def _marked(self, mark: str) -> Field:
        if mark in self.rule:
            return self
        comparison = self.comparison
        if mark == "strict" and comparison:
            raise FieldSyntaxError(
                f"after {comparison} it is no longer known what came as a float",
                fix=f"Put .strict before .{comparison}(...).",
            )
        rule = build_rule(
            self.selector,
            [*self._marks, mark],
            comparison,
            self.rule.get(comparison),
            secret=self.is_secret,
        )
        return replace(self, rule=rule)


FieldsLike: TypeAlias = "str | Field | type[Facts] | Iterable[str | Field | type[Facts]]"
"""What declares fields: one of its three spellings, or several."""


def field(selector: str, /) -> Field:
    """Return a field that stays as it was; its methods say more.

    ```python
    field("balance").at_least(100)
    field("/payment/method").one_of("card", "cash").optional
    ```

    Args:
        selector: A name, a JSON Pointer, a JSONPath, or `$` for the whole record, as in
            the text form. A name that holds an operator, a quote or a bracket stands in
            double quotes: `field('"a = b"')`.

    Raises:
        FieldSyntaxError: The text is not a selector alone.
    """
    if not isinstance(selector, str):
        raise FieldSyntaxError(f"{selector!r} names no field", fix='Write field("status").')
    try:
        return Field(selector=parse_selector(selector))
    except FieldSyntaxError as error:
        if not may_be_secret(selector):
            raise
        raise unrepeated(error) from None


def parse_field(text: str, /) -> Field:
    """Read the text form of a field: `seats >= 2`, `status == "free" (optional)`.

    Raises:
        FieldSyntaxError: The text cannot be read; `fix` shows the right spelling.
    """
    parts = parse_parts(text)
    secret = "secret" in parts.words
    rule = build_rule(parts.selector, parts.words, parts.comparison, parts.operand, secret=secret)
    return Field(
        selector=parts.selector,
        rule=rule,
        is_optional="optional" in parts.words,
        is_secret=secret,
    )


def as_fields(spec: FieldsLike, /) -> tuple[Field, ...]:
    """Return the fields that a declaration names, in the order of their cells.

    Args:
        spec: One text, one field, one class of `Facts`, or an iterable of these.

    Raises:
        NoFields: There is none.
        FieldSyntaxError: A text cannot be read, or two fields have one selector.
    """
    fields = sorted(_each(spec), key=lambda each: each.selector)
    if not fields:
        raise NoFields(
            "no field is declared, so nothing would be protected",
            fix='Name what the plan rests on: "status", or "$" for the whole record.',
        )
    for before, after in pairwise(fields):
        if before.selector == after.selector:
            raise FieldSyntaxError(
                f"{quote(before.selector)} is declared twice: {beside(before, after)}, "
                f"and {beside(after, before)}",
                fix="Declare it once.",
            )
    return tuple(fields)


def beside(field: Field, other: Field) -> str:
    """Return the text form of a field for eyes, where another of its selector is shown too.

    What is secret in one declaration is secret in the other.
    """
    return field.masked if other.is_secret else field.shown


def _each(spec: FieldsLike) -> list[Field]:
    if isinstance(spec, str):
        return [parse_field(spec)]
    if isinstance(spec, Field):
        return [spec]
    if isinstance(spec, type):
        from lastlook.core.facts import fields_of

        return list(fields_of(spec))
    if isinstance(spec, Iterable):
        return [each for part in spec for each in _each(part)]
    raise FieldSyntaxError(f"{spec!r} declares no field", fix='Write "status", or field("status").')
