"""Starting the studio: a socket, a token where others may reach it, the server, and the browser."""

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn

from levelsense.errors import StudioError
from levelsense.studio.app import create_app
from levelsense.studio.context import Studio
from levelsense.studio.guard import Access, is_loopback


@dataclass(frozen=True)
class Address:
    """Where the studio is: what to open in a browser, with the token if it needs one."""

    host: str
    port: int
    token: str | None

    @property
    def url(self) -> str:
        """The address to open."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        shown = {"0.0.0.0": socket.gethostname(), "[::]": socket.gethostname()}.get(host, host)
        return f"http://{shown}:{self.port}/" + (f"?token={self.token}" if self.token else "")


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; StudioError if there can be none. Port 0 is any that is free."""
    bound = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except (OSError, OverflowError, UnicodeError) as error:
        if bound is not None:
            bound.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StudioError(
            f"`host` {host}, `port` {port}: {reason}; expected an address of this machine and a free port, "
            "or 0 for any (is a studio running already?)"
        ) from None
    return bound


def serve(
    studio: Studio,
    host: str,
    port: int,
    token: str | None,
    *,
    ready: Callable[[Address], None],
    open_browser: bool = True,
) -> None:
    """Serves the studio until it is interrupted; `ready` is called with the address once it can be opened.

    On an address that others can reach, every request needs a token: the one given, or a new one.
    StudioError if it cannot be started so.
    """
    if token is not None and not token.strip():
        raise StudioError("`token`: nothing but blanks; expected letters and digits that nobody guesses")
    bound = bind(host, port)
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(18)
    address = Address(host, bound.getsockname()[1], token)
    app = create_app(studio, Access(address.port, token, host))
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=2
    )
    server = _Server(config, lambda: ready(address))
    threading.Thread(target=_warm_up, args=(studio,), daemon=True).start()
    if open_browser:
        # On a thread: some browsers keep the caller until they are closed, and the page needs the server.
        opening = threading.Thread(target=webbrowser.open, args=(address.url,), daemon=True)
        server.when_ready.append(opening.start)
    server.run(sockets=[bound])


class _Server(uvicorn.Server):
    """A server with a callback for when it accepts requests."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self.when_ready = [ready]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, then calls back."""
        await super().startup(sockets)
        for call in self.when_ready:
            call()


def _warm_up(studio: Studio) -> None:
    """Does the chores. Then estimates a small level, of which nothing is kept, so that the first one that is
    drawn waits neither for the compiler nor for imports."""
    from levelsense.lab import Lab
    from levelsense.level.template import new_level
    from levelsense.playtest import NamedLevel
    from levelsense.studio.estimates import all_work
    from levelsense.studio.runs import Ticket

    for chore in studio.chores:
        chore()
    level = new_level("warm-up", (5, 5), {"score": 5_000}, 3)
    with Lab() as lab:
        apart = Studio(lab, studio.folder, model_file=studio.model_file, threads=studio.threads)
        all_work(apart, NamedLevel(level, (level.name,)), Ticket("warm-up"))
