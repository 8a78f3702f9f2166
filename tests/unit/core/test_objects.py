from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import ClassVar

import msgspec
import pytest

from lastlook.core.objects import ABSENT, declared_names, escape, read_attribute, unescape
from lastlook.errors import NotCanonical


class Shape(msgspec.Struct, rename="camel"):
    first_name: str
    note: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def shout(self) -> str:
        return self.first_name.upper()


@dataclass
class Plain:
    counter: ClassVar[int] = 0
    size: int
    seed: InitVar[int] = 0


class AttrsLike:
    class _Attribute:
        def __init__(self, name: str) -> None:
            self.name = name

    __attrs_attrs__ = (_Attribute("x"), _Attribute("y"))


class PydanticLike:
    __pydantic_fields__ = dict.fromkeys(("a", "b"))


class Odd:
    __pydantic_fields__ = "not a mapping"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Shape, ("first_name", "note")),
        (Plain, ("size",)),
        (AttrsLike, ("x", "y")),
        (PydanticLike, ("a", "b")),
        (Odd, None),
        (object, None),
        (int, None),
    ],
)
def test_a_class_declares_its_fields_and_nothing_else(kind, names):
    assert declared_names(kind) == names


def test_a_pydantic_model_declares_its_fields():
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", a=(int, 1), b=(str, "x"))
    assert declared_names(model) == ("a", "b")


def test_an_attribute_that_is_unset_is_absent():
    assert read_attribute(Shape(first_name="Ana"), "note", "") is ABSENT
    assert read_attribute(Shape(first_name="Ana"), "first_name", "") == "Ana"
    assert repr(ABSENT) == "ABSENT"


def test_an_attribute_that_raises_is_refused_with_its_path():
    class Lazy:
        @property
        def total(self) -> int:
            raise ConnectionError("gone")

    with pytest.raises(NotCanonical) as caught:
        read_attribute(Lazy(), "total", "/a~1b")
    assert caught.value.where == "/a~1b/total"
    assert "ConnectionError" in caught.value.what


@pytest.mark.parametrize(("name", "token"), [("a/b", "a~1b"), ("~1", "~01"), ("", ""), ("é", "é")])
def test_a_name_is_written_as_a_token_and_read_back(name, token):
    assert escape(name) == token
    assert unescape(token) == name
