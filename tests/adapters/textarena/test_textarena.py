"""TextArena's games as environments, over a stand-in of the same interface; the library itself is in test_textarena_real."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

import envhub
from envhub.core.effects import Outcome, Performed
from envhub.core.errors import InvalidParameters
from envhub.episodes.episode import Episode
from envhub.registry import registry
from tests.support.peers import on_path
from tests.support.places import STAND_INS

STAND_IN = str(STAND_INS / "stand_in_games")
OURS = ("envhub.adapters.textarena.environments", "envhub.adapters.textarena.tables")


@pytest.fixture(scope="module")
def arena() -> Iterator[Any]:
    """The adapter over the stand-in."""
    with on_path(STAND_IN, *OURS, prefix="textarena/", library="textarena"):
        yield importlib.import_module(OURS[0])


def begun(arena: Any, game: str, seed: int = 1, **settings: Any) -> Any:
    env = envhub.make(arena.register(game).id, **settings)
    env.reset(seed=seed)
    return env


def searched(env: Any) -> dict[str, Any]:
    """The verdict of a player that halves what is left."""
    low, high = 1, 8
    while True:
        guess = (low + high) // 2
        said, _, over, _, info = env.step(f"<answer>[{guess}]</answer>")
        if over:
            verdict: dict[str, Any] = info["verdict"]
            return verdict
        low, high = (guess + 1, high) if "higher" in said else (low, guess - 1)


# -- which games -------------------------------------------------------------------------------------------------------------


def test_what_was_checked_is_registered_with_its_variants(arena: Any) -> None:
    ids = [spec.id for spec in arena.register_all()]
    assert ids == ["textarena/guessthenumber-v0", "textarena/guessthenumber-hardcore-v0", "textarena/nim-v0"]
    assert [spec.id for spec in arena.register_all()] == ids


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("Bandit-v0", "the regret is paid as the reward"),
        ("Missing-v0", "does not start here .LookupError: Resource 'words' not found"),
        ("Tally-v0", "nobody has checked"),
        ("Nim-v1", "Did you mean 'Nim-v0'"),
    ],
)
def test_the_rest_says_why(arena: Any, game: str, reason: str) -> None:
    with pytest.raises(InvalidParameters, match=reason):
        arena.register(game)


def test_another_process_finds_the_class_by_its_name(arena: Any) -> None:
    spec = arena.register("Nim-v0")
    module, _, name = spec.entry.partition(":")
    assert getattr(importlib.import_module(module), name) is registry.load(spec)
    with pytest.raises(AttributeError):
        arena.no_such_game


def test_another_release_is_refused_by_name(arena: Any) -> None:
    key = begun(arena, "Nim-v0").task.key.to_json()
    key["params"]["release"] = "0.1"
    with pytest.raises(InvalidParameters, match=r"9\.9\.9 is installed"):
        envhub.begin(type(begun(arena, "Nim-v0").task.key).from_json(key))


# -- luck --------------------------------------------------------------------------------------------------------------------


def test_a_task_is_its_key_whatever_pythons_generator_does(arena: Any) -> None:
    secrets = []
    for noise in (1, 2):
        random.seed(noise)
        before = random.getstate()
        found = [begun(arena, "GuessTheNumber-v0", seed).episode.state.env.secret for seed in range(40)]
        assert random.getstate() == before, "and it is put back"
        secrets.append(found)
    assert secrets[0] == secrets[1]
    assert set(secrets[0]) == set(range(1, 9))


def test_luck_later_is_the_turns_and_a_fork_may_have_another(arena: Any) -> None:
    env = begun(arena, "GuessTheNumber-v0")
    wrong = f"[{env.episode.state.env.secret % 8 + 1}]"
    said = [env.fork(turn_seed=k).step(wrong)[0] for k in range(6)]
    assert said == [env.fork(turn_seed=k).step(wrong)[0] for k in range(6)]
    assert len(set(said)) > 1
    assert env.episode.state.env.turns == 0, "a table is never changed"


def test_a_snapshot_comes_back_and_holds_no_secret(arena: Any) -> None:
    env = begun(arena, "Nim-v0")
    env.step("<answer>1</answer>")
    again = envhub.restore(env.snapshot())
    assert again.episode.turns[-1].observation == env.episode.turns[-1].observation
    assert "seed" not in env.task.problem


def test_what_a_game_prints_is_dropped(arena: Any, capsys: pytest.CaptureFixture[str]) -> None:
    begun(arena, "GuessTheNumber-v0")
    assert capsys.readouterr() == ("", "")


# -- verdicts ------------------------------------------------------------------------------------------------------------------


def test_solved_is_a_reward_of_one_and_a_share_is_only_a_component(arena: Any) -> None:
    for seed in range(8):
        verdict = searched(begun(arena, "GuessTheNumber-v0", seed))
        assert (verdict["score"], verdict["solved"], verdict["components"]["partial"]) == (1.0, True, 1.0)
    env = begun(arena, "GuessTheNumber-v0")
    wrong = f"[{env.episode.state.env.secret % 8 + 1}]"
    for _ in range(4):
        verdict = env.step(wrong)[4].get("verdict")
    assert (verdict["score"], verdict["solved"]) == (0.0, False)
    assert 0 < verdict["components"]["partial"] < 1


def test_mistakes_are_the_games_to_judge_and_lose(arena: Any) -> None:
    env = begun(arena, "GuessTheNumber-v0")
    assert "try again" in env.step("<answer>[what]</answer>")[0]
    verdict = env.step("<answer>[what]</answer>")[4]["verdict"]
    assert (verdict["score"], verdict["payoff"], verdict["components"]["illegal"]) == (0.0, -1.0, 1.0)


def test_what_cannot_be_read_is_answered_and_the_game_goes_on(arena: Any) -> None:
    env = begun(arena, "GuessTheNumber-v0")
    before = env.episode.state
    assert "No answer was found" in env.step("<answer></answer>")[0]
    assert "several" in env.step("<answer>[1]</answer><answer>[2]</answer>")[0].lower()
    assert env.episode.state is before


@pytest.mark.slow
def test_an_exception_is_never_a_reward_of_the_game(arena: Any) -> None:
    verdict = begun(arena, "GuessTheNumber-v0").step("<answer>[boom]</answer>")[4]["verdict"]
    assert verdict["status"] == "error" or (verdict["score"], verdict["components"]) == (0.0, {"abuse": 1.0})
    assert verdict["solved"] is not True


@pytest.mark.slow
def test_a_reward_that_is_none_is_an_error(arena: Any) -> None:
    env = envhub.make(arena.register("Tally-v0", unchecked=True).id)
    env.reset(seed=1)
    _, reward, _, truncated, info = env.step("<answer>[1]</answer>")
    assert (info["verdict"]["status"], truncated, reward != reward) == ("error", True, True)


# -- seats ---------------------------------------------------------------------------------------------------------------------


def test_the_policy_may_have_every_seat(arena: Any) -> None:
    env = begun(arena, "Nim-v0")
    assert "You play all 2 players in turn" in env.task.prompt
    seats = []
    for take in ("2", "2", "1"):
        observation, _, over, _, info = env.step(f"<answer>{take}</answer>")
        seats.append(info.get("player"))
    assert over
    assert seats == [1, 0, None]
    assert info["payoffs"] == [1.0, -1.0]
    assert (info["verdict"]["score"], info["verdict"]["solved"]) == (1.0, True)
    assert "Player 0 took the last one." in observation


def test_or_a_model_has_the_other(arena: Any) -> None:
    env = begun(arena, "Nim-v0", opponent="http://127.0.0.1:9/v1#m")
    assert "You are player 0." in env.task.prompt
    asked: list[Any] = []

    def model(effect: Any) -> Performed:
        asked.append(effect.payload)
        return Performed(effect.digest(), Outcome("[2]"))

    episode: Episode = env.episode
    turn = episode._fold("<answer>[2]</answer>", model)
    assert "Player 1: [2]" in turn.observation
    assert "1 are left." in turn.observation
    assert asked[0]["user"].count("3 are left.") == 1
    assert "You are player 1." in asked[0]["system"]
    verdict = episode._fold("<answer>[1]</answer>", model).verdict
    assert verdict is not None
    assert verdict.solved
    assert len(asked) == 1


def test_no_opponent_searches_here(arena: Any) -> None:
    for opponent in ("random", "minimax:2", "mcts:10", "nobody"):
        with pytest.raises(InvalidParameters, match=r"cannot play|Unknown opponent"):
            begun(arena, "Nim-v0", opponent=opponent)
    with pytest.raises(InvalidParameters, match="one seat"):
        begun(arena, "GuessTheNumber-v0", opponent="http://127.0.0.1:9/v1#m")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("textarena") is not None, reason="TextArena is installed")
def test_without_the_library_the_extra_is_named() -> None:
    run = subprocess.run([sys.executable, "-c", f"import {OURS[0]}"], capture_output=True, text=True, check=False)
    assert "MissingExtra: TextArena is needed: pip install 'envhub[textarena]'" in run.stderr
