"""guess-number-v0: find a secret number from "higher" and "lower".

Action: one integer a turn. After each wrong guess the reply says whether the secret is higher or lower. A guess
outside the range, or text that is not an integer, is reported and also costs a guess. Score 1 if it is found within the
guesses, else 0, and the secret is not revealed. Difficulty: a wider range with fewer spare guesses; from level 4 on,
only halving the range each time is sure to win.

The secret is hidden state, so splits are by seed: held-out seeds, not held-out secrets.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.guessing import GOAL
from envhub.verifiers.answers.types import AnswerType, Integer

_LEVELS: Final = (
    (200, 1),
    (500, 1),
    (1_000, 1),
    (1_000, 0),
    (2_000, 0),
    (5_000, 0),
    (10_000, 0),
    (50_000, 0),
    (100_000, 0),
    (1_000_000, 0),
)

_TASK: Final = Phrase(
    "I am thinking of a whole number. Find it in at most {guesses}.",
    "Guess my secret number, which is an integer. You have {guesses}.",
    "My secret number is an integer. Your task is to find it within {guesses}.",
    held_out="You are the guesser: identify the integer that I have chosen, using no more than {guesses}.",
)
_REPLY: Final = Phrase(
    "After each wrong guess, I tell you whether my number is higher or lower than your guess.",
    "If a guess is wrong, you learn whether my number is higher or lower than it.",
    "I answer every wrong guess by saying that my number is higher, or that it is lower.",
    held_out="The reply to an incorrect guess g is the sign of (my number - g), as the word higher or lower.",
)
_FIXED: Final = Phrase(
    "My number stays the same throughout.",
    "I do not change my number during the game.",
    "The number was chosen before your first guess, and it does not change.",
    held_out="The chosen integer is constant.",
)
_ONE: Final = Phrase(
    "Each message is one guess.",
    "Make exactly one guess per message.",
    "Send one guess in every message.",
    held_out="One message carries one guess.",
)
_WASTED: Final = Phrase(
    "A guess outside the range still counts, but tells you nothing. So does a message that is not a guess.",
    "A message that is not a guess, or a guess outside the range, uses up a guess without giving you any information.",
    "You also lose a guess, and learn nothing from it, if your guess is outside the range or your message is not a guess.",
    held_out="Messages without a guess and guesses outside the range are charged as guesses and yield no information.",
)


class Params(BaseParams):
    """The range and the number of guesses."""

    low: int = Field(1, ge=-1_000_000_000, le=1_000_000_000, description="the least the secret can be")
    high: int = Field(100, ge=-1_000_000_000, le=1_000_000_000, description="the greatest the secret can be")
    guesses: int = Field(7, ge=1, le=63, description="how many guesses there are")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low >= self.high:
            raise ValueError("low < high must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        high, spare = _LEVELS[difficulty - 1]
        return cls(high=high, guesses=high.bit_length() + spare)


class State(NamedTuple):
    """The range still possible, and the guesses left."""

    low: int
    high: int
    left: int


class GuessNumber(World):
    """Find a secret number by higher and lower."""

    Params = Params
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    max_turns: ClassVar[int] = 64
    answer: AnswerType = Integer()

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A secret."""
        return Instance({"low": p.low, "high": p.high, "guesses": p.guesses}, key=rng.between(p.low, p.high))

    def accepts(self, inst: Instance) -> bool:
        """Reject the secret that the prompt gives as an example."""
        return str(inst.key) != self.answer.example

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the range."""
        return Statement(
            task=_TASK,
            data=_DATA,
            problem=problem,
            rules=(_REPLY, _FIXED, _ONE, _WASTED),
            note=GOAL,
            values={"secret": "my number", "guesses": counted(problem["guesses"], "guess", "guesses")},
            frames=GAME_FRAMES,
        )

    def messages(self, problem: JSON) -> int:
        """Each message is a guess."""
        return int(problem["guesses"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The whole range is possible."""
        return State(inst.problem["low"], inst.problem["high"], inst.problem["guesses"])

    def act(self, inst: Instance, state: State, value: int, rng: Stream) -> Turn:
        """Answer higher, lower or found."""
        secret, problem = inst.key, inst.problem
        if value == secret:
            return Turn.end(state, Verdict.exact(True, f"{value} is my number. You found it."))
        low, high, left = state
        if not problem["low"] <= value <= problem["high"]:
            return rejected(self._next(State(low, high, left - 1), "That guess is outside the range."), "illegal")
        if value < secret:
            low = value + 1 if value >= low else low
            return self._next(State(low, high, left - 1), f"My number is higher than {value}.")
        high = value - 1 if value <= high else high
        return self._next(State(low, high, left - 1), f"My number is lower than {value}.")

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a guess."""
        return self._next(State(state.low, state.high, state.left - 1), feedback)

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Numbers just outside the range."""
        return [str(inst.problem["low"] - 1), str(inst.problem["high"] + 1)]

    def solve(self, inst: Instance, state: State) -> str:
        """Halve the range.

        With too few guesses left for that, give the secret.
        """
        width = state.high - state.low + 1
        return str(inst.key if width >> state.left else (state.low + state.high) // 2)

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random number of the range, ignoring the answers.

        The bounds more often.
        """
        low, high = inst.problem["low"], inst.problem["high"]
        return self.answer.wrap(str(rng.choice((low, high, *[rng.between(low, high)] * 6))))

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random number that agrees with the answers."""
        return self.answer.wrap(str(rng.between(state.low, state.high)))

    def effort(self, inst: Instance) -> float:
        """Guesses a perfect player needs in the worst case."""
        return float((inst.problem["high"] - inst.problem["low"] + 1).bit_length())

    def _next(self, state: State, said: str) -> Turn:
        left = state.left
        if left == 0:
            return Turn.end(state, Verdict.exact(False, f"{said} No guesses are left."))
        return Turn(state, f"{said} Guesses left: {left}.")


def _in_words(problem: JSON) -> str:
    return (
        f"My number is from {problem['low']} to {problem['high']}, both included. Guesses left: {problem['guesses']}."
    )


def _in_rows(problem: JSON) -> str:
    low, high, guesses = problem["low"], problem["high"], problem["guesses"]
    return f"Lowest possible number: {low}\nHighest possible number: {high}\nGuesses left: {guesses}"


def _as_json(problem: JSON) -> str:
    known = {"lowest": problem["low"], "highest": problem["high"], "guesses_left": problem["guesses"]}
    return f"{json.dumps(known)}\n\nMy number may also be the lowest or the highest one."


def _as_interval(problem: JSON) -> str:
    return f"{problem['low']} <= my number <= {problem['high']}; guesses remaining: {problem['guesses']}"


_DATA: Final[Variants[Rendering]] = Variants(_in_words, _in_rows, _as_json, held_out=_as_interval, name="data")
