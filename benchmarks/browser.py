"""What a browser costs: CPU time per action, and memory of thirty pages.

``python -m benchmarks.browser`` plays the oracle of ``gui-v0`` on one task of every kind, and that of ``gui-site-v0`` on one
of every site, as text and with screenshots, and then opens thirty pages in one browser. CPU time is that of this process and
of all of the browser's; memory is the proportional set size of the browser's processes, in which shared pages count once.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import envhub
from envhub.browser.pool import Pool, default_pool
from envhub.envs.tools.gui.site import KINDS, GuiSite
from envhub.envs.tools.gui_site.site import APPS

_TICK: Final = os.sysconf("SC_CLK_TCK")
_PAGES: Final = 30
_SIZE: Final = 5
TASKS: Final[dict[str, list[dict[str, Any]]]] = {
    "gui-v0": [{"kinds": (name,), "parts": 1, "size": _SIZE} for name in KINDS],
    "gui-site-v0": [{"sites": (name,), "difficulty": 4} for name in APPS],
}


def main() -> None:
    """Measure and print."""
    for view in ("text", "both"):
        for env_id, tasks in TASKS.items():
            actions, seconds = play(env_id, tasks, view)
            each = f"{seconds / actions:.3f} CPU s per action"
            print(f"{env_id}, observation {view}: {each} ({actions} actions, {len(tasks)} tasks)")
    default_pool().close()
    for count in (1, _PAGES):
        memory, start = pages(count)
        print(f"{count} pages in one browser: {memory:.0f} MiB, {start:.2f} CPU s to start the browser and open them")


def play(env_id: str, tasks: Sequence[Mapping[str, Any]], view: str) -> tuple[int, float]:
    """Play the oracle once on every task.

    Returns the number of actions and the CPU seconds, without those of the browser's start.
    """
    env = envhub.make("gui-v0", kinds=("tabs",), parts=1, size=1)
    env.reset(seed=0)
    env.step(env.solve())
    before, actions = _spent(default_pool()), 0
    for task in tasks:
        env = envhub.make(env_id, **task, observation=view)
        env.reset(seed=0)
        over = False
        while not over:
            _, _, over, _, _ = env.step(env.solve())
            actions += not over
    return actions, _spent(default_pool()) - before


def pages(count: int) -> tuple[float, float]:
    """Memory of a browser with a number of pages in MiB, and the CPU seconds it took."""
    kind = KINDS["mail"]
    env = envhub.make("gui-v0", kinds=(kind.name,), parts=1, size=_SIZE)
    env.reset(seed=0)
    pool = Pool()
    before = time.process_time()
    try:
        for _ in range(count):
            process, page = pool.open(GuiSite(), env.task.problem)
            with pool.using(process):
                page.call("Page.navigate", url="http://site.test/0/")
                page.settle()
                page.observe()
        assert len(pool.running) == 1
        own = time.process_time() - before
        return sum(map(_memory, _family(pool.running[0].pid))) / 1024, own + _browsers(pool)
    finally:
        pool.close()


def _spent(pool: Pool) -> float:
    """CPU seconds of this process and of the running browsers."""
    return time.process_time() + _browsers(pool)


def _browsers(pool: Pool) -> float:
    """CPU seconds of the processes of the running browsers, with those that have ended."""
    return sum(_seconds(pid) for process in pool.running for pid in _family(process.pid))


def _family(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _family(int(child))


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICK


def _memory(pid: int) -> int:
    """Proportional set size in KiB."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("Pss:"))


if __name__ == "__main__":
    main()
