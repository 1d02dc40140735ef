"""What every workload does around its loop: warm up, measure the CPU time of the process, print one JSON line.

It runs in the peers' interpreters as well, so it needs the standard library only.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable


def measure(work: Callable[[range], int]) -> None:
    """Time ``work`` on the seeds ``0 .. N - 1``, where N is the command's argument, and print items and CPU seconds.

    Args:
        work: Does the work of these seeds and says how many items that was. It is first called with other seeds, a tenth
            as many, to warm up.
    """
    count = int(sys.argv[1])
    work(range(count, count + max(1, count // 10)))
    gc.collect()
    begin = time.process_time()
    items = work(range(count))
    print(json.dumps({"items": items, "cpu_s": time.process_time() - begin}))
