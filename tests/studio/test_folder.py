"""The folder of levels: no path leads out of it, and no version is lost."""

import asyncio
import contextlib
import json
import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.types import Message

from levelsense.errors import LevelsenseError, OutputError
from levelsense.studio.context import Studio
from levelsense.studio.folder import LevelFolder, etag_of
from levelsense.studio.problems import RequestError
from tests.studio.conftest import PORT
from tests.studio.test_levels import SMALL

SECRET = '{"name": "secret", "board": [], "goals": {}}'
OUTSIDE = [
    "..",
    "../secret",
    "../secret.json",
    "..%2fsecret",
    "%2e%2e%2fsecret",
    "%2e%2e/secret",
    "..\\secret",
    "..%5csecret",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "C:secret",
    "C:\\secret",
    "a/../../secret",
    "./secret",
    "secret%00",
    "secret\0.json",
    ".studio",
    ".hidden",
    "~root",
    "-rf",
    "a b",
    "a\nb",
    "n\u0308ame",
    "a" * 81,
    "a" * 5_000,
    "trailing.",
    "$(id)",
]


@pytest.fixture
def folder(tmp_path: Path) -> LevelFolder:
    (tmp_path / "secret.json").write_text(SECRET)
    made = LevelFolder(tmp_path / "levels")
    made.save("one", SMALL, None)
    return made


def all_files(path: Path) -> dict[str, str]:
    files = (file for file in sorted(path.rglob("*")) if file.is_file())
    return {str(file.relative_to(path)): file.read_text() for file in files}


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_name_leads_out_of_the_folder(folder: LevelFolder, name: str) -> None:
    before = all_files(folder.path.parent)
    for ask in (
        lambda: folder.read(name),
        lambda: folder.save(name, SMALL, None),
        lambda: folder.keep_draft(name, SMALL, None),
        lambda: folder.draft(name),
        lambda: folder.drop_draft(name),
        lambda: folder.versions(name),
        lambda: folder.version(name, "1700000000000-01234567"),
        lambda: folder.stamp(name),
    ):
        with pytest.raises(RequestError) as refused:
            ask()
        assert refused.value.status in (404, 422)
    assert all_files(folder.path.parent) == before


def raw_request(client: TestClient, method: str, path: str, body: bytes = b"") -> tuple[int, str]:
    """A request whose path stays as it is; clients take dots out of it before they send it."""

    async def ask() -> tuple[int, str]:
        said: list[Message] = []

        async def hear() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def tell(message: Message) -> None:
            said.append(message)

        raw = path.encode("utf-8")
        scope = {
            "type": "http",
            "method": method,
            "path": unquote(path),
            "raw_path": raw,
            "root_path": "",
            "query_string": b"",
            "headers": [
                (b"host", f"127.0.0.1:{PORT}".encode()),
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"if-none-match", b"*"),
            ],
        }
        await client.app(scope, hear, tell)
        answer = b"".join(message.get("body", b"") for message in said[1:])
        return said[0]["status"], answer.decode("utf-8", "replace")

    return asyncio.run(ask())


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_address_leads_out_of_the_folder(client: TestClient, studio: Studio, name: str) -> None:
    studio.folder.path.mkdir()
    (studio.folder.path.parent / "secret.json").write_text(SECRET)
    before = all_files(studio.folder.path.parent)
    quoted = name.replace("\0", "%00").replace("\n", "%0a")
    reading = (
        f"/api/levels/{quoted}",
        f"/api/levels/{quoted}/versions/..%2f..%2fsecret",
        f"/api/bundled/{quoted}",
        f"/page/{quoted}",
        f"/page/..%2f{quoted}",
        f"/page/js/../../{quoted}",
        f"/api/saga/report/{quoted}",
    )
    body = json.dumps({"text": SMALL}).encode()
    asked = [("GET", path, b"") for path in reading]
    asked += [("PUT", f"/api/levels/{quoted}", body), ("PUT", f"/api/levels/{quoted}/draft", body)]
    for method, path, content in asked:
        status, answer = raw_request(client, method, path, content)
        assert 400 <= status < 500, (method, path, answer)
        assert '"board"' not in answer
        assert "def " not in answer
    assert 400 <= client.get("/api/results", params={"level": name}).status_code < 500
    assert all_files(studio.folder.path.parent) == before


