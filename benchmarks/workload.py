"""Common frame of workloads: warm up, measure CPU time, print JSON.

Prints one JSON line. Also runs in the peers' interpreters, so it uses only the standard library.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any


def measure(work: Callable[[range], int]) -> None:
    """Time ``work`` and print items and CPU seconds.

    Runs on the seeds ``0 .. N - 1``, where N is the command's argument.

    Args:
        work: Processes the seeds and returns the number of items. It is first called with other seeds, a tenth as many, to
            warm up.
    """
    count = int(sys.argv[1])
    work(range(count, count + max(1, count // 10)))
    gc.collect()
    begin = time.process_time()
    items = work(range(count))
    print(json.dumps({"items": items, "cpu_s": time.process_time() - begin}))


def judge(pairs: Sequence[dict[str, Any]], accepts: Callable[[dict[str, Any]], bool]) -> None:
    """Time a grader on the first pairs of a list and print items, CPU seconds and accepted answers.

    The number of pairs is the command's argument; those after them warm up.

    Args:
        pairs: Each with ``gold``, ``answer`` and ``right``.
        accepts: Whether the grader accepts the answer of a pair.
    """
    count = int(sys.argv[1])
    for pair in pairs[count:]:
        accepts(pair)
    gc.collect()
    begin = time.process_time()
    taken = [accepts(pair) for pair in pairs[:count]]
    spent = time.process_time() - begin
    right = sum(said and pair["right"] for pair, said in zip(pairs, taken, strict=False))
    print(json.dumps({"items": count, "cpu_s": spent, "right": right, "wrong": sum(taken) - right}))
