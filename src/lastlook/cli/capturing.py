"""`fingerprint` and `capture`: what records hold now, without a plan and without a store."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lastlook.cli.advising import missing_record
from lastlook.cli.context import Context
from lastlook.cli.inline import read_of
from lastlook.cli.output import Output, Usage
from lastlook.cli.suggesting import to_type
from lastlook.core.evidence import Found, NotFound
from lastlook.core.fields import as_fields
from lastlook.core.fingerprint import fingerprint as fingerprint_of
from lastlook.core.visible import visible
from lastlook.core.withheld import told
from lastlook.errors import CaptureFailed, DeclarationError, LastlookError, NotCanonical

if TYPE_CHECKING:
    from lastlook.app import Lastlook
    from lastlook.core.evidence import Evidence
    from lastlook.core.fields import Field
    from lastlook.core.screens.layout import Line
    from lastlook.planning.recipes import RecipeRead

_SHORT = 12  # hex digits that a person compares


def fingerprint(
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="REF#FIELD,...", show_default=False,
            help="A file beneath this folder or a record of a source, and fields of it.",
        ),
    ],
    scheme: Annotated[
        str,
        typer.Option(
            "--scheme", metavar="NAME",
            help="ll1; or freshctx16 or starebrain16, too weak to be compared.",
        ),
    ] = "ll1",
    short: Annotated[
        bool, typer.Option("--short", help="Its first 12 hex digits, for eyes alone.")
    ] = False,
) -> int:  # fmt: skip
    """Print the fingerprint of fields of a record.

    It is of the fields as they are now, and of nothing else: the same values elsewhere
    have the same one. A condition that is false, or a field that names nothing, is an
    error.
    """
    context: Context = ctx.obj
    _refuse_scheme(scheme)
    look = looking(context)
    read = _nameless(what, look, context.folder)
    fields = as_fields(read.fields)
    with warned(context.output), _naming(read.ref):
        made = fingerprint_of(_record(look, read.ref, fields), fields, scheme=scheme)
    shown = made.rpartition(":")[2][:_SHORT] if short else made
    context.output.text(shown)
    context.output.bare(shown)
    context.output.data({
        "ref": read.ref,
        "fields": [field.shown for field in fields],
        "scheme": scheme,
        "fingerprint": made,
        "exit": 0,
    })  # fmt: skip
    return 0


def capture(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Where the evidence is kept.")
    ],
    evidence: Annotated[
        list[str],
        typer.Option(
            "-e", "--evidence", metavar="REF#FIELD,...",
            help="What to read, and which fields of it to keep. Again for more.",
        ),
    ],
) -> int:  # fmt: skip
    """Read records, and keep fields of them in a file.

    That is evidence without a plan. The file is JSON and holds the values in the clear.
    It is written whole or not at all; an evidence file that is there is replaced. A
    condition that is false already, or a field that names nothing, is an error.
    """
    context: Context = ctx.obj
    from lastlook.evidence import save

    _refuse_other(file)
    look = looking(context)
    with warned(context.output):
        items = _captured(context, look, evidence)
    save(file, items)
    _say(context, file, items)
    context.output.data({
        "file": file,
        "evidence": [
            {
                "ref": item.ref,
                "fields": [field.shown for field in item.fields],
                "fingerprint": item.fingerprint,
            }
            for item in items
        ],
        "exit": 0,
    })  # fmt: skip
    return 0


def looking(context: Context) -> Lastlook:
    """Return the application, or one of our own with the same sources and no store at all."""
    if context.app_spec is not None:
        return context.look
    from lastlook.app import Lastlook
    from lastlook.sources.files import JsonFiles

    config = context.config
    sources: Any = {} if config is None else {n: config.source(n) for n in config.sources}
    look = Lastlook(sources=sources, store="memory")
    files = JsonFiles(context.folder, suffix_in_key=True)
    look.world.sources.add("cwd", files, builtin=True)
    return look


@contextmanager
def warned(output: Output) -> Iterator[None]:
    """Say warnings in a line each, beside the output, and not as Python does."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for item in caught:
        output.text(f"Note: {visible(str(item.message))}", aside=True)


def _captured(context: Context, look: Lastlook, texts: Iterable[str]) -> list[Evidence[Any]]:
    from lastlook.planning.reads import Reads

    reads = Reads(look.reader, missing=partial(missing_record, look))
    for text in texts:
        read = _nameless(text, look, context.folder)
        reads.record(read.ref, list(read.fields))
    return list(reads.evidence.values())


def _nameless(text: str, look: Lastlook, folder: str) -> RecipeRead:
    """Read `REF#FIELD,...`; a name before it is for a command, and there is none."""
    read = read_of(text, list(look.world.sources), folder)
    if read.alias:
        raise Usage(
            f"the name {read.alias}= is for a command, and there is none here",
            fix=f"Leave it out, or write ./{read.alias}=... where it is part of the path.",
        )
    return read


def _record(look: Lastlook, ref: str, fields: Iterable[Field]) -> object:
    reading = look.reader.read(ref)
    if isinstance(reading, Found):
        return reading.record
    reason = told(reading.reason, "no answer", fields)
    fix = missing_record(look, ref) if isinstance(reading, NotFound) else ""
    raise CaptureFailed(f"{ref} could not be read: {reason}", where=ref, fix=fix)


@contextmanager
def _naming(ref: str) -> Iterator[None]:
    """Let what is refused say of which record."""
    try:
        yield
    except (DeclarationError, NotCanonical) as error:
        error.where = f"{ref}#{error.where}" if error.where else ref
        raise


def _refuse_scheme(scheme: str) -> None:
    from lastlook.core.schemes import SCHEMES

    if scheme != "ll1" and scheme not in SCHEMES:
        raise Usage(
            f"there is no scheme {visible(scheme)!r}", fix=f"It is ll1, {', '.join(SCHEMES)}."
        )


def _refuse_other(file: str) -> None:
    """Refuse to write over a file that holds something else, such as the record itself."""
    from lastlook.evidence import load

    if file in {"", "-"}:
        raise Usage("-o takes the name of a file", fix="As in: -o before.json")
    if not os.path.isfile(file):
        return
    try:
        load(file)
    except LastlookError as error:
        raise Usage(
            "this is there, and is no evidence file, so it is not replaced",
            where=file,
            fix="Give another name, or remove it.",
        ) from error


def _say(context: Context, file: str, items: list[Evidence[Any]]) -> None:
    from shlex import quote

    from lastlook.core.screens.layout import BLANK, Span, laid_out, prose
    from lastlook.core.screens.rests import evidence_lines
    from lastlook.core.screens.values import name

    line = to_type(context, "check", quote(file))

    def lines() -> Iterator[Line]:
        yield (Span("CAPTURED", "head"), Span(f"  {name(file)}"))
        yield BLANK
        for item in items:
            yield from evidence_lines(item)
        yield BLANK
        yield from prose(f"Whether it still holds: {visible(line)}")

    context.output.screen(laid_out(context.output.width(), lines))
