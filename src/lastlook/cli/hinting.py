"""Lastlook's own warnings at the command line: one line each, to standard error."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lastlook.core.visible import visible

if TYPE_CHECKING:
    from lastlook.cli.output import Output


@contextmanager
def hints(output: Output) -> Iterator[None]:
    """Show what Lastlook warns of as hints for people; other warnings as ever.

    `--quiet` leaves hints out. Where Python was told what to do with warnings (`-W`), it
    is done.
    """
    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("default", UserWarning)
        shown = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not category.__module__.startswith("lastlook."):
                shown(message, category, *where, **more)
            elif not output.quiet:
                sys.stderr.write(f"Hint: {visible(str(message))}.\n")

        warnings.showwarning = show
        yield
