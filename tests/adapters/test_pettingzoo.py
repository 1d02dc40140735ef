"""The AEC view: PettingZoo's own test, masks that are the legal moves, payoffs as rewards, secrets, seeds."""

from __future__ import annotations

import os
import warnings
from typing import Any

import pytest

import envhub
from envhub.authoring.game import Game
from envhub.core.errors import EpisodeOver, InvalidAction, InvalidParameters, JudgementError
from envhub.core.seeding import Stream
from envhub.registry.registry import builtin_ids, load, spec

try:
    from pettingzoo.test import api_test, seed_test

    from envhub.adapters.pettingzoo import GameAEC, MoveSpace, aec
except ImportError as error:
    if os.environ.get("CI"):
        raise
    pytest.skip(f"PettingZoo is not installed: pip install 'envhub[pettingzoo]' ({error})", allow_module_level=True)

NAMED = (
    "tic-tac-toe-v0",
    "connect-four-v0",
    "kuhn-poker-v0",
    "leduc-poker-v0",
    "blotto-v0",
    "kitchen-v0",
    "negotiation-v0",
)
TEXT = {"negotiation-v0", "chess-v0", "chess-mate-v0", "othello-v0"}
EXPECTED = (
    "Observation is not a NumPy array",  # it is a dictionary, as of PettingZoo's own board games
    "Observation space for each agent probably should be",
    "Action space for each agent probably should be",  # text
    "Action mask numpy array is all zeros",  # of who is not to move
)


def games() -> list[str]:
    """Every game with more than one seat."""
    loaded = {id: load(spec(id)) for id in builtin_ids() if spec(id).category == "games"}
    return [id for id, cls in loaded.items() if issubclass(cls, Game) and cls.seats > 1]


def table(id: str, **settings: Any) -> GameAEC:
    return aec(id, difficulty=2, **settings)


def played(env: GameAEC, seed: int) -> tuple[list[str], dict[str, float], list[Any]]:
    """A game of legal moves: who moved, what was paid, what was seen."""
    env.reset(seed=seed)
    rng, movers, paid, seen = Stream(b"aec", seed), [], dict.fromkeys(env.agents, 0.0), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        seen.append(observation["text"])
        if terminated or truncated:
            assert not truncated
            env.step(None)
            continue
        movers.append(agent)
        env.step(env.env.random_action(rng))
    return movers, paid, seen


def test_every_game_that_was_named_is_there() -> None:
    assert set(NAMED) <= set(games())


