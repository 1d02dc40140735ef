"""A model as an opponent: asked once a move, its tries, its failures, what is journaled, what a server lets clients name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import envhub
from envhub.authoring.game import model_opponent
from envhub.authoring.game.model_opponent import ModelOpponents
from envhub.core.effects import Effect, Live, Outcome
from envhub.core.errors import ResourceError
from envhub.core.types import JSON
from envhub.gymnasium.env import Env
from envhub.verifiers.judge.endpoint import Endpoint, Prompt, Reply
from tests.authoring.game.tables import Nim, table

URL = "http://127.0.0.1:9/v1#rival"


class Scripted:
    """What the endpoint replies, in order; keeps what it was asked."""

    def __init__(self, replies: Iterator[str | Exception]) -> None:
        self.replies = replies
        self.asked: list[Prompt] = []

    def __call__(self, effect: Effect) -> Outcome:
        endpoint, prompt = ModelOpponents().asked(effect)
        assert (endpoint.base_url, endpoint.model) == ("http://127.0.0.1:9/v1", "rival")
        self.asked.append(prompt)
        reply = next(self.replies)
        if isinstance(reply, Exception):
            raise reply
        return ModelOpponents().kept(Reply(reply))


@pytest.fixture
def rival(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Scripted]:
    def install(*replies: str | Exception) -> Scripted:
        scripted = Scripted(iter(replies))

        class Speaking(Live):
            def perform(self, effect: Effect) -> Outcome:
                return scripted(effect)

        def opened(self: ModelOpponents, problem: JSON, token: JSON = None) -> Live:
            return Speaking()

        monkeypatch.setattr(ModelOpponents, "open", opened)
        return scripted

    return install


def nim(**params: Any) -> Env:
    env = table(Nim(), seat=0, opponent=URL, **params)
    env.reset(seed=0)
    return env


def test_it_is_asked_for_every_move_with_the_rules_and_what_its_seat_sees(rival: Callable[..., Scripted]) -> None:
    scripted = rival("I take <answer>2</answer>")
    env = nim()
    observation, *_ = env.step("<answer>1</answer>")
    assert observation == "You played 1. Player 2 played 2.\n\nSticks: 9."
    assert scripted.asked[0].user == "Sticks: 11."
    assert "Take one, two or three sticks." in scripted.asked[0].system
    assert "You play player 2." in scripted.asked[0].system
    assert "<answer>17</answer>" in scripted.asked[0].system


def test_an_illegal_move_is_told_to_it_and_the_third_one_becomes_a_legal_one_at_random(
    rival: Callable[..., Scripted],
) -> None:
    scripted = rival("<answer>7</answer>", "no idea", "<answer>1</answer> or <answer>2</answer>")
    env = nim()
    observation, _, over, _, _ = env.step("<answer>1</answer>")
    assert not over
    assert observation.startswith("You played 1. Player 2 played ")
    assert [prompt.user.count("no legal move") for prompt in scripted.asked] == [0, 1, 1]
    assert env.fork().episode.state == env.episode.state


def test_its_failure_is_an_error_and_no_win(rival: Callable[..., Scripted]) -> None:
    rival(ResourceError("The endpoint was too slow, 4 times."))
    env = nim()
    _, reward, terminated, truncated, info = env.step("<answer>1</answer>")
    assert (terminated, truncated, reward != reward) == (False, True, True)
    assert info["error"] == {"code": "resource_failed", "reason": "opponent: The endpoint was too slow, 4 times."}


def test_folding_asks_nobody(rival: Callable[..., Scripted]) -> None:
    rival("<answer>3</answer>")
    env = envhub.make("tic-tac-toe-v0", difficulty=None, opponent=URL, seat=0, plies=0)
    env.reset(seed=0)
    first = env.step("<answer>1</answer>")
    twin = envhub.restore(json.loads(json.dumps(env.snapshot())))  # the script is used up
    assert twin.messages == env.messages
    assert first[0].startswith("You played 1. O played 3.")


def test_on_an_event_loop_too(rival: Callable[..., Scripted]) -> None:
    rival("<answer>3</answer>")
    turn = asyncio.run(nim().episode.astep("<answer>1</answer>"))
    assert "Player 2 played 3." in turn.observation


def test_what_it_thinks_and_what_it_holds_are_in_no_journal(rival: Callable[..., Scripted]) -> None:
    rival(*["My card is a K, so <answer>call</answer>", "My card is a J: <answer>check</answer>"] * 20)
    digests = set()
    for seed in range(6):
        env = envhub.make("kuhn-poker-v0", opponent=URL, hands=1, seat=0)
        env.reset(seed=seed)
        env.step("<answer>bet</answer>")
        effects = env.snapshot()["journal"][0]["effects"]
        assert effects[0]["outcome"] == ["call", None] or effects[0]["outcome"] == ["check", None]
        digests.add(effects[0]["digest"])
    assert len(digests) == 1  # whatever its card was


def test_its_first_moves_are_random_for_nobody_is_asked_while_a_task_is_drawn() -> None:
    env = table(Nim(), seat=1, opponent=URL)
    assert len({env.reset(seed=seed)[0] for seed in range(12)}) == 3


def test_a_key_is_sent_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"url": URL, "system": "", "user": "", "attempt": 0}
    assert ModelOpponents().asked(model_opponent.AskForMove("opponent", asked))[0].api_key_env is None
    monkeypatch.setenv("ENVHUB_OPPONENT_KEY", "k")
    assert ModelOpponents().asked(model_opponent.AskForMove("opponent", asked))[0] == Endpoint(
        "http://127.0.0.1:9/v1", "rival", "ENVHUB_OPPONENT_KEY", structured=False
    )
