"""TextArena games as environments, with envhub's seeds, verdicts and errors.

::

    from envhub.adapters.textarena.environments import register
    register("Mastermind-v0-hard")             # or register_all()
    env = envhub.make("textarena/mastermind-hard-v0")

The extra ``textarena`` (MIT) installs about 96 MB, so it is optional and nothing is registered by default. Differences
from using the library directly:

* **Which games.** Broken games are refused with the reason (``BROKEN`` in :mod:`envhub.adapters.textarena.tables`, or
  the error they raise when started). Only games whose source was reviewed are offered; ``register(name,
  unchecked=True)`` accepts any other game and its rewards unchecked.
* **Randomness** comes from the task's and the turn's streams; other users of Python's generator are not affected.
* **Actions** are read as everywhere in envhub; square brackets are added if missing.
* **Verdicts.** One player: a reward of 1 is solved with score 1; everything else scores 0, with TextArena's reward as
  component ``partial``. Several players: 1 for a win, 0.5 for a draw, 0 for a loss. A player whose mistake ended the
  game has the component ``illegal``. An exception of TextArena is an ``error``, or scores 0 with ``abuse`` if the
  action is to blame.
* **Seats.** TextArena lists no legal moves, so no opponents search. With ``self``, the default, the policy plays every
  seat, as in envhub's games; or a model, given by its URL, plays the other seats and the policy moves first.
* **No oracle** is known for these games; :meth:`TextArena.solve` returns a harmless move.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, Literal

from pydantic import Field, field_validator

from envhub.adapters.textarena import tables
from envhub.adapters.textarena.tables import Table
from envhub.authoring import Acting, BaseParams, World
from envhub.authoring.game.model_opponent import RESOURCE, AskForMove, ModelOpponents
from envhub.authoring.game.opponents import read_opponent
from envhub.core.effects import Effect, Outcome
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType, Unreadable

__all__ = ["TextArena", "register", "register_all"]

EXTRA: Final = "textarena"
_MOST_TURNS: Final = 1_000
_TOKEN: Final = re.compile(r"\[[^\[\]\n]{1,40}\]")


@dataclass(frozen=True)
class Bracketed(AnswerType):
    """A move in square brackets, which are added if missing."""

    noun: ClassVar[str] = "your move, as the game asks for it,"
    example: ClassVar[str] = "[your move]"

    def parse(self, text: str) -> str:
        """The move."""
        if len(text) > 4_000:
            raise Unreadable("it has more than 4000 characters.")
        return text if "[" in text else f"[{text}]"

    def random(self, rng: Stream) -> str:
        """A small number; :meth:`TextArena.random_action` draws listed moves."""
        return f"[{rng.below(10)}]"


class Params(BaseParams):
    """Parameters: who plays the other seats.

    Difficulty changes nothing: TextArena's variants are separate environments.
    """

    opponent: str = Field("self", max_length=400, description="who has the other seats: self, or a model's URL")
    release: str = Field(default_factory=tables.release, description="of TextArena, which must be the installed one")

    @field_validator("opponent")
    @classmethod
    def _plays(cls, opponent: str) -> str:
        try:
            kind = read_opponent(opponent).kind
        except InvalidParameters as error:
            raise ValueError(str(error)) from None
        if kind not in ("self", "url"):
            raise ValueError(f"TextArena lists no legal moves, so {opponent!r} cannot play; did you mean 'self'?")
        return opponent

    @field_validator("release")
    @classmethod
    def _is_installed(cls, found: str) -> str:
        if found != tables.release():
            raise ValueError(f"TextArena {tables.release()} is installed and may have other rules")
        return found


class TextArena(World):
    """One of its games; :attr:`name` says which."""

    name: ClassVar[str]
    players: ClassVar[int] = 1
    Params = Params
    category = "textarena"
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    components = frozenset({"format", "partial", "illegal"})
    answer: AnswerType = Bracketed()
    max_turns: ClassVar[int] = _MOST_TURNS
    guessable = (1.0, "The games are TextArena's: some have one problem, and one answer, for every seed.")
    resources: ClassVar = {RESOURCE: ModelOpponents()}

    def check(self, p: Any) -> None:
        """Reject an opponent in a single-player game."""
        if self.players == 1 and p.opponent != "self":
            raise InvalidParameters(f"{self.name} of TextArena has one seat: the opponent is 'self'.")

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A newly set up game."""
        seed = rng.bits(63)
        table = Table.set_up(self.name, seed)
        return Instance({"view": table.view, "player": table.seat, "opponent": p.opponent}, {"seed": seed})

    def prompt(self, problem: JSON) -> str:
        """TextArena's own text, plus the rule that one message is one move."""
        seats = ""
        if self.players > 1:
            seats = f"You are player {problem['player']}. "
            if problem["opponent"] == "self":
                seats = (
                    f"You play all {self.players} players in turn; each message is for the player whose turn it is. "
                )
        return f"{problem['view']}\n\n{seats}Make one move in each message."

    def begin(self, inst: Instance, rng: Stream) -> Table:
        """The initial game."""
        return Table.set_up(self.name, inst.key["seed"])

    def act(self, inst: Instance, state: Table, value: str, rng: Stream) -> Acting:
        """Make a move, and the moves of other seats that models play."""
        if read_opponent(inst.problem["opponent"]).kind == "self":
            return self._turn(inst, state.moved(value, rng), state.seat)
        return self._answered(inst, state.moved(value, rng), rng)

    def _answered(self, inst: Instance, table: Table, rng: Stream) -> Generator[Effect, Outcome, Turn]:
        """Make a model's moves until the policy is to move."""
        mine, asked = inst.problem["player"], 0
        while not table.done and table.seat != mine:
            system = f"You are player {table.seat}. {self.format_sentence}"
            request = {"url": inst.problem["opponent"], "system": system, "user": table.view, "attempt": asked}
            outcome = yield AskForMove(RESOURCE, request)
            reading = self.answer.read(self.answer.wrap(outcome.text))
            table, asked = table.moved(reading.value or "[]", rng), asked + 1
        return self._turn(inst, table, mine)

    def _turn(self, inst: Instance, table: Table, mine: int) -> Turn:
        if not table.done:
            turn = Turn(table, table.view)
            turn.info["player"] = table.seat
            return turn
        assert table.rewards is not None
        seat = 0 if inst.problem["opponent"] == "self" else mine
        verdict = _judged(self.players, table.rewards[seat], seat in table.mistakes, table.reason)
        turn = Turn.end(table, verdict, "\n".join(filter(None, [table.view, table.reason])))
        turn.info["payoffs"] = [table.rewards[at] for at in range(self.players)]
        return turn

    def solve(self, inst: Instance, state: Table) -> str:
        """A harmless move to check failed turns with; no oracle is known."""
        return "[]"

    def random_action(self, inst: Instance, state: Table, rng: Stream) -> str:
        """Any text that the game has just shown in brackets."""
        listed = _TOKEN.findall(state.view)
        return self.answer.wrap(rng.choice(listed) if listed else self.answer.random(rng))


