"""Sources by name: what may be registered, what a name may be, and what tells two apart."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

import lastlook.sources
from lastlook.core.evidence import Found
from lastlook.errors import (
    DeclarationError,
    DuplicateName,
    NotCanonical,
    NotRegistered,
    TemplateError,
)
from lastlook.sources import JsonFiles, MemorySource, PythonSource, Registry
from lastlook.testing import ScriptedSource


def test_sources_keep_the_order_of_their_registration() -> None:
    registry = Registry({"b": {}, "a": {}})
    registry.add("c", {})
    assert list(registry) == ["b", "a", "c"]
    assert len(registry) == 3
    assert "a" in registry
    assert "d" not in registry


def test_a_dict_becomes_records_in_memory_and_stays_the_world() -> None:
    world = {"slot-42": {"status": "available"}}
    registry = Registry({"slots": world})
    assert isinstance(registry["slots"], MemorySource)
    world["slot-42"]["status"] = "unavailable"
    assert registry["slots"].read("slot-42") == Found({"status": "unavailable"})


def test_a_function_becomes_a_source_that_calls_it() -> None:
    registry = Registry({"slots": lambda key: {"id": key}})
    assert isinstance(registry["slots"], PythonSource)
    assert registry["slots"].read("slot-42") == Found({"id": "slot-42"})


@pytest.mark.parametrize("name", ["slots", "a", "my-slots_2", "tools", "cwd2"])
def test_a_name_of_small_letters_digits_and_dashes_is_taken(name: str) -> None:
    assert name in Registry({name: {}})


@pytest.mark.parametrize(
    "name", ["", "Slots", "2slots", "-a", "_a", "a b", "a:b", "a.b", "é", "a\n", "slots/", 7, None]
)
def test_any_other_name_is_refused(name: Any) -> None:
    with pytest.raises(DeclarationError, match="cannot name a source"):
        Registry({name: {}})


def test_reserved_names_are_refused_save_cwd_for_the_command_line() -> None:
    registry = Registry()
    for name in ("tool", "cwd"):
        with pytest.raises(DeclarationError, match="reserved"):
            registry.add(name, {})
    with pytest.raises(DeclarationError, match="reserved"):
        registry.add("tool", {}, builtin=True)
    assert registry.add("cwd", {}, builtin=True) is registry["cwd"]


def test_a_name_is_given_once() -> None:
    registry = Registry({"slots": {}})
    with pytest.raises(DuplicateName, match="'slots'"):
        registry.add("slots", {})


@pytest.mark.parametrize("source", [7, "slots.json", None, [], JsonFiles, ScriptedSource])
def test_what_is_no_source_is_refused_with_what_to_give(source: Any) -> None:
    with pytest.raises(DeclarationError, match="slots") as caught:
        Registry({"slots": source})
    assert caught.value.fix


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0},
        {"timeout": -1.0},
        {"timeout": True},
        {"timeout": "2"},
        {"timeout": float("nan")},
        {"consistency": "sometimes"},
        {"blocking": 1},
        {"absence_is_proof": None},
    ],
)
def test_a_source_whose_promises_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    source: Any = ScriptedSource()
    for name, value in wrong.items():
        setattr(source, name, value)
    with pytest.raises(DeclarationError, match="slots"):
        Registry({"slots": source})


def test_a_name_that_is_not_here_lists_those_that_are() -> None:
    registry = Registry({"slots": {}, "orders": {}})
    for look in (lambda: registry["order"], lambda: registry.route("order:1")):
        with pytest.raises(NotRegistered, match="no source named 'order'") as caught:
            look()
        assert caught.value.fix == "Registered here: slots, orders."
    with pytest.raises(NotRegistered, match="No source is registered"):
        Registry()["slots"]


def test_a_ref_names_a_source_and_a_key() -> None:
    registry = Registry({"slots": {}})
    assert registry.route("slots:a:b/c") == (registry["slots"], "a:b/c")
    with pytest.raises(TemplateError):
        registry.route("slots")


def test_a_configuration_digest_tells_sources_apart_and_does_not_change() -> None:
    first = Registry({"a": JsonFiles("/slots"), "b": JsonFiles("/orders"), "c": {}})
    again = Registry({"x": JsonFiles("/slots"), "y": {"other": {}}})
    assert first.config("a") == first.config("a") == again.config("x")
    assert first.config("c") == again.config("y")
    assert len({first.config(name) for name in first}) == 3


def test_a_configuration_digest_is_sha256_over_its_canonical_bytes() -> None:
    expected = hashlib.sha256(b'lastlook:source/1\n{"kind":"memory"}').hexdigest()
    assert Registry({"a": {}}).config("a") == expected


def test_a_configuration_without_canonical_form_is_refused() -> None:
    class Odd(ScriptedSource):
        def describe(self) -> dict[str, object]:
            return {"made": object()}

    with pytest.raises(NotCanonical):
        Registry({"a": Odd()}).config("a")
    with pytest.raises(NotRegistered):
        Registry().config("a")


def test_every_public_name_is_there_and_no_other() -> None:
    assert dir(lastlook.sources) == sorted(lastlook.sources.__all__)
    for name in lastlook.sources.__all__:
        assert getattr(lastlook.sources, name).__name__ == name
    with pytest.raises(AttributeError, match="Nonsense"):
        _ = lastlook.sources.Nonsense
