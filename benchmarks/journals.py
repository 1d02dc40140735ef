"""Measures the cost of recording a turn, and of folding episodes.

::

    python -m benchmarks.journals --folder /var/tmp --redis redis://127.0.0.1:6379/0

Reports appends per second, CPU and latency with 1, 32 and 256 appends waiting. CPU is that of all threads of this process
(not of Redis). With few appends waiting, a durable turn is limited by the disk; with many, by the CPU.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from envhub.episodes.record import Record
from envhub.server.episodes.folding import fold
from envhub.server.journal import Entry, Header, Journal, StoredEpisode, open_journal

ANSWER = {
    "turn": 1,
    "observation": "Higher. You have 9 guesses left.",
    "reward": 0.0,
    "terminated": False,
    "truncated": False,
    "info": {},
}


async def appends(journal: Journal, waiting: int, seconds: float) -> dict[str, float]:
    """Append to concurrent episodes, each turn after the last one is recorded."""
    took: list[float] = []
    run = f"{waiting}-{time.monotonic_ns()}"
    until = time.perf_counter() + seconds

    async def play(number: int) -> None:
        header = Header(f"{run}-{number}", {}, {"env_id": "guess-number-v0"}, {})
        await journal.create(header, [])
        turn, previous = 0, ""
        while (begun := time.perf_counter()) < until:
            entry = Entry.chained(previous, Record("<answer>17</answer>"), ANSWER, begun, 0.0)
            if await journal.append(header, turn, entry):
                raise AssertionError("a turn was lost")
            previous = entry.digest
            took.append(time.perf_counter() - begun)
            turn += 1

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(play(number) for number in range(waiting)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    took.sort()
    return {
        "appends/s": len(took) / wall,
        "CPU us": cpu / len(took) * 1e6,
        "p50 ms": took[len(took) // 2] * 1e3,
        "p99 ms": took[len(took) * 99 // 100] * 1e3,
    }


def folding(turns: int) -> float:
    """Seconds to fold an episode of guess-number-v0, without reading it."""
    import envhub

    env = envhub.make("guess-number-v0", difficulty=10)
    env.reset(seed=1)
    while len(env.episode.journal) < turns and not env.episode.over:
        env.step("<answer>1</answer>")
    task = {**env.task.key.to_json(), "difficulty": env.task.difficulty}
    stored = StoredEpisode(Header("e", {}, task, {}), [Entry(record, ANSWER) for record in env.episode.journal])
    fold(stored)
    begun = time.process_time()
    for _ in range(50):
        fold(stored)
    return (time.process_time() - begun) / 50


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where the file is made; a disk, not memory")
    parser.add_argument("--redis", metavar="URL", help="a Redis to measure as well; what it holds stays")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--waiting", type=int, nargs="*", default=[1, 32, 256])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        urls = {
            "memory": "memory:",
            "sqlite": f"sqlite:///{folder}/a.sqlite",
            "sqlite, always": f"sqlite:///{folder}/b.sqlite?fsync=always",
            **({"redis": asked.redis} if asked.redis else {}),
        }
        for name, url in urls.items():
            journal = open_journal(url, 3600.0, 1_000_000)
            try:
                for waiting in asked.waiting:
                    found = asyncio.run(appends(journal, waiting, asked.seconds))
                    print(f"{name:18}{waiting:5} waiting", *(f"{value:10.2f} {unit}" for unit, value in found.items()))
            finally:
                journal.close()
    for turns in (1, 10):
        print(f"folding {turns} turns: {folding(turns) * 1e6:.0f} us")


if __name__ == "__main__":
    main()
