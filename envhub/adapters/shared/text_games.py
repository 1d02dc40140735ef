"""The conversation of a text adventure that a foreign interpreter plays.

A message is one command and one step. The interpreter says whether a game is won, and so does a second judge that knows the
game's logic; a disagreement is an ``error``. A subclass draws problems and names the resource that carries commands out::

    class Mine(TextGame):
        game, resources = "mine", {"mine": MyGames()}

A problem has ``steps``, ``most`` (the highest score) and ``listed`` (whether possible commands are listed); a key has
``solution``, the commands of a solution. The outcome of a command has ``won``, ``tracked`` (what the second judge says),
``lost``, ``score`` and ``commands``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from hashlib import blake2b
from typing import ClassVar, Final, NamedTuple

from envhub.authoring import Acting, World
from envhub.core.effects import Effect, Exec, Outcome
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict

__all__ = ["MOST_STEPS", "TextGame", "TextGameState", "possible"]

MOST_STEPS: Final = 500
_NOT_YET: Final = 0.99
"""Highest score of a game that is not won."""


class TextGameState(NamedTuple):
    """An episode in progress.

    Attributes:
        left: The steps left.
        score: The points so far.
        taken: Number of commands so far.
        digest: Digest of these commands, in order.
    """

    left: int
    score: int = 0
    taken: int = 0
    digest: str = ""


class TextGame(World):
    """A text adventure."""

    game: ClassVar[str]
    """Name of the resource."""
    slow = True  # a game is opened in another process
    components: ClassVar[frozenset[str]] = frozenset({"format", "points"})
    max_turns: ClassVar[int] = MOST_STEPS
    idle: ClassVar[str] = "look"
    """A command that changes nothing."""

    def refusal(self, problem: JSON, command: str) -> str | None:
        """Why a command is not passed on; None if it is."""
        return None

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> TextGameState:
        """At the start, with all steps."""
        return TextGameState(inst.problem["steps"])

    def act(self, inst: Instance, state: TextGameState, value: str, rng: Stream) -> Acting:
        """Pass a command on to the game."""
        wrong = self.refusal(inst.problem, value)
        if wrong is not None:
            return _turn(inst, state._replace(left=state.left - 1), wrong)
        return self._carried_out(inst, state, value)

    def _carried_out(self, inst: Instance, state: TextGameState, command: str) -> Generator[Effect, Outcome, Turn]:
        outcome = yield Exec(self.game, {"command": command})
        data = outcome.data
        now = TextGameState(state.left - 1, data["score"], state.taken + 1, _digest(state.digest, command))
        if data["won"] != data["tracked"]:
            reason = "The interpreter and the game's logic disagree on a win."
            return Turn.end(now, Verdict.failed("judges_disagree", reason))
        if data["won"]:
            return Turn.end(now, _verdict(1.0, outcome.text))
        if data["lost"]:
            return Turn.end(now, _verdict(0.0, outcome.text))
        said = f"{outcome.text}\n{possible(data['commands'])}" if inst.problem["listed"] else outcome.text
        return _turn(inst, now, said)

    def reject(self, inst: Instance, state: TextGameState, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return _turn(inst, state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: TextGameState) -> str:
        """The next command of the solution, if it was followed so far."""
        commands: list[str] = inst.key["solution"]
        followed = ""
        for command in commands[: state.taken]:
            followed = _digest(followed, self.answer.parse(command))
        return commands[state.taken] if followed == state.digest and state.taken < len(commands) else self.idle

    def effort(self, inst: Instance) -> float:
        """Commands of the solution."""
        return float(len(inst.key["solution"]))


def possible(commands: Iterable[str]) -> str:
    """The commands that are possible, as a line."""
    return f"Possible commands: {', '.join(commands)}."


def _turn(inst: Instance, state: TextGameState, said: str) -> Turn:
    most = inst.problem["most"]
    if not state.left:
        share = min(_NOT_YET, max(0.0, state.score / most)) if most else 0.0
        return Turn.end(state, _verdict(share, f"{said}\nNo steps are left."))
    points = f"Points: {state.score} of {most}. " if most > 1 else ""
    return Turn(state, f"{said}\n{points}Steps left: {state.left}.")


def _verdict(score: float, said: str) -> Verdict:
    return Verdict(score, solved=score == 1.0, components={"points": score}, feedback=said)


def _digest(before: str, command: str) -> str:
    return blake2b(f"{before} {command}".encode(), digest_size=8).hexdigest()
