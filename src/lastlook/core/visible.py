r"""Foreign text made visible: what a person reads is all that is there.

Every character that shows nothing, moves others about, or looks like a plain space is
written as `\u{XX}` with its code point; so is a mark that would melt into the letter
before it, where the text has another spelling that prints alike. A backslash before a
`u` is written `\u{5C}`. More than eight spaces, which could push what follows to a line
that looks like one of ours, are counted: `\u{20x17}`. So two different texts never render
alike, and `reveal` gives the text back. What only looks alike by design of the scripts (Latin and Cyrillic a) stays
as it is; `looks_alike` finds it where two texts are compared.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastlook.core.evidence import Wire

_ESCAPE = re.compile(r"\\u\{([0-9A-F]{2,6})(?:x([0-9]+))?\}")
_CUT = re.compile(r"\\(?:u(?:\{[0-9A-F]*(?:x[0-9]*)?)?)?\Z")
_GAP = " " * 9  # as many spaces as are counted, and no longer shown
_GAPS = re.compile(f"{_GAP} *")

_INVISIBLE: Final = (
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFC), (0x1D159, 0x1D159), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Characters that count as printable and print nothing (Default_Ignorable_Code_Point of
the Unicode Character Database, the braille blank, and the empty note head)."""


def visible(text: str) -> str:
    r"""Return a text in which every character can be seen.

    Controls, bidirectional marks, zero-width and tag characters, variation selectors,
    surrogates, private and unassigned characters, and all spaces but the plain one are
    written as `\u{XX}`. The plain space stays, up to eight of them: print the text in
    quotes, so that one at its ends shows.
    """
    if not (text.isascii() and text.isprintable() and "\\u" not in text):
        text = _shown(text)
    return _GAPS.sub(_counted, text) if _GAP in text else text


def _shown(text: str) -> str:
    from unicodedata import is_normalized

    loose = _is_loose if is_normalized("NFC", text) else _is_loose_or_melts
    return "".join(
        _code(char) if _hidden(char) or loose(text, at) else char for at, char in enumerate(text)
    )


def _counted(spaces: re.Match[str]) -> str:
    return f"\\u{{20x{len(spaces[0])}}}"


def reveal(shown: str) -> str:
    """Return the text that `visible` was given."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) * int(found[2] or 1), shown)


def unhidden(text: str) -> str:
    """Return a text without a hidden character, its other characters as they are.

    For sentences that were put together of parts that `visible` has seen and of others
    that it may not have seen: what is written out already is not written out again.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_code(char) if _hidden(char) else char for char in text)


def says_something(text: str) -> bool:
    """Tell whether a text has a letter or a digit that can be seen."""
    return any(char.isalnum() and not _hidden(char) for char in text)


def _code(char: str) -> str:
    return f"\\u{{{ord(char):02X}}}"


@lru_cache(maxsize=4096)
def _hidden(char: str) -> bool:
    code = ord(char)
    return not char.isprintable() or any(low <= code <= high for low, high in _INVISIBLE)


def _is_loose(text: str, at: int) -> bool:
    """Find a backslash that could begin an escape, and a mark without a letter."""
    char = text[at]
    if char == "\\":
        return text[at + 1 : at + 2] == "u"
    if char.isascii() or not _is_mark(char):
        return False
    return at == 0 or not (text[at - 1].isalnum() or _is_mark(text[at - 1]))


def _is_loose_or_melts(text: str, at: int) -> bool:
    """Find, besides, whatever form C would merge or replace."""
    char = text[at]
    if char.isascii():
        return _is_loose(text, at)
    return _is_mark(char) or _melts(char)


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    from unicodedata import category

    return category(char).startswith("M")


@lru_cache(maxsize=4096)
def _melts(char: str) -> bool:
    """Tell a character that form C replaces, or a Hangul vowel or final consonant."""
    from unicodedata import is_normalized

    return not is_normalized("NFC", char) or "\u1161" <= char <= "\u11c2"


