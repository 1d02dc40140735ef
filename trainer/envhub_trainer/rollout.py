"""Rollouts: each episode is an independent asyncio task.

:meth:`Player.groups` plays the episodes of one task (each by :func:`envhub_trainer.playing.play`), :class:`Rollouts` provides
the groups of each training step.

*Pacing*, not discarding, limits how far sampling runs ahead: with a staleness of ``s`` a group starts only while no more than
``(version + 1 + s) * groups`` have started, so no training token is older than ``s`` versions (AReaL, Fu et al. 2025, arXiv
2505.24298, section 5.1). ``s = 0`` is synchronous.

With ``s > 0`` a step takes the groups that finish first, so that one slow group does not delay it. This prefers short episodes,
within a bound: a group may be overtaken only while it and all others can still be taken within ``s`` versions of their start,
and each is trained on exactly once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Protocol

import envhub
from envhub.core.types import Task
from envhub_trainer.algorithms.forks import Forks
from envhub_trainer.config import PLAIN, ChatConfig
from envhub_trainer.conversations import self_play
from envhub_trainer.episode import Branch, Episode
from envhub_trainer.forking import Trail
from envhub_trainer.gathering import gather_or_cancel
from envhub_trainer.group import Group
from envhub_trainer.guidance import Guide
from envhub_trainer.hub import Hub, Session, environment_of, pictures_of, turn_limit
from envhub_trainer.league import League
from envhub_trainer.playing import Table, attempt
from envhub_trainer.policy import Completion, Sampler, Sampling
from envhub_trainer.policy.prefixed import Prefixed
from envhub_trainer.render import Renderer, Renderers

if TYPE_CHECKING:
    from envhub_trainer.replay import Replay

_ATTEMPTS: Final = 3
"""How often a task is played of which no episode can be judged."""
_GREEDY, _SHOWN = -1, -2
"""The member numbers of a group's greedy episode and of its demonstration."""


def seed_of(*numbers: int) -> int:
    """A seed 0..2**63-1 from numbers; different numbers give unrelated seeds."""
    return int.from_bytes(blake2b(repr(numbers).encode(), digest_size=8).digest(), "little") >> 1


@dataclass(frozen=True, slots=True)
class Player:
    """Plays episodes with a policy, a hub and a tokenizer.

    Attributes:
        policy: Samples the actions.
        hub: Runs and judges the episodes.
        tokenizer: The policy's tokenizer.
        sampling: Sampling settings.
        system: System message of every conversation.
        seed: Seed of the run; with the numbers of group and member it determines the samples.
        vary_turn_seed: Give each member of a group its own turn seed instead of a shared one.
        chat: How the chat template is used.
        forks: Continue each episode from some of its states; None does not. Not in self-play.
        guide: Provides demonstrations and hints; None has none.
        league: Provides opponents for self-play; None has none.
    """

    policy: Sampler
    hub: Hub
    tokenizer: Any
    sampling: Sampling
    system: str | None = None
    seed: int = 0
    vary_turn_seed: bool = False
    chat: ChatConfig = PLAIN
    forks: Forks | None = None
    guide: Guide | None = None
    league: League | None = None
    _renderers: Renderers = field(default=None)  # type: ignore[assignment]  # shared by changed copies

    def __post_init__(self) -> None:
        if self._renderers is None:
            object.__setattr__(self, "_renderers", Renderers(self.tokenizer, self.chat))

    def renderer(self, task: Task) -> Renderer:
        """The renderer for a task's tools; TemplateError from an unsuitable template."""
        return self._renderers.of(task)

    def greedily(self) -> Player:
        """The same player with greedy sampling."""
        return replace(self, sampling=replace(self.sampling, temperature=0.0))

    async def groups(self, number: int, task: Task, size: int, greedy: bool = False) -> list[Group]:
        """Play a task ``size`` times, and once greedily if requested.

        Returns:
            One group; in self-play, one for each seat that has moved.

        Raises:
            PolicyError: The policy cannot sample.
            TemplateError: The chat template is not suitable.
        """
        renderer = self.renderer(task)
        budget = min(self.sampling.max_tokens * turn_limit(task), self.policy.context)
        joined = self.guide is not None and self.guide.join
        members = [*range(size), *([_SHOWN] if joined else []), *([_GREEDY] if greedy else [])]
        seeds = [member if self.vary_turn_seed and member > 0 else 0 for member in members]
        opponent = self.league.opponent(number) if self.league is not None and self_play(task) else None
        hint: Sequence[Completion] = ()
        try:
            shown, hint = self.guide.actions(task, number, renderer) if self.guide is not None else ([], [])
            sessions = await self.hub.begin(task, seeds)
        except envhub.EnvhubError as error:
            told = f"{type(error).__name__}: {error}"
            failed = [Episode(task.env_id, task.difficulty, task.key.to_json(), number, error=told) for _ in members]
            games = [_Game(member, [episode]) for member, episode in zip(members, failed, strict=True)]
        else:
            images = pictures_of(sessions[0])
            tables = [Table(renderer, task, number, self.system, budget, images) for _ in members]
            if opponent is not None:
                for member, table in zip(members, tables, strict=True):
                    table.opponent, table.own = opponent, member % environment_of(task).seats
            games = await gather_or_cancel(
                [
                    self._play(session, table, number, member, shown if member == _SHOWN else hint)
                    for member, session, table in zip(members, sessions, tables, strict=True)
                ]
            )
        groups = _by_seat(number, task, games, tree=self.forks is not None and self.forks.tree)
        for group in groups:
            group.hinted, group.frozen = bool(hint), opponent is not None
        return groups

    async def _play(
        self, session: Session, table: Table, number: int, member: int, given: Sequence[Completion]
    ) -> _Game:
        """Play one game, whose first actions may be given, and its continuations."""
        player = self.greedily() if member == _GREEDY else self
        if given:
            player = replace(player, policy=Prefixed(self.policy, given))
        trail = Trail() if self.forks is not None and member >= 0 else None

        def seed(*place: int) -> int:
            return seed_of(self.seed, number, member, *place)

        if trail is None or self.forks is None:
            await attempt(player, session, table, seed)
            return _Game(member, table.episodes)
        try:
            await attempt(player, session, table, seed, trail.visit)
            [episode] = table.episodes
            return _Game(member, [episode], await trail.branches(self, self.forks, member, episode, seed))
        finally:
            await trail.close()


