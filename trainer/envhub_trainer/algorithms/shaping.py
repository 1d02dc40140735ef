"""Length shaping: an addition to an episode's reward for its length.

Each is called ``(episode) -> float``; length is the number of tokens the policy sampled in the whole episode, over all its
turns, and is compared with the budget of the whole episode (``Episode.budget``).
"""

from __future__ import annotations

from dataclasses import dataclass

from envhub_trainer.algorithms.checks import within
from envhub_trainer.episode import Episode


@dataclass(frozen=True)
class SoftOverlong:
    """DAPO's soft overlong punishment.

    In the last ``buffer`` tokens of the budget the reward falls linearly by ``penalty``:

    0 up to budget - buffer, then -penalty * (length - (budget - buffer)) / buffer, and -penalty beyond the budget.

    Source: Yu et al. 2025, DAPO (2503.14476), equation 13, which has penalty 1; their buffer is 4,096 of 20,480 tokens.

    Worked example: budget 100, buffer 20: 80 tokens give 0, 90 give -0.5, 100 or more give -1.

    Attributes:
        buffer: Tokens, at most the budget; None means a fifth of the budget, the paper's proportion.
        penalty: Penalty at the end of the budget.
    """

    buffer: int | None = None
    penalty: float = 1.0

    def __post_init__(self) -> None:
        if self.buffer is not None:
            within("SoftOverlong", "buffer", self.buffer, 1, whole=True)
        within("SoftOverlong", "penalty", self.penalty, 0)

    def __call__(self, episode: Episode) -> float:
        """The addition, from -penalty to 0; ValueError if buffer exceeds budget."""
        budget = _budget(episode)
        buffer = max(budget // 5, 1) if self.buffer is None else self.buffer
        if buffer > budget:
            raise ValueError(
                f"The overlong buffer must be at most the episode's budget of {budget} tokens, got {buffer}."
            )
        over = episode.sampled - (budget - buffer)
        return -self.penalty * min(over / buffer, 1.0) if over > 0 else 0.0


@dataclass(frozen=True)
class LengthPenalty:
    """A penalty on every token: -coefficient * length / budget.

    Our own, and the simplest possible; it also makes wrong answers shorter.

    Worked example: coefficient 0.1, 50 of 100 tokens: -0.05.

    Attributes:
        coefficient: The penalty for using the whole budget.
    """

    coefficient: float

    def __post_init__(self) -> None:
        within("LengthPenalty", "coefficient", self.coefficient, 0)

    def __call__(self, episode: Episode) -> float:
        """Return the addition, at most 0."""
        return -self.coefficient * episode.sampled / _budget(episode)


def _budget(episode: Episode) -> int:
    """The episode's budget, which must be known."""
    within("shaping", "the budget of an episode", episode.budget, 1, whole=True)
    return episode.budget
