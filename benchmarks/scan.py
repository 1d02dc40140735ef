"""The policy of the guess-number workloads: 1, 2, 3, ... until the episode ends. Both sides run this same code.

The texts are made beforehand, so what is measured is the environment. Runs in the peers' interpreters as well.
"""

from __future__ import annotations

from typing import Any


def play(env: Any, seeds: range, guesses: list[str], seeded: bool = True) -> int:
    """Play one episode a seed; how many steps that took."""
    steps = 0
    for seed in seeds:
        if seeded:
            env.reset(seed=seed)
        else:
            env.reset()
        for guess in guesses:
            _, _, terminated, truncated, _ = env.step(guess)
            steps += 1
            if terminated or truncated:
                break
    return steps


def play_many(envs: Any, rounds: range, guesses: list[str], count: int) -> int:
    """Step ``count`` copies behind one face, which reset themselves, once a round; how many steps that took."""
    envs.reset(seed=rounds.start)
    turns = [0] * count
    for _ in rounds:
        _, _, terminated, truncated, _ = envs.step([guesses[turn] for turn in turns])
        over = (terminated | truncated).tolist()
        turns = [0 if ended else turn + 1 for turn, ended in zip(turns, over, strict=True)]
    return len(rounds) * count
