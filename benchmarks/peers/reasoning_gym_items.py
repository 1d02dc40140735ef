"""Items of a reasoning-gym dataset.

Arguments: items, name of the dataset, non-default settings (a JSON object). With ``grids`` after them, print the puzzles of a
    sudoku dataset.
"""

import json
import sys

import reasoning_gym

from benchmarks.workload import measure

COUNT, NAME, SETTINGS = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])

items = reasoning_gym.create_dataset(NAME, seed=42, size=2 * COUNT + 1, **SETTINGS)


def work(seeds: range) -> int:
    for seed in seeds:
        items[seed]
    return len(seeds)


if sys.argv[4:] == ["grids"]:
    puzzles = (items[i]["metadata"]["puzzle"] for i in range(COUNT))
    print(json.dumps([[cell for row in puzzle for cell in row] for puzzle in puzzles]))
else:
    measure(work)
