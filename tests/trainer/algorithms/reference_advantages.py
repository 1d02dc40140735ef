"""Advantages from the papers, in loops; one entry a prediction, 0 where the mask is 0.

Statistics of a group are over its episodes, never over rows; the sampled tokens of an episode's rows are one trajectory.
"""

from __future__ import annotations

from itertools import chain

from tests.trainer.algorithms.cases import Case
from tests.trainer.algorithms.plain import EPSILON, Real, Settings, deviation, mean, of_episodes, over_tokens, whitened


def shortest(case: Case, k: int) -> list[bool]:
    """GFPO, section 3: of each group the k episodes with the fewest tokens."""
    kept = []
    for group in set(case.group):
        members = [e for e, g in enumerate(case.group) if g == group]
        kept += sorted(members, key=lambda e: case.length(e))[:k]
    return [e in kept for e in range(len(case.score))]


def centred(case: Case, scores: list[float], std: str) -> list[float]:
    """GRPO (std "group"), Dr. GRPO ("none"), LitePPO ("batch"): of each episode, over the included ones of its group."""
    values = []
    for episode, group in enumerate(case.group):
        peers = [scores[e] for e, g in enumerate(case.group) if g == group and case.included[e]]
        if not case.included[episode] or len(peers) == 1 or max(peers) == min(peers):
            values.append(0.0)
            continue
        if std == "none":
            scale = 1.0
        elif std == "group":
            scale = deviation(peers) + EPSILON
        else:
            scale = deviation([s for s, kept in zip(scores, case.included, strict=True) if kept]) + EPSILON
        values.append((scores[episode] - mean(peers)) / scale)
    return values


def group_relative(case: Case, s: Settings) -> Real:
    return of_episodes(case, centred(case, case.score, s.std))


def penalties(case: Case, beta: float) -> Real:
    """InstructGPT's KL in the reward: -beta log(pi_old / pi_ref) of each token."""
    rows = case.rows
    return over_tokens(case, lambda b, t: -beta * (rows[b].old[t] - rows[b].ref[t]))  # type: ignore[return-value]


def leave_one_out(case: Case, s: Settings) -> Real:
    """RLOO: R_i less the mean of the others, where R has the whole sequence's KL in it."""
    paid = penalties(case, s.beta)
    scores = list(case.score)
    for row, amounts in zip(case.rows, paid, strict=True):
        scores[row.episode] += sum(amounts)
    values = []
    for episode, group in enumerate(case.group):
        others = [scores[e] for e, g in enumerate(case.group) if g == group and e != episode]
        values.append(scores[episode] - mean(others) if others else 0.0)
    return of_episodes(case, values)


def greedy_baseline(case: Case, s: Settings) -> Real:
    """ReMax, algorithm 1: R less the reward of the greedy answer to the same prompt."""
    return of_episodes(case, [r - g for r, g in zip(case.score, case.greedy, strict=True)])


def trajectory(case: Case, episode: int) -> list[tuple[int, int]]:
    """Where the sampled tokens of an episode are: numbers of rows and positions, first to last."""
    return [(b, t) for b, row in enumerate(case.rows) if row.episode == episode for t in row.sampled]


def to_go(case: Case, s: Settings) -> Real:
    """REINFORCE++, eq. 4 and 5: A_t = R - beta * sum_{i >= t} log(pi_old / pi_ref)_i, whitened over the batch."""
    paid = penalties(case, s.beta)
    values = [[0.0] * len(row.mask) for row in case.rows]
    for episode, score in enumerate(case.score):
        tokens = trajectory(case, episode)
        for n, (b, t) in enumerate(tokens):
            values[b][t] = score + sum(paid[c][u] for c, u in tokens[n:])
    return whitened(case, values)


def globally_normalised(case: Case, s: Settings) -> Real:
    """REINFORCE++ with baseline, eq. 6 and 7: R less its group's mean, then whitened over the batch."""
    return whitened(case, of_episodes(case, centred(case, case.score, "none")))


