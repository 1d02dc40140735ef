"""mastermind-v0: find a secret code from counts of exact and partial matches.

Action: one code of digits per turn. A guess is answered with two counts: *exact* digits are in the right place,
*partial* ones occur elsewhere in the code; each digit of the secret matches at most one digit of the guess. A guess of
the wrong length or with an invalid digit, or text that is not a code, is reported and also costs a guess. Score 1 if it
is found within the guesses, else 0, and the secret is not revealed. Difficulty: more codes. A guess may always repeat
digits, the secret only with ``repeats``.

The secret is hidden state, so splits are by seed: held-out seeds, not held-out codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2, perm
from operator import eq
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.envs.games.mastermind import wording
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final = (
    (3, 6, 10),
    (3, 8, 10),
    (4, 5, 10),
    (4, 6, 10),
    (4, 8, 11),
    (5, 6, 11),
    (5, 8, 12),
    (6, 7, 12),
    (6, 9, 13),
    (8, 9, 14),
)
_WORK: Final = 5_000
"""Maximum number of partial codes examined for one guess."""

Digits = tuple[int, ...]


class Params(BaseParams):
    """The possible codes and the number of guesses."""

    pegs: int = Field(4, ge=2, le=12, description="digits of the code")
    colours: int = Field(6, ge=2, le=9, description="the greatest digit; the least is 1")
    repeats: bool = Field(True, description="whether the secret may hold a digit more than once")
    guesses: int = Field(10, ge=1, le=63, description="how many guesses there are")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if not self.repeats and self.pegs > self.colours:
            raise ValueError("without repeats, pegs <= colours must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        pegs, colours, guesses = _LEVELS[difficulty - 1]
        return cls(pegs=pegs, colours=colours, guesses=guesses)


@dataclass(frozen=True)
class Code(AnswerType):
    """One code of digits: ``1123``, ``1 1 2 3``, ``1, 1, 2, 3``, ``[1,1,2,3]``.

    Its value is a tuple of ``int``.
    """

    max_digits: int = 64
    noun: ClassVar[str] = "one code of digits"
    example: ClassVar[str] = "1123"

    _SHAPE: ClassVar[re.Pattern[str]] = re.compile(r"[0-9]+|[0-9](?: ?- ?[0-9])+|[0-9](?: ?, ?[0-9])+|[0-9](?: [0-9])+")
    _BRACKETS: ClassVar[tuple[str, ...]] = ("[]", "()")

    def parse(self, text: str) -> Digits:
        """The digits a span denotes, in order."""
        if len(text) > 4 * self.max_digits:
            raise Unreadable("it is too long.")
        if text[:1] + text[-1:] in self._BRACKETS:
            text = text[1:-1].strip()
        if self._SHAPE.fullmatch(text) is None:
            raise Unreadable("write digits only.")
        digits = tuple(map(int, text if text.isdigit() else filter(str.isdigit, text)))
        if len(digits) > self.max_digits:
            raise Unreadable(f"it has more than {self.max_digits} digits.")
        return digits

    def random(self, rng: Stream) -> str:
        """Four digits of 1 to 6."""
        return "".join(str(rng.between(1, 6)) for _ in range(4))


class State(NamedTuple):
    """The guesses with their exact and partial counts, and the guesses left."""

    answered: tuple[tuple[Digits, int, int], ...]
    left: int


def feedback(secret: Sequence[int], guess: Sequence[int]) -> tuple[int, int]:
    """The exact and partial counts of a guess of the secret's length."""
    exact = sum(map(eq, secret, guess))
    left = list(guess)
    for digit in secret:
        if digit in left:
            left.remove(digit)
    return exact, len(guess) - len(left) - exact


