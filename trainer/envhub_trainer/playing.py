"""Plays one game with a policy, token in and token out.

Usually there is one conversation. In self-play (the opponent ``self``) there is one **for each seat**: a context with the
rules, that seat's observations and its actions, and nothing that only others see. Each conversation is an
:class:`~envhub_trainer.episode.Episode` of its own, rewarded with its seat's payoff, so that a policy learns from both sides
of every game (SPIRAL, Liu et al. 2025, arXiv 2506.24119)::

    table = Table(renderer, task, group=7)
    await play(player, session, table, seed)
    table.episodes                          # one; in self-play one for each seat that has moved

A self-play game that runs out of turns pays every seat the lowest payoff. A seat whose context is full sends empty messages,
which lose by the game's own rule for illegal moves, so filling the context gains nothing. A game that ends without payoffs
could not be judged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import fields
from itertools import count
from math import isnan
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import envhub
from envhub.core.types import Task, Verdict
from envhub.scenes.picture import Picture
from envhub_trainer.conversations import Message, Talk, self_play
from envhub_trainer.episode import Episode, Row, Turn
from envhub_trainer.hub import Session
from envhub_trainer.policy import Completion, Sampler
from envhub_trainer.render import Renderer

if TYPE_CHECKING:
    from envhub_trainer.rollout import Player

_NOTHING: Final = ""
"""The action of a seat whose context is full."""


class Seat:
    """One conversation of the policy as tokens.

    Args:
        renderer: The renderer of the task's tools.
        episode: The episode to record to.
        said: Its messages, extended by others.
    """

    def __init__(self, renderer: Renderer, episode: Episode, said: Sequence[Message]) -> None:
        self._renderer, self._said = renderer, said
        self.episode = episode
        episode.rows.append(Row())
        self.row.give(renderer.opening(said))
        episode.seconds = {"policy": 0.0, "environment": 0.0}

    @property
    def row(self) -> Row:
        """The current row."""
        return self.episode.rows[-1]

    def copy(self, said: Sequence[Message]) -> Seat:
        """An independent copy, with a copy of its messages."""
        twin = copy(self)
        twin._said, twin.episode = said, self.episode.copy()
        return twin

    def read(self) -> None:
        """Read the last message, in a new row if history was rewritten."""
        renderer, row = self._renderer, self.row
        if not renderer.rewrites:
            row.give(renderer.between(row.ids[-1], self._said[-1]["content"], self._said[-1].get("images", ())))
            return
        whole = renderer.opening(self._said)
        if whole[: len(row.ids)] == row.ids:
            row.give(whole[len(row.ids) :])
            return
        self.episode.rows.append(Row())
        self.row.give(whole)
        self.episode.rewritten += 1

    def write(self, completion: Completion) -> str:
        """Record a sampled action and return its text."""
        self.row.take(completion.ids, completion.logps, completion.versions)
        self.episode.overlong = self.episode.overlong or not completion.finished
        action = self._renderer.text(completion.ids)
        place = len(self.episode.rows) - 1, self.row.ends[-1]
        self.episode.turns.append(Turn(self._said[-1]["content"], action, 0.0, *place))
        return action

    def earn(self, reward: float) -> None:
        """Record the last turn's reward; NaN excludes the episode from learning."""
        turn = self.episode.turns[-1]
        turn.reward = reward
        if isnan(reward):
            self.episode.error = "nan: a reward is NaN although no error was reported"
        else:
            self.episode.rows[turn.row].pay(reward)


