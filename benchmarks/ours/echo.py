"""Echo environment, the minimal work of a turn.

Same as the echo environment of OpenEnv's template: it returns the text, and its length sets the reward. An episode ends at
the turn limit, so that the journal may drop it. The cost of a turn is the server's own.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from envhub.authoring import Environment
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn


class Echo(Environment):
    """Echo. Action: any text."""

    split_by: ClassVar[Literal["content", "seed", "none"]] = "none"
    max_turns: ClassVar[int] = 60

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({})

    def prompt(self, problem: JSON) -> str:
        return "Say something, and it is said again."

    def directions(self, problem: JSON) -> str:
        return "Any text will do."

    def begin(self, inst: Instance, rng: Stream) -> int:
        return 0

    def advance(self, inst: Instance, state: int, action: str, rng: Stream) -> Turn:
        return Turn(state + 1, action)

    def oracle(self, inst: Instance, state: int) -> str:
        return "hello"
