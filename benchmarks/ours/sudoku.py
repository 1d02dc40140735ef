"""Tasks of sudoku-v0 with 30 to 50 empty cells, through ``reset``.

Includes drawing, the proof of uniqueness and wording. Arguments: tasks. With ``grids`` after it, print the puzzles.
"""

import json
import sys

import envhub
from benchmarks.workload import measure

EMPTY = range(30, 51)

envs = [envhub.make("sudoku-v0", size=9, clues=81 - empty, technique="any") for empty in EMPTY]


def work(seeds: range) -> int:
    for seed in seeds:
        envs[seed % len(envs)].reset(seed=seed)
    return len(seeds)


def grid(seed: int) -> list[int]:
    env = envs[seed % len(envs)]
    env.reset(seed=seed)
    return env.task.problem["grid"]


if sys.argv[2:] == ["grids"]:
    print(json.dumps([grid(seed) for seed in range(int(sys.argv[1]))]))
else:
    measure(work)
