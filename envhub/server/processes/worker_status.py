"""How many workers serve, and why others do not.

Written by the supervisor, read by every worker. The status is in shared memory without a lock, which a killed worker
could leave locked. A reader may see a mix of two writes; its next read is right. ::

    shared = SharedWorkerStatus()                       # created before the workers, passed to each
    shared.write(WorkerStatus(wanted=4, serving=3, ended=1, error=errno.ENOMEM))
    shared.read().reason
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from envhub.core.types import JSON
from envhub.workers import processes


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """The workers of a server at one moment.

    Attributes:
        wanted: Number of workers the server should have.
        serving: Number of workers that serve.
        ended: Number of workers that ended unexpectedly since the start.
        error: The ``errno`` of the last attempt to start a worker; 0 if it succeeded.
    """

    wanted: int
    serving: int
    ended: int = 0
    error: int = 0

    @property
    def reason(self) -> str | None:
        """Why some workers do not serve; None if all do."""
        missing = self.wanted - self.serving
        if missing <= 0:
            return None
        if self.error:
            why = f"a process could not be started ({os.strerror(self.error)})"
        elif self.ended:
            why = f"{self.ended} ended unexpectedly since the start"
        else:
            why = "they are being started"
        return f"{missing} of {self.wanted} workers do not serve: {why}. The server's log says more."

    def to_json(self) -> dict[str, JSON]:
        """The status as ``/ready`` shows it."""
        return {"wanted": self.wanted, "serving": self.serving, "ended": self.ended, "reason": self.reason}


class SharedWorkerStatus:
    """A :class:`WorkerStatus` in memory that the supervisor and its workers share."""

    def __init__(self) -> None:
        self._words = processes.context().RawArray("q", 4)

    def write(self, status: WorkerStatus) -> None:
        """Publish a status to every worker."""
        self._words[:] = [status.wanted, status.serving, status.ended, status.error]

    def read(self) -> WorkerStatus:
        """The last status written."""
        return WorkerStatus(*self._words[:])
