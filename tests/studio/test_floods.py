"""Many at once: every request is answered, none blocks the others, and what is too much is told."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest
import uvicorn

from levelsense import Lab
from levelsense.studio.app import create_app
from levelsense.studio.context import Studio
from levelsense.studio.folder import LevelFolder
from levelsense.studio.guard import Access
from levelsense.studio.runs import MOST_WAITING
from levelsense.studio.server import bind
from tests.studio.test_levels import SMALL

TABS = 50
SECONDS = 240  # these machines are shared; nothing here takes a tenth of it on one that is not
JSON = {"Content-Type": "application/json"}
TINY = SMALL.replace("12", "2")  # few moves, so that fifty estimates take seconds


class Served:
    """A studio on a real socket of this machine, in a thread."""

    def __init__(self, studio: Studio) -> None:
        socket = bind("127.0.0.1", 0)
        self.studio, self.port = studio, socket.getsockname()[1]
        config = uvicorn.Config(
            create_app(studio, Access(self.port)), log_level="error", timeout_graceful_shutdown=1
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [socket]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(30)


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("studio")
    with Lab(folder / "studio.db") as lab:
        studio = Studio(lab, LevelFolder(folder / "levels"), threads=1)
        studio.folder.save("small", SMALL, None)
        one = Served(studio)
        yield one
        one.stop()


def run(served: Served, check: Any) -> None:
    async def all_of_it() -> None:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=served.url, timeout=SECONDS, limits=limits) as client:
            await check(client)

    asyncio.run(asyncio.wait_for(all_of_it(), SECONDS))


async def kinds_of(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> tuple[int, list[str]]:
    """The status of a stream, and its kinds of events."""
    async with client.stream("POST", path, json=body) as answer:
        lines = [line async for line in answer.aiter_lines()]
    return answer.status_code, [line[7:] for line in lines if line.startswith("event: ")]


def estimate(tab: str, text: str = TINY) -> dict[str, Any]:
    return {"text": text, "tab": tab, "reasons": False}


def test_fifty_tabs_at_once_all_get_their_estimate(served: Served) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        asked = [
            asyncio.ensure_future(kinds_of(client, "/api/estimate", estimate(f"tab-{number}")))
            for number in range(TABS)
        ]
        # While they are computed, levels are read and saved as ever.
        while not all(one.done() for one in asked):
            assert (await client.get("/api/levels")).status_code == 200
            await asyncio.sleep(0.2)
        for status, kinds in await asyncio.gather(*asked):
            assert status == 200
            assert kinds[-1] == "done"
            assert kinds.count("figure") == 3
        assert served.studio.runs.waiting == 0

    run(served, check)


def test_a_tab_that_edits_without_end_gets_the_last_edit_only(served: Served) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        texts = [SMALL.replace("12", str(moves)) for moves in range(1, 31)]
        asked = []
        for text in texts:
            asked.append(asyncio.ensure_future(kinds_of(client, "/api/estimate", estimate("tab", text))))
            await asyncio.sleep(0.01)
        ends = Counter(kinds[-1] for _, kinds in await asyncio.gather(*asked))
        assert (await asked[-1])[1][-1] == "done"
        assert ends["superseded"] >= len(texts) // 2
        assert set(ends) <= {"superseded", "done"}

    run(served, check)


def test_more_than_can_wait_are_told_to_come_again(served: Served) -> None:
    number = MOST_WAITING + 40

    async def check(client: httpx.AsyncClient) -> None:
        heavy = SMALL.replace("12", "40").replace("#1", "#5")
        asked = [
            asyncio.ensure_future(client.send(request, stream=True))
            for request in (
                client.build_request("POST", "/api/estimate", json=estimate(f"tab-{tab}", heavy))
                for tab in range(number)
            )
        ]
        answers = await asyncio.gather(*asked)
        statuses = Counter(answer.status_code for answer in answers)
        assert set(statuses) == {200, 429}
        assert statuses[200] == MOST_WAITING
        refused = next(answer for answer in answers if answer.status_code == 429)
        await refused.aread()
        assert refused.json()["code"] == "busy"
        assert refused.headers["retry-after"] == "2"
        assert (await client.get("/api/levels/small")).status_code == 200
        for answer in answers:
            await answer.aclose()  # all tabs are closed: their work ends
        status, kinds = await kinds_of(client, "/api/estimate", estimate("after"))
        assert (status, kinds[-1]) == (200, "done")

    run(served, check)


def test_closing_a_tab_ends_its_work(served: Served) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        body = {"text": SMALL, "agents": ["mcts:simulations=1000"], "attempts": 20_000, "tab": "closing"}
        async with client.stream("POST", "/api/playtest", json=body) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("event: progress"):
                    break
        status, kinds = await kinds_of(client, "/api/estimate", estimate("next"))
        assert (status, kinds[-1]) == (200, "done")
        while served.studio.runs._is_busy:
            await asyncio.sleep(0.02)
        assert not served.studio.runs._tickets

    run(served, check)


def test_a_batch_gives_way_to_a_designer(served: Served) -> None:
    """Or an edit would wait for minutes while a folder is played."""

    async def check(client: httpx.AsyncClient) -> None:
        body = {"text": SMALL, "agents": ["mcts:simulations=200"], "attempts": 20_000, "tab": "batch"}
        async with client.stream("POST", "/api/playtest", json=body) as batch:
            lines = batch.aiter_lines()
            async for line in lines:
                if line.startswith("event: progress"):
                    break
            status, kinds = await kinds_of(client, "/api/estimate", estimate("designer"))
            assert (status, kinds[-1]) == (200, "done")
            async for line in lines:  # and it goes on afterwards
                if line.startswith("event: progress"):
                    break
                assert "problem" not in line

    run(served, check)


def test_a_flood_of_bad_requests_leaves_the_server_as_it_was(served: Served) -> None:
    bad = [
        ("POST", "/api/check", b"{"),
        ("POST", "/api/check", b"[]"),
        ("POST", "/api/estimate", json.dumps({"text": "x" * 99_999}).encode()),
        ("POST", "/api/estimate", b" " * 1_000_001),
        ("PUT", "/api/levels/small", json.dumps({"text": SMALL}).encode()),
        ("PUT", "/api/levels/..%2fx", b"{}"),
        ("GET", "/api/levels?limit=1000000", b""),
        ("DELETE", "/api/levels/small", b""),
        ("POST", "/api/predict", json.dumps({"text": "[" * 50_000}).encode()),
        ("POST", "/api/predict", json.dumps({"text": '{"a":' * 20_000}).encode()),
        ("POST", "/api/predict", b'{"text": "\\ud800", "name": "\\udfff"}'),
        ("POST", "/api/check", b"[" * 500_000),
    ]

    async def check(client: httpx.AsyncClient) -> None:
        async def ask(method: str, path: str, body: bytes) -> int:
            answer = await client.request(method, path, content=body, headers=JSON if body else {})
            return answer.status_code

        statuses = await asyncio.gather(*(ask(*one) for one in bad * 15))
        wrong = [(one[:2], status) for one, status in zip(bad * 15, statuses, strict=True) if status >= 500]
        assert not wrong, wrong[:5]
        assert (await client.get("/api/levels/small")).json()["text"] == SMALL

    run(served, check)
