"""wordle-v0: find one to four secret words from letter marks.

Action: one word per turn. Any word of the right length in the letters a to z is a valid guess, whether it is in a
dictionary or not. Every letter of a guess is marked for every secret not yet found: in its place, elsewhere in the
word, or not in it. A guess of the wrong length, or text that is not a word, is reported and also costs a guess. Score 1
if all secrets are found within the guesses, else 0, and the secrets are not revealed. A reward may weigh the component
``found``, the share of the secrets that were found: it cannot exceed the value of a win, and every secret counts once.
Difficulty: fewer guesses, shorter words (which have more neighbours), and up to four secrets at a time, all compared
with every guess.

The secrets are hidden state, so splits are by seed: held-out seeds, not held-out words.
"""

from __future__ import annotations

from math import log2
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.envs.games.wordle import wording, words
from envhub.scenes import Scene, stacked
from envhub.scenes.grid import Tile, grid
from envhub.verifiers.answers.types import AnswerType, Word

_LEVELS: Final = (
    (7, 1, 7),
    (6, 1, 6),
    (5, 1, 6),
    (5, 1, 5),
    (6, 2, 6),
    (5, 2, 6),
    (5, 3, 7),
    (5, 2, 5),
    (5, 4, 7),
    (5, 3, 5),
)
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


_TONES: Final = {words.RIGHT: "tint2", words.ELSEWHERE: "tint5", words.ABSENT: "shade"}


class Params(BaseParams):
    """The words and the number of guesses."""

    letters: int = Field(5, ge=4, le=7, description="letters of a word")
    secrets: int = Field(1, ge=1, le=4, description="how many words are to be found at a time")
    guesses: int = Field(6, ge=1, le=63, description="how many guesses there are")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.guesses < self.secrets:
            raise ValueError("guesses >= secrets must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        letters, secrets, guesses = _LEVELS[difficulty - 1]
        return cls(letters=letters, secrets=secrets, guesses=guesses)


class State(NamedTuple):
    """The marked guesses, and the number left."""

    guessed: tuple[str, ...]
    left: int


class Wordle(World):
    """Find secret words from marks on letters."""

    Params = Params
    pictured: ClassVar[bool] = True
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    components: ClassVar[frozenset[str]] = frozenset({"format", "found"})
    max_turns: ClassVar[int] = 64
    answer: AnswerType = Word()
    reference: ClassVar[Rates | None] = Rates(
        "a listed word that fits all marks of one secret",
        (1.0, 1.0, 0.993, 0.969, 0.997, 0.914, 0.89, 0.692, 0.568, 0.168),
        1000,
    )

    def sample(self, rng: Stream, p: Any) -> Instance:
        """Different words from the list."""
        secrets = rng.sample(words.of_length(p.letters), p.secrets)
        return Instance({"letters": p.letters, "secrets": p.secrets, "guesses": p.guesses}, key=secrets)

    def accepts(self, inst: Instance) -> bool:
        """Reject secrets that are the example of the answer type."""
        return self.answer.example not in inst.key

    def prompt(self, problem: JSON) -> Statement:
        """The rules."""
        return wording.statement(problem)

    def example(self, problem: JSON) -> str:
        """Letters of the right number that are no word."""
        return "abcdefg"[: problem["letters"]]

    def messages(self, problem: JSON) -> int:
        """Each message is a guess."""
        return int(problem["guesses"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """No guesses yet."""
        return State((), inst.problem["guesses"])

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Turn:
        """Answer with the marks, or found."""
        letters, left = inst.problem["letters"], state.left - 1
        if len(value) != letters or not _LETTERS.issuperset(value):
            said = f"A guess has {letters} letters from a to z."
            return rejected(self._next(inst, State(state.guessed, left), said), "illegal")
        after = State((*state.guessed, value), left)
        if not _open(inst, after):
            told = "Every secret word is found." if len(inst.key) > 1 else f"{value} is my word. You found it."
            return Turn.end(after, Verdict.exact(True, told).noting(None, found=1.0))
        lines = [_marked(inst, number, secret, state, value) for number, secret in enumerate(inst.key, 1)]
        return self._next(inst, after, "\n".join(lines))

    def scene(self, inst: Instance, state: State) -> Scene:
        """The guesses; for several secret words, one board below the other."""
        blank = [Tile()] * inst.problem["letters"]
        boards = [
            [
                [
                    Tile(letter.upper(), _TONES[mark])
                    for letter, mark in zip(guess, words.marks(secret, guess), strict=True)
                ]
                for guess in _until(state.guessed, secret)
            ]
            for secret in inst.key
        ]
        return stacked(grid(rows or [blank]) for rows in boards)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a guess."""
        return self._next(inst, State(state.guessed, state.left - 1), feedback)

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Words of another length, and a word with an invalid letter."""
        letters = inst.problem["letters"]
        return ["e" * (letters - 1), "e" * (letters + 1), "é" + "e" * (letters - 1)]

    def solve(self, inst: Instance, state: State) -> str:
        """A word that fits all marks of one secret.

        When guesses run out, the secrets themselves.
        """
        still = _open(inst, state)
        return (
            still[0]
            if state.left <= len(still)
            else self._fitting(inst, state, Stream(repr(inst.key).encode(), "oracle"))
        )

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random word of the list, ignoring the marks."""
        return self.answer.wrap(rng.choice(words.of_length(inst.problem["letters"])))

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random listed word that fits the first open secret's marks."""
        return self.answer.wrap(self._fitting(inst, state, rng))

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A listed word that fits all marks of the first open secret."""
        return self.greedy_action(inst, state, rng)

    def effort(self, inst: Instance) -> float:
        """Bits to find per guess.

        The logarithm of the number of words, for all secrets.
        """
        letters, secrets, guesses = (inst.problem[name] for name in ("letters", "secrets", "guesses"))
        return float(secrets * log2(len(words.of_length(letters))) / guesses)

    def _fitting(self, inst: Instance, state: State, rng: Stream) -> str:
        """A word with the marks of the first open secret.

        Searched from a random place in the list.
        """
        secret, listed = _open(inst, state)[0], words.of_length(inst.problem["letters"])
        known = [(guess, words.marks(secret, guess)) for guess in state.guessed]
        begin = rng.below(len(listed))
        for word in listed[begin:] + listed[:begin]:
            if all(words.marks(word, guess) == seen for guess, seen in known):
                return word
        return secret

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            found = 1 - len(_open(inst, state)) / len(inst.key)
            return Turn.end(state, Verdict.exact(False, f"{said}\nNo guesses are left.").noting(None, found=found))
        return Turn(state, f"{said}\nGuesses left: {state.left}.")


def _open(inst: Instance, state: State) -> list[str]:
    """The secrets not found yet."""
    return [secret for secret in inst.key if secret not in state.guessed]


def _marked(inst: Instance, number: int, secret: str, before: State, guess: str) -> str:
    """The feedback for one secret."""
    name = f"Word {number}: " if len(inst.key) > 1 else ""
    if secret in before.guessed:
        return f"{name}found ({secret})."
    if secret == guess:
        return f"{name}{guess} is right. Found."
    return name + " ".join(letter + mark for letter, mark in zip(guess, words.marks(secret, guess), strict=True))


def _until(guessed: tuple[str, ...], secret: str) -> tuple[str, ...]:
    """The guesses up to the one that found a secret."""
    return guessed[: guessed.index(secret) + 1] if secret in guessed else guessed