@dataclass(frozen=True, slots=True)
class _Game:
    """One game: its episodes, one per seat, and its continuations."""

    member: int
    episodes: list[Episode]
    branches: Sequence[Branch] = ()


def _by_seat(number: int, task: Task, games: Sequence[_Game], tree: bool) -> list[Group]:
    """The groups of a task's games, one per seat, compared among themselves."""

    def of(seat: int | None, wanted: Callable[[int], bool]) -> list[Episode]:
        return [each for game in games if wanted(game.member) for each in game.episodes if each.seat == seat]

    branches = [branch for game in games for branch in game.branches]
    groups = []
    for seat in sorted({each.seat for game in games for each in game.episodes}, key=lambda seat: seat or 0):
        greedy = next(iter(of(seat, _GREEDY.__eq__)), None)
        added = [episode for episode in of(seat, _SHOWN.__eq__) if not episode.overlong]
        added += [branch.episode for branch in branches if tree]
        groups.append(Group(number, task, of(seat, lambda member: member >= 0), greedy, branches, added))
    return groups


@dataclass(frozen=True, slots=True)
class _Begun:
    """A group being played.

    Attributes:
        number: Its number.
        task: Its task.
        latest: The last training step that may take it within the staleness.
        playing: Its episodes; finished or not.
    """

    number: int
    task: Task
    latest: int
    playing: asyncio.Task[list[Group]]


NEW: Final[Mapping[str, Any]] = {"begun": 0, "pending": [], "replay": []}
"""The state of the rollouts of a new run."""


async def _as_they_are(groups: Sequence[Group]) -> None:
    """Keep the rewards of the hub."""


