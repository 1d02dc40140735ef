"""Work of a given size, for the growth of its cost: prints CPU seconds and the memory that it holds.

Arguments: ``episodes`` (copies of guess-number-v0 open at once, one turn taken in each) or ``environments`` (different ones
made), and how many.
"""

import json
import os
import sys
from itertools import islice
from pathlib import Path
from time import process_time

import envhub
from envhub.registry.registry import builtin_ids, self_contained


def resident() -> int:
    """Resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def episodes(count: int) -> object:
    envs = envhub.make_vec("guess-number-v0", count)
    envs.reset(seed=0)
    envs.step(["<answer>1</answer>"] * count)
    return envs


def environments(count: int) -> object:
    return [envhub.make(id) for id in islice(filter(self_contained, builtin_ids()), count)]


work = {"episodes": episodes, "environments": environments}[sys.argv[1]]
work(1)  # imports
before, begin = resident(), process_time()
held = work(int(sys.argv[2]))
print(json.dumps({"cpu_s": process_time() - begin, "bytes": resident() - before}))
