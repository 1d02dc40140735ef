"""Solve rates of rule-based solvers, and the rewards for them.

The rates are exact: a product or a ratio of binomial coefficients of counts that :mod:`envhub.envs.code.proposer.bench`
and :mod:`envhub.envs.code.proposer.library` return. No solver is sampled::

    deduced(12, 5)                  # a reader gets each of 12 operations wrong with probability 5%
    abducted(7, 91, 10)             # a searcher tries 10 of 91 inputs; 7 of the 91 are right
    learnability(0.4, 0.5)          # what a proposer is paid
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any, Final, Literal

Pays = Literal["target", "absolute-zero", "r-zero"]
WIDTH: Final = 0.3
"""Distance from the target at which the reward ``target`` is 0."""


def deduced(critical: int, slip: int) -> float:
    """The rate of a reader who must get every critical operation right.

    Args:
        critical: Number of different operations whose wrong result changes the answer.
        slip: Probability of getting an operation wrong, in percent.
    """
    return float((1 - slip / 100) ** critical)


def found_among(right: int, count: int, tries: int) -> float:
    """The probability that tries without repetition hit a right candidate."""
    tries = min(tries, count)
    return 1.0 - comb(count - right, tries) / comb(count, tries)


def abducted(hits: int, count: int, tries: int) -> float:
    """The rate of a searcher who tries inputs in random order."""
    return found_among(hits, count, tries)


def induced(right: int, consistent: int, count: int, tries: int) -> float:
    """The rate of a searcher who tries candidate functions in random order.

    The searcher answers with the first one that agrees with the shown calls. By symmetry it is right with probability
    ``right / consistent``.
    """
    return found_among(consistent, count, tries) * right / consistent if consistent else 0.0


def learnability(rate: float, target: float, pays: Pays = "target") -> float:
    """The reward of a valid proposal, from 0 to 1.

    ``target``: 1 at the target, falling linearly to 0 at a distance of :data:`WIDTH`. ``absolute-zero``: 1 - rate, but 0
    if nobody or everybody solves it (arXiv 2505.03335, learnability reward). ``r-zero``: 1 - 2 |rate - 1/2| (arXiv 2508.05004).
    A task that nobody or everybody solves earns 0 in every case.
    """
    if not 0.0 < rate < 1.0:
        return 0.0
    match pays:
        case "absolute-zero":
            return 1.0 - rate
        case "r-zero":
            return 1.0 - 2.0 * abs(rate - 0.5)
    return max(0.0, 1.0 - abs(rate - target) / WIDTH)


def succeeds(rate: float, problem: Mapping[str, Any]) -> bool:
    """Whether a rate is a success.

    Within the tolerance of what ``pays`` asks for, and neither 0 nor 1.
    """
    off, target = problem["tolerance"] / 100 + 1e-9, problem["target"] / 100
    if not 0.0 < rate < 1.0:
        return False
    if problem["pays"] == "absolute-zero":
        return bool(rate <= target + off)
    return bool(abs(rate - (target if problem["pays"] == "target" else 0.5)) <= off)
