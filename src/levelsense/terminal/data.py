"""Data for programs on stdout; light, so that commands can have it at hand."""

import json
import re
from typing import Any, Final

# Controls that JSON lets through, line ends of Unicode, turned directions, halves of pairs.
_UNSAFE: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def print_json(data: Any) -> None:
    """Prints data for programs; what a terminal could obey is written as JSON writes it, such as \\u009b."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    print(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
