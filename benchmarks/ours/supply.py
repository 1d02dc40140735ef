"""CPU milliseconds of each task of a mixture of all environments, drawn, from the cache and from a bank.

Prints one JSON object: the milliseconds of all tasks, by where they come from. Arguments: tasks, difficulty.
"""

import gc
import json
import os
import sys
import tempfile
from pathlib import Path
from time import process_time

import envhub
from envhub.registry.registry import builtin_ids, self_contained
from envhub.tasks.bank_building import build

COUNT, LEVEL = int(sys.argv[1]), int(sys.argv[2])
IDS = list(filter(self_contained, builtin_ids()))


def supplied(**settings: str) -> list[float]:
    """The milliseconds of the tasks of one stream; the environments have been used before."""
    os.environ.update(settings)
    stream = envhub.TaskStream(dict.fromkeys(IDS, 1), difficulty=LEVEL, seed=1)
    found = []
    gc.collect()
    for _ in range(COUNT):
        begin = process_time()
        next(stream)
        found.append((process_time() - begin) * 1e3)
    return found


with tempfile.TemporaryDirectory() as folder:
    os.environ["ENVHUB_CACHE"] = folder
    build(Path(folder, "bank"), IDS, COUNT, difficulty=LEVEL, seed=1)  # fills the cache as well
    kept = supplied(ENVHUB_CACHE=folder)
    drawn = supplied(ENVHUB_CACHE="off")
    supplied(ENVHUB_CACHE="off", ENVHUB_BANK=str(Path(folder, "bank")))  # draws one task of each environment again
    print(json.dumps({"drawn": drawn, "cached": kept, "bank": supplied()}))
