"""No game with seats runs out of turns before it is over, with the largest parameters and both seats the policy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

import envhub
from envhub.authoring.game import Game
from envhub.core.seeding import Stream
from envhub.envs.games.chess.environment import Chess
from envhub.envs.games.kitchen.environment import _MOST_ROUNDS
from envhub.envs.games.poker.rules import RANKS
from envhub.gymnasium.env import Env
from envhub.registry.registry import builtin_ids, load, spec

# Turns of all seats in the longest game, by the largest values of its parameters. A new game with seats goes in here.
LONGEST: Final[dict[str, Callable[[dict[str, int]], int]]] = {
    "blotto-v0": lambda most: 2 * most["rounds"],
    "chess-mate-v0": lambda most: 2 * most["mate_in"] - 1,
    "chess-v0": lambda most: 2 * most["moves"],
    "connect-four-v0": lambda most: 42,
    "kitchen-v0": lambda most: 2 * _MOST_ROUNDS,
    "kuhn-poker-v0": lambda most: 3 * most["hands"],
    "leduc-poker-v0": lambda most: 8 * most["hands"],
    "negotiation-v0": lambda most: 2 * most["rounds"],
    "othello-v0": lambda most: most["empty"],
    "tic-tac-toe-v0": lambda most: 9,
}


def seated() -> list[str]:
    """The games with more than one seat."""
    loaded = {game_id: load(spec(game_id)) for game_id in builtin_ids() if spec(game_id).category == "games"}
    return sorted(game_id for game_id, game in loaded.items() if issubclass(game, Game) and game.seats > 1)


def largest(game: type[Game]) -> dict[str, int]:
    """The greatest value of each parameter that has one."""
    found = {}
    for name, field in game.Params.model_fields.items():
        bounds = [rule.le for rule in field.metadata if hasattr(rule, "le")]
        found |= {name: int(bounds[0])} if bounds else {}
    return found


def test_the_table_has_every_game_with_seats() -> None:
    assert seated() == sorted(LONGEST)


@pytest.mark.parametrize("game_id", LONGEST)
def test_the_turns_are_enough_for_the_longest_game_with_all_free_illegal_messages(game_id: str) -> None:
    game = load(spec(game_id))
    assert game.max_turns >= LONGEST[game_id](largest(game)) + game.retries


def checks_bets_raises_and_calls(env: Env, rng: Stream) -> str:
    """What makes a hand of poker as long as can be."""
    allowed = env.environment.legal(env.episode.instance, env.episode.state.s)
    checked = env.episode.state.s.seen.rpartition("/")[2].lstrip(RANKS) == "c"
    wanted = ("bet",) if checked else ("check",)
    return next(word for word in (*wanted, "raise", "call") if word in allowed)


def goes_on(env: Env, rng: Stream) -> str:
    """A move after which the game is not over, if there is one."""
    game, inst, s = env.environment, env.episode.instance, env.episode.state.s
    moves = list(game.legal(inst, s))
    rng.shuffle(moves)
    return game.write_move(
        next((move for move in moves if game.to_move(game.play(inst, s, move)) is not None), moves[0])
    )


@pytest.mark.parametrize(
    ("game_id", "params", "turns", "choose"),
    [
        ("kuhn-poker-v0", {"hands": 25}, 75, checks_bets_raises_and_calls),
        ("leduc-poker-v0", {"hands": 25}, 200, checks_bets_raises_and_calls),
        ("chess-v0", {"fen": "start", "moves": 100}, 200, goes_on),
        ("blotto-v0", {"rounds": 20}, 40, lambda env, rng: "8 0 0"),
        ("negotiation-v0", {"rounds": 12}, 24, lambda env, rng: "deny"),
        (
            "kitchen-v0",
            {"length": (1, 241), "orders": 8, "cook": 20, "size": 4, "slack": 200},
            None,
            lambda env, rng: "wait",
        ),
        ("tic-tac-toe-v0", {"plies": 0}, None, goes_on),
        ("connect-four-v0", {"win_in": 0, "plies": 0}, None, goes_on),
        ("othello-v0", {"empty": 8}, None, goes_on),
    ],
)
def test_the_longest_game_is_paid(game_id: str, params: dict[str, Any], turns: int | None, choose: Any) -> None:
    env = envhub.make(game_id, difficulty=None, opponent="self", **params)
    env.reset(seed=3)
    rng = Stream(b"long")
    for _ in range(env.environment.retries):
        assert not env.step("<answer>no move</answer>")[2]
    over = truncated = False
    while not (over or truncated):
        _, _, over, truncated, info = env.step(f"<answer>{choose(env, rng)}</answer>")
    assert (over, truncated) == (True, False)
    assert len(info["payoffs"]) == env.environment.seats
    assert turns is None or len(env.episode.turns) == turns + env.environment.retries


def test_a_limit_below_the_longest_game_cuts_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: what the test above would see."""
    monkeypatch.setattr(Chess, "max_turns", 128)
    with pytest.raises(AssertionError):
        test_the_longest_game_is_paid("chess-v0", {"fen": "start", "moves": 100}, 200, goes_on)