_LOOKS: Final = {
    "аА": "aA", "еЕ": "eE", "оО": "oO", "рР": "pP", "сС": "cC", "уУ": "yY", "хХ": "xX",
    "іІ": "iI", "јЈ": "jJ", "ѕЅ": "sS", "ԁ": "d", "һ": "h", "ԛ": "q", "ԝ": "w", "ѵ": "v",
    "ВМНТКЗ": "BMHTK3", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "ABEZHIKMNOPTYX", "οανι": "oavi",
    "‐‑‒–—−": "------", "‘’‛′": "''''", "“”″": '"""', "․": ".", "ⅼ": "l", "∕⁄": "//",
}  # fmt: skip


@lru_cache(maxsize=1)
def _look_table() -> dict[int, str]:
    pairs = [zip(map(ord, froms), tos, strict=True) for froms, tos in _LOOKS.items()]
    return {code: to for pair in pairs for code, to in pair}


def looks_alike(one: str, other: str) -> bool:
    """Tell whether two different texts print alike, or nearly so.

    They do where they differ in Unicode form only, in characters that print nothing, in
    the kind of space, or in letters and marks that look the same in another script.
    """
    if one == other or (_is_plain(one) and _is_plain(other)):
        return False
    return _outline(one) == _outline(other)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _outline(text: str) -> str:
    from unicodedata import category, normalize

    spaced = "".join(" " if category(char) == "Zs" else char for char in text)
    shown = "".join(char for char in spaced if char == " " or not _hidden(char))
    return normalize("NFC", normalize("NFD", shown).translate(_look_table()))


def show(wire: Wire, width: int | None = None) -> str:
    r"""Return the literal spelling of typed JSON: texts in quotes, `null`, digits.

    In a text, `"` and `\` have a backslash before them and what can't be seen is
    `\u{XX}`; dates and the like stand without quotes, so that no two values share one
    spelling.

    Args:
        wire: The tree.
        width: The most characters wanted; what is longer is cut and ends in `...`.
    """
    text = _show(wire)
    if width is None or len(text) <= width:
        return text
    return _CUT.sub("", text[: max(width - 3, 0)]) + "..."


def show_cell(cell: Sequence[Any], width: int | None = None) -> str:
    """Return a cell as people read it: `(not there)`, `(secret)`, or the value."""
    if cell[0] == "value":
        return show(cell[1], width)
    return "(not there)" if cell[0] == "absent" else "(secret)"


def _show(wire: Wire) -> str:
    if isinstance(wire, str):
        return f'"{_quoted(wire)}"'
    if isinstance(wire, list | tuple):
        return f"[{', '.join(map(_show, wire))}]"
    if isinstance(wire, dict):
        return _show_object(wire)
    if wire is None or isinstance(wire, bool):
        return {None: "null", True: "true", False: "false"}[wire]
    from lastlook.core.decimals import json_number

    return json_number(wire)


def _quoted(text: str) -> str:
    parts = (visible(part) for part in re.split(r'([\\"])', text))
    return "".join(f"\\{part}" if part in {"\\", '"'} else part for part in parts)


def _show_object(wire: dict[str, Wire]) -> str:
    [*names] = wire
    if len(names) == 1 and names[0].startswith("$") and not names[0].startswith("$$"):
        return _show_tagged(names[0], wire[names[0]])
    members = (f"{_show(name.removeprefix('$'))}: {_show(wire[name])}" for name in names)
    return f"{{{', '.join(members)}}}"


def _show_tagged(tag: str, inner: Wire) -> str:
    if tag in {"$int", "$decimal", "$datetime", "$date"}:
        return visible(str(inner))
    if tag == "$float":
        number = _show(inner)
        return number if "e" in number else f"{number}.0"
    shown = ", ".join(map(_show, inner)) if tag == "$result" else visible(str(inner))
    return f"{visible(tag[1:])}({shown})"
