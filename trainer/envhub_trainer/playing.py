"""One game from its first message to its last: the policy's conversations, token in and token out.

Mostly there is one. Where the policy plays against itself (the opponent ``self``) there is one **for each seat**: a context
that holds the rules, what that seat was told and what it said, and nothing of what the others see. Each conversation is an
:class:`~envhub_trainer.episode.Episode` of its own, and what it earns is the payoff of its seat, so that a policy has
two sides to learn from in every game (SPIRAL, Liu et al. 2025, arXiv 2506.24119)::

    table = Table(renderer, task, group=7)
    await play(player, session, table, seed)
    table.episodes                          # one; in self-play one for each seat that has moved

A game of the policy with itself that runs out of turns pays every seat the least there is. A seat whose context is full says
nothing more: it sends empty messages, which lose by the game's own rule for illegal moves, so nothing is gained by talking
until there is no room. A game that ends without payoffs could not be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from envhub.core.types import Task
from envhub_trainer.conversations import Message, Talk, self_play
from envhub_trainer.episode import Episode, Row, Turn
from envhub_trainer.hub import Session
from envhub_trainer.policy import Completion
from envhub_trainer.render import Renderer

if TYPE_CHECKING:
    from envhub_trainer.rollout import Player

_NOTHING: Final = ""
"""What a seat says whose context is full."""


class Seat:
    """One conversation of the policy as tokens.

    Args:
        renderer: Of the task's tools.
        episode: What is written to.
        said: Its messages; others see to it that they grow.
    """

    def __init__(self, renderer: Renderer, episode: Episode, said: Sequence[Message]) -> None:
        self._renderer, self._said = renderer, said
        self.episode = episode
        episode.rows.append(Row())
        self.row.give(renderer.opening(said))
        episode.seconds = {"policy": 0.0, "environment": 0.0}

    @property
    def row(self) -> Row:
        """The context that grows."""
        return self.episode.rows[-1]

    def read(self) -> None:
        """Read the last message; a new row begins if the template now shows the past differently."""
        renderer, row = self._renderer, self.row
        if not renderer.rewrites:
            row.give(renderer.between(row.ids[-1], self._said[-1]["content"]))
            return
        whole = renderer.opening(self._said)
        if whole[: len(row.ids)] == row.ids:
            row.give(whole[len(row.ids) :])
            return
        self.episode.rows.append(Row())
        self.row.give(whole)
        self.episode.rewritten += 1

    def write(self, completion: Completion) -> str:
        """Write down what was sampled; the text of it."""
        self.row.take(completion.ids, completion.logps, completion.versions)
        self.episode.overlong = self.episode.overlong or not completion.finished
        action = self._renderer.text(completion.ids)
        place = len(self.episode.rows) - 1, self.row.ends[-1]
        self.episode.turns.append(Turn(self._said[-1]["content"], action, 0.0, *place))
        return action

    def earn(self, reward: float) -> None:
        """Pay the last turn; what could not be judged is NaN, and pays nothing."""
        turn = self.episode.turns[-1]
        turn.reward = reward
        if reward == reward:
            self.episode.rows[turn.row].pay(reward)


class Table:
    """The conversations of one game, each begun when its seat is first asked.

    Args:
        renderer: Of the task's tools.
        task: What is played.
        group: Number of the group of games with the same task.
        system: A system message that opens every conversation.

    Attributes:
        alone: The policy has every seat.
    """

    def __init__(self, renderer: Renderer, task: Task, group: int, system: str | None = None) -> None:
        self.alone = self_play(task)
        self._task, self._renderer, self._group = task, renderer, group
        self._talk = Talk(task, system)
        self._seats: dict[int | None, Seat] = {}
        self.mover = self._sit()

    @property
    def episodes(self) -> list[Episode]:
        """One a conversation."""
        return [seat.episode for seat in self._seats.values()]

    def write(self, completion: Completion) -> str:
        """What the seat that is asked has sampled; the text of it."""
        action = self.mover.write(completion)
        self._talk.say(action)
        return action

    def hear(self, told: str, info: Mapping[str, Any]) -> None:
        """What the environment says, to the seat that it asks now."""
        self._talk.hear(told, info)
        if self._talk.at in self._seats:
            self.mover = self._seats[self._talk.at]
            self.mover.read()
        else:
            self.mover = self._sit()

    def _sit(self) -> Seat:
        task, at = self._task, self._talk.at
        episode = Episode(task.env_id, task.difficulty, task.key.to_json(), self._group, seat=at)
        self._seats[at] = Seat(self._renderer, episode, self._talk.messages)
        return self._seats[at]

    def fail(self, error: str) -> None:
        """Nothing is to be learned from this game."""
        for episode in self.episodes:
            episode.error = error

    def over(self, reward: float, truncated: bool, info: Mapping[str, Any]) -> None:
        """Write down how the game ended.

        Args:
            reward: Of the hub: what the policy is paid where it has one seat.
            truncated: It was cut.
            info: Of the last turn.
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
        whose = self._seats.get(0 if self.alone else None)  # with several seats the verdict is about the first
        if whose is not None:
            whose.episode.components = dict(verdict.get("components") or {})
            whose.episode.solved = None if self.alone else verdict.get("solved")

    def _pay_seats(self, payoffs: Sequence[float] | None, least: float | None) -> None:
        """To every seat its payoff, or in a game that ran out of turns the least there is."""
        if payoffs is None and least is None:
            self.fail("payoffs: the game ended without any")
            return
        for at, seat in self._seats.items():
            if at is not None and seat.episode.turns:
                seat.earn(float(payoffs[at] if payoffs is not None else least or 0.0))


async def play(player: Player, session: Session, table: Table, seed: Callable[[int], int]) -> None:
    """Play a game to its end and write down its tokens.

    Args:
        player: Who plays.
        session: The game at the hub, at its beginning.
        table: What is written to.
        seed: Of each turn's completion, counted over all seats.
    """
    for turn in count():
        began, seat = perf_counter(), table.mover
        if len(seat.row.ids) >= player.policy.context:
            await _give_up(session, table, player.policy.context)
            return
        completion = await player.policy.generate(seat.row.ids, player.sampling, seed(turn))
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
    """The end for a seat whose context is full."""
    seat, episode = table.mover, table.mover.episode
    if not episode.turns:  # nothing that the policy did
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
