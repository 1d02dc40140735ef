"""Hidden information: what a seat may not see changes nothing that it sees, hears or can do."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.authoring.game import CHANCE, Game, choose, read_opponent
from envhub.core.seeding import Stream
from envhub.envs.games.blotto.environment import Blotto
from envhub.envs.games.poker.kuhn_poker import KuhnPoker
from tests.authoring.game.tables import instance

GAMES: list[tuple[Game, dict[str, Any]]] = [(KuhnPoker(), {"hands": 3}), (Blotto(), {"rounds": 3, "lead": 1})]


def walk(game: Game, params: dict[str, Any], seed: int) -> list[tuple[Any, Any]]:
    """The instance and every state of a random game in which a seat decides."""
    inst, rng, found = instance(game, seed, **params), Stream(b"walk", seed), []
    s = game.start(inst)
    while (mover := game.to_move(s)) is not None:
        if mover != CHANCE:
            found.append((inst, s))
        s = game.play(inst, s, game.draw(inst, s, rng) if mover == CHANCE else game.random_move(inst, s, rng))
    return found


@pytest.mark.parametrize(("game", "params"), GAMES)
def test_a_state_that_a_seat_imagines_is_the_same_to_it(game: Game, params: dict[str, Any]) -> None:
    others = 0
    for seed in range(30):
        for inst, s in walk(game, params, seed):
            for seat in range(game.seats):
                twin = game.imagine(inst, s, seat, Stream(b"twin", seed))
                others += twin != s
                assert game.observe(inst, twin, seat) == game.observe(inst, s, seat)
                assert game.to_move(twin) == game.to_move(s)
                if game.to_move(s) == seat:
                    assert game.legal(inst, twin) == game.legal(inst, s)
    assert others > 30  # they do differ in what is hidden


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:5"])
@pytest.mark.parametrize(("game", "params"), GAMES)
def test_an_opponent_does_the_same_whatever_is_hidden_from_it(game: Game, params: dict[str, Any], name: str) -> None:
    for seed in range(12):
        for inst, s in walk(game, params, seed):
            seat = game.to_move(s)
            assert isinstance(seat, int)
            choices = set()
            for k in range(4):
                other = game.imagine(inst, s, seat, Stream(b"hidden", k))
                choices.add(choose(game, inst, other, seat, read_opponent(name), Stream(b"same")))
            assert len(choices) == 1


def test_a_choice_is_not_shown_before_both_have_chosen() -> None:
    game = Blotto()
    inst = instance(game, opponent="random", seat=0)
    s = game.start(inst)
    views = {game.observe(inst, game.play(inst, s, move), 0) for move in game.legal(inst, s)}
    assert len(views) == 1
    assert game.to_move(s) == 1  # the policy is asked last: the oracle sees, and nobody else does