def _judged(players: int, reward: float, mistaken: bool, reason: str) -> Verdict:
    """The verdict for TextArena's reward of a seat."""
    solved = reward >= 1.0 and not mistaken
    parts = {"illegal": float(mistaken)}
    if players == 1:
        parts["partial"] = min(1.0, max(0.0, reward))
        score = float(solved)
    else:
        score = 1.0 if solved else min(0.99, max(0.0, (reward + 1) / 2))
    return Verdict(score, solved=solved, components=parts, payoff=reward, feedback=reason)


def register(name: str, unchecked: bool = False) -> EnvSpec:
    """Register a game in this process as ``textarena/NAME-v0``; repeating is harmless.

    Args:
        name: Game id, ``Mastermind-v0-hard``, which becomes ``textarena/mastermind-hard-v0``.
        unchecked: Accept a game whose source was not reviewed, with its rewards.

    Raises:
        InvalidParameters: The game does not exist, is broken or was not reviewed; the message says which.
    """
    reason = tables.refusal(name)
    if reason is None and tables.family(name) not in tables.CHECKED and not unchecked:
        reason = "nobody has checked that its reward can be trusted; register(name, unchecked=True) takes it as it is"
    if reason is not None:
        raise InvalidParameters(f"{name!r} of TextArena makes no environment: {reason}.")
    plain = "-".join(re.findall("[a-z0-9]+", name.replace("-v0", "", 1).lower()))
    id, entry = f"textarena/{plain}-v0", f"{__name__}:{name}"
    there = next((spec for spec in registry.registered() if spec.id == id and spec.entry == entry), None)
    return there or registry.register(id, entry, category=TextArena.category, extras=(EXTRA,), source=EXTRA)


def register_all() -> list[EnvSpec]:
    """:func:`register` all reviewed games with all variants."""
    checked = [name for name in tables.names() if tables.family(name) in tables.CHECKED]
    return [register(name) for name in checked if tables.refusal(name) is None]


def __getattr__(name: str) -> type[TextArena]:
    """The class of a game id, importable by name in other processes."""
    if name.startswith("_") or name not in tables.names() or tables.refusal(name) is not None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _class(name)


@cache
def _class(game: str) -> type[TextArena]:
    class Named(TextArena):
        __doc__ = f"The game {game} of TextArena."
        name, players = game, tables.players(game)

    Named.__name__ = Named.__qualname__ = game
    return Named
