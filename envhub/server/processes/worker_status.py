"""How many workers serve and what keeps the others from it: written by their supervisor, read by each of them.

It lies in memory that they share, every number in a word of its own. There is no lock, which a worker that is killed could take
with it; so a reader may meet the numbers of two moments, and sees at its next look what is true. ::

    board = Board()                                     # before the workers are started, which it is given to
    board.write(Crew(wanted=4, serving=3, ended=1, error=errno.ENOMEM))
    board.read().reason
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from envhub.core.types import JSON
from envhub.workers import processes


@dataclass(frozen=True, slots=True)
class Crew:
    """The workers of a server at one moment.

    Attributes:
        wanted: How many there are to be.
        serving: How many answer.
        ended: How many have ended since the start though nobody had asked them to.
        error: Why the last that was to be started could not be, an ``errno``; 0 where it could.
    """

    wanted: int
    serving: int
    ended: int = 0
    error: int = 0

    @property
    def reason(self) -> str | None:
        """Why not all of them serve; None where they do."""
        missing = self.wanted - self.serving
        if missing <= 0:
            return None
        if self.error:
            why = f"a process could not be started ({os.strerror(self.error)})"
        elif self.ended:
            why = f"{self.ended} have ended since the start"
        else:
            why = "they are being started"
        return f"{missing} of {self.wanted} workers do not serve: {why}. The server's log says more."

    def to_json(self) -> dict[str, JSON]:
        """As ``/ready`` shows it."""
        return {"wanted": self.wanted, "serving": self.serving, "ended": self.ended, "reason": self.reason}


class Board:
    """Where the supervisor writes and the workers read; given to a worker when it is started."""

    def __init__(self) -> None:
        self._words = processes.context().RawArray("q", 4)

    def write(self, crew: Crew) -> None:
        """Let every worker know."""
        self._words[:] = [crew.wanted, crew.serving, crew.ended, crew.error]

    def read(self) -> Crew:
        """What was written last."""
        return Crew(*self._words[:])
