"""The answer key stays home: not one byte of any answer holds it before the policy itself has said it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from tests.server.serving import Api

SEED = 8_675_309_123_456_789_012
"""Large, and found nowhere by chance."""
SEEDS = [SEED + step for step in range(4)]
MIN_KEY = 4
"""A shorter key, such as 17, is found in any text by chance: nothing follows from finding it."""


def forms_of(key: Any) -> Iterator[str]:
    """How a key could be written, in plain text and in JSON."""
    if key is None:
        return
    if isinstance(key, (list, tuple)):
        for separator in ("", " ", ",", ", "):
            yield separator.join(map(str, key))
    else:
        yield str(key)


def holds(text: str, form: str) -> bool:
    """Whether a form stands in a text, and not as a part of a longer number or of hexadecimal digits."""
    if not form.lstrip("-").isalnum():
        return form in text
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(form)}(?![0-9A-Za-z])", text) is not None


class Wire:
    """Every answer so far, as text, and what the policy has said."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self.heard: list[str] = []  # and not looked through yet
        self.said = ""
        self.forks = count()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        response = self._api.send(method, path, body)
        assert response.status_code < 300, response.text
        self.heard.append(f"{response.headers} {response.text}")
        return response.json() if response.content else None

    def everything_about(self, episode_id: str) -> None:
        """All that can be asked about an episode in progress."""
        self.ask("GET", f"/v1/episodes/{episode_id}")
        self.ask("POST", f"/v1/episodes/{episode_id}/fork", {"episode_id": f"{episode_id}-{next(self.forks)}"})

    def everything_about_the_task(self, env: envhub.Env) -> None:
        """All that can be asked about its task, which no turn changes."""
        task = env.task
        given = {"env_id": task.env_id, "difficulty": 10, "split": task.split}
        self.ask("POST", "/v1/tasks", {**given, "seeds": [task.seed]})
        self.ask("POST", "/v1/verify", {"items": [{"task": task.to_json(), "responses": ["", "no", ["?", "0"]]}]})

    def check(self, env: envhub.Env) -> None:
        key = env.episode.instance.key
        for form in forms_of(key):
            if len(form) >= MIN_KEY and form not in self.said:
                for text in self.heard:
                    assert not holds(text, form), f"the key of {env.task.env_id} was sent"
        self.heard.clear()


def acted(policy: str, env: envhub.Env, rng: Stream) -> str:
    """What a policy does; only the oracle has to search for it."""
    if policy == "silent":
        return "I do not know"
    return env.solve() if policy == "oracle" else env.random_action(rng)


def looked_at(turn: int) -> bool:
    """Whether all is asked at a turn: at the first four, then ever more rarely, for a later look shows the past as well."""
    return turn < 4 or turn & (turn - 1) == 0


@pytest.mark.parametrize("policy", ["oracle", "random", "silent"])
def test_no_answer_holds_the_key(api: Api, env_id: str, policy: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    checked = 0
    rng = Stream(b"random policy")
    for seed in SEEDS:
        wire, env, name = Wire(api), envhub.make(env_id, difficulty=10), f"{policy}-{seed}"
        env.reset(seed=seed)
        request = {"env_id": env_id, "episode_id": name, "seed": seed, "difficulty": 10}
        wire.ask("POST", "/v1/episodes", request)
        wire.everything_about_the_task(env)
        over = False
        while not over:
            if looked_at(len(env.episode.journal)):
                wire.everything_about(name)
            wire.check(env)
            action = acted(policy, env, rng)
            turn = len(env.episode.journal)
            wire.said += f"\n{action}"
            answer = wire.ask("POST", f"/v1/episodes/{name}/step", {"turn": turn, "action": action})
            _, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
            assert answer["terminated"] == terminated
        wire.ask("GET", f"/v1/episodes/{name}")
        wire.check(env)
        checked += any(len(form) >= MIN_KEY for form in forms_of(env.episode.instance.key))
        assert not any(len(form) >= MIN_KEY and holds(caplog.text, form) for form in forms_of(env.episode.instance.key))
    assert checked >= 1 or env.episode.instance.key is None, (
        "no key of this environment is long enough to be looked for"
    )


@pytest.mark.parametrize("policy", ["oracle", "random"])
def test_no_policy_sees_the_seed(api: Api, env_id: str, policy: str) -> None:
    """The task may hold it, which is for the trainer; what is shown to a policy, or logged beside it, may not."""
    rng = Stream(b"random policy")
    env = envhub.make(env_id, difficulty=10)
    env.reset(seed=SEED)
    opening = api.create(env_id, seed=SEED, difficulty=10)
    seen: list[Any] = [opening["observation"], opening["info"], opening["task"]["prompt"], opening["task"]["problem"]]
    seen += [opening["task"]["tools"], opening["task"]["fingerprint"]]
    over = False
    while not over:
        action = acted(policy, env, rng)
        answer = api.step(len(env.episode.journal), action)
        seen.append(answer)
        over = answer["terminated"] or answer["truncated"]
        env.step(action)
    whole = api.look()
    seen += [whole["messages"], whole["steps"]]
    (result,) = api.post("/v1/verify", {"items": [{"task": opening["task"], "responses": ["x"]}]}).json()["results"]
    seen.append(result)
    text = json.dumps(seen)
    for form in (str(SEED), f"{SEED:x}", f"{SEED:,}"):
        assert form not in text
