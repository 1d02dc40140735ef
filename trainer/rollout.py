"""Episodes: one asyncio task each, never in lock-step, token in and token out.

:func:`play` is one episode, :meth:`Player.group` the episodes of one task, :class:`Rollouts` the groups that a step of
training takes.

How far sampling may run ahead is decided by *pacing*, not by throwing away: with a staleness of ``s`` a group begins
only while no more than ``(version + 1 + s) * groups`` have begun, and groups are taken in the order in which they
began, so no token that is learned from is older than ``s`` versions (AReaL, Fu et al. 2025, arXiv 2505.24298, section
5.1). ``s = 0`` is synchronous.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from time import perf_counter
from typing import Any, Final, TypeVar

import envhub
from envhub.types import Task
from trainer.episode import Episode, Row, Turn
from trainer.hub import Hub, Session
from trainer.policy import Policy, Sampling
from trainer.render import Renderer

T = TypeVar("T")
_GREEDY: Final = -1
"""The member number of a group's greedy episode."""


@dataclass(slots=True)
class Group:
    """The episodes of one task.

    Attributes:
        number: Which group of the run.
        task: What they play.
        episodes: Those that are learned from; some may have failed.
        greedy: One more, played greedily, if the algorithm compares with it.
    """

    number: int
    task: Task
    episodes: list[Episode]
    greedy: Episode | None = None

    @property
    def sound(self) -> list[Episode]:
        """The episodes that did not fail."""
        return [episode for episode in self.episodes if episode.error is None]

    @property
    def comparable(self) -> bool:
        """Whether enough of them did not fail to compare with each other, where there were several."""
        return len(self.sound) >= min(2, len(self.episodes))


def seed_of(*numbers: int) -> int:
    """A seed 0..2**63-1 from numbers; different numbers give unrelated seeds."""
    return int.from_bytes(blake2b(repr(numbers).encode(), digest_size=8).digest(), "little") >> 1


@dataclass(frozen=True, slots=True)
class Player:
    """What plays: a policy, a hub, and how a conversation becomes tokens.

    Attributes:
        policy: Samples.
        hub: Judges.
        tokenizer: Of the policy.
        sampling: How actions are sampled.
        system: A system message that opens every conversation.
        seed: Of the run; with a group's and a member's number it decides what is sampled.
        vary_chance: Give each member of a group its own luck instead of the same.
    """

    policy: Policy
    hub: Hub
    tokenizer: Any
    sampling: Sampling
    system: str | None = None
    seed: int = 0
    vary_chance: bool = False
    _renderers: dict[str, Renderer] = field(default_factory=dict)

    def renderer(self, task: Task) -> Renderer:
        """The renderer for a task's tools."""
        if task.env_id not in self._renderers:
            self._renderers[task.env_id] = Renderer(self.tokenizer, task.tools)
        return self._renderers[task.env_id]

    def greedily(self) -> Player:
        """The same player taking the likeliest tokens."""
        return replace(self, sampling=replace(self.sampling, temperature=0.0))

    async def group(self, number: int, task: Task, size: int, greedy: bool = False) -> Group:
        """Play a task ``size`` times, and once greedily if asked for.

        Raises:
            PolicyError: The policy cannot sample.
        """
        members = [*range(size), *([_GREEDY] if greedy else [])]
        try:
            sessions = await self.hub.begin(
                task, [member if self.vary_chance and member > 0 else 0 for member in members]
            )
        except envhub.EnvhubError as error:
            failed = [self._episode(number, task, f"{type(error).__name__}: {error}") for _ in members]
            return Group(number, task, failed[:size], failed[-1] if greedy else None)
        episodes = await gather_or_cancel(
            [self._play(session, number, task, member) for member, session in zip(members, sessions, strict=True)]
        )
        return Group(number, task, episodes[:size], episodes[-1] if greedy else None)

    def _episode(self, number: int, task: Task, error: str | None = None) -> Episode:
        return Episode(task.env_id, task.difficulty, task.key.to_json(), number, error=error)

    async def _play(self, session: Session, number: int, task: Task, member: int) -> Episode:
        player = self.greedily() if member == _GREEDY else self
        episode = self._episode(number, task)
        try:
            await play(player, session, task, episode, lambda turn: seed_of(self.seed, number, member, turn))
        except BaseException as error:
            with suppress(envhub.EnvhubError):
                await session.close()  # nobody goes on with it
            if not isinstance(error, envhub.EnvhubError):
                raise
            episode.error = f"{type(error).__name__}: {error}"  # the hub is out of reach or refuses
        return episode


