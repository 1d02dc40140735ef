"""World: many turns, each with one action."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from typing import Any, ClassVar, Final

from envhub.authoring.environment import Acting, Environment, rejected
from envhub.core.effects import Effect, Outcome
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn
from envhub.verifiers.answers.types import UNREAD

_OPENING: Final = "In each message, give"


class World(Environment):
    """Many turns, each with one action. Base of games and simulated worlds."""

    max_turns: ClassVar[int] = 64

    @abstractmethod
    def act(self, inst: Instance, state: Any, value: Any, rng: Stream) -> Acting:
        """Play one turn with a parsed action.

        ``rng`` is keyed by task, turn seed and turn number.
        """

    @abstractmethod
    def solve(self, inst: Instance, state: Any) -> str:
        """The next correct action, without tags."""

    def instruction(self) -> str:
        """The sentence that states the format of every action."""
        return self.answer.instruction(_OPENING)

    def directions(self, problem: JSON) -> str:
        """The end of the prompt: how to answer in each message."""
        example = self.example(problem)
        return self.format_sentence if example == self.answer.example else self.answer.instruction(_OPENING, example)

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Read the action and act. An unreadable action uses up the turn."""
        value = self.answer.glance(action)
        if value is not UNREAD:
            acted = self.act(inst, state, value, rng)
            if isinstance(acted, Turn) and acted.verdict is None:
                return acted
            return _ended(acted, *self.answer.glanced(action))
        reading = self.answer.read(action)
        if reading.reason is not None:
            return rejected(self.reject(inst, state, reading.reason, reading.feedback), reading.reason)
        return _ended(self.act(inst, state, reading.value, rng), reading.text, reading.formatted)

    def oracle(self, inst: Instance, state: Any) -> str:
        """The next correct action in the requested form."""
        return self.answer.wrap(self.solve(inst, state))


def _ended(acted: Acting, text: str, formatted: bool) -> Acting:
    """What ``act`` returned, with the answer noted in the verdict."""
    return _noted(acted, text, formatted) if isinstance(acted, Turn) else _await_act(acted, text, formatted)


def _noted(turn: Turn, text: str, formatted: bool) -> Turn:
    if turn.verdict is not None:
        turn.verdict = turn.verdict.noting(text, format=float(formatted))
    return turn


def _await_act(
    acting: Generator[Effect, Outcome, Turn], text: str, formatted: bool
) -> Generator[Effect, Outcome, Turn]:
    return _noted((yield from acting), text, formatted)
