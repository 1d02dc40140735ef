"""Turns that wait for nothing but the journal, taken without a coroutine.

Most turns are of an episode that is in memory, that nobody else uses, and whose environment computes the next state at once.
A task and its hops through the event loop would cost as much as such a turn. All turns of one iteration of the loop are still
one transaction of the journal, and each is answered after it is recorded::

    if not quick_turns.take("e", 0, "<answer>1</answer>", answered):
        answered(await episodes.step("e", 0, "<answer>1</answer>"))
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from envhub.core.errors import Conflict
from envhub.core.types import JSON, Turn
from envhub.server.episodes.memory import CachedEpisode, CacheEntry, EpisodeCache
from envhub.server.episodes.representation import with_id
from envhub.server.journal import Entry, Journal, StoredEpisode

Answered: TypeAlias = Callable[[JSON | BaseException], None]
"""Is called once: with the answer, with the error, or with None if the turn was not taken and must be taken by ``step``."""


class QuickTurns:
    """Takes turns of cached episodes.

    Args:
        cache: The cached episodes.
        journal: Where turns are recorded.
        clock: Current time in seconds since the epoch, for the records.
        timer: A monotonic clock in seconds, for durations.
    """

    def __init__(
        self, cache: EpisodeCache, journal: Journal, clock: Callable[[], float], timer: Callable[[], float]
    ) -> None:
        self._cache, self._journal, self._clock, self._timer = cache, journal, clock, timer

    def take(self, episode_id: str, turn: int, action: str, answered: Answered) -> bool:
        """Take turn number ``turn`` (from 0) and record it.

        Args:
            episode_id: Id of the episode.
            turn: Number of turns taken before.
            action: The message of the policy.
            answered: Receives the answer once the turn is recorded, maybe before this returns.

        Returns:
            Whether ``answered`` is called. If not, nothing has happened.
        """
        entry = self._cache.lock_now(episode_id)
        if entry is None or entry.cached is None:
            return False
        held, begun = entry.cached, self._timer()
        taken = _taken(held, turn, action)
        if taken is None:
            self._cache.unlock(episode_id, entry)
            return False
        try:
            made = held.entry(taken, self._clock(), self._timer() - begun)
            recording = self._journal.append(held.header, turn, made)
        except Exception as error:
            self._cache.drop(episode_id)
            self._cache.unlock(episode_id, entry)
            answered(error)
            return True
        if recording.done():
            self._finish(entry, held, made, answered, recording)
        else:
            recording.add_done_callback(partial(self._finish, entry, held, made, answered))
        return True

    def _finish(
        self,
        entry: CacheEntry,
        held: CachedEpisode,
        made: Entry,
        answered: Answered,
        recording: Future[StoredEpisode | None],
    ) -> None:
        """Answer a turn once it is known whether it was recorded."""
        episode_id = held.header.episode_id
        answer: JSON | BaseException
        try:
            stands = recording.result()
            if stands is None:
                held.digests.append(made.digest)
                answer = with_id(episode_id, made.answer)
            else:  # another worker was first: our copy is outdated
                answer = None
                self._cache.drop(episode_id)
                self._cache.check_history(held, stands)
        except Conflict as error:
            answer = error
        except BaseException as error:  # unknown whether it was recorded: our copy may be wrong
            self._cache.drop(episode_id)
            answer = error
        self._cache.unlock(episode_id, entry)
        answered(answer)


def _taken(held: CachedEpisode, turn: int, action: str) -> Turn | None:
    """The next turn of a cached episode.

    None if it is not the next turn, or needs more than the environment.
    """
    episode = held.episode
    if turn != len(episode.turns) or episode.over or episode.environment.acts_outside(episode.instance):
        return None
    return episode.step_now(action)