async def play(player: Player, session: Session, task: Task, episode: Episode, seed: Callable[[int], int]) -> None:
    """Play an episode to its end and write down its tokens.

    Args:
        player: Who plays.
        session: The episode at the hub, at its beginning.
        task: What is played.
        episode: What is written to.
        seed: Of each turn's completion.
    """
    renderer = player.renderer(task)
    system = [{"role": "system", "content": player.system}] if player.system else []
    said: list[dict[str, str]] = [*system, {"role": "user", "content": task.prompt}]
    row = Row()
    row.give(renderer.opening(said))
    episode.rows.append(row)
    observation, over = task.prompt, False
    spent = episode.seconds = {"policy": 0.0, "environment": 0.0}
    while not over:
        began = perf_counter()
        if len(row.ids) >= player.policy.context:
            await session.close()
            if not episode.turns:  # nothing that the policy did
                episode.error = f"context: the task's prompt has {len(row.ids)} tokens of {player.policy.context}"
                return
            episode.overlong = episode.truncated = True
            episode.solved = False
            row.cut()
            return
        completion = await player.policy.generate(row.ids, player.sampling, seed(len(episode.turns)))
        row.take(completion.ids, completion.logps, completion.versions)
        action = renderer.text(completion.ids)
        episode.overlong = episode.overlong or not completion.finished
        sampled = perf_counter()
        told, reward, terminated, truncated, info = await session.step(action)
        spent["policy"] += sampled - began
        spent["environment"] += perf_counter() - sampled
        episode.turns.append(Turn(observation, action, reward, len(episode.rows) - 1, row.ends[-1]))
        over = terminated or truncated
        if "error" in info:
            episode.error = f"{info['error']['code']}: {info['error']['reason']}"
        else:
            row.pay(reward)
        if over:
            verdict = info.get("verdict") or {}
            episode.solved, episode.components = verdict.get("solved"), dict(verdict.get("components") or {})
            episode.truncated = episode.truncated or truncated
        else:
            said += [{"role": "assistant", "content": action}, {"role": "user", "content": told}]
            row = _go_on(renderer, episode, row, said, told)
        observation = told


def _go_on(renderer: Renderer, episode: Episode, row: Row, said: list[dict[str, str]], told: str) -> Row:
    """The row with what the environment answered; a new one if the template now shows the past differently."""
    if not renderer.rewrites:
        row.give(renderer.between(row.ids[-1], told))
        return row
    whole = renderer.opening(said)
    if whole[: len(row.ids)] == row.ids:
        row.give(whole[len(row.ids) :])
        return row
    fresh = Row()
    fresh.give(whole)
    episode.rows.append(fresh)
    episode.rewritten += 1
    return fresh


async def gather_or_cancel(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What the coroutines return; when one fails the others are cancelled first, so that nothing is left running."""
    running = [asyncio.ensure_future(each) for each in coroutines]
    try:
        return await asyncio.gather(*running)
    except BaseException:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        raise


class Rollouts:
    """The groups that training takes, step by step.

    Args:
        player: Who plays.
        stream: What is played: an iterator of tasks.
        groups: How many a step takes.
        size: Episodes a group.
        staleness: How many versions sampling may run ahead; 0 is synchronous.
        greedy: Play one greedy episode a group as well.
        begun: Number of the first group.
        step: Steps of training that were done before.
    """

    def __init__(
        self,
        player: Player,
        stream: envhub.TaskStream,
        *,
        groups: int,
        size: int,
        staleness: int = 0,
        greedy: bool = False,
        begun: int = 0,
        step: int = 0,
    ) -> None:
        self._player = player
        self._stream = stream
        self._groups, self._size, self._greedy = groups, size, greedy
        self._staleness = staleness
        self._running: deque[asyncio.Task[Group]] = deque()
        self.begun = begun
        """How many groups have begun in the whole run; the next one's number."""
        self.replaced = 0
        """How many groups were not worth learning from and were replaced."""
        self._due = step * groups  # groups that steps have taken or will take

    def proceed(self, step: int) -> None:
        """Begin what pacing allows when ``step`` steps of training are done."""
        while self._due < (step + 1 + self._staleness) * self._groups:
            self._begin()
            self._due += 1

    def _begin(self) -> None:
        task = next(self._stream)
        self._running.append(asyncio.create_task(self._player.group(self.begun, task, self._size, self._greedy)))
        self.begun += 1

    async def take(self, wanted: Callable[[Group], bool] | None = None, refills: int = 0) -> list[Group]:
        """The groups of the next step, in the order in which they began; :meth:`proceed` must have begun them.

        Args:
            wanted: Whether a group is worth learning from (DAPO's dynamic sampling); others are replaced.
            refills: At most so many replacements; then whatever comes is taken.

        Raises:
            PolicyError: The policy cannot sample.
        """
        taken: list[Group] = []
        while len(taken) < self._groups:
            group = await self._running[0]
            self._running.popleft()
            for episode in group.episodes:
                self._stream.report(group.task, episode.solved)
            if refills and wanted is not None and not wanted(group):
                refills -= 1
                self.replaced += 1
                self._begin()
            else:
                taken.append(group)
        return taken

    async def close(self) -> None:
        """Stop what is running."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._running.clear()
