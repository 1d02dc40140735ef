"""tau2's tools as a resource: a process in the checkout's own interpreter.

::

    with lent("/home/me/tau2-bench") as process:
        opened = process.ask({"open": "retail", "start": None})     # its policy and tools
        process.ask({"call": "get_user_details", "by": "assistant", "arguments": {"user_id": "mei_1"}})

The interpreter is ``ENVHUB_TAU2_PYTHON``, or ``.venv/bin/python`` of the checkout as ``uv sync`` makes it. The checkout's
code is trusted as an installed package is: it runs as this user, with limits on memory, files and CPU time, and without the
environment's variables. A process that is lost is rebuilt by its calls. A call that ends its process twice is answered with
an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from envhub.adapters.shared.programs import Program, Programs, clipped
from envhub.adapters.tau2 import inside
from envhub.adapters.tau2.tasks import checkout_at, tasks
from envhub.core.effects import Effect, Exec, Live, Outcome, Resource
from envhub.core.errors import ResourceError
from envhub.core.types import JSON

INTERPRETER: Final = "ENVHUB_TAU2_PYTHON"
_STOPPED: Final = "Error: the tool did not finish, so nothing was changed."


def interpreter(checkout: str) -> str:
    """The Python with the packages that tau2 needs.

    Raises:
        ResourceError: It does not exist.
    """
    named = os.environ.get(INTERPRETER) or os.path.join(checkout, ".venv", "bin", "python")
    if not os.access(named, os.X_OK):
        raise ResourceError(
            f"There is no interpreter {named!r} for tau2. Run `uv sync` in {checkout!r}, or name one in {INTERPRETER}."
        )
    return named


class Process(Program):
    """A process with one environment at a time."""

    def __init__(self, checkout: str) -> None:
        super().__init__([interpreter(checkout), "-s", inside.__file__, os.path.abspath(checkout)], "tau2")


_processes: Final[Programs[Process]] = Programs()


@contextmanager
def lent(checkout: str, digest: str = "") -> Iterator[Process]:
    """A process for a short use, with the code of this digest."""
    process = _processes.take((checkout, digest), lambda: Process(checkout))
    try:
        yield process
    finally:
        _processes.give_back((checkout, digest), process)


class Desks(Resource):
    """An environment of tau2 per episode.

    A lost one is rebuilt by its calls.
    """

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """The domain of a problem in its initial state."""
        return _Episode(problem)

    def ruined(self, effect: Effect) -> Outcome | None:
        """A call that ended its process twice is an error."""
        return Outcome(_STOPPED, {"error": True}) if isinstance(effect, Exec) else None


class _Episode(Live):
    def __init__(self, problem: JSON) -> None:
        found = tasks(problem["path"], problem["digest"], problem["domain"], problem["file"], "")
        self._start = next(each.start for each in found if each.id == problem["id"])
        checkout = checkout_at(problem["path"], problem["digest"])
        self._source = (checkout, problem["digest"])
        self._process = _processes.take(self._source, lambda: Process(checkout))
        try:
            self._process.ask({"open": problem["domain"], "start": self._start})
        except ResourceError:
            self._process.end()
            raise

    def perform(self, effect: Effect) -> Outcome:
        """A call of an ``Exec``, or the criteria of a ``Query``."""
        if isinstance(effect, Exec):
            answer = self._process.ask(effect.payload)
            return Outcome(clipped(answer["text"]), {"error": answer["error"]})
        found = self._process.ask({"judge": effect.payload, "start": self._start})
        return Outcome("", {"db": found["db"], "assertions": found["assertions"]})

    def close(self) -> None:
        """Keep the process for another episode."""
        _processes.give_back(self._source, self._process)


def end_all() -> None:
    """End the processes that wait for another episode."""
    _processes.end_all()
