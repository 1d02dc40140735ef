"""Strength of the named opponents, as cross-tables and Elo, for docs/games.md.

::

    python -m benchmarks.strength --markdown                   # all games; about ten minutes
    python -m benchmarks.strength tic-tac-toe-v0 --games 20    # one game, printed

All pairs play each other. Nothing is timed and all randomness comes from streams, so the tables are the same on every
machine. Each start is played twice, with seats exchanged; later deals are the same in both games until the games diverge.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any, Final

import envhub
from benchmarks.elo import Rating, Results, ratings
from benchmarks.harness import ROOT
from benchmarks.report import Section, insert, table
from envhub.authoring.game import CHANCE, Game, choose, read_opponent
from envhub.core.seeding import Stream
from envhub.core.statistics import wilson
from envhub.core.types import Instance

_LONGEST: Final = 2_000
_LADDERS: Final = (("random", "greedy", "minimax", "optimal"), ("random", "mcts", "optimal"))


@dataclass(frozen=True)
class Field:
    """A game and its players.

    Attributes:
        env_id: The game.
        players: Opponents by name; the first is at 0.
        games: Number of games per pair, even.
        params: Parameters of the game.
        remark: Note on the table.
    """

    env_id: str
    players: tuple[str, ...]
    games: int
    params: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""


_MATCH: Final = "A match is 25 hands; the player with more chips at the end wins. "
FIELDS: Final = (
    Field(
        "tic-tac-toe-v0",
        ("random", "greedy", "minimax:2", "minimax:4", "mcts:20", "mcts:200", "optimal"),
        100,
        {"boards": 1, "plies": 0, "luck": (0, 30), "rule": (0, 1.01)},
        "From the empty board, where perfect play draws, so the best players differ only in their results against "
        "weak ones. `optimal` plays any move that keeps the draw and sets no traps; a search that prefers early "
        "wins may score more.",
    ),
    Field(
        "connect-four-v0",
        ("random", "greedy", "minimax:2", "minimax:3", "minimax:4", "mcts:50", "mcts:200"),
        40,
        {"win_in": 0, "plies": 4},
        "From positions after four random moves.",
    ),
    Field(
        "othello-v0",
        ("random", "greedy", "minimax:2", "minimax:4", "optimal"),
        100,
        {"empty": 8, "choice": 4},
        "Endgames with eight empty squares; the player with more discs at the end wins.",
    ),
    Field(
        "chess-v0",
        ("random", "greedy", "minimax:1", "minimax:2"),
        30,
        {"men": "KRPkrp", "moves": 30},
        "Endings with king, rook and pawn each, from random squares, 30 moves at most.",
    ),
    Field(
        "kuhn-poker-v0",
        ("random", "greedy", "mcts:20", "optimal"),
        200,
        {"hands": 25},
        _MATCH + "`optimal` plays a Nash equilibrium: nobody can beat it in the long run, and it does not try to "
        "exploit anybody.",
    ),
    Field(
        "leduc-poker-v0",
        ("random", "greedy", "mcts:20", "optimal"),
        60,
        {"hands": 25},
        _MATCH
        + "`optimal` plays a Nash equilibrium. `mcts` samples the opponent's card independently in each search, and "
        "so does not bluff.",
    ),
    Field(
        "blotto-v0",
        ("random", "greedy", "mcts:20"),
        100,
        {"rounds": 6, "lead": 1, "secret": 0},
        "Choices are simultaneous. `greedy` answers the opponent's last choice, which predicts nothing about a "
        "random player and little about one that searches, so no player is much better than chance.",
    ),
    Field(
        "negotiation-v0",
        ("random", "mcts:20", "greedy"),
        40,
        {},
        "The player who gains more by its own values wins. `mcts` samples the opponent's values; `greedy` knows the "
        "prices.",
    ),
)


def play(game: Game, inst: Instance, names: tuple[str, str], number: int, swapped: bool) -> float:
    """Play one game; returns the first player's result: 1, 0.5 or 0.

    Raises:
        RuntimeError: It does not end.
    """
    seats = [read_opponent(name) for name in (names[::-1] if swapped else names)]
    deals = Stream(b"", "strength deals", number)
    luck = [Stream(b"", "strength", seat, number, swapped, *names) for seat in range(2)]
    s = game.begin(inst, deals).s
    for _ in range(_LONGEST):
        mover = game.to_move(s)
        if mover is None:
            gain = game.paid(inst, s)[int(swapped)]
            return (gain > 0) + (gain == 0) / 2
        if mover == CHANCE:
            s = game.play(inst, s, game.draw(inst, s, deals))
            continue
        at = int(mover)
        s = game.play(inst, s, choose(game, inst, s, at, seats[at], luck[at]))
    raise RuntimeError(f"a game of {names} does not end")


def results(given: Field, games: int) -> Results:
    """Play all games of all pairs."""
    env = envhub.make(given.env_id, opponent="self", **given.params)
    starts = []
    for number in range(games // 2):
        env.reset(seed=number)
        starts.append(env.episode.instance)
    game = env.environment
    assert isinstance(game, Game)
    found: dict[tuple[str, str], list[float]] = {}
    for pair in combinations(given.players, 2):
        found[pair] = [
            play(game, inst, pair, number, swapped) for number, inst in enumerate(starts) for swapped in (False, True)
        ]
    return found


def section(given: Field, games: int) -> Section:
    """The cross-table of a game, with Elo."""
    found = results(given, games)
    rated = ratings(found)
    rows = [
        (f"`{name}`", _points(rated[name]), *(_share(found, name, other) for other in given.players))
        for name in given.players
    ]
    shown = ", ".join(f"`{name}={value}`" for name, value in given.params.items()) or "the default parameters"
    note = (
        f"{games} games per pair, with {shown}. A cell is the row player's share of the points against the column player, in "
        f"percent, with Wilson's 95 % interval. {given.remark} {_order(given.players, rated)}"
    )
    head = ("", "Elo (95 %)", *(f"`{name}`" for name in given.players))
    return Section(given.env_id, table(head, rows), note)


def _points(rating: Rating) -> str:
    return f"{rating.points:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})" if any(rating) else "0"


def _share(found: Results, name: str, other: str) -> str:
    if name == other:
        return ""
    games = found.get((name, other)) or [1 - value for value in found[other, name]]
    low, high = wilson(sum(games), len(games))  # type: ignore[arg-type]  # halves are fine
    return f"{100 * sum(games) / len(games):.0f} ({100 * low:.0f}-{100 * high:.0f})"


def _order(players: tuple[str, ...], rated: Mapping[str, Rating]) -> str:
    """Whether ratings rise with plies and with playouts, as text."""
    ladders = [
        sorted((name for name in players if read_opponent(name).kind in rungs), key=lambda name: _rung(name, rungs))
        for rungs in _LADDERS
    ]
    pairs = list(dict.fromkeys(pair for ladder in ladders for pair in pairwise(ladder)))
    below = [(b, a) for a, b in pairs if rated[b].points < rated[a].points]
    ladder = "; ".join(" < ".join(f"`{name}`" for name in names) for names in ladders if len(names) > 1)
    if not below:
        return f"The ratings rise as expected: {ladder}."
    told = "; ".join(
        f"`{a}` is below `{b}`" + ("" if rated[a].high < rated[b].low else " (the intervals overlap)") for a, b in below
    )
    return f"The ratings rise as expected ({ladder}), except: {told}."


def _rung(name: str, rungs: tuple[str, ...]) -> tuple[int, int]:
    player = read_opponent(name)
    return rungs.index(player.kind), player.number


def main() -> None:
    """Play the named games, or all, and show or write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__.partition("\n")[0])
    known = {given.env_id: given for given in FIELDS}
    parser.add_argument("names", nargs="*", metavar="GAME", help=f"{', '.join(known)}; all if none is given")
    parser.add_argument("--games", type=int, help="games per pair (default: as in docs/games.md)")
    parser.add_argument("--markdown", action="store_true", help="write the tables into docs/games.md")
    given = parser.parse_args()
    if set(given.names) - set(known) or (given.games is not None and (given.games < 2 or given.games % 2)):
        parser.error("the games are named in --help, and --games is an even number")
    for name in given.names or known:
        print(f"{name} ...", file=sys.stderr, flush=True)
        found = section(known[name], given.games or known[name].games)
        text = f"### {found.title}\n\n{found.table}\n\n{found.note}"
        print(text, end="\n\n", flush=True)
        if given.markdown:
            insert(ROOT / "docs" / "games.md", name, text)


if __name__ == "__main__":
    main()
