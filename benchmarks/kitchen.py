"""Measures how well pairs of cooks do in kitchen-v0.

``python -m benchmarks.kitchen [--tasks 20] [--levels 1,4,7,10]``

The policy's seat is played by the oracle (a planner), the ``greedy`` heuristic, a random player, or one that always waits;
the partner is ``greedy`` or ``random``. Nothing is timed and all randomness comes from streams, so the table is the same on
every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import mean

import envhub
from envhub.core.seeding import Stream
from envhub.gymnasium.env import Env

PLAYERS: dict[str, Callable[[Env, Stream], str]] = {
    "oracle": lambda env, rng: env.solve(),
    "greedy": lambda env, rng: env.greedy_action(rng) or "",
    "random": lambda env, rng: env.random_action(rng),
    "waits": lambda env, rng: "<answer>wait</answer>",
}
PARTNERS = ("greedy", "random")


def cooked(level: int, partner: str, player: str, tasks: int) -> str:
    """Share of tasks solved, mean score, and mean share of orders served."""
    env = envhub.make("kitchen-v0", difficulty=level, opponent=partner)
    solved, scores, served = [], [], []
    for seed in range(tasks):
        env.reset(seed=9_000 + seed)
        rng = Stream(b"benchmark", "kitchen", player, seed)
        while not env.episode.over:
            env.step(PLAYERS[player](env, rng))
        verdict = env.episode.turns[-1].verdict
        assert verdict is not None
        solved.append(bool(verdict.solved))
        scores.append(verdict.score or 0.0)
        served.append(verdict.components["result"])
    return f"{100 * mean(solved):.0f} / {mean(scores):.2f} / {100 * mean(served):.0f}"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tasks", type=int, default=20)
    reader.add_argument("--levels", default="1,4,7,10")
    asked = reader.parse_args()
    pairs = [(partner, player) for partner in PARTNERS for player in PLAYERS]
    print("| level | " + " | ".join(f"{player} with {partner}" for partner, player in pairs) + " |")
    print("|" + " --- |" * (1 + len(pairs)))
    for level in map(int, asked.levels.split(",")):
        cells = [cooked(level, partner, player, asked.tasks) for partner, player in pairs]
        print(f"| {level} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
