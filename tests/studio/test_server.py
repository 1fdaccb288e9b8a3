"""How the studio is started: where it listens, who needs a token, and the browser that is opened."""

import socket
import threading
import urllib.request
import webbrowser
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from levelsense import Lab
from levelsense.errors import StudioError
from levelsense.studio import server
from levelsense.studio.app import create_app
from levelsense.studio.context import Studio
from levelsense.studio.folder import LevelFolder
from levelsense.studio.guard import Access
from levelsense.studio.server import Address, bind, serve

SECONDS = 5  # that nothing here takes


@pytest.mark.parametrize(
    ("address", "url"),
    [
        (Address("127.0.0.1", 8350, None), "http://127.0.0.1:8350/"),
        (Address("::1", 8350, None), "http://[::1]:8350/"),
        (Address("192.168.1.5", 80, "abc"), "http://192.168.1.5:80/?token=abc"),
        (Address("0.0.0.0", 80, "abc"), f"http://{socket.gethostname()}:80/?token=abc"),
        (Address("::", 80, "abc"), f"http://{socket.gethostname()}:80/?token=abc"),
    ],
)
def test_the_address_to_open(address: Address, url: str) -> None:
    assert address.url == url


@pytest.mark.parametrize("host", ["no-such-host.invalid", "x" * 70, "256.0.0.1"])
def test_an_address_that_is_not_this_machine_s_is_told(host: str) -> None:
    with pytest.raises(StudioError, match="expected an address of this machine and a free port"):
        bind(host, 0)


def test_a_port_that_is_taken_is_told() -> None:
    with bind("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]
        with pytest.raises(StudioError, match=f"`port` {port}: .*is a studio running already"):
            bind("127.0.0.1", port)


@pytest.fixture
def started_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that ends as soon as it has begun."""
    monkeypatch.setattr(server, "_warm_up", lambda _: None)
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: [one.close() for one in sockets])


@pytest.mark.usefixtures("started_only")
@pytest.mark.parametrize("token", ["", " "])
def test_a_token_that_says_nothing_is_refused(studio: Studio, token: str) -> None:
    with pytest.raises(StudioError, match="`token`: nothing but blanks"):
        serve(studio, "127.0.0.1", 0, token, ready=lambda _: None, open_browser=False)


@pytest.mark.usefixtures("started_only")
@pytest.mark.parametrize(
    ("host", "given", "needed"),
    [("127.0.0.1", None, False), ("127.0.0.1", "mine", True), ("0.0.0.0", None, True)],
)
def test_others_need_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, given: str | None, needed: bool
) -> None:
    tokens = []

    def recorded_app(studio: Studio, access: Access) -> FastAPI:
        tokens.append(access.token)
        return create_app(studio, access)

    monkeypatch.setattr(server, "create_app", recorded_app)
    for _ in range(2):
        studio = Studio(Lab(tmp_path / "studio.db"), LevelFolder(tmp_path))
        serve(studio, host, 0, given, ready=lambda _: None, open_browser=False)
    assert all((token is not None) == needed for token in tokens)
    assert (len(set(tokens)) == 2) == (needed and given is None)  # a new one each time


def test_a_browser_that_keeps_its_caller_gets_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As browsers of a terminal do, until they are closed."""
    opened: list[int] = []
    servers: list[uvicorn.Server] = []

    def browse(url: str) -> bool:
        try:
            with urllib.request.urlopen(url, timeout=SECONDS) as answer:
                opened.append(answer.status)
        finally:
            servers[0].should_exit = True
        return True

    startup = uvicorn.Server.startup

    async def remembered(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        servers.append(self)
        await startup(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "startup", remembered)
    monkeypatch.setattr(server, "_warm_up", lambda _: None)
    monkeypatch.setattr(webbrowser, "open", browse)
    studio = Studio(Lab(tmp_path / "studio.db"), LevelFolder(tmp_path))
    ready = threading.Event()
    running = threading.Thread(
        target=serve,
        args=(studio, "127.0.0.1", 0, None),
        kwargs={"ready": lambda _: ready.set()},
        daemon=True,
    )
    running.start()
    running.join(SECONDS)
    assert ready.is_set()
    assert opened == [200]
