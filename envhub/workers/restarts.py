"""Back-off for restarting a process that keeps ending.

The first restart is immediate. Each further failure in a row doubles the delay, from 0.25 s up to 10 s. A process that has run
for 30 s counts as stable, so its next failure is the first of a new row. ::

    backoff = RestartBackoff()
    backoff.record_failure(ran_s=2.0)
    time.sleep(backoff.delay_s)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

STABLE_S: Final = 30.0
"""Seconds after which a running process counts as stable."""
_FIRST_DELAY_S: Final = 0.25
_LONGEST_DELAY_S: Final = 10.0


def restart_delay_s(failures: int) -> float:
    """Seconds to wait before a restart after this many failures.

    The failures are in a row.
    """
    return 0.0 if failures <= 1 else float(min(_FIRST_DELAY_S * 2 ** min(failures - 2, 32), _LONGEST_DELAY_S))


@dataclass(slots=True)
class RestartBackoff:
    """One process's failures in a row, and its restart delay.

    Attributes:
        failures: Number of failures in a row.
    """

    failures: int = 0

    def record_failure(self, ran_s: float = 0.0) -> None:
        """Record that the process ended, or could not be started.

        Args:
            ran_s: Seconds it ran; 0 if it never started.
        """
        self.failures = 1 if ran_s >= STABLE_S else self.failures + 1

    @property
    def delay_s(self) -> float:
        """Seconds to wait before the next start."""
        return restart_delay_s(self.failures)

    def __str__(self) -> str:
        """The delay in words, for the log."""
        return f"in {self.delay_s:g} s, after {self.failures} failures in a row" if self.delay_s else "immediately"
