"""The user's own `Lastlook`, by `--app module:name`."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING

from lastlook.errors import DeclarationError, LastlookError

if TYPE_CHECKING:
    from lastlook.app import Lastlook


def imported(spec: str, *, folder: str) -> Lastlook:
    """Import a `Lastlook` object; modules in `folder` are found first.

    Args:
        spec: `module:name`, as in `shop:look` or `shop.agents:look`.
        folder: The working directory.

    Raises:
        DeclarationError: There is no such module or name, importing it fails, or it is
            not a `Lastlook`.
    """
    from lastlook.app import Lastlook

    module_name, colon, path = spec.partition(":")
    if not colon or not module_name or not path:
        raise DeclarationError(
            f"--app takes module:name, not {spec!r}", fix="As in --app shop:look."
        )
    if folder not in sys.path:
        sys.path.insert(0, folder)
    found: object = _module(module_name, folder)
    for name in path.split("."):
        if not hasattr(found, name):
            raise DeclarationError(f"module {module_name} has no {path}", where=spec)
        found = getattr(found, name)
    if not isinstance(found, Lastlook):
        raise DeclarationError(
            f"{spec} is of type {type(found).__name__}, not a Lastlook",
            fix="Name the object: look = Lastlook(sources=...).",
        )
    return found


def _module(name: str, folder: str) -> object:
    try:
        return import_module(name)
    except LastlookError:
        raise
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise _failed(name, error) from error
        raise DeclarationError(
            f"there is no module named {name}", where=folder, fix="Go to its folder, or install it."
        ) from error
    except SystemExit as error:
        raise DeclarationError(
            f"importing {name} ended the program",
            fix='Put what runs under: if __name__ == "__main__":',
        ) from error
    except Exception as error:
        raise _failed(name, error) from error


def _failed(name: str, error: BaseException) -> DeclarationError:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return DeclarationError(
        f"importing {name} failed: {type(error).__name__}: {error}",
        where=f"{last.filename}, line {last.lineno}",
    )
