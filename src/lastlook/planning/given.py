"""What is given in a declaration, refused where it is of another kind than was asked for.

Python calls a function with whatever it is given. What a mistake would do later, in the
middle of a dispatch, is said here: what was given, and what to write instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from lastlook.core.visible import says_something
from lastlook.errors import DeclarationError


def must_be_text(given: object, what: str) -> None:
    """Refuse what is no text.

    Args:
        what: Where it was given, as in *tool book: effect*.

    Raises:
        DeclarationError: It is none.
    """
    if not isinstance(given, str):
        raise DeclarationError(f"{what} is a text, not {given!r}", fix="Write it in quotes.")


def must_be_texts(given: object, what: str) -> None:
    """Refuse what is no list of texts; one text is none.

    Raises:
        DeclarationError: It is none.
    """
    items = None if isinstance(given, str) or not isinstance(given, Sequence) else given
    if items is None or not all(isinstance(item, str) for item in items):
        raise DeclarationError(
            f"{what} is a list of texts, not {given!r}", fix='Write it as in ["a", "b"].'
        )


def must_say_something(given: object, what: str) -> None:
    """Refuse what is no text with a letter or a digit in it.

    Raises:
        DeclarationError: It is none.
    """
    if not isinstance(given, str) or not says_something(given):
        raise DeclarationError(
            f"{what} is a text with letters or digits, not {given!r}",
            fix="Say it in words: a person reads it.",
        )
