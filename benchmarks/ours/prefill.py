"""A server whose clients ask for tasks of all environments at a fixed rate, without seeds, in virtual time.

Tasks are drawn for real, by the queue of :mod:`envhub.server.episodes.prefill_queue`; time passes by the CPU time that this
takes, as if each process had a core. Before the first request, each slow environment was asked for once and its tasks were
drawn. Prints one JSON object: for each number of processes the milliseconds from each request to its task, the milliseconds of
each draw of a slow task because none was ready, and the share of time for which the processes were busy. Arguments: tasks,
tasks per second, difficulty, numbers of processes.
"""

import json
import os
import random
import sys
import tempfile
from heapq import heappop, heappush
from time import process_time

import envhub
from envhub.registry.registry import builtin_ids, self_contained
from envhub.server.episodes.prefill_queue import Job, PrefillQueue, TaskKind
from envhub.settings import ServerSettings

COUNT, RATE, LEVEL = map(int, sys.argv[1:4])
IDS = list(filter(self_contained, builtin_ids()))
SOURCES = {env_id: envhub.make(env_id, difficulty=LEVEL).source for env_id in IDS}
KINDS = {env_id: TaskKind(env_id, LEVEL, "train", {}) for env_id in IDS if SOURCES[env_id].searches}
AHEAD = ServerSettings.model_fields["prefill"].default


def cost(env_id: str, seed: int) -> float:
    """CPU seconds of a task."""
    begin = process_time()
    SOURCES[env_id].draw(seed)
    return process_time() - begin


class Processes:
    """Processes that draw ahead, each with its own core.

    Attributes:
        spent: CPU seconds of all tasks that they began.
    """

    def __init__(self, queue: PrefillQueue, count: int) -> None:
        self._queue, self._idle = queue, count
        self._busy: list[tuple[float, int, Job]] = []  # when each is done
        self.spent = 0.0

    def advance(self, now: float) -> None:
        """Finish what is done by now, and begin what is queued."""
        while self._busy and self._busy[0][0] <= now:
            at, _, job = heappop(self._busy)
            self._queue.done(job, drawn=True)
            self._idle += 1
            self.begin(at)

    def begin(self, now: float) -> None:
        """Give queued tasks to idle processes."""
        while self._idle and (job := self._queue.next()) is not None:
            taken = cost(job.kind.env_id, job.seed)
            self.spent += taken
            self._idle -= 1
            heappush(self._busy, (now + taken, job.seed, job))


def waits(processes: int) -> tuple[list[float], list[float], float]:
    """Milliseconds from each request to its task, those spent because none was ready, and the processes' busy share."""
    random.seed(1)
    queue = PrefillQueue(AHEAD)
    for kind in KINDS.values():
        queue.note_request(kind, None)
    while (job := queue.next()) is not None:
        cost(job.kind.env_id, job.seed)
        queue.done(job, drawn=True)
    drawing, found, blocked, free = Processes(queue, processes), [], [], 0.0
    for number in range(COUNT):
        env_id, asked = random.choice(IDS), number / RATE
        begin = max(asked, free)
        drawing.advance(begin)
        kind = KINDS.get(env_id)
        seed = None if kind is None else queue.take(kind)
        taken = cost(env_id, random.getrandbits(32) if seed is None else seed)
        free = begin + taken
        if kind is not None and seed is None:
            blocked.append(taken * 1e3)
        drawing.advance(free)
        if kind is not None:
            queue.note_request(kind, None)
            drawing.begin(free)
        found.append((free - asked) * 1e3)
    return found, blocked, drawing.spent / (COUNT / RATE * processes)


with tempfile.TemporaryDirectory() as folder:
    os.environ["ENVHUB_CACHE"] = folder
    for env_id in IDS:
        for seed in range(1_000_000, 1_000_003):
            cost(env_id, seed)  # imports and tables
    print(json.dumps({processes: waits(int(processes)) for processes in sys.argv[4:]}))
