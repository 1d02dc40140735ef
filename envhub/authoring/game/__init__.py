"""Games with seats, opponents that play them, and search.

An author writes a :class:`Game`; the search works on any of them.

::

    class Nim(Game):
        answer = Integer()
        def start(self, inst): ...              # the first state
        def to_move(self, s): ...               # a seat, CHANCE, or None when it is over
        def legal(self, inst, s): ...
        def play(self, inst, s, move): ...      # the next state; pure
        def payoffs(self, inst, s): ...         # of every seat, at the end
        def observe(self, inst, s, seat): ...   # what this seat may see
        def rules(self, problem): ...           # a text, or rulebook(self, problem) for prompts with wordings

The base owns the policy's seat, the moves of the others, illegal moves, turn limits and the score; see docs/environments.md.
"""

from envhub.authoring.game.base import Game, Position
from envhub.authoring.game.exact import best_response, exploitability, game_value, solution
from envhub.authoring.game.known import KnownGame
from envhub.authoring.game.mechanics import CHANCE
from envhub.authoring.game.opponents import KINDS, Opponent, choose, read_opponent
from envhub.authoring.game.rulebook import Rulebook, views
from envhub.authoring.game.rules import GameParams

__all__ = [
    "CHANCE",
    "KINDS",
    "Game",
    "GameParams",
    "KnownGame",
    "Opponent",
    "Position",
    "Rulebook",
    "best_response",
    "choose",
    "exploitability",
    "game_value",
    "read_opponent",
    "solution",
    "views",
]
