"""What can be typed next, with the options that this command line had."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastlook.cli.context import Context
    from lastlook.core.plan import ActionPlan


def to_type(context: Context, *words: str, elsewhere: bool = False) -> str:
    """Return a command line to type next: it finds the same plans as this one.

    Args:
        words: The verb and its words, quoted where they need it.
        elsewhere: Whether it is typed in another folder than this.
    """
    from shlex import quote

    return " ".join(["lastlook", *map(quote, _options(context, elsewhere=elsewhere)), *words])


def _options(context: Context, *, elsewhere: bool) -> Iterator[str]:
    from lastlook.stores.location import MEMORY

    if context.app_spec is not None:
        yield from ("--app", context.app_spec)
    for option, path in (("--store", context.store_spec), ("--config", context.config_path)):
        if path is not None:
            moved = elsewhere and path != MEMORY
            yield from (option, os.path.abspath(path) if moved else path)


def home_of(plan: ActionPlan) -> str | None:
    """Return the folder in which a plan's `cwd` files are, or None where that is not known."""
    from lastlook.sources.files import JsonFiles
    from lastlook.sources.registry import Registry

    wanted = {item.source_config for item in plan.evidence if item.ref.startswith("cwd:")}
    folders = {item.command.folder for item in plan.tools if item.command is not None}
    for folder in sorted(folders):
        registry = Registry()
        registry.add("cwd", JsonFiles(folder, suffix_in_key=True), builtin=True)
        if wanted == {registry.config("cwd")}:
            return folder
    return None
