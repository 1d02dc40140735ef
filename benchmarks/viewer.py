"""How long ``envhub view`` takes to open recorded episodes: ``python -m benchmarks.viewer [--episodes 100000]``.

Each measurement is a process of its own: the first reads all lines, the second reads the stored index and answers a list.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TEXT = "Let me count the carries again before I answer. " * 40
"""About two thousand characters, as a short conversation has."""


def write(path: Path, episodes: int) -> None:
    """Write a file of attempts."""
    with path.open("w") as file:
        for number in range(episodes):
            messages = [
                {"role": "user", "content": f"What is {number} + 1?"},
                {"role": "assistant", "content": f"<think>{TEXT}</think><answer>{number + 1}</answer>"},
            ]
            line = {"job": ["arithmetic-v0", 1 + number % 10, number // 4, number % 4], "outcome": "graded"}
            file.write(json.dumps({**line, "solved": number % 3 == 0, "score": 1.0, "messages": messages}) + "\n")


def opened(path: Path, cache: Path) -> None:
    """Open the file, select, and print what it took."""
    from envhub.viewer.index import Index
    from envhub.viewer.search import Filter, selected

    started = time.perf_counter()
    index = Index.of([path], cache)
    rows = [index.facts(int(number)) for number in selected(index, Filter(outcome="failed", order="reward"))[:100]]
    took = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    stored = sum(file.stat().st_size for file in cache.glob("*.npz"))
    print(
        f"{len(index)} episodes in {took:.2f} s, {memory:.0f} MB, {stored / len(index):.0f} bytes each; {len(rows)} rows"
    )


def main() -> None:
    """Write a file, open it twice, and show both measurements."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.viewer", description=__doc__)
    parser.add_argument("--episodes", type=int, default=100_000, help="number of episodes (default: %(default)s)")
    parser.add_argument("--open", type=Path, nargs=2, metavar=("FILE", "CACHE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.open:
        opened(*given.open)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "attempts.jsonl"
        write(path, given.episodes)
        print(f"{path.stat().st_size / 1e6:.0f} MB")
        for name in ("first", "again"):
            print(name, end=": ", flush=True)
            subprocess.run([sys.executable, "-m", "benchmarks.viewer", "--open", path, folder], check=True)


if __name__ == "__main__":
    main()