class Table:
    """The conversations of one game, each started when its seat first moves.

    Args:
        renderer: The renderer of the task's tools.
        task: The task to play.
        group: Number of the group of games with the same task.
        system: System message of every conversation.
        budget: Maximum number of tokens that the policy may sample in the game.
        images: The pictures of the task's prompt.

    Attributes:
        alone: True if the policy plays every seat.
        opponent: In a league, who plays all seats but ``own``.
        own: In a league, the policy's seat.
    """

    def __init__(
        self,
        renderer: Renderer,
        task: Task,
        group: int,
        system: str | None = None,
        budget: int = 0,
        images: Sequence[Picture] = (),
    ) -> None:
        self.alone = self_play(task)
        self._task, self._renderer, self._group = task, renderer, group
        self._budget = budget
        self._talk = Talk(task, system, renderer.role, images)
        self._seats: dict[int | None, Seat] = {}
        self.mover = self._sit()
        self.opponent: Sampler | None = None
        self.own = 0

    @property
    def episodes(self) -> list[Episode]:
        """One episode per conversation of the policy."""
        return [seat.episode for at, seat in self._seats.items() if self.opponent is None or at == self.own]

    def sampler(self, policy: Sampler) -> Sampler:
        """Who writes the next action, the policy or its opponent."""
        return policy if self.opponent is None or self._talk.at == self.own else self.opponent

    def copy(self) -> Table:
        """An independent copy of a game that has one conversation."""
        twin = copy(self)
        twin._talk = self._talk.copy()
        twin._seats = {None: self.mover.copy(twin._talk.messages)}
        twin.mover = twin._seats[None]
        return twin

    def write(self, completion: Completion) -> str:
        """Record the current seat's sampled action and return its text."""
        action = self.mover.write(completion)
        self._talk.say(action)
        return action

    def hear(self, told: str, info: Mapping[str, Any]) -> None:
        """Record an observation for the seat that moves next."""
        self._talk.hear(told, info)
        if self._talk.at in self._seats:
            self.mover = self._seats[self._talk.at]
            self.mover.read()
        else:
            self.mover = self._sit()

    def _sit(self) -> Seat:
        task, at = self._task, self._talk.at
        key = task.key.to_json()
        episode = Episode(task.env_id, task.difficulty, key, self._group, seat=at, budget=self._budget)
        self._seats[at] = Seat(self._renderer, episode, self._talk.messages)
        return self._seats[at]

    def fail(self, error: str) -> None:
        """Exclude this game from learning."""
        for episode in self.episodes:
            episode.error = error

    def over(self, reward: float, truncated: bool, info: Mapping[str, Any]) -> None:
        """Record the end of the game.

        Args:
            reward: The hub's reward, used if the policy has one seat.
            truncated: Whether the game was truncated.
            info: The info of the last turn.
        """
        verdict = info.get("verdict") or {}
        for episode in self.episodes:
            episode.truncated = episode.truncated or truncated
        if "error" in info:
            self.mover.episode.turns[-1].reward = reward
            self.fail(f"{info['error']['code']}: {info['error']['reason']}")
        elif self.alone:
            self._pay_seats(info.get("payoffs"), verdict.get("payoff"))
        else:
            self.mover.earn(reward)
        whose = self._seats.get(0 if self.alone else None)  # with several seats, the verdict is the first seat's
        if whose is not None:
            whose.episode.components = dict(verdict.get("components") or {})
            whose.episode.solved = None if self.alone else verdict.get("solved")
            whose.episode.verdict = _verdict(verdict)

    def _pay_seats(self, payoffs: Sequence[float] | None, least: float | None) -> None:
        """Reward every seat with its payoff, or the lowest without an end."""
        if payoffs is None and least is None:
            self.fail("payoffs: the game ended without any")
            return
        for at, seat in self._seats.items():
            if at is not None and seat.episode.turns:
                seat.earn(float(payoffs[at] if payoffs is not None else least or 0.0))


def _verdict(told: Mapping[str, Any]) -> Verdict | None:
    """The verdict in an info, without an error."""
    names = {each.name for each in fields(Verdict)} - {"error"}
    return Verdict(**{name: value for name, value in told.items() if name in names}) if "score" in told else None


async def attempt(
    player: Player,
    session: Session,
    table: Table,
    seed: Callable[[int], int],
    visit: Callable[[Session, Table], Awaitable[None]] | None = None,
) -> None:
    """Play a game to its end, or exclude it from learning.

    It is excluded if the hub is unreachable or returns an error. Arguments are those of :func:`play`.

    Raises:
        PolicyError: The policy cannot sample.
    """
    try:
        await play(player, session, table, seed, visit)
    except BaseException as error:
        with suppress(envhub.EnvhubError):
            await session.close()  # the game is abandoned
        if not isinstance(error, envhub.EnvhubError):
            raise
        table.fail(f"{type(error).__name__}: {error}")


async def play(
    player: Player,
    session: Session,
    table: Table,
    seed: Callable[[int], int],
    visit: Callable[[Session, Table], Awaitable[None]] | None = None,
) -> None:
    """Play a game to its end and record its tokens.

    Args:
        player: The player.
        session: The game at the hub, just started.
        table: The conversations to record to.
        seed: Returns the seed of a turn's completion; turns are counted over all seats.
        visit: Called before each turn.
    """
    for turn in count():
        began, seat = perf_counter(), table.mover
        if len(seat.row.ids) >= player.policy.context:
            await _give_up(session, table, player.policy.context)
            return
        if visit is not None:
            await visit(session, table)
        completion = await table.sampler(player.policy).generate(seat.row.ids, player.sampling, seed(turn))
        action = table.write(completion)
        sampled = perf_counter()
        told, reward, terminated, truncated, info = await session.step(action)
        seat.episode.seconds["policy"] += sampled - began
        seat.episode.seconds["environment"] += perf_counter() - sampled
        if terminated or truncated:
            table.over(reward, truncated, info)
            return
        if not table.alone:
            seat.earn(reward)
        table.hear(told, info)


async def _give_up(session: Session, table: Table, context: int) -> None:
    """End the game for a seat whose context is full."""
    seat, episode = table.mover, table.mover.episode
    if not episode.turns:  # not caused by the policy
        await session.close()
        table.fail(f"context: the task's prompt has {len(seat.row.ids)} tokens of {context}")
        return
    episode.overlong = episode.truncated = True
    seat.row.cut()
    if not table.alone:
        await session.close()
        episode.solved = False
        return
    over = False
    while not over:
        _, reward, terminated, truncated, info = await session.step(_NOTHING)
        over = terminated or truncated
    table.over(reward, truncated, info)