def gae(case: Case, s: Settings) -> tuple[Real, Real]:
    """Schulman 2015, eq. 16: A_t = sum_l (gamma lambda)^l delta_{t+l} over sampled tokens only; and A + V.

    VAPO: lambda = 1 - 1 / (alpha l) for the policy, at least 0, and one of its own for A + V.
    """
    paid = penalties(case, s.beta)
    advantage = [[0.0] * len(row.mask) for row in case.rows]
    returns = [[0.0] * len(row.mask) for row in case.rows]
    for episode in range(len(case.score)):
        tokens = trajectory(case, episode)
        value = [case.rows[b].value[t] for b, t in tokens] + [0.0]  # nothing comes after the last
        deltas = [
            case.rows[b].reward[t] + paid[b][t] + s.gamma * value[n + 1] - value[n] for n, (b, t) in enumerate(tokens)
        ]
        lam = s.lam if s.alpha is None else max(0.0, 1 - 1 / (s.alpha * len(tokens))) if tokens else 0.0
        critic_lam = lam if s.critic_lam is None else s.critic_lam
        for n, (b, t) in enumerate(tokens):
            advantage[b][t] = sum((s.gamma * lam) ** k * delta for k, delta in enumerate(deltas[n:]))
            target = sum((s.gamma * critic_lam) ** k * delta for k, delta in enumerate(deltas[n:]))
            returns[b][t] = target + case.rows[b].value[t]
    return advantage, returns


def whitened_gae(case: Case, s: Settings) -> Real:
    return whitened(case, gae(case, s)[0])


def process_rewards(case: Case, s: Settings) -> Real:
    """PRIME, eq. 5, whitened: rewards to go less the others' mean of means, and the outcome less the others'."""

    def others(episode: int, values: list[float]) -> float:
        group = case.group[episode]
        found = [values[e] for e, g in enumerate(case.group) if g == group and e != episode and case.included[e]]
        return mean(found) if found else 0.0

    means = []
    for episode in range(len(case.score)):
        rewards = [case.rows[b].process[t] for b, t in trajectory(case, episode)]
        means.append(mean(rewards) if rewards else 0.0)
    values = [[0.0] * len(row.mask) for row in case.rows]
    for episode, group in enumerate(case.group):
        if sum(g == group for g in case.group) == 1:
            continue
        tokens = trajectory(case, episode)
        outcome = case.score[episode] - others(episode, case.score)
        better = [case.rows[b].process[t] - others(episode, means) for b, t in tokens]
        for n, (b, t) in enumerate(tokens):
            values[b][t] = outcome + sum(s.gamma**k * r for k, r in enumerate(better[n:]))
    return whitened(case, values)


def single_stream(case: Case, s: Settings) -> Real:
    """SPO: R less the tracked value, normalised over the answers of the batch."""
    better = [r - v for r, v in zip(case.score, case.baseline, strict=True)]
    return of_episodes(case, [(x - mean(better)) / (deviation(better) + 1e-8) for x in better])


def role_conditioned(case: Case, s: Settings) -> Real:
    """SPIRAL: R less the role's baseline."""
    return of_episodes(case, [r - b for r, b in zip(case.score, case.baseline, strict=True)])


def gains(case: Case, s: Settings) -> Real:
    """SPO and TreeRL: a token has its segment's gain."""
    return over_tokens(case, lambda b, t: case.rows[b].gain[t])  # type: ignore[return-value]


def whitened_gains(case: Case, s: Settings) -> Real:
    """VinePPO: the same, normalised as PPO's advantages are."""
    return whitened(case, gains(case, s))


def covariances(case: Case, advantage: Real) -> dict[tuple[int, int], float]:
    """Cui 2025, eq. 10, of every sampled token: keyed by row and position."""
    places = list(chain.from_iterable([(b, t) for t in row.sampled] for b, row in enumerate(case.rows)))
    centre = mean([case.rows[b].logp[t] for b, t in places])
    middle = mean([advantage[b][t] for b, t in places])
    return {(b, t): (case.rows[b].logp[t] - centre) * (advantage[b][t] - middle) for b, t in places}