@pytest.mark.parametrize("id", games())
def test_passes_the_test_of_pettingzoo(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        for message in EXPECTED:
            warnings.filterwarnings("ignore", message=message)
        api_test(table(id), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("id", games())
def test_seeds_say_everything(id: str) -> None:
    one, other = table(id), table(id)
    assert played(one, 5) == played(other, 5)
    assert played(one, 5)[2] != played(one, 6)[2] or id in ("tic-tac-toe-v0",)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: table(id), num_cycles=8)


@pytest.mark.parametrize("id", games())
@pytest.mark.parametrize("level", [1, 10])
def test_a_legal_game_ends_by_its_rules_and_pays_every_seat(id: str, level: int) -> None:
    env = aec(id, difficulty=level)
    _, paid, _ = played(env, 3)
    game = env.env.environment
    assert isinstance(game, Game)
    assert list(paid.values()) == game.paid(env.env.episode.instance, env.env.episode.state.s)
    if game.zero_sum:
        assert sum(paid.values()) == 0


@pytest.mark.parametrize("id", [id for id in games() if id not in TEXT])
def test_the_mask_is_the_legal_moves_of_who_is_to_move(id: str) -> None:
    env = table(id)
    env.reset(seed=2)
    rng, turns = Stream(b"mask"), 0
    for agent in env.agent_iter():
        observation, _, over, _, _ = env.last()
        if over:
            env.step(None)
            continue
        game, inst, s = env.env.environment, env.env.episode.instance, env.env.episode.state.s
        assert isinstance(game, Game)
        assert env.moves is not None
        allowed = [move for move, can in zip(env.moves, observation["action_mask"], strict=True) if can]
        assert set(allowed) == set(game.legal(inst, s))
        assert all(not game.fault(inst, s, move) for move in allowed[:20])
        for other in set(env.agents) - {agent}:
            assert not env.observe(other)["action_mask"].any()
        env.step(env.moves.index(rng.choice(allowed)))
        assert not env.infos[env.agent_selection].get("illegal"), "a move of the mask was not legal"
        turns += 1
    assert turns > 1


def test_text_is_where_moves_are_not_listed() -> None:
    env = table("negotiation-v0")
    assert env.moves is None
    space = env.action_space("player_0")
    assert isinstance(space, MoveSpace)
    space.seed(4)
    first = [space.sample() for _ in range(5)]
    space.seed(4)
    assert [space.sample() for _ in range(5)] == first
    assert all(space.contains(text) and env.env.environment.answer.read(text).reason is None for text in first)
    assert "action_mask" not in table("negotiation-v0").observation_space("player_1").spaces
    with pytest.raises(ValueError, match="cannot be masked"):
        space.sample([1])


def test_bytes_are_the_text() -> None:
    env = aec("blotto-v0", observation_bytes=30)
    env.reset(seed=1)
    seen = env.observe("player_0")
    assert bytes(seen["observation"]).rstrip(b"\0").decode() == seen["text"][:30]
    assert len(seen["text"]) > 30


def test_a_move_that_is_not_legal_is_answered_and_loses_in_the_end() -> None:
    env = table("tic-tac-toe-v0")
    env.reset(seed=0)
    agent = env.agent_selection
    for _ in range(2):
        env.step("nowhere")
        assert env.agent_selection == agent
        assert "it happens again" in env.infos[agent]["told"] or "once more" in env.infos[agent]["told"]
    env.step("nowhere")
    assert env.rewards == {agent: -1.0, next(a for a in env.agents if a != agent): 1.0}
    assert all(env.terminations.values())


@pytest.mark.parametrize("id", ["kuhn-poker-v0", "leduc-poker-v0", "negotiation-v0", "blotto-v0", "kitchen-v0"])
def test_nobody_sees_what_is_hidden(id: str) -> None:
    env = table(id)
    for seed in range(6):
        env.reset(seed=seed)
        rng = Stream(b"hidden", seed)
        for _ in range(3):
            if env.env.episode.over:
                break
            game, inst, s = env.env.environment, env.env.episode.instance, env.env.episode.state.s
            assert isinstance(game, Game)
            for seat, agent in enumerate(env.possible_agents):
                twin = game.imagine(inst, s, seat, rng)
                assert env.observe(agent)["text"] == game.observe(inst, twin, seat)
            env.step(env.env.random_action(rng))


def test_a_choice_made_at_the_same_time_is_not_shown() -> None:
    env = table("blotto-v0")
    env.reset(seed=1)
    first = env.agent_selection
    other = next(agent for agent in env.agents if agent != first)
    before = env.observe(other)["text"]
    env.step(env.action_space(first).sample(env.observe(first)["action_mask"]))
    assert env.agent_selection == other
    assert env.observe(other)["text"] == before


def test_the_prompt_tells_rules_seat_and_format() -> None:
    env = table("kitchen-v0")
    env.reset(seed=1)
    for seat in (0, 1):
        said = env.prompt(f"player_{seat}")
        assert said.startswith("Two cooks share a kitchen and work together")
        assert f"You play player {seat + 1}." in said
        assert "<answer>" in said


def test_the_prompt_states_the_rule_on_illegal_moves() -> None:
    env = table("tic-tac-toe-v0", wording=0)
    env.reset(seed=1)
    assert "If a message is not a legal move, you are told why and can try again." in env.prompt("player_1")


def test_the_prompt_follows_the_wording() -> None:
    prompts = []
    for wording in (0, "held-out"):
        env = table("kuhn-poker-v0", wording=wording)
        env.reset(seed=1)
        prompts.append(env.prompt("player_0"))
    assert prompts[0] != prompts[1]
    assert "One message carries one" in prompts[1]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="must be a game with more than one seat"):
        aec("sudoku-v0")
    with pytest.raises(InvalidParameters, match="must be a game with more than one seat"):
        aec("2048-v0")
    for name in ("opponent", "slips", "seat"):
        with pytest.raises(InvalidParameters, match=f"no parameter '{name}'"):
            aec("blotto-v0", **{name: 1})
    env = table("tic-tac-toe-v0")
    with pytest.raises(EpisodeOver):
        env.step(0)
    env.reset(seed=0)
    for action in (9, -1, True, 1.5, None):
        with pytest.raises(InvalidAction):
            env.step(action)
    with pytest.raises(InvalidParameters):
        env.reset(seed=-1)


@pytest.mark.slow
def test_what_could_not_be_judged_is_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    env = table("tic-tac-toe-v0")
    env.reset(seed=0)

    def broken(*_: Any) -> Any:
        return (1.0, 1.0)

    monkeypatch.setattr(type(env.env.environment), "payoffs", broken)

    def to_the_end() -> None:
        while True:
            env.step(env.env.random_action(Stream(b"broken", len(env.env.episode.turns))))

    with pytest.raises(JudgementError, match="environment_failed"):
        to_the_end()


def test_the_luck_is_the_hubs() -> None:
    env = table("leduc-poker-v0")
    env.reset(seed=4, options={"turn_seed": 3})
    mine = envhub.make("leduc-poker-v0", difficulty=2, opponent="self", slips=0)
    mine.reset(seed=4, options={"turn_seed": 3})
    assert env.env.task == mine.task
    assert env.env.episode.turn_seed == 3
