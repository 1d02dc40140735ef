"""Student's two-sided 95 % interval of a mean of few measurements."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_T: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""The 97.5 % quantile of Student's t with 1, 2, ... degrees of freedom."""


@dataclass(frozen=True)
class Interval:
    """A mean with its interval; for one measurement the bounds are NaN."""

    low: float
    mean: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Interval:
        """The interval of 1 to 10 independent measurements.

        Raises:
            ValueError: There are no measurements, or more than 10.
        """
        if not 1 <= len(values) <= len(_T) + 1:
            raise ValueError(f"1 to {len(_T) + 1} measurements have an interval here, got {len(values)}.")
        mean = statistics.fmean(values)
        if len(values) == 1:
            return cls(math.nan, mean, math.nan)
        half = _T[len(values) - 2] * statistics.stdev(values) / math.sqrt(len(values))
        return cls(mean - half, mean, mean + half)

    @property
    def verdict(self) -> str:
        """Whether a difference with this interval is significant, as text."""
        if math.isnan(self.low):
            return "one run"
        return "better" if self.low > 0 else "worse" if self.high < 0 else "within noise"

    def __str__(self) -> str:
        if math.isnan(self.low):
            return f"{self.mean:+.3f}"
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"
