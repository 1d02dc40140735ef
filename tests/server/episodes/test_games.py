"""Games over HTTP: whose turn it is, what is hidden, and which models a client may name as opponents."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.server.http.limits import Permissions
from tests.server.serving import Api, problem

_OWN = ("seed", "wording", "fingerprint", "episode_id", "created_at", "updated_at", "at")


@pytest.mark.parametrize("path", ["/v1/episodes", "/v1/tasks", "/v1/verify"])
def test_a_server_asks_no_model_that_a_client_names(path: str, make_api: Callable[..., Api]) -> None:
    api = make_api()
    named: dict[str, Any] = {"env_id": "tic-tac-toe-v0", "params": {"opponent": "http://169.254.169.254/v1"}}
    if path == "/v1/verify":
        env = envhub.make("tic-tac-toe-v0", **named["params"])
        env.reset(seed=0)
        key = env.task.to_json()
        body = api.post(path, {"items": [{"task": key, "responses": [["<answer>1</answer>"]]}]}).json()
        assert "may not name that model" in body["results"][0]["error"]["detail"]
        return
    answer = api.post(path, {**named, **({"seeds": [1]} if path == "/v1/tasks" else {"seed": 1})})
    assert problem(answer)[:2] == (422, "InvalidParameters")
    assert "may not name that model" in problem(answer)[2]


def test_a_server_lets_no_model_speak_that_a_client_names(make_api: Callable[..., Api]) -> None:
    named = {"env_id": "customer-service-v0", "params": {"user": "http://169.254.169.254/v1"}, "seed": 1}
    answer = make_api().post("/v1/episodes", named)
    assert problem(answer)[:2] == (422, "InvalidParameters")
    assert "as a user" in problem(answer)[2]
    assert make_api().post("/v1/episodes", {**named, "params": {"user": "rules"}}).status_code < 300


@pytest.mark.parametrize(
    ("allowed", "wanted", "fine"),
    [
        ("", "http://a/v1", False),
        ("http://a/v1", "http://a/v1", True),
        ("http://a/v1", "http://a/v1#m", True),
        ("http://a", "http://a/v1#m", True),
        ("http://a/", "http://a/v1", True),
        ("http://b, http://a", "http://a/v1", True),
        ("http://a", "http://a.evil/v1", False),
        ("http://a", "http://a@evil/v1", False),
        ("http://a", "http://ab/v1", False),
        (",", "http://a/v1", False),
        ("", "greedy", True),
        ("", 3, True),
    ],
)
def test_addresses_are_compared_whole(allowed: str, wanted: Any, fine: bool) -> None:
    check = Permissions(opponents=allowed).check
    if fine:
        check("tic-tac-toe-v0", {"opponent": wanted})
        return
    with pytest.raises(InvalidParameters, match="ENVHUB_OPPONENTS"):
        check("tic-tac-toe-v0", {"opponent": wanted})


def test_an_episode_over_http_tells_whose_turn_it_is(make_api: Callable[..., Api]) -> None:
    api = make_api()
    params = {"opponent": "self", "boards": 1, "plies": 0, "luck": [0, 30], "rule": [0, 1.01]}
    begun = api.post("/v1/episodes", {"env_id": "tic-tac-toe-v0", "seed": 3, "params": params}).json()
    assert begun["info"]["player"] == 0
    path = f"/v1/episodes/{begun['episode_id']}"
    stepped = api.post(f"{path}/step", {"turn": 0, "action": "<answer>5</answer>"}).json()
    assert stepped["info"]["player"] == 1
    forked = api.post(f"{path}/fork", {}).json()
    assert (forked["turn"], forked["info"]["player"]) == (1, 1)


@pytest.mark.slow
def test_the_other_card_is_in_no_http_answer(make_api: Callable[..., Api]) -> None:
    """Two tasks that differ only in the other's card are told apart by nothing but their seed and what follows from it."""
    api, seen = make_api(), {}
    for seed in range(60):
        params = {"hands": 1, "seat": 0, "opponent": "random"}
        env = envhub.make("kuhn-poker-v0", difficulty=None, **params)
        env.reset(seed=seed)
        cards = env.episode.instance.key["opening"][0]
        body = {"env_id": "kuhn-poker-v0", "difficulty": None, "seed": seed, "params": params, "episode_id": f"e{seed}"}
        body["options"] = {"wording": 0}
        begun = api.post("/v1/episodes", body).json()
        state = api.get(f"/v1/episodes/e{seed}").json()
        own = json.dumps(_without([begun, state]), sort_keys=True)
        seen.setdefault(cards[0], {}).setdefault(cards[1], set()).add(own)
    for by_other in seen.values():
        assert len(by_other) == 2
        one, other = by_other.values()
        assert one == other


def _without(value: Any) -> Any:
    """An answer without its seed, what follows from it alone, and the time."""
    if isinstance(value, dict):
        kept = {name: part for name, part in value.items() if name not in _OWN}
        return {name: _without(part) for name, part in kept.items()}
    return [_without(part) for part in value] if isinstance(value, list) else value
