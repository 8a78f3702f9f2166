"""What `look.tool(...)` returns, typed so that `act` is left out of a tool's signature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from lastlook.planning.tools import Act, Tool

P = ParamSpec("P")
R = TypeVar("R")


class ToolDecorator:
    """What `look.tool(...)` returns: it makes a `Tool` of a function."""

    def __init__(self, make: Callable[[Callable[..., Any]], Tool[..., Any]]) -> None:
        self._make = make

    @overload
    def __call__(self, function: Callable[Concatenate[Act, P], R], /) -> Tool[P, R]: ...

    @overload
    def __call__(self, function: Callable[P, R], /) -> Tool[P, R]: ...

    def __call__(self, function: Callable[..., Any], /) -> Tool[..., Any]:
        """Register the function as a tool."""
        return self._make(function)
