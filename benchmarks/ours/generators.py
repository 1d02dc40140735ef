"""CPU milliseconds per task of environments at levels: one JSON line per environment.

Includes drawing, split, fingerprint and prompt. A warm-up of a tenth of the time is not counted; its pace decides how many
tasks are drawn. Arguments: CPU seconds per level, environments (all if none is named).
"""

import json
import sys
from time import process_time

from benchmarks.generation import LEVELS
from envhub.making import make
from envhub.registry.registry import builtin_ids, self_contained

_FEWEST, _MOST = 20, 2_000


def milliseconds(env_id: str, level: int, seconds: float) -> float:
    """Mean CPU milliseconds per task."""
    draw = make(env_id, difficulty=level).source.draw
    begin = process_time()
    warm = 0
    while warm < _FEWEST // 10 or (process_time() - begin < seconds / 10 and warm < _MOST // 10):
        draw(1_000_000 + warm)
        warm += 1
    tasks = min(_MOST, max(_FEWEST, int(seconds * warm / (process_time() - begin))))
    begin = process_time()
    for seed in range(tasks):
        draw(seed)
    return (process_time() - begin) / tasks * 1e3


for env_id in sys.argv[2:] or filter(self_contained, builtin_ids()):
    print(json.dumps([env_id, [milliseconds(env_id, level, float(sys.argv[1])) for level in LEVELS]]), flush=True)
