"""Soak test: a server's memory, descriptors and journal over a million turns.

::

    python -m benchmarks.soak [--steps 1000000] [--workers 1]

Clients of one WebSocket and clients over HTTP play concurrently against ``envhub serve`` with a journal on disk that keeps
few episodes for a short time, so that episodes are constantly finished, deleted, abandoned, expired and evicted. Every answer
is checked. Between stretches, with no client connected, the server's resources are sampled. Use is flat if its median in the
last quarter of the messages is at most that in the second; the first quarter fills the journal and the caches.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median_high
from typing import Final

from benchmarks.hub_process import HubProcess, serving
from benchmarks.server_clients import mixed_by_http, mixed_by_websocket, whose
from benchmarks.wire_load import load

STEPS: Final = 1_000_000
_ON_ONE: Final = 64
_BY_HTTP: Final = 16
_HELD: Final = ("--max-episodes", "4000", "--episode-ttl-s", "20")


@dataclass(frozen=True)
class Sample:
    """Resources of a server.

    Attributes:
        messages: Number of messages answered so far.
        memory: Bytes of memory of all its processes.
        descriptors: Number of open files and sockets.
        journal: Size of the journal's files in bytes.
    """

    messages: int
    memory: int
    descriptors: int
    journal: int


def soak(steps: int, *, workers: int = 1, seconds: float = 4.0, tell: Callable[[Sample], None] = print) -> list[Sample]:
    """Load a server until it has answered a number of messages.

    Args:
        steps: Number of messages.
        workers: Number of server workers.
        seconds: Seconds of load between two samples.
        tell: Called with each sample.

    Returns:
        The samples; the first was taken before any request.

    Raises:
        RuntimeError: An answer was wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "soak.sqlite"
        options = ("--journal", f"sqlite:///{journal}", "--workers", str(workers), *_HELD)
        with serving(*options) as hub:
            samples = [_sample(hub, journal, 0)]
            while samples[-1].messages < steps:
                samples.append(_sample(hub, journal, samples[-1].messages + _stretch(hub, seconds)))
                tell(samples[-1])
    return samples


def growth(samples: Sequence[Sample], read: Callable[[Sample], int]) -> tuple[int, int]:
    """Medians in the second and the last quarter of the messages.

    Args:
        samples: Samples of a soak test.
        read: Returns the value to compare.
    """
    whole = samples[-1].messages
    second = [read(one) for one in samples if whole / 4 < one.messages <= whole / 2]
    last = [read(one) for one in samples if whole * 3 / 4 < one.messages]
    return median_high(second), median_high(last)


def _stretch(hub: HubProcess, seconds: float) -> int:
    """Run both kinds of clients for a while; returns the number of answered messages."""
    url = hub.url.replace("http", "ws", 1) + "/v1/ws"
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(
            partial(load, url, _ON_ONE, seconds, mixed_by_websocket, pid=hub.pid, warm_up=0, connections=1, whose=whose)
        )
        other = pool.submit(partial(load, hub.url, _BY_HTTP, seconds, mixed_by_http, pid=hub.pid, warm_up=0))
        return one.result().messages + other.result().messages


def _sample(hub: HubProcess, journal: Path, messages: int) -> Sample:
    files = sum(path.stat().st_size for path in journal.parent.glob(f"{journal.name}*"))
    return Sample(messages, hub.memory(), sum(_descriptors(pid) for pid in hub.pids()), files)


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:  # it has just ended
        return 0


def main() -> None:
    """Run the soak test and show the samples."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=STEPS, help="messages (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="of the server (default: %(default)s)")
    given = parser.parse_args()
    samples = soak(given.steps, workers=given.workers, tell=_show)
    kinds: dict[str, Callable[[Sample], int]] = {
        "memory, MB": lambda one: one.memory // 10**6,
        "descriptors": lambda one: one.descriptors,
        "journal, MB": lambda one: one.journal // 10**6,
    }
    print(f"\n{samples[-1].messages:,} messages; the median of the second quarter, and of the last:")
    for name, read in kinds.items():
        print(f"{name}: {' '.join(map(str, growth(samples, read)))}")


def _show(one: Sample) -> None:
    print(
        f"{one.messages:10,} messages {one.memory / 1e6:7.1f} MB {one.descriptors:4} descriptors "
        f"{one.journal / 1e6:7.1f} MB of journal",
        flush=True,
    )


if __name__ == "__main__":
    main()
