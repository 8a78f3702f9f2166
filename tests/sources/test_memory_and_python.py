"""Records in memory, and records that a function fetches."""

from __future__ import annotations

import enum
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from lastlook.core.evidence import Found, NoAccess, NoAnswer, NotFound
from lastlook.errors import DeclarationError
from lastlook.sources import MemorySource, PythonSource

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


def reason(answer: object) -> str:
    assert isinstance(answer, NoAnswer)
    return answer.reason


# --- memory --------------------------------------------------------------------------------------


def test_what_is_set_is_kept_as_it_was_then() -> None:
    source = MemorySource()
    record = {"tags": ["a"]}
    source.set("x", record)
    record["tags"].append("b")
    assert source.read("x") == Found({"tags": ["a"]})


def test_deleting_twice_is_deleting_once() -> None:
    source = MemorySource({"x": 1})
    source.delete("x")
    source.delete("x")
    assert source.read("x") == NotFound()


def test_a_read_shares_nothing_with_the_world() -> None:
    world: dict[str, Any] = {"x": {"list": [{"n": 1}], "pair": ({"n": 1},)}}
    answer = MemorySource(world).read("x")
    assert isinstance(answer, Found)
    answer.record["list"][0]["n"] = 2
    answer.record["pair"][0]["n"] = 2
    assert world == {"x": {"list": [{"n": 1}], "pair": ({"n": 1},)}}


@pytest.mark.parametrize("records", [[], "x", 7, [("a", 1)]])
def test_memory_takes_a_dict_alone(records: Any) -> None:
    with pytest.raises(DeclarationError):
        MemorySource(records)


class Restless:
    """Cannot be copied the first few times, as a dict that another thread changes."""

    def __init__(self, times: int, then: Any = None) -> None:
        self.times, self.then = times, then

    def __deepcopy__(self, memo: object) -> str:
        self.times -= 1
        if self.times >= 0:
            if self.then:
                self.then()
            raise RuntimeError("dictionary changed size during iteration")
        return "copied"


def test_a_record_that_changes_while_it_is_copied_is_copied_again() -> None:
    assert MemorySource({"x": {"n": Restless(2)}}).read("x") == Found({"n": "copied"})


def test_a_record_that_never_holds_still_is_no_answer() -> None:
    words = reason(MemorySource({"x": Restless(100)}).read("x"))
    assert words == "it raised RuntimeError: dictionary changed size during iteration"


def test_a_record_that_goes_while_it_is_copied_is_not_found() -> None:
    source = MemorySource()
    source._records["x"] = Restless(1, then=lambda: source.delete("x"))
    assert source.read("x") == NotFound()


def test_a_record_that_holds_itself_is_no_answer() -> None:
    record: dict[str, Any] = {}
    record["self"] = record
    assert "RecursionError" in reason(MemorySource({"x": record}).read("x"))


# --- a function ----------------------------------------------------------------------------------


def test_a_reading_that_the_function_gives_is_passed_on() -> None:
    for answer in (Found({"n": 1}, "v7"), NotFound(), NoAccess("403"), NoAnswer("down")):
        assert PythonSource(lambda _, given=answer: given).read("x") == answer


def test_what_the_function_returns_is_copied() -> None:
    cache = {"n": [1]}
    for give in (lambda _: cache, lambda _: Found(cache)):
        answer = PythonSource(give).read("x")
        assert isinstance(answer, Found)
        answer.record["n"].append(2)
    assert cache == {"n": [1]}


def test_any_value_may_be_a_record() -> None:
    class Colour(enum.Enum):
        RED = "red"

    for value in ({"a": 1}, [1], "text", 7, 1.5, True, b"x", Colour.RED, SimpleNamespace(a=1)):
        assert PythonSource(lambda _, given=value: given).read("x") == Found(value)


def generator(_: str) -> Iterator[int]:
    yield 1


async def coroutine(_: str) -> dict[str, Any]:
    return {}


async def async_generator(_: str) -> AsyncIterator[int]:
    yield 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda _: None, "it returned None; return NotFound() where there is no record"),
        (partial(generator), "it returned a generator, which is no record"),
        (partial(coroutine), "it returned a coroutine, which is no record"),
        (partial(async_generator), "it returned an async_generator, which is no record"),
        (lambda _: iter([1]), "it returned a list_iterator, which is no record"),
        (lambda _: {1}, "it returned a set, which is no record"),
        (lambda _: frozenset(), "it returned a frozenset, which is no record"),
        (lambda _: len, "it returned a builtin_function_or_method, which is no record"),
        (lambda _: dict, "it returned a type, which is no record"),
    ],
)
def test_what_is_no_record_is_no_answer(call: Any, words: str) -> None:
    assert reason(PythonSource(call).read("x")) == words


def test_a_record_that_cannot_be_copied_is_no_answer() -> None:
    import threading

    assert "TypeError" in reason(PythonSource(lambda _: {"lock": threading.Lock()}).read("x"))


def test_what_the_function_raises_is_no_answer() -> None:
    def fail(_: str) -> object:
        raise ConnectionError("refused")

    assert reason(PythonSource(fail).read("x")) == "it raised ConnectionError: refused"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_is_no_answer_to_be_swallowed(error: type[BaseException]) -> None:
    def interrupt(_: str) -> object:
        raise error

    with pytest.raises(error):
        PythonSource(interrupt).read("x")


@pytest.mark.parametrize("call", [generator, coroutine, async_generator, {"a": 1}, 7, None])
def test_a_function_that_can_never_answer_is_refused(call: Any) -> None:
    with pytest.raises(DeclarationError, match="PythonSource"):
        PythonSource(call)


def test_an_object_that_can_be_called_is_a_function_too() -> None:
    class Client:
        def __call__(self, key: str) -> object:
            return {"key": key}

        def fetch(self, key: str) -> object:
            return {"fetched": key}

    assert PythonSource(Client()).read("a") == Found({"key": "a"})
    assert PythonSource(Client().fetch).read("a") == Found({"fetched": "a"})
    assert str(PythonSource(Client()).describe()["call"]).endswith("Client")


def fetch(_: str) -> object:
    return {}


def test_the_configuration_holds_the_function_and_what_was_said_of_it() -> None:
    assert PythonSource(fetch, config={"base": "https://a.example"}).describe() == {
        "kind": "python",
        "call": "fetch",
        "consistency": "linearizable",
        "absence_is_proof": False,
        "config": {"base": "https://a.example"},
    }
    made = [
        PythonSource(fetch),
        PythonSource(generator.__class__),
        PythonSource(fetch, consistency="eventual"),
        PythonSource(fetch, absence_is_proof=True),
        PythonSource(fetch, config={"base": "https://b.example"}),
    ]
    assert len({str(source.describe()) for source in made}) == len(made)


def test_a_longer_time_out_is_no_other_configuration() -> None:
    assert PythonSource(fetch, timeout=9).describe() == PythonSource(fetch).describe()
    assert PythonSource(fetch, timeout=9).timeout == 9