class Mastermind(World):
    """Find a secret code from counts of exact and partial hits."""

    Params = Params
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    max_turns: ClassVar[int] = 64
    pictured: ClassVar[bool] = True
    answer: AnswerType = Code()
    reference: ClassVar[Rates | None] = Rates("a code that fits all answers", (1.0,) * 9 + (0.83,), 200)

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A secret, written as text."""
        colours = range(1, p.colours + 1)
        code = [rng.choice(colours) for _ in range(p.pegs)] if p.repeats else rng.sample(colours, p.pegs)
        problem = {"pegs": p.pegs, "colours": p.colours, "repeats": p.repeats, "guesses": p.guesses}
        return Instance(problem, key="".join(map(str, code)))

    def accepts(self, inst: Instance) -> bool:
        """Reject the secret that is the example of the answer type."""
        return str(inst.key) != self.answer.example

    def prompt(self, problem: JSON) -> Statement:
        """The rules."""
        return wording.statement(problem)

    def example(self, problem: JSON) -> str:
        """A code of the right length; no secret has a 0."""
        return "0" * int(problem["pegs"])

    def messages(self, problem: JSON) -> int:
        """Each message is a guess."""
        return int(problem["guesses"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """No guesses yet."""
        return State((), inst.problem["guesses"])

    def act(self, inst: Instance, state: State, value: Digits, rng: Stream) -> Turn:
        """Answer with the counts, or found."""
        secret, problem = _digits(inst), inst.problem
        said = "".join(map(str, value))
        if value == secret:
            return Turn.end(state, Verdict.exact(True, f"{said} is my code. You found it."))
        left = state.left - 1
        if len(value) != problem["pegs"] or not 1 <= min(value) <= max(value) <= problem["colours"]:
            rule = f"A guess has {problem['pegs']} digits, each from 1 to {problem['colours']}."
            return rejected(self._next(State(state.answered, left), rule), "illegal")
        exact, partial = feedback(secret, value)
        answered = (*state.answered, (value, exact, partial))
        return self._next(State(answered, left), f"{said}: {exact} exact, {partial} partial.")

    def scene(self, inst: Instance, state: State) -> Scene:
        """The guesses and their counts of digits."""
        rows = [[Tile(str(digit)) for digit in guess] for guess, _, _ in state.answered]
        blank = [Tile("?", ink="faint")] * inst.problem["pegs"]
        told = [f"{exact} exact, {partial} partial" for _, exact, partial in state.answered]
        return grid([*rows, blank], sides={"right": [*told, ""]})

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a guess."""
        return self._next(State(state.answered, state.left - 1), feedback)

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Codes of another length, and codes with a digit out of range."""
        pegs, colours = inst.problem["pegs"], inst.problem["colours"]
        others = ["1" * (pegs - 1), "1" * (pegs + 1), "0" + "1" * (pegs - 1)]
        return [*others, f"{colours + 1}" + "1" * (pegs - 1)] if colours < 9 else others

    def solve(self, inst: Instance, state: State) -> str:
        """A code that fits all answers.

        The secret on the last guess or if the search takes too long.
        """
        rng = Stream(str(inst.key).encode(), "mastermind", "oracle")
        return (self._fitting(inst, state, rng) if state.left > 1 else None) or str(inst.key)

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A code that fits all answers.

        A random code if the search takes too long.
        """
        found = self._fitting(inst, state, rng)
        return self.answer.wrap(found) if found else self.random_action(inst, state, rng)

    def _fitting(self, inst: Instance, state: State, rng: Stream) -> str | None:
        """The first code that fits all answers, in random order."""
        orders = [list(range(1, inst.problem["colours"] + 1)) for _ in range(inst.problem["pegs"])]
        for order in orders:
            rng.shuffle(order)
        found = _consistent(orders, inst.problem["repeats"], state.answered)
        return None if found is None else "".join(map(str, found))

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random code of the right length, ignoring the answers."""
        colours = inst.problem["colours"]
        return self.answer.wrap("".join(str(rng.between(1, colours)) for _ in range(inst.problem["pegs"])))

    def effort(self, inst: Instance) -> float:
        """Bits to find: the logarithm of the number of codes."""
        pegs, colours = inst.problem["pegs"], inst.problem["colours"]
        return log2(colours**pegs if inst.problem["repeats"] else perm(colours, pegs))

    def _next(self, state: State, said: str) -> Turn:
        if state.left == 0:
            return Turn.end(state, Verdict.exact(False, f"{said} No guesses are left."))
        return Turn(state, f"{said} Guesses left: {state.left}.")


def _digits(inst: Instance) -> Digits:
    return tuple(map(int, inst.key))


def _consistent(
    orders: Sequence[Sequence[int]], repeats: bool, answered: Sequence[tuple[Digits, int, int]]
) -> Digits | None:
    """The first code that fits every answer, depth first.

    None when the work limit is reached.
    """
    stack: list[tuple[Digits, Iterator[int]]] = [((), iter(orders[0]))]
    for _ in range(_WORK):
        if not stack:
            return None
        code, rest = stack[-1]
        digit = next(rest, None)
        if digit is None:
            stack.pop()
            continue
        if not repeats and digit in code:
            continue
        code = (*code, digit)
        if all(_possible(code, len(orders) - len(code), *answer) for answer in answered):
            if len(code) == len(orders):
                return code
            stack.append((code, iter(orders[len(code)])))
    return None


def _possible(code: Digits, open_: int, guess: Digits, exact: int, partial: int) -> bool:
    """Whether a prefix can still reach the counts with ``open_`` more digits."""
    hits = sum(a == b for a, b in zip(code, guess, strict=False))
    common = sum(min(code.count(digit), guess.count(digit)) for digit in set(code))
    return 0 <= exact - hits <= open_ and 0 <= exact + partial - common <= open_
