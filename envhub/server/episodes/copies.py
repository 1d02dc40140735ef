"""Copies in memory of recorded episodes, kept in step with the journal.

The record counts. A copy that another worker has outdated is folded again, and one whose record is gone is dropped::

    async with cache.lock(episode_id):
        stored = await copies.load(episode_id)
        episode = (await copies.folded(stored)).episode
"""

from __future__ import annotations

import asyncio
from typing import Final

from envhub.server.episodes.folding import fold
from envhub.server.episodes.memory import CachedEpisode, EpisodeCache
from envhub.server.journal import Journal, StoredEpisode
from envhub.server.journal.records import unknown_episode

_LOOKS: Final = 16
"""Maximum number of idle episodes checked per sweep."""


class EpisodeCopies:
    """The copies that one worker has.

    Args:
        cache: The cached episodes.
        journal: The journal.
    """

    def __init__(self, cache: EpisodeCache, journal: Journal) -> None:
        self._cache, self._journal = cache, journal

    async def load(self, episode_id: str) -> StoredEpisode:
        """The record of an episode. The caller has locked its entry.

        Raises:
            UnknownEpisode: There is no such episode; its copy is dropped.
        """
        stored = await self._journal.load(episode_id)
        if stored is None:
            self._cache.drop(episode_id)
            raise unknown_episode(episode_id)
        return stored

    async def folded(self, stored: StoredEpisode) -> CachedEpisode:
        """The cached copy of a record, folded again if it is outdated."""
        held = self._cache.get(stored.header.episode_id)
        if held is None or not held.matches(stored):
            episode = await asyncio.to_thread(fold, stored)
            held = self._cache.put(stored.header, episode, [entry.digest for entry in stored.entries])
        return held

    async def sweep(self) -> None:
        """Delete idle episodes from the journal and evict them from memory."""
        for episode_id in await self._journal.sweep():
            fold = self._cache.peek(episode_id)
            if fold is not None and await self._is_gone(fold):  # otherwise the id was reused
                self._cache.drop(episode_id)
        for fold in self._cache.evict_idle()[:_LOOKS]:
            # its resources could not be restored: keep it unless another worker continued it
            episode_id = fold.header.episode_id
            outdated = await self._journal.position(fold.header) != fold.position
            is_same = self._cache.peek(episode_id) is fold
            if is_same and outdated:
                self._cache.drop(episode_id)
            elif is_same:
                self._cache.get(episode_id)

    async def _is_gone(self, fold: CachedEpisode) -> bool:
        return await self._journal.position(fold.header) is None
