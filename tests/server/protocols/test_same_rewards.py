"""Whatever way an episode is played, and wherever it is recorded, its rewards are those of this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from websockets.sync.client import connect

from envhub.registry.registry import load, spec
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.protocols.client import Http, spoken
from tests.server.protocols.played import Play, message, play, response
from tests.server.serving import serving

SINGLE = ["arithmetic-v0", "countdown-v0", "maze-v0"]
TURNS = ["guess-number-v0", "kuhn-poker-v0", "browse-v0"]
WORDS = [
    "oracle",
    "<answer>7</answer>",
    "<answer>1</answer>",
    "no idea",
    "",
    "<think>hm</think><answer>0</answer>",
    "\ud800",
]
_ids = count()


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def http(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    """A real server."""
    file = tmp_path_factory.mktemp("journal") / "journal.sqlite"
    journal = "memory:" if request.param == "memory" else f"sqlite:///{file}"
    with serving(create_app(ServerSettings(journal=journal))) as url, Http(url) as client:
        yield client


def over_http(http: Http, played: Play) -> list[Any]:
    task, id = played.task, f"e{next(_ids)}"
    key = {"env_id": task.env_id, "params": task.params, "split": task.split, "seed": task.seed, "difficulty": None}
    http.post("/v1/episodes", {**key, "episode_id": id})
    steps = enumerate(played.actions)
    return [http.post(f"/v1/episodes/{id}/step", {"turn": turn, "action": text})["reward"] for turn, text in steps]


def over_websocket(http: Http, played: Play) -> list[Any]:
    id = f"e{next(_ids)}"
    task = played.task
    key = {"env_id": task.env_id, "params": task.params, "split": task.split, "seed": task.seed, "difficulty": None}
    with connect(f"{http.ws}/v1/ws") as socket:
        rewards = []
        spoken(socket, {"id": 1, "op": "create", "body": {**key, "episode_id": id}})
        for turn, text in enumerate(played.actions):
            said = {"id": 2, "op": "step", "episode_id": id, "body": {"turn": turn, "action": text}}
            rewards.append(spoken(socket, said)["body"]["reward"])
    return rewards


def over_openenv(http: Http, played: Play) -> list[Any]:
    with connect(f"{http.ws}/openenv/{played.task.env_id}/ws") as socket:
        spoken(socket, {"type": "reset", "data": {"ground_truth": played.ground_truth}})
        steps = [{"type": "step", "data": {"message": text}} for text in played.actions]
        return [spoken(socket, said)["data"]["reward"] for said in steps]


def over_openenv_http(http: Http, played: Play) -> list[Any]:
    at = f"/openenv/{played.task.env_id}"
    episode = http.post(f"{at}/reset", {"ground_truth": played.ground_truth})["metadata"]["episode_id"]
    said = [{"action": {"message": text}, "episode_id": episode} for text in played.actions]
    return [http.post(f"{at}/step", body)["reward"] for body in said]


def over_nemo(http: Http, played: Play) -> list[Any]:
    row, at = played.row("nemo-gym"), f"/nemo/{played.task.env_id}"
    http.forget()
    http.post(f"{at}/reset", row)
    said = [{**row, "response": response(message(text))} for text in played.actions]
    return [http.post(f"{at}/step", body)["reward"] for body in said]


EPISODES = [over_http, over_websocket, over_openenv, over_openenv_http, over_nemo]


def by_verify(http: Http, played: Play) -> Any:
    item = {"task": played.task.key.to_json(), "responses": [list(played.actions)]}
    return http.post("/v1/verify", {"items": [item]})["results"][0]["verdicts"][0]["reward"]


def by_nemo(http: Http, played: Play) -> Any:
    row = {**played.row("nemo-gym"), "response": response(message(played.actions[0]))}
    answer = http.post("/nemo/any/verify", row)
    assert not answer["mask_sample"]
    return answer["reward"]


def by_openrlhf(http: Http, played: Play) -> Any:
    prompt = f"<|im_start|>user\n{played.task.prompt}<|im_end|>\n<|im_start|>assistant\n"
    body = {"query": [prompt + played.actions[0] + "<|im_end|>"], "prompts": [prompt], "labels": [played.ground_truth]}
    return http.post("/rewards/openrlhf", body)["rewards"][0]


def by_slime(http: Http, played: Play) -> Any:
    body = {"prompt": played.task.prompt, "response": played.actions[0], "label": played.ground_truth}
    return http.post("/rewards/slime", body)


VERDICTS = [by_verify, by_nemo, by_openrlhf, by_slime]
plays = st.builds(
    lambda env_id, seed, words, level: play(env_id, seed, *words, difficulty=level),
    st.sampled_from([*SINGLE, *TURNS]),
    st.integers(0, 10**6),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
    st.sampled_from([1, 4]),
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(played=plays)
def test_every_way_gives_the_same_rewards(http: Http, played: Play) -> None:
    for way in EPISODES:
        assert way(http, played) == list(played.rewards), way.__name__
    if load(spec(played.task.env_id)).max_turns == 1:
        for judge in VERDICTS:
            assert judge(http, played) == played.reward, judge.__name__
    elif played.over:
        assert by_verify(http, played) == played.rewards[-1]


def test_the_property_has_something_to_say(http: Http) -> None:
    """Of what is played above some is solved and some is not, in one turn and in several; a wrong reward would be noticed."""
    right, wrong = play("arithmetic-v0", 5, "oracle"), play("arithmetic-v0", 5, "<answer>7</answer>")
    assert (right.reward, wrong.reward) == (1.0, 0.0)
    assert [by_slime(http, right), by_slime(http, wrong)] == [1.0, 0.0]
    assert over_nemo(http, play("guess-number-v0", 5, *["oracle"] * 10))[-1] == 1.0
    assert json.loads(right.ground_truth)["seed"] == 5
