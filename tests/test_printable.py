"""What may not reach a terminal, a page or a line of a table."""

import pytest

from levelsense.errors import printable


@pytest.mark.parametrize("text", ["", "30-grand-tour", "Süßes — 糖果 🍬", "a\u200db", "e\u0301"])
def test_text_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]0;title\x07", "␛[2J␛]0;title␇"),
        ("a\nb\r\tc\0", "a␊b␍␉c␀"),
        ("\x7f\x9b31m\x85", "␡\ufffd31m\ufffd"),
        ("caf\udce9.json", "caf\ufffd.json"),
        ("a\u2028b\u2029c", "a\ufffdb\ufffdc"),
        ("level\u202enosj.", "level\ufffdnosj."),
    ],
)
def test_what_could_be_obeyed_is_a_picture(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert len(shown) == len(text)
    assert printable(shown) == shown


def test_lines_may_stay() -> None:
    assert printable("a\n\x1bb\r\n", lines=True) == "a\n␛b␍\n"
