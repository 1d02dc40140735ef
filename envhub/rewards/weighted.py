"""Weights: a sum of named parts of a verdict.

``accuracy`` is the verdict's score, every other name one of its components (``format``: the answer had the requested
form). The default is accuracy alone::

    reward = WeightedReward({"accuracy": 1.0, "format": 0.1})
    reward(verdict)

Source: the rule-based reward of DeepSeek-R1, accuracy plus format (arXiv 2501.12948, section 2.2.2). Range: from the sum of
the negative weights to that of the positive. On error: NaN, whatever the weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.types import Verdict
from envhub.rewards.base import Judged, Reward, finite

ACCURACY = "accuracy"
ABUSE = "abuse"  # any verdict may have it, for an answer that broke its own judgement


@dataclass(frozen=True, slots=True)
class WeightedReward(Reward[Judged]):
    """The weighted sum of a verdict's parts; missing parts count as 0.

    Attributes:
        weights: Weight by part.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: {ACCURACY: 1.0})

    def __post_init__(self) -> None:
        for name, weight in self.weights.items():
            finite(weight, f"The weight of the reward {name!r}")
        if not math.isfinite(sum(map(abs, self.weights.values()))):
            raise InvalidParameters("The weights of a reward are too large: their sum is not finite.")

    def check(self, components: Iterable[str]) -> None:
        """Reject weights of components that an environment's verdicts do not have.

        Raises:
            InvalidParameters: A weight is neither ``accuracy`` nor one of ``components``.
        """
        known = sorted({ACCURACY, ABUSE, *components})
        for name in self.weights:
            if name not in known:
                raise InvalidParameters(
                    f"Unknown reward component {name!r}.{nearest(name, known)} Available: {', '.join(known)}."
                )

    def __call__(self, judged: Judged) -> float:
        """The weighted sum, or NaN if the status is ``error``."""
        verdict = judged if isinstance(judged, Verdict) else judged.verdict
        return math.nan if verdict.status == "error" or verdict.score is None else self.of(verdict)

    def of(self, judged: Judged) -> float:
        """The weighted sum."""
        verdict = judged if isinstance(judged, Verdict) else judged.verdict
        score = verdict.score or 0.0
        total = 0.0
        for name, weight in self.weights.items():
            total += weight * (score if name == ACCURACY else verdict.components.get(name, 0.0))
        return total