@given(st.text(max_size=120))
def test_any_name_is_a_file_in_the_folder_or_is_refused(name: str) -> None:
    folder = LevelFolder("/tmp/no-such-folder-of-levels")
    try:
        path = folder._file(name)
    except RequestError:
        return
    assert path.parent == folder.path
    assert path.name == f"{name}.json"


def test_a_link_out_of_the_folder_is_no_level(folder: LevelFolder) -> None:
    (folder.path / "link.json").symlink_to(folder.path.parent / "secret.json")
    assert folder.names() == ["one"]
    with pytest.raises(RequestError):
        folder.read("link")
    with pytest.raises(RequestError):
        folder.save("link", SMALL, None)
    assert (folder.path.parent / "secret.json").read_text() == SECRET


def test_a_link_within_the_folder_is_a_level(folder: LevelFolder) -> None:
    (folder.path / "alias.json").symlink_to("one.json")
    assert folder.read("alias") == SMALL


def test_a_folder_of_kept_data_that_leads_elsewhere_is_refused(folder: LevelFolder) -> None:
    """As somebody's download of levels may have it."""
    elsewhere = folder.path.parent / "elsewhere"
    elsewhere.mkdir()
    (folder.path / ".studio").symlink_to(elsewhere)
    for ask in (
        lambda: folder.keep_draft("one", SMALL, None),
        lambda: folder.keep("saga", {}),
        lambda: folder.save("one", SMALL.replace("12", "13"), etag_of(SMALL)),
        lambda: folder.keep_report("0" * 16, "<p>", 5),
    ):
        with pytest.raises((RequestError, LevelsenseError)):
            ask()
    assert not list(elsewhere.iterdir())
    assert folder.read("one") == SMALL


def test_what_is_no_file_is_no_level(folder: LevelFolder) -> None:
    (folder.path / "folder.json").mkdir()
    os.mkfifo(folder.path / "pipe.json")
    (folder.path / "no-level.txt").write_text("x")
    (folder.path / "bad name.json").write_text(SMALL)
    assert folder.names() == ["one"]
    for name in ("folder", "pipe"):
        with pytest.raises(RequestError):
            folder.read(name)


def test_names_that_some_systems_reserve_are_refused(folder: LevelFolder) -> None:
    """A folder of levels is taken to other machines: there `con.json` is the console."""
    for name in ("con", "CON", "nul", "aux", "com1", "LPT9", "con.x"):
        with pytest.raises(RequestError) as refused:
            folder.save(name, SMALL, None)
        assert refused.value.status == 422
    assert folder.save("console", SMALL, None)


def test_there_is_no_folder_yet(tmp_path: Path) -> None:
    folder = LevelFolder(tmp_path / "new" / "levels")
    assert folder.names() == []
    assert folder.drafts() == []
    assert "one" not in folder
    folder.save("one", SMALL, None)
    assert folder.names() == ["one"]


class TestTwoAtOnce:
    def test_of_many_saves_of_the_same_version_one_wins(self, folder: LevelFolder) -> None:
        texts = [SMALL.replace("12", str(moves)) for moves in range(20, 60)]
        start = threading.Barrier(8)
        refusals: list[RequestError] = []

        def save(text: str) -> bool:
            with contextlib.suppress(threading.BrokenBarrierError):
                start.wait(5)
            try:
                folder.save("one", text, etag_of(SMALL))
            except RequestError as refused:
                refusals.append(refused)
                return False
            return True

        with ThreadPoolExecutor(8) as threads:
            saved = list(threads.map(save, texts))
        assert saved.count(True) == 1
        assert {refused.status for refused in refusals} == {412}
        assert {refused.data["text"] for refused in refusals} == {texts[saved.index(True)]}
        assert folder.read("one") == texts[saved.index(True)]
        assert [folder.version("one", version.key) for version in folder.versions("one")] == [SMALL]

    def test_of_many_new_levels_of_a_name_one_is_made(self, folder: LevelFolder) -> None:
        def save(moves: int) -> int:
            try:
                folder.save("new", SMALL.replace("12", str(moves)), None)
            except RequestError as refused:
                return refused.status
            return 200

        with ThreadPoolExecutor(8) as threads:
            assert sorted(threads.map(save, range(20, 40))) == [200] + [412] * 19

    def test_who_saves_the_same_text_meets_no_conflict(self, folder: LevelFolder) -> None:
        """As when an answer was lost, and the page asks again."""
        other = SMALL.replace("12", "13")
        first = folder.save("one", other, etag_of(SMALL))
        assert folder.save("one", other, etag_of(SMALL)) == first
        assert len(folder.versions("one")) == 1


