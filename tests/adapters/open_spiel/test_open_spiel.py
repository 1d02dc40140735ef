"""OpenSpiel's games as environments, over a stand-in of the same interface; the library itself is in test_open_spiel_real."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

import envhub
from envhub.authoring.game import exploitability, game_value
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.registry import registry
from tests.support.peers import on_path
from tests.support.places import STAND_INS

STAND_IN = str(STAND_INS / "stand_in_games")
OURS = ("envhub.adapters.open_spiel.environments", "envhub.adapters.open_spiel.states")


@pytest.fixture(scope="module")
def spiel() -> Iterator[Any]:
    """The adapter over the stand-in."""
    with on_path(STAND_IN, *OURS, prefix="open-spiel/", library="pyspiel"):
        yield importlib.import_module(OURS[0])


def begun(spiel: Any, game: str, seed: int = 1, **settings: Any) -> Any:
    env = envhub.make(spiel.register(game).id, **settings)
    env.reset(seed=seed)
    return env


def finished(env: Any) -> dict[str, Any]:
    rng = Stream(b"", "finish", env.task.key.seed)
    while not env.episode.over:
        env.step(env.random_action(rng))
    verdict: dict[str, Any] = env.episode.turns[-1].verdict.to_json()
    return verdict


# -- which games -------------------------------------------------------------------------------------------------------------


def test_every_game_that_can_be_trusted_is_registered(spiel: Any) -> None:
    ids = [spec.id for spec in spiel.register_all()]
    assert ids == [f"open-spiel/{name}-v0" for name in ("takes", "cards", "blind", "fingers")]
    assert [spec.id for spec in spiel.register_all()] == ids


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("inside", "draws its luck inside"),
        ("people", "population"),
        ("wrapper", "needs parameters"),
        ("silent", "LegalActions unimplemented"),
        ("taks", "Did you mean 'takes'"),
        ("takes(cards=1)", "Unknown parameter"),
    ],
)
def test_one_that_cannot_says_why(spiel: Any, game: str, reason: str) -> None:
    with pytest.raises(InvalidParameters, match=reason):
        spiel.register(game)


def test_a_game_with_parameters_is_an_environment_of_its_own(spiel: Any) -> None:
    spec = spiel.register("takes(heap=7)")
    assert spec.id == "open-spiel/takes-heap-7-v0"
    module, _, name = spec.entry.partition(":")
    assert getattr(importlib.import_module(module), name) is registry.load(spec)
    with pytest.raises(AttributeError):
        spiel.no_such_game


def test_another_release_is_refused_by_name(spiel: Any) -> None:
    key = begun(spiel, "takes").task.key.to_json()
    assert key["params"]["release"] == "9.9.9"
    key["params"]["release"] = "1.5"
    with pytest.raises(InvalidParameters, match=r"9\.9\.9 is installed"):
        envhub.begin(type(begun(spiel, "takes").task.key).from_json(key))


# -- moves -------------------------------------------------------------------------------------------------------------------


def test_a_move_is_its_string_however_it_is_dressed(spiel: Any) -> None:
    for text in ("<answer>Take 1</answer>", "<answer>take  1</answer>", "**Take 1**.", "\\boxed{TAKE 1}"):
        env = begun(spiel, "takes", seat=0)
        assert "You played Take 1." in env.step(text)[0], text
        assert env.episode.state.faults == 0


def test_what_is_none_is_answered_with_the_legal_ones_and_loses_at_last(spiel: Any) -> None:
    env = begun(spiel, "takes", seat=0)
    assert "Legal moves: Take 1; Take 2" in env.task.prompt
    said = [env.step(f"<answer>{text}</answer>")[0] for text in ("Take 3", "Take", "")]
    assert "Take 3 is not a legal move. Legal moves: Take 1, Take 2" in said[0]
    verdict = env.episode.turns[-1].verdict
    assert (verdict.score, verdict.payoff, verdict.components["illegal"]) == (0.0, -1.0, 3.0)


def test_strings_that_are_the_same_are_told_apart(spiel: Any) -> None:
    env = begun(spiel, "cards", seat=0)
    assert "Legal moves: same #0; same #1" in env.task.prompt
    assert "is not a legal move" in env.step("<answer>same</answer>")[0]
    worth = env.fork().step("<answer>same #1</answer>")[4]["verdict"]["payoff"]
    assert abs(worth) == 2.0


# -- luck --------------------------------------------------------------------------------------------------------------------


def test_luck_is_the_tasks(spiel: Any) -> None:
    views = [begun(spiel, "cards", seed, seat=0).task.problem["view"] for seed in range(60)]
    assert views == [begun(spiel, "cards", seed, seat=0).task.problem["view"] for seed in range(60)]
    assert {view.split("\n")[0] for view in views} == {"card 0", "card 1", "card 2"}


def test_an_opponents_luck_is_the_turns_and_a_fork_may_have_another(spiel: Any) -> None:
    env = begun(spiel, "takes", seat=0, opponent="random")
    said = [env.fork(turn_seed=k).step("<answer>Take 1</answer>")[0] for k in range(12)]
    assert said == [env.fork(turn_seed=k).step("<answer>Take 1</answer>")[0] for k in range(12)]
    assert len(set(said)) == 2


def test_a_snapshot_comes_back(spiel: Any) -> None:
    env = begun(spiel, "takes", seat=0, opponent="mcts:10")
    env.step("<answer>Take 2</answer>")
    again = envhub.restore(env.snapshot())
    assert again.episode.turns[-1].observation == env.episode.turns[-1].observation
    assert again.episode.state == env.episode.state


def test_games_are_solved_as_ours_are(spiel: Any) -> None:
    game = registry.load(spiel.register("cards"))()
    inst = Instance({"target": 2.0, "player": 0, "opponent": "random", "slips": 0})
    uniform = lambda s: [(move, 1) for move in game.legal(inst, s)]  # noqa: E731
    assert game_value(game, inst, game.start(inst), uniform) == pytest.approx(0, abs=1e-9)
    # betting with the best card and passing with the worst gains (2 - 1) / 3; the other player decides nothing
    assert exploitability(game, inst, game.start(inst), uniform) == pytest.approx(1 / 6)


# -- what is hidden ------------------------------------------------------------------------------------------------------------


def test_simultaneous_choices_are_not_shown(spiel: Any) -> None:
    for seed in range(6):
        env = begun(spiel, "fingers", seed, seat=1, opponent="random")
        assert "history []" in env.task.prompt
        assert env.step("<answer>show 1</answer>")[0].startswith("history [")
        assert finished(env)["payoff"] in (-2.0, 0.0, 2.0)


def test_an_opponent_is_handed_what_its_seat_imagines(spiel: Any) -> None:
    game = registry.load(spiel.register("cards"))()
    inst = Instance({"target": 2.0})
    s = game.play(inst, game.play(inst, game.start(inst), 2), 0)
    seen = {tuple(game.imagine(inst, s, 0, Stream(b"", "imagine", k)).state.history()) for k in range(40)}
    assert seen == {(2, 0), (2, 1)}
    together = registry.load(spiel.register("fingers"))()
    s = together.play(inst, together.start(inst), "show 2")
    assert (s.seat, s.pending) == (1, (2,))
    assert {together.imagine(inst, s, 1, Stream(b"", "imagine", k)).pending for k in range(20)} == {(1,), (2,)}


def test_where_nothing_can_be_imagined_only_who_needs_not_know_plays(spiel: Any) -> None:
    id = spiel.register("blind").id
    for opponent in ("greedy", "mcts:10", "minimax:2"):
        with pytest.raises(InvalidParameters, match="cannot imagine what is hidden"):
            envhub.make(id, opponent=opponent)
    with pytest.raises(InvalidParameters, match="its optimal play is not known"):
        envhub.make(id, opponent="optimal")
    assert begun(spiel, "blind", difficulty=10).task.problem["opponent"] == "random"
    assert begun(spiel, "cards", difficulty=10).task.problem["opponent"] == "mcts:640"
    env = begun(spiel, "blind", opponent="self")
    assert env.greedy_action(Stream(b"")) is None
    assert finished(env)["status"] == "graded"


# -- scores --------------------------------------------------------------------------------------------------------------------


def test_solved_is_the_target_and_below_it_the_score_is_linear(spiel: Any) -> None:
    found = set()
    for seed in range(30):
        verdict = finished(begun(spiel, "cards", seed, seat=0))
        found.add((verdict["payoff"], verdict["score"], verdict["solved"]))
    assert found == {(-2.0, 0.0, False), (-1.0, 0.25, False), (1.0, 0.75, False), (2.0, 1.0, True)}
    one = {finished(begun(spiel, "cards", seed, seat=0, target=1.0))["solved"] for seed in range(30)}
    assert one == {True, False}
    for target in (-2.0, 2.5):
        with pytest.raises(InvalidParameters, match="payoffs are from -2 to 2"):
            begun(spiel, "cards", target=target)


def test_the_oracle_wins_what_can_be_won(spiel: Any) -> None:
    for seed in range(5):
        env = begun(spiel, "takes", seed, seat=0, opponent="minimax:6")  # of seven, one leaves a multiple of three
        while not env.episode.over:
            env.step(env.solve())
        assert env.episode.turns[-1].verdict.solved


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyspiel") is not None, reason="OpenSpiel is installed")
def test_without_the_library_the_extra_is_named() -> None:
    run = subprocess.run([sys.executable, "-c", f"import {OURS[0]}"], capture_output=True, text=True, check=False)
    assert "MissingExtra: OpenSpiel is needed: pip install 'envhub[open-spiel]'" in run.stderr
