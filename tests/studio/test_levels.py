"""Routes of level files: what is saved is what was sent, and nobody's version is lost."""

import json

from starlette.testclient import TestClient

from levelsense import Level
from levelsense.studio.context import Studio

SMALL = """{
  "name": "Small",
  "moves":   12,
  "colors": 4,
  "board": [
    ". . . . .",
    ". #1 . . .",
    ". . . . .",
    ". . . . ."
  ],
  "goals": {"orders": {"icing": 1}}
}
"""


def save(client: TestClient, text: str, **headers: str):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.put("/api/levels/small", json={"text": text}, headers=named)


def test_a_level_is_saved_to_the_letter(client: TestClient, studio: Studio):
    assert save(client, SMALL, If_None_Match="*").status_code == 200
    assert (studio.folder.path / "small.json").read_text() == SMALL
    read = client.get("/api/levels/small")
    assert read.json()["text"] == SMALL
    assert read.headers["ETag"] == read.json()["etag"]


def test_a_save_needs_the_tag_of_what_it_replaces(client: TestClient):
    tag = save(client, SMALL, If_None_Match="*").json()["etag"]
    assert save(client, SMALL).status_code == 428
    other = SMALL.replace("12", "13")
    assert save(client, other, If_Match=tag).status_code == 200
    refused = save(client, SMALL.replace("12", "14"), If_Match=tag)
    assert refused.status_code == 412
    assert refused.json()["text"] == other
    assert client.get("/api/levels/small").json()["text"] == other


def test_a_new_level_does_not_replace_another(client: TestClient):
    save(client, SMALL, If_None_Match="*")
    assert save(client, SMALL.replace("12", "13"), If_None_Match="*").status_code == 412


def test_every_version_that_was_replaced_is_kept(client: TestClient):
    tag = save(client, SMALL, If_None_Match="*").json()["etag"]
    for moves in ("13", "14"):
        tag = save(client, SMALL.replace("12", moves), If_Match=tag).json()["etag"]
    versions = client.get("/api/levels/small/versions").json()
    texts = [client.get(f"/api/levels/small/versions/{one['key']}").json()["text"] for one in versions]
    assert sorted(texts) == sorted([SMALL, SMALL.replace("12", "13")])


def test_a_draft_outlives_the_page_until_it_is_saved(client: TestClient):
    tag = save(client, SMALL, If_None_Match="*").json()["etag"]
    draft = SMALL.replace("12", "9")
    assert client.put("/api/levels/small/draft", json={"text": draft, "base": tag}).status_code == 204
    assert client.get("/api/levels/small").json()["draft"]["text"] == draft
    save(client, draft, If_Match=tag)
    assert client.get("/api/levels/small").json()["draft"] is None


def test_check_tells_what_the_command_tells(client: TestClient):
    level = json.loads(SMALL)
    level["goals"] = {"orders": {"icing": 3}}
    answer = client.post("/api/check", json={"text": json.dumps(level)}).json()
    assert answer["findings"][0]["severity"] == "error"
    assert answer["findings"][0]["code"] == "goal-out-of-supply"
    assert answer["level"]["goals"] == [{"name": "icing", "asked": 3, "words": "remove 3 icing"}]


def test_what_is_no_level_is_findings_with_cells(client: TestClient):
    answer = client.post("/api/check", json={"text": SMALL.replace("#1", "Q")})
    assert answer.status_code == 200
    (finding,) = answer.json()["findings"]
    assert (finding["code"], finding["cells"], finding["line"]) == ("unknown-token", ["b2"], 7)
    assert answer.json()["level"] is None


def test_a_new_level_can_be_played(client: TestClient):
    text = client.post("/api/new", json={"title": "Mine", "rows": 6, "columns": 7}).json()["text"]
    level = Level.from_json(text)
    assert (level.name, level.rows, level.columns) == ("Mine", 6, 7)
    copied = client.post("/api/new", json={"title": "Copy", "text": SMALL}).json()["text"]
    assert copied == SMALL.replace('"Small"', '"Copy"')


def test_bundled_levels_are_read_only(client: TestClient):
    assert client.get("/api/bundled/30-grand-tour").json()["text"].startswith("{")
    assert client.get("/api/bundled/nothing").status_code == 404
    assert client.put("/api/bundled/30-grand-tour", json={"text": SMALL}).status_code == 405
