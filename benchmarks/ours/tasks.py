"""Tasks of an environment at a level, through ``reset``.

Includes drawing, split, fingerprint and wording. Arguments: tasks, environment, difficulty.
"""

import sys

import envhub
from benchmarks.workload import measure

env = envhub.make(sys.argv[2], difficulty=int(sys.argv[3]))


def work(seeds: range) -> int:
    for seed in seeds:
        env.reset(seed=seed)
    return len(seeds)


measure(work)
