"""Verdict -> reward.

A reward is a weighted sum of named parts of a verdict: ``accuracy`` is its score, every other name one of its components
(``format``: the answer came in the form that was asked for). The default is accuracy alone. An ``error`` has no reward: NaN
in Python, null on the wire, whatever the weights::

    reward = WeightedReward({"accuracy": 1.0, "format": 0.1})
    reward(verdict)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from envhub.errors import InvalidParameters, nearest
from envhub.types import Verdict

ACCURACY = "accuracy"


@dataclass(frozen=True, slots=True)
class WeightedReward:
    """The weighted sum of parts of a verdict; a part the verdict lacks counts 0.

    Attributes:
        weights: Weight by part. Range of the reward: from the sum of the negative weights to that of the positive.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: {ACCURACY: 1.0})

    def __post_init__(self) -> None:
        for name, weight in self.weights.items():
            if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not math.isfinite(weight):
                raise InvalidParameters(f"The weight of the reward {name!r} is a finite number, got {weight!r}.")

        if not math.isfinite(sum(map(abs, self.weights.values()))):
            raise InvalidParameters("The weights of a reward are too large: their sum is not finite.")

    def check(self, components: Iterable[str]) -> None:
        """Refuse weights of what the verdicts of an environment do not have, which would silently pay nothing.

        Raises:
            InvalidParameters: A weight is neither ``accuracy`` nor one of ``components``.
        """
        known = sorted({ACCURACY, *components})
        for name in self.weights:
            if name not in known:
                raise InvalidParameters(
                    f"No part {name!r} to weigh in a reward; there are {', '.join(known)}.{nearest(name, known)}"
                )

    def __call__(self, verdict: Verdict) -> float:
        """The reward of a verdict; NaN when its status is ``error``."""
        if verdict.score is None:
            return math.nan
        total = 0.0
        for name, weight in self.weights.items():
            total += weight * (verdict.score if name == ACCURACY else verdict.components.get(name, 0.0))
        return total
