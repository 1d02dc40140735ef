"""What the tests of every journal share: episodes that are begun, played and ended."""

from __future__ import annotations

from typing import Any

from envhub.server.journal import Entry, Header, Journal, StoredEpisode
from tests.server.journal.kinds import TTL, entry, header

MOMENT = TTL / 10


async def append(journal: Journal, header: Header, turn: int, entry: Entry) -> StoredEpisode | None:
    """Take a turn within an event loop."""
    return await journal.append(header, turn, entry)


async def put(journal: Journal, id: str, *actions: str, over: bool = False, request: Any = None) -> Any:
    """Begin an episode and take turns."""
    made = header(id, request)
    assert await journal.create(made, []) is None
    for turn, action in enumerate(actions):
        last = turn == len(actions) - 1
        assert await journal.append(made, turn, entry(action, terminated=over and last)) is None
    return made


async def end(journal: Journal, id: str, **how: bool) -> None:
    stored = await journal.load(id, use=False)
    assert stored is not None
    assert await journal.append(stored.header, len(stored.entries), entry("x", **how or {"terminated": True})) is None
