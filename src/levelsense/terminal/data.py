"""Data for programs on stdout; light, so that commands can have it at hand."""

import json
from typing import Any


def print_json(data: Any) -> None:
    """Prints data for programs."""
    print(json.dumps(data, indent=2, ensure_ascii=False))
