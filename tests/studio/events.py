"""Server-sent events of an answer, read by tests."""

import json
from typing import Any

from starlette.testclient import TestClient


def events(client: TestClient, path: str, body: dict[str, Any]) -> list[tuple[str, Any]]:
    """The events of a request, each with its data."""
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    stream = []
    for block in answer.text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in lines:
            stream.append((lines["event"], json.loads(lines["data"])))
    return stream
