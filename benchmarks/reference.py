"""Measures the reference policy or the heuristic of an environment.

``python -m benchmarks.reference negotiation-v0 [--episodes 200] [--policy greedy]``

Plays ``reference_action`` (or ``greedy_action``) on the seeds 0, 1, ... of every level and prints the share of solved
episodes. The rates that an environment publishes (``Environment.reference``) come from this command.
"""

from __future__ import annotations

import argparse

import envhub
from envhub.core.seeding import Stream


def rate(env_id: str, level: int, episodes: int, policy: str = "reference") -> float:
    """Share of episodes that a policy solves."""
    env = envhub.make(env_id, difficulty=level)
    solved = 0
    for seed in range(episodes):
        env.reset(seed=seed)
        rng, over = Stream(b"reference", env_id, level, seed), False
        while not over:
            play = getattr(env.environment, f"{policy}_action")
            action = play(env.episode.instance, env.episode.state, rng)
            if action is None:
                raise SystemExit(f"{env_id} has no {policy} policy.")
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        solved += bool(info["verdict"]["solved"])
    return solved / episodes


def main() -> None:
    """Print the rates of all levels."""
    parser = argparse.ArgumentParser(description="Measure the reference policy of an environment.")
    parser.add_argument("env_id", help="environment id")
    parser.add_argument("--episodes", type=int, default=200, help="episodes per level")
    parser.add_argument("--policy", choices=("reference", "greedy"), default="reference", help="policy to play")
    given = parser.parse_args()
    rates = [rate(given.env_id, level, given.episodes, given.policy) for level in range(1, 11)]
    print(given.env_id, " ".join(f"{share:.3f}" for share in rates))


if __name__ == "__main__":
    main()
