"""What every request must pass: host, origin, token, size; and headers that keep the page to itself."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from levelsense.studio.app import create_app
from levelsense.studio.context import Studio
from levelsense.studio.guard import COOKIE, MOST_BYTES, Access, is_loopback
from tests.studio.conftest import BASE, PORT

TOKEN = "a-token-of-this-test"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def shared(studio: Studio) -> Iterator[TestClient]:
    """A studio on an address that others reach, which needs a token."""
    with TestClient(
        create_app(studio, Access(PORT, TOKEN)), base_url="http://studio.example:8350", follow_redirects=False
    ) as client:
        yield client


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"[::1]:{PORT}", "localhost"])
def test_this_machine_is_answered(client: TestClient, host: str) -> None:
    assert client.get("/api/vocabulary", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        f"127.0.0.1.evil:{PORT}",
        "127.0.0.1:80",
        "",
        "localhost:",
    ],
)
def test_a_name_that_was_made_to_lead_here_is_refused(client: TestClient, host: str) -> None:
    answer = client.get("/api/vocabulary", headers={"Host": host})
    assert answer.status_code == 421
    assert answer.json()["code"] == "host"
    assert repr(host) in answer.json()["problem"]


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{PORT + 1}",
        f"http://localhost:{PORT}",
        f"http://127.0.0.1:{PORT}.evil.example",
        f"http://evil.example/127.0.0.1:{PORT}",
    ],
)
def test_a_page_of_another_origin_is_refused(client: TestClient, origin: str) -> None:
    """Also one of this machine: another program's page is not ours."""
    answer = client.put(
        "/api/levels/x", json={"text": "{}"}, headers={"Origin": origin, "If-None-Match": "*"}
    )
    assert answer.status_code == 403
    assert not client.get("/api/levels").json()["total"]


def test_our_own_page_is_answered(client: TestClient) -> None:
    assert client.get("/api/vocabulary", headers={"Origin": BASE}).status_code == 200


def test_a_request_from_another_site_is_refused_even_without_an_origin(client: TestClient) -> None:
    """As images and scripts of other pages send it; only the page itself may be linked to."""
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/api/levels", headers=foreign).status_code == 403
    assert client.get("/", headers=foreign).status_code == 200


def test_a_form_of_another_page_cannot_write(client: TestClient) -> None:
    """Forms need no permission of ours, but cannot send JSON."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = client.post("/api/check", content=b'{"text": "{}"}', headers={"Content-Type": kind})
        assert answer.status_code == 415, kind


@pytest.mark.parametrize(
    "path", ["/", "/page/studio.css", "/api/levels", "/api/nothing", "/api/levels/..%2f"]
)
def test_every_answer_has_the_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_refusals_have_the_headers_too(client: TestClient) -> None:
    answer = client.get("/", headers={"Host": "evil.example"})
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_body_that_is_too_large_is_refused_before_it_is_read(client: TestClient) -> None:
    answer = client.post("/api/check", content=b" " * (MOST_BYTES + 1), headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["code"] == "too-large"


def test_a_body_in_chunks_is_counted(client: TestClient) -> None:
    """Nothing says beforehand how long it will be. The test client would send the chunks as one."""
    chunk, received = b" " * 100_000, list[bytes]()
    said: list[Message] = []

    async def hear() -> Message:
        received.append(chunk)
        return {"type": "http.request", "body": chunk, "more_body": len(received) < 40}

    async def tell(message: Message) -> None:
        said.append(message)

    headers = [(b"host", f"127.0.0.1:{PORT}".encode()), (b"content-type", b"application/json")]
    path = {"path": "/api/check", "raw_path": b"/api/check", "root_path": "", "query_string": b""}
    scope = {"type": "http", "method": "POST", **path, "headers": headers}

    async def ask() -> None:
        await client.app(scope, hear, tell)

    asyncio.run(ask())
    assert said[0]["status"] == 413
    assert b"1,000,000" in said[1]["body"]
    assert len(received) == MOST_BYTES // len(chunk) + 1  # the rest is not read


def test_a_body_within_the_limit_but_a_text_beyond_is_told_in_a_sentence(client: TestClient) -> None:
    answer = client.post("/api/check", json={"text": "x" * 100_001})
    assert answer.status_code == 422
    assert "body.text" in answer.json()["problem"]


@pytest.mark.parametrize("length", ["-1", "1e3", "²", "0x10", "9" * 5000])
def test_a_length_that_is_none_is_refused(client: TestClient, length: str) -> None:
    request = client.build_request("POST", "/api/check", content=b"{}", headers=JSON)
    request.headers["Content-Length"] = length.encode("latin-1", "replace").decode("latin-1")
    assert client.send(request).status_code in (400, 413)


def test_only_loopback_needs_no_token() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "localhost", "::1")))
    others = ("0.0.0.0", "::", "192.168.1.5", "localhost.evil.example", "127.evil.example", "127.0.0.1.x", "")
    assert not any(map(is_loopback, others))


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.2", "127.0.0.2"), ("::1", "[::1]")])
def test_the_address_it_listens_on_is_answered(studio: Studio, host: str, shown: str) -> None:
    app = create_app(studio, Access(PORT, host=host))
    with TestClient(app, base_url=f"http://{shown}:{PORT}") as client:
        assert client.get("/api/vocabulary").status_code == 200
        assert client.get("/api/vocabulary", headers={"Host": f"127.0.0.3:{PORT}"}).status_code == 421


class TestToken:
    def test_nothing_is_answered_without_it(self, shared: TestClient) -> None:
        for path in ("/", "/page/js/main.js", "/api/levels", "/api/openapi.json"):
            assert shared.get(path).status_code == 401, path
        assert shared.put("/api/levels/x", json={"text": "{}"}).status_code == 401

    @pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], f"{TOKEN}x", "\u00e9"])
    def test_a_wrong_one_is_none(self, shared: TestClient, token: str) -> None:
        value = f"Bearer {token}".encode("latin-1")
        assert shared.get("/api/levels", headers={b"Authorization": value}).status_code == 401
        assert shared.get("/", params={"token": token}).status_code == 401
        assert (
            shared.get("/api/levels", headers={b"Cookie": f"{COOKIE}={token}".encode("latin-1")}).status_code
            == 401
        )

    def test_programs_send_it_in_a_header(self, shared: TestClient) -> None:
        for kind in ("Bearer", "bearer"):
            assert shared.get("/api/levels", headers={"Authorization": f"{kind} {TOKEN}"}).status_code == 200
        assert shared.get("/api/levels", headers={"Authorization": f"Basic {TOKEN}"}).status_code == 401

    def test_the_address_that_was_printed_puts_it_into_a_cookie(self, shared: TestClient) -> None:
        opened = shared.get("/", params={"token": TOKEN})
        assert opened.status_code == 303
        assert opened.headers["location"] == "/"  # the address bar shows no token
        cookie = opened.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert shared.get("/api/levels").status_code == 200

    def test_it_is_no_part_of_other_addresses(self, shared: TestClient) -> None:
        """Or it would stand in logs and histories."""
        assert shared.get("/api/levels", params={"token": TOKEN}).status_code == 401

    def test_a_page_of_another_origin_is_refused_with_the_cookie_too(self, shared: TestClient) -> None:
        shared.cookies.set(COOKIE, TOKEN)
        answer = shared.get("/api/levels", headers={"Origin": "http://evil.example"})
        assert answer.status_code == 403
