"""MiniWoB++'s pages under our browser: which load, act and end, and which their scripts solve.

``python -m benchmarks.miniwob [TASKS [PAGES]]`` plays the script of every page on a number of tasks (4 by default), and random
clicks on pages without a script, and prints the table of ``docs/worlds/miniwob.md``. The package is installed under
``.venvs/miniwob`` if it is not beside envhub.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from typing import Any, Final

import envhub
from benchmarks.venvs import peer
from envhub.core.seeding import Stream

TASKS: Final = 4
FIRST_SEED: Final = 7_000_000


def main() -> None:
    """Play and print."""
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else TASKS
    find()
    from envhub.adapters.miniwob.environments import register
    from envhub.adapters.miniwob.scripts import SCRIPTS
    from envhub.adapters.miniwob.tables import PAGES

    register()
    rows, whole = [], 0
    for page in sys.argv[2:] or PAGES:
        scripted = page in SCRIPTS
        ends = [played(page, seed, scripted) for seed in range(FIRST_SEED, FIRST_SEED + tasks)]
        solved = sum(reward == 1.0 for reward, _ in ends)
        whole += scripted and solved == tasks
        actions = sum(count for _, count in ends) / tasks
        rows.append(f"| {page} | {f'{solved} of {tasks}' if scripted else 'no script'} | {actions:.1f} |")
        print(rows[-1], flush=True)
    print(f"\n{len(PAGES)} pages, {sum(page in SCRIPTS for page in PAGES)} with a script, {whole} solved on each task.")


def find() -> None:
    """Let the adapter find the package."""
    if find_spec("miniwob") is None:
        program = "import sysconfig; print(sysconfig.get_path('purelib'))"
        asked = [peer("miniwob"), "-c", program]
        sys.path.append(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())


def played(page: str, seed: int, scripted: bool) -> tuple[float, int]:
    """The reward of an episode and its number of actions."""
    reward: Any = 0.0
    with closing(envhub.make("miniwob/pages-v0", pages=[page])) as env:
        env.reset(seed=seed)
        rng, actions = Stream(b"benchmark", page, seed), 0
        while not env.episode.over:
            _, reward, *_ = env.step(env.solve() if scripted or not actions else env.random_action(rng))
            actions += 1
        if env.episode.turns[-1].verdict is None or env.episode.turns[-1].verdict.status == "error":
            raise RuntimeError(f"{page} ended without a verdict.")
    return reward, actions


if __name__ == "__main__":
    main()
