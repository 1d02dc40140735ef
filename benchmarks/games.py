"""Steps per CPU second of games shared with GEM, TextArena and OpenSpiel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.harness import OURS, Side, pair, workload
from benchmarks.report import Section, number, ratio, table
from benchmarks.venvs import PEERS, peer

_GEM: Final = "gem"
_TEXTARENA: Final = "textarena"
_SPIEL: Final = "open-spiel"
_WORKLOADS: Final = {
    _GEM: "peers.gem_games",
    _TEXTARENA: "peers.textarena_games",
    _SPIEL: "peers.open_spiel_games",
}
NAMES: Final = {_GEM: "GEM", _TEXTARENA: "TextArena", _SPIEL: "OpenSpiel"}
_SELF: Final = {"opponent": "self"}
_TIC_TAC_TOE: Final = {**_SELF, "boards": 1, "plies": 0, "luck": [0, 30], "rule": [0, 1.01]}
_CONNECT_FOUR: Final = {**_SELF, "win_in": 0, "plies": 0}


@dataclass(frozen=True)
class Shared:
    """A game of both sides.

    Attributes:
        what: Name of its row.
        script: The moves, from :mod:`benchmarks.moves`; ``reset`` for resets only.
        ours: Our environment.
        params: Its parameters.
        episodes: Our episodes per run.
        side: The peer.
        theirs: The peer's id of the game.
        count: The peer's episodes per run.
        settings: The peer's settings, if not implied by the id.
        aim: Our target ratio.
    """

    what: str
    script: str
    ours: str
    params: Mapping[str, Any]
    episodes: int
    side: str
    theirs: str
    count: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    aim: str = "1"


def _guess(high: int, guesses: int) -> dict[str, int]:
    return {"low": 1, "high": high, "guesses": guesses}


def _codes(pegs: int, colours: int, guesses: int) -> dict[str, Any]:
    return {"pegs": pegs, "colours": colours, "guesses": guesses, "repeats": False}


def _mines(size: int, count: int, no_guess: bool = False) -> dict[str, Any]:
    return {"size": size, "mines": count, "no_guess": no_guess}


_TILES: Final = {"size": 4, "target": 2048, "moves": 1024, "winnable": False}
_ROOM: Final = {"size": 4, "boxes": 3, "pushes": 5}
SHARED: Final = (
    Shared("guess-number, 1..10 in 4", "guess-number-10", "guess-number-v0", _guess(10, 4), 20_000,
           _GEM, "game:GuessTheNumber-v0-easy", 40_000),
    Shared("guess-number, 1..50 in 7", "guess-number-50", "guess-number-v0", _guess(50, 7), 20_000,
           _GEM, "game:GuessTheNumber-v0-hard", 40_000),
    Shared("guess-number, 1..20 in 10", "guess-number-20", "guess-number-v0", _guess(20, 10), 20_000,
           _TEXTARENA, "GuessTheNumber-v0-raw", 10_000),
    Shared("mastermind, 2 of 6 in 10", "mastermind-2", "mastermind-v0", _codes(2, 6, 10), 10_000,
           _GEM, "game:Mastermind-v0-easy", 20_000),
    Shared("mastermind, 4 of 8 in 30", "mastermind-8", "mastermind-v0", _codes(4, 8, 30), 4_000,
           _GEM, "game:Mastermind-v0-hard", 4_000),
    Shared("mastermind, 4 of 6 in 20", "mastermind-4", "mastermind-v0", _codes(4, 6, 20), 6_000,
           _TEXTARENA, "Mastermind-v0-raw", 3_000),
    Shared("minesweeper, 5 by 5, 5 mines", "minesweeper-5", "minesweeper-v0", _mines(5, 5), 10_000,
           _GEM, "game:Minesweeper-v0-easy", 10_000),
    Shared("minesweeper, 8 by 8, 12 mines", "minesweeper-8", "minesweeper-v0", _mines(8, 12), 5_000,
           _GEM, "game:Minesweeper-v0-hard", 5_000),
    Shared("minesweeper, 5 by 5, 5 mines", "minesweeper-5", "minesweeper-v0", _mines(5, 5), 10_000,
           _TEXTARENA, "Minesweeper-v0-small-raw", 4_000),
    Shared("2048", "2048", "2048-v0", _TILES, 150, _GEM, "game:Game2048-v0-hard", 400),
    Shared("2048", "2048", "2048-v0", _TILES, 150, _TEXTARENA, "2048-v0-raw", 400),
    Shared("2048", "2048", "2048-v0", _TILES, 150, _SPIEL, "2048", 100, aim="-"),
    Shared("sokoban, three boxes", "sokoban", "sokoban-v0", _ROOM, 400, _GEM, "game:Sokoban-v0-easy", 60),
    Shared("sokoban, three boxes, resets", "reset", "sokoban-v0", _ROOM, 1_500,
           _GEM, "game:Sokoban-v0-easy", 60, aim="10"),
    Shared("sokoban, three boxes", "sokoban", "sokoban-v0", _ROOM, 400, _TEXTARENA, "Sokoban-v0-raw", 60),
    Shared("tic-tac-toe", "tic-tac-toe", "tic-tac-toe-v0", _TIC_TAC_TOE, 6_000, _TEXTARENA, "TicTacToe-v0-raw", 3_000),
    Shared("tic-tac-toe", "tic-tac-toe", "tic-tac-toe-v0", _TIC_TAC_TOE, 6_000, _SPIEL, "tic_tac_toe", 8_000, aim="-"),
    Shared("connect four", "connect-four", "connect-four-v0", _CONNECT_FOUR, 2_500,
           _TEXTARENA, "ConnectFour-v0-raw", 1_200),
    Shared("connect four", "connect-four", "connect-four-v0", _CONNECT_FOUR, 2_500,
           _SPIEL, "connect_four", 2_500, aim="-"),
    Shared("Kuhn poker, 3 hands", "kuhn-poker", "kuhn-poker-v0", {**_SELF, "hands": 3}, 6_000,
           _TEXTARENA, "KuhnPoker-v0-raw", 4_000),
    Shared("Kuhn poker, one hand", "kuhn-poker", "kuhn-poker-v0", {**_SELF, "hands": 1}, 10_000,
           _SPIEL, "kuhn_poker", 20_000, aim="-"),
    Shared("Leduc poker, one hand", "leduc-poker", "leduc-poker-v0", {**_SELF, "hands": 1}, 6_000,
           _SPIEL, "leduc_poker", 10_000, aim="-"),
    Shared("Blotto, 3 fields, 16 troops, 9 rounds", "blotto", "blotto-v0",
           {**_SELF, "fields": 3, "troops": 16, "rounds": 9, "lead": 1, "secret": 0}, 2_000,
           _TEXTARENA, "ColonelBlotto-v0-raw", 1_500, {"num_total_units": 16}),
)  # fmt: skip
_HEAD: Final = ("game", "peer", "ours, per CPU second", "theirs, per CPU second", "ours / theirs", "aim")
_NOTE: Final = (
    "One process, one thread, each reset seeded. The moves are drawn in advance, the same for both sides, in the "
    "form that each expects; in two-player games one script plays both seats (ours: `opponent=self`). Resets are "
    "included in the time but not counted as steps, except in the row of resets. Ours: the whole contract (task "
    "key, split, prompt, journal, verdict, five-tuple). GEM: the environment without wrappers. TextArena: the raw "
    "environment, with `get_observation` before every move. OpenSpiel through Python: the state as text, the legal "
    "actions and their strings, and the action applied, with randomness from Python's generator. Differences: an "
    "illegal move costs a turn with us and with GEM; in TextArena's 2048 and Sokoban a second one in a row ends the "
    "game. Our minesweeper opens the first cell itself; theirs place the mines after the first move. Our sokoban "
    "rooms (six cells a side including the wall, like theirs, and three boxes) are proved to be solvable in no "
    "fewer than the requested pushes; theirs come from a backward walk, without a proof. Not included: GEM's and "
    "TextArena's Wordle and Hangman, which download their word lists; GEM's Sudoku, which is played cell by cell "
    "(ours is one answer); and TextArena's LeducHoldem, which is not registered."
)


def games(repeats: int) -> Section:
    """Measure every shared game."""
    rows = [_row(shared, repeats) for shared in SHARED]
    peers = ", ".join(f"`{PEERS[side]}`" for side in _WORKLOADS)
    return Section(f"Games compared with {peers}", table(_HEAD, rows), _NOTE)


def _row(shared: Shared, repeats: int) -> tuple[str, ...]:
    ours, theirs = sides(shared)
    found = pair(ours.rate, theirs.rate, repeats)
    return shared.what, NAMES[shared.side], number(found.ours), number(found.theirs), ratio(found.ratio), shared.aim


def sides(shared: Shared, share: int = 1) -> tuple[Side, Side]:
    """Both sides of a game; ``share`` divides their episodes, for a shorter run."""
    ours = workload(
        OURS, "ours.games", shared.episodes // share, shared.script, shared.ours, json.dumps(dict(shared.params))
    )
    settings = (json.dumps(dict(shared.settings)),) if shared.side == _TEXTARENA else ()
    module = _WORKLOADS[shared.side]
    return ours, workload(peer(shared.side), module, shared.count // share, shared.script, shared.theirs, *settings)
