"""The success rate that a designer wants, as people write it."""

from levelsense.errors import PlaytestError

EXPECTED = "expected a success rate above 0% and below 100%, such as 35%, 35 or 0.35"


def parse_target(text: str) -> float:
    """A success rate as a share: `35%`, `35` and `0.35` are the same; PlaytestError if it is none.

    A bare number of at most 1 is a share, one above it is in per cent.
    """
    number, is_percent = text.strip(), False
    if number.endswith("%"):
        number, is_percent = number[:-1].rstrip(), True
    try:
        value = float(number)
    except ValueError:
        raise PlaytestError(f"target: {text!r}; {EXPECTED}") from None
    target = value / 100 if is_percent or value > 1 else value
    if not 0 < target < 1:
        meant = ", which is 100%" if target == 1 else ""
        raise PlaytestError(f"target: {text.strip()}{meant}; {EXPECTED}")
    return target


def check_target(target: float) -> None:
    """PlaytestError unless a target is a share between 0 and 1."""
    if not 0 < target < 1:
        raise PlaytestError(f"target: {target:g}; expected a success rate between 0 and 1, such as 0.35")