class Tasks(Protocol):
    """The training tasks: a stream, or a pool."""

    def __next__(self) -> Task:
        """The next task."""

    def report(self, task: Task, solved: bool | None) -> None:
        """Record a result."""

    def state_dict(self) -> dict[str, Any]:
        """The position, as JSON values."""

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from :meth:`state_dict`."""


class Rollouts:
    """Provides the groups of each training step.

    Args:
        player: Plays the groups.
        stream: Iterator over tasks.
        groups: Number of groups per step.
        size: Episodes per group.
        staleness: Number of versions by which sampling may run ahead; 0 is synchronous.
        greedy: Also play one greedy episode per group.
        stage: Returns the player of a step; by default always the same.
        replay: Adds earlier successes to the groups of repeated tasks; None adds none.
        score: Replaces the rewards of a task's finished groups; by default they keep the hub's.
        step: Number of training steps completed before.
        state: What :meth:`state_dict` returned after that step.
    """

    def __init__(
        self,
        player: Player,
        stream: Tasks,
        *,
        groups: int,
        size: int,
        staleness: int = 0,
        greedy: bool = False,
        stage: Callable[[Player, int], Player] = lambda player, step: player,
        replay: Replay | None = None,
        score: Callable[[Sequence[Group]], Awaitable[None]] | None = None,
        step: int = 0,
        state: Mapping[str, Any] = NEW,
    ) -> None:
        self._player = player
        self._stream = stream
        self._groups, self._size, self._greedy = groups, size, greedy
        self._staleness = staleness
        self._score = score or _as_they_are
        self._stage, self._replay = stage, replay
        if replay is not None:
            replay.load_state_dict(state["replay"])
        self._running: list[_Begun] = []  # in starting order
        self._pending = [(each["number"], Task.from_json(each["task"])) for each in state["pending"]]
        self.begun: int = state["begun"]
        """Number of groups started in the whole run; also the next group's number."""
        self.replaced = 0
        """Number of groups rejected by the algorithm and replaced."""
        self.overtaking = 0
        """Number of groups that were taken before one that had started earlier."""
        self._step = step
        self._due = step * groups + len(self._pending)  # number of groups that steps have taken or will take

    def state_dict(self) -> dict[str, Any]:
        """Started groups that no step has taken yet, to be played again."""
        pending = [*self._pending, *((each.number, each.task) for each in self._running)]
        return {
            "begun": self.begun,
            "pending": [{"number": number, "task": task.to_json()} for number, task in pending],
            "replay": self._replay.state_dict() if self._replay is not None else [],
        }

    def proceed(self, step: int) -> None:
        """Start the groups that pacing allows after ``step`` training steps."""
        self._step = step
        for number, task in self._pending:
            self._play(number, task)
        self._pending.clear()
        while self._due < (step + 1 + self._staleness) * self._groups:
            self._begin()
            self._due += 1

    def _begin(self) -> None:
        self._play(self.begun, next(self._stream))
        self.begun += 1

    def _play(self, number: int, task: Task) -> None:
        playing = asyncio.create_task(self._groups_of(self._stage(self._player, self._step), number, task))
        self._running.append(_Begun(number, task, self._step + self._staleness, playing))

    async def _groups_of(self, player: Player, number: int, task: Task) -> list[Group]:
        """Play a task, again if no episode could be played."""
        for _ in range(_ATTEMPTS):
            found = await player.groups(number, task, self._size, self._greedy)
            if any(group.sound for group in found):
                break
        await self._score(found)
        if self._replay is not None:
            for group in found:
                group.added += self._replay.of(task, number)
        return found

    async def take(self, wanted: Callable[[Group], bool] | None = None, refills: int = 0) -> list[Group]:
        """Return the groups of the next step.

        Call :meth:`proceed` first.

        Args:
            wanted: Whether to keep a group (DAPO's dynamic sampling); others are replaced, in self-play if all seats' groups
                are rejected.
            refills: Maximum number of replacements; after that every group is accepted.

        Raises:
            PolicyError: The policy cannot sample.
        """
        taken: list[list[Group]] = []
        while len(taken) < self._groups:
            found = await self._next(self._groups - len(taken))
            for group in found:
                self._report(group)
            if refills and wanted is not None and not any(map(wanted, found)):
                refills -= 1
                self.replaced += 1
                self._begin()
            else:
                taken.append(found)
        return [group for found in taken for group in found]

    def _report(self, group: Group) -> None:
        """Report the policy's own attempts."""
        if group.hinted:
            return
        for episode in group.episodes:
            self._stream.report(group.task, episode.solved)
        if self._replay is not None:
            self._replay.note(group)

    async def _next(self, places: int) -> list[Group]:
        """Wait for the next group of a step with open places."""
        while True:
            for each in self._running:
                if each.playing.done() and self._may_go(each, places):
                    self.overtaking += each is not self._running[0]
                    found = each.playing.result()
                    self._running.remove(each)
                    return found
            playing = [each.playing for each in self._running if not each.playing.done()]
            await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)

    def _may_go(self, group: _Begun, places: int) -> bool:
        """Whether the other groups stay in time if this is next."""
        if group is self._running[0] or not self._staleness:
            return group is self._running[0]
        others = (each for each in self._running if each is not group)
        late = self._groups - (places - 1)  # the first of the others would be taken now, or in the next step
        return all(each.latest >= self._step + (at + late) // self._groups for at, each in enumerate(others))

    async def close(self) -> None:
        """Cancel running groups."""
        for each in self._running:
            each.playing.cancel()
        await asyncio.gather(*(each.playing for each in self._running), return_exceptions=True)
        self._running.clear()
