"""Common frame of workloads: warm up, measure CPU time, print JSON.

Prints one JSON line. Also runs in the peers' interpreters, so it uses only the standard library.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable


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
