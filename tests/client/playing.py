"""What the tests of the client share: an environment here and one there, side by side."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

import httpx
import pytest

import envhub
from envhub.authoring import Environment, ToolEnv, write_call
from envhub.client.hub import RemoteEnv
from envhub.core.errors import EnvhubError, EpisodeOver
from tests.server.serving import PATIENCE_S

Register = Callable[[str, type[Environment]], str]
GUESS = "guess-number-v0"
ADD_3, ADD_4 = write_call("add", amount=3), write_call("add", amount=4)


def same(here: Any, there: Any) -> bool:
    """Equal, and NaN where the other is NaN."""
    if isinstance(here, float) and math.isnan(here):
        return isinstance(there, float) and math.isnan(there)
    if isinstance(here, (tuple, list)):
        return type(here) is type(there) and len(here) == len(there) and all(map(same, here, there))
    return type(here) is type(there) and bool(here == there)


def play_both(local: envhub.Env, remote: RemoteEnv, act: Callable[[envhub.Env, int], str]) -> None:
    """Whole episodes side by side."""
    over, turn = False, 0
    while not over:
        action = act(local, turn)
        here, there = local.step(action), remote.step(action)
        assert same(here, there), (here, there)
        over, turn = here[2] or here[3], turn + 1
    with pytest.raises(EpisodeOver) as at_home:
        local.step("")
    with pytest.raises(EpisodeOver) as away:
        remote.step("")
    assert str(at_home.value) == str(away.value)


def raised(act: Callable[[], Any]) -> tuple[type[BaseException], str]:
    with pytest.raises(EnvhubError) as caught:
        act()
    return type(caught.value), str(caught.value)


def asking(env_id: str, form: str) -> dict[str, Any]:
    """The setting that asks for a format, of which an environment with tools has none."""
    return {} if isinstance(envhub.make(env_id).environment, ToolEnv) else {"answer_format": form}


def past_of(snapshot: dict[str, Any]) -> dict[str, Any]:
    """A snapshot without the tickets of its sessions, of which each side has its own."""
    turns = [{**turn, "effects": [{**e, "token": None} for e in turn["effects"]]} for turn in snapshot["journal"]]
    return {**snapshot, "journal": turns}


def part_of(env_id: str) -> str:
    """A part of its verdicts that a reward may weigh."""
    parts = envhub.make(env_id).environment.components
    return "format" if "format" in parts else min(parts)


def answering(*responses: httpx.Response) -> httpx.MockTransport:
    """Gives these answers in turn, the last one for ever."""
    left = list(responses)

    def answer(request: httpx.Request) -> httpx.Response:
        return left.pop(0) if len(left) > 1 else left[0]

    return httpx.MockTransport(answer)


def busy(after: int) -> httpx.Response:
    body = {"type": "/problems/TooBusy", "title": "Too busy", "status": 429, "code": "TooBusy", "detail": "Full."}
    return httpx.Response(429, json=body, headers={"Retry-After": str(after)})


def on_a_loop(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, PATIENCE_S))
