"""A curriculum: adapts an environment's difficulty to the policy.

Tasks that are always or never solved teach a policy nothing: with group-relative advantages their gradient is zero. So
the level rises when the share of recent tasks solved is above a band, and falls when it is below::

    curriculum = Curriculum(target=(0.3, 0.7))
    env = make("sudoku-v0", difficulty=curriculum)     # episodes report their results to it
    curriculum.state_dict()                            # {"level": 4, "results": [1, 0, 1]}

One curriculum serves one environment; a mixture gives each member a copy.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, Self

from envhub.core.difficulty import LEVELS, check_difficulty
from envhub.core.errors import InvalidParameters, SnapshotMismatch
from envhub.core.seeding import Stream

_PARTS: Final = 1_000_000  # shares are drawn as multiples of 1/this


class Curriculum:
    """Keeps the solved share within a band by moving the level.

    Args:
        target: The band: above the second number the level goes up, below the first it goes down.
        start: The level to begin with.
        levels: The lowest and the highest level.
        window: Minimum number of results at a level before it changes; only the last ``window`` results count.
        review: Share of tasks from the levels below, to prevent forgetting.

    Raises:
        InvalidParameters: A value is invalid.
    """

    def __init__(
        self,
        target: tuple[float, float] = (0.3, 0.7),
        *,
        start: int = 1,
        levels: tuple[int, int] = (LEVELS[0], LEVELS[-1]),
        window: int = 32,
        review: float = 0.1,
    ) -> None:
        low, high = target
        if not 0 <= low < high <= 1:
            raise InvalidParameters(f"A target is two shares 0 <= low < high <= 1, got {target!r}.")
        check_difficulty(tuple(levels))
        if type(start) is not int or not levels[0] <= start <= levels[1]:
            raise InvalidParameters(f"start is a level {levels[0]}..{levels[1]}, got {start!r}.")
        if type(window) is not int or window < 1:
            raise InvalidParameters(f"window is a positive integer, got {window!r}.")
        if not 0 <= review < 1:
            raise InvalidParameters(f"review is a share 0 <= review < 1, got {review!r}.")
        self.target, self.levels, self.window, self.review = (low, high), (levels[0], levels[1]), window, review
        self._start = start
        self._reviewed = int(Fraction(review).limit_denominator(_PARTS) * _PARTS)
        self.level = start
        self._results: deque[int] = deque(maxlen=window)

    def __repr__(self) -> str:
        given = f"target={self.target}, start={self._start}, levels={self.levels}, window={self.window}"
        return f"Curriculum({given}, review={self.review})"

    def fresh(self) -> Self:
        """A new curriculum with the same settings, at the start."""
        return type(self)(self.target, start=self._start, levels=self.levels, window=self.window, review=self.review)

    def pick(self, rng: Stream) -> int:
        """The level of the next task: the current one, sometimes one below."""
        below = self.level - self.levels[0]
        if below and self._reviewed and rng.below(_PARTS) < self._reviewed:
            return self.levels[0] + rng.below(below)
        return self.level

    def note(self, level: int, solved: bool) -> None:
        """Record a result. Results from another level are ignored."""
        if level != self.level:
            return
        self._results.append(int(solved))
        if len(self._results) < self.window:
            return
        share = Fraction(sum(self._results), self.window)
        low, high = self.target
        if share > high and self.level < self.levels[1]:
            self._move(1)
        elif share < low and self.level > self.levels[0]:
            self._move(-1)

    def _move(self, by: int) -> None:
        self.level += by
        self._results.clear()

    def state_dict(self) -> dict[str, Any]:
        """Current state as JSON values; settings are the constructor's."""
        return {"level": self.level, "results": list(self._results)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state returned by :meth:`state_dict`.

        Raises:
            SnapshotMismatch: The state is invalid.
        """
        try:
            level, results = state["level"], list(state["results"])
        except (KeyError, TypeError):
            raise SnapshotMismatch(f"The state of a curriculum has level and results, got {state!r}.") from None
        if type(level) is not int or not self.levels[0] <= level <= self.levels[1]:
            raise SnapshotMismatch(f"The state's level is {level!r}; this curriculum has {self.levels}.")
        if len(results) > self.window or not set(results) <= {0, 1}:
            raise SnapshotMismatch(f"The state's results are at most {self.window} zeros and ones, got {results!r}.")
        self.level = level
        self._results = deque(results, maxlen=self.window)
