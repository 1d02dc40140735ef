"""Episodes behind the routes: create, step, fork, get, delete; exactly once.

A client chooses episode ids and names the turn it takes. A repeated request is answered from the journal, another request
for the same id or turn is a :class:`Conflict`. One turn of an episode is taken at a time; different episodes do not wait for
each other.

What is in memory is a copy that may be outdated: other workers take turns too. So a turn is taken from the copy and offered to
the journal, which is asked nothing beforehand; if it was another's turn, its record is the answer and the copy is dropped. Only
where a turn performs effects is the journal asked first, for those cannot be taken back. That a journal has lost turns which
were answered here, and has gone on otherwise, is noticed by their marks; whoever plays is told so, and then it is the truth.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from envhub.core.errors import Conflict
from envhub.core.seeding import MAX_SEED
from envhub.core.types import JSON
from envhub.episodes.episode import Episode, admitted
from envhub.registry.registry import load, spec
from envhub.server.episodes.folding import fold
from envhub.server.episodes.memory import Fold, Live
from envhub.server.episodes.prefill import Prefill, Wanted
from envhub.server.episodes.representation import answer_to, key_json, opening, repeated, with_id
from envhub.server.episodes.scheduling import Work
from envhub.server.http.limits import Permissions
from envhub.server.journal import Entry, Header, Journal, Stored
from envhub.server.journal.records import gone, owner_of, too_many_open
from envhub.tasks.sampling import Drawn, TaskSource
from envhub.tasks.sources import prepare

IDLE_S: Final = 300.0
"""Folding an episode again takes less than a millisecond, so it leaves memory long before it is forgotten."""
_LOOKS: Final = 16
"""So many of the idle are looked up in a sweep."""


class Episodes:
    """The episodes of one worker.

    Args:
        journal: Where they are recorded.
        max_live: How many stay folded in memory.
        prefill: How many tasks of a slow kind are drawn ahead.
        allowed: What a client may name of this machine and others.
        idle_s: Seconds after which what is not used leaves memory, if it can come back.
        work: Where tasks are drawn.
        clock: Seconds of the epoch, for the records.
        timer: Seconds that only grow, for how long things take.

    Attributes:
        journal: Where they are recorded.
    """

    def __init__(
        self,
        journal: Journal,
        max_live: int,
        prefill: int = 0,
        allowed: Permissions = Permissions(),  # noqa: B008 (a value)
        *,
        idle_s: float = IDLE_S,
        work: Work | None = None,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._allowed = allowed
        self._prefill = Prefill(prefill)
        self._work = Work(2, 512) if work is None else work
        self.journal = journal
        self._clock = clock
        self._timer = timer
        self._slow: set[str] = set()  # the environments that say so of themselves
        self._live = Live(max_live, idle_s, timer)

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
        most_open: int | None = None,
    ) -> JSON:
        """Begin an episode; the answer of the first such request with this id, however often it is repeated.

        Raises:
            Conflict: Another request made an episode with this id.
            EnvhubError: As :func:`envhub.make` and ``reset``.
        """
        await self.sweep()
        wanted = Wanted(env_id, difficulty, split, params)
        # what is quickly drawn is drawn: the journal tells whether the id was taken, and is asked once
        ask_first = episode_id is not None and (env_id in self._slow or not self._work.quick(wanted.name))
        stored = await self.journal.load(episode_id) if episode_id and ask_first else None
        episode_id = episode_id or secrets.token_hex(16)
        if stored is None:
            if ask_first:
                await self._check_open(episode_id, most_open)

            # drawing may take long and is the same whoever does it: before the id is taken
            def begin() -> Episode:
                self._allowed.check(env_id, params)
                source, _ = prepare(env_id, difficulty, split, params, options)
                if source.searches:  # quick when it is in the cache, and only then
                    self._slow.add(env_id)
                task, instance = self._draw(source, wanted, seed)
                return Episode(source.environment, task, instance, turn_seed)

            episode = await self._work.do(env_id, wanted.name, begin, blocks=env_id in self._slow)
            header = Header(
                episode_id,
                request,
                key_json(episode.task),
                dict(options),
                first_turn_seed=turn_seed,
                turn_seed=turn_seed,
                at=self._clock(),
            )
            stored = await self.journal.create(header, [], most_open)
            if stored is None:
                self._live.offer(header, episode)
                return opening(header, episode)
        return await self._opening_again(stored, request)

    async def step(self, episode_id: str, turn: int | None, action: str) -> JSON:
        """Take turn number ``turn`` (from 0), or answer it again from the record.

        Args:
            episode_id: Of the episode.
            turn: How many turns were taken before; None for whichever is next, and then a repeat is another turn.
            action: What the policy wrote.

        Raises:
            UnknownEpisode: There is no such episode.
            Conflict: The turn was taken with another action, or is not the next.
            EpisodeOver: The episode has ended.
            InvalidAction: The action is not text.
            JournalUnavailable: It could not be recorded, and has not been taken.
        """
        async with self._live.held(episode_id) as place:
            while True:
                held = place.fold
                if held is None or not await self._is_next(held, turn):
                    stored = await self._load(episode_id)
                    action = admitted(action, load(spec(stored.header.task["env_id"])).max_action_chars)
                    if held is not None:
                        self._refuse_another_past(held, stored)
                    if turn is not None and turn < len(stored.entries):
                        return with_id(episode_id, repeated(stored, turn, action))
                    if turn is not None and turn > len(stored.entries):
                        if held is not None and len(held.marks) > len(stored.entries):
                            self._live.drop(episode_id)  # the record has lost turns: what we hold is not the truth
                        raise Conflict(f"The next turn of {episode_id!r} is {len(stored.entries)}, not {turn}.")
                    held = await self._folded(stored)
                answer, stands = await self._take(held, action)
                if stands is None:
                    return with_id(episode_id, answer)
                self._live.drop(episode_id)  # somebody else was first: what we hold is not the truth
                self._refuse_another_past(held, stands)
                if turn is not None and turn < len(stands.entries):
                    action = admitted(action, held.episode.environment.max_action_chars)
                    return with_id(episode_id, repeated(stands, turn, action))
                # deleted and begun again meanwhile, elsewhere: it is the next turn of another episode

    async def _is_next(self, held: Fold, turn: int | None) -> bool:
        """Whether a turn can be taken from what is in memory, with nothing looked up."""
        episode = held.episode
        if turn not in (None, len(episode.journal)) or episode.over:
            return False
        return not episode.environment.resources or await self.journal.position(held.header) == held.position

    def _refuse_another_past(self, held: Fold, stored: Stored) -> None:
        """Say that the record tells of other turns than were answered here, and hold them no more: it is the truth now.

        Raises:
            Conflict: It does.
        """
        if held.is_past_of(stored):
            return
        episode_id = stored.header.episode_id
        self._live.drop(episode_id)
        raise Conflict(
            f"The record of {episode_id!r} has lost turns that were answered, and has gone on otherwise since; it has "
            f"{len(stored.entries)} now. Get the episode to see which, and go on from there, or begin another."
        )

    async def _take(self, held: Fold, action: str) -> tuple[JSON, Stored | None]:
        """Take the next turn and record it: its answer, and what stands in its place if it is not the next."""
        episode, header, turn = held.episode, held.header, len(held.episode.journal)
        begun = self._timer()
        taken = await episode.astep(action)
        took_s = self._timer() - begun
        try:
            answer = answer_to(turn + 1, taken, held.reward)
            entry = Entry.following(held.position[1], episode.journal[-1], answer, self._clock(), took_s)
            stands = await self.journal.append(header, turn, entry)
        except BaseException:  # we do not know whether it was recorded, and hold what is perhaps not the truth
            self._live.drop(header.episode_id)
            raise
        if stands is None:
            held.marks.append(entry.mark)
        return answer, stands

    async def fork(
        self,
        episode_id: str,
        *,
        request: JSON,
        new_id: str | None,
        turn: int | None,
        turn_seed: int | None,
        most_open: int | None = None,
    ) -> JSON:
        """A new episode with the first ``turn`` turns of another (all of them by default).

        Raises:
            UnknownEpisode: There is no such episode.
            Conflict: The new id is taken by another request, or the episode has fewer turns.
            ForkRefused: A live resource can be neither replayed nor copied.
        """
        await self.sweep()
        stored = await self.journal.load(new_id) if new_id else None
        new_id = new_id or secrets.token_hex(16)
        if stored is None:
            async with self._live.held(episode_id):
                source = await self._load(episode_id)
                taken = len(source.entries) if turn is None else turn
                if not 0 <= taken <= len(source.entries):
                    raise Conflict(f"{episode_id!r} has {len(source.entries)} turns; it cannot be forked at {taken}.")
                past = source.entries[:taken]
                if taken == len(source.entries):
                    base = (await self._folded(source)).episode
                else:
                    base = await asyncio.to_thread(fold, Stored(source.header, past))
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
            stored = await self.journal.create(header, list(past), most_open)
            if stored is None:
                self._live.offer(header, twin, [entry.mark for entry in past])
                return opening(header, twin)
        return await self._opening_again(stored, request)

    async def get(self, episode_id: str) -> JSON:
        """Everything about an episode: task, messages, answers, snapshot. No answer key.

        Raises:
            UnknownEpisode: There is no such episode.
        """
        async with self._live.held(episode_id):
            stored = await self._load(episode_id)
            episode = (await self._folded(stored)).episode
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
        """Forget an episode and close what it holds.

        Raises:
            UnknownEpisode: There is no such episode.
        """
        async with self._live.held(episode_id):
            self._live.drop(episode_id)
            if not await self.journal.delete(episode_id):
                raise gone(episode_id)

    async def set_aside(self, episode_id: str) -> None:
        """Make an id free: forget its episode, unless that has ended; the record of such a one is kept under an id of its own.

        Nothing happens where there is none. Repeating it, after a failure on the way, does what is left.
        """
        async with self._live.held(episode_id):
            stored = await self.journal.load(episode_id)
            if stored is None:
                return
            if stored.entries and stored.entries[-1].over:
                header = replace(stored.header, episode_id=f"{episode_id}.{stored.header.birth}")
                await self.journal.create(header, list(stored.entries))
            self._live.drop(episode_id)
            await self.journal.delete(episode_id)

    async def sweep(self) -> None:
        """Forget what has been idle for too long, here and in the journal."""
        for episode_id in await self.journal.sweep():
            fold = self._live.fold_of(episode_id)
            if fold is not None and await self._is_gone(fold):  # else its id was taken again since
                self._live.drop(episode_id)
        for fold in self._live.drop_idle()[:_LOOKS]:
            # what it holds could not come back: it stays while nobody else has gone on with it
            episode_id = fold.header.episode_id
            outdated = await self.journal.position(fold.header) != fold.position
            place_is_same = self._live.fold_of(episode_id) is fold
            if place_is_same and outdated:
                self._live.drop(episode_id)
            elif place_is_same:
                self._live.fold(episode_id)

    async def _is_gone(self, fold: Fold) -> bool:
        return await self.journal.position(fold.header) is None

    async def _check_open(self, episode_id: str, most_open: int | None) -> None:
        """Turn away whom the journal would, before a task is drawn that takes long."""
        if most_open is not None and await self.journal.count_open(owner_of(episode_id)) >= most_open:
            raise too_many_open(most_open)

    def _draw(self, source: TaskSource, wanted: Wanted, seed: int | None) -> Drawn:
        """The task of a seed, or of any; one of a slow kind may be ready."""
        slow = source.searches
        chosen = self._prefill.take(wanted) if slow and seed is None else seed
        drawn = source.draw(secrets.randbelow(MAX_SEED + 1) if chosen is None else chosen)
        if slow:
            self._prefill.asked(wanted, seed)
        return drawn

    def close(self) -> None:
        """Close what the episodes in memory hold, and draw nothing ahead any more."""
        self._prefill.close()
        self._live.close()

    async def _opening_again(self, stored: Stored, request: JSON) -> JSON:
        """The answer to a repeated request; waits for a turn that is being taken, whose record it must not miss."""
        episode_id, birth = stored.header.episode_id, stored.header.birth
        if stored.header.request != request:
            raise Conflict(f"The episode id {episode_id!r} is taken by another request; choose a new one.")
        async with self._live.held(episode_id):
            stored = await self._load(episode_id)
            if stored.header.birth != birth and stored.header.request != request:
                raise Conflict(f"The episode id {episode_id!r} is taken by another request; choose a new one.")
            return opening(stored.header, (await self._folded(stored)).episode)

    async def _load(self, episode_id: str) -> Stored:
        stored = await self.journal.load(episode_id)
        if stored is None:
            self._live.drop(episode_id)
            raise gone(episode_id)
        return stored

    async def _folded(self, stored: Stored) -> Fold:
        """A record folded into memory, if what is there is not up to date."""
        held = self._live.fold(stored.header.episode_id)
        if held is None or not held.is_of(stored):
            episode = await asyncio.to_thread(fold, stored)
            held = self._live.keep(stored.header, episode, [entry.mark for entry in stored.entries])
        return held
