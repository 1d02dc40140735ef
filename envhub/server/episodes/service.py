"""Episodes of the server.

Create, step, fork, get and delete, each exactly once. A client chooses episode ids and names the turn it takes. A
repeated request is answered from the journal; a different request for the same id or turn raises :class:`Conflict`. One
turn of an episode is taken at a time; different episodes do not wait for each other.

The copy in memory may be outdated, because other workers take turns too. A turn is taken from the copy and offered to the
journal without asking first; if another worker took that turn, its record is the answer and the copy is dropped. If a turn
performs effects, which cannot be undone, the journal is asked first. If a journal lost answered turns and other turns were
taken since, their digests differ; the client gets a conflict, and the record counts.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from envhub.core.errors import Conflict
from envhub.core.types import JSON
from envhub.episodes.record import admitted
from envhub.registry.registry import load, spec
from envhub.scenes import Scene
from envhub.scenes.picture import Pictures
from envhub.server.episodes.copies import EpisodeCopies
from envhub.server.episodes.folding import fold
from envhub.server.episodes.memory import CachedEpisode, EpisodeCache
from envhub.server.episodes.new_episodes import NewEpisodes
from envhub.server.episodes.prefill import Prefill
from envhub.server.episodes.prefill_queue import TaskKind
from envhub.server.episodes.quick_turns import Answered, QuickTurns
from envhub.server.episodes.representation import key_json, opening_json, recorded_answer, with_id
from envhub.server.episodes.scheduling import Scheduler
from envhub.server.http.limits import Permissions
from envhub.server.journal import Header, Journal, StoredEpisode
from envhub.server.journal.records import owner_of, too_many_open, unknown_episode

IDLE_S: Final = 300.0
"""Folding takes less than a millisecond, so episodes leave memory long before their records expire."""


class Episodes:
    """The episodes of one worker.

    Args:
        journal: The journal.
        max_live: Maximum number of episodes kept in memory.
        prefill: Draws tasks of slow environments ahead; by default none are.
        allowed: The files and opponents that clients may name.
        idle_s: Seconds after which an idle episode leaves memory, if it can be restored.
        scheduler: Where tasks are drawn.
        clock: Current time in seconds since the epoch, for the records.
        timer: A monotonic clock in seconds, for durations.

    Attributes:
        journal: The journal.
    """

    def __init__(
        self,
        journal: Journal,
        max_live: int,
        prefill: Prefill | None = None,
        allowed: Permissions = Permissions(),  # noqa: B008 (a value)
        *,
        idle_s: float = IDLE_S,
        scheduler: Scheduler | None = None,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._scheduler = Scheduler(2, 512) if scheduler is None else scheduler
        self.journal = journal
        self._clock = clock
        self._timer = timer
        self._new = NewEpisodes(self._scheduler, Prefill(0) if prefill is None else prefill, allowed)
        self._cache = EpisodeCache(max_live, idle_s, timer)
        self._copies = EpisodeCopies(self._cache, journal)
        self._quick = QuickTurns(self._cache, journal, clock, timer)

    def __len__(self) -> int:
        return len(self.journal)

    async def create(
        self,
        *,
        request: JSON,
        episode_id: str | None,
        env_id: str,
        difficulty: Any,
        split: str,
        seed: int | None,
        params: Mapping[str, JSON],
        options: Mapping[str, JSON],
        turn_seed: int,
        max_open: int | None = None,
    ) -> JSON:
        """Create an episode. Repeating the request gives the first answer again.

        Raises:
            Conflict: A different request created an episode with this id.
            EnvhubError: As :func:`envhub.make` and ``reset``.
        """
        await self._copies.sweep()
        kind = TaskKind(env_id, difficulty, split, params)
        # a quick task is drawn first: the journal reports on create whether the id was taken
        ask_first = episode_id is not None and self._new.may_be_slow(kind)
        stored = await self.journal.load(episode_id) if episode_id and ask_first else None
        episode_id = episode_id or secrets.token_hex(16)
        if stored is None:
            if ask_first:
                await self._check_open(episode_id, max_open)
            # drawing may take long and has no side effects, so it happens before the id is taken
            episode = await self._new.begin(kind, seed, options, turn_seed)
            header = Header(
                episode_id,
                request,
                key_json(episode.task),
                dict(options),
                first_turn_seed=turn_seed,
                turn_seed=turn_seed,
                at=self._clock(),
            )
            stored = await self.journal.create(header, [], max_open)
            if stored is None:
                self._cache.add(header, episode)
                return opening_json(header, episode)
        return await self._opening_again(stored, request)

    async def step(self, episode_id: str, turn: int | None, action: str) -> JSON:
        """Take turn number ``turn`` (from 0), or repeat its recorded answer.

        Args:
            episode_id: Id of the episode.
            turn: Number of turns taken before. None means the next turn; a repeat is then another turn.
            action: The message of the policy.

        Raises:
            UnknownEpisode: There is no such episode.
            Conflict: The turn was taken with another action, or is not the next.
            EpisodeOver: The episode has ended.
            InvalidAction: The action is not a string.
            JournalUnavailable: The turn could not be recorded, and was not taken.
        """
        async with self._cache.lock(episode_id) as entry:
            while True:
                held = entry.cached
                if held is None or not await self._is_next(held, turn):
                    stored = await self._copies.load(episode_id)
                    action = admitted(action, load(spec(stored.header.task["env_id"])).max_action_chars)
                    if held is not None:
                        self._cache.check_history(held, stored)
                    if turn is not None and turn < len(stored.entries):
                        return with_id(episode_id, recorded_answer(stored, turn, action))
                    if turn is not None and turn > len(stored.entries):
                        if held is not None and len(held.digests) > len(stored.entries):
                            self._cache.drop(episode_id)  # the record has lost turns: our copy is wrong
                        raise Conflict(f"The next turn of {episode_id!r} is {len(stored.entries)}, not {turn}.")
                    held = await self._copies.folded(stored)
                answer, stands = await self._take(held, action)
                if stands is None:
                    return with_id(episode_id, answer)
                self._cache.drop(episode_id)  # another worker was first: our copy is outdated
                self._cache.check_history(held, stands)
                if turn is not None and turn < len(stands.entries):
                    action = admitted(action, held.episode.environment.max_action_chars)
                    return with_id(episode_id, recorded_answer(stands, turn, action))
                # deleted and created again elsewhere: retry on the new episode

    def step_now(self, episode_id: str, turn: int, action: str, answered: Answered) -> bool:
        """:meth:`step` without a coroutine, where only the journal is waited for.

        See :meth:`envhub.server.episodes.quick_turns.QuickTurns.take`.
        """
        return self._quick.take(episode_id, turn, action, answered)

    async def _is_next(self, held: CachedEpisode, turn: int | None) -> bool:
        """Whether the copy in memory can take a turn without a load."""
        episode = held.episode
        if turn not in (None, len(episode.turns)) or episode.over:
            return False
        return (
            not episode.environment.acts_outside(episode.instance)
            or await self.journal.position(held.header) == held.position
        )

    async def _take(self, held: CachedEpisode, action: str) -> tuple[JSON, StoredEpisode | None]:
        """Take and record the next turn.

        Returns its answer, and the stored episode if it was not the next turn.
        """
        episode, header, turn = held.episode, held.header, len(held.episode.turns)
        begun = self._timer()
        taken = await episode.astep(action)
        took_s = self._timer() - begun
        try:
            entry = held.entry(taken, self._clock(), took_s)
            stands = await self.journal.append(header, turn, entry)
        except BaseException:  # unknown whether it was recorded: our copy may be wrong
            self._cache.drop(header.episode_id)
            raise
        if stands is None:
            held.digests.append(entry.digest)
        return entry.answer, stands

    async def fork(
        self,
        episode_id: str,
        *,
        request: JSON,
        new_id: str | None,
        turn: int | None,
        turn_seed: int | None,
        max_open: int | None = None,
    ) -> JSON:
        """Create an episode with the first ``turn`` turns of another.

        All by default.

        Raises:
            UnknownEpisode: There is no such episode.
            Conflict: The new id is taken by a different request, or the episode has fewer turns.
            ForkRefused: A live resource can be neither replayed nor copied.
        """
        await self._copies.sweep()
        stored = await self.journal.load(new_id) if new_id else None
        new_id = new_id or secrets.token_hex(16)
        if stored is None:
            async with self._cache.lock(episode_id):
                source = await self._copies.load(episode_id)
                taken = len(source.entries) if turn is None else turn
                if not 0 <= taken <= len(source.entries):
                    raise Conflict(f"{episode_id!r} has {len(source.entries)} turns; it cannot be forked at {taken}.")
                past = source.entries[:taken]
                if taken == len(source.entries):
                    base = (await self._copies.folded(source)).episode
                else:
                    base = await asyncio.to_thread(fold, StoredEpisode(source.header, past))
                twin = base.fork(source.header.turn_seed if turn_seed is None else turn_seed)
            header = Header(
                new_id,
                request,
                source.header.task,
                source.header.options,
                first_turn_seed=source.header.first_turn_seed,
                turn_seed=twin.turn_seed,
                inherited=taken,
                at=self._clock(),
            )
            stored = await self.journal.create(header, list(past), max_open)
            if stored is None:
                self._cache.add(header, twin, [entry.digest for entry in past])
                return opening_json(header, twin)
        return await self._opening_again(stored, request)

    async def get(self, episode_id: str) -> JSON:
        """The whole episode: task, messages, answers and snapshot, without the answer key.

        Raises:
            UnknownEpisode: There is no such episode.
        """
        async with self._cache.lock(episode_id):
            stored = await self._copies.load(episode_id)
            episode = (await self._copies.folded(stored)).episode
            return {
                "episode_id": episode_id,
                "turn": len(stored.entries),
                "over": episode.over,
                "task": episode.task.to_json(),
                "messages": episode.messages(stored.header.options.get("system")),
                "steps": [with_id(episode_id, entry.answer) for entry in stored.entries],
                "snapshot": episode.snapshot(),
            }

    async def delete(self, episode_id: str) -> None:
        """Delete an episode and close its resources.

        Raises:
            UnknownEpisode: There is no such episode.
        """
        async with self._cache.lock(episode_id):
            self._cache.drop(episode_id)
            if not await self.journal.delete(episode_id):
                raise unknown_episode(episode_id)

    async def release_id(self, episode_id: str) -> None:
        """Free an id.

        Delete its episode, or move a finished one to an id of its own. Does nothing without an episode. After a
        failure, repeating it completes the work.
        """
        async with self._cache.lock(episode_id):
            stored = await self.journal.load(episode_id)
            if stored is None:
                return
            if stored.entries and stored.entries[-1].over:
                header = replace(stored.header, episode_id=f"{episode_id}.{stored.header.incarnation}")
                await self.journal.create(header, list(stored.entries))
            self._cache.drop(episode_id)
            await self.journal.delete(episode_id)

    async def sweep(self) -> None:
        """Delete idle episodes from the journal and evict them from memory."""
        await self._copies.sweep()

    async def _check_open(self, episode_id: str, max_open: int | None) -> None:
        """Reject early at the owner's limit, before drawing a slow task."""
        if max_open is not None and await self.journal.count_open(owner_of(episode_id)) >= max_open:
            raise too_many_open(max_open)

    def close(self) -> None:
        """Close the resources of cached episodes and stop drawing ahead."""
        self._new.close()
        self._cache.close()

    async def _opening_again(self, stored: StoredEpisode, request: JSON) -> JSON:
        """The answer to a repeated request.

        Waits for a turn in progress, so as not to miss its record.
        """
        episode_id, incarnation = stored.header.episode_id, stored.header.incarnation
        if stored.header.request != request:
            raise Conflict(f"The episode id {episode_id!r} is taken by another request; choose a new one.")
        async with self._cache.lock(episode_id):
            stored = await self._copies.load(episode_id)
            if stored.header.incarnation != incarnation and stored.header.request != request:
                raise Conflict(f"The episode id {episode_id!r} is taken by another request; choose a new one.")
            return opening_json(stored.header, (await self._copies.folded(stored)).episode)

    async def scene(self, episode_id: str) -> Scene | None:
        """An episode's latest state as a scene; None without a picture.

        Raises:
            UnknownEpisode: There is no such episode.
        """
        async with self._cache.lock(episode_id):
            return (await self._copies.folded(await self._copies.load(episode_id))).episode.scene()

    async def oracle(self, episode_id: str) -> str:
        """The oracle's next action in an episode.

        Raises:
            UnknownEpisode: There is no such episode.
            EpisodeOver: It has ended.
        """
        async with self._cache.lock(episode_id):
            episode = (await self._copies.folded(await self._copies.load(episode_id))).episode
            return await self._scheduler.run(episode.task.env_id, "oracle", episode.oracle, blocks=True)

    async def pictures(self, episode_id: str, turn: int) -> Pictures:
        """The pictures of the observation after a number of turns.

        They are not drawn yet.

        Raises:
            UnknownEpisode: There is no such episode.
            InvalidParameters: The episode has fewer turns.
        """
        async with self._cache.lock(episode_id):
            return (await self._copies.folded(await self._copies.load(episode_id))).episode.pictures(turn)
