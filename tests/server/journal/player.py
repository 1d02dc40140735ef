"""A process that takes turns in a journal, for tests that need several, or one to kill: ``player.py URL NAME TURNS``.

It says that it is ready and waits for a line. Then it tries to take every turn of the episode ``e`` and says which it took, a
line each, once they are recorded.
"""

from __future__ import annotations

import asyncio
import sys

from envhub.episodes.record import Record
from envhub.server.journal import Entry, open_journal


async def play(url: str, name: str, turns: int) -> None:
    journal = open_journal(url, 1e9, 100)
    stored = await journal.load("e")
    assert stored is not None
    print("ready", flush=True)
    sys.stdin.readline()
    turn = len(stored.entries)
    while turn < turns:
        answer = {"terminated": False, "truncated": False, "by": name}
        stands = await journal.append(stored.header, turn, Entry(Record(f"{name} {turn}"), answer))
        if stands is None:
            print(turn, flush=True)
            turn += 1
        else:
            turn = len(stands.entries)
    journal.close()


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], sys.argv[2], int(sys.argv[3])))
