"""Demonstrations: somebody else plays the environments, and the policy learns from what was said.

::

    rng = Stream(b"demonstrations", seed)
    conversation = play(task, demonstrator("greedy"), rng, {"answer_format": "last"})       # as chat messages
    rows = demonstrate(task, demonstrator("greedy"), rng, renderer, {"answer_format": "last"})      # as tokens

Environments are played in this process, since nobody is given the right answer over a network. Rows are those that the
policy itself would have left behind had it said the same (:mod:`trainer.episode`): mask 1 on the demonstrator's tokens
and the token that ends a turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import envhub
from envhub.seeding import Stream
from envhub.types import Task
from trainer.episode import GIVEN, Row
from trainer.phrases import Conversation
from trainer.render import Renderer

Demonstrator = Callable[[envhub.Env, Stream], str]
"""What is said next in an environment, with randomness from the stream alone."""

_BLUNDERS: Final = ("", "?", "0", "-1", "999999", "1 2")
_FINE: Final = 1 << 30


def demonstrator(name: str) -> Demonstrator:
    """Somebody who plays.

    ``oracle``
        The next right action.
    ``greedy``
        The environment's rule of thumb, which sees what a policy sees.
    ``random``
        Well-formed actions that know nothing.
    ``clumsy``
        Random actions and, as often, texts that are hardly ever one, to hear what an environment says to them.
    ``mixed:SHARE``
        Each action the oracle's with that probability, else the rule of thumb's or, where there is none, a random one.
    ``reversed:NAME``
        Another one of these, thinking before each answer: on a line of its own it writes the digits of the number that
        it is about to give from the last to the first, as sums are worked out by hand. Answer formats read past it.

    Raises:
        ValueError: There is nobody of that name.
    """
    if name in _PLAYERS:
        return _PLAYERS[name]
    kind, given, rest = name.partition(":")
    if kind == "reversed" and given:
        return _thinking(demonstrator(rest))
    if kind == "mixed" and given:
        return _mixed(rest)
    raise ValueError(f"No demonstrator {name!r}; there are {', '.join(_PLAYERS)}, mixed:SHARE and reversed:NAME.")


def play(task: Task, says: Demonstrator, rng: Stream, options: Mapping[str, Any]) -> Conversation:
    """The conversation of an episode, ending with the last action.

    Args:
        task: What is played.
        says: Who plays.
        rng: Where the player's randomness comes from.
        options: Of :func:`envhub.begin`: ``answer_format``, ``system``.

    Raises:
        ValueError: The player knows no action here.
    """
    *_, (messages, action) = _turns(task, says, rng, options)
    return [*messages, {"role": "assistant", "content": action}]


def demonstrate(
    task: Task, says: Demonstrator, rng: Stream, renderer: Renderer, options: Mapping[str, Any]
) -> list[Row]:
    """The rows of an episode: one, or more where the chat template rewrites what was said before.

    Arguments and errors as for :func:`play`; the renderer is the policy's.
    """
    rows: list[Row] = []
    for messages, action in _turns(task, says, rng, options):
        if not rows:
            rows.append(Row())
            rows[-1].give(renderer.opening(messages))
        elif not renderer.rewrites:
            rows[-1].give(renderer.between(rows[-1].ids[-1], messages[-1]["content"]))
        else:
            whole = renderer.opening(messages)
            if whole[: len(rows[-1].ids)] != rows[-1].ids:
                rows.append(Row())
            rows[-1].give(whole[len(rows[-1].ids) :])
        ids = renderer.said(action)
        rows[-1].take(ids, [0.0] * len(ids), [GIVEN] * len(ids))
    return rows


def _turns(
    task: Task, says: Demonstrator, rng: Stream, options: Mapping[str, Any]
) -> Iterator[tuple[list[dict[str, str]], str]]:
    """What had been said before each action, and the action."""
    env = envhub.begin(task, **options)
    try:
        over = False
        while not over:
            messages, action = env.messages, says(env, rng)
            yield messages, action
            _, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
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


def _mixed(told: str) -> Demonstrator:
    try:
        share = float(told)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"mixed:SHARE has a share from 0 to 1, such as mixed:0.5, got {told!r}.")
    return lambda env, rng: env.solve() if rng.below(_FINE) < share * _FINE else _thumb(env, rng)


def _thinking(says: Demonstrator) -> Demonstrator:
    def says_more(env: envhub.Env, rng: Stream) -> str:
        action = says(env, rng)
        found = re.findall("[0-9]+", action)
        return f"{found[-1][::-1]}\n{action}" if found else action

    return says_more


def _thumb(env: envhub.Env, rng: Stream) -> str:
    action = env.greedy_action(rng)
    return env.random_action(rng) if action is None else action


_PLAYERS: Final[Mapping[str, Demonstrator]] = {
    "oracle": _oracle,
    "greedy": _greedy,
    "random": _random,
    "clumsy": _clumsy,
}
