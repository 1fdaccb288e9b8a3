"""Text from outside, such as names of files, levels and players, made safe to show."""

import unicodedata
from typing import Final

_NEW_LINE: Final = "\n"
# Controls of the first 32 have pictures of their own; so has DEL.
_PICTURES: Final = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_REPLACEMENT: Final = "\ufffd"
# Cc: controls; Cs: halves of pairs, which stand for bytes of file names that are no UTF-8; Zl, Zp: line ends.
_UNSAFE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Formats that turn the direction of a line around, by which a name can look like another.
_TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str, *, lines: bool = False) -> str:
    """The text with a picture in the place of each character that a terminal, a page or a table could obey.

    There are as many characters as before. With `lines`, line feeds stay.
    """
    if text.isprintable() and not _TURNING.intersection(text):
        return text
    return "".join(
        letter if lines and letter == _NEW_LINE else _shown(letter) if _is_unsafe(letter) else letter
        for letter in text
    )


def is_text(text: str) -> bool:
    """Whether a text can be written as UTF-8: words of a command with other bytes cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_unsafe(letter: str) -> bool:
    return letter in _TURNING or unicodedata.category(letter) in _UNSAFE


def _shown(letter: str) -> str:
    return _PICTURES.get(ord(letter), _REPLACEMENT)
