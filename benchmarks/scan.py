"""The policy of the guess-number workloads: 1, 2, 3, ...

Both sides run this code.

The texts are created in advance, so that only the environment is measured. Also runs in the peers' interpreters.
"""

from __future__ import annotations

from typing import Any


def play(env: Any, seeds: range, guesses: list[str], seeded: bool = True) -> int:
    """Play one episode per seed; returns the number of steps."""
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
    """Step a vector environment of ``count`` copies each round; returns the number of steps."""
    envs.reset(seed=rounds.start)
    turns = [0] * count
    for _ in rounds:
        _, _, terminated, truncated, _ = envs.step([guesses[turn] for turn in turns])
        over = (terminated | truncated).tolist()
        turns = [0 if ended else turn + 1 for turn, ended in zip(turns, over, strict=True)]
    return len(rounds) * count
