"""Tasks of countdown-v0 through ``reset``.

They have 4 to 6 numbers of 1..100, targets 100..999 and all operators.

Arguments: tasks, minimum count of numbers in any solution (2: nothing to prove; more: proved for every task).
"""

import sys

import envhub
from benchmarks.workload import measure

envs = [
    envhub.make(
        "countdown-v0",
        numbers=n,
        needed=int(sys.argv[2]),
        low=1,
        high=100,
        target_low=100,
        target_high=999,
        operators="+-*/",
    )
    for n in (4, 5, 6)
]


def work(seeds: range) -> int:
    for seed in seeds:
        envs[seed % len(envs)].reset(seed=seed)
    return len(seeds)


measure(work)
