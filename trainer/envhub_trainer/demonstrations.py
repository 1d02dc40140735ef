"""Demonstrations: episodes of another player, for supervised learning.

::

    rng = Stream(b"demonstrations", seed)
    conversation = play(task, demonstrator("greedy"), rng, {"answer_format": "last"})       # as chat messages
    rows = demonstrate(task, demonstrator("greedy"), rng, renderer, {"answer_format": "last"})      # as tokens

Environments run in this process, since a server does not reveal right answers. Rows are identical to those of a policy that
sampled the same text (:mod:`envhub_trainer.episode`): mask 1 on the demonstrator's tokens and the token that ends a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Task
from envhub_trainer.conversations import Talk
from envhub_trainer.episode import GIVEN, Row
from envhub_trainer.phrases import Conversation
from envhub_trainer.render import Renderer

Demonstrator = Callable[[envhub.Env, Stream], str]
"""Returns the next action in an environment, with randomness from the stream alone."""

_BLUNDERS: Final = ("", "?", "0", "-1", "999999", "1 2")
_FINE: Final = 1 << 30
_DIGITS: Final = "0123456789"


def demonstrator(name: str) -> Demonstrator:
    """Return a demonstrator by name.

    ``oracle``
        The next right action.
    ``greedy``
        The environment's heuristic, which sees only what a policy sees.
    ``random``
        Random well-formed actions.
    ``clumsy``
        Random actions and, equally often, texts that are rarely valid actions, to collect an environment's error messages.
    ``mixed:SHARE``
        With that probability the oracle's action, else the heuristic's or, without a heuristic, a random one.
    ``slips:SHARE``
        The oracle, but with that probability one digit of its action is changed. A model trained on it knows more than its
        samples show, so that rewards can teach it something early.

    Raises:
        ValueError: Unknown demonstrator.
    """
    if name in _PLAYERS:
        return _PLAYERS[name]
    kind, _, told = name.partition(":")
    if kind == "mixed":
        return _mixed(_share(name, told))
    if kind == "slips":
        return _slipping(_share(name, told))
    raise ValueError(f"No demonstrator {name!r}; there are {', '.join(_PLAYERS)}, mixed:SHARE and slips:SHARE.")


def play(task: Task, says: Demonstrator, rng: Stream, options: Mapping[str, Any]) -> list[Conversation]:
    """Play an episode and return its conversation, in self-play one per seat.

    A conversation ends with the seat's last action; seats that never moved have none.

    Args:
        task: The task to play.
        says: The demonstrator.
        rng: Source of the demonstrator's randomness.
        options: Options of :func:`envhub.begin`: ``answer_format``, ``system``.

    Raises:
        ValueError: The demonstrator has no action here.
    """
    *_, (talk, _) = _turns(task, says, rng, options)
    return list(talk.conversations)


def actions(task: Task, says: Demonstrator, rng: Stream, options: Mapping[str, Any]) -> list[str]:
    """Play an episode and return its actions.

    In self-play these are the actions of all seats. Arguments and errors are those of :func:`play`.
    """
    return [action for _, action in _turns(task, says, rng, options)]


def demonstrate(
    task: Task, says: Demonstrator, rng: Stream, renderer: Renderer, options: Mapping[str, Any]
) -> list[Row]:
    """Play an episode and return its rows.

    There is one, or more if the chat template rewrites earlier messages or there are several seats.

    Arguments and errors are those of :func:`play`; the renderer is the policy's.
    """
    seats: dict[int | None, list[Row]] = {}
    for talk, action in _turns(task, says, rng, options, renderer.role):
        rows, messages = seats.setdefault(talk.at, []), talk.messages
        if not rows:
            rows.append(Row())
            rows[-1].give(renderer.opening(messages))
        elif not renderer.rewrites:
            rows[-1].give(renderer.between(rows[-1].ids[-1], messages[-1]["content"], messages[-1].get("images", ())))
        else:
            whole = renderer.opening(messages)
            if whole[: len(rows[-1].ids)] != rows[-1].ids:
                rows.append(Row())
            rows[-1].give(whole[len(rows[-1].ids) :])
        ids = renderer.said(action)
        rows[-1].take(ids, [0.0] * len(ids), [GIVEN] * len(ids))
    return [row for rows in seats.values() for row in rows]


def _turns(
    task: Task, says: Demonstrator, rng: Stream, options: Mapping[str, Any], role: str = "user"
) -> Iterator[tuple[Talk, str]]:
    """Yield for each action the conversation before it, and the action itself."""
    env = envhub.begin(task, **options)
    talk = Talk(env.task, options.get("system"), role, env.episode.pictures())
    try:
        over = False
        while not over:
            action = says(env, rng)
            yield talk, action
            talk.say(action)
            told, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            if not over:
                talk.hear(told, info)
    finally:
        env.close()


def _oracle(env: envhub.Env, rng: Stream) -> str:
    return env.solve()


def _greedy(env: envhub.Env, rng: Stream) -> str:
    action = env.greedy_action(rng)
    if action is None:
        raise ValueError(f"{env.task.env_id} has no rule of thumb; demonstrators are oracle and mixed:SHARE.")
    return action


def _random(env: envhub.Env, rng: Stream) -> str:
    return env.random_action(rng)


def _clumsy(env: envhub.Env, rng: Stream) -> str:
    return env.random_action(rng) if rng.below(2) else rng.choice(_BLUNDERS)


def _share(name: str, told: str) -> float:
    try:
        share = float(told)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"A demonstrator's share is a number from 0 to 1, as in mixed:0.5, got {name!r}.")
    return share


def _happens(share: float, rng: Stream) -> bool:
    return rng.below(_FINE) < share * _FINE


def _mixed(share: float) -> Demonstrator:
    return lambda env, rng: env.solve() if _happens(share, rng) else _thumb(env, rng)


def _slipping(share: float) -> Demonstrator:
    def says(env: envhub.Env, rng: Stream) -> str:
        action = env.solve()
        digits = [at for at, letter in enumerate(action) if letter in _DIGITS]
        if not digits or not _happens(share, rng):
            return action
        at = rng.choice(digits)
        other = rng.choice(_DIGITS.replace(action[at], ""))
        return action[:at] + other + action[at + 1 :]

    return says


def _thumb(env: envhub.Env, rng: Stream) -> str:
    action = env.greedy_action(rng)
    return env.random_action(rng) if action is None else action


_PLAYERS: Final[Mapping[str, Demonstrator]] = {
    "oracle": _oracle,
    "greedy": _greedy,
    "random": _random,
    "clumsy": _clumsy,
}
