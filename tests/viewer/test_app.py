"""The viewer's answers to requests that make no sense, and its address."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from envhub.core.errors import EnvhubError
from envhub.viewer.app import create_app
from envhub.viewer.index import Index
from envhub.viewer.serving import serve
from tests.viewer.files import CHAT, EXPORTED, attempt, write

Get = Callable[..., httpx.Response]


@pytest.fixture
def get(tmp_path: Path) -> Get:
    index = Index.of([write(tmp_path / "a.jsonl", attempt(1), attempt(2, solved=True), EXPORTED, CHAT)], tmp_path)
    transport = httpx.ASGITransport(create_app(index))

    async def answer(path: str, **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path, headers=headers)

    return lambda path, **headers: asyncio.run(answer(path, **headers))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("data/rows?from=-1", "from must be a whole number"),
        ("data/rows?level=x", "level must be a whole number"),
        ("data/rows?least=much", "least must be a number"),
        ("data/rows?outcome=solvd", "solved"),
        ("data/rows?longest=x", "longest must be a whole number"),
        ("data/search", "text must not be empty"),
        ("data/trajectories/99", "0 to 3"),
    ],
)
def test_a_request_that_makes_no_sense_is_explained(get: Get, path: str, words: str) -> None:
    answer = get(f"/{path}")
    assert answer.status_code == 400
    assert words in answer.json()["detail"]


def test_pages_of_other_names_are_refused(get: Get) -> None:
    assert get("/", host="attacker.example").status_code == 400
    assert get("/web/../app.py").status_code == 404
    assert get("/web/%2e%2e/app.py").status_code == 404


def test_serve_says_where_it_is_and_refuses_a_port_in_use(tmp_path: Path) -> None:
    app = create_app(Index.of([write(tmp_path / "a.jsonl", CHAT)], tmp_path))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(EnvhubError, match="--port 0 selects a free port"):
            serve(app, taken.getsockname()[1], lambda url: None)
