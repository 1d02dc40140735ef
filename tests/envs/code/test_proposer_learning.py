"""A proposer that learns from the environment's reward: its tasks' solve rate goes to the target, and with permuted rewards
it does not.

The proposer is a bandit: it chooses the number of additions of a program, from few (everybody solves it) to many (nobody
does), by softmax preferences that follow the reward (REINFORCE with the batch's mean as baseline). The environment judges
every proposal in the jail.
"""

from __future__ import annotations

from math import exp, fsum
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.envs.code.proposer.arguments import call, domain
from envhub.envs.code.proposer.templates import packed, program

pytestmark = pytest.mark.nightly
ARMS = tuple(range(0, 64, 4))
STEPS, BATCH, RATE = 60, 16, 0.6


def proposals(problem: dict[str, Any]) -> list[str]:
    """One proposal per arm."""
    arguments = domain(problem["argument"])[17]
    found = []
    for arm in ARMS:
        lines = packed([3 + 7 * at % 90 for at in range(arm)])
        text = program(problem["argument"], problem["constructs"], lines, "r % 997", 5, 2)
        found.append(f"```python\n{text}\n\n{call(arguments)}\n```")
    return found


def judged(seed: int) -> tuple[float, list[tuple[float, float]]]:
    """The target, and the reward and the solve rate of each arm as the environment judges it."""
    env = envhub.make("proposer-v0", difficulty=1, kind="deduction")
    for more in range(200):
        env.reset(seed=seed + more)
        if env.task.problem["returns"] == "int" and env.task.problem["slip"] >= 2:
            break
    results = []
    for text in proposals(env.task.problem):
        verdict = env.fork().step(text)[4]["verdict"]
        parts = verdict["components"]
        results.append((parts.get("learnability", 0.0), parts.get("rate", 1.0)))
    return env.task.problem["target"] / 100, results


def learned(arms: list[tuple[float, float]], seed: int, permuted: bool) -> list[tuple[float, float]]:
    """The mean reward and the mean solve rate before and after learning."""
    rng, weights = Stream(b"bandit", seed), [0.0] * len(arms)

    def shares() -> list[float]:
        raised = [exp(weight - max(weights)) for weight in weights]
        return [each / fsum(raised) for each in raised]

    def drawn() -> int:
        left = rng.below(10**9) / 10**9
        for at, share in enumerate(shares()):
            left -= share
            if left < 0:
                return at
        return len(arms) - 1

    def mean() -> tuple[float, float]:
        now = shares()
        return tuple(fsum(share * arm[k] for share, arm in zip(now, arms, strict=True)) for k in (0, 1))  # type: ignore[return-value]

    before = mean()
    for _ in range(STEPS):
        chosen = [drawn() for _ in range(BATCH)]
        rewards = [arms[at][0] for at in chosen]
        if permuted:
            rng.shuffle(rewards)
        middle, now, steps = fsum(rewards) / BATCH, shares(), [0.0] * len(arms)
        for at, reward in zip(chosen, rewards, strict=True):
            for other in range(len(arms)):
                steps[other] += RATE * (reward - middle) * ((other == at) - now[other])
        weights = [weight + step for weight, step in zip(weights, steps, strict=True)]
    return [before, mean()]


def test_the_reward_rises_while_the_solve_rate_goes_to_the_target() -> None:
    for seed in (0, 1_000, 2_000):
        target, arms = judged(seed)
        assert max(reward for reward, _ in arms) > 0.8
        before, after = learned(arms, seed, permuted=False)
        assert after[0] > before[0] + 0.3
        assert abs(after[1] - target) < 0.08
        control = [learned(arms, seed + run, permuted=True)[1][0] for run in range(8)]
        assert fsum(control) / 8 < before[0] + 0.2
        assert after[0] > max(control) - 0.05
