"""Continues a finished game from some of its earlier states.

A continuation starts from a fork of the hub's episode at the start of a turn. If the state is within an action, its first
tokens are those that were sampled there, with their log-probabilities.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

import envhub
from envhub_trainer.algorithms.forks import Forks
from envhub_trainer.episode import Branch, Episode
from envhub_trainer.gathering import gather_or_cancel
from envhub_trainer.hub import Session
from envhub_trainer.playing import Table, attempt
from envhub_trainer.policy import Completion
from envhub_trainer.policy.prefixed import Prefixed

if TYPE_CHECKING:
    from envhub_trainer.rollout import Player


class Trail:
    """Forks of a game, one at the start of each turn."""

    def __init__(self) -> None:
        self._turns: list[tuple[Session, Table]] = []

    async def visit(self, session: Session, table: Table) -> None:
        """Keep a fork of the game."""
        self._turns.append((await session.fork(), table.copy()))

    async def branches(
        self, player: Player, forks: Forks, of: int, episode: Episode, seed: Callable[[int, int, int], int]
    ) -> list[Branch]:
        """Play the continuations of the game's episode.

        Args:
            player: The player.
            forks: Chooses the states.
            of: Index of the episode in its group.
            episode: The finished episode.
            seed: Seed of a completion, from the state, the number of the continuation and the turn. Turn -1 is the seed of the
                environment's turns.

        Raises:
            PolicyError: The policy cannot sample.
        """
        states = [] if episode.error is not None else forks.choose(episode)
        return await gather_or_cancel(
            [
                self._branch(player, of, episode, state, partial(seed, state, number))
                for state in states
                for number in range(forks.continuations)
            ]
        )

    async def close(self) -> None:
        """Close the forks."""
        for session, _ in self._turns:
            with suppress(envhub.EnvhubError):
                await session.close()
        self._turns.clear()

    async def _branch(
        self, player: Player, of: int, episode: Episode, state: int, seed: Callable[[int], int]
    ) -> Branch:
        ends = list(accumulate(episode.lengths))
        turn = bisect_right(ends, state)
        begun = _action(episode, turn, state - (ends[turn - 1] if turn else 0))
        kept, table = self._turns[turn][0], self._turns[turn][1].copy()
        following = replace(player, policy=Prefixed(player.policy, [begun] if begun.ids else []))
        try:
            session = await kept.fork(seed(-1) if player.vary_turn_seed else None)
        except envhub.EnvhubError as error:
            table.fail(f"{type(error).__name__}: {error}")
        else:
            await attempt(following, session, table, seed)
        return Branch(of, state, table.episodes[0])


def _action(episode: Episode, number: int, length: int) -> Completion:
    """The first tokens of a turn's action, as sampled."""
    turn = episode.turns[number]
    row = episode.rows[turn.row]
    end = turn.end - episode.lengths[number] + 1 + length
    part = slice(end - length, end)
    return Completion(row.ids[part], row.logps[part], row.versions[part], finished=False)
