"""What every request must pass: host, origin, token and size; and the headers of every answer."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from levelsense.studio.problems import RequestError

MOST_BYTES: Final = 1_000_000  # of a request's body; the largest level has some ten thousand
_MOST_DIGITS: Final = 20  # of a length; Python reads no numbers of thousands of them
COOKIE: Final = "levelsense-token"
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_WRITING: Final = ("POST", "PUT", "PATCH", "DELETE")
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server on a host."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False  # a name, which may resolve to anything


@dataclass(frozen=True)
class Access:
    """Which requests the server accepts.

    port    on which it listens
    token   that every request must have; None if only this machine reaches the server
    host    on which it listens
    """

    port: int
    token: str | None = None
    host: str = "127.0.0.1"

    @property
    def hosts(self) -> frozenset[str]:
        """The `Host` headers of requests that need no token: a page of another name may not reach us by
        having its name resolved to this machine."""
        hosts = (*_LOOPBACK, f"[{self.host}]" if ":" in self.host else self.host)
        return frozenset(f"{host}{port}" for host in hosts for port in (f":{self.port}", ""))


class Guard:
    """ASGI middleware: refuses what is not for the studio, and adds headers that keep its page to itself."""

    def __init__(self, app: ASGIApp, access: Access, most_bytes: int = MOST_BYTES) -> None:
        self._app, self._access, self._most_bytes = app, access, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or lets the app answer it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # the studio has no web sockets
        read = 0

        async def receive_limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most_bytes:
                # FastAPI would turn any other error into a 400.
                raise HTTPException(413, self._too_large().sentence)
            return message

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        try:
            self._check(scope)
            redirect = self._with_cookie(scope)
            if redirect is not None:
                await redirect(scope, receive, send_guarded)
                return
            await self._app(scope, receive_limited, send_guarded)
        except RequestError as problem:
            is_page = scope["path"] == "/"  # a person reads it
            answer = PlainTextResponse(problem.sentence, problem.status) if is_page else problem.answer()
            await answer(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> None:
        """RequestError for a request that may not be answered."""
        headers, method = Headers(scope=scope), str(scope["method"])
        host = headers.get("host", "")
        if self._access.token is None and host not in self._access.hosts:
            raise RequestError(
                421, "host", f"Host {host!r}: expected one of {', '.join(sorted(self._access.hosts))}"
            )
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise RequestError(403, "origin", f"Origin {origin!r}: expected a page of this server")
        if headers.get("sec-fetch-site") == "cross-site" and scope["path"] != "/":
            raise RequestError(
                403, "origin", "a request from another site; expected one of this server's page"
            )
        if self._access.token is not None and not self._is_admitted(scope, headers):
            raise RequestError(
                401,
                "token",
                "no token or a wrong one; open the address that `levelsense studio` printed, or send "
                "Authorization: Bearer TOKEN",
            )
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            raise RequestError(400, "length", f"Content-Length {length!r}: expected a number")
        if len(length) > _MOST_DIGITS or int(length) > self._most_bytes:
            raise self._too_large()
        if method in _WRITING and length != "0":
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise RequestError(415, "content-type", f"Content-Type {kind!r}: expected application/json")

    def _too_large(self) -> RequestError:
        return RequestError(413, "too-large", f"a body of more than {self._most_bytes:,} bytes")

    def _is_admitted(self, scope: Scope, headers: Headers) -> bool:
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        tokens = [bearer.strip()] if kind.lower() == "bearer" else []
        return self._is_token([*tokens, *_cookies(headers), *_in_query(scope)])

    def _is_token(self, tokens: Iterable[str]) -> bool:
        expected = (self._access.token or "").encode()
        return any(hmac.compare_digest(token.encode(), expected) for token in tokens)

    def _with_cookie(self, scope: Scope) -> RedirectResponse | None:
        """Puts the token of the address that was printed into a cookie, and takes it out of the address."""
        if self._access.token is None or scope["path"] != "/" or not self._is_token(_in_query(scope)):
            return None
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, self._access.token, httponly=True, samesite="strict")
        return answer


def _cookies(headers: Headers) -> list[str]:
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return []
    return [cookies[COOKIE].value] if COOKIE in cookies else []


def _in_query(scope: Scope) -> list[str]:
    if scope["path"] != "/":
        return []
    return parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
