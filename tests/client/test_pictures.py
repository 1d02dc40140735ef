"""Pictures over HTTP and WebSockets: the same as in this process, and never recorded."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from typing import Any

import httpx
import pytest

import envhub
from envhub.client.hub import Hub
from envhub.core.errors import InvalidParameters

SETTINGS: dict[str, Any] = {"difficulty": 2, "observation": "image"}


def pngs(info: dict[str, Any]) -> list[bytes]:
    return [picture.png() for picture in info["images"]]


@pytest.mark.slow
def test_a_client_sees_the_pictures_of_a_local_environment(hub: Hub) -> None:
    here, there = envhub.make("sokoban-v0", **SETTINGS), hub.make("sokoban-v0", **SETTINGS)
    (told, shown), (remote, received) = here.reset(seed=4), there.reset(seed=4)
    assert told == remote
    assert pngs(shown) == pngs(received) != []
    over = False
    while not over:
        action = here.solve()
        told, _, over, _, shown = here.step(action)
        remote, *_, received = there.step(action)
        assert told == remote
        assert pngs(shown) == pngs(received)
    assert there.messages == here.messages
    assert there.render() == here.render()
    assert there.render().count("[picture]") == len(here.episode.turns)
    assert there.snapshot() == here.snapshot()


def test_the_route_of_a_picture_serves_the_picture_of_each_turn(hub: Hub, url: str) -> None:
    env = envhub.make("2048-v0", **SETTINGS)
    env.reset(seed=1)
    body = {
        "env_id": "2048-v0",
        "difficulty": 2,
        "seed": 1,
        "options": {"observation": "image"},
        "episode_id": "pictures",
    }
    with httpx.Client(base_url=url) as client:
        opening = client.post("/v1/episodes", json=body).json()
        assert "images" not in opening
        action = env.solve()
        first = client.post("/v1/episodes/pictures/step", json={"turn": 0, "action": action}).json()
        assert "images" not in first
        asked = {"turn": 0, "action": action, "images": True}
        again = client.post("/v1/episodes/pictures/step", json=asked).json()
        env.step(action)
        for turn in (0, 1):
            found = client.get(f"/v1/episodes/pictures/images/{turn}")
            assert found.headers["content-type"] == "image/png"
            assert found.content == env.episode.pictures(turn)[0].png()
        assert b64decode(again["images"][0]) == env.episode.pictures(1)[0].png()
        missing = client.get("/v1/episodes/pictures/images/2")
        assert (missing.status_code, missing.json()["code"]) == (422, "InvalidParameters")
        assert client.get("/v1/episodes/other/images/0").status_code == 404
        whole = client.get("/v1/episodes/pictures").json()
        assert "iVBOR" not in json.dumps([whole["steps"], whole["snapshot"], whole["task"]])


def test_text_has_no_pictures(hub: Hub, url: str) -> None:
    with httpx.Client(base_url=url) as client:
        body = {"env_id": "2048-v0", "difficulty": 2, "seed": 1, "images": True}
        assert client.post("/v1/episodes", json=body).json()["images"] == []


def test_an_observation_that_an_environment_lacks_is_refused(hub: Hub) -> None:
    with pytest.raises(InvalidParameters, match="'both' or 'text'"):
        hub.make("wordle-v0", observation="image")
    with pytest.raises(InvalidParameters, match="has no pictures"):
        hub.make("arithmetic-v0", observation="both")


def test_a_web_socket_carries_pictures(url: str) -> None:
    async def play() -> list[bytes]:
        async with envhub.aconnect(url) as remote:
            env = await remote.make("sokoban-v0", **SETTINGS)
            _, info = await env.reset(seed=4)
            seen = pngs(info)
            return [*seen, *pngs((await env.step("<answer>up</answer>"))[4])]

    env = envhub.make("sokoban-v0", **SETTINGS)
    seen = pngs(env.reset(seed=4)[1])
    assert asyncio.run(play()) == [*seen, *pngs(env.step("<answer>up</answer>")[4])]
