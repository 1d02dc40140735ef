"""The package's stateful functions as a resource of an episode.

A process imports the package's classes from the user's copy. It plays one episode at a time, is used again, and is rebuilt by
its calls if it is lost::

    Turns.resources = {"api": Interfaces()}
"""

from __future__ import annotations

import os
import sys
from typing import Final

from envhub.adapters.bfcl import inside
from envhub.adapters.bfcl.conversations import chosen, named, root
from envhub.adapters.shared.programs import Program, Programs, clipped
from envhub.core.effects import Effect, Exec, Live, Outcome, Query, Resource
from envhub.core.errors import ResourceError
from envhub.core.types import JSON
from envhub.generators.user_files.bundles import bundle_at

INTERPRETER: Final = "ENVHUB_BFCL_PYTHON"
_STOPPED: Final = "Error during execution: the function did not finish."
_programs: Final[Programs[Program]] = Programs()


class Interfaces(Resource):
    """The package's instances of an episode, rebuilt by their calls."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """New instances."""
        return _Instances(problem)

    def ruined(self, effect: Effect) -> Outcome | None:
        """A call that ended its process twice is an error."""
        return Outcome(_STOPPED) if isinstance(effect, Exec) else None


class _Instances(Live):
    def __init__(self, problem: JSON) -> None:
        bundle = bundle_at(problem["path"], problem["digest"], chosen)
        place = root(bundle)
        python = os.environ.get(INTERPRETER) or sys.executable
        self._source = (place, problem["digest"])
        self._program = _programs.take(
            self._source, lambda: Program([python, "-s", inside.__file__, place], "bfcl-eval")
        )
        found = named(bundle, problem)
        try:
            self._program.ask({"open": list(found.classes), "config": found.config})
        except ResourceError:
            self._program.end()
            raise

    def perform(self, effect: Effect) -> Outcome:
        """A call of an ``Exec``, or the right calls of a ``Query``."""
        found = self._program.ask(effect.payload)
        return Outcome("", found) if isinstance(effect, Query) else Outcome(clipped(found["text"]))

    def close(self) -> None:
        """Keep the process for another episode."""
        _programs.give_back(self._source, self._program)


def end_all() -> None:
    """End the processes that wait for another episode."""
    _programs.end_all()
