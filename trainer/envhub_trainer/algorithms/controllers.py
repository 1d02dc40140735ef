"""Controllers: coefficients that follow a measurement from step to step.

A controller owns the coefficient of one choice of a row. After each step :func:`controlled` returns the row with the new
coefficients; :func:`coefficients` and :func:`with_coefficients` are for checkpoints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from envhub_trainer.algorithms.checks import within
from envhub_trainer.algorithms.regularisers import Entropy, Kl

if TYPE_CHECKING:
    from envhub_trainer.algorithms.row import Algorithm


class Controller(Protocol):
    """Owns a coefficient."""

    def read(self, row: Algorithm) -> float:
        """The coefficient in a row."""

    def written(self, row: Algorithm, coefficient: float) -> Algorithm:
        """The row with another coefficient."""

    def moved(self, coefficient: float, told: Mapping[str, float]) -> float:
        """The coefficient after a step with these statistics."""


@dataclass(frozen=True)
class AdaptiveKl:
    """Keeps the divergence near a target by the KL coefficient.

    c <- c (1 + rate * e), e = KL / target - 1, cut to [-0.2, 0.2]. KL is ``kl_ref`` of the log, the divergence from the
    reference in nats per token (k3). The coefficient is that of the term in the loss, or else ``beta`` in the reward.

    Source: Ziegler et al. 2019, "Fine-Tuning Language Models from Human Preferences" (1909.08593), section 2.2, rate 0.1; their
    divergence is per sequence.

    Worked example: target 0.01, KL 0.03: e = 2, cut to 0.2, c = 0.04 becomes 0.0408.

    Attributes:
        target: Divergence in nats per token, above 0.
        rate: Gain of the controller.
    """

    target: float
    rate: float = 0.1

    def __post_init__(self) -> None:
        within("AdaptiveKl", "target", self.target, 1e-9)
        within("AdaptiveKl", "rate", self.rate, 0, 5)

    def read(self, row: Algorithm) -> float:
        """The coefficient in the loss, or in the reward."""
        found = [each.coefficient for each in row.regularisers if isinstance(each, Kl)]
        return found[0] if found else float(getattr(row.advantage, "beta", 0.0))

    def written(self, row: Algorithm, coefficient: float) -> Algorithm:
        """The row with another coefficient."""
        if any(isinstance(each, Kl) for each in row.regularisers):
            return _with(row, Kl, coefficient)
        return replace(row, advantage=replace(row.advantage, beta=coefficient))  # type: ignore[type-var]

    def moved(self, coefficient: float, told: Mapping[str, float]) -> float:
        """The coefficient after a step."""
        error = min(max(told["kl_ref"] / self.target - 1, -0.2), 0.2)
        return coefficient * (1 + self.rate * error)


@dataclass(frozen=True)
class EntropyTarget:
    """Keeps the entropy above a target by the coefficient of its bonus.

    c <- c + step where the entropy is below the target, else max(c - step, 0).

    Source: He et al. 2025, Skywork-OR1 (2505.22312), adaptive entropy control; target 0.2, step 0.005. There the bonus is also
    off at once while the entropy is above the target; here it fades, so that the row alone is the state.

    Worked example: target 0.2, c = 0.01: an entropy of 0.15 gives 0.015, one of 0.3 gives 0.005.

    Attributes:
        target: Entropy in nats per token.
        step: Change of the coefficient in each step.
    """

    target: float
    step: float = 0.005

    def __post_init__(self) -> None:
        within("EntropyTarget", "target", self.target, 1e-9)
        within("EntropyTarget", "step", self.step, 0)

    def read(self, row: Algorithm) -> float:
        """The coefficient of the bonus."""
        return next(each.coefficient for each in row.regularisers if isinstance(each, Entropy))

    def written(self, row: Algorithm, coefficient: float) -> Algorithm:
        """The row with another coefficient."""
        return _with(row, Entropy, coefficient)

    def moved(self, coefficient: float, told: Mapping[str, float]) -> float:
        """The coefficient after a step."""
        return max(coefficient + (self.step if told["entropy"] < self.target else -self.step), 0.0)


def coefficients(row: Algorithm) -> list[float]:
    """The coefficients that controllers own, in their order."""
    return [controller.read(row) for controller in row.controllers]


def with_coefficients(row: Algorithm, values: Sequence[float]) -> Algorithm:
    """The row with other such coefficients."""
    for controller, value in zip(row.controllers, values, strict=True):
        row = controller.written(row, value)
    return row


def controlled(row: Algorithm, told: Mapping[str, float]) -> Algorithm:
    """The row for the step after one with these statistics."""
    now = zip(row.controllers, coefficients(row), strict=True)
    return with_coefficients(row, [controller.moved(value, told) for controller, value in now])


def _with(row: Algorithm, kind: type[Kl] | type[Entropy], coefficient: float) -> Algorithm:
    def changed(part: Any) -> Any:
        return replace(part, coefficient=coefficient) if isinstance(part, kind) else part

    return replace(row, regularisers=tuple(changed(part) for part in row.regularisers))
