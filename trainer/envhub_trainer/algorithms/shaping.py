"""Length shaping: an addition to an episode's reward for its length.

Each is called ``(episode, max_tokens) -> float``; length is the number of tokens the policy sampled in the whole episode and
``max_tokens`` is the budget for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from envhub_trainer.algorithms.checks import within
from envhub_trainer.episode import Episode


@dataclass(frozen=True)
class SoftOverlong:
    """DAPO's soft overlong punishment.

    In the last ``buffer`` tokens of the budget the reward falls linearly by ``penalty``:

    0 up to max_tokens - buffer, then -penalty * (length - (max_tokens - buffer)) / buffer, and -penalty beyond the budget.

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

    def __call__(self, episode: Episode, max_tokens: int) -> float:
        """Return the addition, from -penalty to 0.

        Raises:
            ValueError: The buffer is longer than the budget.
        """
        buffer = max(max_tokens // 5, 1) if self.buffer is None else self.buffer
        if buffer > max_tokens:
            raise ValueError(f"The overlong buffer is at most the budget of {max_tokens} tokens, got {buffer}.")
        over = episode.sampled - (max_tokens - buffer)
        return -self.penalty * min(over / buffer, 1.0) if over > 0 else 0.0


@dataclass(frozen=True)
class LengthPenalty:
    """A penalty on every token: -coefficient * length / max_tokens.

    Our own, and the simplest possible; it also makes wrong answers shorter.

    Worked example: coefficient 0.1, 50 of 100 tokens: -0.05.

    Attributes:
        coefficient: The penalty for using the whole budget.
    """

    coefficient: float

    def __post_init__(self) -> None:
        within("LengthPenalty", "coefficient", self.coefficient, 0)

    def __call__(self, episode: Episode, max_tokens: int) -> float:
        """Return the addition, at most 0."""
        return -self.coefficient * episode.sampled / max_tokens