class TestConflicts:
    def test_a_file_that_was_changed_beside_the_studio_is_a_conflict(self, folder: LevelFolder) -> None:
        theirs = SMALL.replace("12", "30")
        (folder.path / "one.json").write_text(theirs)
        with pytest.raises(RequestError) as refused:
            folder.save("one", SMALL.replace("12", "31"), etag_of(SMALL))
        assert refused.value.data == {"text": theirs, "etag": etag_of(theirs)}
        assert folder.read("one") == theirs

    def test_a_file_that_is_gone_is_a_conflict(self, folder: LevelFolder) -> None:
        (folder.path / "one.json").unlink()
        with pytest.raises(RequestError) as refused:
            folder.save("one", SMALL.replace("12", "31"), etag_of(SMALL))
        assert refused.value.data == {"text": None, "etag": None}
        assert folder.save("one", SMALL, None) == etag_of(SMALL)

    def test_a_mark_at_the_beginning_of_a_file_is_no_conflict(self, folder: LevelFolder) -> None:
        """As Notepad writes it; it is no part of the text that is shown, and so of no tag."""
        (folder.path / "one.json").write_bytes(b"\xef\xbb\xbf" + SMALL.encode())
        changed = SMALL.replace("12", "13")
        folder.save("one", changed, etag_of(folder.read("one")))
        assert folder.read("one") == changed

    def test_bytes_that_are_no_text_are_kept_as_a_version(self, folder: LevelFolder) -> None:
        (folder.path / "one.json").write_bytes(b'{"board": "\xff", "goals": 1}')
        with pytest.raises(RequestError) as refused:
            folder.save("one", SMALL, None)
        folder.save("one", SMALL, refused.value.data["etag"])
        assert folder.read("one") == SMALL
        assert len(folder.versions("one")) == 1


class TestDrafts:
    def test_a_draft_without_a_file_is_listed(self, folder: LevelFolder) -> None:
        folder.keep_draft("begun", SMALL, None)
        assert folder.drafts() == ["begun"]
        assert "begun" not in folder
        draft = folder.draft("begun")
        assert draft is not None
        assert (draft.text, draft.base) == (SMALL, None)
        folder.drop_draft("begun")
        assert folder.drafts() == []

    def test_a_damaged_draft_is_none(self, folder: LevelFolder) -> None:
        folder.keep_draft("one", SMALL, None)
        for content in ("", "[]", "{", '{"text": 1}', '{"text": "x", "base": null, "kept": "soon"}'):
            (folder.path / ".studio" / "drafts" / "one.json").write_text(content)
            assert folder.draft("one") is None, content

    def test_a_draft_that_cannot_be_removed_is_told_and_spoils_no_save(self, folder: LevelFolder) -> None:
        (folder.path / ".studio").write_text("no folder")
        with pytest.raises(OutputError, match="cannot be removed"):
            folder.drop_draft("one")
        assert folder.save("two", SMALL, None) == etag_of(SMALL)
        assert folder.read("two") == SMALL

    @given(text=st.text(max_size=200))
    def test_a_draft_is_kept_to_the_letter(self, text: str) -> None:
        with tempfile.TemporaryDirectory() as path:
            folder = LevelFolder(path)
            folder.keep_draft("one", text, None)
            draft = folder.draft("one")
            assert draft is not None
            assert draft.text == text


def test_versions_are_listed_the_newest_first_and_nothing_else_is(folder: LevelFolder) -> None:
    tag = etag_of(SMALL)
    for moves in (13, 14, 15):
        tag = folder.save("one", SMALL.replace("12", str(moves)), tag)
    kept = folder.path / ".studio" / "versions" / "one"
    (kept / "notes.json").write_text("{}")
    versions = folder.versions("one")
    assert len(versions) == 3
    assert [version.saved for version in versions] == sorted((v.saved for v in versions), reverse=True)
    for key in ("notes", "../../../secret", "1700000000000-zzzzzzzz", ""):
        with pytest.raises(RequestError):
            folder.version("one", key)


def test_kept_data_that_is_no_object_is_none(folder: LevelFolder) -> None:
    folder.keep("saga", {"order": ["one"]})
    assert folder.kept("saga") == {"order": ["one"]}
    (folder.path / ".studio" / "saga.json").write_text(json.dumps([1, 2]))
    assert folder.kept("saga") is None
