"""What a person should know about a text before trusting her eyes.

The scripts that are told apart are those whose letters are drawn alike (Unicode
Technical Standard 39, *mixed-script confusables*).
"""

from __future__ import annotations

from typing import Final
from unicodedata import category, is_normalized, name

from lastlook.core.visible import visible

_SCRIPTS: Final = ("Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Fullwidth")


def first_difference(before: str, after: str) -> str:
    """Return where two different texts part, with the characters' code points and names."""
    shared = zip(before, after, strict=False)
    shorter = min(len(before), len(after))
    at = next((place for place, (old, new) in enumerate(shared) if old != new), shorter)
    old, new = _named(before[at : at + 1]), _named(after[at : at + 1])
    return f"character {at + 1} was {old}, is {new}"


def _named(char: str) -> str:
    if not char:
        return "not there"
    known = name(char, "")
    return f"U+{ord(char):04X}{' ' + known if known else ''}"


def oddities(text: str) -> tuple[str, ...]:
    """Return in what way a text may be other than it looks."""
    if text.isascii() and text.isprintable() and text == text.strip():
        return ()
    found = []
    if any(_is_hidden(char) for char in text):
        found.append("holds hidden characters, shown as \\u{...}")
    if text != text.strip():
        found.append("begins or ends with a space")
    if mixed := _mixed_scripts(text):
        found.append(f"has {' and '.join(mixed)} letters in one word")
    if not is_normalized("NFC", text):
        found.append("has letters with separate accents, shown as \\u{...}")
    return tuple(found)


def _is_hidden(char: str) -> bool:
    marks_or_space = char.isspace() or category(char).startswith("M")
    return not marks_or_space and visible(char) != char


def _mixed_scripts(text: str) -> list[str]:
    for word in text.split():
        letters = {char for char in word if category(char).startswith("L")}
        met = {name(char, "").partition(" ")[0].title() for char in letters}
        scripts: list[str] = [script for script in _SCRIPTS if script in met]
        if len(scripts) > 1:
            return scripts
    return []
