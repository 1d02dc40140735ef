"""The tables of docs/games.md: ratings from results, and matches that anybody can play again."""

from __future__ import annotations

import pytest

import envhub
from envhub.authoring.game import Game

elo = pytest.importorskip("benchmarks.elo", reason="benchmarks/ is only in the repository")
strength = pytest.importorskip("benchmarks.strength", reason="benchmarks/ is only in the repository")


def test_three_wins_of_four_are_191_points() -> None:
    found = elo.ratings({("weak", "strong"): [0.0] * 2_500 + [1.0] * 7_500})
    assert found["weak"] == (0.0, 0.0, 0.0)
    assert found["strong"].points == pytest.approx(-190.8, abs=0.5)
    assert found["strong"].low < found["strong"].points < found["strong"].high


def test_who_never_loses_has_a_rating_and_equals_have_the_same() -> None:
    found = elo.ratings({("a", "b"): [0.5] * 20, ("a", "c"): [0.0] * 20, ("b", "c"): [0.0] * 20})
    assert found["b"].points == pytest.approx(0, abs=1e-3)
    assert 400 < found["c"].points < 1_000


def test_a_match_is_the_same_again_and_the_stronger_wins_from_either_seat() -> None:
    env = envhub.make("tic-tac-toe-v0", difficulty=None, opponent="self", plies=0)
    env.reset(seed=0)
    game, inst = env.environment, env.episode.instance
    assert isinstance(game, Game)
    for swapped in (False, True):
        played = [strength.play(game, inst, ("optimal", "random"), number, swapped) for number in range(30)]
        assert played == [strength.play(game, inst, ("optimal", "random"), number, swapped) for number in range(30)]
        assert sum(played) > 20
        assert 0.0 not in played


def test_every_field_is_of_players_that_the_game_has() -> None:
    for given in strength.FIELDS:
        for name in given.players:
            assert envhub.make(given.env_id, opponent=name, **given.params)
        assert given.games % 2 == 0
